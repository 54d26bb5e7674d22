//! The findings of the lint; damaged files never cause a panic.

use super::support::{findings, new, read};
use judge_package::{Package, lint};
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

#[test]
fn lint_finds_what_the_format_forbids_in_problem_yaml() {
    assert_finds("languages: []\n", &[], "`languages` is an empty list");
    for (yaml, message) in [
        ("license: gpl\n", "not a license of the format"),
        ("license: cc by\n", "needs a rights owner"),
        (
            "license: public domain\nrights_owner: me\n",
            "no rights owner",
        ),
        ("credits: {author: me}\n", "did you mean `authors`?"),
        ("credits: {authors: [{email: a@b}]}\n", "has no `name`"),
        (
            "credits: {translators: {cz: me}}\n",
            "problem.yaml:4:25: is not the code of a language\n  help: write `cs`",
        ),
        ("embargo_until: tomorrow\n", "is not a date"),
        ("keywords: a b\n", "must be a list"),
        ("languages: [c++]\n", "is not a language code"),
        (
            "languages: [cpp, pyton]\n",
            "sum/problem.yaml:4:18: `languages` names `pyton`",
        ),
        ("languages: cpp\n", "must be `all` or a list"),
        ("source_url: x\n", "is a key of version `legacy`"),
        (
            "limits: {validation_passes: 3}\n",
            "only for type `multi-pass`",
        ),
        (
            "limits: {time_limit: 1.5}\n",
            "not a multiple of `time_resolution`",
        ),
    ] {
        assert_finds(yaml, &[], message);
    }
    assert_finds(
        "languages: [python3]\n",
        &[("include/cpp/x.h", "")],
        "error: sum/include/cpp: is for `cpp`, which `languages` in `problem.yaml` does not allow",
    );
    assert_finds(
        "limits: {code: 1}\n",
        &[("submissions/accepted/long.py", &"#".repeat(1100))],
        "bytes of source code",
    );
    let group = "input_validator_args: {valdate: [\"9\"]}\n";
    assert_finds(
        "",
        &[("data/secret/test_group.yaml", group)],
        "arguments are given to `valdate`, which is no input validator\n  help: did you mean `validate.py`?",
    );
    let empty = "problem_format_version: 2025-09\nname: {en: \" \"}\n";
    assert_finds(
        "",
        &[("problem.yaml", empty)],
        "problem.yaml:2:12: `name` is empty",
    );
    assert_finds(
        "constants: {max_n: 5}\n",
        &[("input_validators/validate.py", "{{maxn}}\n")],
        "did you mean `max_n`?",
    );
    for (statement, unknown) in [
        ("statement/problem.en.md", "{{maxn}} {{nextsample}}\n"),
        ("statement/problem.en.tex", "\\constant{maxn}\n"),
    ] {
        let found = findings(&new("constants: {max_n: 5}\n", &[(statement, unknown)]));
        assert_eq!(found.matches("did you mean `max_n`?").count(), 1, "{found}");
        assert!(!found.contains("nextsample"), "{found}");
        assert!(!found.contains("unknown macro"), "{found}");
    }
}

#[test]
fn lint_finds_formulas_that_are_not_closed() {
    let statement = |text| [("statement/problem.en.tex", text)];
    for (text, place) in [
        ("Given $a and b.\n", "1:7"),
        ("Given $a$, $b\n \nand c$.\n", "1:12"),
        ("$$ a $ b\n", "1:1"),
    ] {
        let message = format!("statement/problem.en.tex:{place}: the formula that begins with `$");
        assert_finds("", &statement(text), &message);
    }
    for text in [
        "It costs \\$5. % $\n$a$ $$b$$ $\\text{if $c$}$\n\n$d\n+ e$\n",
        "\\verb|$| \\begin{lstlisting}\n$x\n\\end{lstlisting}\n",
    ] {
        let found = findings(&new("", &statement(text)));
        assert!(!found.contains("formula"), "{found}");
    }
}

