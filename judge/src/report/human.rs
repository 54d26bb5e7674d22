//! The result for a person: a block per submission, or for `judge verify` a table per package.

use super::package_summary::{CaseSummary, PackageSummary};
use super::run_summary::{Counts, FindingSummary, RunSummary};
use super::text::{Paint, bytes, indented, plural, seconds, width, wrapped};
use super::{Report, comparison, diagnosis, matrix, rows};
use crate::event::{Event, RunFinished, SubmissionFinished};
use crate::verdict::Verdict;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Up to this number of cases, each case gets a line.
const FEW_CASES: usize = 20;
/// Failed cases that get a line when there are more.
const MAX_FAILED: usize = 10;

/// How much is printed about a submission.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Every case; only the failed ones if there are many.
    Cases,
    /// Every case, however many, and details of every failed one.
    Verbose,
    /// The cases that were not accepted, and at the end a table comparing the submissions.
    Comparison,
    /// The cases that were unexpectedly not accepted.
    Surprises,
    /// A table of submissions and groups per package, and the submissions that are not as expected.
    Matrix,
    /// The table, and every case of every submission.
    VerboseMatrix,
}

impl Style {
    fn is_matrix(self) -> bool {
        matches!(self, Style::Matrix | Style::VerboseMatrix)
    }

    fn is_verbose(self) -> bool {
        matches!(self, Style::Verbose | Style::VerboseMatrix)
    }
}

/// Prints results as soon as a submission, or for a table a package, is finished.
pub struct Human<W> {
    out: W,
    paint: Paint,
    style: Style,
    /// Width of the terminal in columns.
    width: usize,
    summary: RunSummary,
    /// The package whose heading was printed last.
    heading: Option<String>,
    /// The package whose table is not yet printed.
    pending: Option<String>,
    /// Judge errors already printed, by package: a validator that cannot be built fails every case
    /// of every submission with the same long message.
    failures: BTreeSet<(String, String)>,
    /// Whether details of a case were printed last.
    after_block: bool,
}

impl<W: Write> Human<W> {
    /// A report that writes to `out`; `width` is the terminal's, in columns.
    pub fn new(out: W, paint: Paint, style: Style, width: usize) -> Self {
        Human {
            out,
            paint,
            style,
            width,
            summary: RunSummary::default(),
            heading: None,
            pending: None,
            failures: BTreeSet::new(),
            after_block: false,
        }
    }

    /// Prints the heading of a package, unless it was printed last.
    fn print_heading(&mut self, id: &str) -> io::Result<()> {
        let package = self.summary.package(id);
        let is_new = |package: &&PackageSummary| self.heading.as_ref() != Some(&package.id);
        let Some(package) = package.filter(is_new) else {
            return Ok(());
        };
        if self.heading.is_some() {
            self.after_block = false;
            writeln!(self.out)?;
        }
        self.heading = Some(package.id.clone());
        writeln!(self.out, "{}", heading(package, self.paint, self.width))
    }

