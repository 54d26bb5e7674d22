//! Verification of a result by a judge.

use super::frame::{button, csrf, date};
use crate::access::Action;
use crate::http::{App, Form, Jury, Result, bad_request};
use crate::layout::input;
use crate::store::{Contest, Judging, JudgingId, JudgingState, SubmissionId};
use axum::extract::Path;
use axum::response::Redirect;
use maud::{Markup, html};

/// The verification of the judging that counts, and the form to verify it or to take that back. `by`: the name of the judge.
pub fn form(jury: &Jury, contest: Option<&Contest>, judging: &Judging, by: Option<&str>) -> Markup {
    let action = format!("/jury/submissions/{}/verification", judging.submission);
    let id = judging.id.to_string();
    let (caller, judges) = (&jury.caller, jury.may(Action::Judge));
    let is_demanded = contest.is_some_and(|contest| contest.verification);
    html! {
        @match judging.verified_ms {
            Some(ms) => {
                p.notice {
                    "Verified" @if let Some(by) = by { " by " (by) } ", " (date(ms))
                    @if let Some(comment) = &judging.verification_comment { ": " (comment) }
                }
                @if judges {
                    (button(caller, &action, "Take the verification back", &[("do", "withdraw"), ("judging", &id)]))
                }
            }
            None if is_demanded && judging.state == JudgingState::Done => {
                p.notice { "This result waits for verification: teams and spectators do not see it yet." }
                @if judges {
                    form method="post" action=(action) {
                        (csrf(caller))
                        input type="hidden" name="do" value="verify";
                        input type="hidden" name="judging" value=(id);
                        (input("verification", "Comment", "text", false))
                        button.primary { "Verify the result" }
                    }
                }
                p { a href="/jury/submissions?state=unverified" { "All that wait for verification" } }
            }
            None => {}
        }
    }
}

/// `POST /jury/submissions/{id}/verification`: `judging`; `do`: `verify`, with the comment `verification`, or `withdraw`.
pub fn change(app: &App, (Path(id), form): (Path<SubmissionId>, Form<Jury>)) -> Result<Redirect> {
    let judging: Option<JudgingId> = form.fields.parse("judging")?;
    let judging = judging.ok_or_else(|| bad_request("name the judging"))?;
    if app.store.judging(judging)?.submission != id {
        return Err(bad_request("the judging is of another submission"));
    }
    match form.fields.get("do") {
        "verify" => {
            let comment = form.fields.optional("verification");
            app.store.verify(judging, form.by.user.id, comment)?;
        }
        "withdraw" => app.store.withdraw_verification(judging)?,
        other => {
            let what = format!("{other:?} is no change; it can be `verify` or `withdraw`");
            return Err(bad_request(what));
        }
    }
    Ok(Redirect::to(&format!("/jury/submissions/{id}")))
}
