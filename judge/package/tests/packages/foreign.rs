//! Packages of other judges: DMOJ, Library Checker, oj, Luogu, Hydro, and plain directories.

mod dmoj;
mod hydro;
mod library_checker;
mod polygon;
mod unread;

use crate::files::{complaint, directory};
use judge_package::{
    Aggregation, BuiltinChecker, Group, Package, TimeLimit, Validator, ValidatorProtocol,
};
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
fn oj_directories() {
    let (_dir, package) = read(&[
        ("main.cpp", ""),
        ("test/sample-2.{in,out}", ""),
        ("test/sample-10.{in,out}", ""),
        ("test/random-1.{in,out}", ""),
    ]);
    assert_eq!(package.format, "online-judge-tools");
    assert_eq!(names(&package.data), ["random-1", "sample-2", "sample-10"]);
    assert!(!package.data.cases[0].sample && package.data.cases[1].sample);
    assert!(matches!(
        package.validation.validators()[0],
        Validator::Default(_)
    ));
    assert_eq!(package.data.cases[0].validator_args, ["case_sensitive"]);
    // The name that atcoder-cli uses.
    let (dir, package) = read(&[("tests/sample-1.{in,out}", "")]);
    assert_eq!(package.format, "online-judge-tools");
    assert_eq!(names(&package.data), ["sample-1"]);
    // The directory given by itself is the same package.
    let itself = Package::read(&dir.path().join("tests")).unwrap();
    assert_eq!(itself.format, "online-judge-tools");
    assert_eq!(itself.validation, package.validation);
    assert_eq!(names(&itself.data), ["sample-1"]);
}

#[test]
fn plain_directories() {
    for names in [
        &["1.in", "1.ans", "2.in", "2.out"][..],
        &["input1.txt", "output1.txt", "input2.txt", "output2.txt"],
        &["a.in1", "a.out1", "a.in2", "a.ou2", "b.in", "b.a"],
        &["in/1.txt", "in/2.txt", "out/1.txt", "out/2.txt"],
        &[
            "inputs/1.txt",
            "inputs/2.txt",
            "outputs/1.txt",
            "outputs/2.txt",
        ],
        &["input/input00.txt", "output/output00.txt"],
        &["in1.txt", "out1.txt", "in_2.txt", "ans_2.txt"],
        &["sample_input_1.txt", "sample_output_1.txt"],
        &[
            "sample1_in.txt",
            "sample1_out.txt",
            "2-input.txt",
            "2-output.txt",
        ],
        &["test.in.1", "test.out.1", "test2.input", "test2.output"],
    ] {
        let list: Vec<_> = names.iter().map(|name| (*name, "")).collect();
        let (_dir, package) = read(&list);
        assert_eq!(package.format, "plain directory");
        assert_eq!(package.cases().len(), names.len() / 2, "{names:?}");
    }
    // Source files.
    for names in [["read_in.cpp", "read_out.cpp"], ["in.py", "out.py"]] {
        let dir = files(&names.map(|name| (name, "")));
        assert!(!Package::is_recognised(dir.path()), "{names:?}");
    }
}

