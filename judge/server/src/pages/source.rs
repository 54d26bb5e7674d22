//! The source of a submission with line numbers.

use super::highlight::Highlighted;
use crate::http::{App, Result};
use crate::layout::copyable;
use crate::store::Submission;
use maud::{Markup, html};

/// Maximum bytes of a file that are shown.
const MAX_BYTES: usize = 512 << 10;

pub fn sources(app: &App, submission: &Submission) -> Result<Markup> {
    let mut parts = Vec::new();
    for (number, file) in app
        .store
        .submission_files(submission.id)?
        .iter()
        .enumerate()
    {
        let content = app.blobs.get(&file.blob)?;
        let shown = &content[..content.len().min(MAX_BYTES)];
        parts.push(html! {
            h3 { code { (file.name) } }
            (numbered(number, &file.name, &String::from_utf8_lossy(shown)))
            @if shown.len() < content.len() { p.quiet { "Only the beginning is shown." } }
        });
    }
    Ok(html! { @for part in &parts { (part) } })
}

/// A source with line numbers, which are links to themselves. They are in an element of their own so that they are not copied
/// with the text.
pub(crate) fn numbered(number: usize, name: &str, text: &str) -> Markup {
    let lines = text.lines().count().max(1);
    html! {
        div.source translate="no" {
            pre.numbers aria-hidden="true" {
                @for line in 1..=lines {
                    @let id = format!("file-{}-line-{line}", number + 1);
                    // The keyboard reaches the text itself.
                    a #(id) href={ "#" (id) } tabindex="-1" { (line) } "\n"
                }
            }
            (copyable(&format!("source-{number}"), &format!("source {name}"), Highlighted::new(name, text)))
        }
    }
}
