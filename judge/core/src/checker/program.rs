//! Calls validator programs by their protocols. `exit_protocol.rs` interprets the result.

use super::dmoj;
use super::exit_protocol::{SCORE, icpc, lemon, sio2, syzoj, testlib};
use super::outcome::{CheckFault, Judgement, Outcome};
use super::request::{About, CheckRequest};
use super::validator_box::{Ended, ValidatorBox, first_of};
use crate::language::{Described, Program};
use crate::program_runner::{Run, Stdin, WorkContent, WorkFile};
use crate::verdict::ending;
use judge_package::{BridgedArgument, DmojKind, Points, TestCase, ValidatorProtocol};
use judge_sandbox::{AsStream, Execution, Exit, Input, Limit, Limits};
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

/// A compiled validator.
#[derive(Clone, Debug)]
pub struct ProgramChecker {
    /// The compiled program.
    pub program: Program,
    /// How it is called and how it answers.
    pub protocol: ValidatorProtocol,
    /// The limits of one run.
    pub limits: Limits,
}

impl ProgramChecker {
    /// Runs the validator on `output`.
    pub fn check(
        &self,
        validator_box: &mut ValidatorBox,
        request: &CheckRequest<'_>,
        output: &File,
    ) -> Result<Outcome, CheckFault> {
        let named = match &self.protocol {
            ValidatorProtocol::Icpc | ValidatorProtocol::DmojPython => None,
            _ => Some(validator_box.put_output(output)?),
        };
        let files = self.files(validator_box, request, named.as_deref());
        let themis = ValidatorProtocol::Dmoj {
            kind: DmojKind::Themis,
            arguments: Vec::new(),
        };
        let places = match &named {
            Some(output) if self.protocol == themis => {
                Some(dmoj::themis_places(validator_box, request, output)?)
            }
            _ => None,
        };
        let args = self.args(validator_box, request, named);
        let stdin = stdin_of(places.as_ref().unwrap_or(output))?;
        let run = Run {
            files: &files,
            ..Run::helper(&args, Stdin::Open(stdin.as_stream()), &self.limits)
        };
        let ended = &mut validator_box.run(&self.program, &run)?;
        self.judge(ended, request)
    }

    /// Runs the program as a static validator, which checks the source of a submission, not its
    /// output: 2025-09, "Static validator".
    ///
    /// ```text
    /// static_validator LANGUAGE ENTRY_POINT FEEDBACK_DIR/ [args]     (42 accepts, 43 rejects)
    /// ```
    ///
    /// It works in a directory with the submission's files, and answers like an output validator.
    /// Fails when the judge or the package does.
    pub fn check_source(
        &self,
        validator_box: &mut ValidatorBox,
        source: &Described,
        case: &TestCase,
    ) -> Result<Outcome, CheckFault> {
        let copy = |(name, from): &(PathBuf, PathBuf)| WorkFile::copy(name, from);
        let files: Vec<WorkFile> = source.files.iter().map(copy).collect();
        let mut feedback = validator_box.feedback().into_os_string();
        feedback.push("/");
        let mut words = vec![
            OsString::from(&source.language),
            OsString::from(&source.entry_point),
            feedback,
        ];
        words.extend(case.validator_args.iter().map(OsString::from));
        let run = Run {
            files: &files,
            ..Run::helper(&words, Stdin::Empty, &self.limits)
        };
        let ended = &mut validator_box.run(&self.program, &run)?;
        let request = CheckRequest {
            input: Path::new(""),
            answer: None,
            args: &case.validator_args,
            score: None,
            multi_pass: false,
            ignores_points: case.points == Points::Ignored,
            about: &About::default(),
        };
        self.judge(ended, &request)
    }

    /// The files of the validator's work directory. `output` is the output's path.
    pub fn files(
        &self,
        validator_box: &ValidatorBox,
        request: &CheckRequest<'_>,
        output: Option<&Path>,
    ) -> Vec<WorkFile> {
        match (&self.protocol, &request.about.source, output) {
            (ValidatorProtocol::DmojPython, Some(source), _) => {
                vec![WorkFile::copy("submission", source)]
            }
            (ValidatorProtocol::Syzoj, _, Some(output)) => {
                let empty = validator_box.empty_file();
                let answer = request.answer.unwrap_or(&empty);
                let files = [
                    ("input", request.input),
                    ("user_out", output),
                    ("answer", answer),
                ];
                let link = |(name, to): (&str, &Path)| WorkFile {
                    name: name.into(),
                    content: WorkContent::Link(to.to_owned()),
                };
                files.map(link).into()
            }
            _ => Vec::new(),
        }
    }