#[test]
fn an_input_without_an_answer_is_a_case_in_every_layout() {
    let cases: [&[&str]; 2] = [
        &["1.in", "1.out", "big.in"],
        &["in/1.txt", "out/1.txt", "in/big.txt"],
    ];
    for list in cases {
        let list: Vec<_> = list.iter().map(|name| (*name, "")).collect();
        let (_dir, package) = read(&list);
        assert_eq!(names(&package.data), ["1", "big"]);
        assert!(package.data.cases[1].answer.is_none());
        assert!(package.findings.is_empty());
    }
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
fn a_name_that_begins_with_a_dash_is_left_out_with_a_finding() {
    let (_dir, package) = read(&[("test/{1,-2,.3}.in", ""), ("test/{1,-2,.3}.out", "")]);
    assert_eq!(names(&package.data), ["1"]);
    let found: Vec<&str> = package.findings.iter().map(|f| &*f.error.what).collect();
    assert_eq!(found, ["the name begins with `-`; the file is left out"; 2]);
}

/// A directory of cases that cannot be read is not one that is absent.
#[test]
fn an_unreadable_directory_of_cases_is_an_error() {
    let dir = files(&[("1.{in,out}", "")]);
    std::os::unix::fs::symlink("test", dir.path().join("test")).unwrap();
    let error = complaint(&dir, "");
    assert!(error.starts_with("test: failed to read: "), "{error}");
    assert_eq!(error.matches("test").count(), 1, "{error}");
}

/// The warnings about a folder, without its own name.
fn warnings(list: &[(&str, &str)]) -> Vec<String> {
    let (dir, package) = read(list);
    let here = format!("{}/", dir.path().display());
    let texts = package.findings.iter().map(ToString::to_string);
    texts.map(|text| text.replace(&here, "")).collect()
}

#[test]
fn samples_that_are_not_judged_cause_a_warning() {
    let second = "warning: tests: is not read, because `test/` has cases\n  \
                  help: move its cases to `test/`";
    assert_eq!(
        warnings(&[("test/1.{in,out}", ""), ("tests/2.{in,out}", "")]),
        [second]
    );
    let alone = |name: &str| {
        format!(
            "warning: {name}: the answer has no input beside it\n  help: add the input, with the \
             same name and the ending `.in`, or remove the answer"
        )
    };
    assert_eq!(
        warnings(&[("test/1.{in,out}", ""), ("test/2.out", "")]),
        [alone("test/2.out")]
    );
    assert_eq!(
        warnings(&[("1.{in,ans}", ""), ("2.ans", "")]),
        [alone("2.ans")]
    );
    let numbered = [("{in,out}put1.txt", ""), ("output2.txt", "")];
    assert_eq!(warnings(&numbered), [alone("output2.txt")]);
    let apart = warnings(&[("{in,out}/1.txt", ""), ("out/2.txt", "")]);
    assert!(
        apart[0].starts_with("warning: out/2.txt: the answer has no input"),
        "{apart:?}"
    );
    // Files of programs, and a second answer.
    let dir = files(&[
        ("1.{in,out,ans}", ""),
        ("output.txt", ""),
        ("a.out", "\x7fELF"),
    ]);
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(dir.path().join("a.out"), executable).unwrap();
    assert!(Package::read(dir.path()).unwrap().findings.is_empty());
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
}

#[test]
fn hydro_subtasks_checkers_and_exports() {
    let config = "type: default\ntime: 1500ms\nmemory: 64m\nchecker_type: testlib\n\
                  checker: chk.cpp\nsubtasks:\n\
                  - {score: 40, type: sum, cases: [{input: 1.in, output: 1.out}, {input: 2.in, output: 2.out}]}\n\
                  - {score: 60, type: min, if: [1], time: 3s, cases: [{input: 3.in, output: 3.out}]}\n";
    let (_dir, package) = read(&[
        ("problem.yaml", "pid: P1\ntitle: Two sums\n"),
        ("testdata/config.yaml", config),
        ("testdata/chk.cpp", ""),
        ("testdata/{1,2,3}.{in,out}", ""),
    ]);
    assert_eq!(package.format, "Hydro");
    assert_eq!(package.name, "Two sums");
    assert_eq!(
        package.limits.time,
        TimeLimit::Given(Duration::from_millis(1500))
    );
    assert_eq!(package.limits.memory, 64 << 20);
    assert_eq!(package.data.groups[0].cases[1].score, Some(20.0));
    assert_eq!(package.data.groups[1].requires, ["subtask1"]);
    assert_eq!(
        package.data.groups[1].cases[0].time_limit,
        Some(Duration::from_secs(3))
    );
    // Without cases in the configuration, the pairs of files are the cases.
    let (_dir, package) = read(&[("config.yaml", "time: 2s\n"), ("1.{in,out}", "")]);
    assert_eq!(package.data.cases[0].score, Some(100.0));
}

#[test]
fn settings_of_other_judges_are_reported() {
    let (_dir, package) = read(&[("1.{in,out}", ""), ("problem.conf", "n_tests 1\n")]);
    let [finding] = &package.findings[..] else {
        panic!("one finding, not {:?}", package.findings);
    };
    assert!(finding.concerns_runs && finding.to_string().contains("settings of UOJ"));
}

#[test]
fn hydro_subtasks_are_found_by_the_names_of_files() {
    let data = [("1-{1,2}.{in,out}", ""), ("2-1.{in,out}", "")];
    let list = |config| [("config.yaml", config)].into_iter().chain(data);
    let (_dir, package) = read(&list("time: 2s\n").collect::<Vec<_>>());
    let [first, second] = &package.data.groups[..] else {
        panic!("two subtasks, not {:?}", package.data);
    };
    assert_eq!(names(first), ["subtask1/1-1", "subtask1/1-2"]);
    assert_eq!(first.aggregation, Aggregation::Min);
    assert_eq!([first.max_score, second.max_score], [Some(50.0); 2]);
    assert_eq!(first.cases[1].score, Some(50.0));
    // Subtasks without cases have the settings of those.
    let config = "subtasks:\n- {id: 1, score: 30, type: sum, time: 3s}\n- {id: 2, if: [1]}\n";
    let (_dir, package) = read(&list(config).collect::<Vec<_>>());
    let [first, second] = &package.data.groups[..] else {
        panic!("two subtasks, not {:?}", package.data);
    };
    assert_eq!(first.cases[0].score, Some(15.0));
    assert_eq!(first.cases[0].time_limit, Some(Duration::from_secs(3)));
    assert_eq!(second.max_score, Some(70.0));
    assert_eq!(second.requires, ["subtask1"]);
}

#[test]
fn hydro_cases_override_the_settings_of_their_subtask() {
    let (_dir, package) = read(&[
        (
            "config.yaml",
            "time: 2s\nmemory: 64m\nchecker: {file: c.cpp, lang: cc}\nchecker_type: kattis\n\
             subtasks:\n- time: 500ms\n  type: sum\n  cases:\n  \
             - {input: 1.in, output: /dev/null, score: 3, memory: 1m}\n",
        ),
        ("c.cpp", ""),
        ("1.in", ""),
    ]);
    let limits = &package.limits;
    assert_eq!(limits.time, TimeLimit::Given(Duration::from_secs(2)));
    assert_eq!(limits.memory, 64 << 20);
    assert!(matches!(
        &package.validation.validators()[0],
        Validator::Program { path, protocol: ValidatorProtocol::Icpc } if path.ends_with("c.cpp")
    ));
    let [subtask] = &package.data.groups[..] else {
        panic!("one subtask, not {:?}", package.data.groups);
    };
    assert_eq!(subtask.name, "subtask1");
    assert_eq!(subtask.aggregation, Aggregation::Sum);
    let case = &subtask.cases[0];
    assert_eq!((&*case.name, case.score), ("subtask1/1", Some(3.0)));
    assert!(case.answer.is_none());
    assert_eq!(case.time_limit, Some(Duration::from_millis(500)));
    assert_eq!(case.memory_limit, Some(1 << 20));
}

#[test]
fn hydro_subtasks_require_earlier_subtasks() {
    let complaint_of = |first: &str, second: &str| {
        let cases = "cases: [{input: 1.in, output: 1.out}]";
        let config = format!(
            "subtasks:\n- {{score: 40, {first}{cases}}}\n- {{score: 60, {second}{cases}}}\n"
        );
        complaint(&files(&[("config.yaml", &*config), ("1.{in,out}", "")]), "")
    };
    let of_second = |id| {
        format!(
            "config.yaml:3:23: `{id}` is not the `id` of an earlier subtask\n  help: it can be `1`"
        )
    };
    assert_eq!(complaint_of("", "if: [1, 3], "), of_second(3));
    assert_eq!(complaint_of("", "if: [1, 2], "), of_second(2));
    assert_eq!(
        complaint_of("if: [2], ", ""),
        "config.yaml:2:20: `2` is not the `id` of an earlier subtask\n  \
         help: remove it: there is nothing that it can be"
    );
}

/// The names of all cases in judging order.
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

#[test]
fn every_layout_of_the_documentation_is_read() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/folders.md");
    let docs = fs::read_to_string(docs).unwrap();
    let (_, table) = docs.split_once("## Names of cases").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap();
    let mut rows = 0;
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<Vec<&str>> = row
            .trim_matches('|')
            .split('|')
            .map(|cell| cell.split('`').skip(1).step_by(2).collect())
            .collect();
        let [files, cases] = &cells[..] else {
            panic!("{row}");
        };
        let list: Vec<(&str, &str)> = files.iter().map(|&name| (name, "1\n")).collect();
        let (_dir, package) = read(&list);
        assert_eq!(names(&package.data), *cases, "{row}");
        let has_answer = |case: &judge_package::TestCase| case.answer.is_some();
        assert!(package.data.cases.iter().all(has_answer), "{row}");
        assert_eq!(package.findings.len(), 0, "{row}: {:?}", package.findings);
        rows += 1;
    }
    assert!(rows >= 30);
}

