//! Statements of problems as HTML that is safe to show.
//!
//! A package is not trusted: the result never has a script, a style or a form,
//! and no address outside `http`, `https` and `mailto`, and is made in bounded time. A text that is
//! too large or too deeply nested is shown as its source.
#![forbid(unsafe_code)]

pub mod document;
pub mod latex;
mod markdown;
mod markdown_tex;
mod math;
mod pandoc;
mod sanitize;
mod tex;

pub use markdown_tex::convert as markdown_tex;

use judge_package::{Package, StatementFile, StatementKind};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The maximum size of a statement that is rendered, in bytes.
const MAX_SOURCE: usize = 1 << 20;

/// The maximum size of a sample's input or answer that is shown, in bytes.
const MAX_SAMPLE: u64 = 64 << 10;

/// The images that a statement may show.
#[derive(Clone, Debug, Default)]
pub struct Images {
    /// The address of the images, to which a name is appended: `/problems/a/images/`.
    pub base_url: String,
    /// The names of the images.
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

/// A sample as the statement shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Sample {
    /// Its name for display.
    pub name: String,
    /// Input of the program.
    pub input: String,
    /// The answer, if the problem has answers.
    pub answer: Option<String>,
    /// Whether the input or the answer was cut because it is long.
    pub cut: bool,
}

/// Renders the statement of a package in `file`; addresses of its images begin with `image_base`.
pub fn render(package: &Package, file: &StatementFile, image_base: &str) -> io::Result<Rendered> {
    if file.kind == StatementKind::Pdf {
        return Ok(Rendered::Pdf(file.path.clone()));
    }
    let (source, cut) = read_text(&file.path, MAX_SOURCE as u64 + 1)?;
    let source = package.with_constants(&source);
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
        let (html, math) = tex::to_html(source)?;
        sanitize::clean(&html, images, &math)
    };
    let by_pandoc = |source: &str| markdown::render(&pandoc::to_markdown(source)?, images);
    safe_html(source, |source| own(source).or_else(|| by_pandoc(source)))
}

/// The samples of a package in judging order. Those whose data is generated when they are judged are
/// left out.
pub fn samples(package: &Package) -> Vec<Sample> {
    let cases = package.cases();
    let shown = cases.iter().filter(|case| case.sample).filter_map(|case| {
        let (input, input_cut) = read_text(&case.input, MAX_SAMPLE).ok()?;
        let answer = case.output.as_deref().or(case.answer.as_deref());
        let answer = answer.and_then(|path| read_text(path, MAX_SAMPLE).ok());
        let answer_cut = answer.as_ref().is_some_and(|(_, cut)| *cut);
        let name = case.name.strip_prefix("sample/").unwrap_or(&case.name);
        Some(Sample {
            name: name.to_owned(),
            input,
            answer: answer.map(|(text, _)| text),
            cut: input_cut || answer_cut,
        })
    });
    shown.collect()
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
