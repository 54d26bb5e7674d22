//! Contests: the list, and adding and editing one.

use super::frame::{
    checkbox, csrf, date_of, filled, link, moment_field, new_id, page, select, was,
};
use super::length;
use super::reveal::ask_to_reveal;
use crate::contest_api::RelTime;
use crate::http::{
    App, Caller, Fields, Form, HttpError, Jury, PageResult, Result, bad_request, not_found,
};
use crate::layout::Table;
use crate::store::{Contest, Feedback, Scoring, Texts, now_ms};
use crate::zone;
use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use chrono_tz::Tz;
use maud::{Markup, html};

/// Prepared answers of contests that have no others.
pub const PREPARED_ANSWERS: [&str; 7] = [
    "No comment, read problem statement.",
    "This will be answered during the answers to questions session.",
    "No comment.",
    "Read the problem statement.",
    "Yes.",
    "No.",
    "This is not a question that can be answered with yes or no.",
];

/// `GET /jury/contests`
pub fn list(app: &App, jury: Jury) -> PageResult {
    let contests = app.store.contests()?;
    let table = Table::new("Contests", &contests)
        .column("Contest", |own| {
            link("/jury/contests/", &own.ext, &own.name)
        })
        .column("Id", |own| &own.ext)
        .column("Start", |own| {
            own.start_ms
                .map_or(html! { "not set" }, |ms| date_of(own, ms))
        })
        .column("Length", |own| length_text(own.duration_ms))
        .column("State", |own| phase(own, now_ms()));
    let body = html! {
        (table)
        p { a href="/jury/import" { "Import from files" } }
        h2 { "New contest" }
        (form(&jury.caller, "/jury/contests", None, usual_zone(&contests)))
    };
    Ok(page(&jury.caller, "/jury/contests", "Contests", &body))
}

/// The phase of the contest, as the jury reads it.
pub fn phase(contest: &Contest, now: i64) -> &'static str {
    let past = |mark: Option<i64>| mark.is_some_and(|mark| mark <= now);
    match contest {
        contest if past(contest.finalized_ms) => "final",
        contest if past(contest.thawed_ms) => "over, results shown",
        contest if past(contest.end_ms()) => "over",
        contest if past(contest.freezes_ms()) => "running, frozen",
        contest if contest.has_started(now) => "running",
        _ => "not started",
    }
}

/// The zone for times that belong to no contest: that of the contest that was added last, or of this machine.
pub fn usual_zone(contests: &[Contest]) -> Tz {
    let last = contests.iter().max_by_key(|own| own.id);
    last.map_or_else(zone::of_machine, Contest::tz)
}

/// A duration as `h:mm:ss`.
pub fn length_text(ms: i64) -> String {
    RelTime::from_millis(ms).without_fraction()
}

/// The time that a field has, in this zone unless it names another one.
pub fn moment(fields: &Fields, name: &str, zone: Tz) -> Result<Option<i64>> {
    let read = |text| zone::read(zone, text).map_err(bad_request);
    fields.optional(name).map(read).transpose()
}

/// The contest with this id. Blocks.
/// Fails with `NotFound` if there is none.
pub fn by_ext(app: &App, ext: &str) -> Result<Contest> {
    let gone = || not_found(format!("no contest {ext}"));
    app.store.contest_by_ext(ext)?.ok_or_else(gone)
}

/// The values of the fields of a contest's settings.
fn values(contest: &Contest) -> Vec<(&'static str, String)> {
    let zone = contest.tz();
    let start = contest.start_ms.map(|ms| zone::field_text(zone, ms));
    let freeze = contest.freeze_ms.map(length_text);
    let formal_name = contest.formal_name.clone();
    let feedback = contest.feedback.map_or("", Feedback::word);
    let prepared = match &contest.prepared_answers {
        Some(own) => own.0.join("\n"),
        None => PREPARED_ANSWERS.join("\n"),
    };
    let ticked = |value: bool| if value { "1" } else { "" };
    vec![
        ("name", contest.name.clone()),
        ("formal_name", formal_name.unwrap_or_default()),
        ("start", start.unwrap_or_default()),
        ("zone", zone.name().to_owned()),
        ("duration", length_text(contest.duration_ms)),
        ("freeze", freeze.unwrap_or_default()),
        ("scoring", contest.scoring.word().to_owned()),
        ("feedback", feedback.to_owned()),
        ("penalty", (contest.penalty_ms / 60_000).to_string()),
        ("more_bronze", contest.more_bronze.to_string()),
        ("public", ticked(contest.public).to_owned()),
        ("verification", ticked(contest.verification).to_owned()),
        ("icpc_verdicts", ticked(contest.icpc_verdicts).to_owned()),
        ("categories", contest.clarification_categories.0.join("\n")),
        ("prepared", prepared),
    ]
}

