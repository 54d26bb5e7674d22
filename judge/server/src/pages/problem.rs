//! A problem: statement, samples, limits, a form to submit, own submissions.

use super::contest::navigation;
use super::page;
use super::parts::submission_table;
use super::problem_files::text;
use super::problem_place::ProblemPlace;
use super::submit_form;
use crate::http::{App, Caller, Fields, PageResult, Result};
use crate::layout::copyable;
use crate::statement::Text;
use axum::extract::Path;
use judge_statement::{Conversation, Rendered, Sample};
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;

pub fn for_practice(
    app: &App,
    (caller, Path(ext), fields): (Caller, Path<String>, Fields),
) -> PageResult {
    let place = ProblemPlace::practice(app, &caller, &ext)?;
    shown(app, &caller, &place, fields.optional("language"))
}

pub fn in_contest(
    app: &App,
    (caller, Path((contest, label)), fields): (Caller, Path<(String, String)>, Fields),
) -> PageResult {
    let place = ProblemPlace::contest(app, &caller, &contest, &label)?;
    shown(app, &caller, &place, fields.optional("language"))
}

fn shown(
    app: &App,
    caller: &Caller,
    place: &ProblemPlace<'_>,
    language: Option<&str>,
) -> Result<Markup> {
    let text = text(app, &place.problem)?;
    let own = place.own(app, caller)?;
    let version = &place.problem.version;
    let (section, title) = match &place.contest {
        None => ("/problems", version.name.clone()),
        Some((_, own)) => ("/contests", format!("{} {}", own.label, version.name)),
    };
    let body = html! {
        @if let Some((view, _)) = &place.contest { (navigation(view, "")?) }
        (text.limits(version))
        (statement(&text, &place.problem.ext, language))
        @for conversation in &text.samples.conversations { (shown_conversation(conversation)) }
        (samples(&text.samples.files, text.interactive))
        @if !text.attachments.is_empty() {
            h2 { "Files" }
            ul {
                @for name in text.attachments.keys() {
                    li { a href={ "/problems/" (place.problem.ext) "/attachments/" (name) } { (name) } }
                }
            }
        }
        h2 #submit { "Submit" }
        @match place.closed(caller) {
            Some(why) => (why),
            None => (submit_form::form(app, caller, place)?),
        }
        @if !own.is_empty() {
            h2 { "Your last submissions" }
            (submission_table(app, "Your last submissions of this problem", &own))
            p { a href={ "/submissions?problem=" (place.problem.id) } { "All of them" } }
        }
    };
    Ok(page(caller, section, &title, &body))
}

fn statement(text: &Arc<Text>, ext: &str, language: Option<&str>) -> Markup {
    let Some(found) = text.statement(language) else {
        return html! { p { "The package has no statement." } };
    };
    let all = text.languages();
    let document = |language: &str| format!("/problems/{ext}/statement/{language}");
    html! {
        @if all.len() > 1 {
            nav aria-label="Languages of the statement" {
                ul {
                    @for other in &all {
                        @let current = (other.language == found.language).then_some("true");
                        li {
                            a href={ "?language=" (other.language) } lang=(other.language)
                                hreflang=(other.language) aria-current=[current] { (other.language) }
                        }
                    }
                }
            }
        }
        @if let Rendered::Html(content) = &found.content {
            div.statement lang=(found.language) { (PreEscaped(content)) }
        }
        @for other in &text.statements {
            @if matches!(other.content, Rendered::Pdf(_)) && other.language == found.language {
                p { a href=(document(&other.language)) { "Statement as PDF" } }
                @if matches!(found.content, Rendered::Pdf(_)) {
                    iframe.pdf src=(document(&other.language)) title="Statement as PDF" loading="lazy" {}
                }
            }
        }
    }
}

fn shown_conversation(conversation: &Conversation) -> Markup {
    html! {
        section {
            h2 { "Sample interaction " (conversation.name) }
            table.conversation {
                thead { tr { th scope="col" { "Read" } th scope="col" { "Written" } } }
                tbody {
                    @for turn in conversation.turns() {
                        tr {
                            @if turn.is_written { td {} }
                            td { pre translate="no" { "\n" (turn.text) } }
                            @if !turn.is_written { td {} }
                        }
                    }
                }
            }
            @if conversation.cut { p.quiet { "Only the beginning is shown." } }
        }
    }
}

fn samples(samples: &[Sample], interactive: bool) -> Markup {
    html! {
        @for (number, sample) in (1..).zip(samples) {
            section {
                h2 { "Sample " (sample.name) }
                @if interactive { p { "The answer shows a possible conversation." } }
                div.sides {
                    div {
                        h3 { "Input" }
                        (copyable(&format!("sample-{number}-input"), &format!("input of sample {}", sample.name), &sample.input))
                    }
                    @if let Some(answer) = &sample.answer {
                        div {
                            h3 { "Output" }
                            (copyable(&format!("sample-{number}-output"), &format!("output of sample {}", sample.name), answer))
                        }
                    }
                }
                @if sample.cut { p.quiet { "Only the beginning is shown." } }
            }
        }
    }
}
