//! Judges a part of the cases of a submission; the coordinator gets each result and grades.

use super::on_core::{self, OTHER_CASES, OnCore};
use super::sources::write_sources;
use crate::work_protocol::{Attempt, Batch, Outcome, Report, SentProgram};
use judge_core::error::Reason;
use judge_core::judging::{Clock, Plan, PlanEntry, Settings};
use judge_core::results::{CaseResult, Change, Compilation};
use judge_core::submission::{Source, Submission};
use judge_core::untrusted::Message;
use judge_core::verdict::Verdict;
use judge_package::{Expectation, Package, TestCase, TimeLimit};
use judge_tempdir::TempDirectory;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Judges the batch on the worker's core.
/// An error says why the judge failed; another attempt may succeed.
pub fn judge_batch(worker: OnCore<'_>, work: &Batch) -> Result<Outcome, Reason> {
    let attempt = worker.attempt;
    let directory = TempDirectory::new("submission")?;
    let own = write_own(attempt, directory.path(), work)?;
    let settings = settings(worker, work);
    let mut compiled: Option<Arc<Compilation>> = None;
    let mut failed = None;
    let mut verdict = None;
    let report = |report| attempt.reports().send(report);
    let on_change = |plan: &Plan, change: Change| match change {
        // The verdict says why there is no program.
        Change::Compiled(_, own) if !own.ok => compiled = Some(own),
        Change::Compiled(_, own) => report(Report::Compiled(Compilation::clone(&own))),
        // Another attempt may succeed.
        Change::CaseFinished(_, case) if case.machine_failed => failed.clone_from(&case.message),
        Change::CaseFinished(at, result) => {
            let case = plan.entries[0].cases[at.case].id;
            report(Report::Case(case.0, Box::new(CaseResult::clone(&result))));
        }
        Change::SubmissionFinished(_, submission) => verdict = Some(submission.verdict),
        _ => {}
    };
    let planned = |package: &Package| plan(package, work, &own);
    let part = Some(attempt.part());
    let judged = worker.judge(
        &work.tree,
        work.cases.len(),
        &settings,
        part,
        planned,
        on_change,
    );
    let summary = match judged {
        Ok((_, summary)) => summary,
        Err(outcome) => return Ok(outcome),
    };
    if let Err(failure) = summary {
        return on_core::failed(&failure);
    }
    if let Some(message) = failed {
        attempt.reports().flush()?;
        return Err(Reason::new(message.into_raw()));
    }
    match (verdict, compiled) {
        (None, _) => return Err(Reason::new("judging ended without a verdict")),
        (Some(Some(Verdict::JudgeError)), Some(compiled)) => {
            let message = compiled.message.clone().map(Message::into_raw);
            return Err(Reason::new(message.unwrap_or_default()));
        }
        (Some(_), Some(compiled)) => report(Report::Compiled(Compilation::clone(&compiled))),
        (Some(_), None) => {}
    }
    attempt.reports().keep(Report::Ended)?;
    Ok(Outcome::Done)
}

fn settings(worker: OnCore<'_>, work: &Batch) -> Settings {
    Settings {
        overrides: work.overrides.settings(),
        clock: match work.instructions_per_second {
            None => Clock::Cpu,
            Some(per_second) => Clock::Instructions { per_second },
        },
        shows_images: true,
        keeps_outputs: work.keeps_outputs,
        ..worker.context.settings()
    }
}

/// Files that were sent with a batch.
struct OwnFiles {
    /// The submission: absolute, or relative to the package that has it.
    program: PathBuf,
    /// The checker that replaces the package's.
    checker: Option<PathBuf>,
}

fn write_own(attempt: &dyn Attempt, dir: &Path, work: &Batch) -> Result<OwnFiles, Reason> {
    let write = |name, files: &Vec<_>| written(attempt, &dir.join(name), files);
    let checker = work.checker.as_ref();
    Ok(OwnFiles {
        program: match &work.program {
            SentProgram::Packaged(inside) => PathBuf::from(inside),
            SentProgram::Files(files) => write("own", files)?,
        },
        checker: checker.map(|files| write("checker", files)).transpose()?,
    })
}

/// Writes files. Returns the only file, or the directory that contains them.
fn written(
    attempt: &dyn Attempt,
    dir: &Path,
    files: &[crate::store::SourceFile],
) -> Result<PathBuf, Reason> {
    write_sources(|file| attempt.source(file), dir, files)?;
    let first = files.first();
    let first = first.ok_or_else(|| Reason::new("a program without files"))?;
    let top = Path::new(&first.name).iter().next().unwrap_or_default();
    Ok(dir.join(top))
}

/// Fails with the defect of the package or of the checker.
fn plan(package: &Package, work: &Batch, own: &OwnFiles) -> Result<Plan, Reason> {
    let mut package = package.clone();
    let limit = Duration::from_secs_f64(work.time_limit_s);
    package.limits.time = TimeLimit::Given(limit);
    if let Some(checker) = &own.checker {
        let replaced = package.override_checker(checker);
        replaced?;
    }
    let wanted: HashSet<usize> = work.cases.iter().copied().collect();
    let all = package.judged_cases().into_iter();
    let cases: Vec<TestCase> = all.filter(|c| wanted.contains(&c.id.0)).cloned().collect();
    if cases.len() != wanted.len() {
        return Err(Reason::new(OTHER_CASES));
    }
    let expected = match work.may_be_slow {
        true => Expectation::default(),
        false => Expectation::accepted(),
    };
    let submission = Submission {
        name: work.submission.clone(),
        source: Source::Code {
            path: package.root.join(&own.program),
            language: work.language.clone(),
            entry_point: work.entry_point.clone(),
        },
        // The coordinator compares the verdicts with the expected ones.
        rules: Vec::new(),
        expected,
        time_limit: Some(limit),
    };
    Ok(Plan {
        entries: vec![PlanEntry::new(package, cases, [submission])],
    })
}