/// The settings of a contest, or of a new one. The id of a contest does not change.
pub fn form(caller: &Caller, action: &str, contest: Option<&Contest>, usual: Tz) -> Markup {
    let zone = contest.map_or(usual, Contest::tz);
    let new = || Contest {
        duration_ms: 5 * 3_600_000,
        freeze_ms: Some(3_600_000),
        penalty_ms: 20 * 60_000,
        public: true,
        zone: Some(usual.name().to_owned()),
        ..Contest::default()
    };
    let values = contest.map_or_else(|| values(&new()), values);
    let value = |name: &str| {
        let found = values.iter().find(|(own, _)| *own == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let scorings = [
        ("icpc", "problems solved, then time with penalties"),
        ("points", "points"),
    ];
    let feedbacks = [
        ("", "as usual for its scoring"),
        ("full", "verdict, score, all cases"),
        ("score", "verdict, score, samples"),
        ("samples", "samples; all at the end"),
    ];
    let text = |name, label, required| filled(name, label, "text", value(name), required);
    html! {
        form method="post" action=(action) {
            (csrf(caller))
            @if contest.is_some() { (was(&values)) }
            @else { (filled("id", "Id (in addresses: letters, digits and _.-)", "text", "", true)) }
            (text("name", "Name", true))
            (text("formal_name", "Full name", false))
            (moment_field("start", &format!("Start (time in {zone}); empty: not set"), value("start")))
            div.field {
                label for="zone" { "Time zone of the times in this form" }
                input #zone name="zone" list="zones" value=(value("zone")) autocomplete="off";
                datalist #zones { @for name in zone::names() { option value=(name) {} } }
            }
            (text("duration", "Length, such as 5:00:00, 5 h or 300 min", true))
            (text("freeze", "The scoreboard is frozen for the last, such as 1 h; empty: never", false))
            (select("scoring", "Ranked by", &scorings, value("scoring")))
            (select("feedback", "Teams see of their results", &feedbacks, value("feedback")))
            (text("penalty", "Penalty for a wrong submission, in minutes", true))
            (filled("more_bronze", "Bronze medals in addition to four", "number", value("more_bronze"), false))
            (checkbox("public", "Visible to everybody, not only to its teams", !value("public").is_empty()))
            (checkbox("verification", "Teams and spectators see a result when a judge has verified it", !value("verification").is_empty()))
            (checkbox("icpc_verdicts", "Only the verdicts of the ICPC: RTE for MLE, WA for OLE and PE, from now on", !value("icpc_verdicts").is_empty()))
            (lines_field("categories", "Categories of questions besides the problems, one in each line, such as Operations or SysOps", value("categories")))
            (lines_field("prepared", "Prepared answers to questions, one in each line", value("prepared")))
            button.primary { @if contest.is_some() { "Save" } @else { "Add" } }
        }
    }
}

/// A field for texts, one in each line.
fn lines_field(name: &str, label: &str, value: &str) -> Markup {
    html! {
        div.field {
            label for=(name) { (label) }
            textarea.short #(name) name=(name) rows="3" { (value) }
        }
    }
}

/// The texts of a field for several, each once.
fn lines(fields: &Fields, name: &str) -> Texts {
    let mut lines: Vec<String> = Vec::new();
    let sent = fields.get(name).lines().map(str::trim);
    for line in sent.filter(|line| !line.is_empty()) {
        if !lines.iter().any(|other| other == line) {
            lines.push(line.to_owned());
        }
    }
    Texts(lines)
}

/// The prepared answers; `None`: the usual ones.
fn prepared_answers(fields: &Fields) -> Option<Texts> {
    let Texts(own) = lines(fields, "prepared");
    Some(own)
        .filter(|own| !own.is_empty() && *own != PREPARED_ANSWERS)
        .map(Texts)
}

/// A length of time; `None`: the field is empty.
fn duration(fields: &Fields, name: &str, label: &str) -> Result<Option<i64>> {
    let Some(text) = fields.optional(name) else {
        return Ok(None);
    };
    let wrong = || bad_request(format!("{label}: {text:?} is no length; {}", length::FORMS));
    length::read(text).map(Some).ok_or_else(wrong)
}

/// The penalty of a wrong submission: minutes, or a length with its unit.
fn penalty(fields: &Fields) -> Result<i64> {
    let text = fields.optional("penalty").unwrap_or("20");
    let minutes = text
        .parse()
        .ok()
        .map(|minutes: u32| i64::from(minutes) * 60_000);
    let penalty = minutes.or_else(|| length::read(text));
    let wrong = || {
        bad_request(format!(
            "Penalty: {text:?} is not a number of minutes, such as 20"
        ))
    };
    penalty.filter(|ms| *ms <= 60_000_000_000).ok_or_else(wrong)
}

fn more_bronze(fields: &Fields) -> Result<i64> {
    let count: i64 = fields.parse("more_bronze")?.unwrap_or(0);
    match (0..=1000).contains(&count) {
        true => Ok(count),
        false => Err(bad_request("0 to 1000 bronze medals can be added")),
    }
}

/// The contest that the form describes; what the form lacks is taken from `before`.
fn contest_of_form(fields: &Fields, ext: String, before: Option<&Contest>) -> Result<Contest> {
    // A program may leave it out.
    let zone = match fields.optional("zone") {
        Some(name) => zone::named(Some(name)).map_err(bad_request)?,
        None => before.map_or(Tz::UTC, Contest::tz),
    };
    // Forms have whole seconds.
    let start = moment(fields, "start", zone)?;
    let same =
        |own: &i64| start.is_some_and(|start| own.div_euclid(1000) == start.div_euclid(1000));
    let kept = before.and_then(|before| before.start_ms).filter(same);
    let milliseconds = |name, label, kept: Option<i64>| {
        let sent = duration(fields, name, label)?;
        Ok::<_, HttpError>(match (sent, kept) {
            (Some(sent), Some(kept)) if kept.div_euclid(1000) * 1000 == sent => Some(kept),
            _ => sent,
        })
    };
    Ok(Contest {
        ext,
        name: fields.required("name", "Name")?.to_owned(),
        formal_name: fields.owned("formal_name"),
        start_ms: kept.or(start),
        duration_ms: milliseconds("duration", "Length", before.map(|own| own.duration_ms))?
            .unwrap_or(0),
        freeze_ms: milliseconds("freeze", "Freeze", before.and_then(|own| own.freeze_ms))?,
        scoring: match fields.optional("scoring") {
            Some(word) => Scoring::from_word(word)
                .ok_or_else(|| bad_request(format!("{word:?} is not icpc or points")))?,
            None => Scoring::Icpc,
        },
        penalty_ms: penalty(fields)?,
        public: fields.ticked("public"),
        more_bronze: more_bronze(fields)?,
        verification: fields.ticked("verification"),
        icpc_verdicts: fields.ticked("icpc_verdicts"),
        clarification_categories: lines(fields, "categories"),
        prepared_answers: prepared_answers(fields),
        feedback: Feedback::from_word(fields.get("feedback")),
        zone: Some(zone.name().to_owned()).filter(|_| zone != Tz::UTC),
        ..before.cloned().unwrap_or_default()
    })
}

/// `POST /jury/contests`
pub fn add(app: &App, form: Form<Jury>) -> Result<Redirect> {
    let id = new_id(&form.fields)?;
    app.store
        .add_contest(&contest_of_form(&form.fields, id.clone(), None)?)?;
    Ok(Redirect::to(&format!("/jury/contests/{id}")))
}

/// `POST /jury/contests/{contest}`
pub fn save(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Response> {
    let before = by_ext(app, &ext)?;
    let fields = form.fields.merged(&values(&before))?;
    let new = contest_of_form(&fields, ext.clone(), Some(&before))?;
    let address = format!("/jury/contests/{ext}");
    if let Some(page) = ask_to_reveal(app, &form, &before, &new, &address)? {
        return Ok(page);
    }
    app.store.replace_contest(&before, &new)?;
    Ok(Redirect::to(&address).into_response())
}
