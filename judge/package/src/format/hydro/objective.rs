//! Hydro's `objective` problems: each question of a form is a case with a validator of its own.
//!
//! Source: Hydro's judge, `objective.ts`.

use crate::error::PackageError;
use crate::input::staging_dir::StagingDir;
use crate::input::yaml::{Node, Value};
use crate::model::{CorrectAnswers, Points, Question, TestCase};
use serde_json::json;

/// Reads the questions and their points: `KEY: [ANSWER, POINTS]`, `KEY: [[ANSWER, ...], POINTS]` or
/// `KEY: {ANSWER: POINTS, ...}`.
pub fn questions(yaml: &Node) -> Result<Vec<(Question, f64)>, PackageError> {
    let answers = yaml.get("answers").ok_or_else(|| {
        yaml.error("a problem of type `objective` names no `answers`")
            .remedy("add `answers: {'1': [A, 50], '2': [[A, C], 50]}`")
    })?;
    let mut questions = Vec::new();
    for (key, info) in answers.entries()? {
        let (answers, points) = correct_answers(info)?;
        let key = key.text()?.to_owned();
        questions.push((Question { key, answers }, points));
    }
    if questions.is_empty() {
        return Err(answers.error("names no question"));
    }
    Ok(questions)
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

/// The case of each question. Its answer file is a form with the best answer.
pub fn cases(
    questions: &[(Question, f64)],
    staging_dir: &StagingDir,
) -> Result<Vec<TestCase>, PackageError> {
    let input = staging_dir.write("question", b"")?;
    let case = |(index, (question, points)): (usize, &(Question, f64))| {
        let best = match &question.answers {
            CorrectAnswers::One(answer) => json!(answer),
            CorrectAnswers::All { answers, .. } => json!(answers),
            CorrectAnswers::Points(answers) => {
                let best = answers.iter().find(|(_, own)| own == points);
                json!(best.map(|(answer, _)| answer))
            }
        };
        let form = json!({ &question.key: best }).to_string();
        let answer = staging_dir.write(&format!("forms/{index}.yaml"), form.as_bytes())?;
        Ok(TestCase {
            name: question.key.replace('/', "-"),
            input: input.clone().into(),
            answer: Some(answer.into()),
            validator: index,
            score: Some(*points),
            points: Points::Granted,
            ..TestCase::default()
        })
    };
    questions.iter().enumerate().map(case).collect()
}
