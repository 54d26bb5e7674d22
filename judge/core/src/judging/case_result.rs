//! Turns the run of a case into its result: verdict, points, figures.

use super::run_case::{CaseRun, Decision};
use super::scheduler::CaseEnd;
use crate::checker::{Judgement, Outcome, Score};
use crate::error::Reason;
use crate::results::{CaseResult, MeasuredBy};
use crate::untrusted::Message;
use crate::verdict::Verdict;
use judge_package::{Points, TestCase};
use judge_sandbox::{Execution, Exit};

/// How a run of `case` with these facts ended. Points that the format does not allow are a judge error.
/// `undisturbed`: nothing else ran at the same time.
pub fn of_run(
    case_run: CaseRun,
    execution: Option<&Execution>,
    case: &TestCase,
    undisturbed: bool,
) -> CaseEnd {
    let (mut machine_failed, mut fails_anyway) = (false, false);
    let outcome = match &case_run.decision {
        Decision::Checker(outcome) => Some(outcome),
        Decision::Run { outcome, .. } => outcome.as_ref(),
        Decision::Cancelled | Decision::JudgeError(_) => None,
    };
    let team_message = outcome.and_then(|outcome| outcome.team_message.clone());
    let mut details = case_run.details;
    if team_message.is_some() {
        details.get_or_insert_default().team_message = team_message;
    }
    let decided = match case_run.decision {
        Decision::Cancelled => return CaseEnd::Cancelled,
        Decision::JudgeError(error) => {
            machine_failed = error.of_machine;
            Err(Reason::new(error.message))
        }
        Decision::Checker(outcome) => points(&outcome, case).map(|score| {
            let is_part = case.points == Points::Whole && score < case.score;
            let verdict = match verdict_of(&outcome) {
                Verdict::Accepted if is_part && score.is_some() => Verdict::WrongAnswer,
                verdict => verdict,
            };
            (verdict, score, outcome.message)
        }),
        Decision::Run { failure, outcome } => {
            fails_anyway = failure.fails_anyway;
            outcome
                .map_or(Ok(None), |outcome| points_of_failed_run(&outcome, case))
                .map(|score| (failure.verdict, score, Some(failure.message)))
        }
    };
    let (verdict, score, message) =
        decided.unwrap_or_else(|why| (Verdict::JudgeError, None, Some(why.into())));
    let exit = execution.map(|run| run.exit);
    let usage = execution.map(|run| &run.usage);
    let memory = usage.and_then(|usage| usage.memory.as_ref());
    let instructions = usage.and_then(|usage| usage.instructions.as_ref());
    let result = CaseResult {
        cpu_s: usage.map(|usage| usage.cpu.value.as_secs_f64()),
        wall_s: usage.map(|usage| usage.wall.value.as_secs_f64()),
        memory_bytes: memory.map(|memory| memory.value),
        instructions: instructions.map(|count| count.value),
        measured_by: MeasuredBy {
            cpu: usage.map(|usage| usage.cpu.by.into()),
            instructions: instructions.map(|count| count.by.into()),
            memory: memory.map(|memory| memory.by.into()),
            wall: usage.map(|usage| usage.wall.by.into()),
        },
        score,
        message: message.map(Message::from),
        exit_code: match exit {
            Some(Exit::Code(code)) if code != 0 => Some(code),
            _ => None,
        },
        signal: match exit {
            Some(Exit::Signal(signal)) => Some(signal),
            _ => None,
        },
        details,
        machine_failed,
        ..CaseResult::new(verdict)
    };
    CaseEnd::Finished {
        result,
        near_limit: case_run.near_limit,
        fails_anyway,
        undisturbed,
    }
}

fn verdict_of(outcome: &Outcome) -> Verdict {
    // The ICPC protocol has only accept and reject. A validator of a judge that distinguishes
    // presentation errors begins its message with these words.
    let message = outcome.message.as_deref().unwrap_or_default();
    match outcome.judgement {
        Judgement::Accepted => Verdict::Accepted,
        Judgement::Rejected if !message.starts_with("presentation error") => Verdict::WrongAnswer,
        Judgement::Rejected | Judgement::PresentationError => Verdict::PresentationError,
    }
}

/// The points that a validator gives to a case whose run failed, if any. An accepted output without
/// explicit points gets the case's full score.
fn points_of_failed_run(outcome: &Outcome, case: &TestCase) -> Result<Option<f64>, Reason> {
    let full = case.score.filter(|_| outcome.is_accepted());
    Ok(points(outcome, case)?.or(full))
}

