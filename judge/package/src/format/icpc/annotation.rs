//! DOMjudge's annotations in comments: `@EXPECTED_RESULTS@: CORRECT, TIMELIMIT` and
//! `@EXPECTED_SCORE@: 30`.

use crate::error::PackageError;
use crate::input::tree::{Entry, Tree};
use crate::model::Expectation;
use crate::verdict::Verdict;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The number of bytes searched at the start of a source file.
const MAX_BYTES: u64 = 1 << 20;

/// The mark before a list of verdicts.
const RESULTS: &str = "@EXPECTED_RESULTS@: ";

/// Names that are no verdicts, but known: the result is not compared.
const NOT_COMPARED: [&str; 2] = ["CHECK-MANUALLY", "NONE-SUBMIT-FAILS"];

/// The annotation of a submission.
pub struct Annotation {
    /// The file.
    pub path: PathBuf,
    /// The expected result.
    pub expected: Expectation,
    /// Names in it that are no verdicts.
    pub unknown: Vec<String>,
}

/// The annotation in a source file, or in one of the sources of a directory.
pub fn of(entry: &Entry, tree: &mut Tree) -> Result<Option<Annotation>, PackageError> {
    if !entry.is_dir {
        return Ok(in_file(&entry.path));
    }
    for inner in tree.list(&entry.path)? {
        if !inner.is_dir
            && let Some(found) = in_file(&inner.path)
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn in_file(path: &Path) -> Option<Annotation> {
    if !path.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return None;
    }
    let mut bytes = Vec::new();
    let file = File::open(path).ok()?;
    file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    let source = String::from_utf8_lossy(&bytes);
    Some(Annotation {
        path: path.to_owned(),
        expected: parse(&source)?,
        unknown: unknown(&source),
    })
}

/// The rest of the line after a mark in a text in upper case. Two annotations contradict each other and are ignored.
fn behind<'t>(upper: &'t str, mark: &str) -> Option<&'t str> {
    let from = upper.find(mark)? + mark.len();
    (!upper[from..].contains(mark)).then(|| upper[from..].lines().next().unwrap_or_default())
}

/// The names in the list of verdicts that are none.
fn unknown(source: &str) -> Vec<String> {
    let upper = source.to_ascii_uppercase();
    let list = behind(&upper, RESULTS).unwrap_or_default();
    let names = list.split(',').map(word).filter(|name| !name.is_empty());
    let unknown = names.filter(|name| verdict(name).is_none() && !NOT_COMPARED.contains(name));
    unknown.map(str::to_owned).collect()
}

/// Parses the annotation of a source, if there is a valid one.
pub fn parse(source: &str) -> Option<Expectation> {
    let upper = source.to_ascii_uppercase();
    let mut found = Expectation::default();
    if let Some(list) = behind(&upper, RESULTS) {
        found.outcome = list.split(',').filter_map(verdict).collect();
        // A verdict that no judge gives (`NONE-SUBMIT-FAILS`): left to the reader of the report.
        if found.outcome.is_empty() {
            return Some(found);
        }
    }
    // DOMjudge computes points by its own rules (samples give none, `grader_flags` are not
    // inherited): an expected score is used only without an expected verdict.
    if found.outcome.is_empty()
        && let Some(score) = behind(&upper, "@EXPECTED_SCORE@: ")
        && let Ok(score) = score.trim().parse()
    {
        found.score = Some((score, score));
    }
    (!found.outcome.is_empty() || found.score.is_some()).then_some(found)
}

/// A name of a list. The comment may end after the last one: `CORRECT */`.
fn word(name: &str) -> &str {
    let name = name.trim();
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
    &name[..end.unwrap_or(name.len())]
}

fn verdict(name: &str) -> Option<Verdict> {
    Some(match word(name) {
        "CORRECT" | "ACCEPTED" => Verdict::Accepted,
        // By default, DOMjudge treats missing output as a wrong answer.
        "WRONG-ANSWER" | "WRONG_ANSWER" | "NO-OUTPUT" | "NO_OUTPUT" => Verdict::WrongAnswer,
        "TIMELIMIT" | "TIME_LIMIT_EXCEEDED" => Verdict::TimeLimitExceeded,
        "RUN-ERROR" | "RUN_TIME_ERROR" => Verdict::RunTimeError,
        "MEMORY-LIMIT" | "MEMORY_LIMIT" => Verdict::MemoryLimitExceeded,
        "COMPILER-ERROR" | "COMPILER_ERROR" => Verdict::CompileError,
        "OUTPUT-LIMIT" | "OUTPUT_LIMIT" => Verdict::OutputLimitExceeded,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{parse, unknown};
    use crate::verdict::Verdict::{Accepted, CompileError, RunTimeError, WrongAnswer};

    #[test]
    fn comments_are_read_as_domjudge_does() {
        for (source, outcome) in [
            ("/* @EXPECTED_RESULTS@: CORRECT */", &[Accepted][..]),
            ("# @EXPECTED_RESULTS@: CORRECT\nx", &[Accepted]),
            (
                " * @EXPECTED_RESULTS@:   RUN_TIME_ERROR , ACCEPTED   \n */",
                &[RunTimeError, Accepted],
            ),
            ("// @expected_results@: no-output\r\n", &[WrongAnswer]),
            ("-- @EXPECTED_RESULTS@: COMPILER-ERROR", &[CompileError]),
            ("// nothing", &[]),
            ("// @EXPECTED_RESULTS@: NONE-SUBMIT-FAILS", &[]),
            (
                "@EXPECTED_RESULTS@: CORRECT\n@EXPECTED_RESULTS@: CORRECT",
                &[],
            ),
        ] {
            let found = parse(source).map(|found| found.outcome).unwrap_or_default();
            assert_eq!(found, outcome, "{source}");
        }
        assert_eq!(unknown("# @EXPECTED_RESULTS@: FOO, CORRECT"), ["FOO"]);
        assert!(unknown("// @EXPECTED_RESULTS@: NONE-SUBMIT-FAILS, CORRECT */").is_empty());
        assert!(parse("// nothing").is_none());
        assert!(parse("// @EXPECTED_RESULTS@: NONE-SUBMIT-FAILS").is_some());
        let score = parse("# @EXPECTED_SCORE@: 30\n").and_then(|found| found.score);
        assert_eq!(score, Some((30.0, 30.0)));
    }
}
