//! The result for a person: a block per submission, or for `judge verify` a table per package.

use super::text::{Paint, indented, width, wrapped};
use super::totals::{self, Counts};
use super::{Report, comparison, diagnosis, matrix, rows};
use judge_core::figures::{bytes, plural, seconds};
use judge_core::results::{
    CaseResult, Change, Finding, PackageResults, RunFinished, RunResults, SubmissionKey,
};
use judge_core::untrusted::{Message, Name};
use judge_core::verdict::Verdict;
use judge_package::Severity;
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
    /// The package whose heading was printed last.
    heading: Option<usize>,
    /// The package whose table is not yet printed.
    pending: Option<usize>,
    /// Judge errors already printed, by package: a validator that cannot be built fails every case
    /// of every submission with the same long message.
    failures: BTreeSet<(Name, Message)>,
    /// Whether details of a case were printed last.
    after_block: bool,
    /// Whether findings are broken between words.
    breaks_findings: bool,
    /// Whether the warning about an incomplete sandbox was shown before.
    knows_sandbox: fn(&RunResults) -> bool,
}

impl<W: Write> Human<W> {
    /// A report that writes to `out`; `width` is the terminal's, in columns.
    pub fn new(out: W, paint: Paint, style: Style, width: usize) -> Self {
        Human {
            out,
            paint,
            style,
            width,
            heading: None,
            pending: None,
            failures: BTreeSet::new(),
            after_block: false,
            breaks_findings: false,
            knows_sandbox: |_| false,
        }
    }

    /// Breaks findings between words, as on a terminal; elsewhere each has one line, which is easier to search.
    #[must_use]
    pub fn breaking_findings(self, breaks_findings: bool) -> Self {
        Human {
            breaks_findings,
            ..self
        }
    }

    /// Leaves out the warning about an incomplete sandbox, if the user has seen it already.
    #[must_use]
    pub fn knowing_sandbox(self, knows_sandbox: fn(&RunResults) -> bool) -> Self {
        Human {
            knows_sandbox,
            ..self
        }
    }

    /// Prints the heading of a package, unless it was printed last.
    fn print_heading(&mut self, results: &RunResults, index: usize) -> io::Result<()> {
        if self.heading == Some(index) {
            return Ok(());
        }
        if self.heading.is_some() {
            self.after_block = false;
            writeln!(self.out)?;
        }
        self.heading = Some(index);
        let package = &results.packages[index];
        writeln!(self.out, "{}", heading(package, self.paint, self.width))
    }

