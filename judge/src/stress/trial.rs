//! One trial: generates an input, runs reference and submission on it, compares their outputs.

use judge_core::checker::{CheckFault, Checker, Session};
use judge_core::error::Failure;
use judge_core::judging::{
    InputValidators, RunLimits, Settings, describe, memory_fault, output_of_generator,
};
use judge_core::language::{Program, read_only, with_help};
use judge_core::program_runner::{ProgramRunner, Run, Stdin, WorkFile};
use judge_core::verdict::{Verdict, classify};
use judge_package::{Package, TestCase};
use judge_sandbox::{Execution, Limits, Mount};
use judge_tempdir::TempDirectory;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Configuration shared by all trials.
pub struct Setup<'a> {
    pub package: &'a Package,
    /// The arguments of its output validator.
    pub validator_args: Vec<String>,
    pub settings: &'a Settings,
    pub limits: RunLimits,
    pub mine: Arc<Program>,
    /// The reference program; without one, only a program that fails by itself is wrong.
    pub reference: Option<Arc<Program>>,
    /// The source code of these two, if known.
    pub sources: [Option<PathBuf>; 2],
    pub generator: Generator,
    /// Decides whether the submission's output is right.
    pub checker: &'a Checker,
    /// Decide whether an input is legal.
    pub validators: &'a InputValidators<'a>,
}

/// A program that generates inputs.
#[derive(Clone, Debug)]
pub struct Generator {
    pub program: Arc<Program>,
    /// Its source code or executable.
    pub path: PathBuf,
    /// Its name, as it was given.
    pub name: String,
    /// Its arguments; `{seed}` in them is replaced by the trial's seed.
    pub args: Vec<String>,
    /// The file that it may write instead of its output.
    pub file: Option<WorkFile>,
}

#[derive(Debug)]
pub enum Trial {
    /// The submission was accepted.
    Same {
        cost: Measured,
        /// Output of the reference, or of the submission without one.
        answer: Vec<u8>,
    },
    /// The submission was not accepted.
    Differs(Difference),
}

/// How the submission failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    pub verdict: Verdict,
    /// The explanation for the user.
    pub message: String,
    /// Output of the reference.
    pub answer: Vec<u8>,
    pub output: Vec<u8>,
}

/// How an input was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// By the generator with this seed.
    Seed(u64),
    /// By a mutation of another input: no seed of the generator makes it.
    Mutation,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Seed(seed) => write!(f, "with seed {seed}"),
            Origin::Mutation => f.write_str("on a mutation of a generated input"),
        }
    }
}

/// An input on which the submission fails.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// How its input was made, before it was shrunk.
    pub origin: Origin,
    /// The generator's arguments.
    pub args: Vec<String>,
    pub input: Vec<u8>,
    /// How the submission fails on it.
    pub how: Difference,
}

/// Cost of a run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Measured {
    pub cpu: Duration,
    /// Instructions, if counted.
    pub instructions: Option<u64>,
}

impl Measured {
    /// Whether this cost is higher than `other`: by instructions if both have them, because they do
    /// not depend on the machine's load.
    pub fn is_more_than(&self, other: &Measured) -> bool {
        match (self.instructions, other.instructions) {
            (Some(own), Some(theirs)) => own > theirs,
            _ => self.cpu > other.cpu,
        }
    }
}

/// How much of an output is kept for display.
const KEPT: u64 = 1 << 20;

/// The context of one worker: a box per program, and files.
pub struct Context<'a> {
    setup: &'a Setup<'a>,
    generator: ProgramRunner,
    reference: ProgramRunner,
    mine: ProgramRunner,
    validator: ProgramRunner,
    checker: Session<'a>,
    input: PathBuf,
    answer: PathBuf,
    data: Vec<Mount>,
    _dir: TempDirectory,
}

impl<'a> Context<'a> {
    /// The context of a worker on this core.
    pub fn open(setup: &'a Setup<'a>, core: Option<usize>) -> Result<Self, Failure> {
        let dir = TempDirectory::new_in(&scratch_root(), "stress")?;
        let mounts = [dir.path(), &setup.package.root].map(read_only).to_vec();
        let program_runner = || ProgramRunner::new(setup.settings.mode, core);
        let checker = setup.checker.session(&mounts, setup.settings.mode, core)?;
        Ok(Context {
            setup,
            generator: program_runner(),
            reference: program_runner(),
            validator: program_runner().for_programs(setup.validators.len()),
            mine: program_runner(),
            checker,
            input: dir.path().join("input"),
            answer: dir.path().join("answer"),
            data: mounts,
            _dir: dir,
        })
    }

    /// The generator's input for a seed.
    pub fn generate(&mut self, seed: u64) -> Result<Vec<u8>, Failure> {
        self.generate_with(&self.setup.generator.args, seed)
    }

    /// The generator's input for a seed with these arguments.
    /// Fails if the generator fails or prints nothing.
    pub fn generate_with(&mut self, args: &[String], seed: u64) -> Result<Vec<u8>, Failure> {
        let generator = &self.setup.generator;
        let seed_text = seed.to_string();
        let with_seed = |arg: &String| arg.replace("{seed}", &seed_text);
        let args: Vec<String> = args.iter().map(with_seed).collect();
        let (runner, program) = (&mut self.generator, &generator.program);
        let (files, limits) = (generator.file.as_slice(), helper_limits(program));
        let input = output_of_generator(runner, program, &args, Stdin::Empty, files, &limits)?
            .map_err(|how| {
                let how = with_help(how.into(), Some(&generator.path));
                Failure::usage(format!("the generator fails with seed {seed}: {how}"))
            })?;
        if input.is_empty() {
            let what = format!("the generator prints nothing with seed {seed}");
            return Err(Failure::usage(what));
        }
        Ok(input)
    }

