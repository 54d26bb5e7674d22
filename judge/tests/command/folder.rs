//! `judge` in a contestant's folder: sources and samples, without a workspace and without options.

use crate::common::{Bench, asserted, judge};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use std::time::{Duration, SystemTime};

const SUM: &str = "a, b = map(int, input().split())\nprint(a + b)\n";
pub const WRONG: &str = "a, b = map(int, input().split())\nprint(a + b + (a == 2))\n";

// A shell starts sooner than Python.
const SHELL_SUM: &str = "read a b\necho $((a + b))\n";
pub const SHELL_WRONG: &str = "read a b\necho $((a + b + (a == 2)))\n";

/// Writes the samples 1 to 3 into a directory, with answers of this extension.
pub fn samples(bench: &Bench, dir: &str, answer: &str) {
    for k in 1..=3 {
        bench.write(&format!("{dir}/{k}.in"), &format!("{k} 4\n"));
        bench.write(&format!("{dir}/{k}.{answer}"), &format!("{}\n", k + 4));
    }
}

/// Sets the time of change to this number of seconds ago.
fn age(bench: &Bench, name: &str, seconds: u64) {
    let file = std::fs::File::options().write(true).open(bench.path(name));
    let changed = SystemTime::now() - Duration::from_secs(seconds);
    file.and_then(|file| file.set_modified(changed))
        .expect("it may be set");
}

#[test]
fn the_cases_beside_a_program_are_found() {
    for (dir, answer) in [
        ("mine/test", "out"),
        ("mine/tests", "ans"),
        ("mine/samples", "out"),
        ("mine/sample", "ans"),
        ("mine", "out"),
        ("mine", "a"),
        ("mine/tests", "a"),
    ] {
        let bench = Bench::new();
        samples(&bench, dir, answer);
        if answer == "a" {
            // Polygon's names.
            for k in 1..=3 {
                let name = |end| bench.path(&format!("{dir}/{k}{end}"));
                std::fs::rename(name(".in"), name("")).expect("it moves");
            }
        }
        bench.write("mine/sol.sh", SHELL_SUM);
        // From the folder itself, and from elsewhere.
        for (place, name) in [("mine", "sol.sh"), ("", "mine/sol.sh")] {
            judge(&bench)
                .current_dir(bench.path(place))
                .args(["run", name])
                .assert()
                .success()
                .stdout(contains("3 of 3 cases").and(starts_with("mine (")));
        }
    }
}

#[test]
fn links_out_of_a_folder_are_followed_and_one_that_leads_nowhere_is_named() {
    let bench = Bench::new();
    samples(&bench, "elsewhere", "out");
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, bench.path(name)).expect("a link");
    };
    bench.write("mine/sol.sh", SHELL_SUM);
    link("../elsewhere", "mine/test");
    bench.write("files/sol.sh", SHELL_SUM);
    for name in ["1.in", "1.out", "2.in", "2.out", "3.in", "3.out"] {
        link(&format!("../elsewhere/{name}"), &format!("files/{name}"));
    }
    for folder in ["mine", "files"] {
        asserted(&bench, &["run", &format!("{folder}/sol.sh")])
            .success()
            .stdout(contains("3 of 3 cases"));
    }
    link("nothing", "elsewhere/4.in");
    asserted(&bench, &["run", "mine/sol.sh"])
        .success()
        .stdout(contains("3 of 3 cases"))
        .stderr(contains("4.in: is a symbolic link that leads nowhere"));
}

