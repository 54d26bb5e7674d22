//! `judge compare`: two runs side by side, from the files that `--json` wrote.

use super::args::CompareArgs;
use super::output::{paint, print};
use crate::error::{Failure, exit_status};
use crate::event::{CaseFinished, Event};
use crate::report::{Paint, plain, plural, seconds, table};
use crate::statistics::{Ratio, median, ratio};
use crate::text::printable_name;
use crate::verdict::Verdict;
use std::collections::BTreeMap;
use std::path::Path;

/// One run of the judge.
#[derive(Default)]
struct RunFile {
    /// Whether the time limit was counted in instructions, which then are compared.
    counts_instructions: bool,
    /// Package and name -> the judged submission, in the order of the report.
    submissions: Vec<((String, String), Judged)>,
}

/// A submission of a run.
#[derive(Default)]
struct Judged {
    verdict: Option<Verdict>,
    cases: Vec<CaseFinished>,
}

/// Prints the comparison. The exit status is 1 if something that was accepted is not any more.
pub fn compare(args: &CompareArgs) -> Result<u8, Failure> {
    let (before, after) = (read(&args.before)?, read(&args.after)?);
    if before.counts_instructions != after.counts_instructions {
        return Err(Failure::usage(
            "one run has --clock instructions and the other has not: their figures cannot be \
             compared\n  help: run both with the same clock",
        ));
    }
    let paint = paint(args.color);
    let mut is_worse = false;
    let mut text = String::new();
    let pairs = pairs(&before, &after);
    if pairs.is_empty() {
        return Err(Failure::usage(format!(
            "{} and {} have no submission and package in common\n  help: compare runs over the same \
             packages",
            args.before.display(),
            args.after.display()
        )));
    }
    for (one, other) in &pairs {
        let compared = Compared::new(&one.1, &other.1, before.counts_instructions);
        is_worse |= compared.is_worse();
        let (package, name) = (&one.0.0, &one.0.1);
        let names = match *name == other.0.1 {
            true => name.clone(),
            false => format!("{name} -> {}", other.0.1),
        };
        text.push_str(&paint.bold(&printable_name(&format!("{package}  {names}"))));
        text.push('\n');
        compared.write(&mut text, paint);
    }
    for (which, run, is_first) in [(&args.before, &before, true), (&args.after, &after, false)] {
        for (key, _) in &run.submissions {
            let is_paired = pairs.iter().any(|(one, other)| match is_first {
                true => one.0 == *key,
                false => other.0 == *key,
            });
            if !is_paired {
                let (package, name) = (printable_name(&key.0), printable_name(&key.1));
                text.push_str(&format!("only in {}: {package}  {name}\n", which.display()));
            }
        }
    }
    print(&text)?;
    Ok(match is_worse {
        true => exit_status::NOT_AS_EXPECTED,
        false => exit_status::AS_EXPECTED,
    })
}

type Named = ((String, String), Judged);

/// The submissions to compare: those of the same name, and the only one of a package on both sides.
fn pairs<'r>(before: &'r RunFile, after: &'r RunFile) -> Vec<(&'r Named, &'r Named)> {
    let of = |run: &'r RunFile, package: &str| -> Vec<&'r Named> {
        let all = run.submissions.iter();
        all.filter(|(key, _)| key.0 == package).collect()
    };
    before
        .submissions
        .iter()
        .filter_map(|one| {
            let same = after.submissions.iter().find(|other| other.0 == one.0);
            let other = same.or_else(|| match of(after, &one.0.0).as_slice() {
                [only] if of(before, &one.0.0).len() == 1 => Some(only),
                _ => None,
            })?;
            Some((one, other))
        })
        .collect()
}

/// Reads a file of events.
fn read(path: &Path) -> Result<RunFile, Failure> {
    let broken = |what: String| {
        Failure::usage(format!(
            "{}: {what}\n  help: write it with judge run --json FILE",
            path.display()
        ))
    };
    let text = std::fs::read_to_string(path).map_err(|e| broken(e.to_string()))?;
    let mut run = RunFile::default();
    let mut is_complete = false;
    for (number, line) in text.lines().enumerate() {
        let event = serde_json::from_str::<Event>(line)
            .map_err(|e| broken(format!("line {}: not an event: {e}", number + 1)))?;
        match event {
            Event::RunStarted(started) => {
                run.counts_instructions = started.instructions_per_second.is_some();
            }
            Event::CaseFinished(case) => {
                let key = (case.package.clone(), case.submission.clone());
                run.of(key).cases.push(case);
            }
            Event::SubmissionFinished(submission) => {
                let key = (submission.package, submission.submission);
                run.of(key).verdict = submission.verdict;
            }
            Event::RunFinished { .. } => is_complete = true,
            _ => {}
        }
    }
    match is_complete {
        true => Ok(run),
        false => Err(broken("has no end: the run was not completed".to_owned())),
    }
}

impl RunFile {
    fn of(&mut self, key: (String, String)) -> &mut Judged {
        let known = self.submissions.iter().position(|(own, _)| *own == key);
        let at = known.unwrap_or_else(|| {
            self.submissions.push((key, Judged::default()));
            self.submissions.len() - 1
        });
        &mut self.submissions[at].1
    }
}

/// Two submissions, or the same one in two runs.
struct Compared<'a> {
    verdicts: (Option<Verdict>, Option<Verdict>),
    cases: Vec<ComparedCase<'a>>,
    /// Of all cases that have the same verdict in both.
    ratio: Option<Ratio>,
    /// Cases of only one of them.
    missing: usize,
    instructions: bool,
}

struct ComparedCase<'a> {
    before: &'a CaseFinished,
    after: &'a CaseFinished,
    ratio: Option<Ratio>,
}

impl<'a> Compared<'a> {
    fn new(before: &'a Judged, after: &'a Judged, instructions: bool) -> Self {
        let by_name: BTreeMap<&str, &CaseFinished> = after
            .cases
            .iter()
            .map(|case| (case.case.as_str(), case))
            .collect();
        let mut measured = Vec::new();
        let mut cases = Vec::new();
        for case in &before.cases {
            let Some(other) = by_name.get(case.case.as_str()) else {
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
                before: case,
                after: other,
                ratio,
            });
        }
        Compared {
            verdicts: (before.verdict, after.verdict),
            missing: before.cases.len() + after.cases.len() - 2 * cases.len(),
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
                (false, true) => crate::report::millions(median(&figures)),
                (false, false) => seconds(median(&figures)),
            }
        });
        Some(vec![
            plain(printable_name(&case.before.case).into_owned()),
            verdicts,
            plain(format!("{} -> {}", times[0], times[1])),
            plain(clear.map_or_else(String::new, |ratio| ratio.to_string())),
        ])
    }
}
