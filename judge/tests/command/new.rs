//! `judge new` from the command line.

mod browser;
mod repository;

use crate::common::{Bench, asserted, judge};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;

/// A workspace with one problem, whose crate has no dependencies.
fn workspace() -> Bench {
    let bench = Bench::new();
    bench.workspace();
    bench.write(
        "problems/old1/src/lib.rs",
        "pub fn sum(text: &str) -> i64 {\n    text.split_whitespace().filter_map(|w| \
         w.parse::<i64>().ok()).sum()\n}\n",
    );
    bench.crate_of_workspace(
        "old1",
        "fn main() {\n    let text = std::io::read_to_string(std::io::stdin()).unwrap();\n    \
         println!(\"{}\", old1::sum(&text));\n}\n",
    );
    bench.write("problems/old1/src/bin/old1-slow.rs", "fn main() {}\n");
    bench.sums_for("old1", "time_limit: 5.0");
    bench
}

fn uuid(bench: &Bench, id: &str) -> String {
    let text = bench.read(&format!("testdata/{id}/problem.yaml"));
    let line = text.lines().find_map(|line| line.strip_prefix("uuid: "));
    line.expect("a uuid").to_owned()
}

#[test]
fn a_new_problem_can_be_judged() {
    let bench = workspace();
    asserted(&bench, &["new", "new2", "--like", "old1"])
        .success()
        .stdout(
            contains("judge run new2")
                .and(predicate::function(|text: &str| text.lines().count() == 5)),
        );
    assert!(bench.path("problems/new2/src/bin/new2-slow.rs").is_file());
    let main = bench.read("problems/new2/src/main.rs");
    assert!(main.contains("new2::sum") && !main.contains("old1"));
    assert_ne!(uuid(&bench, "new2"), uuid(&bench, "old1"));
    assert_eq!(uuid(&bench, "new2").len(), 36);
    asserted(&bench, &["run", "new2"])
        .success()
        .stdout(contains("AC"));
}

#[test]
fn without_arguments_the_usage_names_every_way() {
    judge(&Bench::new())
        .arg("new")
        .assert()
        .code(2)
        .stderr(contains("<ID>").and(contains(
            "Usage: judge new ID [OPTIONS]\n       judge new --url URL",
        )))
        .stderr(contains("judge new --listen[=PORT]").and(contains("judge new --package DIR")));
}

