//! Checks the images of a statement: each must exist, and be small enough for a page.

use super::Statement;
use crate::error::{Finding, PackageError};
use std::path::PathBuf;

/// Larger images cause a warning, in bytes.
const LARGE: u64 = 2 << 20;

/// The extensions that LaTeX and judges add to a name without one.
const EXTENSIONS: [&str; 7] = ["png", "jpg", "jpeg", "pdf", "eps", "svg", "gif"];

/// The findings about the images.
pub fn check(statement: &Statement<'_>) -> Vec<Finding> {
    let mut names = match statement.is_tex() {
        true => tex(statement.text),
        false => markdown(statement.text),
    };
    let is_elsewhere = |name: &str| name.contains("://") || name.starts_with("data:");
    names.retain(|(_, name)| !name.is_empty() && !is_elsewhere(name) && !name.contains('\\'));
    names
        .into_iter()
        .filter_map(|(at, name)| check_image(statement, at, name))
        .collect()
}

fn check_image(statement: &Statement<'_>, at: usize, name: &str) -> Option<Finding> {
    let dir = statement.file.path.parent()?;
    let named = std::iter::once(dir.join(name));
    let extended = EXTENSIONS
        .iter()
        .map(|extension| dir.join(format!("{name}.{extension}")));
    let mut candidates = named.chain(extended);
    let found: Option<PathBuf> = candidates.find(|path| path.is_file());
    let Some(path) = found else {
        let what = format!("shows the image `{name}`, which does not exist");
        let remedy = "add it next to the statement, or correct its name";
        return Some(Finding::error(statement.at(at, what).remedy(remedy)));
    };
    let size = path.metadata().map_or(0, |metadata| metadata.len());
    (size > LARGE).then(|| {
        let what = format!("is an image of {:.1} MiB", size as f64 / f64::from(1 << 20));
        let error = PackageError::new(&path, what);
        Finding::warning(error.remedy("scale it down, or save it as a vector image"))
    })
}

/// The images of a TeX text with their places.
fn tex(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (command, skipped) in [("\\includegraphics", 0), ("\\illustration", 1)] {
        for (at, _) in text.match_indices(command) {
            let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
            if text[line_start..at].contains('%') {
                continue;
            }
            let mut rest = text[at + command.len()..]
                .trim_start_matches('*')
                .trim_start();
            if let Some((_, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
                rest = after;
            }
            let mut name = None;
            for _ in 0..=skipped {
                let argument = rest.trim_start().strip_prefix('{');
                let argument = argument.and_then(|rest| rest.split_once('}'));
                name = argument.map(|(name, _)| name.trim());
                rest = argument.map_or("", |(_, after)| after);
            }
            found.extend(name.map(|name| (at, name)));
        }
    }
    found
}

/// The images of a Markdown text: `![](name)` and `<img src="name">`.
fn markdown(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("![") {
        let target = text[at..].split_once("](").and_then(|(alt, rest)| {
            let is_one = !alt.contains('\n') && !alt[2..].contains(['[', ']']);
            rest.split_once(')').filter(|_| is_one)
        });
        let name = target.map(|(name, _)| name.split_whitespace().next().unwrap_or_default());
        found.extend(name.map(|name| (at, name.trim_matches(['<', '>']))));
    }
    for (at, _) in text.match_indices("<img ") {
        let tag = text[at..].split_once('>').map_or("", |(tag, _)| tag);
        let source = tag.split_once("src=").map(|(_, rest)| rest);
        let quoted = source.and_then(|rest| rest.split(['"', '\'']).nth(1));
        found.extend(quoted.map(|name| (at, name)));
    }
    found
}
