//! Validator programs: how each protocol calls one, and what its answer means.

use super::outcome::{CheckFault, Judgement, Outcome, Score};
use super::room::Room;
use crate::language::Program;
use crate::package::ValidatorProtocol;
use judge_sandbox::{Execution, Exit, Limit, Limits};
use std::ffi::OsString;
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A validator program, built.
#[derive(Clone, Debug)]
pub struct ProgramChecker {
    /// How to start it.
    pub program: Program,
    /// How it is called and answers.
    pub protocol: ValidatorProtocol,
    /// The limits of one run.
    pub limits: Limits,
}

/// What one run of a validator is about.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The input that the submission got.
    pub input: &'a Path,
    /// The answer, where there is one.
    pub answer: Option<&'a Path>,
    /// Arguments of the case or its group.
    pub args: &'a [String],
    /// Whether the validator may ask for a further pass.
    pub multi_pass: bool,
}

impl ProgramChecker {
    /// Runs the validator on `output`.
    pub fn check(
        &self,
        room: &mut Room,
        question: &Question<'_>,
        output: &File,
    ) -> Result<Outcome, CheckFault> {
        let mut stdin = output;
        stdin
            .seek(SeekFrom::Start(0))
            .map_err(|source| CheckFault::Io {
                what: "the output".to_string(),
                source,
            })?;
        let named = match self.protocol {
            ValidatorProtocol::Icpc => None,
            _ => Some(room.put_output(output)?),
        };
        let args = self.args(room, question, named);
        let execution = room.run(&self.program, &args, output, &self.limits)?;
        self.judge(room, question, &execution)
    }

    /// The arguments after the program's name; `output` is its path, where the protocol names it.
    pub fn args(
        &self,
        room: &Room,
        question: &Question<'_>,
        output: Option<PathBuf>,
    ) -> Vec<OsString> {
        let input = question.input.as_os_str().to_owned();
        let answer = question
            .answer
            .map_or_else(|| room.empty_file(), Path::to_path_buf)
            .into_os_string();
        let output = output.unwrap_or_default().into_os_string();
        let mut feedback = room.feedback().into_os_string();
        feedback.push("/");
        let places = match self.protocol {
            ValidatorProtocol::Icpc => [input, answer, feedback],
            ValidatorProtocol::Testlib | ValidatorProtocol::OnlineJudgeTools => {
                [input, output, answer]
            }
            ValidatorProtocol::Hustoj => [input, answer, output],
        };
        let mut args = self.program.args_for(self.limits.memory, &[]);
        args.extend(places);
        args.extend(question.args.iter().map(OsString::from));
        args
    }

    /// What the end of a validator's run means.
    pub fn judge(
        &self,
        room: &mut Room,
        question: &Question<'_>,
        execution: &Execution,
    ) -> Result<Outcome, CheckFault> {
        let code = match execution.exit {
            Exit::Code(code) => code,
            Exit::Signal(signal) => {
                return Err(fault(
                    room,
                    format!("the validator was ended by signal {signal}"),
                ));
            }
            Exit::Killed(limit) => return Err(fault(room, self.over(limit))),
            Exit::Cancelled => return Err(fault(room, "the validator was stopped".to_owned())),
        };
        match self.protocol {
            ValidatorProtocol::Icpc => icpc(room, question, code),
            ValidatorProtocol::Testlib => testlib(room, code),
            ValidatorProtocol::OnlineJudgeTools | ValidatorProtocol::Hustoj => {
                let mut outcome = Outcome::accepted();
                if code != 0 {
                    outcome.judgement = Judgement::Rejected;
                    outcome.message = first_of([Some(room.stderr()), Some(room.stdout())])
                        .or_else(|| Some(format!("the checker exited with code {code}")));
                }
                Ok(outcome)
            }
        }
    }

    fn over(&self, limit: Limit) -> String {
        let seconds =
            |time: Option<std::time::Duration>| time.map_or(f64::INFINITY, |t| t.as_secs_f64());
        let mib = |bytes: Option<u64>| bytes.unwrap_or(0) >> 20;
        match limit {
            Limit::Cpu | Limit::Instructions => {
                format!(
                    "the validator took more than its {} s of CPU time",
                    seconds(self.limits.cpu)
                )
            }
            Limit::Wall => format!(
                "the validator did not end within {} s; does it wait for something?",
                self.limits.wall.as_secs_f64()
            ),
            Limit::Memory => {
                format!(
                    "the validator used more than its {} MiB of memory",
                    mib(self.limits.memory)
                )
            }
            Limit::Output => format!(
                "the validator wrote more than its {} MiB",
                mib(self.limits.output)
            ),
        }
    }
}