#[test]
fn an_error_changes_no_file() {
    let bench = workspace();
    bench.write("testdata/half3/note.txt", "mine\n");
    for (args, message) in [
        (["new", "old1", "--like", "old1"], "already exists"),
        (
            ["new", "half3", "--like", "old1"],
            "testdata/half3 already exists",
        ),
        (
            ["new", "New2", "--like", "old1"],
            "only lower-case letters and digits, and begins with a letter\n  help: call it new2\n",
        ),
        (
            ["new", "../x", "--like", "old1"],
            "only lower-case letters and digits",
        ),
        (
            ["new", "match", "--like", "old1"],
            "a crate cannot have this name\n  help: put the judge's name before it",
        ),
        (
            ["new", "kk", "--like", "old1"],
            "at least 3 characters\n  help: put the judge's name before it",
        ),
        (
            ["new", "new2", "--like", "missing"],
            "no crate problems/missing\n  help: name a directory of problems/",
        ),
    ] {
        judge(&bench)
            .args(args)
            .assert()
            .code(2)
            .stderr(contains(message));
    }
    asserted(
        &bench,
        &["new", "new2", "--like", "old1", "--url", "ftp://x"],
    )
    .code(2)
    .stderr(contains(
        "--url \"ftp://x\" is not the address of a web page\n  help: write it like https://",
    ));
    let names = |dir: &str| {
        let entries = fs::read_dir(bench.path(dir)).expect("a directory");
        let names = entries.map(|e| e.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names("problems"), ["old1"]);
    assert_eq!(names("testdata"), ["half3", "old1"]);
    assert_eq!(names(""), ["Cargo.toml", "problems", "testdata"]);
}

#[test]
fn the_name_of_a_member_of_the_workspace_is_refused() {
    let bench = workspace();
    bench.write(
        "Cargo.toml",
        "[package]\nname = \"library\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         [workspace]\nmembers = [\"tools/any\", \"problems/*\"]\nresolver = \"3\"\n",
    );
    bench.write("src/lib.rs", "");
    bench.write(
        "tools/any/Cargo.toml",
        "[package]\nname = \"runner\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    bench.write("tools/any/src/lib.rs", "");
    for (id, dir) in [("library", ""), ("runner", "/tools/any")] {
        let message = format!("{dir} already has this name");
        asserted(&bench, &["new", id, "--like", "old1"])
            .code(2)
            .stderr(contains(message));
        assert!(!bench.path(&format!("problems/{id}")).exists());
    }
    asserted(&bench, &["new", "any", "--like", "old1"]).success();
}

/// Names come from the manifest, not from directories.
#[test]
fn packages_and_binaries_with_names_unlike_their_directories() {
    let bench = workspace();
    bench.write(
        "problems/old1/Cargo.toml",
        "[package]\nname = \"other\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\nname = \"old1\"\n",
    );
    let run = |id: &str| judge(&bench).args(["run", id]).assert();
    run("old1").success().stdout(contains("AC"));
    asserted(&bench, &["new", "new2", "--like", "old1"]).success();
    run("new2").success().stdout(contains("AC"));
    let manifest = bench.read("problems/new2/Cargo.toml");
    assert!(
        !manifest.contains("other") && !manifest.contains("old1"),
        "{manifest}"
    );
    bench.write(
        "problems/old1/Cargo.toml",
        "[package]\nname = \"other\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\nname = \"old1\"\n\
         [[bin]]\nname = \"solve\"\npath = \"src/main.rs\"\n",
    );
    run("old1").success().stdout(contains("AC"));
}

/// Replaces the program of a new problem by one that adds numbers.
fn solve(bench: &Bench, id: &str) {
    let main = bench.read("problems/old1/src/lib.rs");
    bench.write(
        &format!("problems/{id}/src/main.rs"),
        &format!(
            "{main}\nfn main() {{\n    let text = std::io::read_to_string(std::io::stdin()).unwrap();\n    \
             println!(\"{{}}\", sum(&text));\n}}\n"
        ),
    );
}

#[test]
fn a_problem_from_samples() {
    let bench = workspace();
    bench.write("a.txt", "1 2\n");
    bench.write("b.txt", "3\n");
    bench.write("c.txt", "5 5\n");
    let new = |files: &[&str]| {
        let mut command = judge(&bench);
        command.args(["new", "--url", "http://poj.org/problem?id=1000"]);
        command.arg("--samples").args(files).assert()
    };
    new(&["a.txt", "b.txt", "c.txt"]).code(2).stderr(contains(
        "expected pairs of files, each input followed by its answer\n  help: name both files",
    ));
    new(&["a.txt", "missing.txt"])
        .code(2)
        .stderr(contains("failed to read missing.txt"));
    assert!(!bench.path("problems/poj1000").exists());
    new(&["a.txt", "b.txt"])
        .success()
        .stdout(contains("judge watch poj1000"));
    let yaml = bench.read("testdata/poj1000/problem.yaml");
    assert!(
        yaml.contains("url: \"http://poj.org/problem?id=1000\""),
        "{yaml}"
    );
    // The template compiles and is judged, but is not accepted.
    let run = || asserted(&bench, &["run", "poj1000"]);
    run().code(1).stdout(contains("WA"));
    solve(&bench, "poj1000");
    run().success();
    new(&["a.txt", "b.txt"])
        .code(2)
        .stderr(contains("already exists"));
}

#[test]
fn a_problem_from_a_package() {
    let bench = workspace();
    bench.write("plain/x.in", "1 2\n");
    bench.write("plain/x.out", "3\n");
    let from = |id: &str, path: &str| {
        let mut command = judge(&bench);
        command.args(["new", id, "--from", path]).assert()
    };
    from("new3", "plain").success();
    assert!(bench.path("testdata/new3/x.in").is_file());
    from("new4", "testdata/old1").success();
    assert_ne!(uuid(&bench, "new4"), uuid(&bench, "old1"));
    solve(&bench, "new4");
    asserted(&bench, &["run", "new4"]).success();
    from("new5", "nowhere").code(2).stderr(contains("nowhere"));
    assert!(!bench.path("problems/new5").exists());
}

#[test]
fn a_plain_folder_from_samples() {
    let bench = Bench::new();
    bench.write("in", "1 2\n");
    bench.write("out", "3\n");
    let new = |words: &[&str]| {
        let mut command = judge(&bench);
        command.arg("new").args(words);
        command.assert()
    };
    new(&["sum", "--into", ".", "--samples", "in", "out"])
        .success()
        .stdout(contains("judge run ./sum/PROGRAM"));
    assert!(bench.path("sum/test/1.in").is_file());
    // The command can be pasted.
    new(&["a sum", "--into", "."])
        .success()
        .stdout(contains("judge run './a sum/PROGRAM'"));
    new(&["../sum", "--into", "."])
        .code(2)
        .stderr(contains("cannot be the name of a folder"));
    new(&["a", "--into", ".", "--template", "none.cpp"])
        .code(2)
        .stderr(contains(
            "none.cpp is not a file\n  help: name a source file",
        ));
    new(&["abc"]).code(2).stderr(contains("--into DIR"));
}

#[test]
fn a_name_that_is_also_a_word_is_replaced_only_as_a_name() {
    let bench = workspace();
    let main = "// The numbers: sort them, add them.\nfn main() {\n    \
        let text = std::io::read_to_string(std::io::stdin()).unwrap();\n    \
        let mut v: Vec<i64> = text.split_whitespace().filter_map(|w| w.parse().ok()).collect();\n    \
        v.sort();\n    eprint!(\"sort: \");\n    println!(\"{}\", sort::sum(&v));\n}\n";
    bench.crate_of_workspace("sort", main);
    bench.sums_for("sort", "time_limit: 5.0");
    bench.write(
        "problems/sort/src/lib.rs",
        "//! What `sort` shares.\npub mod resorted;\npub use resorted::sum;\n",
    );
    bench.write(
        "problems/sort/src/resorted.rs",
        "pub fn sum(v: &[i64]) -> i64 {\n    v.iter().sum()\n}\n",
    );
    bench.write("problems/sort/src/bin/sort-slow.rs", "fn main() {}\n");
    asserted(&bench, &["new", "newid", "--like", "sort"]).success();
    let new = bench.read("problems/newid/src/main.rs");
    let expected = main
        .replace("sort::sum", "newid::sum")
        .replace("\"sort: \"", "\"newid: \"");
    assert_eq!(new, expected);
    let library = bench.read("problems/newid/src/lib.rs");
    assert!(
        library.starts_with("//! What `newid` shares.\n"),
        "{library}"
    );
    assert!(bench.path("problems/newid/src/resorted.rs").is_file());
    assert!(bench.path("problems/newid/src/bin/newid-slow.rs").is_file());
    asserted(&bench, &["run", "newid"]).success();
}

#[test]
fn a_linked_directory_is_copied_with_its_content() {
    let bench = workspace();
    bench.write("shared/common.rs", "pub fn f() {}\n");
    let link = |to: &str, at: &str| {
        std::os::unix::fs::symlink(to, bench.path(at)).expect("a link");
    };
    link("../../../shared", "problems/old1/src/shared");
    asserted(&bench, &["new", "new2", "--like", "old1"]).success();
    let copied = bench.path("problems/new2/src/shared/common.rs");
    assert!(copied.is_file() && !copied.is_symlink());
    // A link in a package from others must not copy other files of this machine.
    bench.write("given/1.in", "1\n");
    bench.write("given/1.out", "1\n");
    link("../shared", "given/attachments");
    asserted(&bench, &["new", "new3", "--from", "given"])
        .code(2)
        .stderr(contains("leads out of"));
    assert!(!bench.path("problems/new3").exists());
}

#[test]
fn a_template_has_the_settings_of_its_workspace() {
    let bench = workspace();
    bench.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"problems/*\"]\nresolver = \"3\"\n[workspace.package]\n\
         version = \"0.1.0\"\nedition = \"2021\"\nrust-version = \"1.80\"\nlicense = \"MIT\"\n\
         [workspace.lints.rust]\nmissing_docs = \"warn\"\n",
    );
    asserted(&bench, &["new", "aplusb"])
        .success()
        .stdout(contains("sample/1.in").and(contains("judge run aplusb")));
    let manifest = bench.read("problems/aplusb/Cargo.toml");
    assert_eq!(
        manifest,
        "[package]\nname = \"aplusb\"\nversion.workspace = true\nedition.workspace = true\n\
         rust-version.workspace = true\nlicense.workspace = true\npublish = false\n\n\
         [dependencies]\n\n[lints]\nworkspace = true\n"
    );
    // The template is not accepted until the sample and the program are replaced.
    let run = || asserted(&bench, &["run", "aplusb"]);
    run().code(1).stdout(contains("WA"));
    bench.write("testdata/aplusb/data/sample/1.in", "1 2\n");
    bench.write("testdata/aplusb/data/sample/1.ans", "3\n");
    solve(&bench, "aplusb");
    run().success();
}
