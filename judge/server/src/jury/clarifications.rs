//! Clarifications: questions that wait for an answer, answers, announcements, and notes that only the jury sees.

use super::contests::{PREPARED_ANSWERS, by_ext, length_text};
use super::frame::{csrf, date, link, options, page, select};
use crate::access::Action;
use crate::http::{App, Caller, Fields, Form, Jury, PageResult, Result, bad_request, not_found};
use crate::layout::{Table, input, region};
use crate::notices::Notice;
use crate::pages::clarifications::{quote_box, quoted};
use crate::pages::subject::{Subject, subjects};
use crate::store::{
    Clarification, ClarificationId, ClarificationNote, Contest, ContestProblem, NewClarification,
    Team,
};
use axum::extract::Path;
use axum::response::Redirect;
use maud::{Markup, Render, html};
use std::collections::HashSet;

/// Maximum bytes of a text.
const MAX_TEXT: usize = 16 << 10;

/// The area of these pages.
const AREA: &str = "/jury/clarifications";

/// `GET /jury/clarifications`: the contests, and how many questions wait in each.
pub fn contests(app: &App, jury: Jury) -> PageResult {
    let with_all = |contest: Contest| Ok((app.store.clarifications(contest.id)?, contest));
    let contests = app.store.contests()?.into_iter();
    let contests = contests
        .filter(|contest| jury.shows(contest.id))
        .map(with_all);
    let contests = contests.collect::<Result<Vec<_>>>()?;
    let table = Table::new("Clarifications by contest", &contests)
        .column("Contest", |(_, contest)| {
            link("/jury/clarifications/", &contest.ext, &contest.name)
        })
        .column("Unanswered", |(all, _)| open(all).len())
        .column("All", |(all, _)| all.len());
    let body = region("contests", "clarifications", &table.render());
    Ok(page(&jury.caller, AREA, "Clarifications", &body))
}

/// The questions of teams that have no answer.
fn open(all: &[Clarification]) -> Vec<&Clarification> {
    let answered: HashSet<ClarificationId> = all.iter().filter_map(|one| one.reply_to).collect();
    let questions = all.iter().filter(|one| one.from_team.is_some());
    questions
        .filter(|one| !answered.contains(&one.id))
        .collect()
}

struct ClarificationPage<'a> {
    caller: &'a Caller,
    /// The caller may answer and write.
    answers: bool,
    contest: &'a Contest,
    problems: Vec<ContestProblem>,
    teams: Vec<Team>,
    all: Vec<Clarification>,
    notes: Vec<ClarificationNote>,
    subjects: Vec<(String, String)>,
}

/// `GET /jury/clarifications/{contest}`: the filter has `about` (several), `team` and `state`.
pub fn list(app: &App, (jury, Path(ext), fields): (Jury, Path<String>, Fields)) -> PageResult {
    let contest = by_ext(app, &ext)?;
    let problems = app.store.contest_problems(contest.id)?;
    let own = ClarificationPage {
        caller: &jury.caller,
        answers: jury.may(Action::Judge),
        subjects: subjects(&contest, &problems),
        teams: app.store.contest_teams(contest.id)?,
        all: app.store.clarifications(contest.id)?,
        notes: app.store.notes(contest.id)?,
        contest: &contest,
        problems,
    };
    let waiting = open(&own.all);
    let body = html! {
        (region("waiting", "clarifications", &html! {
            h2 { (waiting.len()) " questions wait" }
            @for question in &waiting {
                article.clarification {
                    (own.shown(question))
                    @if own.answers { (own.answer_form(question)) (own.forms(question)) }
                }
            }
        }))
        @if own.answers {
            h2 { "Announce" }
            form method="post" action=(own.address()) {
                (csrf(&jury.caller))
                (select("about", "About", &own.subjects, ""))
                (input("text", "Text for all teams", "textarea", false))
                button.primary { "Send to all teams" }
            }
        }
        h2 #all { "All" }
        (own.filter(&fields))
        (region("all", "clarifications", &own.filtered(&fields, &waiting)))
    };
    let title = format!("Clarifications of {}", contest.name);
    Ok(page(&jury.caller, AREA, &title, &body))
}

/// Whether a clarification passes the filter.
fn passes(fields: &Fields, one: &Clarification, problems: &[ContestProblem], waits: bool) -> bool {
    let subjects: Vec<&str> = fields.all("about").collect();
    let team = fields.optional("team");
    let of = one.from_team.as_ref().or(one.to_team.as_ref());
    let has_team = team.is_none_or(|team| of.is_some_and(|(_, ext)| ext == team));
    let has_state = match fields.get("state") {
        "open" => waits,
        "answered" => one.from_team.is_some() && !waits,
        _ => true,
    };
    let subject = Subject::of(one).value(problems);
    has_team && has_state && (subjects.is_empty() || subjects.contains(&subject.as_str()))
}