fn icpc(room: &mut Room, question: &Question<'_>, code: i32) -> Result<Outcome, CheckFault> {
    let accepted = match code {
        42 => true,
        43 => false,
        _ => {
            return Err(fault(
                room,
                format!(
                    "the validator exited with code {code}; it must exit with 42 (accept) or 43 (reject)"
                ),
            ));
        }
    };
    let goes_on = question.multi_pass && room.has_message("nextpass.in");
    if goes_on && !accepted {
        return Err(fault(
            room,
            "the validator wrote nextpass.in, but exited with code 43".to_string(),
        ));
    }
    let score = score(room)?;
    if score.is_some() && !accepted {
        return Err(fault(
            room,
            "the validator gave points to an output that it rejects".to_string(),
        ));
    }
    let next_pass = if goes_on {
        Some(room.take_next_pass()?)
    } else {
        None
    };
    Ok(Outcome {
        judgement: if accepted {
            Judgement::Accepted
        } else {
            Judgement::Rejected
        },
        score,
        message: first_of([
            room.message("judgemessage.txt"),
            (!accepted).then(|| room.stderr()),
        ]),
        team_message: room.message("teammessage.txt"),
        difference: None,
        next_pass,
    })
}

fn score(room: &Room) -> Result<Option<Score>, CheckFault> {
    let read = |name: &str| -> Result<Option<f64>, CheckFault> {
        if !room.has_message(name) {
            return Ok(None);
        }
        let text = room.message(name).unwrap_or_default();
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Some(value)),
            _ => Err(fault(
                room,
                format!("{name} must hold one number, found {text:?}"),
            )),
        }
    };
    match (read("score.txt")?, read("score_multiplier.txt")?) {
        (Some(_), Some(_)) => Err(fault(
            room,
            "the validator wrote both score.txt and score_multiplier.txt; only one is allowed"
                .to_string(),
        )),
        (Some(points), None) => Ok(Some(Score::Points(points))),
        (None, Some(share)) if (0.0..=1.0).contains(&share) => Ok(Some(Score::Multiplier(share))),
        (None, Some(share)) => Err(fault(
            room,
            format!("score_multiplier.txt must be between 0 and 1, found {share}"),
        )),
        (None, None) => Ok(None),
    }
}

/// The exit codes of testlib.h.
fn testlib(room: &Room, code: i32) -> Result<Outcome, CheckFault> {
    /// `_pc(n)` exits with 16 + n, n from 0 to 200 for 0 to 100 %.
    const PARTIAL: i32 = 16;
    let said = room.stderr();
    let (judgement, score) = match code {
        0 => (Judgement::Accepted, None),
        1 => (Judgement::Rejected, None),
        // PE; DIRT: right, but followed by something; the output ended too early.
        2 | 4 | 8 => (Judgement::PresentationError, None),
        5 | 7 => {
            let number = said
                .split_whitespace()
                .find_map(|word| word.parse::<f64>().ok());
            match number.filter(|number| number.is_finite()) {
                Some(points) => (Judgement::Accepted, Some(Score::Points(points))),
                None => {
                    return Err(fault(
                        room,
                        format!("the checker exited with code {code} (points), but said no number"),
                    ));
                }
            }
        }
        PARTIAL..=216 => (
            Judgement::Accepted,
            Some(Score::Multiplier(f64::from(code - PARTIAL) / 200.0)),
        ),
        3 => {
            return Err(fault(
                room,
                "the checker says that the test case itself is wrong (code 3)".to_string(),
            ));
        }
        _ => {
            return Err(fault(
                room,
                format!(
                    "the checker exited with code {code}, which testlib does not have (0 accepts, 1 \
                     rejects, 2 presentation, 7 points)"
                ),
            ));
        }
    };
    Ok(Outcome {
        judgement,
        score,
        message: first_of([Some(said)]),
        ..Outcome::accepted()
    })
}

fn fault(room: &Room, what: String) -> CheckFault {
    let said =
        first_of([room.message("judgemessage.txt"), Some(room.stderr())]).unwrap_or_default();
    CheckFault::Validator { what, said }
}

fn first_of<const N: usize>(texts: [Option<String>; N]) -> Option<String> {
    texts.into_iter().flatten().find(|text| !text.is_empty())
}
