//! The results of one package, for the reports that print them.
//!
//! Names and messages may come from packages and programs: the summaries hold them escaped.

use super::clean::{clean_details, optional_text};
use crate::event::{CaseFinished, Details, SubmissionFinished, SubmissionPlanned};
use crate::text::printable_name;
use crate::verdict::Verdict;
use std::collections::{BTreeMap, HashMap};

/// Failed cases of a submission whose details are kept.
const MAX_DETAILS: usize = 10;

/// The results of a package so far.
#[derive(Default)]
pub struct PackageSummary {
    pub id: String,
    pub name: String,
    pub time_limit_s: Option<f64>,
    pub memory_limit_bytes: u64,
    /// Notes about the origins of these two limits.
    pub time_limit_note: String,
    pub memory_limit_note: String,
    pub cases: Vec<String>,
    /// Index of each case in `cases`.
    pub(super) places: HashMap<String, usize>,
    /// By submission, in the order of the cases.
    pub(super) results: BTreeMap<String, Vec<Option<CaseSummary>>>,
    pub finished: Vec<SubmissionFinished>,
    /// Compilers' messages by submission.
    pub messages: BTreeMap<String, String>,
    /// Languages by submission.
    pub languages: BTreeMap<String, String>,
    /// The package's directory or archive.
    pub(super) path: Option<String>,
    pub(super) planned: Vec<SubmissionPlanned>,
    /// Number of cases with details by submission.
    pub(super) detailed: BTreeMap<String, usize>,
}

/// The printed fields of a case, and no more: there are many cases.
#[derive(Clone)]
pub struct CaseSummary {
    pub verdict: Verdict,
    pub cpu_s: Option<f64>,
    pub repeats_cpu_s: Vec<f64>,
    pub wall_s: Option<f64>,
    pub memory_bytes: Option<u64>,
    pub instructions: Option<u64>,
    pub message: Option<String>,
    pub details: Option<Box<Details>>,
}

impl CaseSummary {
    pub fn is_accepted(&self) -> bool {
        self.verdict == Verdict::Accepted
    }
}

impl PackageSummary {
    /// Adds the result of a case.
    pub(super) fn add_case(&mut self, case: &CaseFinished) {
        let Some(&place) = self.places.get(&*printable_name(&case.case)) else {
            return;
        };
        let submission = printable_name(&case.submission);
        // Most cases are of a known submission, whose name is not copied.
        if !self.results.contains_key(&*submission) {
            let nothing = vec![None; self.cases.len()];
            self.results.insert(submission.to_string(), nothing);
        }
        let mut details = None;
        if let Some(found) = &case.details {
            let count = self.detailed.entry(submission.to_string()).or_default();
            *count += 1;
            details = (*count <= MAX_DETAILS).then(|| clean_details(found));
        }
        if let Some(results) = self.results.get_mut(&*submission) {
            results[place] = Some(CaseSummary {
                verdict: case.verdict,
                cpu_s: case.cpu_s,
                repeats_cpu_s: case.repeats_cpu_s.clone(),
                wall_s: case.wall_s,
                memory_bytes: case.memory_bytes,
                instructions: case.instructions,
                message: optional_text(&case.message),
                details,
            });
        }
    }

    /// The result of the case with this index.
    pub fn result(&self, submission: &str, place: usize) -> Option<&CaseSummary> {
        self.results.get(submission)?[place].as_ref()
    }

    /// The judged cases of a submission with their names, in order.
    pub fn judged(&self, submission: &str) -> Vec<(&str, &CaseSummary)> {
        let results = self.results.get(submission).into_iter().flatten();
        let named = self.cases.iter().map(String::as_str).zip(results);
        named
            .filter_map(|(name, case)| Some((name, case.as_ref()?)))
            .collect()
    }

    /// The submission's part of the plan.
    pub fn planned(&self, submission: &str) -> Option<&SubmissionPlanned> {
        self.planned
            .iter()
            .find(|planned| planned.submission == submission)
    }

    /// Submissions with judged cases that are not finished.
    pub fn unfinished(&self) -> impl Iterator<Item = &str> {
        let is_finished = |name: &str| self.finished.iter().any(|f| f.submission == name);
        let names = self.results.keys().map(String::as_str);
        names.filter(move |name| !is_finished(name))
    }
}