/// Only the named file is judged, as by an online judge, and not the user's library beside it.
#[test]
fn a_file_beside_the_program_that_it_needs_is_named_with_a_remedy() {
    for (name, text, other, other_text) in [
        (
            "sol.c",
            "#include \"own.h\"\nint main(void) { return X; }\n",
            "own.h",
            "#define X 0\n",
        ),
        (
            "sol.cpp",
            "#include \"lib/own.hpp\"\nint main() { return X; }\n",
            "lib/own.hpp",
            "#define X 0\n",
        ),
        (
            "sol.py",
            "from helper import x\nprint(x)\n",
            "helper.py",
            "x = 5\n",
        ),
        (
            "Main.java",
            "public class Main { public static void main(String[] a) { Other.f(); } }\n",
            "Other.java",
            "class Other { static void f() {} }\n",
        ),
        (
            "sol.rs",
            "mod own;\nfn main() { own::f(); }\n",
            "own.rs",
            "pub fn f() {}\n",
        ),
    ] {
        let bench = Bench::new();
        samples(&bench, "test", "out");
        bench.write(name, text);
        bench.write(other, other_text);
        let remedy = match name {
            "sol.c" | "sol.cpp" => format!("`judge bundle {name}` makes one file of both"),
            _ => format!("put its text into {name}"),
        };
        let place = match name {
            "sol.py" => "a directory with both, this one as main.py",
            "sol.rs" => "a directory with both, this one as main.rs",
            _ => "a directory with both",
        };
        let output = asserted(&bench, &["run", name])
            .code(1)
            .get_output()
            .clone();
        let words: Vec<_> = str::from_utf8(&output.stdout)
            .expect("a report")
            .split_whitespace()
            .collect();
        let help = format!(
            "help: {name} is built and run alone, as by an online judge, without {other} beside it: {remedy}, \
             or judge {place}: `-s DIR`"
        );
        assert!(words.join(" ").contains(&help), "{words:?}");
    }
}

/// The name of the report is forgotten, or both have the same one.
#[test]
fn a_report_replaces_only_a_report() {
    let bench = Bench::new();
    samples(&bench, "mine", "out");
    bench.write("mine/sol.sh", SHELL_SUM);
    let run = |options: &[&str]| {
        let mut command = judge(&bench);
        command.current_dir(bench.path("mine"));
        command.arg("run").args(options).arg("sol.sh").assert()
    };
    run(&["--json", "sol.sh"])
        .code(2)
        .stderr(contains("sol.sh exists and is not a report of the judge"));
    let source = std::fs::read_to_string(bench.path("mine/sol.sh"));
    assert_eq!(source.expect("it is there"), SHELL_SUM);
    run(&["--json", "report", "--html", "report"])
        .code(2)
        .stderr(contains("two reports cannot be one file"));
    for option in ["--json", "--html", "--junit", "--json"] {
        run(&[option, "report"]).success();
    }
}

/// White space does not count, wherever the cases are.
#[test]
fn an_answer_without_a_final_newline_is_right() {
    let bench = Bench::new();
    bench.write("mine/test/1.in", "1 2\n");
    bench.write("mine/test/1.out", "3");
    bench.write("mine/sol.sh", SHELL_SUM);
    asserted(&bench, &["run", "mine/sol.sh"]).success();
}

#[test]
fn a_program_inside_a_package_is_judged_over_it() {
    let bench = Bench::new();
    let package = bench.sums("time_limit: 5");
    bench.write("sums/submissions/mine/sol.sh", SHELL_WRONG);
    judge(&bench)
        .current_dir(package.join("submissions/mine"))
        .args(["run", "sol.sh"])
        .assert()
        .code(1)
        .stdout(contains("Sums").and(contains("WA   secret/2")));
    // The pairs of a group are cases of the package.
    bench.write("sums/data/secret/sol.sh", SHELL_SUM);
    asserted(&bench, &["run", "sums/data/secret/sol.sh"])
        .success()
        .stdout(contains("4 of 4 cases"));
}

