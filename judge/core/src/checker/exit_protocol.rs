//! Converts the exit of a validator to an outcome, by its protocol: exit codes, messages, files.

use super::outcome::{CheckFault, Judgement, Outcome, Score};
use super::request::CheckRequest;
use super::validator_box::{Ended, first_of};

/// The exit codes and files of the ICPC format.
pub fn icpc(
    ended: &mut Ended<'_>,
    request: &CheckRequest<'_>,
    code: i32,
) -> Result<Outcome, CheckFault> {
    let judgement = match code {
        42 => Judgement::Accepted,
        43 => Judgement::Rejected,
        _ => {
            return Err(ended.fault(format!(
                "the validator exited with code {code}; it must exit with 42 (accept) or 43 (reject)"
            )));
        }
    };
    let accepted = judgement == Judgement::Accepted;
    let goes_on = request.multi_pass && ended.has_message("nextpass.in");
    if goes_on && !accepted {
        return Err(ended.fault("the validator wrote nextpass.in, but exited with code 43"));
    }
    Ok(Outcome {
        judgement,
        // Whether a rejected output may have points depends on the format.
        score: match request.ignores_points {
            true => None,
            false => score(ended)?,
        },
        next_pass: match goes_on {
            true => Some(ended.take_next_pass()?),
            false => None,
        },
        message: first_of([
            ended.message("judgemessage.txt"),
            (!accepted).then(|| ended.stderr()),
        ]),
        team_message: ended.message("teammessage.txt"),
        difference: None,
    })
}

fn score(ended: &Ended<'_>) -> Result<Option<Score>, CheckFault> {
    let read = |name: &str| -> Result<Option<f64>, CheckFault> {
        if !ended.has_message(name) {
            return Ok(None);
        }
        let text = ended.message(name).unwrap_or_default();
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Some(value)),
            _ => Err(ended.fault(format!("{name} must hold one number, found {text:?}"))),
        }
    };
    match (read("score.txt")?, read("score_multiplier.txt")?) {
        (Some(_), Some(_)) => Err(ended.fault(
            "the validator wrote both score.txt and score_multiplier.txt; only one is allowed",
        )),
        (Some(points), None) => Ok(Some(Score::Points(points))),
        (None, Some(share)) if (0.0..=1.0).contains(&share) => Ok(Some(Score::Multiplier(share))),
        (None, Some(share)) => Err(ended.fault(format!(
            "score_multiplier.txt must be between 0 and 1, found {share}"
        ))),
        (None, None) => Ok(None),
    }
}

/// File to which a checker of Lemon writes its points.
pub const SCORE: &str = "points.txt";

/// Lemon: the points in [`SCORE`], of `full`.
pub fn lemon(ended: &Ended<'_>, full: f64) -> Result<Outcome, CheckFault> {
    let said = ended.message(SCORE).unwrap_or_default();
    let points = number(&said).floor();
    let message = ended.message("judgemessage.txt");
    points_of(ended, &said, (points, full), full, message)
}

/// SYZOJ: a percentage on standard output; the points of the case are reduced to whole ones.
pub fn syzoj(ended: &Ended<'_>, full: f64) -> Result<Outcome, CheckFault> {
    let said = ended.stdout();
    let percentage = (number(&said), 100.0);
    points_of(ended, &said, percentage, full, Some(ended.stderr()))
}

/// SIO2: the word `OK` or another one, a message, and the percentage of the points (`50`, `50%`, `1/2`; all of
/// them without one), each on a line. An exit code above 2 rejects.
pub fn sio2(ended: &Ended<'_>, code: i32) -> Result<Outcome, CheckFault> {
    let said = ended.stdout();
    let mut lines = said.lines().map(str::trim);
    let (word, message, share) = (lines.next(), lines.next(), lines.next());
    let message = message
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
        .or_else(|| first_of([Some(ended.stderr())]));
    if code > 2 || word != Some("OK") {
        let without = || format!("the checker exited with code {code}, and wrote {said:?}");
        return Ok(Outcome::rejected(message.unwrap_or_else(without)));
    }
    match percentage(share.unwrap_or_default()) {
        Some(percentage) => Ok(Outcome::of_share(percentage / 100.0, message)),
        None => Err(ended.fault(format!(
            "the third line must be a percentage from 0 to 100; the checker wrote {said:?}"
        ))),
    }
}