/// Layouts with other files beside the cases.
#[test]
fn layouts_are_not_confused() {
    for (files, expected) in [
        // The files of a program beside its cases.
        (
            &["input.txt", "output.txt", "1.in", "1.out"][..],
            &["1"][..],
        ),
        (
            &[
                "frog.in.1",
                "frog.out.1",
                "frog.in.1a",
                "frog.out.1a",
                "frog.dummy.in.1",
                "frog.dummy.out.1",
            ],
            &["frog.dummy.in.1", "frog.in.1", "frog.in.1a"],
        ),
        (&["I.1", "O.1", "1.in", "1.out"], &["1", "I.1"]),
        (&["1.in", "1.out", "1.dat", "1.res"], &["1", "1.in"]),
        (
            &["test1.txt", "test1_expected.txt", "readme.txt"],
            &["test1"],
        ),
    ] {
        let list: Vec<(&str, &str)> = files.iter().map(|&name| (name, "1\n")).collect();
        let (_dir, package) = read(&list);
        assert_eq!(names(&package.data), expected, "{files:?}");
        assert!(
            package.data.cases.iter().all(|case| case.answer.is_some()),
            "{files:?}"
        );
        assert_eq!(
            package.findings.len(),
            0,
            "{files:?}: {:?}",
            package.findings
        );
    }
}

