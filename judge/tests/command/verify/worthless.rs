//! Packages that are worthless, each in one way: `judge verify` finds it out. The sound package from
//! which they are made has no finding.

use crate::common::{Bench, events, judge};
use serde_json::Value;
use std::fs;

/// A package without any finding: twice a number from 1 to 100.
const SOUND: [(&str, &str); 15] = [
    (
        "problem.yaml",
        "problem_format_version: 2025-09\nname: Double\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n\
         license: cc0\nrights_owner: Jo\nlimits: {time_limit: 1, validation_time: 1}\n",
    ),
    (
        "statement/problem.en.md",
        "Print twice the number $n$, $1 \\leq n \\leq 100$.\n\n## Sample Input\n\n```\n3\n```\n\n\
         ## Sample Output\n\n```\n6\n```\n",
    ),
    ("data/sample/1.in", "3\n"),
    ("data/sample/1.ans", "6\n"),
    ("data/secret/1.in", "1\n"),
    ("data/secret/1.ans", "2\n"),
    ("data/secret/2.in", "100\n"),
    ("data/secret/2.ans", "200\n"),
    ("data/secret/3.in", "51\n"),
    ("data/secret/3.ans", "102\n"),
    (
        "input_validators/v.py",
        "import re, sys\ntext = sys.stdin.buffer.read()\n\
         ok = re.fullmatch(rb'[1-9][0-9]{0,2}\\n', text) and int(text) <= 100\nsys.exit(42 if ok else 43)\n",
    ),
    (
        "output_validator/o.py",
        "import sys\nanswer = open(sys.argv[2]).read().split()\n\
         output = sys.stdin.buffer.read().decode('latin-1').split()\nsys.exit(42 if output == answer else 43)\n",
    ),
    ("submissions/accepted/ok.py", "print(2 * int(input()))\n"),
    (
        "submissions/wrong_answer/plus.py",
        "print(3 + int(input()))\n",
    ),
    (
        "submissions/time_limit_exceeded/slow.py",
        "while True:\n    pass\n",
    ),
];

/// The output of `judge verify` for the sound package with these files instead of its own; an empty text
/// removes a file.
pub struct Verified {
    events: Vec<Value>,
    code: Option<i32>,
}

impl Verified {
    pub fn with(changes: &[(&str, &str)], args: &[&str]) -> Self {
        let bench = Bench::new();
        bench.write_all("double", &SOUND);
        for (name, text) in changes {
            match *text {
                "" => fs::remove_file(bench.path(&format!("double/{name}"))).expect("a file"),
                text => {
                    bench.write(&format!("double/{name}"), text);
                }
            }
        }
        let mut command = judge(&bench);
        command
            .args(["verify", "double", "--format", "json"])
            .args(args);
        let output = command.output().expect("the judge runs");
        Verified {
            events: events(&output.stdout),
            code: output.status.code(),
        }
    }

    /// The findings: `error v.py: MESSAGE (REMEDY)`, and the warnings about the results of this package.
    pub fn findings(&self) -> Vec<String> {
        let text =
            |event: &Value, field: &str| event[field].as_str().unwrap_or_default().to_owned();
        let mut findings = Vec::new();
        for event in &self.events {
            if event["event"] == "finding" {
                findings.push(format!(
                    "{} {}: {} ({})",
                    text(event, "severity"),
                    text(event, "path"),
                    text(event, "message"),
                    text(event, "remedy")
                ));
            }
            let warnings = event["warnings"].as_array().into_iter().flatten();
            let warnings = warnings.filter_map(Value::as_str);
            findings.extend(
                warnings
                    .filter(|text| text.starts_with("double: "))
                    .map(str::to_owned),
            );
        }
        findings
    }

    /// Asserts that there is exactly one finding, that it contains all of these words, and the exit status.
    pub fn finds(&self, code: i32, words: &[&str]) {
        let findings = self.findings();
        let is_it = |finding: &&String| words.iter().all(|word| finding.contains(word));
        assert_eq!(
            findings.iter().filter(is_it).count(),
            1,
            "{words:?} in {findings:#?}"
        );
        assert_eq!(self.code, Some(code), "{findings:#?}");
    }
}

