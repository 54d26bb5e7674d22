//! Deleting users, teams, contests and packages, after a page that names everything that is lost.

use super::frame::{Question, asked, plural};
use crate::http::{App, Form, Jury, Result};
use crate::store::{Lost, Removable};
use axum::response::{IntoResponse, Redirect, Response};
use std::fmt::Display;

/// Deletes an object that the form confirms, and goes to its area; otherwise asks. `id` names the object in its address.
pub fn remove(
    app: &App,
    form: &Form<Jury>,
    object: Removable,
    id: impl Display,
    title: &str,
) -> Result<Response> {
    let (area, has_page) = match object {
        Removable::User(_) => ("/jury/users", false),
        Removable::Team(_) => ("/jury/teams", true),
        Removable::Contest(_) => ("/jury/contests", true),
        Removable::Problem(_) => ("/jury/packages", true),
    };
    let address = format!("{area}/{id}");
    let question = Question {
        action: &format!("{address}/delete"),
        changes: consequences(object, &app.store.lost_with(object)?),
        button: "Delete",
        back: if has_page { &address } else { area },
    };
    if let Some(page) = asked(form, area, title, &question) {
        return Ok(page);
    }
    app.store.delete(object)?;
    Ok(Redirect::to(area).into_response())
}

/// A sentence for each kind of thing that is lost.
fn consequences(object: Removable, lost: &Lost) -> Vec<String> {
    let mut texts = vec![match object {
        Removable::User(_) => {
            "The user cannot sign in any more; sessions and tokens are deleted.".to_owned()
        }
        Removable::Team(_) => "The team, with the balloons that it got, is deleted.".to_owned(),
        Removable::Contest(_) => {
            "The contest with its scoreboard, clock, event feed and balloons is deleted. Its problems, teams and users stay."
                .to_owned()
        }
        Removable::Problem(_) => format!(
            "{} and all uploads of the package are deleted. One that the command line of the server names is added again \
             when the server starts.",
            plural(lost.versions, "version")
        ),
    }];
    if lost.submissions > 0 {
        let count = plural(lost.submissions, "submission");
        texts.push(format!("{count} and all their results are deleted."));
    }
    for (contest, count) in &lost.of_contests {
        if !matches!(object, Removable::Contest(_)) {
            let count = plural(*count, "submission");
            texts.push(format!("The scoreboard of {contest} loses {count}."));
        }
    }
    let what = match object {
        Removable::Team(_) => "team",
        _ => "problem",
    };
    let members_of = lost.members_of.iter();
    texts.extend(members_of.map(|contest| format!("{contest} loses the {what}.")));
    if lost.clarifications > 0 {
        let count = lost.clarifications;
        texts.push(format!("Questions and answers that are deleted: {count}."));
    }
    if !lost.users.is_empty() {
        let users = lost.users.join(", ");
        texts.push(format!("These users are in no team any more: {users}."));
    }
    texts
}
