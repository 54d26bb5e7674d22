//! Annotations for GitHub Actions: errors of compilers and failed cases on the lines of the
//! submission.
//!
//! Nothing else is printed: a line that begins with `::` is a command to the runner, and output of
//! programs must not become one.

use super::Report;
use super::text::words;
use super::totals;
use judge_core::results::{
    Change, PackageResults, RunResults, SubmissionResult, SubmissionResults, codes,
};
use judge_core::untrusted::{Message, Name};
use judge_core::verdict::Verdict;
use regex::{Captures, Regex};
use std::io::{self, Write};

/// Annotations per submission; GitHub shows ten per step and level.
const MAX_ANNOTATIONS: usize = 10;

/// Writes the annotations of a submission when it is finished.
pub struct GitHub<W> {
    out: W,
}

impl<W: Write> GitHub<W> {
    /// A report that writes to `out`.
    pub fn new(out: W) -> Self {
        GitHub { out }
    }
}

impl<W: Write> Report for GitHub<W> {
    fn change(&mut self, change: &Change, results: &RunResults) -> io::Result<()> {
        match change {
            Change::Finding(finding) => {
                let mut text = format!("{}: {}", totals::position(finding), finding.message);
                if let Some(remedy) = &finding.remedy {
                    text.push_str(&format!("\nhelp: {remedy}"));
                }
                let package = finding.package.shown();
                let line = annotation(totals::severity(finding), None, &package, &text);
                self.out.write_all(line.as_bytes())?;
            }
            Change::SubmissionFinished(at, finished) if !finished.as_expected => {
                let (package, of) = (results.package(*at), results.submission(*at));
                let lines = of_submission(package, of, finished);
                self.out.write_all(lines.as_bytes())?;
            }
            Change::RunFinished(end) => {
                let counts = totals::counts(results, end);
                let text = format!("{}: {}{}", counts.verdict(end), counts.run, counts.tail());
                let line = annotation("notice", None, "judge", &text);
                self.out.write_all(line.as_bytes())?;
            }
            _ => {}
        }
        self.out.flush()
    }
}

fn of_submission(
    package: &PackageResults,
    of: &SubmissionResults,
    finished: &SubmissionResult,
) -> String {
    let path = of.planned.path.as_ref().map(Name::shown);
    let path = path.as_deref();
    let message = of.compiler_message().map(Message::shown);
    let title = |what: &str| format!("{}: {what}", package.about.id);
    let mut out = String::new();
    if finished.verdict == Some(Verdict::CompileError) {
        let text = message.as_deref().unwrap_or("does not compile");
        let errors = compiler_errors(text, path);
        for (line, column, error) in errors.iter().take(MAX_ANNOTATIONS) {
            let at = path.map(|path| (path, Some(*line), *column));
            out.push_str(&annotation("error", at, &title("Compile error"), error));
        }
        if errors.is_empty() {
            let at = path.map(|path| (path, None, None));
            out.push_str(&annotation("error", at, &title("Compile error"), text));
        }
        return out;
    }
    let judged = package.judged(of);
    let failed = judged.iter().filter(|(_, case)| !case.is_accepted());
    for (case_name, case) in failed.take(MAX_ANNOTATIONS) {
        let message = case.message.as_ref().map(Message::shown);
        let message = message.as_deref().unwrap_or(words(case.verdict));
        // A panic, an assertion or a sanitizer names a line of the source.
        let line = path.and_then(|path| places(message, path).into_iter().next());
        let (line, column) = line.map_or((None, None), |(line, column, _)| (Some(line), column));
        let at = path.map(|path| (path, line, column));
        let title = title(&format!("{} on {case_name}", words(case.verdict)));
        out.push_str(&annotation("error", at, &title, message));
    }
    if out.is_empty() {
        let got = finished.verdict.map_or("skipped", words);
        let expected = codes(of.planned.wanted());
        let text = finished
            .message
            .as_ref()
            .map(Message::shown)
            .unwrap_or_else(|| format!("{got}, expected {expected}"));
        let at = path.map(|path| (path, None, None));
        out.push_str(&annotation("error", at, &title(got), &text));
    }
    out
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

/// A workflow command; what it contains cannot begin another one.
fn annotation(
    level: &str,
    at: Option<(&str, Option<u64>, Option<u64>)>,
    title: &str,
    message: &str,
) -> String {
    let mut properties = Vec::new();
    if let Some((path, line, column)) = at {
        properties.push(format!("file={}", property(path)));
        properties.extend(line.map(|line| format!("line={line}")));
        properties.extend(column.map(|column| format!("col={column}")));
    }
    properties.push(format!("title={}", property(title)));
    format!("::{level} {}::{}\n", properties.join(","), data(message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
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

    #[test]
    fn output_of_programs_is_not_taken_for_workflow_commands() {
        let line = annotation(
            "error",
            Some(("a,b:c", Some(1), None)),
            "t",
            "x\n::set-env::\r%",
        );
        assert_eq!(
            line,
            "::error file=a%2Cb%3Ac,line=1,title=t::x%0A::set-env::%0D%25\n"
        );
    }
}
