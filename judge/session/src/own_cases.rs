//! Which cases of a folder belong to which of the programs in it.

use super::folder::{HELPERS, dir_of, no_cases, sources, stem_of};
use super::output::say;
use judge_core::error::Failure;
use judge_core::language::Languages;
use judge_package::{Package, TestCase};
use std::collections::BTreeSet;
use std::path::Path;

/// The cases of a folder that a program there is judged over: of several programs in a folder, each has
/// the cases whose names begin with its own, and those that begin with none of the names; or only those in a directory
/// with its name, if there are any. A program without any such case has those of the program that its name begins with,
/// such as `a_brute` those of `a`, or else all. The same holds for an executable, unless it has the compiler's name for any.
pub fn own_cases(
    program: &Path,
    package: &Package,
    cases: &[TestCase],
    languages: &Languages,
) -> Result<Vec<TestCase>, Failure> {
    if program.file_name().is_some_and(|name| name == "a.out") {
        return Ok(cases.to_owned());
    }
    let dir = dir_of(program)?;
    let sources = sources(&dir, languages)?;
    let stems = sources.iter().map(|path| stem_of(path));
    let problems = package.tool_problems.iter();
    let stems = stems.chain(problems.map(|problem| problem.program.clone()));
    let programs = Programs::of(stems.collect(), cases);
    let own = programs.named(program);
    let directory_of = |case: &TestCase| {
        let directory = case.name.split_once('/')?.0;
        programs
            .names()
            .find(|name| **name == programs.folded(directory))
    };
    let of_own_directory = |case: &&TestCase| directory_of(case).is_some_and(|name| *name == own);
    let inside: Vec<TestCase> = cases.iter().filter(of_own_directory).cloned().collect();
    if !inside.is_empty() {
        return Ok(inside);
    }
    let cases: Vec<&TestCase> = cases
        .iter()
        .filter(|case| directory_of(case).is_none())
        .collect();
    if cases.is_empty() {
        return Err(no_cases(&dir));
    }
    let of = |wanted: Option<&String>| -> Vec<TestCase> {
        let is_wanted = |case: &&&TestCase| {
            programs
                .owner(case)
                .is_none_or(|owner| Some(owner) == wanted)
        };
        cases
            .iter()
            .filter(is_wanted)
            .map(|case| (*case).clone())
            .collect()
    };
    let mut kept = of(Some(&own));
    let has_own = || cases.iter().any(|case| programs.owner(case) == Some(&own));
    if !kept.is_empty() && kept.len() < cases.len() && (is_number(&own) || !has_own()) {
        say(&format!(
            "warning: {} is judged over {} of {} cases: the names of the others begin with those of other programs here",
            judge_os::plain_path(program).display(),
            kept.len(),
            cases.len()
        ));
    }
    if kept.is_empty() {
        let begun = programs
            .names()
            .filter(|name| own.starts_with(name.as_str()));
        kept = of(begun
            .filter(|name| **name != own)
            .max_by_key(|name| name.len()));
    }
    if kept.is_empty() {
        say(&format!(
            "warning: no case has a name that begins with {own}: {} is judged over those of the other programs here",
            judge_os::plain_path(program).display()
        ));
        kept = cases.into_iter().cloned().collect();
    }
    Ok(kept)
}

/// Words for cases of any program, which programs are called, too.
const WORDS: [&str; 8] = [
    "test", "sample", "example", "case", "data", "random", "rand", "input",
];

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The programs of a folder, by their names without extension.
struct Programs {
    names: Vec<String>,
    /// Other versions of a program, each with the program: `a2` beside `a`, where the cases are `a1` and `a2`.
    versions: Vec<(String, String)>,
    /// Whether upper and lower case are the same, because no two names differ only there.
    is_folded: bool,
}

impl Programs {
    fn of(all: BTreeSet<String>, cases: &[TestCase]) -> Self {
        let lower: BTreeSet<String> = all.iter().map(|name| name.to_lowercase()).collect();
        let is_folded = lower.len() == all.len();
        let all = if is_folded { lower } else { all };
        // `1.py` and `2.py` beside `1.in` to `3.in` are versions of one program, and those the cases of it.
        let mut numbers = cases.iter().filter(|case| is_number(&case.name));
        let are_versions = numbers.any(|case| !all.contains(&case.name));
        let mut programs = Programs {
            names: Vec::new(),
            versions: Vec::new(),
            is_folded,
        };
        let is_numbered = |name: &str, stem: &str| name.strip_prefix(stem).is_some_and(is_number);
        let has_cases = |name: &str| {
            let is_of_all = is_number(name) && are_versions;
            !is_of_all && !HELPERS.iter().chain(&WORDS).any(|word| *word == name)
        };
        for name in all.iter().filter(|name| has_cases(name)) {
            let original = all.iter().find(|stem| {
                let is_of_none = |case: &TestCase| {
                    let case = programs.folded(&case.name);
                    is_numbered(&case, stem) && !all.contains(&case)
                };
                is_numbered(name, stem) && cases.iter().any(is_of_none)
            });
            match original {
                Some(original) => programs.versions.push((name.clone(), original.clone())),
                None => programs.names.push(name.clone()),
            }
        }
        programs
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.names.iter()
    }

    fn folded(&self, name: &str) -> String {
        match self.is_folded {
            true => name.to_lowercase(),
            false => name.to_owned(),
        }
    }

    /// The name of a program, or of the one that it is a version of, as it is compared with those of cases. cargo-compete
    /// calls the executable of `a` in a contest `abc300-a`.
    fn named(&self, program: &Path) -> String {
        let stem = self.folded(&stem_of(program));
        let version = self.versions.iter().find(|(version, _)| *version == stem);
        if let Some((_, original)) = version {
            return original.clone();
        }
        let is_known = self.names.contains(&stem);
        let after_contest = stem.rsplit_once('-').filter(|_| !is_known);
        let of_contest = self
            .names
            .iter()
            .find(|name| after_contest.is_some_and(|(_, program)| program == name.as_str()));
        of_contest.cloned().unwrap_or(stem)
    }

    /// The program whose name a case begins with, after a word for inputs: `a1`, `in_a1`; the longest of several.
    fn owner(&self, case: &TestCase) -> Option<&String> {
        let name = self.folded(&case.name);
        let after_word = ["input", "in"].iter().find_map(|word| {
            let rest = name.to_lowercase().strip_prefix(word)?.len();
            Some(name[name.len() - rest..].trim_start_matches(['_', '-', '.', ' ']))
        });
        let begins = |text: &str, stem: &str| {
            let rest = text.strip_prefix(stem);
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
        };
        let longest = |text: &str| {
            let owners = self.names().filter(|stem| begins(text, stem));
            owners.max_by_key(|stem| stem.len())
        };
        // `input1` is no case of `1.py`.
        let is_word = |stem: &&String| stem.contains(char::is_alphabetic);
        longest(&name).or_else(|| longest(after_word?).filter(is_word))
    }
}