/// The package may be an archive, whose directory is temporary.
#[test]
fn lint_takes_right_tex_as_it_is() {
    let text = "\\problemname{}\n\\t{a} \\sout{b} \\epigraph{c}{d} \\c{c} \\v{s} $90\\degree \\boxed{x} \\nleq y$\n\
                \\url{http://a.b/c_d%20e} \\href{http://a.b/%20}{t} \\lstinline{%} \\lstinline|{| \\lstinline[a=b]{c}\n";
    let found = findings(&new("", &[("statement/problem.sv.tex", text)]));
    assert!(!found.contains("problem.sv.tex"), "{found}");
    let text = "\\url{http://a.b/\n";
    let found = findings(&new("", &[("statement/problem.sv.tex", text)]));
    assert!(found.contains("`{` is not closed"), "{found}");
}

#[test]
fn lint_names_a_package_whose_name_is_forbidden() {
    let dir = new("", &[]);
    let place = dir.path().join("hello-dj");
    fs::rename(dir.path().join("sum"), &place).unwrap();
    let package = Package::read(&place).unwrap();
    let messages: Vec<String> = lint(&package).iter().map(ToString::to_string).collect();
    let messages = messages.join("\n");
    let whole = "error: hello-dj: the package's name has more than lower-case letters and digits\n  \
                 help: rename the directory or archive";
    assert!(messages.contains(whole), "{messages}");
}

#[test]
fn lint_compares_answers_with_the_output_limit() {
    let found = |yaml: &str, size: u64| {
        let dir = new(yaml, &[]);
        let answer = dir.path().join("sum/data/secret/2.ans");
        let file = fs::File::options().write(true).open(answer).unwrap();
        file.set_len(size).unwrap();
        findings(&dir)
    };
    let large = found("", 12_000_000);
    let error = "error: sum/data/secret/2.ans: has 11.4 MiB, which is larger than the output limit \
                 of 8 MiB\n  help: set `limits: output`, for example to 23";
    assert!(large.contains(error), "{large}");
    let near = found("", (4 << 20) + 1);
    let warning = "warning: sum/data/secret/2.ans: has 4.0 MiB, which is more than half of the output \
                   limit of 8 MiB";
    assert!(near.contains(warning), "{near}");
    let roomy = found("limits: {output: 23}\n", 12_000_000);
    assert!(!roomy.contains("output limit"), "{roomy}");
    assert!(!found("", 4 << 20).contains("output limit"));
}

