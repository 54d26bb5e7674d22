//! The runner that works: boxes, files, checkers. One per worker.

use super::assessors::{self, Assessors, KeptRoom};
use super::build::Toolchain;
use super::limits::{self, RunLimits};
use super::outcome::{Graded, Outcomes};
use super::passes::{self, Judged, Said};
use super::pool::{At, CaseResult, How, PrepareResult, Runner};
use super::station::Station;
use super::told::{failed, score, with_figures, with_outcome};
use super::{Prepared, Settings};
use crate::checker::{CheckFault, Checker, Outcome, Worker};
use crate::event::CaseFinished;
use crate::language::{Program, read_only};
use crate::package::{Dialect, Package, TestCase};
use crate::submission::Source;
use crate::verdict::Verdict;
use judge_sandbox::{Fault, Mount, TempDirectory};
use std::sync::OnceLock;
use std::time::Instant;

/// What all workers share.
pub struct Shared<'a> {
    settings: &'a Settings,
    toolchain: &'a Toolchain,
    /// Per entry of the plan, made by the first worker that needs it.
    checkers: Vec<OnceLock<Result<Checker, String>>>,
    assessors: Vec<Assessors>,
}

impl<'a> Shared<'a> {
    /// For a plan with this many entries.
    pub fn new(settings: &'a Settings, toolchain: &'a Toolchain, entries: usize) -> Self {
        Shared {
            settings,
            toolchain,
            checkers: (0..entries).map(|_| OnceLock::new()).collect(),
            assessors: (0..entries).map(|_| Assessors::default()).collect(),
        }
    }
}

/// Runs programs in boxes and checks what they write.
pub struct BoxRunner<'a> {
    shared: &'a Shared<'a>,
    core: Option<usize>,
    station: Station,
    /// The checker of the entry that ran last.
    checker: Option<(usize, Worker<'a>)>,
    /// The box of the static validator or the grader that ran last.
    kept: Option<KeptRoom>,
    /// For the inputs of further passes, where a package has them.
    passes: Option<TempDirectory>,
}

impl<'a> BoxRunner<'a> {
    /// A worker on this core.
    ///
    /// # Errors
    ///
    /// When there is no room for its files.
    pub fn new(shared: &'a Shared<'a>, core: Option<usize>) -> Result<Self, Fault> {
        Ok(BoxRunner {
            shared,
            core,
            station: Station::new(shared.settings.mode, core)?,
            checker: None,
            kept: None,
            passes: None,
        })
    }

    /// Makes the checker of the entry that is judged, where another was judged before.
    fn prepare_checker(&mut self, at: At<'_>) -> Result<(), CheckFault> {
        if self
            .checker
            .as_ref()
            .is_some_and(|(entry, _)| *entry == at.entry)
        {
            return Ok(());
        }
        let package = &at.plan.entries[at.entry].package;
        let made = self.shared.checkers[at.entry]
            .get_or_init(|| prepare_checker(package, self.shared.toolchain));
        let checker = made
            .as_ref()
            .map_err(|what| CheckFault::Case { what: what.clone() })?;
        if package.kind.multi_pass && self.passes.is_none() {
            self.passes = Some(TempDirectory::new("passes")?);
        }
        let mut places = package.directories();
        places.extend(self.passes.as_ref().map(TempDirectory::path));
        let mounts: Vec<Mount> = places.into_iter().map(read_only).collect();
        let station = &self.station;
        let worker = checker.worker(&mounts, &mut |spec| {
            judge_sandbox::open(&station.spec(spec))
        })?;
        self.checker = Some((at.entry, worker));
        Ok(())
    }

