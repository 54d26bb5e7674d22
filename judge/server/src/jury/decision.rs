//! Decisions of the jury about a submission: a verdict by hand, and whether it counts.

use super::frame::{button, csrf, options, select};
use crate::http::auth::by_password;
use crate::http::{App, Caller, Form, Jury, Result, bad_request, forbidden};
use crate::layout::input;
use crate::store::{Submission, SubmissionId};
use axum::extract::Path;
use axum::response::Redirect;
use judge_core::verdict::Verdict;
use maud::{Markup, html};

/// Says that a submission does not count.
pub fn notice(submission: &Submission) -> Markup {
    html! {
        @if submission.ignored { p.notice { "This submission is ignored: it is not on the scoreboard." } }
    }
}

/// The forms on the page of a submission.
pub fn forms(caller: &Caller, submission: &Submission) -> Markup {
    let own = format!("/jury/submissions/{}", submission.id);
    let codes = Verdict::ALL.iter().map(|verdict| verdict.code().to_owned());
    let verdicts = options("choose", codes.map(|code| (code.clone(), code)));
    let (text, value) = match submission.ignored {
        true => ("Let it count again", ""),
        false => ("Ignore it on the scoreboard", "1"),
    };
    html! {
        (button(caller, &format!("{own}/ignored"), text, &[("ignored", value)]))
        details {
            summary { "Set the verdict by hand" }
            form method="post" action={ (own) "/verdict" } {
                (csrf(caller))
                (select("verdict", "Verdict", &verdicts, ""))
                (input("comment", "Why; the list of rejudgings shows it with your name", "text", true))
                (input("password", "Your password", "password", true))
                button { "Set the verdict" }
            }
        }
    }
}

/// `POST /jury/submissions/{id}/ignored`: the field `ignored` is empty to let it count.
pub fn set_ignored(
    app: &App,
    (Path(id), form): (Path<SubmissionId>, Form<Jury>),
) -> Result<Redirect> {
    app.store.set_ignored(id, form.fields.ticked("ignored"))?;
    Ok(Redirect::to(&format!("/jury/submissions/{id}")))
}

/// `POST /jury/submissions/{id}/verdict`: `verdict`, `comment` and `password` of the user. The password is asked for each time, as
/// the ICPC requires.
pub fn set_verdict(
    app: &App,
    (Path(id), form): (Path<SubmissionId>, Form<Jury>),
) -> Result<Redirect> {
    let Jury { caller, user, .. } = &form.by;
    let verdict = Verdict::from_code(form.fields.get("verdict"));
    let verdict = verdict.ok_or_else(|| bad_request("choose a verdict"))?;
    let comment = form.fields.required("comment", "Why")?;
    if user.password_hash.is_none() {
        return Err(forbidden(
            "set a password on the page of your account first",
        ));
    }
    let password = form.fields.text("password");
    if by_password(app, caller.address, &user.name, password)?.is_none() {
        return Err(forbidden("this is not your password"));
    }
    let comment = format!("verdict of submission {id} by {}: {comment}", user.name);
    app.store.set_verdict(id, verdict, &comment, user.id)?;
    tracing::info!(submission = id.0, verdict = verdict.code(), "{comment}");
    Ok(Redirect::to(&format!("/jury/submissions/{id}")))
}