#[test]
fn the_sound_package_has_no_finding() {
    let verified = Verified::with(&[], &[]);
    assert_eq!(verified.findings(), [""; 0]);
    assert_eq!(verified.code, Some(0));
}

#[test]
fn validators_that_accept_everything_are_errors() {
    let accept = "import sys\nsys.exit(42)\n";
    let changes = [
        ("input_validators/v.py", accept),
        ("output_validator/o.py", accept),
    ];
    let verified = Verified::with(&changes, &[]);
    let checks_nothing = "it checks nothing (";
    verified.finds(
        1,
        &["error input_validators/v.py: the input", checks_nothing],
    );
    verified.finds(
        1,
        &["error output_validator/o.py: the output", checks_nothing],
    );
    // Only the data were checked before, and are with `--quick`.
    let quick = Verified::with(&changes, &["--quick"]);
    assert!(!quick.findings().iter().any(|text| text.contains("nothing")));
}

#[test]
fn an_input_validator_that_splits_at_white_space_is_shown_what_it_accepts() {
    let lenient = "import sys\ntokens = sys.stdin.read().split()\n\
                   sys.exit(42 if len(tokens) == 1 and 1 <= int(tokens[0]) <= 100 else 43)\n";
    let verified = Verified::with(&[("input_validators/v.py", lenient)], &[]);
    verified.finds(
        0,
        &[
            "warning input_validators/v.py: the input validator accepts other white space: ",
            "a space at the end of a line (2 of 2), an empty line at the end (2 of 2)",
            "no newline at the end (2 of 2), line ends of Windows (2 of 2)",
            "for example sample/1 with no newline at the end",
        ],
    );
    verified.finds(
        0,
        &[
            "accepts other forms of numbers: a leading zero (2 of 2), a plus sign (2 of 2)",
            "for example sample/1, if line 1 is `",
        ],
    );
    assert_eq!(verified.findings().len(), 2, "{:#?}", verified.findings());
}

#[test]
fn bounds_that_a_validator_does_not_check_are_found() {
    let unbounded = "import re, sys\ntext = sys.stdin.buffer.read()\n\
                     sys.exit(42 if re.fullmatch(rb'[1-9][0-9]*\\n', text) else 43)\n";
    let verified = Verified::with(&[("input_validators/v.py", unbounded)], &[]);
    verified.finds(0, &["accepts junk: a line of 100,000 digits (1 of 1)"]);
    verified.finds(
        0,
        &[
            "accepts other content: a value outside those of the cases (1 of 2)",
            "line 1 is `101`",
        ],
    );
}

#[test]
fn an_input_validator_that_hangs_is_stopped_once() {
    let hangs = "import sys\ntext = sys.stdin.buffer.read()\nwhile not text.strip().isdigit():\n    pass\n\
                 sys.exit(42 if 1 <= int(text) <= 100 else 43)\n";
    let verified = Verified::with(&[("input_validators/v.py", hangs)], &[]);
    verified.finds(
        1,
        &["error input_validators/v.py: the input validator does not end for a wrong input"],
    );
}

#[test]
fn an_output_validator_that_hangs_is_stopped_once_and_judges_nothing() {
    let hangs = "while True:\n    pass\n";
    let verified = Verified::with(&[("output_validator/o.py", hangs)], &[]);
    verified.finds(
        1,
        &[
            "error data/s",
            "took more than its 1 s",
            "no submission is judged",
        ],
    );
    let judged = verified
        .events
        .iter()
        .filter(|event| event["event"] == "case_finished");
    assert_eq!(judged.count(), 0);
}