    fn assessors(&mut self, at: At<'_>) -> assessors::Desk<'_> {
        assessors::Desk {
            assessors: &self.shared.assessors[at.entry],
            toolchain: self.shared.toolchain,
            station: &self.station,
            kept: &mut self.kept,
        }
    }

    fn judge(
        &mut self,
        at: At<'_>,
        program: &Program,
        case: &TestCase,
        limits: &RunLimits,
        how: How<'_>,
    ) -> Result<Judged, CheckFault> {
        if case.is_static {
            let outcome = self.assessors(at).check_source(at, case)?;
            return Ok(Judged {
                execution: None,
                doubtful: false,
                said: Said::Checker(outcome),
            });
        }
        self.prepare_checker(at)?;
        let Some((_, checker)) = &mut self.checker else {
            return Err(CheckFault::Case {
                what: "the checker is gone".to_owned(),
            });
        };
        let mut desk = passes::Desk {
            station: &mut self.station,
            checker,
            passes: self.passes.as_ref().map(TempDirectory::path),
        };
        let question = passes::Question {
            package: &at.plan.entries[at.entry].package,
            program,
            source: match &at.plan.entries[at.entry].submissions[at.submission]
                .submission
                .source
            {
                Source::Code { path, .. } => Some(path),
                _ => None,
            },
            case,
            limits,
            // Near its limit they say more than the clock; for every run they cost too much.
            count_instructions: matches!(how, How::Alone) || limits.judged.instructions.is_some(),
            canceller: match how {
                How::Beside(canceller) => canceller,
                How::Alone => None,
            },
        };
        passes::judge(&mut desk, question)
    }
}

impl Runner for BoxRunner<'_> {
    /// On the core of its box: waking the box, and being woken by it, is then a change of context
    /// and not a message to another core that sleeps.
    fn settle(&mut self) {
        if let Some(core) = self.core {
            // Where it is refused, the judge is slower and as right.
            let _ = judge_sandbox::pin(core);
        }
    }

    fn prepare(&mut self, at: At<'_>) -> Option<PrepareResult> {
        let start = Instant::now();
        let entry = &at.plan.entries[at.entry];
        let planned = &entry.submissions[at.submission];
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
        })
    }

    fn run(
        &mut self,
        at: At<'_>,
        program: &Prepared,
        case: &TestCase,
        how: How<'_>,
    ) -> Option<CaseResult> {
        let Prepared::Ready(program) = program else {
            return None;
        };
        let entry = &at.plan.entries[at.entry];
        let limits = limits::for_run(
            &entry.package.limits,
            case,
            at.time_limit,
            self.shared.settings.overrides,
            self.shared.settings.clock,
            program.runtime_threads,
        );
        let submission = &entry.submissions[at.submission].submission.name;
        let told = CaseFinished::new(
            &entry.package.id,
            submission,
            &case.name,
            Verdict::JudgeError,
        );
        let judged = match self.judge(at, program, case, &limits, how) {
            Ok(judged) => judged,
            // Whatever failed then, nobody knows whether it would have otherwise.
            Err(_) if judge_sandbox::interrupted() => return None,
            Err(fault) => return Some(failed(told, &fault.to_string())),
        };
        let told = match &judged.execution {
            Some(execution) => with_figures(told, execution),
            None => told,
        };
        let cancelled = matches!(judged.said, Said::Nothing);
        let told = match judged.said {
            Said::Nothing => told,
            Said::Run(verdict, message, outcome) => {
                let points = outcome.map_or(Ok(None), |outcome| points(&outcome, case));
                CaseFinished {
                    verdict,
                    message: Some(message),
                    score: match points {
                        Ok(points) => points,
                        Err(why) => return Some(failed(told, &why)),
                    },
                    ..told
                }
            }
            Said::Checker(outcome) => match score(&outcome, case) {
                Ok(score) => with_outcome(told, &outcome, score),
                Err(why) => return Some(failed(told, &why)),
            },
        };
        Some(CaseResult {
            told,
            doubtful: judged.doubtful,
            cancelled,
        })
    }

    fn grade(&mut self, at: At<'_>, outcomes: &Outcomes<'_>) -> Option<Graded> {
        self.assessors(at).grade(at, outcomes)
    }
}

/// The points that a validator gives to a case whose run failed, if any: those of an output that it
/// accepts need not be said.
///
/// # Errors
///
/// When the format does not let it give these.
fn points(outcome: &Outcome, case: &TestCase) -> Result<Option<f64>, String> {
    let full = case.score.filter(|_| outcome.is_accepted());
    Ok(score(outcome, case)?.or(full))
}

/// Builds what decides whether an output is right.
///
/// # Errors
///
/// What is wrong with the package's validator.
pub fn prepare_checker(package: &Package, toolchain: &Toolchain) -> Result<Checker, String> {
    let validators = std::iter::once(&package.validator).chain(&package.more_validators);
    // DMOJ's interactors need not flush.
    let unbuffered = package.dialect == Dialect::Dmoj && package.kind.interactive;
    Checker::prepare(
        validators,
        &package.limits,
        package.kind.multi_pass,
        &mut |path| {
            let program = toolchain.helper(package, path)?;
            Ok(if unbuffered {
                program.unbuffered()
            } else {
                program
            })
        },
    )
}
