//! Markdown with TeX mathematics -> HTML.

use super::{Images, math, sanitize};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// The maximum nesting of blocks, such as lists in quotes.
const MAX_DEPTH: usize = 100;

/// The maximum number of formulas.
const MAX_FORMULAS: usize = 10_000;

/// The extensions of Markdown in statements.
pub const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_MATH);

/// Renders a text; `None` if it is nested too deeply or has too many tags.
pub fn render(source: &str, images: &Images) -> Option<String> {
    let source = dollars(&without_placeholders(&sanitize::without_marks(source)));
    let mut formulas = Vec::new();
    let mut events = Vec::new();
    let (mut depth, mut in_image) = (0_usize, 0_usize);
    for event in Parser::new_ext(&source, OPTIONS) {
        match &event {
            Event::Start(tag) => {
                depth += 1;
                in_image += usize::from(matches!(tag, Tag::Image { .. }));
            }
            Event::End(tag) => {
                depth -= 1;
                in_image -= usize::from(matches!(tag, TagEnd::Image));
            }
            _ => {}
        }
        if depth > MAX_DEPTH || formulas.len() > MAX_FORMULAS {
            return None;
        }
        events.push(match event {
            // The text of an image becomes an attribute, which has no place for a formula.
            Event::InlineMath(tex) | Event::DisplayMath(tex) if in_image > 0 => Event::Text(tex),
            Event::InlineMath(tex) => formula(&mut formulas, &tex, false),
            Event::DisplayMath(tex) => formula(&mut formulas, &tex, true),
            other => other,
        });
    }
    let mut text = String::new();
    html::push_html(&mut text, events.into_iter());
    sanitize::clean(&text, images, &formulas)
}

fn formula(formulas: &mut Vec<String>, tex: &str, display: bool) -> Event<'static> {
    formulas.push(math::to_mathml(tex, display));
    Event::Text(CowStr::from(sanitize::mark(formulas.len() - 1)))
}

/// Drops `{{nextsample}}` and `{{remainingsamples}}`: the page shows the samples itself.
fn without_placeholders(source: &str) -> String {
    source
        .replace("{{nextsample}}", "")
        .replace("{{remainingsamples}}", "")
}

/// Writes formulas in `\(..\)` and `\[..\]` with dollars, which the Markdown parser knows. Code is
/// left as it is.
pub fn dollars(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    let mut is_line_start = true;
    // Delimiters that do not occur any more: each is searched only once.
    let mut exhausted: Vec<String> = Vec::new();
    while let Some(first) = rest.chars().next() {
        let span = match first {
            '`' | '~' => code(rest, is_line_start, &mut exhausted),
            '\\' => {
                if let Some((tex, dollars, length)) = bracketed(rest, &mut exhausted) {
                    out.push_str(&format!("{dollars}{tex}{dollars}"));
                    rest = &rest[length..];
                    continue;
                }
                // The escaped character is not markup.
                1 + rest[1..].chars().next().map_or(0, char::len_utf8)
            }
            _ => rest
                .find(['`', '~', '\\', '\n'])
                .map_or(rest.len(), |at| at.max(1)),
        };
        let (taken, left) = rest.split_at(span);
        let line = taken.rsplit('\n').next().unwrap_or_default();
        is_line_start = line.trim_start_matches([' ', '>']).is_empty()
            && (is_line_start || taken.contains('\n'));
        out.push_str(taken);
        rest = left;
    }
    out
}

/// The formula of `\(..\)` or `\[..\]` at the start of a text, its dollars, and the length of all.
fn bracketed<'a>(
    text: &'a str,
    exhausted: &mut Vec<String>,
) -> Option<(&'a str, &'static str, usize)> {
    let (close, dollars) = match text.as_bytes().get(1)? {
        b'(' => ("\\)", "$"),
        b'[' => ("\\]", "$$"),
        _ => return None,
    };
    let length = find(&text[2..], close, exhausted)?;
    let tex = text[2..2 + length].trim();
    let is_formula = !tex.is_empty() && !tex.contains('$') && !tex.contains("\n\n");
    is_formula.then_some((tex, dollars, length + 4))
}

/// The length of the code span or block at the start of a text, or of the run of its delimiters if
/// nothing ends it.
fn code(text: &str, is_line_start: bool, exhausted: &mut Vec<String>) -> usize {
    let delimiter = text.chars().next().unwrap_or_default();
    let run = text.len() - text.trim_start_matches(delimiter).len();
    if delimiter == '~' && !(is_line_start && run >= 3) {
        return run;
    }
    let fence = &text[..run];
    if is_line_start && run >= 3 {
        let end = find(&text[run..], &format!("\n{fence}"), exhausted);
        return end.map_or(text.len(), |end| run + end + 1 + run);
    }
    find(&text[run..], fence, exhausted).map_or(run, |end| {
        let close = &text[run + end..];
        run + end + close.len() - close.trim_start_matches(delimiter).len()
    })
}

/// Finds `needle`, which is not searched again after it was not found once.
fn find(text: &str, needle: &str, exhausted: &mut Vec<String>) -> Option<usize> {
    if exhausted.iter().any(|known| known == needle) {
        return None;
    }
    let at = text.find(needle);
    if at.is_none() {
        exhausted.push(needle.to_owned());
    }
    at
}
