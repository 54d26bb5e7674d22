//! Objects that change during a contest: submissions, judgements, runs, clarifications.

use super::{View, json};
use crate::access;
use crate::feed::hide_source;
use crate::http::Result;
use crate::store::objects;
use crate::store::{Judging, Submission, SubmissionId};
use serde_json::Value;
use std::collections::HashMap;

impl View<'_> {
    pub(super) fn submissions(&self) -> Result<Vec<Value>> {
        let all = self.app.store.submissions_of(self.contest.id)?;
        let seen = all
            .iter()
            .filter(|submission| self.sees_submission(submission));
        seen.map(|submission| self.submission(submission)).collect()
    }

    /// Whether the Contest API shows the submission to the viewer: only those of teams.
    pub fn sees_submission(&self, submission: &Submission) -> bool {
        submission.team.is_some()
            && !submission.ignored
            && access::sees_submission(self.viewer, submission, Some(self.place()))
    }

    /// A submission that the viewer may see.
    pub fn submission(&self, submission: &Submission) -> Result<Value> {
        let mut object = json(&objects::submission(submission, &self.contest)?)?;
        if !access::sees_source(self.viewer, submission) {
            hide_source(&mut object);
        }
        Ok(object)
    }

    pub(super) fn judgements(&self) -> Result<Vec<Value>> {
        let submissions = self.app.store.submissions_of(self.contest.id)?;
        let by_id: HashMap<SubmissionId, &Submission> = submissions
            .iter()
            .map(|submission| (submission.id, submission))
            .collect();
        let sees = |judging: &Judging| {
            by_id.get(&judging.submission).is_some_and(|submission| {
                access::sees_verdict(self.viewer, submission, Some(self.place()), self.now_ms)
            })
        };
        let judgings = self.app.store.published_judgings(self.contest.id)?;
        let seen = judgings.iter().filter(|judging| sees(judging));
        seen.map(|judging| json(&objects::judgement(judging, &self.contest)?))
            .collect()
    }

    pub(super) fn runs(&self) -> Result<Vec<Value>> {
        let runs = self.app.store.published_runs(self.contest.id)?;
        let object = |run| json(&objects::run(run, &self.contest)?);
        runs.iter().map(object).collect()
    }

    pub(super) fn clarifications(&self) -> Result<Vec<Value>> {
        let all = self.app.store.clarifications(self.contest.id)?;
        let seen = all
            .iter()
            .filter(|c| access::sees_clarification(self.viewer, c, self.place()));
        seen.map(|c| self.clarification(c)).collect()
    }

    pub(super) fn commentary(&self) -> Result<Vec<Value>> {
        let all = self.app.store.commentary(self.contest.id)?;
        all.iter().map(|comment| self.comment(comment)).collect()
    }

    /// A comment, which everybody may see.
    pub fn comment(&self, comment: &crate::store::Comment) -> Result<Value> {
        json(&objects::comment(comment, &self.contest)?)
    }

    /// A clarification that the viewer may see.
    pub fn clarification(&self, found: &crate::store::Clarification) -> Result<Value> {
        let with_question = access::sees_question(self.viewer, found, self.place());
        json(&objects::clarification(
            found,
            &self.contest,
            with_question,
        )?)
    }
}
