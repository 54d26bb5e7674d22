//! Judges a submission: all of it here, or its cases elsewhere.

use super::super::Context;
use super::on_core::{OTHER_CASES, OnCore};
use super::reporting::Reporting;
use super::sources::write_sources;
use crate::packages::with_time_limit;
use crate::store::SourceFile;
use crate::work_protocol::{Judge, Outcome, Reports};
use judge_core::error::Reason;
use judge_core::judging::{self, Host, Keep, Plan, PlanEntry, Seat, Settings, Toolchain};
use judge_core::results::{CaseResult, Change};
use judge_core::submission::{Source, Submission};
use judge_package::{Expectation, Package, TestCase};
use judge_tempdir::TempDirectory;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Judges a submission on the worker's core.
/// An error says why the judge failed; another attempt may succeed.
pub fn judge_submission(worker: OnCore<'_>, work: &Judge) -> Result<Outcome, Reason> {
    let OnCore {
        context, attempt, ..
    } = worker;
    let directory = TempDirectory::new("submission")?;
    let path = write(work, directory.path(), |file| attempt.source(file))?;
    let settings = Settings {
        fail_fast: work.first_failure,
        overrides: work.overrides.settings(),
        shows_images: true,
        keeps_outputs: true,
        ..context.settings()
    };
    let planned =
        |package: &Package| plan(with_time_limit(package, work.time_limit_s), work, &path);
    let mut reporting = Reporting::new(attempt.reports());
    let on_change = |_: &Plan, change| reporting.on(change);
    let judged = worker.judge(
        &work.tree,
        work.cases.len(),
        &settings,
        None,
        planned,
        on_change,
    );
    let (plan, summary) = match judged {
        Ok(judged) => judged,
        Err(outcome) => return Ok(outcome),
    };
    let is_known = plan.entries[0].package.limits.time.fixed().is_some();
    let derives = !is_known && work.overrides.time_s.is_none();
    reporting.conclude(summary, derives)
}

/// Writes the files of a submission; returns the path to compile.
fn write(
    work: &Judge,
    dir: &Path,
    content_of: impl Fn(&SourceFile) -> Result<Vec<u8>, Reason>,
) -> Result<PathBuf, Reason> {
    write_sources(content_of, dir, &work.files)?;
    Ok(match &work.files[..] {
        [only] => dir.join(&only.name),
        _ => dir.to_owned(),
    })
}

/// Runs a case of a submission again, beside the workers' runs, and leaves everything that the programs write in a directory.
/// Returns the result, or the compiler's message if there is no program.
/// Fails when the judge does.
pub fn run_again(
    context: &Context,
    work: &Judge,
    package: &Package,
    case: usize,
    content_of: impl Fn(&SourceFile) -> Result<Vec<u8>, Reason>,
    kept: &Path,
) -> Result<Result<Arc<CaseResult>, String>, Reason> {
    let directory = TempDirectory::new("submission")?;
    let path = write(work, directory.path(), content_of)?;
    let settings = Settings {
        overrides: work.overrides.settings(),
        ..context.settings()
    };
    let mut plan = plan(with_time_limit(package, work.time_limit_s), work, &path)?;
    let cases = &mut plan.entries[0].cases;
    let only = cases.get(case).cloned();
    *cases = only.into_iter().collect();
    let keep = Arc::new(Keep::whole(kept)?);
    let host = Host {
        keep: Some(keep.clone()),
        seat: Some(Seat {
            core: judge_sandbox::cores().last().copied().unwrap_or(0),
            gate: context.gate.clone(),
            boxes: Arc::default(),
        }),
        ..Host::default()
    };
    let (mut result, mut message) = (None, None);
    let mut on_changes = |changes: Vec<Change>| {
        for change in changes {
            match change {
                Change::Compiled(_, own) if !own.ok => message.clone_from(&own.message),
                Change::CaseFinished(_, own) => result = Some(own),
                _ => {}
            }
        }
    };
    judging::run(&plan, &settings, &host, &context.toolchain, &mut on_changes)?;
    keep.finish()?;
    Ok(result.ok_or_else(|| message.unwrap_or_default().into_raw()))
}

/// Judges a submission whose cases run elsewhere, as `settings` and `host` say. `watch` sees each change before it
/// is reported.
/// An error says why the judge failed; another attempt may succeed.
pub fn judge_elsewhere(
    settings: &Settings,
    host: &Host,
    toolchain: &Toolchain,
    reports: &Reports,
    work: &Judge,
    package: Package,
    watch: &mut (dyn FnMut(&Change) + Send),
) -> Result<Outcome, Reason> {
    let settings = Settings {
        fail_fast: work.first_failure,
        overrides: work.overrides.settings(),
        keeps_outputs: true,
        ..settings.clone()
    };
    // Its files are where the cases run.
    let plan = plan(package, work, Path::new(""))?;
    let mut reporting = Reporting::new(reports);
    let mut on_changes = |changes: Vec<Change>| {
        for change in changes {
            watch(&change);
            reporting.on(change);
        }
    };
    let summary = judging::run(&plan, &settings, host, toolchain, &mut on_changes);
    reporting.conclude(summary, false)
}

/// Fails if the cases are not those of the unit, whose results have their indices.
fn plan(package: Package, work: &Judge, path: &Path) -> Result<Plan, Reason> {
    // Never an executable, even if the file is one: its language says how it is built.
    let source = Source::Code {
        path: path.to_owned(),
        language: Some(work.language.clone()),
        entry_point: work.entry_point.clone(),
    };
    let name = work.submission.to_string();
    let submission = Submission::new(name, source, Expectation::accepted());
    let cases: Vec<TestCase> = package.judged_cases().into_iter().cloned().collect();
    if !cases.iter().map(|case| &case.name).eq(&work.cases) {
        return Err(Reason::new(OTHER_CASES));
    }
    Ok(Plan {
        entries: vec![PlanEntry::new(package, cases, [submission])],
    })
}