/// The points that a validator gives to a case, if any.
/// Fails when the format does not allow these points.
fn points(outcome: &Outcome, case: &TestCase) -> Result<Option<f64>, Reason> {
    let most = case.score.unwrap_or(1.0);
    match (case.points, outcome.score) {
        (Points::Ignored, _) => Ok(None),
        (Points::OfRejected, Some(Score::Points(points))) if !outcome.is_accepted() => {
            match (0.0..=most).contains(&points) {
                true => Ok(Some(points)),
                false => Err(not_of_case(points, most)),
            }
        }
        (Points::OfRejected, _) => Ok(None),
        // The legacy format does not forbid it, and some validators write 0; the points do not
        // count.
        (Points::Free | Points::Whole, Some(_)) if !outcome.is_accepted() => Ok(None),
        (Points::Whole, Some(score)) => {
            let share = match score {
                // Hydro: more than 1 is a percentage.
                Score::Points(points) if points > 1.0 => points / 100.0,
                Score::Points(share) | Score::Multiplier(share) => share,
            };
            Ok(Some((most * share.clamp(0.0, 1.0)).floor()))
        }
        (Points::Bounded | Points::Demanded | Points::Forbidden, Some(_))
            if !outcome.is_accepted() =>
        {
            Err(Reason::new(
                "the validator gave points to an output that it rejects",
            ))
        }
        (Points::Demanded, None) if outcome.is_accepted() => Err(Reason::new(
            "the group's points are unbounded, and the validator wrote no score.txt",
        )),
        (Points::Demanded, Some(Score::Multiplier(_))) => Err(Reason::new(
            "the validator wrote score_multiplier.txt, but the group's points are unbounded",
        )),
        (Points::Demanded, Some(Score::Points(points))) if points < 0.0 => Err(Reason::new(
            format!("the validator gave {points} points, less than 0"),
        )),
        (Points::Forbidden, Some(_)) => Err(Reason::new(
            "the validator gave points to a case of a pass-fail group",
        )),
        (Points::Bounded, Some(Score::Points(points)))
            if !(0.0..=most * (1.0 + 1e-9)).contains(&points) =>
        {
            Err(not_of_case(points, most))
        }
        (_, Some(Score::Points(points))) => Ok(Some(points)),
        (_, Some(Score::Multiplier(share))) => Ok(Some(share * most)),
        (_, None) => Ok(None),
    }
}

fn not_of_case(points: f64, most: f64) -> Reason {
    Reason::new(format!(
        "the validator gave {points} points; the case gives 0 to {most}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_can_turn_a_rejection_into_a_presentation_error() {
        let finished = |message: &str| verdict_of(&Outcome::rejected(message));
        assert_eq!(
            finished("presentation error: line 17"),
            Verdict::PresentationError
        );
        assert_eq!(finished("row 1, column 2: found 3"), Verdict::WrongAnswer);
    }

    #[test]
    fn a_validator_gives_only_points_that_the_group_allows() {
        let accepted = |score| Outcome {
            score,
            ..Outcome::accepted()
        };
        let given = |n| accepted(Some(Score::Points(n)));
        let share = |n| accepted(Some(Score::Multiplier(n)));
        let (nothing, wrong) = (accepted(None), Outcome::rejected("no"));
        // 2025-09, "Scoring test cases"; the case gives up to 20 points.
        type Row<'o> = (Points, &'o Outcome, Result<Option<f64>, ()>);
        let generous = Outcome {
            score: Some(Score::Points(1.0)),
            ..Outcome::rejected("no")
        };
        let too_generous = Outcome {
            score: Some(Score::Points(20.5)),
            ..Outcome::rejected("no")
        };
        let table: [Row<'_>; 28] = [
            (Points::Free, &given(30.0), Ok(Some(30.0))),
            (Points::Free, &share(0.5), Ok(Some(10.0))),
            (Points::Free, &nothing, Ok(None)),
            (Points::Ignored, &given(7.0), Ok(None)),
            (Points::Forbidden, &nothing, Ok(None)),
            (Points::Forbidden, &given(1.0), Err(())),
            (Points::Forbidden, &share(1.0), Err(())),
            (Points::Bounded, &nothing, Ok(None)),
            (Points::Bounded, &given(20.0), Ok(Some(20.0))),
            (Points::Bounded, &given(20.1), Err(())),
            (Points::Bounded, &given(-1.0), Err(())),
            (Points::Bounded, &share(0.25), Ok(Some(5.0))),
            (Points::Demanded, &given(1e6), Ok(Some(1e6))),
            (Points::Demanded, &nothing, Err(())),
            (Points::Demanded, &share(0.5), Err(())),
            (Points::Demanded, &wrong, Ok(None)),
            (Points::Demanded, &generous, Err(())),
            (Points::Free, &generous, Ok(None)),
            (Points::Granted, &generous, Ok(Some(1.0))),
            (Points::Granted, &wrong, Ok(None)),
            (Points::Whole, &share(0.33), Ok(Some(6.0))),
            (Points::Whole, &given(0.5), Ok(Some(10.0))),
            (Points::Whole, &given(50.0), Ok(Some(10.0))),
            (Points::Whole, &nothing, Ok(None)),
            (Points::OfRejected, &given(5.0), Ok(None)),
            (Points::OfRejected, &generous, Ok(Some(1.0))),
            (Points::OfRejected, &too_generous, Err(())),
            (Points::OfRejected, &wrong, Ok(None)),
        ];
        for (allowed, outcome, expected) in table {
            let case = TestCase {
                points: allowed,
                score: Some(20.0),
                ..TestCase::default()
            };
            let found = points(outcome, &case).map_err(|_| ());
            assert_eq!(found, expected, "{allowed:?} {:?}", outcome.score);
        }
    }
}