#[test]
fn an_output_validator_that_crashes_or_hangs_on_junk_is_an_error() {
    let crashes = "import sys\nanswer = int(open(sys.argv[2]).read())\n\
                   sys.exit(42 if int(sys.stdin.readline()) == answer else 43)\n";
    let verified = Verified::with(&[("output_validator/o.py", crashes)], &[]);
    verified.finds(
        1,
        &[
            "error output_validator/o.py: the output validator fails on an output with an empty file, binary data",
            "gets a judge error",
        ],
    );
    // It reads one line, and what follows does not matter to it.
    let hangs = "import sys\nline = sys.stdin.buffer.readline()\nwhile not line.strip().isdigit():\n    pass\n\
                 sys.exit(42 if int(line) == int(open(sys.argv[2]).read()) else 43)\n";
    let verified = Verified::with(&[("output_validator/o.py", hangs)], &[]);
    verified.finds(
        1,
        &[
            "error output_validator/o.py: the output validator fails on",
            "1 s of CPU time",
        ],
    );
}

#[test]
fn an_output_validator_that_ignores_the_rest_of_an_output_is_found() {
    let ignores = "import sys\nanswer = open(sys.argv[2]).read().split()\n\
                   output = sys.stdin.buffer.read().decode('latin-1').split()\n\
                   sys.exit(42 if output[:1] == answer else 43)\n";
    let verified = Verified::with(&[("output_validator/o.py", ignores)], &[]);
    verified.finds(
        0,
        &[
            "warning output_validator/o.py: the output validator accepts wrong outputs: a token more (2 of 2)",
            "if line 1 is `6 6`",
        ],
    );
}

/// A validator that writes the log of testlib for a variable from 1 to `MAX`.
fn with_log(max: u32) -> String {
    format!(
        "import re, sys\n# like testlib.h\ntext = sys.stdin.buffer.read()\n\
         if not re.fullmatch(rb'[1-9][0-9]{{0,2}}\\n', text) or int(text) > 100: sys.exit(43)\n\
         n = int(text)\nif '--testOverviewLogFileName' in sys.argv:\n    \
         with open(sys.argv[sys.argv.index('--testOverviewLogFileName') + 1], 'w') as log:\n        \
         print('\"n\":' + ' min-value-hit' * (n == 1) + ' max-value-hit' * (n == {max}), file=log)\n        \
         print('constant-bounds \"n\": 1 {max}', file=log)\nsys.exit(42)\n"
    )
}

#[test]
fn bounds_that_no_case_reaches_or_the_statement_gives_otherwise_are_found() {
    let sound = Verified::with(&[("input_validators/v.py", &with_log(100))], &[]);
    assert_eq!(sound.findings(), [""; 0]);
    let verified = Verified::with(&[("input_validators/v.py", &with_log(120))], &[]);
    verified.finds(
        0,
        &["warning input_validators/v.py: `n` reaches in no case its maximum 120"],
    );
    verified.finds(
        0,
        &["warning statement/problem.en.md: says `1 \\leq n \\leq 100`, but v.py has the bounds 1 and 120"],
    );
}

#[test]
fn submissions_that_show_nothing_are_found() {
    let changes = [
        ("submissions/wrong_answer/plus.py", ""),
        ("submissions/time_limit_exceeded/slow.py", ""),
    ];
    let verified = Verified::with(&changes, &[]);
    verified.finds(
        0,
        &["warning submissions: no submission is expected to be wrong"],
    );
    verified.finds(
        0,
        &["warning submissions: no submission is expected to be too slow"],
    );
    let changes = [
        ("submissions/mixed/maybe.py", "print(2 * int(input()))\n"),
        (
            "submissions/submissions.yaml",
            "mixed/maybe.py: {permitted: [AC, WA]}\n",
        ),
    ];
    let verified = Verified::with(&changes, &[]);
    verified.finds(
        0,
        &["no case distinguishes mixed/maybe.py from an accepted submission"],
    );
}

#[test]
fn limits_in_the_wrong_unit_are_found() {
    let yaml = SOUND[0]
        .1
        .replace("time_limit: 1,", "time_limit: 500, memory: 268435456,");
    // The slow program would take the whole limit.
    let changes = [
        ("problem.yaml", yaml.as_str()),
        ("submissions/time_limit_exceeded/slow.py", ""),
    ];
    let verified = Verified::with(&changes, &[]);
    verified.finds(0, &["the memory limit of 268435456 MiB is above the "]);
    verified.finds(
        0,
        &[
            "double: the time limit of 500 s is more than 20 times the ",
            "accepted/ok.py",
        ],
    );
}

