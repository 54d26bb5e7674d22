//! Packages of DMOJ.

use super::{complaint, files, names, read, zip};
use judge_package::{
    Aggregation, BuiltinChecker, DmojKind, FloatMode, GeneratorLimits, InputOf, Package, Part,
    Validator, ValidatorProtocol,
};
use std::fs;
use std::time::Duration;

#[test]
fn dmoj_batches_and_dependencies() {
    let dir = files(&[(
        "init.yml",
        "archive: data.zip\nchecker: {name: floats, args: {precision: 4}}\ntest_cases:\n\
         - {points: 0, in: p0.in, out: p0.out}\n\
         - points: 10\n  batched:\n  - {in: a.in, out: a.out}\n  - {in: b.in, out: b.out}\n\
         - {points: 5, in: c.in, out: c.out}\n\
         - points: 20\n  batched: [{in: d.in, out: d.out}]\n  dependencies: [1]\n",
    )]);
    let all = ["p0", "a", "b", "c", "d"].map(|name| [format!("{name}.in"), format!("{name}.out")]);
    let all: Vec<&str> = all.iter().flatten().map(String::as_str).collect();
    zip(&dir.path().join("data.zip"), &all);
    let package = Package::read(dir.path()).unwrap();
    assert_eq!(package.format, "DMOJ");
    assert_eq!(
        package.validation.validators()[0],
        Validator::Builtin(BuiltinChecker::Floats {
            tolerance: 1e-4,
            mode: FloatMode::Either
        })
    );
    let order: Vec<String> = package
        .cases()
        .iter()
        .map(|case| case.name.clone())
        .collect();
    assert_eq!(order, ["p0", "batch1/a", "batch1/b", "c", "batch2/d"]);
    let parts = package.data.parts();
    assert!(matches!(parts[1], Part::Group(group) if group.max_score == Some(10.0)));
    assert_eq!(package.data.groups[1].requires, ["batch1"]);
    assert_eq!(package.data.groups[0].aggregation, Aggregation::Min);
    assert_eq!(
        fs::read_to_string(&package.cases()[4].input).unwrap(),
        "d.in\n"
    );
    let unpacked = package.cases()[4].input.clone();
    drop(package);
    assert!(!unpacked.exists());
}

#[test]
fn dmoj_cases_by_the_names_in_the_archive() {
    let dir = files(&[("init.yml", "archive: data.zip\npoints: 7\n")]);
    let list = [
        "2.1.in", "2.1.out", "2.2.in", "2.2.out", "1.in", "1.out", "10.in", "10.out",
    ];
    zip(&dir.path().join("data.zip"), &list);
    let package = Package::read(dir.path()).unwrap();
    assert_eq!(names(&package.data), ["1", "10"]);
    assert_eq!(names(&package.data.groups[0]), ["batch1/2.1", "batch1/2.2"]);
    assert_eq!(package.data.groups[0].after, 1);
    assert_eq!(package.data.cases[0].score, Some(7.0));

    let given = "archive: data.zip\ntest_cases:\n  input_format: 'x(?P<case>\\d+)\\.i'\n  \
                 output_format: 'x(?P<case>\\d+)\\.o'\n  case_points: [1, 2]\n";
    let dir = files(&[("init.yml", given)]);
    zip(
        &dir.path().join("data.zip"),
        &["x2.i", "x2.o", "x1.i", "x1.o", "1.in"],
    );
    let package = Package::read(dir.path()).unwrap();
    assert_eq!(names(&package.data), ["x1", "x2"]);
    assert_eq!(package.data.cases[1].score, Some(2.0));
}

#[test]
fn dmoj_checkers_that_are_programs() {
    let (_dir, package) = read(&[
        (
            "init.yml",
            "checker: {name: bridged, args: {files: [testlib.h, check.cpp], type: testlib}}\n\
             test_cases: [{in: 1.in, points: 3}]\n",
        ),
        ("testlib.h", ""),
        ("check.cpp", ""),
        ("1.in", "x"),
    ]);
    let Validator::Program { path, protocol } = &package.validation.validators()[0] else {
        panic!("a program, not {:?}", package.validation);
    };
    // Both files are staged in one directory.
    assert!(path.join("check.cpp").is_file() && path.join("testlib.h").is_file());
    let kind = DmojKind::Testlib;
    let arguments = kind.arguments(false);
    assert_eq!(*protocol, ValidatorProtocol::Dmoj { kind, arguments });
    // A case without an answer in the configuration has an empty one.
    let answer = package.data.cases[0].answer.clone().unwrap();
    assert_eq!(fs::read(answer).unwrap(), b"");
}

