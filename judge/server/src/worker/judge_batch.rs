//! Judges a part of the cases of a submission; the coordinator gets each event and grades.

use super::coordinator::{Attempt, Batch, Report, SentProgram};
use super::progress::{Pace, Progress, longest_silence};
use super::sources::write_sources;
use super::{Context, Outcome, Turn, turn};
use judge::error::Failure;
use judge::event::Event;
use judge::judging::{self, Clock, Overrides, Plan, PlanEntry, Seat, Settings};
use judge::package::{Expectation, Package, TestCase, TimeLimit};
use judge::submission::{Source, Submission};
use judge::verdict::Verdict;
use judge_sandbox::TempDirectory;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Judges the batch on the worker's core.
///
/// # Errors
///
/// Why the judge failed; another attempt may succeed.
pub fn judge(
    context: &Context,
    turn: &Turn,
    progress: &Progress,
    attempt: &dyn Attempt,
    work: &Batch,
) -> Result<Outcome, String> {
    if !turn.begin() {
        return Ok(Outcome::Interrupted);
    }
    let toolchain = &context.toolchain;
    let shared = attempt.package(&work.tree, &context.settings(), toolchain)?;
    let directory = TempDirectory::new("submission").map_err(|e| e.to_string())?;
    let path = match &work.program {
        SentProgram::Packaged(inside) => shared.root.join(inside),
        SentProgram::Files(files) => written(attempt, &directory.path().join("own"), files)?,
    };
    let mut package = Package::clone(&shared);
    let settings = settings(context, turn, attempt, work);
    let limit = Duration::from_secs_f64(work.time_limit_s);
    package.limits.time = TimeLimit::Given(limit.max(settings.overrides.time.unwrap_or_default()));
    progress.expect(longest_silence(&package));
    package.limits.time = TimeLimit::Given(limit);
    if let Some(files) = &work.checker {
        let checker = written(attempt, &directory.path().join("checker"), files)?;
        if let Err(error) = package.override_checker(&checker) {
            return Ok(Outcome::Hopeless(error.to_string()));
        }
    }
    if settings.counts_instructions() {
        judging::layers(&settings).map_err(|e| e.to_string())?;
    }
    let wanted: HashSet<usize> = work.cases.iter().copied().collect();
    let all = package.judged_cases().into_iter();
    let cases: Vec<TestCase> = all.filter(|c| wanted.contains(&c.id.0)).cloned().collect();
    if cases.len() != wanted.len() {
        let what = "the package has other cases here: its generators differ between machines";
        return Ok(Outcome::Hopeless(what.to_owned()));
    }
    let plan = plan(package, cases, path, work);

    let mut compiled = None;
    let mut failed = None;
    let mut verdict = None;
    let mut pace = Pace::start();
    let mut on_event = |event: Event| {
        progress.touch();
        match event {
            Event::CompileFinished { ok, .. } => {
                pace = Pace::start();
                let event = Box::new(event);
                match ok {
                    true => attempt.send(Report::Event(event)),
                    // The verdict says why there is no program.
                    false => compiled = Some(event),
                }
            }
            // Another attempt may succeed.
            Event::CaseFinished(case) if case.machine_failed => failed = case.message,
            Event::CaseFinished(_) => {
                if pace.one_of(work.cases.len()) <= turn::AHEAD {
                    turn.expect_end();
                }
                attempt.send(Report::Event(Box::new(event)));
            }
            Event::SubmissionFinished(submission) => verdict = Some(submission.verdict),
            _ => {}
        }
    };
    let summary = judging::run(&plan, &settings, toolchain, &mut on_event);
    turn.end();
    if judge_sandbox::interrupted() {
        return Ok(Outcome::Interrupted);
    }
    match summary {
        Ok(_) => {}
        Err(failure @ (Failure::Package(_) | Failure::Usage(_))) => {
            return Ok(Outcome::Hopeless(failure.to_string()));
        }
        Err(failure) => return Err(failure.to_string()),
    }
    if let Some(message) = failed {
        attempt.flush()?;
        return Err(message);
    }
    match (verdict, compiled) {
        (None, _) => return Err("judging ended without a verdict".to_owned()),
        (Some(Some(Verdict::JudgeError)), Some(compiled)) => {
            let Event::CompileFinished { message, .. } = *compiled else {
                return Err("the judge failed".to_owned());
            };
            return Err(message.unwrap_or_default());
        }
        (Some(_), Some(compiled)) => attempt.send(Report::Event(compiled)),
        (Some(_), None) => {}
    }
    attempt.keep(Report::Ended)?;
    Ok(Outcome::Done)
}

fn settings(context: &Context, turn: &Turn, attempt: &dyn Attempt, work: &Batch) -> Settings {
    Settings {
        seat: Some(Seat {
            core: turn.core().number(),
            gate: context.gate.clone(),
        }),
        part: Some(attempt.part()),
        overrides: Overrides {
            time: work.overrides.time_s.map(Duration::from_secs_f64),
            memory: work.overrides.memory,
        },
        clock: match work.instructions_per_second {
            None => Clock::Cpu,
            Some(per_second) => Clock::Instructions { per_second },
        },
        ..context.settings()
    }
}

/// Writes files; returns the file, or the directory, that all of them are in or are.
fn written(
    attempt: &dyn Attempt,
    dir: &Path,
    files: &[crate::store::SourceFile],
) -> Result<PathBuf, String> {
    write_sources(attempt, dir, files)?;
    let first = files.first().ok_or("a program without files")?;
    let top = Path::new(&first.name).iter().next().unwrap_or_default();
    Ok(dir.join(top))
}

fn plan(package: Package, cases: Vec<TestCase>, path: PathBuf, work: &Batch) -> Plan {
    let expected = match work.may_be_slow {
        true => Expectation::default(),
        false => Expectation::accepted(),
    };
    let submission = Submission {
        name: work.submission.clone(),
        source: Source::Code {
            path,
            language: work.language.clone(),
            entry_point: work.entry_point.clone(),
        },
        // Whether the verdicts are the expected ones is for the coordinator to say.
        rules: Vec::new(),
        expected,
        time_limit: Some(Duration::from_secs_f64(work.time_limit_s)),
    };
    Plan {
        entries: vec![PlanEntry::new(package, cases, [submission])],
    }
}