#[test]
fn statements_that_cannot_be_shown_are_errors_in_every_language() {
    let yaml = SOUND[0]
        .1
        .replace("name: Double", "name: {en: Double, sv: Dubbla}");
    let tex = "\\problemname{Duobling}\n\\begin{itemize}\n\\item Print $2 \\cdto n$.\n\
               \\includegraphics{board}\n\\nextsample\n\\nextsample\n";
    let changes = [
        ("problem.yaml", yaml.as_str()),
        ("statement/problem.en.md", ""),
        ("statement/problem.en.tex", tex),
        ("statement/problem.sv.md", "\n"),
    ];
    let verified = Verified::with(&changes, &[]);
    for words in [
        "error statement/problem.en.tex: environment `itemize` is not closed (add `\\end{itemize}`)",
        "error statement/problem.en.tex: shows the image `board`, which does not exist",
        "warning statement/problem.en.tex: uses the unknown macro `\\cdto` (did you mean `\\cdot`?)",
        "warning statement/problem.en.tex: is titled `Duobling`, but the package's name is `Double`",
        "warning statement/problem.en.tex: shows more samples than the 1 of the data",
        "error statement/problem.sv.md: is an empty statement",
    ] {
        verified.finds(1, &[words]);
    }
}

#[test]
fn samples_of_the_statement_are_those_of_the_data() {
    let other = SOUND[1].1.replace("\n3\n", "\n4\n");
    let verified = Verified::with(&[("statement/problem.en.md", &other)], &[]);
    verified.finds(
        0,
        &["shows another text than data/sample/1.in: line 1 is `4`, not `3` (copy the text"],
    );
    let more = [("data/sample/2.in", "4\n"), ("data/sample/2.ans", "8\n")];
    let verified = Verified::with(&more, &[]);
    verified.finds(0, &["shows one sample as text, but the data has 2 samples"]);
}

#[test]
fn annotations_that_are_unknown_or_contradict_the_directory_are_found() {
    let verified = Verified::with(
        &[
            (
                "submissions/accepted/ok.py",
                "# @EXPECTED_RESULTS@: WRONG-ANSWER\nprint(2 * int(input()))\n",
            ),
            (
                "submissions/wrong_answer/plus.py",
                "# @EXPECTED_RESULTS@: FOO, WRONG-ANSWER\nprint(3 + int(input()))\n",
            ),
        ],
        &[],
    );
    verified.finds(
        1,
        &["error submissions/accepted/ok.py: `@EXPECTED_RESULTS@` expects WA, which contradicts its directory `accepted`"],
    );
    verified.finds(
        1,
        &["warning submissions/wrong_answer/plus.py: `@EXPECTED_RESULTS@` names `FOO`, which is no verdict"],
    );
}

#[test]
fn cases_with_the_same_input_are_found() {
    let same = [("data/secret/4.in", "51\n"), ("data/secret/4.ans", "102\n")];
    let verified = Verified::with(&same, &[]);
    verified.finds(
        0,
        &["warning data/secret/4.in: is the same input as data/secret/3.in"],
    );
}

#[test]
fn all_errors_that_prevent_judging_appear_at_once() {
    let bench = Bench::new();
    bench.write_all("double", &SOUND);
    let yaml = SOUND[0].1.replace("time_limit: 1,", "time_limit: soon,");
    bench.write(
        "double/problem.yaml",
        &format!("{yaml}colour: red\nallow_file_writing: perhaps\n"),
    );
    bench.write(
        "double/submissions/submissions.yaml",
        "accepted/ok.py: {permitted: [YES]}\n",
    );
    let output = judge(&bench)
        .args(["verify", "double"])
        .output()
        .expect("the judge runs");
    let said = String::from_utf8_lossy(&output.stderr);
    for words in ["colour", "soon", "perhaps", "YES"] {
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(said.matches("error: ").count(), 4, "{said}");
    assert_eq!(output.status.code(), Some(2));
}
