//! Annotations for GitHub Actions: errors of compilers and failed cases on the lines of the
//! submission.
//!
//! Nothing else is printed: a line that begins with `::` is a command to the runner, and output of
//! programs must not become one.

use super::Report;
use super::annotations::of_submission;
use super::totals;
use judge_core::results::{Change, RunResults};
use std::io::{self, Write};

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
                for found in of_submission(package, of, finished) {
                    let at = (found.path.as_deref()).map(|path| (path, found.line, found.column));
                    let line = annotation("error", at, &found.title, &found.text);
                    self.out.write_all(line.as_bytes())?;
                }
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