#[test]
fn lint_finds_what_the_format_forbids_in_other_files() {
    for (files, message) in [
        (
            &[("statement/problem.sv.md", "x\n")][..],
            "the names are in en, but the statements in en, sv",
        ),
        (
            &[("statement/problem.md", "x\n")],
            "rename it to `problem.en.md`",
        ),
        (
            &[("statement/problem.jp.md", "x\n")],
            "error: sum/statement: `jp` in the name of a statement is not a language code\n  help: write `ja`",
        ),
        (
            &[
                ("statement/problem.en.md", "x\n"),
                ("statement/problem.en.tex", "x\n"),
            ],
            "warning: sum/statement: has 2 statements in `en`",
        ),
        (
            &[("statement/problem.en.md", "\n# Sum\n\nAdd.\n")],
            "warning: sum/statement/problem.en.md:2:1: repeats the name of the problem",
        ),
        (
            &[("data/sample/1.hint", "x\n")],
            "warning: sum/data/sample/1.hint: is a file of version `legacy`, which other judges leave out\n  \
             help: write its text as `hint:` into 1.yaml",
        ),
        (
            &[("solution/sol.md", "x\n")],
            "warning: sum/solution: has no `solution.LANGUAGE.tex`",
        ),
        (
            &[("static_validator/x.py", "x\n")],
            "warning: sum/static_validator/x.py: is never run",
        ),
        (
            &[
                ("static_validator/x.py", "x\n"),
                (
                    "data/secret/test_group.yaml",
                    "static_validation_score: 3\n",
                ),
            ],
            "test_group.yaml:1:26: `static_validation_score` gives points, which only problems of type `scoring` have",
        ),
        (
            &[("data/secret/2.files/validate.py", "x\n")],
            "error: sum/data/secret/2.files/validate.py: has the name of a file of an input validator",
        ),
        (
            &[("attachments/tool/x", "")],
            "is a directory in `attachments`",
        ),
        (&[("include/pyton3/x", "")], "did you mean `python3`?"),
        (
            &[("output_validators/x.py", "")],
            "rename it to `output_validator`",
        ),
        (
            &[("submisions/accepted/x.py", "")],
            "did you mean `submissions`?",
        ),
        (
            &[("data/secret/testdata.yaml", "")],
            "is a file of version `legacy`",
        ),
        (
            &[("data/testdata.yaml", "")],
            "sum/data/testdata.yaml: is a file of version `legacy`",
        ),
        (
            &[("data/secert/3.{in,ans}", "")],
            "warning: sum/data/secert: is not a directory of the format; its cases are left out\n  \
             help: did you mean `secret`?",
        ),
        (
            &[("data/secret/2.in", "5 7\r\n"), ANSWER],
            "warning: sum/data/secret/2.in: has Windows line ends, first in line 1",
        ),
        (
            &[("data/secret/2.in", "5 7"), ANSWER],
            "warning: sum/data/secret/2.in: does not end with a newline",
        ),
        (
            &[("data/secret/2.in", "\u{feff}5\n"), ANSWER],
            "error: sum/data/secret/2.in: begins with a byte-order mark",
        ),
        (
            &[("data/secret/2.in", "1 2\n"), ANSWER],
            "is the same input as",
        ),
        (
            &[("data/secret/a b.in", ""), ("data/secret/2.in", ""), ANSWER],
            "it is left out",
        ),
        (&[("data/secret/3.ans", "")], "the input is missing"),
        (
            &[("data/secret/2.png", ""), ("data/secret/2.svg", "")],
            "illustrations is given twice",
        ),
        (&[("data/sample/1.in.statement", "")], "add `.in.download`"),
        (
            &[("data/sample/1.interaction", "<1\nx\n---\n>2\n")],
            "sum/data/sample/1.interaction: line 2 begins with neither `<` nor `>`",
        ),
        (
            &[("data/valid_output/1.{in,ans}", "")],
            "has no `.out` file",
        ),
        (
            &[("data/secret/test_group.yaml", "max_score: 3\n")],
            "only for problems of type `scoring`",
        ),
        (
            &[(
                "data/sample/test_group.yaml",
                "static_validation_score: 3\n",
            )],
            "static_validator",
        ),
        (
            &[(
                "submissions/submissions.yaml",
                "accepted/sum.py: {permitted: [WA]}\n",
            )],
            "no verdict meets the rules",
        ),
        (
            &[(
                "submissions/submissions.yaml",
                "accepted/sum.py: {score: 5}\n",
            )],
            "only for problems of type `scoring`",
        ),
        (
            &[("submissions/submissions.yaml", "wrong_answer/x.py: {}\n")],
            "matches no submission",
        ),
        (
            &[("submissions/submissions.yaml", "'**/sum.py': {}\n")],
            "submissions.yaml:1:1: patterns have no `**`: `**/sum.py`\n  help: use `*`",
        ),
        (
            &[(
                "submissions/submissions.yaml",
                "accepted/sum.py:\n  secret/[0-9]*: {permitted: [AC]}\n",
            )],
            "submissions.yaml:2:3: patterns have no `[`",
        ),
        (
            &[(
                "submissions/submissions.yaml",
                "accepted/sum.py:\n  secret/*-esy: {permitted: [AC]}\n",
            )],
            "submissions.yaml:2:3: `secret/*-esy` matches no group and no test case",
        ),
        (
            &[(
                "submissions/submissions.yaml",
                "accepted/sum.py: {permitted: AC}\n",
            )],
            "verdicts must be a list\n  help: write `[AC]`",
        ),
        (
            &[("submissions/wrong-answer/x.py", "")],
            "error: sum/submissions/wrong-answer/x.py: has no expected result\n  help: did you \
             mean `wrong_answer/`?",
        ),
        (&[("submissions/sum.py", "")], "it is in no directory"),
        (
            &[("submissions/accepted/a.out", "\x7fELF\x02\x01\x01")],
            "is a compiled program and is left out",
        ),
    ] {
        assert_finds("", files, message);
    }
}

/// Asserts that the lint finds this in a valid package with these additions.
fn assert_finds(yaml: &str, files: &[(&str, &str)], message: &str) {
    let found = findings(&new(yaml, files));
    assert!(
        found.contains(message),
        "{yaml}{files:?}: {message:?} not in {found:?}"
    );
}

