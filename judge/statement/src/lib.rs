//! Statements of problems as HTML that is safe to show.
//!
//! A package is not trusted: the result never has a script, a style or a form,
//! and no address outside `http`, `https` and `mailto`, and is made in bounded time. A text that is
//! too large or too deeply nested is shown as its source.
#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    reason = "the public items are for the other crates of the workspace"
)]

pub mod document;
pub mod latex;
mod markdown;
mod markdown_tex;
mod math;
mod pandoc;
mod samples;
mod sanitize;
pub mod tex;

pub use markdown_tex::convert as markdown_tex;
pub use samples::{Conversation, Sample, Samples, Turn, files as sample_files};
pub use sanitize::escaped;

use judge_package::{Package, StatementFile, StatementKind};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The maximum size of a statement that is rendered, in bytes.
const MAX_SOURCE: usize = 1 << 20;

/// The images that a statement may show.
#[derive(Clone, Debug, Default)]
pub struct Images {
    /// The address of the images, to which a name is appended: `/problems/a/images/`.
    pub base_url: String,
    pub names: BTreeSet<String>,
}

/// A statement for display.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rendered {
    /// Sanitised HTML, to be placed inside a page.
    Html(String),
    /// A PDF document, to be linked or embedded.
    Pdf(PathBuf),
}

/// Renders the statement of a package in `file`; addresses of its images begin with `image_base`.
pub fn render(package: &Package, file: &StatementFile, image_base: &str) -> io::Result<Rendered> {
    if file.kind == StatementKind::Pdf {
        return Ok(Rendered::Pdf(file.path.clone()));
    }
    let (source, cut) = read_text(&file.path, MAX_SOURCE as u64 + 1)?;
    let source = package.statement_with_constants(file.kind, &source);
    let images = Images {
        base_url: image_base.to_owned(),
        names: file.images().into_iter().map(|(name, _)| name).collect(),
    };
    Ok(Rendered::Html(match file.kind {
        _ if cut => source_html(&source),
        StatementKind::Markdown => markdown_html(&source, &images),
        StatementKind::Html => html(&source, &images),
        StatementKind::Tex => tex_html(&source, &images),
        StatementKind::Pdf | StatementKind::Text => source_html(&source),
    }))
}

/// A plain text as TeX.
pub fn tex_text(text: &str) -> String {
    markdown_tex::escaped(text)
}

/// Markdown (with tables, footnotes, raw HTML, and TeX mathematics in `$..$`, `$$..$$`, `\(..\)` and
/// `\[..\]`) as safe HTML.
pub fn markdown_html(source: &str, images: &Images) -> String {
    safe_html(source, |source| markdown::render(source, images))
}

/// HTML of a package as safe HTML.
pub fn html(source: &str, images: &Images) -> String {
    safe_html(source, |source| sanitize::clean(source, images, &[]))
}

/// TeX as safe HTML: the commands that statements commonly use. A text with any other command is
/// converted by `pandoc`, where that is installed, and otherwise shown as its source.
pub fn tex_html(source: &str, images: &Images) -> String {
    let own = |source: &str| {
        let tex = tex::to_html(source).ok()?;
        sanitize::clean(&tex.html, images, &tex.formulas)
    };
    let by_pandoc = |source: &str| markdown::render(&pandoc::to_markdown(source)?, images);
    safe_html(source, |source| own(source).or_else(|| by_pandoc(source)))
}

/// A place of a statement in TeX that is not shown as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unconverted {
    /// The whole statement is shown as its source, because of this place.
    Source(tex::Place),
    /// This picture is left out.
    Picture(tex::Place),
}

/// The place of a statement in TeX that is not converted, if there is one.
pub fn unconverted(package: &Package, file: &StatementFile) -> Option<Unconverted> {
    if file.kind != StatementKind::Tex {
        return None;
    }
    let (source, _) = read_text(&file.path, MAX_SOURCE as u64).ok()?;
    let source = package.statement_with_constants(file.kind, &source);
    match tex::to_html(&source) {
        Ok(converted) => converted.picture.map(Unconverted::Picture),
        Err(_) if pandoc::to_markdown(&source).is_some() => None,
        Err(place) => Some(Unconverted::Source(place)),
    }
}

/// The HTML that `convert` makes of a source, or the source itself if it is too large or cannot be converted.
fn safe_html(source: &str, convert: impl Fn(&str) -> Option<String>) -> String {
    let converted = (source.len() <= MAX_SOURCE).then(|| convert(source));
    converted.flatten().unwrap_or_else(|| source_html(source))
}

/// The source itself, escaped.
fn source_html(source: &str) -> String {
    format!(
        "<pre class=\"source\">{}</pre>",
        ammonia::clean_text(source)
    )
}

/// Reads the first `most` bytes of a file as text, and whether there are more.
fn read_text(path: &Path, most: u64) -> io::Result<(String, bool)> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    let cut = bytes.len() as u64 > most;
    bytes.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    Ok((String::from_utf8_lossy(&bytes).into_owned(), cut))
}
