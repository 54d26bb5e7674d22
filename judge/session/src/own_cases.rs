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
    let shown = judge_os::plain_path(program).display().to_string();
    let warn = |what: String| say(&format!("warning: {shown} is judged over {what}"));
    let parts = programs.parts(&own, &cases);
    if !parts.is_empty() {
        return Ok(parts);
    }
    let kept = programs.cases_of(Some(&own), &cases);
    if !kept.is_empty() {
        if kept.len() < cases.len() && programs.is_doubtful(&own, &kept) {
            warn(format!(
                "{} of {} cases: the names of the others begin with those of other programs here",
                kept.len(),
                cases.len()
            ));
        }
        return Ok(kept);
    }
    let original = programs.original(&own);
    let kept = original.map_or(Vec::new(), |original| {
        programs.cases_of(Some(original), &cases)
    });
    match original.filter(|_| !kept.is_empty()) {
        Some(original) => {
            if !is_version(&own, original) {
                warn(format!(
                    "the cases of {original}, with which its name begins"
                ));
            }
            Ok(kept)
        }
        None => {
            say(&format!(
                "warning: no case has a name that begins with {own}: {shown} is judged over those of the other programs here"
            ));
            Ok(cases.into_iter().cloned().collect())
        }
    }
}

/// Whether the program is a part of the problem of a case: `day1b` of `day1`.
fn is_part(program: &str, case: &str) -> bool {
    let is_numbered = case.ends_with(|c: char| c.is_ascii_digit())
        && case.starts_with(char::is_alphabetic)
        && !WORDS.iter().any(|word| case.starts_with(word));
    let rest = program.strip_prefix(case).filter(|_| is_numbered);
    rest.is_some_and(|rest| rest.starts_with(|c: char| !c.is_ascii_digit()))
}

/// Whether a program's name is another one and a mark: `a_brute`, `sol2`, `day1a`, but not `summer` of `sum`.
fn is_version(program: &str, original: &str) -> bool {
    let next = program[original.len()..].chars().next();
    let last = original.chars().next_back();
    let are_letters = |a: char, b: char| a.is_alphabetic() && b.is_alphabetic();
    !last
        .zip(next)
        .is_some_and(|(last, next)| are_letters(last, next))
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

    /// The cases that belong to this program, and those that belong to none.
    fn cases_of(&self, wanted: Option<&String>, cases: &[&TestCase]) -> Vec<TestCase> {
        let is_wanted =
            |case: &&TestCase| self.owner(case).is_none_or(|owner| Some(owner) == wanted);
        let found = cases.iter().copied().filter(is_wanted);
        found.cloned().collect()
    }

    /// The cases that a program is a part of the problem of, such as `day1` for `day1b` beside `day2a` and `day2`.
    fn parts(&self, own: &str, cases: &[&TestCase]) -> Vec<TestCase> {
        let of = |program: &str| -> Vec<TestCase> {
            let is_own = |case: &&TestCase| {
                self.owner(case).is_none() && is_part(program, &self.folded(&case.name))
            };
            let found = cases.iter().copied().filter(is_own);
            found.cloned().collect()
        };
        let found = of(own);
        let is_other = |name: &&String| {
            let cases = of(name);
            !cases.is_empty() && cases != found
        };
        match self.names().any(|name| is_other(&name)) {
            true => found,
            false => Vec::new(),
        }
    }

    /// Whether cases were left out for names that may have another meaning: a number is that of a program or of one of its
    /// cases, and a program that owns none may own all.
    fn is_doubtful(&self, own: &String, kept: &[TestCase]) -> bool {
        let mut own_ones = kept
            .iter()
            .filter(|case| self.owner(case) == Some(own))
            .peekable();
        own_ones.peek().is_none() || is_number(own) && own_ones.all(|case| is_number(&case.name))
    }

    /// The program that another one's name begins with, the longest of several; `day10` does not begin with `day1`.
    fn original(&self, program: &str) -> Option<&String> {
        let is_digit = |c: char| c.is_ascii_digit();
        let begins = |name: &&String| {
            let rest = program.strip_prefix(name.as_str());
            let rest = rest.filter(|rest| !rest.is_empty());
            rest.is_some_and(|rest| !(name.ends_with(is_digit) && rest.starts_with(is_digit)))
        };
        self.names().filter(begins).max_by_key(|name| name.len())
    }

    /// The program whose name a case begins with, after a word for inputs: `a1`, `in_a1`; the longest of several.
    fn owner(&self, case: &TestCase) -> Option<&String> {
        let name = self.folded(&case.name);
        let after_word = WORDS.iter().chain(&["in"]).find_map(|word| {
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
