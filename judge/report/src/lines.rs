//! One line per finding, `FILE:LINE:COLUMN: error: what`, as compilers write them: for the problem
//! matchers of editors.

use super::Report;
use super::annotations::of_submission;
use super::totals;
use judge_core::results::{Change, RunResults};
use std::io::{self, Write};

/// Writes the findings of a submission when it is finished, and the result of the run last.
pub struct Lines<W> {
    out: W,
}

impl<W: Write> Lines<W> {
    /// A report that writes to `out`.
    pub fn new(out: W) -> Self {
        Lines { out }
    }
}

impl<W: Write> Report for Lines<W> {
    fn change(&mut self, change: &Change, results: &RunResults) -> io::Result<()> {
        match change {
            Change::Finding(finding) => {
                let about = results.packages.iter();
                let mut about = about.filter(|package| package.about.id == finding.package);
                let dir = about.find_map(|package| package.about.path.as_ref());
                let dir = dir.unwrap_or(&finding.package).shown();
                let file = match finding.path.shown() {
                    path if path.is_empty() => dir.into_owned(),
                    path => format!("{dir}/{path}"),
                };
                let at = (finding.line, finding.column);
                let text = match &finding.remedy {
                    Some(remedy) => format!("{}; {remedy}", finding.message),
                    None => finding.message.to_string(),
                };
                let line = line(&file, at, totals::severity(finding), &text);
                self.out.write_all(line.as_bytes())?;
            }
            Change::SubmissionFinished(at, finished) if !finished.as_expected => {
                let (package, of) = (results.package(*at), results.submission(*at));
                for found in of_submission(package, of, finished) {
                    let name = of.planned.name.shown();
                    let file = found.path.as_deref().unwrap_or(&name);
                    let at = (
                        found.line.map(|n| n as usize),
                        found.column.map(|n| n as usize),
                    );
                    // The message of a compiler says itself what it is.
                    let what = found.text.strip_prefix("error: ").unwrap_or(&found.text);
                    let text = format!("{}: {what}", found.title);
                    self.out
                        .write_all(line(file, at, "error", &text).as_bytes())?;
                }
            }
            Change::RunFinished(end) => {
                let counts = totals::counts(results, end);
                let text = format!("{}: {}{}", counts.verdict(end), counts.run, counts.tail());
                self.out.write_all(one_line(&text).as_bytes())?;
                self.out.write_all(b"\n")?;
            }
            _ => {}
        }
        self.out.flush()
    }
}

/// A finding. Where the place is unknown, editors go to the start of the file.
fn line(file: &str, at: (Option<usize>, Option<usize>), level: &str, text: &str) -> String {
    let (line, column) = (at.0.unwrap_or(1), at.1.unwrap_or(1));
    let (file, text) = (one_line(file), one_line(text));
    format!("{file}:{line}:{column}: {level}: {text}\n")
}

fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line() {
        for (at, text, expected) in [
            (
                (Some(3), Some(5)),
                "spring: Wrong answer on 1: a\n  b\n",
                "a.cpp:3:5: error: spring: Wrong answer on 1: a | b\n",
            ),
            ((Some(3), None), "no `x`", "a.cpp:3:1: error: no `x`\n"),
            ((None, None), "x", "a.cpp:1:1: error: x\n"),
        ] {
            assert_eq!(line("a.cpp", at, "error", text), expected);
        }
    }
}