    /// Prints a finished submission of package `id`.
    fn print_submission(&mut self, id: &str, index: usize) -> io::Result<()> {
        self.print_heading(id)?;
        let (paint, style) = (self.paint, self.style);
        let package = self.summary.package(id);
        let submission = package.and_then(|p| Some((p, p.finished.get(index)?)));
        let Some((package, finished)) = submission else {
            return Ok(());
        };
        let mut text = format!("  {}\n", paint.bold(&finished.submission));
        if let Some(message) = package.messages.get(&finished.submission) {
            // Notes such as a replaced interpreter matter only if something went wrong.
            if style != Style::Surprises || !finished.as_expected || finished.verdict.is_none() {
                text.push_str(&indented(message, 4));
            }
        }
        let judged = package.judged(&finished.submission);
        let is_long = style == Style::Cases && package.cases.len() > FEW_CASES;
        let failed = |case: &CaseSummary| !case.is_accepted();
        let mut shown: Vec<(&str, &CaseSummary)> = judged
            .iter()
            .copied()
            .filter(|(_, case)| match style {
                Style::Cases | Style::Verbose | Style::VerboseMatrix => !is_long || failed(case),
                Style::Comparison => failed(case),
                Style::Surprises | Style::Matrix => !finished.as_expected && failed(case),
            })
            .collect();
        let mut left_out = 0;
        if !style.is_verbose() && shown.iter().all(|(_, case)| failed(case)) {
            left_out = shown.len().saturating_sub(MAX_FAILED);
            shown.truncate(MAX_FAILED);
        }
        // The failed cases with details.
        let explained = |(_, case): &&(&str, &CaseSummary)| {
            failed(case) && case.verdict != Verdict::JudgeError && !finished.as_expected
        };
        let most = if style.is_verbose() { usize::MAX } else { 1 };
        let explained: Vec<_> = judged.iter().filter(explained).take(most).collect();
        let names: Vec<&str> = explained.iter().map(|(name, _)| *name).collect();
        text.push_str(&rows::case_table(
            &package.id,
            &shown,
            &names,
            self.width,
            paint,
            &mut self.failures,
        ));
        if left_out > 0 {
            let note = format!("and {left_out} more that failed; -v shows all");
            text.push_str(&indented(&paint.dim(&note), 4));
        }
        if is_long {
            text.push_str(&rows::strip(
                package,
                &finished.submission,
                paint,
                self.width,
            ));
        }
        if let Some(message) = &finished.message {
            let is_new = self.failures.insert((package.id.clone(), message.clone()));
            text.push_str(&indented(if is_new { message } else { "as above" }, 4));
        }
        text.push_str(&rows::summary(
            package,
            finished,
            &judged,
            self.summary.instructions_per_second,
            style.is_matrix(),
            paint,
            self.width,
        ));
        for (name, case) in &explained {
            let command = self
                .summary
                .command_for(package, &finished.submission, name);
            text.push_str(&diagnosis::block(name, case, &command, paint, self.width));
        }
        if std::mem::replace(&mut self.after_block, !explained.is_empty()) {
            text.insert(0, '\n');
        }
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// Prints the table of the package that is complete, and its unexpected submissions.
    fn print_matrix(&mut self) -> io::Result<()> {
        let Some(id) = self.pending.take() else {
            return Ok(());
        };
        self.print_heading(&id)?;
        let Some(package) = self.summary.package(&id) else {
            return Ok(());
        };
        let per_second = self.summary.instructions_per_second;
        let text = matrix::render(package, per_second, self.paint, self.width);
        self.out.write_all(text.as_bytes())?;
        self.after_block = true;
        let finished = package.finished.iter().enumerate();
        let notable: Vec<usize> = finished
            .filter(|(_, finished)| {
                self.style.is_verbose() || !finished.as_expected || finished.verdict.is_none()
            })
            .map(|(index, _)| index)
            .collect();
        for index in notable {
            self.print_submission(&id, index)?;
        }
        self.out.flush()
    }

    fn print_end(&mut self) -> io::Result<()> {
        self.print_matrix()?;
        let Some(end) = self.summary.end.clone() else {
            return Ok(());
        };
        if end.interrupted {
            self.print_unfinished()?;
        }
        if self.style == Style::Comparison {
            for package in &self.summary.packages {
                let text = comparison::render(package, self.paint, self.width);
                self.out.write_all(text.as_bytes())?;
            }
        }
        writeln!(self.out)?;
        for warning in &end.warnings {
            let text = wrapped(warning, self.width.saturating_sub("warning: ".len()));
            let label = self.paint.warning("warning:");
            let text = indented(&text, "warning: ".len());
            writeln!(self.out, "{label} {}", text.trim())?;
        }
        let counts = self.summary.counts(&end);
        let words = self.end_words(&end, &counts);
        let skipped = counts.skipped;
        let mut counts = format!("{} in {}", counts.run, seconds(end.wall_s));
        if !skipped.is_empty() {
            let used = width("not as expected: ; ") + width(&counts) + width(&skipped);
            let is_short = used <= self.width;
            counts.push_str(if is_short { "; " } else { "\n  " });
            counts.push_str(&match is_short {
                true => skipped,
                false => wrapped(&skipped, self.width.saturating_sub(2)).replace('\n', "\n  "),
            });
        }
        let wrong = match self.style {
            style if style.is_matrix() && !end.interrupted => self.wrong(),
            _ => Vec::new(),
        };
        if wrong.is_empty() {
            writeln!(self.out, "{words}: {counts}")?;
        } else {
            writeln!(self.out, "{counts}\n{words}:")?;
            for line in wrong {
                let line = wrapped(&line, self.width.saturating_sub(2));
                write!(self.out, "{}", indented(&line, 2))?;
            }
        }
        self.out.flush()
    }

    fn end_words(&self, end: &RunFinished, counts: &Counts) -> String {
        let mut finished = self
            .summary
            .packages
            .iter()
            .flat_map(|package| &package.finished);
        let paint = self.paint;
        if end.interrupted {
            return paint.warning("interrupted");
        }
        let is_plain = |f: &SubmissionFinished| f.expected.as_deref().is_none_or(|e| e == "AC");
        let contestant = !self.style.is_matrix() && finished.all(is_plain);
        match (end.as_expected, contestant) {
            (true, true) if counts.are_accepted => {
                paint.verdict_text(Verdict::Accepted, &format!("{}accepted", counts.all))
            }
            (true, _) => {
                paint.verdict_text(Verdict::Accepted, &format!("{}as expected", counts.all))
            }
            (false, true) if counts.are_skipped => paint.warning("not judged"),
            (false, true) => paint.verdict_text(Verdict::WrongAnswer, "not accepted"),
            (false, false) => paint.verdict_text(Verdict::WrongAnswer, "not as expected"),
        }
    }

    /// The reasons why the packages are not as expected.
    fn wrong(&self) -> Vec<String> {
        let packages = self.summary.packages.iter();
        let mut all: Vec<String> = packages.flat_map(matrix::wrong).collect();
        for id in self.summary.ids() {
            let findings = self.summary.findings.iter();
            let errors = findings.filter(|f| f.is_error && f.package == id).count();
            if errors > 0 {
                all.push(format!(
                    "{id}: {} in the package, see above",
                    plural(errors, "error")
                ));
            }
        }
        let left_out = all.len().saturating_sub(MAX_FAILED);
        if left_out > 1 {
            all.truncate(MAX_FAILED);
            all.push(format!("and {left_out} more"));
        }
        all
    }

    /// Prints the results of unfinished submissions after an interrupt.
    fn print_unfinished(&mut self) -> io::Result<()> {
        let unfinished = |package: &&PackageSummary| package.unfinished().next().is_some();
        let packages = self.summary.packages.iter().filter(unfinished);
        let ids: Vec<String> = packages.map(|package| package.id.clone()).collect();
        for id in ids {
            self.print_heading(&id)?;
            let Some(package) = self.summary.package(&id) else {
                continue;
            };
            for name in package.unfinished() {
                let judged = package.judged(name);
                writeln!(
                    self.out,
                    "  {} ({} of {} so far)",
                    self.paint.bold(name),
                    judged.len(),
                    plural(package.cases.len(), "case")
                )?;
                let failures = &mut self.failures;
                let table =
                    rows::case_table(&package.id, &judged, &[], self.width, self.paint, failures);
                self.out.write_all(table.as_bytes())?;
            }
        }
        Ok(())
    }
}

impl<W: Write> Report for Human<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.summary.add(event);
        match event {
            Event::Finding(_) => {
                if let Some(finding) = self.summary.findings.last() {
                    print_finding(&mut self.out, finding, self.paint)?;
                    let failure = (finding.package.clone(), finding.message.clone());
                    self.failures.insert(failure);
                }
            }
            Event::SubmissionFinished(finished) if self.style.is_matrix() => {
                if self.pending.as_ref() != Some(&finished.package) {
                    self.print_matrix()?;
                }
                self.pending = Some(finished.package.clone());
            }
            Event::SubmissionFinished(finished) => {
                let package = self.summary.package(&finished.package);
                let last = package.map_or(0, |package| package.finished.len());
                self.print_submission(&finished.package, last.saturating_sub(1))?;
            }
            Event::RunFinished { .. } => self.print_end()?,
            _ => {}
        }
        Ok(())
    }
}

