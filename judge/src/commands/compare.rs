//! `judge compare`: two runs side by side, from the files that `--json` wrote.

use super::args::CompareArgs;
use judge_core::error::{Failure, exit_status};
use judge_core::figures::{plural, seconds};
use judge_core::results::{CaseResult, PackageResults, RunResults, SubmissionResults};
use judge_core::statistics::{Ratio, median, ratio};
use judge_core::untrusted::Name;
use judge_core::verdict::Verdict;
use judge_report::event::{Event, Reader};
use judge_report::{Paint, plain, table};
use judge_session::output::{paint, print};
use std::collections::HashMap;
use std::path::Path;

/// A judged submission of a run.
#[derive(Clone, Copy)]
struct Judged<'r> {
    package: &'r PackageResults,
    of: &'r SubmissionResults,
}

/// Prints the comparison. The exit status is 1 if something that was accepted is not any more.
pub fn compare(args: &CompareArgs) -> Result<u8, Failure> {
    let (before, after) = (read(&args.before)?, read(&args.after)?);
    let counts_instructions = |run: &RunResults| run.started.instructions_per_second.is_some();
    let instructions = counts_instructions(&before);
    if instructions != counts_instructions(&after) {
        return Err(Failure::usage(
            "one run has --clock instructions and the other has not: their figures cannot be \
             compared",
        )
        .help("run both with the same clock"));
    }
    let paint = paint(args.color);
    let mut is_worse = false;
    let mut text = String::new();
    let (before, after) = (judged(&before), judged(&after));
    let pairs = pairs(&before, &after);
    if pairs.is_empty() {
        return Err(Failure::usage(format!(
            "{} and {} have no submission and package in common",
            args.before.display(),
            args.after.display()
        ))
        .help("compare runs over the same packages"));
    }
    for (one, other) in &pairs {
        let compared = Compared::new(*one, *other, instructions);
        is_worse |= compared.is_worse();
        let (name, other) = (one.name(), other.name());
        let names = match name == other {
            true => name.to_string(),
            false => format!("{name} -> {other}"),
        };
        text.push_str(&paint.bold(&format!("{}  {names}", one.id())));
        text.push('\n');
        compared.write(&mut text, paint);
    }
    for (which, run, is_first) in [(&args.before, &before, true), (&args.after, &after, false)] {
        for judged in run {
            let is_paired = pairs.iter().any(|(one, other)| match is_first {
                true => one.is(*judged),
                false => other.is(*judged),
            });
            if !is_paired {
                let (package, name) = (judged.id(), judged.name());
                text.push_str(&format!("only in {}: {package}  {name}\n", which.display()));
            }
        }
    }
    print(&text)?;
    Ok(exit_status::of(!is_worse))
}

impl<'r> Judged<'r> {
    fn id(self) -> &'r Name {
        &self.package.about.id
    }

    fn name(self) -> &'r Name {
        &self.of.planned.name
    }

    fn is(self, other: Judged<'_>) -> bool {
        self.id() == other.id() && self.name() == other.name()
    }

    fn verdict(self) -> Option<Verdict> {
        self.of.finished().and_then(|finished| finished.verdict)
    }
}

/// The submissions that were judged or skipped, in the order of the plan.
fn judged(run: &RunResults) -> Vec<Judged<'_>> {
    let all = run.packages.iter().flat_map(|package| {
        let submissions = package.submissions.iter();
        submissions.map(move |of| Judged { package, of })
    });
    let was_judged =
        |judged: &Judged<'_>| judged.of.finished.is_some() || judged.of.results().next().is_some();
    all.filter(was_judged).collect()
}

/// The submissions to compare: those of the same name, and the only one of a package on both sides.
fn pairs<'r>(before: &[Judged<'r>], after: &[Judged<'r>]) -> Vec<(Judged<'r>, Judged<'r>)> {
    let of = |run: &[Judged<'r>], package: &Name| -> Vec<Judged<'r>> {
        let all = run.iter().copied();
        all.filter(|judged| judged.id() == package).collect()
    };
    before
        .iter()
        .filter_map(|one| {
            let same = after.iter().copied().find(|other| other.is(*one));
            let other = same.or_else(|| match of(after, one.id()).as_slice() {
                [only] if of(before, one.id()).len() == 1 => Some(*only),
                _ => None,
            })?;
            Some((*one, other))
        })
        .collect()
}

/// Reads a file of events.
fn read(path: &Path) -> Result<RunResults, Failure> {
    let broken = |what: String| {
        Failure::usage(format!("{}: {what}", path.display()))
            .help("write it with judge run --json FILE")
    };
    let text = std::fs::read_to_string(path).map_err(|e| broken(e.to_string()))?;
    let mut reader = Reader::default();
    for (number, line) in text.lines().enumerate() {
        let event = serde_json::from_str::<Event>(line)
            .map_err(|e| broken(format!("line {}: not an event: {e}", number + 1)))?;
        reader.event(event, &mut |_, _| {});
    }
    let run = reader.into_results();
    match run.end {
        Some(_) => Ok(run),
        None => Err(broken("has no end: the run was not completed".to_owned())),
    }
}

/// Two submissions, or the same one in two runs.
struct Compared<'a> {
    verdicts: (Option<Verdict>, Option<Verdict>),
    cases: Vec<ComparedCase<'a>>,
    /// Of all cases that have the same verdict in both.
    ratio: Option<Ratio>,
    /// Number of cases that only one of the two has.
    missing: usize,
    instructions: bool,
}