    /// The arguments after the program's own. `output` is the output's path, for protocols that
    /// pass it.
    pub fn args(
        &self,
        validator_box: &ValidatorBox,
        request: &CheckRequest<'_>,
        output: Option<PathBuf>,
    ) -> Vec<OsString> {
        let input = request.input.as_os_str().to_owned();
        let answer = request
            .answer
            .map_or_else(|| validator_box.empty_file(), Path::to_path_buf)
            .into_os_string();
        let output = output.unwrap_or_default().into_os_string();
        let mut feedback = validator_box.feedback().into_os_string();
        feedback.push("/");
        let text = |text: &str| OsString::from(text);
        let in_feedback = |name: &str| validator_box.feedback().join(name).into_os_string();
        let mut args = match &self.protocol {
            ValidatorProtocol::Icpc | ValidatorProtocol::DmojPython => {
                vec![input, answer, feedback]
            }
            ValidatorProtocol::Testlib
            | ValidatorProtocol::TestlibOf200
            | ValidatorProtocol::OnlineJudgeTools
            | ValidatorProtocol::Sio2 => {
                vec![input, output, answer]
            }
            ValidatorProtocol::Hustoj => vec![input, answer, output],
            ValidatorProtocol::Qduoj => vec![input, output],
            ValidatorProtocol::Lemon => vec![
                input,
                output,
                answer,
                text(&full_score(request).to_string()),
                in_feedback(SCORE),
                in_feedback("judgemessage.txt"),
            ],
            ValidatorProtocol::Syzoj => Vec::new(),
            ValidatorProtocol::Dmoj { arguments, .. } => arguments
                .iter()
                .map(|argument| match argument {
                    BridgedArgument::Input => input.clone(),
                    BridgedArgument::Output => output.clone(),
                    BridgedArgument::Answer => answer.clone(),
                    BridgedArgument::Word(word) => word.into(),
                })
                .collect(),
        };
        // Only these protocols take arguments from the package.
        if matches!(
            self.protocol,
            ValidatorProtocol::Icpc
                | ValidatorProtocol::DmojPython
                | ValidatorProtocol::Testlib
                | ValidatorProtocol::TestlibOf200
        ) {
            args.extend(request.args.iter().map(OsString::from));
        }
        if self.protocol == ValidatorProtocol::DmojPython {
            args.push(request.about.to_json().into());
        }
        args
    }

    /// The n of testlib's `_pc(n)` that gives full points.
    fn full_points(&self) -> u32 {
        match self.protocol {
            ValidatorProtocol::TestlibOf200 => 200,
            _ => 100,
        }
    }

    /// Whether this exit code means acceptance.
    pub fn accepts(&self, ended: &Ended<'_>, code: i32) -> bool {
        match &self.protocol {
            ValidatorProtocol::Icpc | ValidatorProtocol::DmojPython => code == 42,
            ValidatorProtocol::Testlib | ValidatorProtocol::TestlibOf200 => {
                let outcome = testlib(ended, code, self.full_points());
                outcome.is_ok_and(|outcome| outcome.is_accepted())
            }
            ValidatorProtocol::Dmoj { kind, .. } => dmoj::accepts(*kind, code),
            _ => code == 0,
        }
    }

    /// Converts the end of a validator's run to an outcome.
    pub fn judge(
        &self,
        ended: &mut Ended<'_>,
        request: &CheckRequest<'_>,
    ) -> Result<Outcome, CheckFault> {
        match self.outcome(ended, request) {
            Ok(outcome) => Ok(Outcome {
                message: outcome
                    .message
                    .map(|text| self.program.with_own_names(text)),
                ..outcome
            }),
            Err(fault) => Err(fault.with_own_names(&self.program)),
        }
    }

