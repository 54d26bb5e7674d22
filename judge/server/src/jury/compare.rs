//! How a submission compares with the others for its problem.

use super::frame::{date, memory, percent, seconds, verdict};
use crate::http::{App, Result};
use crate::layout::Table;
use crate::store::{ReviewRow, Submission, SubmissionFilter};
use judge_core::verdict::Verdict;
use maud::{Markup, html};
use std::collections::BTreeMap;

const SHOWN: usize = 20;
/// Submissions that are counted, the latest ones.
const COUNTED: usize = 5000;

/// The other submissions for a problem.
pub struct Compared {
    /// Number of submissions with each verdict.
    verdicts: BTreeMap<Verdict, usize>,
    /// Accepted ones, the fastest first.
    accepted: Vec<ReviewRow>,
    /// The submission itself, among [`Compared::accepted`].
    own: crate::store::SubmissionId,
}

/// Reads the other judged submissions for the problem; `all`: also those of other contests and of practice. Blocks.
pub fn comparison(app: &App, submission: &Submission, all: bool) -> Result<Compared> {
    let filter = SubmissionFilter {
        contest: Some(submission.contest).filter(|_| !all),
        problem: Some(submission.problem),
        judged: Some(true),
        ..SubmissionFilter::default()
    };
    let rows = app.store.review(&filter, 0, COUNTED)?;
    let mut verdicts = BTreeMap::new();
    for verdict in rows.iter().filter_map(|row| row.verdict) {
        *verdicts.entry(verdict).or_insert(0) += 1;
    }
    let mut accepted = rows;
    accepted.retain(|row| row.verdict == Some(Verdict::Accepted));
    let time = |row: &ReviewRow| row.max_cpu_s.unwrap_or(f64::INFINITY);
    accepted.sort_by(|a, b| time(a).total_cmp(&time(b)));
    Ok(Compared {
        verdicts,
        accepted,
        own: submission.id,
    })
}

impl Compared {
    /// The verdicts of all, and the fastest accepted ones with their part of the limit.
    pub fn shown(&self) -> Markup {
        let shown = &self.accepted[..self.accepted.len().min(SHOWN)];
        let table = Table::new("The fastest accepted submissions", shown)
            .column("Submission", |row| {
                html! {
                    a href={ "/jury/submissions/" (row.id) } { (row.id) }
                    @if row.id == self.own { " this one" }
                }
            })
            .column("Team or user", ReviewRow::who)
            .column("Language", |row| &row.language)
            .column("Time", |row| seconds(row.max_cpu_s))
            .column("of the limit", |row| {
                percent(row.max_cpu_s, row.time_limit_s)
            })
            .column("Memory", |row| memory(row.max_memory))
            .column("Submitted", |row| date(row.time_ms));
        let place = self.accepted.iter().position(|row| row.id == self.own);
        html! {
            h2 { "Compared with the other submissions for the problem" }
            p {
                @for (own, count) in &self.verdicts {
                    (verdict(crate::store::JudgingState::Done, Some(*own))) " " (count) " "
                }
            }
            @if let Some(place) = place {
                p { "By time it is number " (place + 1) " of " (self.accepted.len()) " accepted ones." }
            }
            @if !shown.is_empty() { (table) }
        }
    }
}