impl ClarificationPage<'_> {
    fn address(&self) -> String {
        format!("{AREA}/{}", self.contest.ext)
    }

    fn filter(&self, fields: &Fields) -> Markup {
        let chosen: Vec<&str> = fields.all("about").collect();
        let team = |own: &Team| (own.ext.clone(), own.shown_name().to_owned());
        let teams = options("any", self.teams.iter().map(team));
        let states = [
            ("", "any"),
            ("open", "without an answer"),
            ("answered", "answered"),
        ];
        html! {
            details open[!fields.0.is_empty()] {
                summary { "Filter" }
                form method="get" action={ (self.address()) "#all" } {
                    fieldset {
                        legend { "About" }
                        @for (value, text) in &self.subjects {
                            label.choice {
                                input type="checkbox" name="about" value=(value) checked[chosen.contains(&value.as_str())];
                                " " (text)
                            }
                        }
                    }
                    div.filter {
                        (select("team", "Team", &teams, fields.get("team")))
                        (select("state", "State", &states, fields.get("state")))
                        button.primary { "Show" }
                    }
                    a href=(self.address()) { "Show all" }
                }
            }
        }
    }

    /// The questions and announcements that pass the filter, the latest first, each with the answers to it.
    fn filtered(&self, fields: &Fields, waiting: &[&Clarification]) -> Markup {
        let shown: Vec<&Clarification> = self
            .all
            .iter()
            .rev()
            .filter(|one| !self.is_below_another(one))
            .filter(|one| {
                let waits = waiting.iter().any(|other| other.id == one.id);
                passes(fields, one, &self.problems, waits)
            })
            .collect();
        html! {
            @for one in &shown {
                @let waits = waiting.iter().any(|other| other.id == one.id);
                article.clarification {
                    (self.shown(one))
                    @if self.answers && one.from_team.is_some() && !waits {
                        details { summary { "Answer again" } (self.answer_form(one)) }
                        (self.forms(one))
                    }
                }
            }
            @if shown.is_empty() && self.all.is_empty() { p { "There is none yet." } }
            @else if shown.is_empty() { p { "None passes the filter." } }
        }
    }

    /// Whether it is shown below the clarification that it answers.
    fn is_below_another(&self, one: &Clarification) -> bool {
        let other = self.all.iter().find(|other| Some(other.id) == one.reply_to);
        other.is_some_and(|other| other.reply_to.is_none())
    }

    fn answers_to(&self, one: &Clarification) -> impl Iterator<Item = &Clarification> {
        let id = one.id;
        self.all.iter().filter(move |own| own.reply_to == Some(id))
    }

    /// A clarification with the answers to it and the notes on it.
    fn shown(&self, one: &Clarification) -> Markup {
        let answers: Vec<_> = self.answers_to(one).collect();
        let notes = self.notes.iter().filter(|own| own.clarification == one.id);
        html! {
            p.quiet { (self.heading(one, !answers.is_empty())) }
            p.text { (one.text) }
            @for answer in &answers {
                blockquote {
                    p.quiet { (self.heading(answer, true)) }
                    p.text { (answer.text) }
                }
            }
            @for note in notes {
                p.note {
                    strong { "Note" @if let Some(by) = &note.by { " of " (by) } ": " }
                    span.text { (note.text) } " " span.quiet { (date(note.time_ms)) }
                }
            }
        }
    }

    /// Number, time, sender, receiver and subject.
    fn heading(&self, one: &Clarification, is_answered: bool) -> Markup {
        let team = |team: &Option<(_, String)>, none: &str| {
            let named = |ext: &str| self.teams.iter().find(|own| own.ext == ext);
            let name = |ext: &str| {
                named(ext).map_or_else(|| ext.to_owned(), |own| own.shown_name().to_owned())
            };
            team.as_ref().map_or(none.to_owned(), |(_, ext)| name(ext))
        };
        let to = match one.from_team.is_some() {
            true => "the jury",
            false => "all teams",
        };
        let time = self.contest.contest_time_at(one.time_ms);
        html! {
            "No. " (one.id) ", " (date(one.time_ms))
            @if let Some(time) = time { " (contest time " (length_text(time)) ")" }
            ", " (team(&one.from_team, "the jury")) " to " (team(&one.to_team, to)) ", about "
            strong { (Subject::of(one).text(&self.problems)) }
            @if one.from_team.is_some() { @if is_answered { ", answered" } @else { ", not answered" } }
        }
    }

    fn answer_form(&self, question: &Clarification) -> Markup {
        let prepared: Vec<&str> = match &self.contest.prepared_answers {
            Some(own) => own.0.iter().map(String::as_str).collect(),
            None => PREPARED_ANSWERS.to_vec(),
        };
        let id = question.id;
        html! {
            form method="post" action={ (self.address()) "/" (id) "/answer" } {
                (csrf(self.caller))
                input type="hidden" name="answers" value=(self.answers_to(question).count());
                div.field {
                    label for={ "canned-" (id) } { "Prepared answer" }
                    select #{ "canned-" (id) } name="canned" {
                        option value="" { "none" }
                        @for text in &prepared { option { (text) } }
                    }
                }
                div.field {
                    label for={ "text-" (id) } { "or your own" }
                    textarea.short #{ "text-" (id) } name="text" {}
                }
                (quote_box())
                button.primary name="to" value="team" { "Answer the team" }
                " " button name="to" value="all" { "Answer all teams" }
            }
        }
    }

    /// The forms to change the subject of a question, and to add a note to it.
    fn forms(&self, question: &Clarification) -> Markup {
        let (id, now) = (question.id, Subject::of(question).value(&self.problems));
        html! {
            details {
                summary { "Note of the jury, or another subject" }
                form method="post" action={ (self.address()) "/" (id) "/note" } {
                    (csrf(self.caller))
                    div.field {
                        label for={ "note-" (id) } { "Note, which only the jury sees" }
                        textarea.short #{ "note-" (id) } name="text" rows="2" required {}
                    }
                    button { "Add the note" }
                }
                form method="post" action={ (self.address()) "/" (id) "/about" } {
                    (csrf(self.caller))
                    div.field {
                        label for={ "about-" (id) } { "About" }
                        select #{ "about-" (id) } name="about" {
                            @for (value, text) in &self.subjects {
                                option value=(value) selected[*value == now] { (text) }
                            }
                        }
                    }
                    button { "Change the subject" }
                }
            }
        }
    }
}

