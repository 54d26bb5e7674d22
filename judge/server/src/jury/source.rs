//! Sources of submissions, and what changed between two of them.

use crate::http::{App, Jury, Result, saved_as};
use crate::pages::source::numbered;
use crate::store::SubmissionId;
use crate::submissions::source_archive;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// A file of a submission as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    pub name: String,
    /// Its content; bytes that are not UTF-8 are replaced.
    pub text: String,
}

/// Comparing stops to look for the shortest way after this time.
const DEADLINE: Duration = Duration::from_millis(300);
/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// The files of a submission. Blocks.
pub fn files_of(app: &App, id: SubmissionId) -> Result<Vec<Text>> {
    let files = app.store.submission_files(id)?;
    let text = |file: crate::store::SourceFile| {
        let content = app.blobs.get(&file.blob)?;
        Ok(Text {
            name: file.name,
            text: String::from_utf8_lossy(&content).into_owned(),
        })
    };
    files.into_iter().map(text).collect()
}

/// `GET /jury/submissions/{id}/source`
pub fn archive(app: &App, (_, Path(id)): (Jury, Path<SubmissionId>)) -> Result<Response> {
    let headers = saved_as("application/zip", &format!("submission-{id}.zip"));
    Ok((headers, source_archive(app, id)?).into_response())
}

/// The files in full.
pub fn files(files: &[Text]) -> Markup {
    html! {
        @for (k, file) in files.iter().enumerate() {
            h3 { (file.name) }
            (numbered(k, &file.name, &file.text))
        }
    }
}

/// The changed lines, with some around them. Two single files are compared also if their names
/// differ; otherwise files with the same name are.
pub fn changes(old: &[Text], new: &[Text]) -> Markup {
    let single = old.len() == 1 && new.len() == 1;
    let before = |file: &Text| old.iter().find(|other| single || other.name == file.name);
    let gone: Vec<&Text> = old
        .iter()
        .filter(|file| !single && new.iter().all(|other| other.name != file.name))
        .collect();
    html! {
        @for file in new {
            h3 { (file.name) }
            (changed(before(file).map_or("", |old| &old.text), &file.text))
        }
        @for file in gone { p { (file.name) " was removed." } }
    }
}

fn changed(old: &str, new: &str) -> Markup {
    let diff = TextDiff::configure().timeout(DEADLINE).diff_lines(old, new);
    let groups = diff.grouped_ops(CONTEXT);
    html! {
        @if groups.is_empty() { p { "The same text." } } @else {
            pre tabindex="0" {
                @for (k, group) in groups.iter().enumerate() {
                    @if k > 0 { span.quiet { "...\n" } }
                    @for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
                        (line(change.tag(), change.value()))
                    }
                }
            }
        }
    }
}

/// A line; a sign says what the colour says.
fn line(tag: ChangeTag, text: &str) -> Markup {
    let text = text.trim_end_matches(['\n', '\r']);
    match tag {
        ChangeTag::Equal => html! { "  " (text) "\n" },
        ChangeTag::Delete => html! { del.bad { "- " (text) } "\n" },
        ChangeTag::Insert => html! { ins.good { "+ " (text) } "\n" },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, text: &str) -> Text {
        Text {
            name: name.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn changed_lines_are_marked_and_escaped() {
        let shown = changes(&[text("a.c", "one\ntwo\n")], &[text("b.c", "one\n<2>\n")]);
        let shown = shown.into_string();
        assert!(shown.contains("- two</del>"), "{shown}");
        assert!(shown.contains("+ &lt;2&gt;</ins>"), "{shown}");
        assert!(shown.contains("  one"), "{shown}");
    }

    #[test]
    fn files_are_compared_by_name() {
        let old = [text("a", "x\n"), text("b", "y\n")];
        let new = [text("a", "x\n"), text("c", "z\n")];
        let shown = changes(&old, &new).into_string();
        assert!(shown.contains("The same text."), "{shown}");
        assert!(shown.contains("b was removed."), "{shown}");
        assert!(shown.contains("+ z</ins>"), "{shown}");
    }
}
