//! Hydro's `objective` problems: the submission is a YAML file of lines `question: answer`.
//!
//! Source: Hydro's judge, `objective.ts`.

use super::outcome::{Outcome, Score};
use crate::text::read_range;
use judge_package::yaml::{self, Node, Value};
use judge_package::{CorrectAnswers, Question};
use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;

/// Size limit of the submission, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Checks the answer to one question.
pub fn check(output: &File, question: &Question) -> io::Result<Outcome> {
    let form = read_range(output, 0, MAX_BYTES + 1)?;
    if form.len() as u64 > MAX_BYTES {
        return Ok(Outcome::rejected("the answers are longer than 1 MiB"));
    }
    let form = match yaml::parse(Path::new("form"), &String::from_utf8_lossy(&form)) {
        Ok(form) => form,
        Err(error) => {
            return Ok(Outcome::rejected(format!(
                "the answers are not YAML: {error}"
            )));
        }
    };
    let given = form.get(&question.key).map(texts).unwrap_or_default();
    let Some(first) = given.first() else {
        return Ok(Outcome::rejected("no answer"));
    };
    let right = |right| match right {
        true => Outcome::accepted(),
        false => Outcome::rejected(format!("found {}", given.join(", "))),
    };
    Ok(match &question.answers {
        CorrectAnswers::One(answer) => right(answer == first),
        CorrectAnswers::Points(answers) => {
            let found = answers.iter().find(|(answer, _)| answer == first);
            match found.filter(|(_, points)| *points != 0.0) {
                Some((_, points)) => Outcome {
                    score: Some(Score::Points(*points)),
                    ..Outcome::accepted()
                },
                None => right(false),
            }
        }
        CorrectAnswers::All { answers, points } => {
            let wanted: BTreeSet<&String> = answers.iter().collect();
            let chosen: BTreeSet<&String> = given.iter().collect();
            match (chosen == wanted, chosen.is_subset(&wanted)) {
                (true, _) => right(true),
                (false, true) => Outcome {
                    score: Some(Score::Points((points / 2.0).floor())),
                    ..Outcome::rejected("only a part of the right answers")
                },
                (false, false) => right(false),
            }
        }
    })
}

/// The answers to a question; empty if it is not answered.
fn texts(node: &Node) -> Vec<String> {
    let of_list = |items: &[Node]| {
        items
            .iter()
            .filter_map(Node::scalar)
            .map(str::to_owned)
            .collect()
    };
    match &node.value {
        _ if node.is_null() => Vec::new(),
        Value::List(items) => of_list(items),
        Value::Scalar { text, .. } => Some(text.trim().to_owned())
            .filter(|text| !text.is_empty())
            .into_iter()
            .collect(),
        Value::Map(_) => Vec::new(),
    }
}