/// The text of an answer, an announcement or a note: the typed text, else the prepared one.
fn text(fields: &Fields) -> Result<String> {
    let own = fields.optional("text").or(fields.optional("canned"));
    let text = own.ok_or_else(|| bad_request("write a text"))?;
    match text.len() <= MAX_TEXT {
        true => Ok(text.replace("\r\n", "\n")),
        false => Err(bad_request(format!(
            "the text has more than {MAX_TEXT} bytes"
        ))),
    }
}

/// The contest and a question of a team in it.
fn question_of(app: &App, ext: &str, id: ClarificationId) -> Result<(Contest, Clarification)> {
    let contest = by_ext(app, ext)?;
    let question = app.store.clarification(id)?;
    match question.contest == contest.id && question.from_team.is_some() {
        true => Ok((contest, question)),
        false => Err(not_found(format!("no question {id} in {ext}"))),
    }
}

type OfQuestion = (Path<(String, ClarificationId)>, Form<Jury>);

fn to_list(ext: &str) -> Redirect {
    Redirect::to(&format!("{AREA}/{ext}"))
}

/// `POST /jury/clarifications/{contest}/{id}/answer`: `to` is `team` or `all`; `text` or `canned`; `quote` puts the question
/// above the answer; `answers`: how many the question had when the page was loaded.
pub fn answer(app: &App, (Path((ext, id)), form): OfQuestion) -> Result<Redirect> {
    let (contest, question) = question_of(app, &ext, id)?;
    let fields = &form.fields;
    let to_team = match fields.get("to") {
        "all" => None,
        _ => question.from_team.as_ref().map(|(team, _)| *team),
    };
    let text = text(fields)?;
    let Subject { problem, category } = Subject::of(&question);
    app.store.add_clarification(&NewClarification {
        contest: contest.id,
        problem,
        category,
        from_team: None,
        to_team,
        reply_to: Some(id),
        text: match fields.ticked("quote") {
            true => quoted(&question.text, &text),
            false => text,
        },
        author: Some(form.by.user.id),
        once: true,
        answers: fields.parse("answers")?,
        ..NewClarification::default()
    })?;
    Ok(to_list(&ext))
}

/// `POST /jury/clarifications/{contest}/{id}/note`: `text`.
pub fn add_note(app: &App, (Path((ext, id)), form): OfQuestion) -> Result<Redirect> {
    let (_, question) = question_of(app, &ext, id)?;
    app.store
        .add_note(question.id, form.by.user.id, &text(&form.fields)?)?;
    app.notices().send(Notice::Note);
    Ok(to_list(&ext))
}

fn subject(app: &App, contest: &Contest, fields: &Fields) -> Result<Subject> {
    let problems = app.store.contest_problems(contest.id)?;
    Subject::read(contest, &problems, fields.get("about"))
}

/// `POST /jury/clarifications/{contest}/{id}/about`: `about`.
pub fn change_subject(app: &App, (Path((ext, id)), form): OfQuestion) -> Result<Redirect> {
    let (contest, question) = question_of(app, &ext, id)?;
    let Subject { problem, category } = subject(app, &contest, &form.fields)?;
    app.store
        .set_subject(question.id, problem, category.as_deref())?;
    Ok(to_list(&ext))
}

/// `POST /jury/clarifications/{contest}`: an announcement; `about` and `text`.
pub fn announce(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Redirect> {
    let contest = by_ext(app, &ext)?;
    let Subject { problem, category } = subject(app, &contest, &form.fields)?;
    app.store.add_clarification(&NewClarification {
        contest: contest.id,
        problem,
        category,
        text: text(&form.fields)?,
        author: Some(form.by.user.id),
        once: true,
        ..NewClarification::default()
    })?;
    Ok(to_list(&ext))
}
