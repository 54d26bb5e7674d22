//! The options of the commands that the documents show exist: each command runs with `--help` behind it.

use crate::common::{judge, of_tests};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let in_directory = |dir: &str| {
        let entries = fs::read_dir(root.join(dir)).expect("list the documents");
        entries.map(|entry| entry.expect("read an entry").path())
    };
    let all = in_directory(".").chain(in_directory("docs"));
    all.filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect()
}

/// The commands of a document: lines of its blocks, also behind a prompt, and code in its text that is no pattern.
fn commands(text: &str) -> impl Iterator<Item = String> + '_ {
    let text: Vec<&str> = text.split("\n```").collect();
    let lines = text.clone().into_iter().skip(1).step_by(2);
    let lines = lines.flat_map(|block| block.lines().skip(1));
    let lines = lines.map(|line| match line.split_once('$') {
        Some((prompt, command)) if !prompt.contains(' ') => command.trim_start().to_owned(),
        _ => line.to_owned(),
    });
    let prose = text.into_iter().step_by(2);
    let spans = prose.flat_map(|prose| prose.split('`').skip(1).step_by(2));
    let spans = spans
        .filter(|span| !span.contains(['[', '|', '<', '…']) && !span.contains("..."))
        .map(|span| span.replace('\n', " "));
    let whole = lines.chain(spans).filter(|line| line.starts_with("judge "));
    whole.map(|line| {
        let ends = [" | ", " > ", "  #", ";"];
        let end = ends.iter().filter_map(|end| line.find(end)).min();
        line[..end.unwrap_or(line.len())].to_owned()
    })
}

/// Whether the error is about a word in upper case that stands for a value, or about a value that is left out.
fn is_pattern(error: &str) -> bool {
    let mut quoted = error.split('\'').skip(1).step_by(2);
    let is_upper = |word: &str| word.bytes().all(|byte| byte.is_ascii_uppercase());
    error.contains("a value is required for") || quoted.any(is_upper)
}

#[test]
fn commands_of_the_documents_have_options_that_exist() {
    let texts = documents()
        .into_iter()
        .map(|path| fs::read_to_string(path).expect("read a document"));
    let all: BTreeSet<String> = texts
        .flat_map(|text| commands(&text).collect::<Vec<_>>())
        .collect();
    assert!(all.len() > 150, "{} commands", all.len());
    // A shell divides each command into words, and names the judge by its path.
    let refused = |command: &String| {
        let script = format!("exec \"$0\" {} --help", command.strip_prefix("judge ")?);
        let mut shell: Command = of_tests(Path::new("/bin/sh"));
        let output = shell.arg("-c").arg(script).arg(judge()).output();
        let output = output.expect("the shell starts");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        (!output.status.success() && !is_pattern(&error)).then(|| format!("{command}: {error}"))
    };
    let refused: Vec<String> = all.iter().filter_map(refused).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn commands_are_found_in_blocks_and_text() {
    let text = "`judge a --b` and `judge c [X]`\n```\nfirst$ judge d  # e\n$ judge f | head\nother\n```\n`judge\ng`\n";
    let found: Vec<String> = commands(text).collect();
    assert_eq!(found, ["judge d", "judge f", "judge a --b", "judge g"]);
    assert!(is_pattern("invalid value 'FORMAT'") && !is_pattern("unexpected argument '--b'"));
}