    /// Whether the package has input validators.
    pub fn has_validators(&self) -> bool {
        !self.setup.validators.is_empty()
    }

    /// The generator's arguments.
    pub fn generator_args(&self) -> &'a [String] {
        &self.setup.generator.args
    }

    /// Whether every input validator of the package accepts the input.
    pub fn is_legal(&mut self, input: &[u8]) -> Result<bool, Failure> {
        fs::write(&self.input, input).map_err(internal("write the input"))?;
        let case = self.case();
        let refused = self
            .setup
            .validators
            .refuse(&mut self.validator, &case, &self.data)?;
        Ok(refused.is_none())
    }

    /// The reference's output for an input; empty without a reference.
    pub fn answer(&mut self, input: &[u8]) -> Result<Vec<u8>, Failure> {
        fs::write(&self.input, input).map_err(internal("write the input"))?;
        let Some(program) = &self.setup.reference else {
            return Ok(Vec::new());
        };
        let (runner, stdin) = (&mut self.reference, Stdin::File(&self.input));
        let limits = helper_limits(program);
        output_of_generator(runner, program, &[], stdin, &[], &limits)?.map_err(|how| {
            let source = self.setup.sources[1].as_deref();
            let name = source
                .and_then(Path::file_name)
                .map_or(String::new(), |name| format!(" {}", name.display()));
            let how = with_help(how.into(), source);
            Failure::usage(format!("the reference{name} fails: {how}"))
        })
    }

    /// Runs reference and submission on an input and compares their outputs.
    /// Fails if the reference, the sandbox or the package's validator fails.
    pub fn trial(&mut self, input: &[u8]) -> Result<Trial, Failure> {
        self.try_input(input, false)
    }

    /// The message of a failure on this input, with the address of an invalid memory access, unless it
    /// is interrupted.
    pub fn explain(&mut self, found: &Counterexample) -> Result<String, Failure> {
        match self.try_input(&found.input, true) {
            Ok(Trial::Differs(how)) if how.verdict == found.how.verdict => Ok(how.message),
            Ok(_) | Err(Failure::Interrupted) => Ok(found.how.message.clone()),
            Err(error) => Err(error),
        }
    }

    fn try_input(&mut self, input: &[u8], explains: bool) -> Result<Trial, Failure> {
        let answer = self.answer(input)?;
        let mine = &self.setup.mine;
        fs::write(&self.answer, &answer).map_err(internal("write the answer"))?;

        let limits = &self.setup.limits;
        let run = Run {
            count_instructions: self.setup.settings.counts_instructions(),
            memory: limits.judged.memory,
            work_is_read_only: !self.setup.package.allow_file_writing,
            ..Run::<String>::helper(&[], Stdin::File(&self.input), &limits.enforced)
        };
        let ran = self.mine.run(mine, &run)?;
        let execution = &ran.execution;
        let (verdict, message) = match classify(execution, &limits.judged) {
            Some(verdict) => {
                let fault = match explains {
                    true => memory_fault::find(&mut self.mine, mine, &run, execution),
                    false => None,
                };
                let message = describe(mine, verdict, execution, limits, &ran.stderr, fault);
                let source = self.setup.sources[0].as_deref();
                (verdict, with_help(message, source))
            }
            None if self.setup.reference.is_none() => {
                let answer = ran.output(u64::MAX);
                return Ok(Trial::Same {
                    cost: cost(execution),
                    answer: answer.map_err(internal("read what the submission wrote"))?,
                });
            }
            None => {
                let case = self.case();
                let outcome = self.checker.check(&case, &ran.stdout).map_err(broken)?;
                if outcome.is_accepted() {
                    return Ok(Trial::Same {
                        cost: cost(execution),
                        answer,
                    });
                }
                let message = outcome.message.unwrap_or_default();
                (Verdict::WrongAnswer, message)
            }
        };
        let output = ran
            .output(KEPT)
            .map_err(internal("read what the submission wrote"))?;
        Ok(Trial::Differs(Difference {
            verdict,
            message,
            answer,
            output,
        }))
    }

    fn case(&self) -> TestCase {
        TestCase {
            name: "stress".to_owned(),
            input: self.input.clone().into(),
            answer: Some(self.answer.clone().into()),
            validator_args: self.setup.validator_args.clone(),
            ..TestCase::default()
        }
    }
}

fn cost(execution: &Execution) -> Measured {
    Measured {
        cpu: execution.usage.cpu.value,
        instructions: execution.usage.instructions.map(|i| i.value),
    }
}

/// Generous limits for generator and reference, which are trusted.
fn helper_limits(program: &Program) -> Limits {
    Limits {
        cpu: Some(Duration::from_secs(10)),
        wall: Duration::from_secs(30),
        memory: Some(2 << 30),
        output: Some(256 << 20),
        processes: Some(64 + program.runtime_threads),
        ..Limits::default()
    }
}

/// The directory for temporary files, in memory if possible.
fn scratch_root() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        memory.to_owned()
    } else {
        std::env::temp_dir()
    }
}

fn internal(what: &'static str) -> impl Fn(std::io::Error) -> Failure {
    move |e| Failure::Internal(format!("failed to {what}: {e}"))
}

/// A fault of the package's validator stops the search as one of the generator does.
fn broken(fault: CheckFault) -> Failure {
    match fault {
        CheckFault::Sandbox(fault) => fault.into(),
        other => Failure::usage(other.to_string()),
    }
}
