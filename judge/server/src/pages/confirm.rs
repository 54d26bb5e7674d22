//! The page that asks before something is changed that cannot be undone. It works without a script: it has the fields of the
//! form again, and the hash of what it names, so that the same form is asked about again if that changed meanwhile.

use super::parts::csrf_field;
use crate::http::{Caller, Fields};
use crate::secret;
use maud::{Markup, html};

/// Names of fields that the page does not repeat.
const OWN: [&str; 2] = ["csrf", "confirm"];

/// An action that cannot be undone.
pub(crate) struct Question<'q> {
    /// The address that the form is posted to.
    pub action: &'q str,
    /// The changes, a sentence for each.
    pub changes: Vec<String>,
    /// The text of the button that does it.
    pub button: &'q str,
    /// The page to go back to.
    pub back: &'q str,
}

impl Question<'_> {
    /// The body of the page that asks, unless the form has the answer. Programs, which have no session, are not asked.
    pub fn unanswered(&self, caller: &Caller, fields: &Fields) -> Option<Markup> {
        let answer = secret::hash(&self.changes.join("\n"));
        if caller.csrf.is_none() || fields.text("confirm") == answer {
            return None;
        }
        let sent = fields.0.iter();
        let sent = sent.filter(|(name, _)| !OWN.contains(&name.as_str()));
        Some(html! {
            p role="alert" { "Nothing has changed yet. This cannot be undone:" }
            ul { @for change in &self.changes { li { (change) } } }
            form method="post" action=(self.action) {
                (csrf_field(caller))
                input type="hidden" name="confirm" value=(answer);
                @for (name, value) in sent { input type="hidden" name=(name) value=(value); }
                button.danger { (self.button) }
                " " a.button href=(self.back) { "Change nothing" }
            }
        })
    }
}