#[test]
fn the_newest_source_file_is_judged() {
    let bench = Bench::new();
    samples(&bench, "test", "out");
    for (name, seconds) in [("old.sh", 300), ("new.sh", 200), ("gen.sh", 100)] {
        bench.write(
            name,
            if name == "new.sh" {
                SHELL_SUM
            } else {
                "echo 0\n"
            },
        );
        age(&bench, name, seconds);
    }
    bench.write("notes.txt", "not a program");
    judge(&bench)
        .arg("run")
        .assert()
        .success()
        .stdout(contains("new.sh").and(contains("3 of 3 cases")))
        .stderr(contains("judging new.sh, the newest source file here"));
    age(&bench, "old.sh", 10);
    asserted(&bench, &["run", "--case", "1"])
        .code(1)
        .stdout(contains("old.sh").and(contains("WA")));
    // The folder as the package, from elsewhere.
    let other = Bench::new();
    judge(&other)
        .arg("run")
        .arg(bench.path(""))
        .assert()
        .code(1)
        .stdout(contains("old.sh"));
}

#[test]
fn packages_and_programs_may_be_named_together() {
    let bench = Bench::new();
    bench.sums("time_limit: 5");
    samples(&bench, "test", "out");
    bench.write("right.sh", SHELL_SUM);
    bench.write("wrong.sh", SHELL_WRONG);
    asserted(&bench, &["run", "wrong.sh", "sums", "right.sh"])
        .code(1)
        .stdout(
            contains("Sums")
                .and(contains("AC  4 of 4 cases"))
                .and(contains("WA   secret/2")),
        );
}

#[test]
fn without_cases_the_error_lists_the_searched_names() {
    let bench = Bench::new();
    bench.write("sol.py", SUM);
    for args in [
        &["run", "sol.py"][..],
        &["run"],
        &["watch", "sol.py"],
        &["stress"],
    ] {
        let missing = match args {
            ["stress"] => contains("brute.*"),
            _ => contains("`1.in`"),
        };
        let said = missing.and(contains("help:"));
        judge(&bench).args(args).assert().code(2).stderr(said);
    }
    samples(&bench, "test", "out");
    bench.write("src/sol.py", SUM);
    judge(&bench)
        .current_dir(bench.path("src"))
        .args(["run", "sol.py"])
        .assert()
        .code(2)
        .stderr(contains(
            "`..` has cases, which `judge run .. -s PROGRAM` takes",
        ));
    asserted(&bench, &["run", "sol.py", "--bins"])
        .code(2)
        .stderr(contains("--bins"));
    asserted(&bench, &["run", "test", "--language", "python3"])
        .code(2)
        .stderr(contains("--language").and(contains("no program is named")));
}

#[test]
fn a_program_with_an_empty_directory_of_cases_is_not_judged_over_others() {
    let bench = Bench::new();
    samples(&bench, "test", "out");
    bench.write("other/sol.py", SUM);
    asserted(&bench, &["run", "other/sol.py"]).success();
    std::fs::create_dir(bench.path("other/test")).expect("it is created");
    asserted(&bench, &["run", "other/sol.py"])
        .code(2)
        .stderr(contains("no test cases"));
}

#[test]
fn misspelt_names_are_answered_with_the_nearest() {
    let bench = Bench::new();
    bench.sums("time_limit: 5");
    bench.write("solution.py", SUM);
    // It is neither a program nor a package.
    bench.write("notes.txt", "");
    for (args, near) in [
        (&["rnu"][..], "'run'"),
        (&["test", "solution.py"], "'run'"),
        (&["solution.py"], "judge run solution.py"),
        (
            &["run", "sums", "solution.py", "sums/data/sample/1.in"],
            "select the case: --case sample/1",
        ),
        (&["download"], "'new --listen'"),
        (&["run", "--caes", "1"], "'--case'"),
        (&["run", "--tle", "2"], "tip: here it is --time-limit 2"),
        (
            &["run", "-c", "./a.out"],
            "tip: here it is the program itself",
        ),
        (&["run", "--tle", "2"], "\n\nUsage: judge run [OPTIONS] ["),
        (&["run", "./d.yaml"], "name a program, a directory"),
        (&["run", "sum"], "did you mean sums?"),
        (
            &["run", "notes.tx"],
            "name a program, a directory with its cases, or a package",
        ),
        (&["run", "sums", "soluton.py"], "did you mean solution.py?"),
        (&["run", "sums/dat"], "did you mean sums/data?"),
        (&["run", "./sums/zzzz"], "name a program, a directory"),
        (
            &["run", "sums", "solution.py", "--case", "2"],
            "\"secret/2\"",
        ),
        (
            &["run", "sums", "solution.py", "--case", "sample/2"],
            "\"sample/1\"",
        ),
        (
            &["run", "sums", "solution.py", "--case", "secrt/*"],
            "\"secret/1\"",
        ),
        (
            &["run", "sums", "solution.py", "--language", "pyton3"],
            "`python3`",
        ),
    ] {
        judge(&bench)
            .args(args)
            .assert()
            .code(2)
            .stderr(contains(near));
    }
}

