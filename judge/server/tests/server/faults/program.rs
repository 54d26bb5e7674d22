//! The programs that are submitted: in C, for the real sandbox; the first line says what they do, for
//! the fake one.

use crate::common::Package;
use std::time::Duration;

/// Number of cases of each problem.
pub const CASES: usize = 12;

/// The behaviour of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program {
    /// It is accepted.
    Right,
    /// It does not compile.
    Broken,
    /// It fails this case, from 1, with this verdict: WA or RTE.
    Fails(usize, &'static str),
}

impl Program {
    /// The program that a random number means: of ten, three are right, and one in twenty is broken.
    pub fn choose(random: u64) -> Self {
        let case = CASES / 2 + 1 + (random / 100) as usize % (CASES / 2);
        match random % 100 {
            0..30 => Program::Right,
            30..35 => Program::Broken,
            35..80 => Program::Fails(case, "WA"),
            _ => Program::Fails(case, "RTE"),
        }
    }

    /// Its verdict.
    pub fn verdict(self) -> &'static str {
        match self {
            Program::Right => "AC",
            Program::Broken => "CE",
            Program::Fails(_, verdict) => verdict,
        }
    }

    /// The verdicts of the cases up to the one that decides.
    pub fn verdicts(self, cases: usize) -> Vec<&'static str> {
        match self {
            Program::Right => vec!["AC"; cases],
            Program::Broken => Vec::new(),
            Program::Fails(case, verdict) => {
                let mut all = vec!["AC"; case];
                all[case - 1] = verdict;
                all
            }
        }
    }

    /// The source in C of a program that sleeps for this time in each case.
    pub fn source(self, sleep: Duration) -> String {
        let (line, fault) = match self {
            Program::Right => ("right".to_owned(), String::new()),
            Program::Broken => ("broken".to_owned(), "this is not C".to_owned()),
            Program::Fails(case, verdict) => {
                let fault = if verdict == "WA" { "b++" } else { "abort()" };
                (
                    format!("fails {case} {verdict}"),
                    format!("if (a == {case}) {fault};"),
                )
            }
        };
        format!(
            "// {line}\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nint main(void) {{\n    \
             int a, b;\n    if (scanf(\"%d %d\", &a, &b) != 2) return 1;\n    usleep({});\n    {fault}\n    \
             printf(\"%d\\n\", a + b);\n}}\n",
            sleep.as_micros()
        )
    }

    /// Reads the behaviour from the first line of a source.
    pub fn read(source: &str) -> Option<Self> {
        let first = source.lines().next()?.strip_prefix("// ")?;
        match first.split(' ').collect::<Vec<_>>()[..] {
            ["right"] => Some(Program::Right),
            ["broken"] => Some(Program::Broken),
            ["fails", case, "WA"] => Some(Program::Fails(case.parse().ok()?, "WA")),
            ["fails", case, "RTE"] => Some(Program::Fails(case.parse().ok()?, "RTE")),
            _ => None,
        }
    }
}

/// A problem with this time limit in seconds: two integers, to add; the first one is the number of the
/// case.
pub fn problem(id: &str, time_limit: u32) -> Package {
    let package = Package::new(id).derived_limit();
    let package = package.limit(&format!("time_limit: {time_limit}"));
    (1..=CASES).fold(package, |package, case| {
        let (input, answer) = (format!("{case} 30\n"), format!("{}\n", case + 30));
        package.case(&format!("secret/{case:02}"), &input, &answer)
    })
}