#[test]
fn inputs_without_answers_are_cases_and_other_answers_are_named() {
    let list = [
        ("1.in", ""),
        ("1.out", ""),
        ("2.in", ""),
        ("3.out", ""),
        ("x.out.4b", ""),
    ];
    let (_dir, package) = read(&list);
    assert_eq!(names(&package.data), ["1", "2"]);
    assert!(package.data.cases[1].answer.is_none() && package.policy.runs_without_answer);
    let named = |finding: &judge_package::Finding| {
        let name = finding.error.path.file_name();
        assert!(finding.concerns_runs);
        name.unwrap_or_default().to_string_lossy().into_owned()
    };
    let mut found: Vec<String> = package.findings.iter().map(named).collect();
    found.sort();
    assert_eq!(found, ["3.out", "x.out.4b"]);
}

#[test]
fn settings_beside_the_cases_are_read() {
    let settings = "name: A. Plant\nurl: https://example.org/a\ntime_limit: 1.5\nmemory_limit: 64\n\
                    tolerance: 1e-6\ninput: plant.in\noutput: plant.out\n";
    let (_dir, package) = read(&[
        ("judge.yaml", settings),
        ("test/1.in", ""),
        ("test/1.out", ""),
    ]);
    assert_eq!(package.name, "A. Plant");
    let limit = Duration::from_millis(1500);
    assert_eq!(package.limits.time, TimeLimit::Given(limit));
    assert_eq!(package.limits.memory, 64 << 20);
    assert_eq!(package.file_io.input.as_deref(), Some("plant.in"));
    assert_eq!(package.file_io.output.as_deref(), Some("plant.out"));
    assert_eq!(
        package.data.cases[0].validator_args,
        ["case_sensitive", "float_tolerance", "1e-6"]
    );
    let (_dir, package) = read(&[
        ("judge.yaml", "interactive: true\ninteractor: talk.py\n"),
        ("talk.py", ""),
        ("test/1.in", ""),
    ]);
    assert!(package.kind.interactive && package.validation.programs().next().is_some());
    assert!(package.data.cases[0].validator_args.is_empty());
    for (settings, what) in [
        ("time: 1\n", "judge.yaml:1:1: unknown key `time`"),
        ("time_limit: 0\n", "judge.yaml:1:13: "),
        ("interactor: none.py\n", "there is no file `none.py`"),
    ] {
        let error = complaint(&files(&[("judge.yaml", settings), ("1.in", "")]), "");
        assert!(error.contains(what), "{error}");
    }
    let error = complaint(&files(&[("judge.yaml", "interactive: true\n")]), "");
    assert!(
        error.contains("has no test case") && error.contains("the interactor's input"),
        "{error}"
    );
}

