//! Parts of pages.

use crate::contest_api::{RelTime, Time};
use judge_core::verdict::Verdict;
use maud::{Markup, Render, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// A verdict as a badge; `None` while the submission is judged. The text says it without the colour.
pub fn verdict(verdict: Option<Verdict>) -> Markup {
    let Some(verdict) = verdict else {
        return html! { span.verdict.open { "judging" } };
    };
    let class = match verdict {
        Verdict::Accepted => "good",
        Verdict::WrongAnswer
        | Verdict::PresentationError
        | Verdict::RunTimeError
        | Verdict::SecurityViolation => "bad",
        Verdict::CompileError | Verdict::JudgeError => "other",
        _ => "slow",
    };
    html! { abbr.verdict.(class) title=(verdict.words().to_lowercase()) { (verdict.code()) } }
}

/// A table that scrolls inside its own box; the first column stays in view. `caption` names it for
/// screen readers too; each row has as many cells as there are heads.
pub fn table(caption: &str, heads: &[&str], rows: &[Vec<Markup>]) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label=(caption) {
            table {
                caption { (caption) }
                thead { tr { @for head in heads { th scope="col" { (head) } } } }
                tbody {
                    @for row in rows {
                        tr { @for cell in row { td { (cell) } } }
                    }
                }
            }
            // The style sheet hides it once a script has added a row.
            @if rows.is_empty() { p.none { "None yet." } }
        }
    }
}

/// A table to which columns are added one by one, each with its head and what it shows of a row.
pub struct Table<'t, T> {
    caption: &'t str,
    rows: &'t [T],
    heads: Vec<&'t str>,
    cells: Vec<Vec<Markup>>,
}

impl<'t, T> Table<'t, T> {
    /// Without columns.
    pub fn new(caption: &'t str, rows: &'t [T]) -> Self {
        Table {
            caption,
            rows,
            heads: Vec::new(),
            cells: vec![Vec::new(); rows.len()],
        }
    }

    /// Adds a column.
    pub fn column<R: Render>(mut self, head: &'t str, cell: impl Fn(&'t T) -> R) -> Self {
        self.heads.push(head);
        for (cells, row) in self.cells.iter_mut().zip(self.rows) {
            cells.push(cell(row).render());
        }
        self
    }
}

impl<T> Render for Table<'_, T> {
    fn render(&self) -> Markup {
        table(self.caption, &self.heads, &self.cells)
    }
}

/// A field of a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field<'a> {
    /// The name in the form, also the identifier in the page.
    pub name: &'a str,
    /// The text that the page shows beside it.
    pub label: &'a str,
    /// The type of the input, such as `text` or `password`; `textarea` for long texts.
    pub kind: &'a str,
    /// The value to begin with; ignored for passwords and files.
    pub value: &'a str,
    /// Error message about the value.
    pub error: Option<&'a str>,
    /// Whether it must be filled in.
    pub required: bool,
}

/// The bytes that an address has as they are, in a path or a value after `?`.
const PLAIN: AsciiSet = NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'/');

/// A text as part of an address.
pub fn encoded(text: &str) -> String {
    utf8_percent_encode(text, &PLAIN).to_string()
}

/// A labelled field that is empty at first.
pub fn input(name: &str, label: &str, kind: &str, required: bool) -> Markup {
    field(&Field {
        name,
        label,
        kind,
        value: "",
        error: None,
        required,
    })
}

/// A labelled field; an error is connected to it for screen readers.
pub fn field(field: &Field<'_>) -> Markup {
    let error_id = format!("{}-error", field.name);
    let described = field.error.map(|_| &error_id);
    let invalid = field.error.map(|_| "true");
    let value = Some(field.value).filter(|_| !matches!(field.kind, "password" | "file"));
    html! {
        div.field {
            label for=(field.name) { (field.label) }
            @if field.kind == "textarea" {
                textarea #(field.name) name=(field.name) required[field.required] spellcheck="false"
                    aria-invalid=[invalid] aria-describedby=[described] { (field.value) }
            } @else {
                input #(field.name) name=(field.name) type=(field.kind) value=[value]
                    required[field.required] aria-invalid=[invalid] aria-describedby=[described];
            }
            @if let Some(error) = field.error {
                span.error #(error_id) { (error) }
            }
        }
    }
}

/// A part of a page that the script loads again when `topic` has changed: `contest`, `clarifications`, `judging` or `uploads`.
/// `name` is unique in the page.
pub fn region(name: &str, topic: &str, content: &Markup) -> Markup {
    html! { div data-region=(name) data-topic=(topic) { (content) } }
}

/// A text with a button that copies it. `id` is unique in the page; `label` names the text.
pub fn copyable(id: &str, label: &str, text: impl Render) -> Markup {
    html! {
        div.copyable {
            // A line break after the tag is not part of the text; it keeps one that the text begins with.
            pre #(id) tabindex="0" aria-label=(label) role="region" { "\n" (text) }
            button type="button" data-copy=(id) aria-label={ "Copy " (label) } hidden { "Copy" }
        }
    }
}

/// A point in time: in UTC, or with the script in the zone of the reader.
pub fn time(time: Time) -> Markup {
    let text = time.to_string();
    time_as(time, &format!("{} {} UTC", &text[..10], &text[11..19]))
}

/// A point in time with the text that is shown without the script.
pub fn time_as(time: Time, shown: &str) -> Markup {
    html! { time datetime=(time) { (shown) } }
}

/// The time left in a contest, which the script keeps up to date.
pub fn clock(start: Time, end: Time, now: Time) -> Markup {
    let (text, duration) = if now < start {
        ("starts in ", start - now)
    } else if now < end {
        ("left: ", end - now)
    } else {
        ("over", RelTime::default())
    };
    html! {
        span role="timer" data-clock={ (start.millis()) " " (end.millis()) } data-now=(now.millis()) {
            (text) @if now < end { (duration.without_fraction()) }
        }
    }
}

/// Links to the neighbours of page `page` of `pages`, both from 1; `address` gives a page's address.
pub fn pagination(page: usize, pages: usize, address: impl Fn(usize) -> String) -> Markup {
    html! {
        @if pages > 1 {
            nav.pages aria-label="Pages" {
                @if page > 1 { a rel="prev" href=(address(page - 1)) { "Previous" } }
                span { "Page " (page) " of " (pages) }
                @if page < pages { a rel="next" href=(address(page + 1)) { "Next" } }
            }
        }
    }
}