struct ComparedCase<'a> {
    name: &'a Name,
    before: &'a CaseResult,
    after: &'a CaseResult,
    ratio: Option<Ratio>,
}

impl<'a> Compared<'a> {
    fn new(before: Judged<'a>, after: Judged<'a>, instructions: bool) -> Self {
        let verdicts = (before.verdict(), after.verdict());
        let before = before.package.judged(before.of);
        let after = after.package.judged(after.of);
        let by_name: HashMap<&Name, &CaseResult> = after.iter().copied().collect();
        let mut measured = Vec::new();
        let mut cases = Vec::new();
        for (name, case) in &before {
            let Some(other) = by_name.get(name) else {
                continue;
            };
            let pair = (case.figures(instructions), other.figures(instructions));
            // A case that fails ends early, so its time says nothing about the other program's.
            let ratio = (case.verdict == other.verdict)
                .then(|| ratio(std::slice::from_ref(&pair)))
                .flatten();
            if ratio.is_some() {
                measured.push(pair);
            }
            cases.push(ComparedCase {
                name,
                before: case,
                after: other,
                ratio,
            });
        }
        Compared {
            verdicts,
            missing: before.len() + after.len() - 2 * cases.len(),
            ratio: ratio(&measured),
            cases,
            instructions,
        }
    }

    fn is_worse(&self) -> bool {
        let accepted = Verdict::Accepted;
        let (before, after) = self.verdicts;
        before == Some(accepted) && after != Some(accepted)
            || self
                .cases
                .iter()
                .any(|case| case.before.verdict == accepted && case.after.verdict != accepted)
    }

    fn write(&self, text: &mut String, paint: Paint) {
        let shown = |verdict: Option<Verdict>| match verdict {
            Some(verdict) => paint.code(verdict).0,
            None => "skipped".to_owned(),
        };
        let (before, after) = self.verdicts;
        match before == after {
            true => text.push_str(&format!("  verdict  {} in both\n", shown(before))),
            false => text.push_str(&format!(
                "  verdict  {} -> {}\n",
                shown(before),
                shown(after)
            )),
        }
        let unit = match self.instructions {
            true => "instructions",
            false => "CPU time",
        };
        let times = match &self.ratio {
            None => ": no case with the same verdict to compare".to_owned(),
            Some(ratio) => format!("  {}", ratio.words()),
        };
        text.push_str(&format!("  {unit}{times}\n"));
        if self.missing > 0 {
            text.push_str(&format!(
                "  only in one of the runs: {}\n",
                plural(self.missing, "case")
            ));
        }
        let rows: Vec<Vec<(String, usize)>> = self
            .cases
            .iter()
            .filter_map(|case| self.row(case, paint))
            .collect();
        text.push_str(&table(&rows, &[false, false, true, true], 4));
    }

    /// A row for a case whose verdict or time differs.
    fn row(&self, case: &ComparedCase<'_>, paint: Paint) -> Option<Vec<(String, usize)>> {
        let (before, after) = (case.before.verdict, case.after.verdict);
        let clear = case.ratio.filter(Ratio::is_clear);
        if before == after && clear.is_none() {
            return None;
        }
        let verdicts = match before == after {
            true => paint.code(before),
            false => {
                let ((one, width), (other, more)) = (paint.code(before), paint.code(after));
                (format!("{one} -> {other}"), width + more + " -> ".len())
            }
        };
        let times = [case.before, case.after].map(|case| {
            let figures = case.figures(self.instructions);
            match (figures.is_empty(), self.instructions) {
                (true, _) => "-".to_owned(),
                (false, true) => judge_core::figures::millions(median(&figures)),
                (false, false) => seconds(median(&figures)),
            }
        });
        Some(vec![
            plain(case.name.to_string()),
            verdicts,
            plain(format!("{} -> {}", times[0], times[1])),
            plain(clear.map_or_else(String::new, |ratio| ratio.to_string())),
        ])
    }
}
