//! The real [`Runner`]: runs programs in boxes and checks their output. One per worker.

use super::case_result;
use super::grading::{Graded, JudgeError, Outcomes};
use super::hosting::gate::Inside;
use super::keep::Written;
use super::limits::{self, RunLimits};
use super::package_programs::{self, PackagePrograms};
use super::run_case::{self, Budget, CaseRun, Decision};
use super::scheduler::{CaseEnd, PrepareResult, RunMode, Runner, SubmissionRef};
use super::toolchain::{BadHelper, Toolchain};
use super::{Host, IdleBoxes, Prepared, Settings};
use crate::checker::{
    CheckFault, Checker, ProgramChecker, Session, ValidatorBox, Visualizers, validator_limits,
};
use crate::language::{Program, read_only};
use crate::program_runner::ProgramRunner;
use crate::results::SubmissionKey;
use crate::verdict::Verdict;
use judge_package::{Package, TestCase};
use judge_sandbox::Mount;
use judge_tempdir::TempDirectory;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

/// State that all workers share.
pub struct Shared<'a> {
    settings: &'a Settings,
    host: &'a Host,
    toolchain: &'a Toolchain,
    /// Per entry of the plan, prepared by the first worker that needs it.
    checkers: Vec<OnceLock<Result<Checker, JudgeError>>>,
    package_programs: Vec<PackagePrograms>,
}

impl<'a> Shared<'a> {
    /// A runner for a plan with `entries` entries.
    pub fn new(
        settings: &'a Settings,
        host: &'a Host,
        toolchain: &'a Toolchain,
        entries: usize,
    ) -> Self {
        Shared {
            settings,
            host,
            toolchain,
            checkers: (0..entries).map(|_| OnceLock::new()).collect(),
            package_programs: (0..entries).map(|_| PackagePrograms::default()).collect(),
        }
    }

    /// Boxes of earlier runs on the same seat. They do not show the memory of a running case.
    fn idle(&self) -> Option<&'a IdleBoxes> {
        let seat = self.host.seat.as_ref();
        let seat = seat.filter(|_| self.host.running.is_none());
        seat.map(|seat| seat.boxes.as_ref())
    }

    /// The box of an earlier run for validators that may read `mounts`.
    fn idle_validator(&self, mounts: &[Mount]) -> Option<ValidatorBox> {
        let mut kept = self.idle()?.validators.take(|kept| kept.shows(mounts))?;
        kept.close_stale();
        Some(kept)
    }

    /// Enters the gate between this run and others in the process, if there are any.
    fn enter(&self, alone: bool) -> Option<Inside<'a>> {
        let seat = self.host.seat.as_ref();
        seat.map(|seat| seat.gate.enter(alone))
    }
}

/// Runs programs in boxes and checks what they write.
pub struct SandboxRunner<'a> {
    shared: &'a Shared<'a>,
    core: Option<usize>,
    program_runner: ProgramRunner,
    /// The checker of the entry that ran last.
    checker: Option<(usize, Session<'a>)>,
    /// Runs static validators and graders.
    validator_box: Option<ValidatorBox>,
    /// The submission that ran last, and the limits on what explains its failed cases.
    budget: (SubmissionKey, Budget),
    /// Holds the inputs of further passes, for a multi-pass problem.
    passes: Option<TempDirectory>,
}

impl<'a> SandboxRunner<'a> {
    /// Creates a worker on `core`, with boxes of earlier runs on its seat.
    pub fn new(shared: &'a Shared<'a>, core: Option<usize>) -> Self {
        let idle = shared.idle();
        SandboxRunner {
            shared,
            core,
            program_runner: ProgramRunner::new(shared.settings.mode, core)
                .for_submissions()
                .sharing(idle.map(|idle| idle.programs.clone())),
            checker: None,
            validator_box: shared.idle_validator(&[]),
            budget: Default::default(),
            passes: None,
        }
    }