    fn print_submission(&mut self, results: &RunResults, at: SubmissionKey) -> io::Result<()> {
        self.print_heading(results, at.package)?;
        let (paint, style) = (self.paint, self.style);
        let (package, of) = (results.package(at), results.submission(at));
        let Some(finished) = of.finished() else {
            return Ok(());
        };
        let mut text = format!("  {}\n", paint.bold(&of.planned.name.shown()));
        if let Some(message) = of.compiler_message() {
            // Notes such as a replaced interpreter matter only if something went wrong.
            if style != Style::Surprises || !finished.as_expected || finished.verdict.is_none() {
                // A compiler's message is copied unchanged, a note is a sentence.
                let message = message.shown();
                let is_note = finished.verdict != Some(Verdict::CompileError);
                text.push_str(&match is_note {
                    true => indented(&wrapped(&message, self.width.saturating_sub(4)), 4),
                    false => indented(&message, 4),
                });
            }
        }
        let judged = package.judged(of);
        let is_long = style == Style::Cases && of.cases.len() > FEW_CASES;
        let failed = |case: &CaseResult| !case.is_accepted();
        let mut shown: Vec<(&Name, &CaseResult)> = judged
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
        let explained = |(_, case): &&(&Name, &CaseResult)| {
            let is_failure = failed(case) && !finished.as_expected;
            let is_shown = is_failure && case.verdict != Verdict::JudgeError;
            is_shown || totals::is_unchecked(case)
        };
        let most = if style.is_verbose() { usize::MAX } else { 1 };
        let explained: Vec<_> = judged.iter().filter(explained).take(most).collect();
        let names: Vec<&Name> = explained.iter().map(|(name, _)| *name).collect();
        let (id, failures) = (&package.about.id, &mut self.failures);
        let table = rows::case_table(id, &shown, &names, self.width, paint, failures);
        text.push_str(&table);
        if left_out > 0 {
            let note = format!("and {left_out} more that failed; -v shows all");
            text.push_str(&indented(&paint.dim(&note), 4));
        }
        if is_long {
            text.push_str(&rows::strip(of, paint, self.width));
        }
        if let Some(message) = &finished.message {
            let failure = (package.about.id.clone(), message.clone());
            let is_new = self.failures.insert(failure);
            let message = message.shown();
            text.push_str(&indented(if is_new { &message } else { "as above" }, 4));
        }
        let verifies = style.is_matrix();
        let summary = rows::summary(results, at, &judged, verifies, paint, self.width);
        text.push_str(&summary);
        for (name, case) in &explained {
            let command = totals::command_for(results, package, of, name);
            text.push_str(&diagnosis::block(name, case, &command, paint, self.width));
        }
        if std::mem::replace(&mut self.after_block, !explained.is_empty()) {
            text.insert(0, '\n');
        }
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// Prints the table of the package that is complete, and its unexpected submissions.
    fn print_matrix(&mut self, results: &RunResults) -> io::Result<()> {
        let Some(index) = self.pending.take() else {
            return Ok(());
        };
        self.print_heading(results, index)?;
        let package = &results.packages[index];
        let per_second = results.started.instructions_per_second;
        let text = matrix::render(package, per_second, self.paint, self.width);
        self.out.write_all(text.as_bytes())?;
        self.after_block = true;
        for (submission, of) in package.submissions.iter().enumerate() {
            let is_notable = of.finished().is_some_and(|finished| {
                self.style.is_verbose() || !finished.as_expected || finished.verdict.is_none()
            });
            if is_notable {
                let package = index;
                let at = SubmissionKey {
                    package,
                    submission,
                };
                self.print_submission(results, at)?;
            }
        }
        self.out.flush()
    }

    fn print_end(&mut self, results: &RunResults, end: &RunFinished) -> io::Result<()> {
        self.print_matrix(results)?;
        if end.interrupted {
            self.print_unfinished(results)?;
        }
        if self.style == Style::Comparison {
            for package in &results.packages {
                let text = comparison::render(package, self.paint, self.width);
                self.out.write_all(text.as_bytes())?;
            }
        }
        writeln!(self.out)?;
        for warning in totals::warnings(results, end, (self.knows_sandbox)(results)) {
            let text = wrapped(&warning, self.width.saturating_sub("warning: ".len()));
            let label = self.paint.warning("warning:");
            let text = indented(&text, "warning: ".len());
            writeln!(self.out, "{label} {}", text.trim())?;
        }
        let counts = totals::counts(results, end);
        let words = self.end_words(results, end, &counts);
        let skipped = counts.skipped;
        let mut counts = format!(
            "{} in {}{}",
            counts.run,
            seconds(end.wall_s),
            counts.unchecked
        );
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
            style if style.is_matrix() && !end.interrupted => wrong(results),
            _ => Vec::new(),
        };
        if wrong.is_empty() {
            let line = wrapped(&format!("{words}: {counts}"), self.width);
            writeln!(self.out, "{line}")?;
        } else {
            writeln!(self.out, "{counts}\n{words}:")?;
            for line in wrong {
                let line = wrapped(&line, self.width.saturating_sub(2));
                write!(self.out, "{}", indented(&line, 2))?;
            }
        }
        self.out.flush()
    }

