//! The list of all submissions, with filters.

use super::contests::{moment, usual_zone};
use super::frame::{
    contest_time, date, link, memory, moment_field, options, page, plural, seconds, select,
    select_several, verdict,
};
use crate::access::Action;
use crate::http::{App, Fields, Jury, PageResult, Result};
use crate::layout::{Table, encoded, pagination, region};
use crate::store::{Contest, ContestId, SubmissionFilter, Team};
use chrono_tz::Tz;
use judge_core::verdict::Verdict;
use maud::{Markup, html};
use std::collections::{HashMap, HashSet};
use std::iter;

const PAGE: usize = 50;

/// The fields of the filter.
const NAMES: [&str; 10] = [
    "contest", "problem", "team", "user", "language", "verdict", "machine", "state", "from",
    "until",
];

/// The value of the filter for all verdicts but AC.
const REJECTED: &str = "rejected";

/// Choices of the filter: value and text.
pub struct Choices {
    contests: Vec<(String, String)>,
    problems: Vec<(String, String)>,
    teams: Vec<(String, String)>,
    languages: Vec<(String, String)>,
    machines: Vec<(String, String)>,
    /// The zone of times.
    zone: Tz,
}

impl Choices {
    /// Reads those of the contests that the user sees. Blocks.
    pub fn read(app: &App, jury: &Jury) -> Result<Self> {
        let practice = ("practice".to_owned(), "practice".to_owned());
        let practice = Some(practice).filter(|_| jury.contests.is_none());
        let mut contests = app.store.contests()?;
        let zone = usual_zone(&contests);
        contests.retain(|contest| jury.shows(contest.id));
        let (mut problems, mut teams) = (app.store.problems()?, app.store.teams()?);
        if let Some(shown) = &jury.contests {
            let (mut used, mut members) = (HashSet::new(), HashSet::new());
            for id in shown {
                used.extend(
                    app.store
                        .contest_problems(*id)?
                        .iter()
                        .map(|own| own.problem),
                );
                members.extend(app.store.contest_teams(*id)?.iter().map(|team| team.id));
            }
            problems.retain(|own| used.contains(&own.id));
            teams.retain(|team| members.contains(&team.id));
        }
        let contests = contests
            .into_iter()
            .map(|own| (own.id.to_string(), own.name));
        let problems = problems.into_iter();
        let team = |own: &Team| (own.id.to_string(), own.shown_name().to_owned());
        let languages = app.languages.allowed(None).into_iter();
        let machines = app.store.judging_machines()?.into_iter();
        Ok(Choices {
            contests: options("any", practice.into_iter().chain(contests)),
            problems: options("any", problems.map(|own| (own.id.to_string(), own.ext))),
            teams: teams.iter().map(team).collect(),
            languages: options("any", languages.map(|own| (own.code, own.name))),
            machines: options("any", machines.map(|name| (name.clone(), name))),
            zone,
        })
    }
}

/// The filter that the fields describe, of the contests that the user sees.
pub fn filter(app: &App, jury: &Jury, fields: &Fields) -> Result<SubmissionFilter> {
    let zone = usual_zone(&app.store.contests()?);
    let contest = match fields.get("contest") {
        "practice" => Some(None),
        _ => fields.parse::<ContestId>("contest")?.map(Some),
    };
    Ok(SubmissionFilter {
        before: None,
        submission: fields.parse("submission")?,
        contest,
        contests: jury.contests.clone(),
        problem: fields.parse("problem")?,
        teams: fields.parse_all("team")?,
        user: fields.parse("user")?,
        language: fields.owned("language"),
        verdict: Verdict::from_code(fields.get("verdict")),
        rejected: fields.get("verdict") == REJECTED,
        machine: fields.owned("machine"),
        judged: match fields.get("state") {
            "judged" => Some(true),
            "open" => Some(false),
            _ => None,
        },
        unverified: fields.get("state") == "unverified",
        from_ms: moment(fields, "from", zone)?,
        until_ms: moment(fields, "until", zone)?,
    })
}

