//! The languages that teams may use in a contest.

use super::contests::by_ext;
use super::frame::csrf;
use crate::http::{App, Caller, Form, Jury, Result, conflict};
use crate::languages::Choice;
use crate::store::{Contest, Texts};
use axum::extract::Path;
use axum::response::Redirect;
use maud::{Markup, html};

/// A box for each language of the server, and for each chosen one that it does not have.
pub fn form(caller: &Caller, address: &str, contest: &Contest, known: &[Choice]) -> Markup {
    let chosen = contest.languages.as_ref().map_or(&[][..], |own| &own.0);
    let is_missing = |code: &&String| known.iter().all(|own| own.code != **code);
    html! {
        p {
            @match chosen.len() {
                0 => "Teams may use all languages of the server. Choose some to allow only these.",
                count => { "Teams may use " (count) " of the languages. Without a choice, they may use all." }
            }
        }
        details {
            summary { "Choose languages" }
            form method="post" action={ (address) "/languages" } {
                (csrf(caller))
                input type="hidden" name="was" value=(chosen.join(" "));
                fieldset {
                    legend { "Languages that teams may use" }
                    @for language in known {
                        label.choice {
                            input type="checkbox" name="language" value=(language.code)
                                checked[chosen.contains(&language.code)];
                            " " (language.name)
                        }
                    }
                    @for code in chosen.iter().filter(is_missing) {
                        label.choice {
                            input type="checkbox" name="language" value=(code) checked;
                            " " (code) " (not installed on this server)"
                        }
                    }
                }
                button { "Save the languages" }
            }
        }
    }
}

/// `POST /jury/contests/{contest}/languages`: a field `language` for each, none for all; `was`: the codes when the page was
/// loaded.
pub fn save(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Redirect> {
    let before = by_ext(app, &ext)?;
    let now = before.languages.as_ref().map_or(&[][..], |own| &own.0);
    let sent: Vec<String> = form.fields.all("language").map(str::to_owned).collect();
    // A program sends no `was`.
    let was = form.fields.0.iter().find(|(name, _)| name == "was");
    if sent != now && was.is_some_and(|(_, was)| *was != now.join(" ")) {
        return Err(conflict(
            "the languages were changed meanwhile; load the page again",
        ));
    }
    let languages = Some(sent).filter(|sent| !sent.is_empty()).map(Texts);
    let new = Contest {
        languages,
        ..before.clone()
    };
    app.store.replace_contest(&before, &new)?;
    Ok(Redirect::to(&format!("/jury/contests/{ext}")))
}
