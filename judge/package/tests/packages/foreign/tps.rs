//! Problems of TPS.

use super::{all_names, files, read};
use crate::files::complaint;
use judge_package::{DmojKind, Validator, ValidatorProtocol, Verdict};

const PROBLEM: (&str, &str) = (
    "problem.json",
    "{\"name\": \"m\", \"title\": \"Mountains\", \"type\": \"Batch\", \"time_limit\": 1.5, \"memory_limit\": 256}",
);
const SUBTASKS: (&str, &str) = (
    "subtasks.json",
    "{\"global_validators\": [\"v.cpp --group {subtask}\"], \"subtasks\": {\
     \"full\": {\"index\": 1, \"score\": 100, \"validators\": []}, \
     \"samples\": {\"index\": 0, \"score\": 0, \"validators\": []}}}",
);
const TESTS: (&str, &str) = ("tests/{0-01.in,0-01.out,1-01.in,1-01.out}", "1\n");

#[test]
fn tests_belong_to_subtasks() {
    let (_dir, package) = read(&[PROBLEM, SUBTASKS, TESTS, ("validator/v.cpp", "")]);
    assert_eq!(
        (package.format, package.name.as_str()),
        ("TPS", "Mountains")
    );
    assert_eq!(all_names(&package), ["samples/0-01", "full/1-01"]);
    assert!(package.cases()[0].sample);
    assert_eq!(package.data.groups[1].max_score, Some(100.0));
    let validator = &package.input_validators[0];
    let name = validator.path.file_name().unwrap().to_string_lossy();
    assert_eq!(
        package.cases()[1].input_validator_args.of(&name),
        ["--group", "full"]
    );

    // A test may belong to several.
    let mapping = ("tests/mapping", "samples 0-01\nfull 0-01\nfull 1-01\n");
    let (_dir, package) = read(&[PROBLEM, SUBTASKS, TESTS, mapping, ("validator/v.cpp", "")]);
    assert_eq!(
        all_names(&package),
        ["samples/0-01", "full/0-01", "full/1-01"]
    );
    let mapping = |text| {
        [
            PROBLEM,
            SUBTASKS,
            TESTS,
            ("validator/v.cpp", ""),
            ("tests/mapping", text),
        ]
    };
    let error = complaint(&files(&mapping("samples 0-01\nfull 1-01\nfull 1-02\n")), "");
    assert!(
        error.contains("tests/mapping:3:1: there is no test `1-02.in`"),
        "{error}"
    );
    let (_dir, package) = read(&mapping("samples 0-01\nfull 0-01\n"));
    let text = package.findings[0].to_string();
    assert!(text.contains("tests/1-01.in: is in no subtask"), "{text}");
    assert!(package.findings.iter().all(|finding| finding.concerns_runs));
}

#[test]
fn solutions_have_verdicts() {
    let solutions = "{\"a.cpp\": {\"verdict\": \"model_solution\"}, \
        \"b.cpp\": {\"verdict\": \"incorrect\", \"except\": {\"samples\": \"correct\"}}}";
    let list = [
        PROBLEM,
        SUBTASKS,
        TESTS,
        ("validator/v.cpp", ""),
        ("solutions.json", solutions),
        ("solution/{a,b}.cpp", ""),
        ("checker/checker.cpp", "#include \"testlib.h\"\n"),
        ("checker/testlib.h", ""),
        ("grader/cpp/{grader.cpp,m.h}", ""),
    ];
    let (_dir, package) = read(&list);
    let [first, second] = &package.submissions[..] else {
        panic!("two submissions, not {:?}", package.submissions);
    };
    assert_eq!(
        (&*first.name, &*second.name),
        ("accepted/a.cpp", "incorrect/b.cpp")
    );
    assert_eq!(second.expected.required, [Verdict::WrongAnswer]);
    assert!(second.expected.permitted.is_empty());
    assert_eq!(second.rules[1].scope.as_deref(), Some("samples"));
    let [Validator::Program { path, protocol }] = package.validation.validators() else {
        panic!("a program, not {:?}", package.validation);
    };
    assert!(matches!(
        protocol,
        ValidatorProtocol::Dmoj {
            kind: DmojKind::Cms,
            ..
        }
    ));
    assert!(path.join("testlib.h").is_file());
    assert!(
        package
            .include
            .expect("the grader")
            .join("cpp/m.h")
            .is_file()
    );

    let wrong = ("solutions.json", "{\"a.cpp\": {\"verdict\": \"right\"}}");
    let error = complaint(
        &files(&[PROBLEM, SUBTASKS, TESTS, wrong, ("solution/a.cpp", "")]),
        "",
    );
    assert!(
        error.contains("solutions.json:1:23: `right` is not a verdict"),
        "{error}"
    );
}

#[test]
fn what_is_not_judged_is_refused() {
    let error = complaint(&files(&[PROBLEM, SUBTASKS]), "");
    assert!(
        error.contains("tests: has no test: TPS generates them\n  help: run `tps gen`"),
        "{error}"
    );
    let manager = (
        "problem.json",
        "{\"name\": \"m\", \"time_limit\": 1, \"type\": \"TwoSteps\"}",
    );
    let error = complaint(&files(&[manager, SUBTASKS, TESTS]), "");
    assert!(
        error.contains("problem.json:1:40: problems of type `TwoSteps` are not judged"),
        "{error}"
    );
}
