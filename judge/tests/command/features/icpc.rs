//! Files and arguments of a case, included files, constants, the limit of the source code, static
//! validators.

use super::{judged, package};
use crate::common::{Bench, run, skipped_without_sandbox, verify, verify_quickly};
use judge_sandbox::State;
use predicates::str::contains;

const LIMIT: &str = "limits: {time_limit: 5.0}\n";

#[test]
fn cases_have_files_and_arguments() {
    let bench = Bench::new();
    let package = package(
        &bench,
        "2025-09",
        &format!("{LIMIT}allow_file_writing: true\n"),
        &[
            ("data/secret/1.in", ""),
            ("data/secret/1.ans", "one two\n"),
            ("data/secret/1.yaml", "args: [two]\n"),
            ("data/secret/1.files/words.txt", "one"),
            ("data/secret/2.in", ""),
            ("data/secret/2.ans", "three four\n"),
            ("data/secret/2.yaml", "args: [four]\n"),
            ("data/secret/2.files/words.txt", "three"),
            // No file of the previous case remains.
            ("data/secret/3.in", ""),
            ("data/secret/3.ans", "nothing\n"),
        ],
    );
    let right = bench.write(
        "right.py",
        "import os, sys\n\
         if not os.path.exists('words.txt'):\n    print('nothing')\n    sys.exit()\n\
         word = open('words.txt').read()\n\
         open('words.txt', 'w').write('spoilt')\n\
         print(word, *sys.argv[1:])\n",
    );
    let result = judged(&bench, &package, &right);
    assert_eq!(result.verdict, "AC", "{:?} {}", result.cases, result.said);
    assert_eq!(result.cases.len(), 3);
    // An input validator sees both, too.
    bench.write(
        "p/input_validators/check.py",
        "import os, sys\n\
         there = os.path.exists('words.txt')\n\
         sys.exit(42 if there == (len(sys.argv) == 2) else 43)\n",
    );
    bench.write(
        "p/submissions/accepted/right.py",
        &std::fs::read_to_string(&right).unwrap(),
    );
    let output = verify_quickly(&bench, &package).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!text.contains("check.py"), "{text}");
    bench.write("p/data/secret/4.in", "");
    bench.write("p/data/secret/4.ans", "\n");
    bench.write("p/data/secret/4.yaml", "args: [a]\n");
    verify_quickly(&bench, &package)
        .assert()
        .code(1)
        .stdout(contains("data/secret/4.in").and(contains("check.py")));
}

use predicates::prelude::PredicateBooleanExt;

/// The format's default: the files of a case can be read, and no file can be written.
#[test]
fn files_are_written_only_where_the_package_allows_it() {
    let bench = Bench::new();
    let data = [
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", "one\n"),
        ("data/secret/1.files/words.txt", "one"),
        // The next case has another file of that name.
        ("data/secret/2.in", ""),
        ("data/secret/2.ans", "two\n"),
        ("data/secret/2.files/words.txt", "two"),
    ];
    let writes = bench.write(
        "writes.py",
        "print(open('words.txt').read())\nopen('new.txt', 'w').write('x')\n",
    );
    let reads = bench.write("reads.py", "print(open('words.txt').read())\n");
    let package = package(&bench, "2025-09", LIMIT, &data);
    let result = judged(&bench, &package, &reads);
    assert_eq!(result.verdict, "AC", "{:?} {}", result.cases, result.said);
    if skipped_without_sandbox("file that a program may only read") {
        return;
    }
    if judge_sandbox::probe()
        .iter()
        .any(|layer| layer.name == "mount-namespace" && layer.state == State::Absent)
    {
        println!("skipped: this machine keeps no program from its files");
        return;
    }
    let result = judged(&bench, &package, &writes);
    assert_eq!(result.verdict, "RTE", "{:?} {}", result.cases, result.said);
    bench.write(
        "p/problem.yaml",
        &bench
            .read("p/problem.yaml")
            .replace(LIMIT, &format!("{LIMIT}allow_file_writing: true\n")),
    );
    let result = judged(&bench, &package, &writes);
    assert_eq!(result.verdict, "AC", "{:?} {}", result.cases, result.said);
}

#[test]
fn case_files_stay_inside_of_the_package() {
    let bench = Bench::new();
    let package = package(
        &bench,
        "2025-09",
        LIMIT,
        &[
            ("data/secret/1.in", ""),
            ("data/secret/1.ans", "\n"),
            ("data/secret/1.files/own.txt", "x"),
        ],
    );
    std::os::unix::fs::symlink("/etc/passwd", bench.path("p/data/secret/1.files/users.txt"))
        .unwrap();
    let any = bench.write("any.py", "print()\n");
    run(&bench, &package, &any)
        .assert()
        .code(2)
        .stderr(contains("users.txt").and(contains("out of the package")));
}

#[test]
fn source_code_over_its_limit_is_not_compiled() {
    let bench = Bench::new();
    let package = package(
        &bench,
        "2025-09",
        "limits: {time_limit: 5.0, code: 1}\n",
        &[
            ("data/secret/1.in", ""),
            ("data/secret/1.ans", "1\n"),
            // Files that the package adds do not count.
            ("include/default/long.txt", &"x".repeat(3000)),
        ],
    );
    let padded = |bytes: usize| format!("print(1)\n#{}", "x".repeat(bytes - 10));
    let fits = bench.write("fits.py", &padded(1024));
    assert_eq!(judged(&bench, &package, &fits).verdict, "AC");
    let over = bench.write("over.py", &padded(1025));
    let result = judged(&bench, &package, &over);
    assert_eq!(result.verdict, "CE");
    assert!(
        result.said.contains("1025 bytes") && result.said.contains("1024"),
        "{}",
        result.said
    );
}

