//! Finds the cases of a package with the same data and limits.

use crate::digest::sha256_of;
use judge_package::{Points, TestCase};
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::time::Duration;

/// For each case, the index of the first case equal to it; its own index if there is none before
/// it.
pub fn first_equal(cases: &[&TestCase]) -> Vec<usize> {
    let sizes: Vec<Option<Sizes>> = cases.iter().map(|case| sizes(case)).collect();
    let mut of_size: HashMap<Sizes, usize> = HashMap::new();
    for sizes in sizes.iter().flatten() {
        *of_size.entry(*sizes).or_default() += 1;
    }
    let mut first: HashMap<CaseKey<'_>, usize> = HashMap::new();
    let mut first_of = |k: usize| {
        // Most cases differ in size and need not be read.
        if sizes[k].is_none_or(|sizes| of_size[&sizes] == 1) {
            return k;
        }
        match key(cases[k]) {
            Ok(key) => *first.entry(key).or_insert(k),
            // The run of the case reports the error.
            Err(_) => k,
        }
    };
    (0..cases.len()).map(&mut first_of).collect()
}

/// Sizes of input and answer in bytes.
type Sizes = (u64, Option<u64>);

/// Everything that the verdict of a case depends on.
#[derive(PartialEq, Eq, Hash)]
struct CaseKey<'c> {
    input: [u8; 32],
    answer: Option<[u8; 32]>,
    args: &'c [String],
    validator_args: &'c [String],
    validator: usize,
    checks_failed_runs: bool,
    time_limit: Option<Duration>,
    memory_limit: Option<u64>,
    points: Points,
}

/// `None` if the case is never equal to another.
fn sizes(case: &TestCase) -> Option<Sizes> {
    if case.is_static || case.files.is_some() {
        return None;
    }
    let size = |path: &Path| path.metadata().ok().map(|metadata| metadata.len());
    let answer = match &case.answer {
        Some(answer) => Some(size(answer)?),
        None => None,
    };
    Some((size(&case.input)?, answer))
}

fn key(case: &TestCase) -> io::Result<CaseKey<'_>> {
    Ok(CaseKey {
        input: sha256_of(&case.input)?,
        answer: case.answer.as_deref().map(sha256_of).transpose()?,
        args: &case.args,
        validator_args: &case.validator_args,
        validator: case.validator,
        checks_failed_runs: case.checks_failed_runs,
        time_limit: case.time_limit,
        memory_limit: case.memory_limit,
        points: case.points,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn cases_with_the_same_data_and_arguments_are_equal() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let file = |name: &str, text: &str| {
            let path = dir.path().join(name);
            fs::write(&path, text).expect("written");
            path
        };
        let case = |name: &str, input: &str, answer: &str| TestCase {
            name: name.to_owned(),
            input: file(&format!("{name}.in"), input).into(),
            answer: Some(file(&format!("{name}.ans"), answer).into()),
            ..TestCase::default()
        };
        let mut cases = [
            case("a", "1", "2"),
            case("b", "1", "3"),
            case("c", "1", "2"),
            case("d", "2", "2"),
            case("e", "1", "2"),
            case("f", "1", "2"),
            case("g", "10", "2"),
            case("h", "1", "2"),
        ];
        // A different score with the same kind of points makes no difference, a different tolerance
        // does.
        cases[2].score = Some(5.0);
        cases[4].validator_args = vec!["case_sensitive".to_owned()];
        cases[5].is_static = true;
        cases[7].checks_failed_runs = true;
        let cases: Vec<&TestCase> = cases.iter().collect();
        assert_eq!(first_equal(&cases), [0, 1, 0, 3, 4, 5, 6, 7]);
    }
}
