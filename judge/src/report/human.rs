//! Text tables for the terminal.

use super::comparison;
use super::package_summary::{CaseSummary, FindingSummary, PackageSummary, RunSummary};
use super::text::{Paint, bytes, millions, points, seconds, table};
use super::{Report, lacking};
use crate::event::{Event, LimitOrigin, SubmissionFinished};
use crate::text::printable;
use crate::verdict::Verdict;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// How much is printed about a submission.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Every case.
    Cases,
    /// The cases that were not accepted, and at the end a table comparing the submissions.
    Comparison,
    /// The cases that were unexpectedly not accepted.
    Surprises,
}

/// Prints a block for each finished submission, and the comparison and a summary at the end.
pub struct Human<W> {
    out: W,
    paint: Paint,
    style: Style,
    /// Width of the terminal in columns.
    width: usize,
    summary: RunSummary,
    /// The package whose heading was printed last.
    heading: Option<String>,
    /// Missing layers of the sandbox; printed once, at the end.
    degraded: Vec<String>,
    /// Judge errors already printed, by package: a validator that cannot be built fails every case
    /// of every submission with the same long message.
    failures: BTreeSet<(String, String)>,
    /// If the clock counts instructions: the number per second.
    instructions_per_second: Option<f64>,
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
            degraded: Vec::new(),
            failures: BTreeSet::new(),
            instructions_per_second: None,
        }
    }

    /// Prints the submission of package `id` that finished last.
    fn print_submission(&mut self, id: &str) -> io::Result<()> {
        let (paint, style) = (self.paint, self.style);
        let Some(package) = self.summary.package(id) else {
            return Ok(());
        };
        let Some(finished) = package.finished.last() else {
            return Ok(());
        };
        if self.heading.as_deref() != Some(&package.id) {
            if self.heading.is_some() {
                writeln!(self.out)?;
            }
            self.heading = Some(package.id.clone());
            writeln!(self.out, "{}", heading(package, paint))?;
        }
        let mut text = format!("  {}\n", paint.bold(&finished.submission));
        if let Some(message) = package.messages.get(&finished.submission) {
            // Notes such as a replaced interpreter matter only if something went wrong.
            if style != Style::Surprises || !finished.as_expected || finished.verdict.is_none() {
                text.push_str(&indented(message, 4));
            }
        }
        let judged = package.judged(&finished.submission);
        let shown: Vec<(&str, &CaseSummary)> = judged
            .iter()
            .copied()
            .filter(|(_, case)| match style {
                Style::Cases => true,
                Style::Comparison => case.verdict != Verdict::Accepted,
                Style::Surprises => !finished.as_expected && case.verdict != Verdict::Accepted,
            })
            .collect();
        text.push_str(&case_table(&package.id, &shown, paint, &mut self.failures));
        if let Some(message) = &finished.message {
            let is_new = self.failures.insert((package.id.clone(), message.clone()));
            text.push_str(&indented(if is_new { message } else { "as above" }, 4));
        }
        text.push_str(&summary(
            finished,
            &judged,
            package,
            self.instructions_per_second,
            paint,
        ));
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    fn print_end(&mut self, event: &Event) -> io::Result<()> {
        let Event::RunFinished {
            submissions,
            cases,
            as_expected,
            wall_s,
            interrupted,
            warnings,
        } = event
        else {
            return Ok(());
        };
        if *interrupted {
            self.print_unfinished()?;
        }
        if self.style == Style::Comparison {
            for package in &self.summary.packages {
                let text = comparison::render(package, self.paint, self.width);
                self.out.write_all(text.as_bytes())?;
            }
        }
        writeln!(self.out)?;
        for warning in warnings.iter().chain(&self.degraded) {
            let warning = printable(warning.as_bytes());
            writeln!(self.out, "{} {warning}", self.paint.warning("warning:"))?;
        }
        let verdict = if *interrupted {
            self.paint.warning("interrupted")
        } else if *as_expected {
            self.paint
                .verdict_text(Verdict::Accepted, "all as expected")
        } else {
            self.paint
                .verdict_text(Verdict::WrongAnswer, "not as expected")
        };
        writeln!(
            self.out,
            "{verdict}: {}, {} in {}",
            plural(*submissions, "submission"),
            plural(*cases, "case run"),
            seconds(*wall_s)
        )?;
        self.out.flush()
    }

    /// Prints the results of unfinished submissions after an interrupt.
    fn print_unfinished(&mut self) -> io::Result<()> {
        for package in &self.summary.packages {
            for name in package.unfinished() {
                let judged = package.judged(name);
                writeln!(
                    self.out,
                    "  {} ({} of {} cases so far)",
                    self.paint.bold(name),
                    judged.len(),
                    package.cases.len()
                )?;
                let table = case_table(&package.id, &judged, self.paint, &mut self.failures);
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
            Event::RunStarted {
                sandbox,
                instructions_per_second,
                ..
            } => {
                self.instructions_per_second = *instructions_per_second;
                if let Some(lacking) = lacking(sandbox) {
                    self.degraded = vec![format!(
                        "the sandbox is incomplete: {lacking} (run `judge doctor` for remedies)"
                    )];
                }
            }
            Event::Finding { .. } => {
                if let Some(finding) = self.summary.findings.last() {
                    print_finding(&mut self.out, finding, self.paint)?;
                    let failure = (finding.package.clone(), finding.message.clone());
                    self.failures.insert(failure);
                }
            }
            Event::SubmissionFinished(finished) => self.print_submission(&finished.package)?,
            Event::RunFinished { .. } => self.print_end(event)?,
            _ => {}
        }
        Ok(())
    }
}

fn print_finding(out: &mut impl Write, finding: &FindingSummary, paint: Paint) -> io::Result<()> {
    let (severity, color) = match finding.is_error {
        true => ("error", Verdict::WrongAnswer),
        false => ("warning", Verdict::TimeLimitExceeded),
    };
    let severity = paint.verdict_text(color, severity);
    // A finding about the whole package has no path.
    let place = match finding.place.as_str() {
        "" => finding.package.clone(),
        place => format!("{}: {place}", finding.package),
    };
    writeln!(out, "{severity}: {place}: {}", finding.message)?;
    if let Some(remedy) = &finding.remedy {
        writeln!(out, "  help: {remedy}")?;
    }
    Ok(())
}

fn heading(package: &PackageSummary, paint: Paint) -> String {
    let [time_note, memory_note] = package.limits_from.map(LimitOrigin::note);
    let time = match package.time_limit_s {
        Some(s) => format!("{}{time_note}", seconds(s)),
        None => "time limit derived".to_owned(),
    };
    format!(
        "{}  {} {}",
        paint.bold(&package.id),
        package.name,
        paint.dim(&format!(
            "({time}, {}{memory_note}, {})",
            bytes(package.memory_limit_bytes),
            plural(package.cases.len(), "case")
        ))
    )
}

/// The cases with their messages. Judge errors in `failures`, and a long message that equals the
/// previous case's, are printed as "as above".
fn case_table(
    package: &str,
    cases: &[(&str, &CaseSummary)],
    paint: Paint,
    failures: &mut BTreeSet<(String, String)>,
) -> String {
    let plain = |text: String| {
        let width = text.chars().count();
        (text, width)
    };
    let rows: Vec<_> = cases
        .iter()
        .map(|(name, case)| {
            vec![
                (paint.verdict(case.verdict, 3), 3),
                plain((*name).to_owned()),
                plain(case.cpu_s.map_or_else(|| "-".into(), seconds)),
                plain(case.memory_bytes.map_or_else(|| "-".into(), bytes)),
            ]
        })
        .collect();
    let lines = table(&rows, &[false, false, true, true], 4);
    let mut out = String::new();
    let mut before = None;
    for (line, (_, case)) in lines.lines().zip(cases) {
        out.push_str(line);
        out.push('\n');
        let message = std::mem::replace(&mut before, case.message.as_deref());
        let is_repeated = message.is_some_and(|text| text.contains('\n')) && message == before;
        let Some(message) = before else {
            continue;
        };
        let is_printed = is_repeated
            || case.verdict == Verdict::JudgeError
                && !failures.insert((package.to_owned(), message.to_owned()));
        out.push_str(&indented(if is_printed { "as above" } else { message }, 9));
    }
    out
}

/// The slowest case by the ruling clock, and its share of the time limit.
fn slowest(
    judged: &[(&str, &CaseSummary)],
    limit: Option<f64>,
    instructions_per_second: Option<f64>,
) -> Option<String> {
    let used = |case: &CaseSummary| match instructions_per_second {
        Some(_) => case.instructions.map(|count| count as f64),
        None => case.cpu_s,
    };
    let shown = |used: f64| match instructions_per_second {
        Some(_) => millions(used),
        None => seconds(used),
    };
    let unit = instructions_per_second.map_or("", |_| " instructions");
    let (most, case) = judged
        .iter()
        .filter_map(|(name, case)| used(case).map(|used| (used, name)))
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    let share = limit.map_or_else(String::new, |limit| {
        let limit = limit * instructions_per_second.unwrap_or(1.0);
        format!(", {:.0} % of {}", 100.0 * most / limit, shown(limit))
    });
    Some(format!("slowest {}{unit} ({case}{share})", shown(most)))
}

fn summary(
    finished: &SubmissionFinished,
    judged: &[(&str, &CaseSummary)],
    package: &PackageSummary,
    instructions_per_second: Option<f64>,
    paint: Paint,
) -> String {
    let Some(verdict) = finished.verdict else {
        return format!("    {}\n", paint.warning("skipped"));
    };
    let accepted = judged
        .iter()
        .filter(|(_, case)| case.verdict == Verdict::Accepted)
        .count();
    let mut parts = vec![format!("{accepted} of {} cases", package.cases.len())];
    if let Some(score) = finished.score {
        parts.push(format!("{} points", points(score)));
    }
    let limit = finished.time_limit_s.or(package.time_limit_s);
    parts.extend(slowest(judged, limit, instructions_per_second));
    if let Some(most) = finished.max_memory_bytes {
        parts.push(bytes(most));
    }
    if let Some(expected) = &finished.expected
        && (!finished.as_expected || expected != verdict.code())
    {
        parts.push(format!("expected {expected}"));
    }
    let mark = if finished.as_expected {
        ""
    } else {
        "  <-- not as expected"
    };
    format!(
        "    {} {}{}\n",
        paint.verdict(verdict, 3),
        paint.dim(&parts.join(" · ")),
        paint.warning(mark)
    )
}

fn indented(text: &str, by: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        out.push_str(&" ".repeat(by));
        out.push_str(line);
        out.push('\n');
    }
    out
}

fn plural(count: usize, what: &str) -> String {
    match what.split_once(' ') {
        _ if count == 1 => format!("1 {what}"),
        Some((noun, rest)) => format!("{count} {noun}s {rest}"),
        None => format!("{count} {what}s"),
    }
}