    fn outcome(
        &self,
        ended: &mut Ended<'_>,
        request: &CheckRequest<'_>,
    ) -> Result<Outcome, CheckFault> {
        let execution = ended.execution();
        let code = match execution.exit {
            Exit::Code(code) => code,
            Exit::Killed(limit) => {
                let what = self.over(limit, execution);
                return Err(ended.fault(what).stopped_by(limit));
            }
            exit => {
                return Err(ended.fault(format!("the validator failed: {}", ending(exit))));
            }
        };
        if code == 1 && self.rejects_with_1() && is_exception(&ended.stderr()) {
            return Err(ended.fault("the checker failed with an exception"));
        }
        match &self.protocol {
            ValidatorProtocol::DmojPython if !matches!(code, 42 | 43) => {
                Err(failed_python(ended, code))
            }
            ValidatorProtocol::Icpc | ValidatorProtocol::DmojPython => icpc(ended, request, code),
            ValidatorProtocol::Testlib | ValidatorProtocol::TestlibOf200 => {
                testlib(ended, code, self.full_points())
            }
            ValidatorProtocol::Dmoj { kind, .. } => dmoj::judge(ended, *kind, code),
            ValidatorProtocol::Lemon if code == 0 => lemon(ended, full_score(request)),
            ValidatorProtocol::Syzoj if code == 0 => syzoj(ended, full_score(request)),
            ValidatorProtocol::Sio2 => sio2(ended, code),
            ValidatorProtocol::Lemon | ValidatorProtocol::Syzoj => {
                let what = format!("the checker exited with code {code}; it must exit with 0");
                Err(ended.fault(what))
            }
            ValidatorProtocol::OnlineJudgeTools
            | ValidatorProtocol::Hustoj
            | ValidatorProtocol::Qduoj => {
                let mut outcome = Outcome::accepted();
                if code != 0 {
                    outcome.judgement = Judgement::Rejected;
                    outcome.message = first_of([Some(ended.stderr()), Some(ended.stdout())])
                        .or_else(|| Some(format!("the checker exited with code {code}")));
                }
                Ok(outcome)
            }
        }
    }

    /// Whether exit code 1, with which Python and Java end after an exception, rejects an output.
    fn rejects_with_1(&self) -> bool {
        matches!(
            self.protocol,
            ValidatorProtocol::Testlib
                | ValidatorProtocol::TestlibOf200
                | ValidatorProtocol::OnlineJudgeTools
                | ValidatorProtocol::Hustoj
                | ValidatorProtocol::Qduoj
                | ValidatorProtocol::Sio2
        )
    }

    fn over(&self, limit: Limit, execution: &Execution) -> String {
        let mib = |bytes: Option<u64>| bytes.unwrap_or(0) >> 20;
        let limits = &self.limits;
        let what = match limit {
            Limit::Cpu | Limit::Instructions => {
                let seconds = limits.cpu.map_or(f64::INFINITY, |time| time.as_secs_f64());
                format!("took more than its {seconds} s of CPU time")
            }
            Limit::Wall => {
                let seconds = limits.wall.as_secs_f64();
                let cpu = execution.usage.cpu.value;
                match cpu > limits.wall / 2 {
                    true => format!(
                        "did not end within {seconds} s, and used {:.0} s of CPU time",
                        cpu.as_secs_f64()
                    ),
                    false => format!("did not end within {seconds} s; does it wait for something?"),
                }
            }
            Limit::Memory => format!("used more than its {} MiB of memory", mib(limits.memory)),
            Limit::Disk => {
                let most = mib(limits.disk);
                format!("left more than {most} MiB in its feedback directory")
            }
            Limit::Idle => "waited for too long".to_owned(),
            Limit::Output => format!("wrote more than its {} MiB", mib(limits.output)),
        };
        format!("the validator {what}")
    }
}

/// The points of the case, for protocols that count them.
fn full_score(request: &CheckRequest<'_>) -> f64 {
    request.score.unwrap_or(100.0)
}

/// Whether this standard error is that of a program in Python or Java that ended with an exception.
fn is_exception(stderr: &str) -> bool {
    ["Traceback (most recent call last):", "Exception in thread "]
        .iter()
        .any(|start| stderr.starts_with(start))
}

/// The fault of a checker or grader in Python that gave no result. The runner writes an exception
/// into the message for the judges; a checker that ends the interpreter has none.
fn failed_python(ended: &Ended<'_>, code: i32) -> CheckFault {
    match ended.message("judgemessage.txt") {
        Some(message) => CheckFault::Validator {
            what: format!("the checker failed: {message}"),
            said: String::new(),
            timed_out: false,
        },
        None => ended.fault(format!(
            "the checker exited with code {code}, without a result"
        )),
    }
}

/// Standard input of a validator: read-only, with a file description of its own, so that submission
/// and validator cannot affect each other. A file with a name belongs to the package or the user
/// and is copied.
pub fn stdin_of(output: &File) -> Result<File, CheckFault> {
    let broken = CheckFault::io("the output");
    let metadata = output.metadata().map_err(&broken)?;
    if judge_os::names(&metadata) == 0 {
        // The program may have changed the mode: if an ordinary user judges, the file is its own. A
        // validator, which may be another user, can open its input again.
        judge_os::set_mode_of(output, 0o444).map_err(&broken)?;
        if let Some(file) = judge_os::reopen(output).map_err(&broken)? {
            return Ok(file);
        }
    }
    Ok(Input::from_file(output)?.into())
}