#[test]
fn included_files_are_compiled_with_a_submission_and_found_by_it() {
    let bench = Bench::new();
    let package = package(
        &bench,
        "2025-09",
        &format!("{LIMIT}constants: {{k: 17}}\n"),
        &[
            ("data/secret/1.in", ""),
            ("data/secret/1.ans", "17 data\n"),
            ("include/default/data.txt", "data\n"),
            ("include/python3/given.py", "K = {{k}}\n"),
            ("include/cpp/given.h", "int given();\n"),
            ("include/cpp/given.cpp", "int given() { return {{k}}; }\n"),
        ],
    );
    // Both lie outside of the package.
    let python = bench.write(
        "a.py",
        "import given\nprint(given.K, open('data.txt').read())\n",
    );
    let result = judged(&bench, &package, &python);
    assert_eq!(result.verdict, "AC", "{:?} {}", result.cases, result.said);
    let cpp = bench.write(
        "a.cpp",
        "#include \"given.h\"\n#include <fstream>\n#include <iostream>\n#include <string>\n\
         int main() { std::string s; std::ifstream(\"data.txt\") >> s; \
         std::cout << given() << ' ' << s << '\\n'; }\n",
    );
    let result = judged(&bench, &package, &cpp);
    assert_eq!(result.verdict, "AC", "{:?} {}", result.cases, result.said);
}

#[test]
fn constants_are_replaced_in_validators_and_groups() {
    let bench = Bench::new();
    let package = package(
        &bench,
        "2025-09",
        &format!("{LIMIT}constants: {{k: {{value: 17, hex: '0x11'}}}}\n"),
        &[
            (
                "data/secret/test_group.yaml",
                "output_validator_args: ['{{k}}']\n",
            ),
            ("data/secret/1.in", ""),
            ("data/secret/1.ans", "17\n"),
            (
                "output_validator/check.py",
                "import sys\n\
                 k, unknown = {{k.hex}}, '{{other}}'\n\
                 right = sys.argv[4:] == [str(k)] and unknown[0] == '{' and int(input()) == k\n\
                 sys.exit(42 if right else 43)\n",
            ),
        ],
    );
    let right = bench.write("right.py", "print(17)\n");
    let result = judged(&bench, &package, &right);
    assert_eq!(result.verdict, "AC", "{:?} {}", result.cases, result.said);
}

/// A traceback would name the cache in which the judge runs the validator.
#[test]
fn a_traceback_names_the_file_of_the_package() {
    let bench = Bench::new();
    let package = package(
        &bench,
        "2025-09",
        LIMIT,
        &[
            ("data/secret/1.in", "x\n"),
            ("data/secret/1.ans", "1\n"),
            ("output_validator/check.py", "print(int('y'))\n"),
            ("input_validators/look.py", "int(input())\n"),
        ],
    );
    let right = bench.write("right.py", "print(1)\n");
    let result = judged(&bench, &package, &right);
    let (_, verdict, message) = &result.cases[0];
    assert_eq!(verdict, "JE");
    let place = "File \"output_validator/check.py\", line 1";
    assert!(message.contains(place), "{message}");
    verify(&bench, &package)
        .assert()
        .failure()
        .stdout(contains("File \"input_validators/look.py\", line 1"));
}

#[test]
fn a_static_validator_judges_the_source() {
    let bench = Bench::new();
    let package = package(
        &bench,
        "2025-09",
        LIMIT,
        &[
            ("data/secret/1.in", ""),
            ("data/secret/1.ans", "1\n"),
            (
                "data/secret/test_group.yaml",
                "static_validation_score: pass-fail\nstatic_validator_args: [import]\n",
            ),
            (
                "static_validator/look.py",
                "import sys\n\
                 language, entry, feedback, word = sys.argv[1:]\n\
                 if language != 'python3':\n    sys.exit(1)\n\
                 if word in open(entry).read():\n\
                 \x20   open(feedback + 'judgemessage.txt', 'w').write('it has ' + word)\n\
                 \x20   sys.exit(43)\n\
                 sys.exit(42)\n",
            ),
        ],
    );
    let plain = bench.write("plain.py", "print(1)\n");
    let result = judged(&bench, &package, &plain);
    assert_eq!(
        result.verdicts(),
        [("secret/1", "AC"), ("secret/static-validation", "AC")],
        "{:?} {}",
        result.cases,
        result.said
    );
    let imports = bench.write("imports.py", "import math\nprint(1)\n");
    let result = judged(&bench, &package, &imports);
    assert_eq!(result.verdict, "WA");
    let (_, verdict, message) = result
        .cases
        .iter()
        .find(|(case, ..)| case == "secret/static-validation")
        .unwrap();
    assert_eq!(
        (verdict.as_str(), message.as_str()),
        ("WA", "it has import")
    );
    // A failure of the validator is not the submission's fault.
    let other = bench.write("other.c", "int main() { return 0; }\n");
    assert_eq!(judged(&bench, &package, &other).verdict, "JE");
}