    /// Prepares the checker of this entry, unless the entry judged last is the same.
    fn prepare_checker(&mut self, at: SubmissionRef<'_>) -> Result<(), JudgeError> {
        let entry = at.key.package;
        if self.checker.as_ref().is_some_and(|(own, _)| *own == entry) {
            return Ok(());
        }
        let package = &at.entry().package;
        let made = self.shared.checkers[entry].get_or_init(|| {
            let checker = prepare_checker(package, self.shared.toolchain)?;
            Ok(match self.shared.settings.shows_images {
                true => checker.with_visualizers(visualizers(package, self.shared.toolchain)),
                false => checker,
            })
        });
        let checker = made.as_ref().map_err(JudgeError::clone)?;
        if package.kind.multi_pass && self.passes.is_none() {
            let passes = TempDirectory::new("passes").map_err(CheckFault::from)?;
            self.passes = Some(passes);
        }
        let mut places = package.directories();
        places.extend(self.passes.as_ref().map(TempDirectory::path));
        let mounts: Vec<Mount> = places.into_iter().map(read_only).collect();
        let (shared, core) = (self.shared, self.core);
        let open = &mut || match shared.idle_validator(&mounts) {
            Some(kept) => Ok(kept),
            None => ValidatorBox::new(&mounts, shared.settings.mode, core),
        };
        let session = checker.session_with(open).map_err(CheckFault::from)?;
        self.checker = Some((entry, session));
        Ok(())
    }

    fn package_programs(&mut self, at: SubmissionRef<'_>) -> package_programs::Context<'_> {
        package_programs::Context {
            package_programs: &self.shared.package_programs[at.key.package],
            toolchain: self.shared.toolchain,
            mode: self.shared.settings.mode,
            core: self.core,
            validator_box: &mut self.validator_box,
        }
    }

    fn judge(
        &mut self,
        at: SubmissionRef<'_>,
        program: &Program,
        case: &TestCase,
        limits: &RunLimits,
        how: RunMode<'_>,
    ) -> Result<CaseRun, JudgeError> {
        if case.is_static {
            let outcome = self.package_programs(at).check_source(at, case)?;
            return Ok(CaseRun::without_run(Decision::Checker(outcome)));
        }
        self.prepare_checker(at)?;
        let Some((_, checker)) = &mut self.checker else {
            return Err(JudgeError::of_package("the checker is gone".to_owned()));
        };
        if self.budget.0 != at.key {
            self.budget = (at.key, Budget::default());
        }
        let mut context = run_case::Context {
            program_runner: &mut self.program_runner,
            checker,
            budget: &mut self.budget.1,
            passes: self.passes.as_ref().map(TempDirectory::path),
        };
        let request = run_case::CaseRequest {
            package: &at.entry().package,
            program,
            source: at.submission().source.code(),
            case,
            limits,
            settings: self.shared.settings,
            // Near the limit, instructions are more reliable than the clock; counting them in every
            // run costs too much.
            count_instructions: matches!(how, RunMode::Alone)
                || limits.judged.instructions.is_some(),
            canceller: match how {
                RunMode::Parallel(canceller) => canceller,
                RunMode::Alone => None,
            },
        };
        Ok(run_case::run_case(&mut context, request)?)
    }
}

impl Drop for SandboxRunner<'_> {
    fn drop(&mut self) {
        // Inputs of further passes are in a directory of this runner.
        let Some(idle) = self.shared.idle().filter(|_| self.passes.is_none()) else {
            return;
        };
        let of_checker = self.checker.take().map(|(_, session)| session.into_boxes());
        let boxes = of_checker.into_iter().flatten();
        idle.validators.put(boxes.chain(self.validator_box.take()));
    }
}

