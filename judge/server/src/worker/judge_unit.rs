//! Judges one judging: sources from the blobs, package from its snapshot, results to the recorder.

use super::Context;
use super::progress::Progress;
use crate::metrics::METRICS;
use crate::packages::with_time_limit;
use crate::store::{CaseRow, Finished, JudgingId, JudgingWork, Recorded, SourceFile, Started};
use judge::error::Failure;
use judge::event::{CaseFinished, Event, SubmissionFinished};
use judge::judging::{
    self, Clock, Extent, Overrides, Plan, PlanEntry, PlanSubmission, Seat, Settings,
};
use judge::package::{Expectation, Package, Rule};
use judge::submission::{Source, Submission};
use judge::verdict::Verdict;
use judge_sandbox::TempDirectory;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// How judging a unit ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It has its verdict, or had one, or somebody else judges it.
    Done,
    /// The server stops.
    Interrupted,
    /// The judge failed; another attempt may succeed.
    Failed(String),
    /// The judge cannot judge it, however often it tries.
    Hopeless(String),
}

/// Judges a judging on the worker's core.
pub fn judge_unit(context: &Context, core: usize, progress: &Progress, id: JudgingId) -> Outcome {
    let started = context
        .store
        .start_judging(id, &context.machine, env!("CARGO_PKG_VERSION"));
    let (attempt, work) = match started {
        Ok(Started::Work { attempt, work }) => (attempt, work),
        Ok(Started::Closed) => return Outcome::Done,
        Err(crate::store::Error::NotFound(_)) => return Outcome::Done,
        Err(error) => return Outcome::Failed(error.to_string()),
    };
    judge(context, core, progress, attempt, &work).unwrap_or_else(Outcome::Failed)
}

fn settings(context: &Context, core: usize, work: &JudgingWork, package: &Package) -> Settings {
    Settings {
        jobs: 1,
        mode: context.mode,
        // In a contest the first failure decides; for practice all cases are of interest.
        fail_fast: work.submission.contest.is_some() && !package.kind.scoring,
        extent: Extent::Everything,
        overrides: Overrides::default(),
        clock: Clock::Cpu,
        keep: None,
        seat: Some(Seat {
            core,
            gate: context.gate.clone(),
        }),
    }
}

fn judge(
    context: &Context,
    core: usize,
    progress: &Progress,
    attempt: i64,
    work: &JudgingWork,
) -> Result<Outcome, String> {
    let toolchain = &context.toolchain;
    let package = {
        let settings = context.settings();
        context.packages.get(&work.version, &settings, toolchain)?
    };
    let package = with_time_limit(&package, &work.version);
    progress.expect(super::progress::longest_silence(&package));
    let directory = TempDirectory::new("submission").map_err(|e| e.to_string())?;
    let path = write_sources(context, directory.path(), &work.files)?;
    let settings = settings(context, core, work, &package);
    let derives = package.limits.time.fixed().is_none();
    let plan = plan(package, work, path);

    let index: HashMap<&str, usize> = work
        .version
        .cases
        .iter()
        .map(String::as_str)
        .zip(0..)
        .collect();
    let mut finished = None;
    let mut skipped = None;
    let mut trouble = Trouble::default();
    let mut time_limit = None;
    let mut on_event = |event: Event| {
        progress.touch();
        trouble.notice(&event);
        match event {
            Event::PackageStarted { time_limit_s, .. } => time_limit = time_limit_s.or(time_limit),
            Event::CompileFinished {
                message,
                skipped: true,
                ..
            } => skipped = message,
            Event::CompileFinished { message, .. } => {
                context
                    .recorder
                    .send(work.judging, attempt, Recorded::Compiled(message));
            }
            Event::CaseFinished(case) => {
                if let Some(k) = index.get(case.case.as_str()) {
                    let row = Recorded::Case(case_row(*k, case));
                    context.recorder.send(work.judging, attempt, row);
                }
            }
            Event::SubmissionFinished(submission) => finished = Some(submission),
            _ => {}
        }
    };
    let summary = judging::run(&plan, &settings, toolchain, &mut on_event);
    if judge_sandbox::interrupted() {
        return Ok(Outcome::Interrupted);
    }
    let summary = match summary {
        Ok(summary) => summary,
        Err(failure @ (Failure::Package(_) | Failure::Usage(_))) => {
            return Ok(Outcome::Hopeless(failure.to_string()));
        }
        Err(failure) => return Err(failure.to_string()),
    };
    if let (true, Some(seconds)) = (derives, time_limit) {
        let kept = context.store.set_time_limit(work.version.id, seconds);
        kept.map_err(|e| e.to_string())?;
    }
    let Some(finished) = finished.filter(|_| !summary.interrupted) else {
        return Err("judging ended without a verdict".to_owned());
    };
    match finished.verdict {
        None => Ok(Outcome::Hopeless(format!(
            "the language is not available here: {}",
            skipped.unwrap_or_default()
        ))),
        Some(Verdict::JudgeError) => {
            // The jury sees the cases of the attempt beside the reason.
            context.recorder.flush(work.judging, attempt)?;
            Ok(trouble.outcome(finished.message))
        }
        Some(verdict) => {
            let result = Recorded::Finished(result(verdict, finished));
            // A result that is refused is that of an attempt that somebody else repeats.
            if context.recorder.finish(work.judging, attempt, result)? {
                let verdict = verdict.code();
                METRICS.judged.get_or_create(&[("verdict", verdict)]).inc();
                tracing::info!(submission = work.submission.id.0, verdict, "judged");
            }
            Ok(Outcome::Done)
        }
    }
}

