//! Validator programs: how each protocol calls one, and what its answer means.

use super::outcome::{CheckFault, Judgement, Outcome, Score};
use super::room::Room;
use crate::language::Program;
use crate::package::{BridgedArgument, DmojKind, ValidatorProtocol};
use judge_sandbox::{Content, Execution, Exit, Furnishing, Limit, Limits};
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
        let named = match &self.protocol {
            ValidatorProtocol::Icpc => None,
            _ => Some(room.put_output(output)?),
        };
        if self.protocol == ValidatorProtocol::Syzoj {
            let output = named.clone().unwrap_or_default();
            let answer = question
                .answer
                .map_or_else(|| room.empty_file(), Path::to_path_buf);
            let files = [
                ("input", question.input),
                ("user_out", output.as_path()),
                ("answer", answer.as_path()),
            ];
            let files = files.map(|(name, from)| Furnishing {
                name: Path::new(name),
                content: Content::Link(from),
            });
            room.furnish(&files)?;
        }
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
        let text = |text: &str| OsString::from(text);
        let in_feedback = |name: &str| room.feedback().join(name).into_os_string();
        let places = match &self.protocol {
            ValidatorProtocol::Icpc => vec![input, answer, feedback],
            ValidatorProtocol::Testlib | ValidatorProtocol::OnlineJudgeTools => {
                vec![input, output, answer]
            }
            ValidatorProtocol::Hustoj => vec![input, answer, output],
            ValidatorProtocol::Qduoj => vec![input, output],
            ValidatorProtocol::Lemon => vec![
                input,
                output,
                answer,
                // Points are told as a share of these.
                text("100"),
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
        let mut args = self.program.args_for(self.limits.memory, &[]);
        args.extend(places);
        // Only these two take arguments of the package's.
        if matches!(
            self.protocol,
            ValidatorProtocol::Icpc | ValidatorProtocol::Testlib
        ) {
            args.extend(question.args.iter().map(OsString::from));
        }
        args
    }

    /// Whether a program that ends so has accepted, whatever else it says.
    pub fn accepts(&self, code: i32) -> bool {
        match &self.protocol {
            ValidatorProtocol::Icpc => code == 42,
            ValidatorProtocol::Testlib => matches!(code, 0 | 5 | 7 | 16..),
            ValidatorProtocol::Dmoj { .. } => matches!(code, 0 | 7),
            _ => code == 0,
        }
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
        match &self.protocol {
            ValidatorProtocol::Icpc => icpc(room, question, code),
            ValidatorProtocol::Testlib => testlib(room, code),
            ValidatorProtocol::Dmoj { kind, .. } => dmoj(room, *kind, code),
            ValidatorProtocol::Lemon if code == 0 => {
                let said = room.message(SCORE).unwrap_or_default();
                of_hundred(room, &said, room.message("judgemessage.txt"))
            }
            ValidatorProtocol::Syzoj if code == 0 => {
                of_hundred(room, &room.stdout(), Some(room.stderr()))
            }
            ValidatorProtocol::Lemon | ValidatorProtocol::Syzoj => {
                let what = format!("the checker exited with code {code}; it must exit with 0");
                Err(fault(room, what))
            }
            ValidatorProtocol::OnlineJudgeTools
            | ValidatorProtocol::Hustoj
            | ValidatorProtocol::Qduoj => {
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
    // Whether it may give points to an output that it rejects is a question of the format.
    let score = score(room)?;
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

/// Where a checker of Lemon writes its points.
const SCORE: &str = "points.txt";

/// A checker that gives 0 to 100 points.
fn of_hundred(room: &Room, said: &str, message: Option<String>) -> Result<Outcome, CheckFault> {
    let points: f64 = match said.trim().parse() {
        Ok(points) if (0.0..=100.0).contains(&points) => points,
        _ => {
            let what = format!("the checker must give 0 to 100 points, and gave {said:?}");
            return Err(fault(room, what));
        }
    };
    let message = message.filter(|text| !text.is_empty());
    Ok(match points {
        0.0 => Outcome {
            message,
            ..Outcome::rejected("")
        },
        100.0 => Outcome {
            message,
            ..Outcome::accepted()
        },
        points => Outcome {
            score: Some(Score::Multiplier(points / 100.0)),
            message,
            ..Outcome::accepted()
        },
    })
}

/// The exit codes and words of DMOJ's bridged programs.
fn dmoj(room: &Room, kind: DmojKind, code: i32) -> Result<Outcome, CheckFault> {
    let message = first_of([Some(room.stdout()), Some(room.stderr())]);
    let accepted = |score| Outcome {
        score,
        message: message.clone(),
        ..Outcome::accepted()
    };
    if kind == DmojKind::Peg
        && let Some(share) = peg_share(&room.stdout()).filter(|_| code == 0 || code == 1)
    {
        return Ok(accepted(Some(Score::Multiplier(share.min(1.0)))));
    }
    let judgement = match (kind, code) {
        (_, 0) => return Ok(accepted(None)),
        (_, 1) => Judgement::Rejected,
        (DmojKind::Testlib | DmojKind::Coci, 2) => Judgement::PresentationError,
        (DmojKind::Testlib | DmojKind::Coci, 7) => {
            return match partial(kind, &room.stderr()) {
                Some(score) => Ok(accepted(Some(score))),
                None => Err(fault(
                    room,
                    "the checker exited with code 7 (points), but did not say how many".to_string(),
                )),
            };
        }
        _ => {
            let what = format!("the checker exited with code {code}, which means nothing to DMOJ");
            return Err(fault(room, what));
        }
    };
    Ok(Outcome {
        judgement,
        message: message.clone(),
        ..Outcome::accepted()
    })
}

/// `points 5`, or `partial 2/3`, on a line of its own.
fn partial(kind: DmojKind, said: &str) -> Option<Score> {
    said.lines().find_map(|line| match kind {
        DmojKind::Coci => {
            let (part, whole) = line.strip_prefix("partial ")?.split_once('/')?;
            let share = part.parse::<u32>().ok()? as f64 / whole.parse::<u32>().ok()? as f64;
            (0.0..=1.0)
                .contains(&share)
                .then_some(Score::Multiplier(share))
        }
        _ => {
            let points: u32 = line.strip_prefix("points ")?.parse().ok()?;
            Some(Score::Points(f64::from(points)))
        }
    })
}

/// The quotient of the first two lines that are numbers.
fn peg_share(said: &str) -> Option<f64> {
    let numbers: Vec<Option<f64>> = said.lines().map(|line| line.trim().parse().ok()).collect();
    numbers.windows(2).find_map(|pair| {
        Some(pair[0]? / pair[1]?).filter(|share| *share > 0.0 && share.is_finite())
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_of_dmoj_say() {
        let points = partial(DmojKind::Testlib, "note\npoints 5\n");
        assert_eq!(points, Some(Score::Points(5.0)));
        assert_eq!(partial(DmojKind::Testlib, "points five"), None);
        let share = partial(DmojKind::Coci, "partial 3/4");
        assert_eq!(share, Some(Score::Multiplier(0.75)));
        assert_eq!(partial(DmojKind::Coci, "partial 1/0"), None);
        assert_eq!(partial(DmojKind::Coci, "partial 5/4"), None);
        assert_eq!(peg_share("ok\n1.5\n3\n"), Some(0.5));
        assert_eq!(peg_share("0\n0\n"), None);
        assert_eq!(peg_share("1\nx\n"), None);
    }
}
