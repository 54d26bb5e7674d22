//! Tables for a person.

use super::comparison;
use super::package_summary::{CaseSummary, PackageSummary, place};
use super::text::{Paint, bytes, millions, points, seconds, table};
use super::{Report, fit_to_print, lacking};
use crate::event::{Event, LimitOrigin, SubmissionFinished};
use crate::verdict::Verdict;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// How much is told of a submission.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Every case.
    Cases,
    /// The cases that were not accepted, and at the end a table that compares the submissions.
    Comparison,
    /// The cases that were not accepted, where that was not expected.
    Surprises,
}

/// Prints a block per submission when it is finished, and the comparison and a summary at the end.
pub struct Human<W> {
    out: W,
    paint: Paint,
    style: Style,
    /// Columns of the terminal, for the comparison.
    width: usize,
    packages: Vec<PackageSummary>,
    /// The package whose heading was printed last.
    heading: Option<String>,
    /// What degrades the sandbox, to be told once.
    degraded: Vec<String>,
    /// What keeps the judge from judging, as far as it was told, with the packages: a validator that
    /// cannot be built mostly does so in every case of every submission, at length.
    failures: BTreeSet<(String, String)>,
    /// Where instructions are the clock: how many count as a second.
    instructions_per_second: Option<f64>,
}

impl<W: Write> Human<W> {
    /// A report that writes to `out`; `width` is that of the terminal, in columns.
    pub fn new(out: W, paint: Paint, style: Style, width: usize) -> Self {
        Human {
            out,
            paint,
            style,
            width,
            packages: Vec::new(),
            heading: None,
            degraded: Vec::new(),
            failures: BTreeSet::new(),
            instructions_per_second: None,
        }
    }

    fn package(&mut self, id: &str) -> Option<&mut PackageSummary> {
        self.packages.iter_mut().find(|p| p.id == id)
    }

    fn print_submission(&mut self, finished: &SubmissionFinished) -> io::Result<()> {
        let paint = self.paint;
        if self.heading.as_deref() != Some(&finished.package) {
            let is_first = self.heading.is_none();
            self.heading = Some(finished.package.clone());
            let package = self.packages.iter().find(|p| p.id == finished.package);
            if let Some(package) = package {
                if !is_first {
                    writeln!(self.out)?;
                }
                writeln!(self.out, "{}", heading(package, paint))?;
            }
        }
        let style = self.style;
        let Some(package) = self.packages.iter().find(|p| p.id == finished.package) else {
            return Ok(());
        };
        let mut text = format!("  {}\n", paint.bold(&finished.submission));
        if let Some(message) = package.messages.get(&finished.submission) {
            // Another interpreter stands in, ...: of interest when something went wrong.
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
            let is_told = self
                .failures
                .contains(&(finished.package.clone(), message.clone()));
            text.push_str(&indented(if is_told { "as above" } else { message }, 4));
            self.failures
                .insert((finished.package.clone(), message.clone()));
        }
        text.push_str(&summary(
            finished,
            &judged,
            package,
            self.instructions_per_second,
            paint,
        ));
        self.out.write_all(text.as_bytes())?;
        if let Some(package) = self.package(&finished.package) {
            package.finished.push(finished.clone());
        }
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
            for package in &self.packages {
                let text = comparison::render(package, self.paint, self.width);
                self.out.write_all(text.as_bytes())?;
            }
        }
        writeln!(self.out)?;
        for warning in warnings.iter().chain(&self.degraded) {
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

    /// After an interruption: what is known of submissions that did not come to their end.
    fn print_unfinished(&mut self) -> io::Result<()> {
        for package in &self.packages {
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
        if let Event::CaseStarted { .. } = event {
            return Ok(());
        }
        let event = &*fit_to_print(event);
        match event {
            Event::RunStarted {
                sandbox,
                instructions_per_second,
                ..
            } => {
                self.instructions_per_second = *instructions_per_second;
                if let Some(lacking) = lacking(sandbox) {
                    self.degraded = vec![format!(
                        "the sandbox is not whole: {lacking} (`judge doctor` says how to get it)"
                    )];
                }
            }
            Event::PackageStarted {
                package,
                name,
                time_limit_s,
                memory_limit_bytes,
                time_limit_from,
                memory_limit_from,
                cases,
            } => match self.package(package) {
                // Told again once a derived time limit is known.
                Some(known) => known.time_limit_s = *time_limit_s,
                None => {
                    let limit = *time_limit_s;
                    let mut state =
                        PackageSummary::new(package, name, limit, *memory_limit_bytes, cases);
                    state.limits_from = [*time_limit_from, *memory_limit_from];
                    self.packages.push(state);
                }
            },
            Event::CompileFinished {
                package,
                submission,
                message: Some(message),
                ..
            } => {
                if let Some(state) = self.package(package) {
                    state.messages.insert(submission.clone(), message.clone());
                }
            }
            Event::CaseFinished(case) => {
                if let Some(state) = self.package(&case.package) {
                    state.keep(case);
                }
            }
            Event::SubmissionFinished(finished) => self.print_submission(finished)?,
            Event::RunFinished { .. } => self.print_end(event)?,
            Event::Finding {
                package,
                severity,
                path,
                line,
                column,
                message,
                remedy,
            } => {
                let place = place(path, *line, *column);
                let color = match severity.as_str() {
                    "error" => Verdict::WrongAnswer,
                    _ => Verdict::TimeLimitExceeded,
                };
                let severity = self.paint.verdict_text(color, severity);
                // What is said of the whole package has no path.
                let place = match place.as_str() {
                    "" => package.clone(),
                    place => format!("{package}: {place}"),
                };
                writeln!(self.out, "{severity}: {place}: {message}")?;
                if let Some(remedy) = remedy {
                    writeln!(self.out, "  help: {remedy}")?;
                }
                self.failures.insert((package.clone(), message.clone()));
            }
            Event::CompileFinished { .. } | Event::CaseStarted { .. } => {}
        }
        Ok(())
    }
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

/// The cases, each with what is said of it; of `failures`, and of a long message that the case before
/// had too, it is said that they were told before.
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
        let is_repeated = message.is_some_and(|told| told.contains('\n')) && message == before;
        let Some(message) = before else {
            continue;
        };
        let is_told = is_repeated
            || case.verdict == Verdict::JudgeError
                && !failures.insert((package.to_owned(), message.to_owned()));
        out.push_str(&indented(if is_told { "as above" } else { message }, 9));
    }
    out
}

/// The case that came nearest to the time limit, in seconds, by the clock that rules.
fn slowest(
    judged: &[(&str, &CaseSummary)],
    limit: Option<f64>,
    instructions_per_second: Option<f64>,
) -> Option<String> {
    let used = |case: &CaseSummary| match instructions_per_second {
        Some(_) => case.instructions.map(|count| count as f64),
        None => case.cpu_s,
    };
    let told = |used: f64| match instructions_per_second {
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
        format!(", {:.0} % of {}", 100.0 * most / limit, told(limit))
    });
    Some(format!("slowest {}{unit} ({case}{share})", told(most)))
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