#[test]
fn every_command_has_examples() {
    let bench = Bench::new();
    let help = judge(&bench)
        .arg("--help")
        .output()
        .expect("it runs")
        .stdout;
    let help = String::from_utf8(help).expect("text");
    let commands = help.split("Commands:\n").nth(1).expect("a list");
    let names = commands.lines().take_while(|line| !line.is_empty());
    for name in names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()) {
        if name.is_empty() || name == "help" {
            continue;
        }
        // The commands of the server have a `--help` of their own.
        judge(&bench)
            .args(["help", name])
            .assert()
            .success()
            .stdout(contains("Examples:\n").and(contains(format!("\n  judge {name}"))));
    }
}

#[test]
fn a_link_to_a_program_is_followed_and_one_that_cannot_be_read_is_a_usage_error() {
    let bench = Bench::new();
    samples(&bench, "mine", "out");
    bench.write("store/real.py", SUM);
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, bench.path(name)).expect("a link");
    };
    link("../store/real.py", "mine/link.py");
    let binary = bench.program("store/binary", "printf(\"%d\\n\", a + b);");
    link(binary.to_str().expect("a path"), "mine/linked");
    for name in ["link.py", "linked"] {
        judge(&bench)
            .current_dir(bench.path("mine"))
            .args(["run", name])
            .assert()
            .success()
            .stdout(contains(format!("  {name}\n")).and(contains("3 of 3 cases")))
            .stderr(contains("link.py").not());
    }
    link("nothing.py", "mine/dangling.py");
    let mut refused = vec![("dangling.py", "No such file")];
    let locked = bench.write("mine/locked.py", SUM);
    std::fs::set_permissions(&locked, std::os::unix::fs::PermissionsExt::from_mode(0o000))
        .expect("it may be set");
    // Root may read every file.
    if std::fs::File::open(&locked).is_err() {
        refused.push(("locked.py", "Permission denied"));
    }
    for (name, why) in refused {
        judge(&bench)
            .current_dir(bench.path("mine"))
            .args(["run", "-s", name])
            .assert()
            .code(2)
            .stderr(contains(format!("failed to read submission {name}: {why}")));
    }
}

/// A traceback would name the directory in which the judge runs the script.
#[test]
fn a_traceback_names_the_program_as_its_author_does() {
    let bench = Bench::new();
    samples(&bench, "mine", "out");
    bench.write("mine/sol.py", "print(int(input()))\n");
    asserted(&bench, &["run", "mine/sol.py"])
        .code(1)
        .stdout(contains("File \"sol.py\", line 1").and(contains("/programs/").not()));
}

