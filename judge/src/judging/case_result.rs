//! Builds the `CaseFinished` event of a case: figures, verdict, points.

use super::scheduler::CaseResult;
use crate::checker::{Judgement, Outcome, Score};
use crate::event::{CaseFinished, MeasuredBy};
use crate::package::{Points, TestCase};
use crate::verdict::Verdict;
use judge_sandbox::Execution;

/// A judge error; the figures of the run are left out.
pub fn failed(finished: CaseFinished, why: &str) -> CaseResult {
    CaseResult {
        finished: CaseFinished {
            verdict: Verdict::JudgeError,
            message: Some(why.to_owned()),
            ..finished
        },
        near_limit: false,
        cancelled: false,
    }
}

/// Adds the figures of a run.
pub fn with_figures(mut finished: CaseFinished, execution: &Execution) -> CaseFinished {
    let usage = &execution.usage;
    finished.measured_by = MeasuredBy {
        cpu: Some(usage.cpu.by.into()),
        instructions: usage.instructions.map(|count| count.by.into()),
        memory: usage.memory.map(|memory| memory.by.into()),
        wall: Some(usage.wall.by.into()),
    };
    finished.cpu_s = Some(usage.cpu.value.as_secs_f64());
    finished.wall_s = Some(usage.wall.value.as_secs_f64());
    finished.memory_bytes = usage.memory.map(|m| m.value);
    finished.instructions = usage.instructions.map(|i| i.value);
    finished
}

/// Adds the verdict and message of the checker.
pub fn with_outcome(finished: CaseFinished, outcome: &Outcome, score: Option<f64>) -> CaseFinished {
    // The ICPC protocol has only accept and reject. A validator of a judge that distinguishes
    // presentation errors begins its message with these words.
    let in_form_only = outcome
        .message
        .as_deref()
        .is_some_and(|message| message.starts_with("presentation error"));
    let verdict = match outcome.judgement {
        Judgement::Accepted => Verdict::Accepted,
        Judgement::Rejected if in_form_only => Verdict::PresentationError,
        Judgement::Rejected => Verdict::WrongAnswer,
        Judgement::PresentationError => Verdict::PresentationError,
    };
    CaseFinished {
        verdict,
        score,
        message: outcome.message.clone(),
        ..finished
    }
}

/// The points that a validator gives to a case, if any.
///
/// # Errors
///
/// When the format does not allow these points.
pub fn score(outcome: &Outcome, case: &TestCase) -> Result<Option<f64>, String> {
    let most = case.score.unwrap_or(1.0);
    match (case.points, outcome.score) {
        (Points::Ignored, _) => Ok(None),
        // The legacy format does not forbid it, and some validators write 0; the points do not
        // count.
        (Points::Free, Some(_)) if !outcome.is_accepted() => Ok(None),
        (Points::Bounded | Points::Demanded | Points::Forbidden, Some(_))
            if !outcome.is_accepted() =>
        {
            Err("the validator gave points to an output that it rejects".to_owned())
        }
        (Points::Demanded, None) if outcome.is_accepted() => {
            Err("the group's points are unbounded, and the validator wrote no score.txt".to_owned())
        }
        (Points::Demanded, Some(Score::Multiplier(_))) => Err(
            "the validator wrote score_multiplier.txt, but the group's points are unbounded"
                .to_owned(),
        ),
        (Points::Demanded, Some(Score::Points(points))) if points < 0.0 => {
            Err(format!("the validator gave {points} points, less than 0"))
        }
        (Points::Forbidden, Some(_)) => {
            Err("the validator gave points to a case of a pass-fail group".to_owned())
        }
        (Points::Bounded, Some(Score::Points(points)))
            if !(0.0..=most * (1.0 + 1e-9)).contains(&points) =>
        {
            Err(format!(
                "the validator gave {points} points; the case gives 0 to {most}"
            ))
        }
        (_, Some(Score::Points(points))) => Ok(Some(points)),
        (_, Some(Score::Multiplier(share))) => Ok(Some(share * most)),
        (_, None) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_can_turn_a_rejection_into_a_presentation_error() {
        let finished = |message: &str| {
            let nothing = CaseFinished::new("", "", "", Verdict::JudgeError);
            let outcome = Outcome::rejected(message);
            with_outcome(nothing, &outcome, None).verdict
        };
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
        let points = |n| accepted(Some(Score::Points(n)));
        let share = |n| accepted(Some(Score::Multiplier(n)));
        let (nothing, wrong) = (accepted(None), Outcome::rejected("no"));
        // 2025-09, "Scoring test cases"; the case gives up to 20 points.
        type Row<'o> = (Points, &'o Outcome, Result<Option<f64>, ()>);
        let generous = Outcome {
            score: Some(Score::Points(1.0)),
            ..Outcome::rejected("no")
        };
        let table: [Row<'_>; 20] = [
            (Points::Free, &points(30.0), Ok(Some(30.0))),
            (Points::Free, &share(0.5), Ok(Some(10.0))),
            (Points::Free, &nothing, Ok(None)),
            (Points::Ignored, &points(7.0), Ok(None)),
            (Points::Forbidden, &nothing, Ok(None)),
            (Points::Forbidden, &points(1.0), Err(())),
            (Points::Forbidden, &share(1.0), Err(())),
            (Points::Bounded, &nothing, Ok(None)),
            (Points::Bounded, &points(20.0), Ok(Some(20.0))),
            (Points::Bounded, &points(20.1), Err(())),
            (Points::Bounded, &points(-1.0), Err(())),
            (Points::Bounded, &share(0.25), Ok(Some(5.0))),
            (Points::Demanded, &points(1e6), Ok(Some(1e6))),
            (Points::Demanded, &nothing, Err(())),
            (Points::Demanded, &share(0.5), Err(())),
            (Points::Demanded, &wrong, Ok(None)),
            (Points::Demanded, &generous, Err(())),
            (Points::Free, &generous, Ok(None)),
            (Points::Granted, &generous, Ok(Some(1.0))),
            (Points::Granted, &wrong, Ok(None)),
        ];
        for (allowed, outcome, expected) in table {
            let case = TestCase {
                points: allowed,
                score: Some(20.0),
                ..TestCase::default()
            };
            let found = score(outcome, &case).map_err(|_| ());
            assert_eq!(found, expected, "{allowed:?} {:?}", outcome.score);
        }
    }
}
