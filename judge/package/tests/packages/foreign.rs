//! Packages of other judges: what several formats have in common, and Luogu.

mod cms;
mod dmoj;
mod folders;
mod hydro;
mod library_checker;
mod mistakes;
mod polygon;
mod rbx;
mod sinol;
mod tps;
mod unread;

use crate::files::{complaint, directory};
use judge_package::{BuiltinChecker, Group, Package, Validator};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

fn files(list: &[(&str, &str)]) -> TempDir {
    directory("", list)
}

/// The package of these files, with its directory.
fn read(list: &[(&str, &str)]) -> (TempDir, Package) {
    let dir = files(list);
    let package = Package::read(dir.path()).unwrap();
    (dir, package)
}

fn zip(path: &Path, names: &[&str]) {
    let mut zip = zip::ZipWriter::new(fs::File::create(path).unwrap());
    for name in names {
        zip.start_file(*name, zip::write::SimpleFileOptions::default())
            .unwrap();
        zip.write_all(name.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
}

fn names(group: &Group) -> Vec<&str> {
    group.cases.iter().map(|case| &*case.name).collect()
}

#[test]
fn the_largest_answer_fits_the_output_limit() {
    let limit = |files: &[(&str, &str)], size: u64| {
        let dir = directory("", files);
        let answer = fs::File::create(dir.path().join("1.out")).unwrap();
        answer.set_len(size).unwrap();
        Package::read(dir.path()).unwrap().limits.output
    };
    let plain = &[("1.in", "")];
    assert_eq!(limit(plain, 10), 64 << 20);
    assert_eq!(limit(plain, 70_000_001), 140_000_002);
    // DMOJ has a default of its own.
    let dmoj = &[
        (
            "init.yml",
            "test_cases: [{in: 1.in, out: 1.out, points: 1}]\n",
        ),
        plain[0],
    ];
    assert_eq!(limit(dmoj, 70_000_001), 24 << 20);
}

#[test]
fn luogu_limits_and_subtasks() {
    let (_dir, package) = read(&[
        (
            "config.yml",
            "1.in: {timeLimit: 1000, memoryLimit: 131072, score: 30, subtaskId: 0}\n\
             2.in: {timeLimit: 2000, memoryLimit: 131072, score: 30, subtaskId: 0}\n\
             10.in: {timeLimit: 500, memoryLimit: 262144, score: 40, subtaskId: 1, isPretest: true}\n",
        ),
        ("1.{in,out}", ""),
        ("2.{in,ans}", ""),
        ("10.{in,out}", ""),
    ]);
    assert_eq!(package.format, "Luogu");
    assert_eq!(package.data.groups.len(), 2);
    let case = &package.data.groups[1].cases[0];
    assert_eq!(case.time_limit, Some(Duration::from_millis(500)));
    assert_eq!(case.memory_limit, Some(256 << 20));
    assert_eq!(case.score, Some(40.0));
    assert!(package.kind.scoring);
    for (setting, message) in [
        (
            "timelimit: 5",
            "8: unknown key `timelimit`\n  help: did you mean `timeLimit`?",
        ),
        (
            "timeLimit: 1s",
            "19: expected a whole number of at least 1, found `1s`\n  \
             help: write 1000; the unit is milliseconds",
        ),
        (
            "memoryLimit: 128MB",
            "21: expected a whole number of at least 1, found `128MB`\n  \
             help: write 131072; the unit is KiB",
        ),
    ] {
        let config = format!("1.in: {{{setting}}}\n");
        let wrong = files(&[("config.yml", &config), ("1.{in,out}", "")]);
        assert_eq!(complaint(&wrong, ""), format!("config.yml:1:{message}"));
    }
    // Without limits and points the pairs would be judged as a plain directory.
    let numbers = files(&[("config.yml", "1: {timeLimit: 1000}\n"), ("1.{in,out}", "")]);
    let expected =
        "config.yml:1:1: there is no input `1`\n  help: write `1.in`, the name of the file";
    assert_eq!(complaint(&numbers, ""), expected);
}

/// The names of all cases in judging order.
/// Asserts that a check of the package has this finding.
fn has_finding(package: &Package, what: &str) {
    let findings = judge_package::lint(package);
    let found = findings.iter().any(|own| own.error.what == what);
    assert!(found, "{what:?} in {findings:?}");
}

fn all_names(package: &Package) -> Vec<String> {
    let cases = package.cases();
    cases.iter().map(|case| case.name.clone()).collect()
}

#[test]
fn case_names_are_unique() {
    let hydro = files(&[
        (
            "config.yaml",
            "cases: [{input: data.in1, output: data.out1}, {input: data.in2, output: data.out2}]\n",
        ),
        ("data.in1", "1\n"),
        ("data.out1", "1\n"),
        ("data.in2", "2\n"),
        ("data.out2", "2\n"),
    ]);
    let form = files(&[(
        "config.yaml",
        "type: objective\nanswers: {1/2: [A, 50], 1-2: [B, 50]}\n",
    )]);
    let library = files(&[
        (
            "info.toml",
            "title = 'x'\ntimelimit = 1\n[[tests]]\nname = 'a.cpp'\n[[tests]]\nname = 'a.in'\n\
             [[solutions]]\nname = 'x.cpp'\n[[solutions]]\nname = 'x.cpp'\n",
        ),
        ("gen/a.cpp", ""),
        ("gen/a_00.in", ""),
        ("sol/correct.cpp", ""),
        ("sol/x.cpp", ""),
    ]);
    let dmoj = files(&[
        (
            "init.yml",
            "test_cases: [{in: a.in, out: a.out}, {in: a.in, out: a.out}, {in: a-2.in, out: a.out}]\n",
        ),
        ("a.in", "1\n"),
        ("a-2.in", "1\n"),
        ("a.out", "1\n"),
    ]);
    for (dir, expected) in [
        (&hydro, &["data", "data-2"][..]),
        (&form, &["1-2", "1-2-2"]),
        (&library, &["a_00", "a_00-2"]),
        (&dmoj, &["a", "a-3", "a-2"]),
    ] {
        let package = Package::read(dir.path()).unwrap();
        assert_eq!(all_names(&package), expected);
        let ids: Vec<usize> = package.cases().iter().map(|case| case.id.0).collect();
        assert_eq!(ids, (0..expected.len()).collect::<Vec<_>>());
    }
    let package = Package::read(library.path()).unwrap();
    let submissions: Vec<&str> = package.submissions.iter().map(|s| &*s.name).collect();
    assert_eq!(submissions, ["sol/correct.cpp", "sol/x.cpp", "sol/x.cpp-2"]);
}

#[test]
fn no_link_leads_out_of_a_package_of_any_format() {
    let icpc = [
        ("p/problem.yaml", "name: x\n"),
        ("p/data/secret/1.{in,ans}", ""),
    ];
    for (list, place) in [
        (
            &[
                ("p/init.yml", "test_cases: [{in: 1.in, out: 1.out}]\n"),
                ("p/1.out", ""),
            ][..],
            "1.in",
        ),
        (&[("p/1.{in,out}", "")], "init.yml"),
        (
            &[
                ("p/config.yaml", "cases: [{input: 1.in, output: 1.out}]\n"),
                ("p/1.in", ""),
            ],
            "1.out",
        ),
        (
            &[("p/1.{in,out}", ""), ("p/config.yml", "1.in: {score: 1}\n")],
            "checker.cpp",
        ),
        (&icpc, "include"),
        (&icpc, ".timelimit"),
        (&[("p/data/secret/1.{in,ans}", "")], "problem.yaml"),
    ] {
        let dir = files(list);
        fs::write(dir.path().join("secret"), "name: secret").unwrap();
        let package = dir.path().join("p");
        std::os::unix::fs::symlink(dir.path().join("secret"), package.join(place)).unwrap();
        match Package::read(&package) {
            Err(_) => {}
            // Luogu's checker is found by its name: one outside of the package does not exist.
            Ok(package) => {
                let builtin = Validator::Builtin(BuiltinChecker::RStripped);
                assert_eq!(place, "checker.cpp");
                assert_eq!(package.validation.validators()[0], builtin);
            }
        }
    }
}

#[test]
fn a_named_pipe_is_not_an_input() {
    let dir = files(&[("1.out", ""), ("2.{in,out}", "")]);
    let made = std::process::Command::new("mkfifo")
        .arg(dir.path().join("1.in"))
        .status();
    assert!(made.unwrap().success());
    assert!(complaint(&dir, "").contains("1.in: is not a regular file"));
}

#[test]
fn points_must_have_a_finite_sum() {
    let dir = files(&[
        (
            "config.yaml",
            "cases: [{input: 1.in, output: 1.in, score: 1e308}, {input: 1.in, output: 1.in, score: 1e308}]\n",
        ),
        ("1.in", ""),
    ]);
    assert!(complaint(&dir, "").contains("sum of its points is not finite"));
}
