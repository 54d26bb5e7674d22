//! Hydro's `objective` problems: each question of a form is a case with a validator of its own.
//!
//! Source: Hydro's judge, `objective.ts`.

use crate::error::PackageError;
use crate::input::staging_dir::StagingDir;
use crate::input::yaml::{Node, Value};
use crate::model::{CorrectAnswers, Points, Question, SubmittedOutput, TestCase, Validator};
use serde_json::json;

/// Reads the cases, one for each question, and the validators of the same index: `KEY: [ANSWER, POINTS]`,
/// `KEY: [[ANSWER, ...], POINTS]` or `KEY: {ANSWER: POINTS, ...}`. The answer file of a case is a form
/// with the best answer.
pub fn read(
    yaml: &Node,
    staging_dir: &StagingDir,
) -> Result<(Vec<TestCase>, Vec<Validator>), PackageError> {
    let list = yaml.get("answers").ok_or_else(|| {
        yaml.error("a problem of type `objective` names no `answers`")
            .remedy("add `answers: {'1': [A, 50], '2': [[A, C], 50]}`")
    })?;
    let input = staging_dir.write("question", b"")?;
    let (mut cases, mut validators) = (Vec::new(), Vec::new());
    for (index, (key, info)) in list.entries()?.iter().enumerate() {
        let (answers, points) = correct_answers(info)?;
        let key = key.text()?.to_owned();
        let best = match &answers {
            CorrectAnswers::One(answer) => json!(answer),
            CorrectAnswers::All { answers, .. } => json!(answers),
            CorrectAnswers::Points(answers) => {
                let best = answers.iter().find(|(_, own)| *own == points);
                json!(best.map(|(answer, _)| answer))
            }
        };
        let form = json!({ &key: best }).to_string();
        let answer = staging_dir.write(&format!("forms/{index}.yaml"), form.as_bytes())?;
        cases.push(TestCase {
            name: key.replace('/', "-"),
            input: input.clone().into(),
            answer: Some(answer.into()),
            validator: index,
            score: Some(points),
            points: Points::Granted,
            submitted: SubmittedOutput::Whole,
            ..TestCase::default()
        });
        validators.push(Validator::Question(Question { key, answers }));
    }
    if cases.is_empty() {
        return Err(list.error("names no question"));
    }
    Ok((cases, validators))
}

fn correct_answers(info: &Node) -> Result<(CorrectAnswers, f64), PackageError> {
    let invalid = || {
        info.error(
            "must be `[ANSWER, POINTS]`, `[[ANSWER, ...], POINTS]` or `{ANSWER: POINTS, ...}`",
        )
    };
    match &info.value {
        Value::Map(entries) => {
            let points =
                |(answer, points): &(Node, Node)| Ok((answer.text()?.to_owned(), points.number()?));
            let answers: Vec<(String, f64)> =
                entries.iter().map(points).collect::<Result<_, _>>()?;
            let most = answers.iter().map(|(_, points)| *points);
            let most = most.reduce(f64::max).ok_or_else(invalid)?;
            Ok((CorrectAnswers::Points(answers), most))
        }
        Value::List(parts) => {
            let [right, points] = parts.as_slice() else {
                return Err(invalid());
            };
            let points = points.number()?;
            let answers = match &right.value {
                Value::List(_) => CorrectAnswers::All {
                    answers: right.texts()?,
                    points,
                },
                _ => CorrectAnswers::One(right.text()?.trim().to_owned()),
            };
            Ok((answers, points))
        }
        Value::Scalar { .. } => Err(invalid()),
    }
}
