//! Checks of the statements in every language: markup that cannot be rendered, images, samples, titles.

mod images;
mod macros;
mod markup;
mod samples;

use crate::error::{Finding, PackageError};
use crate::input::text;
use crate::input::yaml::{self, Value};
use crate::model::Package;
use crate::statement::{StatementFile, StatementKind, statements};
use std::path::Path;

/// Larger statements are not examined.
const MAX_BYTES: u64 = 1 << 20;

/// A statement that is examined.
struct Statement<'a> {
    package: &'a Package,
    file: &'a StatementFile,
    text: &'a str,
}

impl Statement<'_> {
    /// An error at a byte of the text.
    fn at(&self, byte: usize, what: impl Into<String>) -> PackageError {
        let (line, column) = text::position(&self.text.as_bytes()[..byte]);
        PackageError::new(&self.file.path, what).at(line, column)
    }

    fn is_tex(&self) -> bool {
        self.file.kind == StatementKind::Tex
    }
}

/// The findings about all statements of a package.
pub fn check(package: &Package) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in statements(&package.root) {
        let error = |what: &str| PackageError::new(&file.path, what);
        if file.kind == StatementKind::Pdf {
            if !is_pdf(&file.path) {
                let what = "is no PDF document: it does not begin with `%PDF`";
                findings.push(Finding::error(
                    error(what).remedy("export the statement again"),
                ));
            }
            continue;
        }
        // Encodings are checked elsewhere.
        let Ok(text) = text::read(&file.path, MAX_BYTES) else {
            continue;
        };
        if text.trim().is_empty() {
            let remedy = "write the statement, or remove the file";
            findings.push(Finding::error(
                error("is an empty statement").remedy(remedy),
            ));
            continue;
        }
        let statement = Statement {
            package,
            file: &file,
            text: &text,
        };
        if statement.is_tex() {
            findings.extend(markup::check(&statement).map(Finding::error));
        }
        findings.extend(macros::check(&statement).into_iter().map(Finding::warning));
        findings.extend(images::check(&statement));
        findings.extend(samples::check(&statement).into_iter().map(Finding::warning));
        findings.extend(title(&statement).map(Finding::warning));
    }
    findings
}

/// The length of a command at the start of a text whose argument is no TeX: `\verb|code|`, `\url{a%20b}`; `None` for another
/// command.
fn literal_length(text: &str) -> Option<usize> {
    const IN_BRACES: [&str; 5] = [
        "\\url{",
        "\\href{",
        "\\nolinkurl{",
        "\\path{",
        "\\lstinline{",
    ];
    let mut in_braces = IN_BRACES.iter();
    if let Some(command) = in_braces.find(|command| text.starts_with(**command)) {
        let end = text[command.len()..].find(['}', '\n']);
        let end = end.filter(|end| text[command.len() + end..].starts_with('}'))?;
        return Some(command.len() + end + 1);
    }
    let mut code = ["\\verb", "\\lstinline"].into_iter();
    let rest = code.find_map(|command| text.strip_prefix(command))?;
    let delimiter = rest.chars().next();
    let delimiter = delimiter.filter(|c| !c.is_alphanumeric() && !"[{".contains(*c))?;
    let code = &rest[delimiter.len_utf8()..];
    let end = code.find(delimiter).map(|end| end + delimiter.len_utf8());
    let before = text.len() - code.len();
    Some(before + end.unwrap_or(code.len()))
}

fn is_pdf(path: &Path) -> bool {
    crate::input::executable::first_bytes(path).is_some_and(|start| start.starts_with(b"%PDF"))
}

/// A title in the statement that is not that of the package.
fn title(statement: &Statement<'_>) -> Option<PackageError> {
    let (at, shown) = match statement.is_tex() {
        true => {
            let (before, rest) = statement.text.split_once("\\problemname{")?;
            (before.len(), rest.split_once('}')?.0)
        }
        false => {
            let first = statement
                .text
                .lines()
                .find(|line| !line.trim().is_empty())?;
            let at = first.as_ptr().addr() - statement.text.as_ptr().addr();
            (at, first.strip_prefix("# ")?)
        }
    };
    let plain = |text: &str| {
        text.replace(['\\', '{', '}', '$', '*', '`'], "")
            .trim()
            .to_owned()
    };
    let own = name_in(statement.package, &statement.file.language)?;
    let is_same = plain(shown) == plain(&own);
    if is_same && !statement.is_tex() && statement.package.format == "2025-09" {
        let error = statement.at(
            at,
            "repeats the name of the problem, which judges show above it",
        );
        return Some(error.remedy("remove the heading"));
    }
    // The format takes an empty title from `problem.yaml`.
    if is_same || shown.is_empty() || shown.contains('\\') {
        return None;
    }
    let what = format!(
        "is titled `{}`, but the package's name is `{own}`",
        shown.trim()
    );
    let error = statement.at(at, what);
    Some(error.remedy("use the same name in `problem.yaml` and in the statement"))
}

/// The name of the problem in a language; `None` if the package has none in it.
fn name_in(package: &Package, language: &str) -> Option<String> {
    let file = package.root.join("problem.yaml");
    let Some((yaml, _)) = file
        .is_file()
        .then(|| yaml::read_leniently(&file).ok())
        .flatten()
    else {
        return (package.name != package.id).then(|| package.name.clone());
    };
    let name = yaml.get("name")?;
    match &name.value {
        Value::Map(_) => name.get(language)?.scalar().map(str::to_owned),
        // A plain name is the English one, or that in the only language.
        _ => {
            let mut all = statements(&package.root).into_iter();
            let is_its = language == "en" || all.all(|file| file.language == language);
            name.scalar().filter(|_| is_its).map(str::to_owned)
        }
    }
}
