//! The runner that works: boxes, files, checkers. One per worker.

use super::build::Toolchain;
use super::limits::{self, RunLimits};
use super::pool::{At, CaseResult, PrepareResult, Runner};
use super::station::{Run, Station};
use super::{Prepared, Settings, messages};
use crate::checker::{CheckFault, Checker, Judgement, Outcome, Score, Worker};
use crate::event::CaseFinished;
use crate::language::Program;
use crate::package::{Package, TestCase};
use crate::submission::Source;
use crate::verdict::{Verdict, classify};
use judge_sandbox::{Execution, Fault, Input, Mount};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

/// What all workers share.
pub struct Shared<'a> {
    settings: &'a Settings,
    toolchain: &'a Toolchain,
    /// Per entry of the plan, made by the first worker that needs it.
    checkers: Vec<OnceLock<Result<Checker, String>>>,
}

impl<'a> Shared<'a> {
    /// For a plan with this many entries.
    pub fn new(settings: &'a Settings, toolchain: &'a Toolchain, entries: usize) -> Self {
        Shared {
            settings,
            toolchain,
            checkers: (0..entries).map(|_| OnceLock::new()).collect(),
        }
    }
}

/// Runs programs in boxes and checks what they write.
pub struct BoxRunner<'a> {
    shared: &'a Shared<'a>,
    station: Station,
    /// The checker of the entry that ran last.
    checker: Option<(usize, Worker<'a>)>,
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
            station: Station::new(shared.settings.mode, core)?,
            checker: None,
        })
    }

    fn checker(&mut self, at: At<'_>) -> Result<&mut Worker<'a>, CheckFault> {
        if self
            .checker
            .as_ref()
            .is_none_or(|(entry, _)| *entry != at.entry)
        {
            let package = &at.plan.entries[at.entry].package;
            let made = self.shared.checkers[at.entry]
                .get_or_init(|| prepare_checker(package, self.shared.toolchain));
            let checker = made
                .as_ref()
                .map_err(|what| CheckFault::Case { what: what.clone() })?;
            let data = Mount {
                host: package.root.clone(),
                inside: package.root.clone(),
                writable: false,
            };
            let station = &self.station;
            let worker = checker.worker(&[data], &mut |spec| {
                judge_sandbox::open(&station.spec(spec))
            })?;
            self.checker = Some((at.entry, worker));
        }
        match &mut self.checker {
            Some((_, worker)) => Ok(worker),
            None => Err(CheckFault::Case {
                what: "the checker is gone".to_owned(),
            }),
        }
    }

    fn execute(
        &mut self,
        program: &Program,
        case: &TestCase,
        limits: &RunLimits,
    ) -> Result<Execution, Fault> {
        let input = open_input(&case.input)?;
        self.station.run(
            program,
            &Run {
                args: &case.args,
                stdin: &input,
                limits: &limits.enforced,
                memory: limits.judged.memory,
                mounts: &[],
                count_instructions: limits.judged.instructions.is_some(),
            },
        )
    }

    fn check(&mut self, at: At<'_>, case: &TestCase) -> Result<Outcome, CheckFault> {
        let output = self
            .station
            .stdout
            .try_clone()
            .map_err(|source| CheckFault::Io {
                what: "the output".to_owned(),
                source,
            })?;
        self.checker(at)?.check(case, &output)
    }
}