fn print_finding(out: &mut impl Write, finding: &FindingSummary, paint: Paint) -> io::Result<()> {
    let severity = match finding.is_error {
        true => paint.verdict_text(Verdict::WrongAnswer, "error"),
        false => paint.verdict_text(Verdict::TimeLimitExceeded, "warning"),
    };
    // A finding about the whole package has no path.
    let place = match finding.place.as_str() {
        "" => finding.package.clone(),
        place => format!("{}: {place}", finding.package),
    };
    writeln!(out, "{severity}: {place}: {}", finding.message)?;
    match &finding.remedy {
        Some(remedy) => writeln!(out, "  help: {remedy}"),
        None => Ok(()),
    }
}

/// Id, name and limits of a package; the limits are below if they do not fit. The name of a plain
/// folder is its id, which is written once.
fn heading(package: &PackageSummary, paint: Paint, columns: usize) -> String {
    let time = match package.time_limit_s {
        Some(s) => format!("{}{}", seconds(s), package.time_limit_note),
        None => "time limit derived".to_owned(),
    };
    let limits = format!(
        "({time}, {}{}, {})",
        bytes(package.memory_limit_bytes),
        package.memory_limit_note,
        plural(package.cases.len(), "case")
    );
    let name = match package.name == package.id {
        true => String::new(),
        false => format!("  {}", package.name),
    };
    let used = width(&package.id) + width(&name) + 1 + width(&limits);
    let name = format!("{}{name}", paint.bold(&package.id));
    match used <= columns {
        true => format!("{name} {}", paint.dim(&limits)),
        false => {
            let limits = wrapped(&limits, columns.saturating_sub(4));
            let lines: Vec<String> = limits.lines().map(|line| paint.dim(line)).collect();
            format!("{name}\n{}", indented(&lines.join("\n"), 4).trim_end())
        }
    }
}