#[test]
fn python_may_have_the_name_that_it_has_on_windows() {
    let bench = Bench::new();
    samples(&bench, "mine", "out");
    bench.write("mine/sol.py", SUM);
    let named = |text: &str| {
        let file = bench.write("bin/python", text);
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(file, mode).expect("its mode is set");
        let mut command = judge(&bench);
        command.current_dir(bench.path("mine")).arg("run");
        command.arg("sol.py").env("PATH", bench.path("bin"));
        command.assert()
    };
    named("#!/bin/sh\nexec /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin python3 \"$@\"\n")
        .success()
        .stdout(contains("3 of 3 cases").and(contains("CPython runs instead")));
    named("#!/bin/sh\necho Python 2.7.18\n")
        .code(1)
        .stdout(contains("Python 3: pypy3 not installed"));
}

#[test]
fn a_skipped_submission_names_reason_and_remedy() {
    let bench = Bench::new();
    samples(&bench, "mine", "out");
    bench.write("mine/sol.py", SUM);
    bench.write("mine/sol.none", "");
    let table = bench.write(
        "languages.toml",
        "[none]\nname = \"None\"\npriority = 1\nextensions = [\"none\"]\ninstall = \"apt install none\"\n\
         [[none.with]]\nrun = \"no-such-tool {main}\"\nversion = \"no-such-tool --version\"\n",
    );
    let run = |programs: &[&str]| {
        let mut command = judge(&bench);
        command.current_dir(bench.path("mine")).arg("run");
        command.args(programs).arg("--languages").arg(&table);
        command.assert()
    };
    run(&["sol.py", "sol.none"]).success().stdout(
        contains("None: no-such-tool not installed\n      help: apt install none\n    skipped")
            .and(contains("accepted: 1 of 2 submissions, 3 cases run"))
            .and(contains("1 skipped (None: no-such-tool not installed)"))
            .and(contains("all accepted").not()),
    );
    bench.write("mine/notes", "");
    run(&["notes"]).code(1).stdout(
        contains("no language is known for \"notes\"\n      help: name one with --language")
            .and(contains("nothing was judged: every submission was skipped"))
            .and(contains("not judged: 1 submission")),
    );
}

#[test]
fn the_package_in_which_one_is_is_verified() {
    let bench = Bench::new();
    let package = bench.sums("time_limit: 5");
    bench.write("sums/submissions/accepted/sol.sh", SHELL_SUM);
    bench.write("sums/submissions/wrong_answer/wrong.sh", SHELL_WRONG);
    for dir in [package.clone(), package.join("data/secret")] {
        judge(&bench)
            .current_dir(dir)
            .args(["verify", "-v"])
            .assert()
            // There is no validator.
            .code(1)
            .stdout(
                contains("sums  Sums")
                    .and(contains("    AC   secret/3"))
                    .and(contains("4 of 4 cases")),
            );
    }
    judge(&bench)
        .arg("verify")
        .assert()
        .code(2)
        .stderr(contains("help: name a package: its directory or archive"));
}

#[test]
fn a_task_of_a_format_that_is_not_read_is_refused_by_name() {
    let bench = Bench::new();
    for (name, text) in [
        ("contest.rbx.yml", "name: any\n"),
        ("input/input0.txt", "5\n"),
        ("output/output0.txt", "6\n"),
        ("right.sh", "echo 7\n"),
        ("sol/right.sh", "echo 7\n"),
    ] {
        bench.write(&format!("any/{name}"), text);
    }
    for args in [
        &["run", "any", "-s", "any/right.sh"][..],
        &["run", "any/right.sh"],
        &["run", "any/sol/right.sh"],
        &["run", "any/contest.rbx.yml", "any/right.sh"],
        &["verify", "any"],
    ] {
        asserted(&bench, args)
            .code(2)
            .stderr(contains("a contest of rbx (`contest.rbx.yml`)"));
    }
    // The configuration of another tool, with a name that a task of CMS has.
    std::fs::remove_file(bench.path("any/contest.rbx.yml")).expect("it is there");
    bench.write("any/task.yaml", "tasks: {build: make}\n");
    asserted(&bench, &["run", "any", "-s", "any/right.sh"])
        .code(1)
        .stdout(contains("WA"));
}