impl Runner for BoxRunner<'_> {
    fn prepare(&mut self, at: At<'_>) -> Option<PrepareResult> {
        let start = Instant::now();
        let entry = &at.plan.entries[at.entry];
        let planned = &entry.submissions[at.submission];
        let (prepared, language) = match (&planned.prepared, &planned.submission.source) {
            (Some(prepared), _) => (prepared.clone(), None),
            (
                None,
                Source::Code {
                    path,
                    language,
                    entry_point,
                },
            ) => {
                let built = self.shared.toolchain.submission(
                    &entry.package,
                    path,
                    language.as_deref(),
                    entry_point.as_deref(),
                );
                match built {
                    Ok((prepared, language)) => (prepared, Some(language)),
                    Err(fault) if fault.interrupted => return None,
                    Err(fault) => (Prepared::Failed(fault.to_string()), None),
                }
            }
            (None, _) => (Prepared::Failed("it was not built".to_owned()), None),
        };
        Some(PrepareResult {
            prepared,
            language,
            wall: start.elapsed(),
        })
    }

    fn run(&mut self, at: At<'_>, program: &Prepared, case: &TestCase) -> Option<CaseResult> {
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
        let told = CaseFinished {
            package: entry.package.id.clone(),
            submission: entry.submissions[at.submission].submission.name.clone(),
            case: case.name.clone(),
            verdict: Verdict::JudgeError,
            cpu_s: None,
            wall_s: None,
            memory_bytes: None,
            instructions: None,
            measured_by: BTreeMap::new(),
            score: None,
            message: None,
        };
        let execution = match self.execute(program, case, &limits) {
            Ok(execution) => execution,
            Err(fault) if fault.interrupted => return None,
            Err(fault) => return Some(failed(told, &fault.to_string())),
        };
        let doubtful = limits.is_doubtful(&execution);
        let told = with_figures(told, &execution);
        if let Some(verdict) = classify(&execution, &limits.judged) {
            let message = messages::of_run(verdict, &execution, &limits, &self.station.stderr);
            return Some(CaseResult {
                told: CaseFinished {
                    verdict,
                    message: Some(message),
                    ..told
                },
                doubtful,
            });
        }
        match self.check(at, case) {
            Ok(outcome) => Some(CaseResult {
                told: with_outcome(told, &outcome, case),
                doubtful,
            }),
            Err(CheckFault::Sandbox(fault)) if fault.interrupted => None,
            Err(fault) => Some(failed(told, &fault.to_string())),
        }
    }
}

/// The largest input that is copied; judging a larger one must not need as much memory.
const COPIED: u64 = 32 << 20;

/// Opens an input for a program: a sealed copy, because a program of the same user could change
/// the mode of the file itself through its descriptor.
fn open_input(path: &Path) -> Result<File, Fault> {
    let failed = |e| Fault::os(format!("open {}", path.display()), e);
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.len() > COPIED {
        return Ok(file);
    }
    Input::from_path(path)?.open()
}

/// Builds what decides whether an output is right.
///
/// # Errors
///
/// What is wrong with the package's validator.
pub fn prepare_checker(package: &Package, toolchain: &Toolchain) -> Result<Checker, String> {
    let validators = std::iter::once(&package.validator).chain(&package.more_validators);
    Checker::prepare(
        validators,
        &package.limits,
        package.kind.multi_pass,
        &mut |path| toolchain.helper(package, path),
    )
}

/// A judge error: no figure of this run is worth telling.
fn failed(told: CaseFinished, why: &str) -> CaseResult {
    CaseResult {
        told: CaseFinished {
            verdict: Verdict::JudgeError,
            message: Some(why.to_owned()),
            ..told
        },
        doubtful: false,
    }
}

fn with_figures(mut told: CaseFinished, execution: &Execution) -> CaseFinished {
    let usage = &execution.usage;
    let mut by = |figure: &str, how: &str| {
        told.measured_by.insert(figure.to_owned(), how.to_owned());
    };
    by("cpu", usage.cpu.by);
    by("wall", usage.wall.by);
    if let Some(memory) = usage.memory {
        by("memory", memory.by);
    }
    if let Some(instructions) = usage.instructions {
        by("instructions", instructions.by);
    }
    told.cpu_s = Some(usage.cpu.value.as_secs_f64());
    told.wall_s = Some(usage.wall.value.as_secs_f64());
    told.memory_bytes = usage.memory.map(|m| m.value);
    told.instructions = usage.instructions.map(|i| i.value);
    told
}

fn with_outcome(told: CaseFinished, outcome: &Outcome, case: &TestCase) -> CaseFinished {
    let verdict = match outcome.judgement {
        Judgement::Accepted => Verdict::Accepted,
        Judgement::Rejected => Verdict::WrongAnswer,
        Judgement::PresentationError => Verdict::PresentationError,
    };
    let score = outcome.score.map(|score| match score {
        Score::Points(points) => points,
        Score::Multiplier(share) => share * case.score.unwrap_or(1.0),
    });
    CaseFinished {
        verdict,
        score,
        message: outcome.message.clone(),
        ..told
    }
}
