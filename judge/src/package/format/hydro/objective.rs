//! Hydro's `objective` problems: each question of a form is a case.
//!
//! Source: Hydro's judge, `objective.ts`.

use crate::package::error::PackageError;
use crate::package::input::staging_dir::StagingDir;
use crate::package::input::yaml::{Node, Value};
use crate::package::model::{Package, Points, TestCase, Validator};
use serde_json::json;

/// Reads the questions: `KEY: [ANSWER, POINTS]`, `KEY: [[ANSWER, ...], POINTS]` or `KEY: {ANSWER:
/// POINTS, ...}`.
pub fn read(package: &mut Package, yaml: &Node) -> Result<(), PackageError> {
    let Some(answers) = yaml.get("answers") else {
        return Err(yaml
            .error("a problem of type `objective` names no `answers`")
            .remedy("add `answers: {'1': [A, 50], '2': [[A, C], 50]}`"));
    };
    package.kind.submit_answer = true;
    package.validator = Validator::Form;
    let staging_dir = StagingDir::new(&package.root)?;
    package.unpacked.push(staging_dir.guard());
    let input = staging_dir.write("question", b"")?;
    for (index, (key, info)) in answers.entries()?.iter().enumerate() {
        let key = key.text()?;
        let (question, right, points) = question(key, info)?;
        let form = json!({ key: right }).to_string();
        let place = format!("forms/{index}.yaml");
        package.data.cases.push(TestCase {
            name: key.replace('/', "-"),
            input: input.clone(),
            answer: Some(staging_dir.write(&place, form.as_bytes())?),
            validator_args: vec![question.to_string()],
            score: Some(points),
            points: Points::Granted,
            ..TestCase::default()
        });
    }
    if package.data.cases.is_empty() {
        return Err(answers.error("names no question"));
    }
    Ok(())
}

/// The question, a correct answer, and its points.
fn question(
    key: &str,
    info: &Node,
) -> Result<(serde_json::Value, serde_json::Value, f64), PackageError> {
    let form = "`[ANSWER, POINTS]`, `[[ANSWER, ...], POINTS]` or `{ANSWER: POINTS, ...}`";
    match &info.value {
        Value::Map(entries) => {
            let mut points = serde_json::Map::new();
            let mut best: Option<(&str, f64)> = None;
            for (answer, worth) in entries {
                let (answer, worth) = (answer.text()?, worth.number()?);
                points.insert(answer.to_owned(), worth.into());
                if best.is_none_or(|(_, most)| worth > most) {
                    best = Some((answer, worth));
                }
            }
            let (right, most) = best.ok_or_else(|| info.error(format!("must be {form}")))?;
            Ok((json!({ "key": key, "points": points }), right.into(), most))
        }
        Value::List(parts) => {
            let [right, points] = parts.as_slice() else {
                return Err(info.error(format!("must be {form}")));
            };
            let points = points.number()?;
            Ok(match &right.value {
                Value::List(_) => {
                    let all = right.texts()?;
                    let question = json!({ "key": key, "all": all, "score": points });
                    (question, all.into(), points)
                }
                _ => {
                    let one = right.text()?.trim();
                    let question = json!({ "key": key, "one": one, "score": points });
                    (question, one.into(), points)
                }
            })
        }
        Value::Scalar { .. } => Err(info.error(format!("must be {form}"))),
    }
}