#[test]
fn dmoj_errors_have_a_position() {
    for (yaml, expected) in [
        (
            "test_cases: [{in: 1.in, out: 1.out, point: 3}]\n",
            "init.yml:1:37: unknown key `point`\n  help: did you mean `points`?",
        ),
        (
            "test_cases: [{in: ../1.in, out: 1.out}]\n",
            "init.yml:1:19: there is no file `../1.in`\n  help: it must be in the archive, or beside `init.yml`",
        ),
        (
            "checker: flaots\ntest_cases: [{in: init.yml}]\n",
            "init.yml:1:10: `flaots` is not a checker\n  help: did you mean `floats`?",
        ),
        (
            "checker: {name: floats, args: {precison: 3}}\n",
            "init.yml:1:32: unknown key `precison`\n  help: did you mean `precision`?",
        ),
        (
            "checker: {name: easy, args: {split_on: lines}}\n",
            "init.yml:1:30: the checker `easy` takes no arguments\n  help: remove `args`",
        ),
        (
            "archive: none.zip\n",
            "init.yml:1:10: there is no archive `none.zip`\n  help: put it beside `init.yml`",
        ),
        (
            "generator: gen.cpp\n",
            "init.yml:1:12: there is no file `gen.cpp`\n  help: put it beside `init.yml`",
        ),
        (
            "custom_judge: init.yml\ntest_cases: [{points: 3}]\n",
            "init.yml:1:15: defines no class `Grader`\n  \
             help: derive one from `InteractiveGrader` of `dmoj.graders.interactive`",
        ),
        (
            "custom_judge: init.yml # Grader: Result.TLE\ntest_cases: [{points: 3}]\n",
            "init.yml:1:15: this grader asks how the submission ends (`Result.TLE`), which only \
             DMOJ's own judge can\n  \
             help: make it an `interactive` program of type `testlib`, a checker, or a grader \
             derived from `InteractiveGrader`",
        ),
        (
            "test_cases: [{points: 3, checker: esay}]\n",
            "init.yml:1:35: `esay` is not a checker\n  help: did you mean `easy`?",
        ),
        (
            "symlinks: {words: /usr/share/dict/words}\n",
            "init.yml:1:19: a submission sees no `/usr/share/dict/words` here\n  \
             help: link to `/dev/stdin` or `/dev/stdout`",
        ),
        (
            "symlinks: {a: /dev/stdin, b: /dev/stdin}\n",
            "init.yml:1:27: is the second name of this stream; only one is supported",
        ),
        (
            "test_cases: [{generator_args: [3]}]\n",
            "init.yml:1:31: is for a generator, but there is none\n  help: add `generator: gen.cpp`",
        ),
        (
            "test_cases:\n- {in: a, points: x}\n",
            "init.yml:2:19: expected a number, found `x`",
        ),
        (
            "test_cases:\n- {dependencies: [1], batched: []}\n",
            "init.yml:2:19: batch 1 does not come before this one\n  \
             help: name earlier batches; the first is 1",
        ),
        (
            "test_cases+: []\n",
            "init.yml:1:1: `test_cases+` is computed by a program, which is not supported\n  \
             help: write the list itself",
        ),
    ] {
        assert_eq!(complaint(&files(&[("init.yml", yaml)]), ""), expected);
    }
}

#[test]
fn dmoj_cases_do_not_inherit_the_generator_of_the_case_before() {
    let (_dir, package) = read(&[
        (
            "init.yml",
            "generator: gen.cpp\ngenerator_args: [1]\ntest_cases:\n\
             - {generator: {source: own.cpp, args: [2], time_limit: 3, memory_limit: 4096}, points: 1}\n\
             - {points: 1}\n",
        ),
        ("gen.cpp", ""),
        ("own.cpp", ""),
    ]);
    let recipes = package.generation.unwrap().recipes;
    let args: Vec<&[String]> = recipes
        .iter()
        .map(|recipe| match &recipe.input {
            InputOf::Program { args, .. } => args.as_slice(),
            InputOf::File(_) => panic!("every case is made"),
        })
        .collect();
    assert_eq!(args, [["2"], ["1"]]);
    let own = GeneratorLimits {
        time: Some(Duration::from_secs(3)),
        memory: Some(4 << 20),
    };
    assert_eq!(recipes[0].limits, own);
    assert_eq!(recipes[1].limits, GeneratorLimits::default());
}

#[test]
fn dmoj_cases_get_the_settings_of_their_batch_and_of_the_file() {
    let (_dir, package) = read(&[
        (
            "init.yml",
            "points: 3\ngenerator: gen.cpp\ngenerator_args: [1, true]\ntest_cases:\n\
             - {in: a.in, out: a.out, points: 5, checker: identical}\n\
             - {points: 7, binary_data: true, batched: [{in: b.in, out: b.out}, {points: 9}]}\n\
             - {dependencies: [1], batched: []}\n",
        ),
        ("gen.cpp", ""),
        ("a.{in,out}", "a"),
        ("b.{in,out}", "b"),
    ]);
    let identical = BuiltinChecker::Identical { presentation: true };
    let builtin = [BuiltinChecker::Standard, identical].map(Validator::Builtin);
    assert_eq!(package.validation.validators(), builtin);
    let scores: Vec<_> = package.cases().iter().map(|case| case.score).collect();
    assert_eq!(scores, [Some(5.0), Some(7.0), Some(9.0)]);
    let [single, inner, _] = package.cases()[..] else {
        panic!("three cases, not {:?}", package.data);
    };
    assert_eq!((single.validator, inner.validator), (1, 0));
    // Binary files are used as they are; others end with a line end.
    assert_eq!(fs::read(&single.input).unwrap(), b"a\n");
    assert_eq!(fs::read(&inner.input).unwrap(), b"b");
    let recipes = &package.generation.as_ref().unwrap().recipes;
    assert_eq!(recipes.len(), 1);
    assert!(!recipes[0].normalize);
    assert!(matches!(
        &recipes[0].input,
        InputOf::Program { path, args, .. } if path.ends_with("gen.cpp") && args == &["1", "True"]
    ));
    let [first, last] = &package.data.groups[..] else {
        panic!("two batches, not {:?}", package.data.groups);
    };
    assert_eq!((first.max_score, last.max_score), (Some(9.0), Some(3.0)));
    assert_eq!(last.requires, ["batch1"]);
}