/// The fields of the filter, for the list and for a rejudging.
pub fn filter_fields(choices: &Choices, fields: &Fields) -> Markup {
    let codes = Verdict::ALL.iter().map(|verdict| verdict.code().to_owned());
    let rejected = (REJECTED.to_owned(), "any but AC".to_owned());
    let codes = codes.map(|code| (code.clone(), code));
    let verdicts = options("any", iter::once(rejected).chain(codes));
    let time = |name, label: &str| {
        let label = format!("{label} (time in {})", choices.zone);
        moment_field(name, &label, fields.get(name))
    };
    html! {
        div.sides {
            (select("contest", "Contest", &choices.contests, fields.get("contest")))
            (select("problem", "Problem", &choices.problems, fields.get("problem")))
            (select_several("team", "Teams", &choices.teams, &fields.all("team").collect::<Vec<_>>()))
            (select("language", "Language", &choices.languages, fields.get("language")))
            (select("verdict", "Verdict", &verdicts, fields.get("verdict")))
            (select("machine", "Judged by the machine", &choices.machines, fields.get("machine")))
            (time("from", "Submitted from"))
            (time("until", "Submitted before"))
        }
    }
}

/// The address of the list with these fields.
fn address(path: &str, fields: &Fields) -> String {
    let pairs: Vec<String> = NAMES
        .iter()
        .flat_map(|name| fields.all(name).map(move |value| (name, value)))
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name}={}", encoded(value)))
        .collect();
    format!("{path}?{}", pairs.join("&"))
}

/// `GET /jury/submissions`
pub fn list(app: &App, (jury, fields): (Jury, Fields)) -> PageResult {
    let shown = filter(app, &jury, &fields)?;
    let page_number: usize = fields.parse("page")?.unwrap_or(1).max(1);
    let skip = (page_number - 1).saturating_mul(PAGE);
    let rows = app.store.review(&shown, skip, PAGE)?;
    let count = app.store.review_count(&shown)?;
    let choices = Choices::read(app, &jury)?;
    let contests = app.store.contests()?.into_iter();
    let contests: HashMap<ContestId, Contest> = contests.map(|own| (own.id, own)).collect();
    let states = [
        ("", "any"),
        ("judged", "judged"),
        ("open", "not judged yet"),
        ("unverified", "waits for verification"),
    ];
    let table = Table::new("Submissions", &rows)
        .column("Submission", |row| {
            link("/jury/submissions/", row.id, row.id)
        })
        .column("Verdict", |row| {
            html! {
                (verdict(row.state, row.verdict))
                @if let Some(score) = row.score { " " (score) }
                @if row.unverified { " " span.quiet { "not verified" } }
            }
        })
        .column("Problem", |row| {
            html! { @if let Some(label) = &row.label { (label) " " } (row.problem.1) }
        })
        .column("Team or user", |row| html! { span.who { (row.who()) } })
        .column("Language", |row| &row.language)
        .column("Time", |row| seconds(row.max_cpu_s))
        .column("Memory", |row| memory(row.max_memory))
        .column("Contest time", |row| {
            let contest = row.contest.as_ref().and_then(|(id, _)| contests.get(id));
            contest_time(contest, row.time_ms)
        })
        .column("Submitted", |row| date(row.time_ms))
        .column("Contest", |row| {
            html! { span.who { (row.contest.as_ref().map_or("practice", |(_, name)| name)) } }
        });
    let own = address("/jury/submissions", &fields);
    let body = html! {
        details open[own.len() > "/jury/submissions?".len()] {
            summary { "Filter" }
            form method="get" action="/jury/submissions" {
                (filter_fields(&choices, &fields))
                (select("state", "State", &states, fields.get("state")))
                button.primary { "Show" }
                " " a href="/jury/submissions" { "Show all" }
            }
        }
        (region("submissions", "judging", &html! {
            p {
                (plural(count, "submission")) ". "
                @if jury.may(Action::Judge) {
                    a href=(address("/jury/rejudgings/new", &fields)) { "Judge these again" }
                }
            }
            (table)
        }))
        (pagination(page_number, count.div_ceil(PAGE), |page| format!("{own}&page={page}")))
    };
    let area = "/jury/submissions";
    Ok(page(&jury.caller, area, "Submissions", &body))
}
