//! Judging on other machines: compilations and cases run there, grading and reports stay here.

use super::grading::{Graded, GradingFault, Outcomes};
use super::scheduler::{CaseResult, PrepareResult, RunMode, Runner, Selection, SubmissionRef};
use super::worker::{SandboxRunner, Shared};
use super::{Plan, Prepared, Settings};
use crate::language::Program;
use judge_package::{CaseId, TestCase};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Threads that wait for results from elsewhere.
const MOST_THREADS: usize = 512;

/// Other machines that judge.
pub trait Elsewhere: Send + Sync + fmt::Debug {
    /// Begins to judge submissions of a plan with these settings. Dropping the result cancels what is
    /// still under way.
    fn begin(&self, settings: &Settings) -> Box<dyn Runs>;
}

/// Submissions that are being judged elsewhere. All calls block but [`Runs::cancel`], and come from
/// many threads.
pub trait Runs: Send + Sync {
    /// Has a submission compiled; `None` when judging was interrupted.
    fn prepare(&self, at: SubmissionRef<'_>) -> Option<CompiledElsewhere>;

    /// Has a case of a prepared submission judged; `None` when judging was interrupted.
    fn run(&self, at: SubmissionRef<'_>, case: &TestCase) -> Option<CaseResult>;

    /// A case is needed no longer; it may be asked for again. `asked`: [`Runs::run`] was called for
    /// it, or is about to be, and returns [`CaseResult::Cancelled`] unless it has a result.
    fn cancel(&self, entry: usize, submission: usize, case: CaseId, asked: bool);
}

/// Result of a compilation elsewhere.
#[derive(Debug)]
pub struct CompiledElsewhere {
    /// The compiler's note; or why there is no program.
    pub program: Result<Option<String>, NoProgram>,
    /// The language, if there was something to compile.
    pub language: Option<String>,
    /// Duration of the compilation.
    pub wall: Duration,
    /// The hash of the package there.
    pub package_hash: Option<String>,
}

impl CompiledElsewhere {
    /// A program that needs no compiler.
    pub fn without_compiler() -> Self {
        CompiledElsewhere {
            program: Ok(None),
            language: None,
            wall: Duration::ZERO,
            package_hash: None,
        }
    }

    /// The judge failed: why.
    pub fn failed(why: String) -> Self {
        CompiledElsewhere {
            program: Err(NoProgram::Failed(why)),
            ..CompiledElsewhere::without_compiler()
        }
    }
}

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoProgram {
    /// The compiler's message.
    CompileError(String),
    /// A compiler or interpreter is missing: which one.
    Skipped(String),
    /// The judge failed: why.
    Failed(String),
}

/// Waits for what runs elsewhere; grades here.
pub struct ElsewhereRunner<'a> {
    runs: &'a dyn Runs,
    shared: &'a Shared<'a>,
    /// Created by the first grading.
    grader: Option<SandboxRunner<'a>>,
}

/// The runners for a selection: one for each piece of work, within bounds.
pub fn runners<'a>(
    runs: &'a dyn Runs,
    shared: &'a Shared<'a>,
    plan: &Plan,
    selection: &Selection,
) -> Vec<ElsewhereRunner<'a>> {
    let work = |entry: usize| 1 + plan.entries[entry].cases.len();
    let all: usize = selection.iter().map(|selected| work(selected.entry)).sum();
    (0..all.min(MOST_THREADS))
        .map(|_| ElsewhereRunner {
            runs,
            shared,
            grader: None,
        })
        .collect()
}

impl Runner for ElsewhereRunner<'_> {
    fn prepare(&mut self, at: SubmissionRef<'_>) -> Option<PrepareResult> {
        let compiled = self.runs.prepare(at)?;
        Some(PrepareResult {
            prepared: match compiled.program {
                // It has no path here.
                Ok(note) => Prepared::Ready(Arc::new(Program {
                    note,
                    ..Program::executable("")
                })),
                Err(NoProgram::CompileError(message)) => Prepared::CompileError(message),
                Err(NoProgram::Skipped(message)) => Prepared::Skipped(message),
                Err(NoProgram::Failed(message)) => Prepared::Failed(message),
            },
            language: compiled.language,
            wall: compiled.wall,
            package_hash: compiled.package_hash,
        })
    }

    fn run(
        &mut self,
        at: SubmissionRef<'_>,
        _: &Prepared,
        case: &TestCase,
        _: RunMode<'_>,
    ) -> Option<CaseResult> {
        self.runs.run(at, case)
    }

    fn grade(&mut self, at: SubmissionRef<'_>, outcomes: &Outcomes<'_>) -> Option<Graded> {
        let grader = match self.grader.take() {
            Some(grader) => grader,
            None => match SandboxRunner::new(self.shared, None) {
                Ok(grader) => grader,
                Err(fault) => {
                    let message = fault.to_string();
                    let of_machine = true;
                    return Some(Graded::failed(GradingFault {
                        message,
                        of_machine,
                    }));
                }
            },
        };
        self.grader.insert(grader).grade(at, outcomes)
    }
}