    fn end_words(&self, results: &RunResults, end: &RunFinished, counts: &Counts) -> String {
        let paint = self.paint;
        if end.interrupted {
            return paint.warning("interrupted");
        }
        let mut wanted = results.finished().map(|(of, _)| of.planned.wanted());
        let is_plain = |wanted: &[Verdict]| wanted == [Verdict::Accepted];
        let contestant = !self.style.is_matrix() && wanted.all(is_plain);
        match (end.as_expected, contestant) {
            (true, _) if counts.are_unchecked => paint.warning(totals::UNCHECKED),
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

    /// Prints the results of unfinished submissions after an interrupt.
    fn print_unfinished(&mut self, results: &RunResults) -> io::Result<()> {
        for (index, package) in results.packages.iter().enumerate() {
            for of in package.unfinished() {
                self.print_heading(results, index)?;
                let judged = package.judged(of);
                writeln!(
                    self.out,
                    "  {} ({} of {} so far)",
                    self.paint.bold(&of.planned.name.shown()),
                    judged.len(),
                    plural(of.cases.len(), "case")
                )?;
                let (id, failures) = (&package.about.id, &mut self.failures);
                let table = rows::case_table(id, &judged, &[], self.width, self.paint, failures);
                self.out.write_all(table.as_bytes())?;
            }
        }
        Ok(())
    }
}

/// The reasons why the packages are not as expected.
fn wrong(results: &RunResults) -> Vec<String> {
    let mut all: Vec<String> = results.packages.iter().flat_map(matrix::wrong).collect();
    for id in results.ids() {
        let is_error =
            |finding: &&Finding| finding.severity == Severity::Error && finding.package == *id;
        let errors = results.findings.iter().filter(is_error).count();
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

impl<W: Write> Report for Human<W> {
    fn change(&mut self, change: &Change, results: &RunResults) -> io::Result<()> {
        match change {
            Change::Finding(finding) => {
                let columns = self.breaks_findings.then_some(self.width);
                print_finding(&mut self.out, finding, self.paint, columns)?;
                let failure = (finding.package.clone(), finding.message.clone());
                self.failures.insert(failure);
            }
            Change::SubmissionFinished(at, _) if self.style.is_matrix() => {
                if self.pending != Some(at.package) {
                    self.print_matrix(results)?;
                }
                self.pending = Some(at.package);
            }
            Change::SubmissionFinished(at, _) => self.print_submission(results, *at)?,
            Change::RunFinished(end) => self.print_end(results, end)?,
            _ => {}
        }
        Ok(())
    }
}

/// Prints a finding, broken between words if the number of columns is given.
fn print_finding(
    out: &mut impl Write,
    finding: &Finding,
    paint: Paint,
    columns: Option<usize>,
) -> io::Result<()> {
    let colour = match finding.severity {
        Severity::Error => Verdict::WrongAnswer,
        Severity::Warning => Verdict::TimeLimitExceeded,
    };
    let severity = totals::severity(finding);
    let painted = paint.verdict_text(colour, severity);
    let broken = |text: String| match columns {
        Some(columns) => wrapped(&text, columns),
        None => text,
    };
    // A finding about the whole package has no path.
    let place = match totals::position(finding).as_str() {
        "" => finding.package.to_string(),
        place => format!("{}: {place}", finding.package),
    };
    let text = broken(format!("{severity}: {place}: {}", finding.message));
    writeln!(out, "{painted}{}", &text[severity.len()..])?;
    match &finding.remedy {
        Some(remedy) => writeln!(out, "{}", broken(format!("  help: {remedy}"))),
        None => Ok(()),
    }
}

/// Id, name and limits of a package; the limits are below if they do not fit. The name of a plain
/// folder is its id, which is written once.
fn heading(package: &PackageResults, paint: Paint, columns: usize) -> String {
    let about = &package.about;
    let [time_note, memory_note] = totals::limit_notes(package);
    let time = match about.time_limit_s {
        Some(s) => format!("{}{time_note}", seconds(s)),
        None => "time limit derived".to_owned(),
    };
    let limits = format!(
        "({time}, {}{memory_note}, {})",
        bytes(about.memory_limit_bytes),
        plural(about.cases.len(), "case")
    );
    let id = about.id.shown();
    let name = match about.title == about.id {
        true => String::new(),
        false => format!("  {}", about.title),
    };
    let used = width(&id) + width(&name) + 1 + width(&limits);
    let name = format!("{}{name}", paint.bold(&id));
    match used <= columns {
        true => format!("{name} {}", paint.dim(&limits)),
        false => {
            let limits = wrapped(&limits, columns.saturating_sub(4));
            let lines: Vec<String> = limits.lines().map(|line| paint.dim(line)).collect();
            format!("{name}\n{}", indented(&lines.join("\n"), 4).trim_end())
        }
    }
}