#[test]
fn a_compiled_program_is_left_out() {
    let dir = new("", &[("submissions/accepted/sum.py", "")]);
    let compiled = dir.path().join("sum/submissions/accepted/sum");
    let before = read(&dir).submissions.len();
    for start in [0xfeed_facf_u32, 0xfeed_face] {
        fs::write(&compiled, start.to_le_bytes()).unwrap();
        assert_eq!(read(&dir).submissions.len(), before);
        let found = findings(&dir);
        let message = "submissions/accepted/sum: is a compiled program and is left out";
        assert!(found.contains(message), "{found:?}");
    }
}

#[test]
fn the_last_of_duplicate_keys_counts() {
    let dir = new(
        "limits: {memory: 64}\nname: Again\nlimits: {memory: 32}\n",
        &[],
    );
    let package = read(&dir);
    assert_eq!((&*package.name, package.limits.memory), ("Again", 32 << 20));
    let found = findings(&dir);
    for message in [
        "key `name` is given twice; the first is in line 2",
        "key `limits` is given twice",
    ] {
        assert!(found.contains(message), "{message:?} not in {found:?}");
    }
}

/// The answer of the secret case, for tests that replace its input.
const ANSWER: (&str, &str) = ("data/secret/2.ans", "12\n");

/// Replacing any file by any bytes gives an error or a package, never a panic.
#[test]
fn damaged_files_never_panic() {
    let dir = new(
        "limits: {time_limit: 1, time_multipliers: {ac_to_time_limit: 2.5}}\nconstants: {n: {value: 5}}\n",
        &[
            (
                "data/secret/test_group.yaml",
                "args: [a]\noutput_validator_args: &a [x, y]\n",
            ),
            (
                "submissions/submissions.yaml",
                "accepted: {permitted: [AC], secret/*{1,2}: {required: [AC]}}\n",
            ),
        ],
    );
    let root = dir.path().join("sum");
    let mut seed = 1_u64;
    let mut random = move |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for name in [
        "problem.yaml",
        "data/secret/test_group.yaml",
        "submissions/submissions.yaml",
    ] {
        let path: &Path = &root.join(name);
        let whole = fs::read(path).unwrap();
        for _ in 0..200 {
            let mut bytes = whole.clone();
            for _ in 0..=random(3) {
                let at = random(bytes.len());
                match random(3) {
                    0 => bytes[at] = b"{}[]:,&*!|>'\"%@`#-?\n\t \xff0"[random(24)],
                    1 => {
                        bytes.remove(at);
                    }
                    _ => bytes.insert(at, b"{}[]:,&*!|>'\"%@`#-?\n\t \xff0"[random(24)]),
                }
            }
            fs::write(path, bytes).unwrap();
            if let Ok(package) = Package::read(&root) {
                lint(&package);
            }
        }
        fs::write(path, whole).unwrap();
    }
}

/// Findings are in the order of the file names: that of a directory's listing depends on the file system.
#[test]
fn findings_are_in_the_order_of_the_file_names() {
    let names = ["aa1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "i9"];
    let of = |name: &str| {
        [
            (format!("attachments/{name}/tool"), ""),
            (format!("input_validators/check/{name}.py"), "{{m}}\n"),
            (format!("statement/problem.{name}.md"), "Add.\r\n"),
        ]
    };
    let files: Vec<_> = names.iter().rev().flat_map(|name| of(name)).collect();
    let files = files.iter().map(|(path, text)| (path.as_str(), *text));
    let dir = new("constants: {n: 5}\n", &files.collect::<Vec<_>>());
    for name in names.iter().rev() {
        let not_utf8 = OsString::from_vec([name.as_bytes(), b"\xff"].concat());
        fs::write(dir.path().join("sum/data/secret").join(not_utf8), "").unwrap();
    }
    let found = findings(&dir);
    for (before, after) in [
        ("attachments/", ": is a directory"),
        ("check/", ".py: `{{m}}`"),
        ("problem.", ".md: has Windows line ends"),
        ("statement: `", "` in the name of a statement"),
        ("secret/", "\u{fffd}: the name is not UTF-8"),
    ] {
        let at = names.map(|name| found.find(&format!("{before}{name}{after}")));
        assert!(at[0].is_some() && at.is_sorted(), "{before}: {found}");
    }
}