/// A percentage from 0 to 100, written as a number or a fraction; an empty text is 100.
fn percentage(text: &str) -> Option<f64> {
    let text = text.strip_suffix('%').unwrap_or(text).trim();
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let found = match text.split_once('/') {
        _ if text.is_empty() => 100.0,
        Some((over, under)) => number(over)? / number(under)?,
        None => number(text)?,
    };
    (0.0..=100.0).contains(&found).then_some(found)
}

/// The number that JavaScript reads, with which Hydro's judge is written; 0 for other text.
fn number(text: &str) -> f64 {
    let number = text.trim().parse::<f64>().unwrap_or(0.0);
    if number.is_finite() { number } else { 0.0 }
}

/// Accepts all points; an output with fewer is rejected and keeps its part of the case's points `full`.
fn points_of(
    ended: &Ended<'_>,
    said: &str,
    (points, most): (f64, f64),
    full: f64,
    message: Option<String>,
) -> Result<Outcome, CheckFault> {
    if points > most {
        let what = format!("the checker must give 0 to {most} points, and gave {said:?}");
        return Err(ended.fault(what));
    }
    let message = message.filter(|text| !text.is_empty());
    if points == most {
        return Ok(Outcome {
            message,
            ..Outcome::accepted()
        });
    }
    let own = (points * full / most).floor();
    let without_message = || match said.trim().parse::<f64>() {
        Ok(_) => format!("the checker gave {points} of {most} points"),
        Err(_) => format!("the checker gave no points: it wrote {said:?}"),
    };
    Ok(Outcome {
        score: (own > 0.0).then_some(Score::Points(own)),
        ..Outcome::rejected(message.unwrap_or_else(without_message))
    })
}

/// The messages and exit codes of testlib.h; `whole` is the n for which `_pc(n)` gives full points.
///
/// testlib exits with code n for `_pc(n)` (50 + n on some systems), and small values are also codes
/// of other outcomes. So the line on standard error decides, unless the exit code belongs to
/// another outcome and cannot come from this n: then the line is part of that outcome's message.
pub fn testlib(ended: &Ended<'_>, code: i32, whole: u32) -> Result<Outcome, CheckFault> {
    let said = ended.stderr();
    if let Some(n) = partially_correct(&said) {
        let own_code = |base: u32| i64::from(code) == i64::from(base) + i64::from(n);
        if !matches!(code, 1 | 2 | 3 | 4 | 8) || own_code(0) || own_code(50) {
            return partial(ended, n, whole, said);
        }
    }
    let (judgement, score) = match code {
        0 => (Judgement::Accepted, None),
        1 => (Judgement::Rejected, None),
        // PE; DIRT: right, but followed by more output; UNEXPECTED_EOF.
        2 | 4 | 8 => (Judgement::PresentationError, None),
        5 | 7 => {
            let number = said
                .split_whitespace()
                .find_map(|word| word.parse::<f64>().ok());
            match number.filter(|number| number.is_finite()) {
                Some(points) => (Judgement::Accepted, Some(Score::Points(points))),
                None => {
                    return Err(ended.fault(format!(
                        "the checker exited with code {code} (points), but printed no number"
                    )));
                }
            }
        }
        3 => {
            return Err(ended.fault("the checker says that the test case itself is wrong (code 3)"));
        }
        _ => {
            return Err(ended.fault(format!(
                "the checker exited with code {code}, which testlib does not have (0 accepts, 1 \
                 rejects, 2 presentation, 7 points)"
            )));
        }
    };
    Ok(Outcome {
        judgement,
        score,
        message: first_of([Some(said)]),
        ..Outcome::accepted()
    })
}

/// Parses the n of the line `partially correct (n)`.
fn partially_correct(said: &str) -> Option<u32> {
    said.lines().find_map(|line| {
        let rest = line.trim_start().strip_prefix("partially correct (")?;
        rest.split_once(')')?.0.parse().ok()
    })
}

fn partial(ended: &Ended<'_>, n: u32, whole: u32, said: String) -> Result<Outcome, CheckFault> {
    if n > whole {
        let what = format!("the checker gave {n} of {whole} points (`partially correct ({n})`)");
        return Err(ended.fault(what));
    }
    let share = f64::from(n) / f64::from(whole);
    Ok(Outcome {
        score: (n > 0).then_some(Score::Multiplier(share)),
        ..Outcome::of_share(share, Some(said))
    })
}