#[test]
fn cases_of_contestants_tools_are_read() {
    let compete = "---\ntype: Batch\ntimelimit: 2s\nmatch:\n  Float:\n    absolute_error: 1e-6\n\
                   cases:\n  - name: sample1\n    in: |\n      1 2\n    out: |\n      3\n  - name: big\n    in: |\n      5\nextend: []\n";
    let (_dir, package) = read(&[("testcases/a.yml", compete)]);
    assert_eq!(names(&package.data), ["big", "sample1"]);
    let [big, sample] = &package.data.cases[..] else {
        panic!("{:?}", package.data.cases);
    };
    assert!(sample.sample && big.answer.is_none());
    assert_eq!(fs::read_to_string(&sample.input).unwrap(), "1 2\n");
    assert_eq!(
        sample.validator_args,
        ["case_sensitive", "float_tolerance", "1e-6"]
    );
    assert_eq!(
        package.limits.time,
        TimeLimit::Given(Duration::from_secs(2))
    );
    let (_dir, package) = read(&[("testcases/a.yml", compete), ("testcases/b.yml", compete)]);
    assert_eq!(names(&package.data), ["a-1", "a-2", "b-1", "b-2"]);
    let problem = r#"{"name": "A", "interactive": false, "memoryLimit": 256, "timeLimit": 1500,
        "tests": [{"id": 7, "input": "1 2\n", "output": "3\n"}], "srcPath": "/home/me/sol.cpp"}"#;
    let (_dir, package) = read(&[
        ("sol.cpp", ""),
        (
            ".cph/.sol.cpp_0123456789abcdef0123456789abcdef.prob",
            problem,
        ),
    ]);
    assert_eq!(names(&package.data), ["sol-1"]);
    assert_eq!(package.limits.memory, 256 << 20);
    assert_eq!(
        package.limits.time,
        TimeLimit::Given(Duration::from_millis(1500))
    );
    let error = complaint(&files(&[(".cph/.sol.cpp_0.prob", "3\n1 2 3\n")]), "");
    assert!(error.contains(".sol.cpp_0.prob"), "{error}");
}
