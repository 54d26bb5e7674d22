//! HTML of a package -> HTML that is safe to show.

use super::Images;
use ammonia::{Builder, UrlRelative};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::borrow::Cow;

/// The maximum number of tags: the parser takes quadratic time on unclosed ones.
const MAX_TAGS: usize = 5000;

/// The maximum number of unclosed tags: the parser may repeat them in each following paragraph.
const MAX_OPEN: usize = 300;

/// The maximum of the number of lines and character references, times the number of bytes: the parser
/// adds each to the text before it, which takes time proportional to that text.
const MAX_APPENDED: usize = 300_000_000;

/// The maximum of the number of characters from U+0080 to U+00BF, times the number of bytes: for each of them the writer
/// of HTML looks through the rest of the text, in search of U+00A0.
const MAX_ESCAPED: usize = 1_000_000_000;

/// Encloses the number of a formula in a text. Both are of a private use area.
const MARK: [char; 2] = ['\u{F0000}', '\u{F0001}'];

/// The prefix of identifiers, which keeps them apart from those of the page.
const ID_PREFIX: &str = "statement-";

/// Removes from a source the characters that mark formulas.
pub fn without_marks(source: &str) -> Cow<'_, str> {
    if source.contains(MARK) {
        Cow::Owned(source.replace(MARK, ""))
    } else {
        Cow::Borrowed(source)
    }
}

/// The text that stands for the formula `index` until the HTML is safe.
pub fn mark(index: usize) -> String {
    format!("{}{index}{}", MARK[0], MARK[1])
}

/// A text, escaped for the content of elements and for attributes in quotes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// Removes everything that is not safe, rewrites the addresses of images, and replaces the marks by
/// the formulas; `None` for HTML that takes too long.
pub fn clean(html: &str, images: &Images, formulas: &[String]) -> Option<String> {
    let parts = html.matches(['&', '\n']).count();
    if parts.saturating_mul(html.len()) > MAX_APPENDED {
        return None;
    }
    let searches = html.bytes().filter(|byte| *byte == 0xC2).count();
    if searches.saturating_mul(html.len()) > MAX_ESCAPED {
        return None;
    }
    let tags = html.matches('<').count();
    let closed = html.matches("</").count();
    if tags > MAX_TAGS || tags.saturating_sub(2 * closed) > MAX_OPEN {
        return None;
    }
    let images = images.clone();
    let cleaned = Builder::default()
        .add_generic_attributes(["id"])
        .add_allowed_classes("sup", ["footnote-reference", "footnote-definition-label"])
        .add_allowed_classes("div", ["footnote-definition"])
        .add_allowed_classes("pre", ["source"])
        .rm_tags(["map", "area"])
        .url_schemes(["http", "https", "mailto"].into())
        .url_relative(UrlRelative::PassThrough)
        .id_prefix(Some(ID_PREFIX))
        .attribute_filter(
            move |element, attribute, value| match (element, attribute) {
                ("img", "src") => image_address(value, &images).map(Cow::Owned),
                (_, "href" | "cite" | "src") => link_address(value),
                _ => Some(Cow::Borrowed(value)),
            },
        )
        .clean(html)
        .to_string();
    Some(insert(&cleaned, formulas))
}

/// Characters of a name that are not escaped in an address.
const PLAIN: AsciiSet = NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// A name as part of an address.
pub fn encoded(name: &str) -> String {
    utf8_percent_encode(name, &PLAIN).to_string()
}

/// The address of an image of the package; `None` for any other.
fn image_address(source: &str, images: &Images) -> Option<String> {
    let name = source.strip_prefix("./").unwrap_or(source);
    let name = name.replace("%20", " ");
    // TeX finds images without the extension.
    let has_stem = |known: &&String| {
        let stem = known.rsplit_once('.').map(|(stem, _)| stem);
        stem == Some(name.as_str())
    };
    let known = images.names.get(&name);
    let known = known.or_else(|| images.names.iter().find(has_stem))?;
    Some(format!("{}{}", images.base_url, encoded(known)))
}

/// An address within the statement or of another site. Others would lead to pages of the server.
fn link_address(value: &str) -> Option<Cow<'_, str>> {
    if let Some(id) = value.strip_prefix('#') {
        return Some(Cow::Owned(format!("#{ID_PREFIX}{id}")));
    }
    let lower = value
        .trim_start()
        .get(..8)
        .unwrap_or(value)
        .to_ascii_lowercase();
    let known = ["http://", "https://", "mailto:"];
    known
        .iter()
        .any(|scheme| lower.starts_with(scheme))
        .then_some(Cow::Borrowed(value))
}

/// Replaces the marks in the text of sanitised HTML; those in attributes are dropped, because a
/// formula there would end the attribute.
fn insert(html: &str, formulas: &[String]) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    let (mut tag, mut quoted) = (false, false);
    while let Some(at) = rest.find(['<', '>', '"', MARK[0]]) {
        out.push_str(&rest[..at]);
        let found = rest[at..].chars().next().unwrap_or_default();
        rest = &rest[at + found.len_utf8()..];
        if found == MARK[0] {
            let (index, after) = rest.split_once(MARK[1]).unwrap_or((rest, ""));
            rest = after;
            let formula = index
                .parse()
                .ok()
                .and_then(|index: usize| formulas.get(index));
            if let Some(formula) = formula.filter(|_| !tag) {
                out.push_str(formula);
            }
            continue;
        }
        match found {
            '<' if !tag => tag = true,
            '>' if !quoted => tag = false,
            '"' if tag => quoted = !quoted,
            _ => {}
        }
        out.push(found);
    }
    out.push_str(rest);
    out
}
