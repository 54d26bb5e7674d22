//! Graders: programs of legacy packages that aggregate the results of a group's parts.
//!
//! ```text
//! grader FLAGS < "AC 3\nWA 0\n"  > "WA 3"
//! ```
//!
//! Source: Kattis problem package format, version legacy, "Graders".

use super::outcome::CheckFault;
use super::validator_box::ValidatorBox;
use crate::language::Program;
use crate::program_runner::{Run, Stdin};
use crate::verdict::{Verdict, ending};
use judge_sandbox::{AsStream, Exit, Input, Limits};
use std::ffi::OsString;

/// A compiled grader.
#[derive(Clone, Debug)]
pub struct Grader {
    /// The compiled program.
    pub program: Program,
    /// The limits of one run.
    pub limits: Limits,
}

impl Grader {
    /// Grades a group with these `flags`, whose parts have these `results`, in order.
    /// Fails when the grader fails or violates the protocol.
    pub fn grade(
        &self,
        validator_box: &mut ValidatorBox,
        flags: &[String],
        results: &[(Verdict, f64)],
    ) -> Result<(Verdict, f64), CheckFault> {
        let lines: String = results
            .iter()
            .map(|(verdict, score)| format!("{} {score}\n", code(*verdict)))
            .collect();
        let input = Input::from_bytes(lines.as_bytes())?;
        let args: Vec<OsString> = flags.iter().map(OsString::from).collect();
        let run = Run::helper(&args, Stdin::Open(input.as_stream()), &self.limits);
        let ended = validator_box.run(&self.program, &run)?;
        let fault = |what: String| ended.fault(what).with_own_names(&self.program);
        match ended.execution().exit {
            Exit::Code(0) => {}
            Exit::Code(code) => {
                return Err(fault(format!(
                    "the grader exited with code {code}; it must exit with 0"
                )));
            }
            exit => return Err(fault(format!("the grader failed: {}", ending(exit)))),
        }
        let said = ended.stdout();
        parse(&said).ok_or_else(|| {
            fault(format!(
                "the grader must write a verdict and a score, like `AC 100`, and wrote {said:?}"
            ))
        })
    }
}

/// The protocol's code of a verdict; it has no codes for partial scores, memory and output.
fn code(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted | Verdict::PartiallyAccepted => "AC",
        Verdict::WrongAnswer | Verdict::PresentationError => "WA",
        Verdict::TimeLimitExceeded => "TLE",
        Verdict::RunTimeError
        | Verdict::SecurityViolation
        | Verdict::MemoryLimitExceeded
        | Verdict::OutputLimitExceeded => "RTE",
        Verdict::CompileError | Verdict::JudgeError => "JE",
    }
}

/// `AC 12.5`.
fn parse(said: &str) -> Option<(Verdict, f64)> {
    let mut words = said.split_whitespace();
    let (verdict, score) = (words.next()?, words.next()?);
    if words.next().is_some() {
        return None;
    }
    let verdict = match verdict {
        // Problemtools' graders also answer with the last two.
        "AC" | "WA" | "TLE" | "RTE" | "MLE" | "OLE" => Verdict::from_code(verdict)?,
        _ => return None,
    };
    let score: f64 = score.parse().ok()?;
    score.is_finite().then_some((verdict, score))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grader_writes_one_verdict_and_one_score() {
        for (said, expected) in [
            ("AC 100\n", Some((Verdict::Accepted, 100.0))),
            ("WA 0", Some((Verdict::WrongAnswer, 0.0))),
            ("  TLE\t-1.5 \n", Some((Verdict::TimeLimitExceeded, -1.5))),
            ("", None),
            ("AC", None),
            ("AC 1 2", None),
            ("AC inf", None),
            ("JE 0", None),
            ("PE 0", None),
            ("MLE 5", Some((Verdict::MemoryLimitExceeded, 5.0))),
            ("OLE 0", Some((Verdict::OutputLimitExceeded, 0.0))),
            ("ok 3", None),
        ] {
            assert_eq!(parse(said), expected, "{said:?}");
        }
    }
}