fn plan(package: Package, work: &JudgingWork, path: PathBuf) -> Plan {
    let expected = Expectation::accepted();
    let submission = Submission {
        name: work.submission.id.to_string(),
        // Never an executable, even if the file is one: its language says how it is built.
        source: Source::Code {
            path,
            language: Some(work.submission.language.clone()),
            entry_point: work.submission.entry_point.clone(),
        },
        rules: vec![Rule {
            expected: expected.clone(),
            ..Rule::default()
        }],
        expected,
        time_limit: None,
    };
    let cases = package.judged_cases().into_iter().cloned().collect();
    let entry = PlanEntry {
        package,
        cases,
        submissions: vec![PlanSubmission {
            submission,
            prepared: None,
        }],
    };
    Plan {
        entries: vec![entry],
    }
}

/// Writes the sources into a directory; returns the file, or the directory if there are several.
fn write_sources(context: &Context, dir: &Path, files: &[SourceFile]) -> Result<PathBuf, String> {
    for file in files {
        let content = context.blobs.get(&file.blob);
        let content = content.map_err(|e| format!("failed to read {}: {e}", file.name))?;
        // Names were checked when they were submitted, and are checked again: they become paths.
        let name = Path::new(&file.name)
            .file_name()
            .ok_or("a file without a name")?;
        std::fs::write(dir.join(name), content)
            .map_err(|e| format!("failed to write {}: {e}", file.name))?;
    }
    match files {
        [only] => Ok(dir.join(&only.name)),
        _ => Ok(dir.to_owned()),
    }
}

fn case_row(case: usize, finished: CaseFinished) -> CaseRow {
    CaseRow {
        case,
        verdict: finished.verdict.code().to_owned(),
        cpu_s: finished.cpu_s,
        wall_s: finished.wall_s,
        memory: finished.memory_bytes,
        score: finished.score,
        message: finished.message,
        exit_code: finished.exit_code,
        signal: finished.signal,
        diagnosis: finished.details,
        time_ms: 0,
    }
}

fn result(verdict: Verdict, finished: SubmissionFinished) -> Finished {
    Finished {
        verdict: verdict.code().to_owned(),
        score: finished.score,
        max_cpu_s: finished.max_cpu_s,
        max_memory: finished.max_memory_bytes,
        time_limit_s: finished.time_limit_s,
        reason: finished.message,
    }
}

/// What events say about why the verdict is JE.
#[derive(Default)]
struct Trouble {
    /// The first case with JE: its message, and whether this machine failed and not the package.
    case: Option<(String, bool)>,
    /// What the compiler said.
    compiler: Option<String>,
}

impl Trouble {
    fn notice(&mut self, event: &Event) {
        match event {
            Event::CompileFinished { message, .. } => self.compiler.clone_from(message),
            Event::CaseFinished(case) if case.verdict == Verdict::JudgeError => {
                let message = case.message.clone().unwrap_or_default();
                // One failure of the machine is enough to try again.
                match &mut self.case {
                    Some((_, of_machine)) => *of_machine |= case.machine_failed,
                    None => self.case = Some((message, case.machine_failed)),
                }
            }
            _ => {}
        }
    }

    /// `graded`: why grading failed. A defect of the package stays one, however often it is judged.
    fn outcome(self, graded: Option<String>) -> Outcome {
        match (graded, self.case) {
            (None, Some((message, false))) => Outcome::Hopeless(message),
            (None, Some((message, true))) | (Some(message), _) => Outcome::Failed(message),
            (None, None) => {
                let otherwise = || "the judge failed".to_owned();
                Outcome::Failed(self.compiler.unwrap_or_else(otherwise))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(machine_failed: &[bool], graded: Option<&str>) -> Outcome {
        let mut trouble = Trouble::default();
        for (k, machine_failed) in machine_failed.iter().enumerate() {
            trouble.notice(&Event::CaseFinished(CaseFinished {
                message: Some(format!("message {k}")),
                machine_failed: *machine_failed,
                ..CaseFinished::new("p", "s", "c", Verdict::JudgeError)
            }));
        }
        trouble.outcome(graded.map(str::to_owned))
    }

    #[test]
    fn only_failures_of_the_machine_are_repeated() {
        let first = || "message 0".to_owned();
        assert_eq!(outcome(&[false], None), Outcome::Hopeless(first()));
        assert_eq!(outcome(&[false, false], None), Outcome::Hopeless(first()));
        assert_eq!(outcome(&[true], None), Outcome::Failed(first()));
        assert_eq!(outcome(&[false, true], None), Outcome::Failed(first()));
        let graded = outcome(&[], Some("the grader crashed"));
        assert_eq!(graded, Outcome::Failed("the grader crashed".to_owned()));
    }
}
