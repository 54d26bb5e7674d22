//! The user's submissions, or those of the user's team.

use super::page;
use super::parts::{Own, ProblemNames, options, select, submission_table, with_judgings};
use crate::http::{App, Fields, PageResult, SignedIn};
use crate::store::{ProblemId, SubmissionFilter};
use judge_core::verdict::Verdict;
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};

const PER_PAGE: usize = 50;
/// Maximum number of submissions whose problems the filter offers.
const MAX_SUBMISSIONS: usize = 2000;

pub fn own(app: &App, (signed_in, fields): (SignedIn, Fields)) -> PageResult {
    let caller = &signed_in.caller;
    let team = caller.viewer.team;
    let all = SubmissionFilter::by(signed_in.user.id, team);
    let problem: Option<ProblemId> = fields.parse("problem")?;
    let verdict = Verdict::from_code(fields.get("verdict"));
    let filter = SubmissionFilter {
        problem,
        verdict,
        before: fields.get("before").parse().ok(),
        ..all.clone()
    };
    let mut submissions = app.store.submissions(&filter, PER_PAGE + 1)?;
    let more = submissions.len() > PER_PAGE;
    submissions.truncate(PER_PAGE);
    let last = submissions.last().map(|last| last.id);
    let mut rows = with_judgings(app, caller.viewer, submissions)?;
    // A filter by verdict must not reveal verdicts that the contest withholds.
    rows.retain(|Own { judging, .. }| {
        let shown = judging.as_ref().and_then(|judging| judging.verdict);
        verdict.is_none() || shown == verdict
    });
    let tried = app.store.submissions(&all, MAX_SUBMISSIONS)?;
    let tried = tried.iter().map(|one| (one.contest, one.problem));
    let tried: BTreeSet<_> = tried.collect();
    let mut names = ProblemNames::default();
    let mut problems: BTreeMap<ProblemId, String> = BTreeMap::new();
    // The name in a contest replaces that in practice.
    for (contest, problem) in tried {
        problems.insert(problem, names.of(app, contest, problem)?);
    }
    let chosen = problem.map_or_else(String::new, |id| id.to_string());
    let verdict = verdict.map_or("", Verdict::code);
    let address = format!("/submissions?problem={chosen}&verdict={verdict}");
    let body = html! {
        (filter_form(&problems, &fields))
        @if rows.is_empty() {
            @if problems.is_empty() { p { "You have submitted nothing yet." } }
            @else { p { "No submission fits the filter." } }
        } @else {
            (submission_table(app, "Submissions, the latest first", &rows))
        }
        @if more || filter.before.is_some() {
            nav.pages aria-label="Pages" {
                @if filter.before.is_some() { a href=(address) { "Latest" } }
                @if let Some(last) = last.filter(|_| more) {
                    a rel="next" href={ (address) "&before=" (last) } { "Older" }
                }
            }
        }
    };
    let title = if team.is_some() {
        "Submissions of your team"
    } else {
        "Your submissions"
    };
    Ok(page(caller, "/submissions", title, &body))
}

fn filter_form(problems: &BTreeMap<ProblemId, String>, fields: &Fields) -> Markup {
    let problem = |(id, name): (&ProblemId, &String)| (id.to_string(), name.clone());
    let problems = options("All", problems.iter().map(problem));
    let code = |verdict: &Verdict| (verdict.code().to_owned(), verdict.code().to_owned());
    let verdicts = options("All", Verdict::ALL.iter().map(code));
    html! {
        form.filter method="get" role="search" aria-label="Filter" {
            (select("problem", "Problem", &problems, fields.get("problem")))
            (select("verdict", "Verdict", &verdicts, fields.get("verdict")))
            button { "Show" }
        }
    }
}