impl Runner for SandboxRunner<'_> {
    /// Pins the thread to the core of its box: waking each other is then a context switch and not
    /// an interrupt to an idle core.
    fn start(&mut self) {
        if let Some(core) = self.core {
            // Best effort: without pinning the judge is slower but as accurate.
            let _ = judge_sandbox::pin(core);
        }
    }

    fn prepare(&mut self, at: SubmissionRef<'_>) -> Option<PrepareResult> {
        let _inside = self.shared.enter(false);
        let start = Instant::now();
        let entry = at.entry();
        let planned = at.planned();
        let prepared = self.shared.toolchain.prepare(&entry.package, planned);
        let (prepared, language) = match prepared {
            Ok(made) => made,
            Err(fault) if fault.interrupted => return None,
            Err(fault) => (Prepared::Failed(fault.to_string()), None),
        };
        Some(PrepareResult {
            prepared,
            language,
            wall: start.elapsed(),
            package_hash: None,
        })
    }

    fn run(
        &mut self,
        at: SubmissionRef<'_>,
        program: &Prepared,
        index: usize,
        how: RunMode<'_>,
    ) -> Option<CaseEnd> {
        let Prepared::Ready(program) = program else {
            return None;
        };
        let entry = at.entry();
        let case = &entry.cases[index];
        let part = match self.shared.host.part.as_deref() {
            None => None,
            Some(part) => match part.start(case.id) {
                Some(running) => Some(running),
                None => return Some(CaseEnd::Cancelled),
            },
        };
        let canceller = part.as_ref().and_then(|running| running.canceller.as_ref());
        let how = match how {
            RunMode::Parallel(own) => RunMode::Parallel(own.or(canceller)),
            RunMode::Alone => how,
        };
        let limits = limits::for_run(
            &entry.package.limits,
            case,
            at.time_limit,
            self.shared.settings.overrides,
            self.shared.settings.clock,
            program,
        );
        let inside = self.shared.enter(matches!(how, RunMode::Alone));
        let running = self.shared.host.running.as_ref();
        let _entered =
            running.map(|running| running.enter(at.case(index), &self.program_runner.gauge));
        let mut case_run = match self.judge(at, program, case, &limits, how) {
            Ok(case_run) => case_run,
            // Errors during an interrupt are discarded: the interrupt may be their cause.
            Err(_) if judge_sandbox::interrupted() => return None,
            Err(error) => CaseRun::without_run(Decision::JudgeError(error)),
        };
        let undisturbed = inside.is_some_and(|inside| !inside.had_company());
        let ran = case_run.ran.take();
        let execution = ran.as_ref().map(|ran| &ran.execution);
        let end = case_result::of_run(case_run, execution, case, undisturbed);
        if let (Some(keep), CaseEnd::Finished { result, .. }, Some(ran)) =
            (&self.shared.host.keep, &end, &ran)
        {
            match result.verdict {
                Verdict::Accepted if !keep.is_whole => keep.remove(at, case),
                _ => {
                    let session = self.checker.as_ref().filter(|_| keep.is_whole);
                    let feedback = session.map(|(_, session)| session.feedback());
                    keep.case(
                        at,
                        case,
                        &Written {
                            // The validator of an interactive problem reads the output.
                            output: (!entry.package.kind.interactive).then_some(&ran.stdout),
                            errors: &ran.stderr,
                            feedback: feedback.unwrap_or_default(),
                        },
                    );
                }
            }
        }
        Some(end)
    }

    fn grade(&mut self, at: SubmissionRef<'_>, outcomes: &Outcomes<'_>) -> Option<Graded> {
        if self.shared.host.part.is_some() {
            // Another process grades the whole submission.
            return Some(Graded::new(Verdict::Accepted, None));
        }
        let _inside = self.shared.enter(false);
        self.package_programs(at).grade(at, outcomes)
    }
}

/// Builds the visualizers of a package. `judge verify` reports those that cannot be built.
pub fn visualizers(package: &Package, toolchain: &Toolchain) -> Visualizers {
    let built = |path: &Option<PathBuf>| {
        let program = toolchain.helper(package, path.as_ref()?).ok()?;
        let limits = validator_limits(&package.limits, &program);
        Some(ProgramChecker::visualizer(program, &limits))
    };
    Visualizers {
        input: built(&package.input_visualizer),
        output: built(&package.output_visualizer),
    }
}

/// Builds the checker of a package.
///
/// # Errors
///
/// The defect of the package's validator, or the failure of this machine to build it.
pub fn prepare_checker(package: &Package, toolchain: &Toolchain) -> Result<Checker, JudgeError> {
    let unbuffered = package.policy.unbuffered_interactors && package.kind.interactive;
    Ok(Checker::prepare(
        &package.validation,
        &package.limits,
        package.kind.multi_pass,
        &mut |path| {
            let program = toolchain.helper(package, path)?;
            Ok::<_, BadHelper>(if unbuffered {
                program.unbuffered()
            } else {
                program
            })
        },
    )?)
}
