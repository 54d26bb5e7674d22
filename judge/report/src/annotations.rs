//! Messages with places in the source: the errors of compilers and the failed cases of a
//! submission.

use judge_core::results::{PackageResults, SubmissionResult, SubmissionResults, codes};
use judge_core::untrusted::{Message, Name};
use judge_core::verdict::Verdict;
use regex::{Captures, Regex};

/// Annotations per submission; GitHub shows ten per step and level.
const MAX_ANNOTATIONS: usize = 10;

/// A message about a place of a submission.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The submission's file.
    pub path: Option<String>,
    /// The line, from 1, where known.
    pub line: Option<u64>,
    /// The column, from 1, where known.
    pub column: Option<u64>,
    /// The package and the verdict.
    pub title: String,
    /// The message, of any number of lines.
    pub text: String,
}

/// The annotations of a submission that is not as expected.
pub fn of_submission(
    package: &PackageResults,
    of: &SubmissionResults,
    finished: &SubmissionResult,
) -> Vec<Annotation> {
    let path = of.planned.path.as_ref().map(Name::shown);
    let path = path.as_deref();
    let annotation = |line, column, title: String, text: &str| Annotation {
        path: path.map(str::to_owned),
        line,
        column,
        title,
        text: text.to_owned(),
    };
    let message = of.compiler_message().map(Message::shown);
    let title = |what: &str| format!("{}: {what}", package.about.id);
    let mut all = Vec::new();
    if finished.verdict == Some(Verdict::CompileError) {
        let text = message.as_deref().unwrap_or("does not compile");
        let errors = compiler_errors(text, path);
        for (line, column, error) in errors.iter().take(MAX_ANNOTATIONS) {
            all.push(annotation(
                Some(*line),
                *column,
                title("Compile error"),
                error,
            ));
        }
        if errors.is_empty() {
            all.push(annotation(None, None, title("Compile error"), text));
        }
        return all;
    }
    let judged = package.judged(of);
    let failed = judged.iter().filter(|(_, case)| !case.is_accepted());
    for (case_name, case) in failed.take(MAX_ANNOTATIONS) {
        let message = case.message.as_ref().map(Message::shown);
        let message = message.as_deref().unwrap_or(case.verdict.words());
        // A panic, an assertion or a sanitizer names a line of the source.
        let line = path.and_then(|path| places(message, path).into_iter().next());
        let (line, column) = line.map_or((None, None), |(line, column, _)| (Some(line), column));
        let title = title(&format!("{} on {case_name}", case.verdict.words()));
        all.push(annotation(line, column, title, message));
    }
    if all.is_empty() {
        let got = finished.verdict.map_or("skipped", Verdict::words);
        let expected = codes(of.planned.wanted());
        let text = finished
            .message
            .as_ref()
            .map(Message::shown)
            .unwrap_or_else(|| format!("{got}, expected {expected}"));
        all.push(annotation(None, None, title(got), &text));
    }
    all
}

/// The errors in a compiler's message about the file at `path`: line, column, text.
fn compiler_errors(message: &str, path: Option<&str>) -> Vec<(u64, Option<u64>, String)> {
    let Some(path) = path else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut previous = "";
    for line in message.lines() {
        for (number, column, rest) in places(line, path) {
            // rustc names the place below the error, gcc and clang in the same line.
            let text = match line.trim_start().strip_prefix("--> ") {
                Some(_) => previous.to_owned(),
                None => rest.trim_start_matches([':', ',', ' ']).to_owned(),
            };
            let is_remark = ["warning", "note", "In "]
                .iter()
                .any(|word| text.starts_with(word));
            if !text.is_empty() && !is_remark {
                found.push((number, column, text));
            }
        }
        previous = line;
    }
    found
}

/// Places in a text that name the file at `path`: `NAME:LINE:COLUMN` or `"NAME", line LINE`, each
/// with the text behind it.
fn places(text: &str, path: &str) -> Vec<(u64, Option<u64>, String)> {
    let name = regex::escape(path.rsplit('/').next().unwrap_or(path));
    let place = format!(r#"(?:\A|[^\w]){name}"*(?::|, line )(\d+)(?::(\d+))?"#);
    let place = Regex::new(&place).expect("an escaped name in a constant pattern");
    let of = |found: Captures<'_>| {
        let column = found.get(2).and_then(|column| column.as_str().parse().ok());
        let rest = text[found.get_match().end()..].lines().next();
        Some((
            found[1].parse().ok()?,
            column,
            rest.unwrap_or_default().to_owned(),
        ))
    };
    place.captures_iter(text).filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_compilers_are_found_in_their_messages() {
        let errors = |message: &str, path: &str| compiler_errors(message, Some(path));
        let one = |line, column, text: &str| vec![(line, column, text.to_owned())];
        for (message, path, expected) in [
            (
                "a.cpp: In function 'int main()':\na.cpp:1:21: error: 'x' was not declared\n    1 | int",
                "dir/a.cpp",
                one(1, Some(21), "error: 'x' was not declared"),
            ),
            (
                "error[E0425]: cannot find value `x`\n --> src/a.rs:3:5\n  |\n",
                "a.rs",
                one(3, Some(5), "error[E0425]: cannot find value `x`"),
            ),
            (
                "Main.java:3: error: ';' expected",
                "Main.java",
                one(3, None, "error: ';' expected"),
            ),
            ("a.cpp:2:3: warning: unused", "a.cpp", Vec::new()),
            ("data.cpp:2:3: error: no", "a.cpp", Vec::new()),
        ] {
            assert_eq!(errors(message, path), expected, "{message}");
        }
    }
}
