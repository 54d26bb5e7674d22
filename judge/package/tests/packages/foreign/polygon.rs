//! Packages of Polygon.

use super::{complaint, files, names, read};
use judge_package::Verdict::{Accepted, TimeLimitExceeded, WrongAnswer};
use judge_package::{
    Aggregation, AnswerOf, DataFile, FileIo, InputOf, Package, TimeLimit, Validator,
    ValidatorProtocol,
};
use std::fs;
use std::io::Write;
use std::time::Duration;

/// A configuration with these tests, other elements of the test set, and solutions.
fn problem(tests: &str, more: &str, assets: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="3" short-name="sum">
  <names>
    <name language="russian" value="Сумма"/>
    <name language="english" value="Sum"/>
  </names>
  <judging input-file="" output-file="" run-count="1">
    <testset name="pretests"><time-limit>1</time-limit></testset>
    <testset name="tests">
      <time-limit>1500</time-limit>
      <memory-limit>268435456</memory-limit>
      <input-path-pattern>tests/%02d</input-path-pattern>
      <answer-path-pattern>tests/%02d.a</answer-path-pattern>
      <tests>{tests}</tests>
      {more}
    </testset>
  </judging>
  <files>
    <resources>
      <file path="files/olymp.sty"/>
      <file path="files/testlib.h" type="h.g++"/>
    </resources>
    <executables>
      <executable><source path="files/gen.cpp" type="cpp.g++17"/></executable>
    </executables>
  </files>
  <assets>
    <checker name="std::ncmp.cpp" type="testlib"><source path="files/check.cpp"/></checker>
    {assets}
  </assets>
</problem>
"#
    )
}

/// The files of such a package besides its configuration.
const PROGRAMS: [(&str, &str); 3] = [
    ("files/testlib.h", "// it\n"),
    ("files/{check,gen,val}.cpp", "#include \"testlib.h\"\n"),
    ("solutions/{main,wrong,slow,skip}.cpp", ""),
];

#[test]
fn a_full_package() {
    let tests =
        r#"<test method="manual" sample="true" description="smallest"/><test method="manual"/>"#;
    let assets = r#"<validators><validator><source path="files/val.cpp"/></validator></validators>
        <solutions>
          <solution tag="main"><source path="solutions/main.cpp"/></solution>
          <solution tag="wrong-answer"><source path="solutions/wrong.cpp"/></solution>
          <solution tag="time-limit-exceeded-or-accepted"><source path="solutions/slow.cpp"/></solution>
          <solution tag="do-not-run"><source path="solutions/skip.cpp"/></solution>
        </solutions>"#;
    let xml = problem(tests, "", assets).replace("input-file=\"\"", "input-file=\"sum.in\"");
    let mut list = vec![("problem.xml", xml.as_str())];
    list.extend(PROGRAMS);
    list.extend([
        ("tests/{01,02}", "1 2\n"),
        ("tests/01.a", "3\n"),
        ("tests/02.a", "4\r\n5"),
    ]);
    let (_dir, package) = read(&list);
    assert_eq!((package.format, &*package.name), ("Polygon", "Sum"));
    let limits = &package.limits;
    assert_eq!(limits.time, TimeLimit::Given(Duration::from_millis(1500)));
    assert_eq!(limits.memory, 256 << 20);
    let file_io = FileIo {
        input: Some("sum.in".to_owned()),
        output: None,
    };
    assert_eq!(package.file_io, file_io);
    assert!(!package.kind.scoring && package.generation.is_none());
    assert_eq!(names(&package.data), ["01", "02"]);
    let [first, second] = &package.data.cases[..] else {
        panic!("two tests, not {:?}", package.data);
    };
    assert!(first.sample && !second.sample);
    assert_eq!(first.description.as_deref(), Some("smallest"));
    assert_eq!(first.input_validator_args.all, ["--testset", "tests"]);
    // Windows line ends are those of the machine that made the package.
    let answer = second.answer.as_ref().unwrap();
    assert_eq!(fs::read(answer).unwrap(), b"4\n5\n");
    assert!(package.original(answer).ends_with("tests/02.a"));
    let [
        Validator::Program {
            path,
            protocol: ValidatorProtocol::Testlib,
        },
    ] = package.validation.validators()
    else {
        panic!("a checker, not {:?}", package.validation);
    };
    assert!(path.join("check.cpp").is_file() && path.join("testlib.h").is_file());
    assert_eq!(package.input_validators.len(), 1);
    let submissions = package.submissions.iter();
    let expected: Vec<_> = submissions
        .map(|s| (&*s.name, &*s.expected.permitted, &*s.expected.required))
        .collect();
    assert_eq!(
        expected,
        [
            ("accepted/main.cpp", &[Accepted][..], &[Accepted][..]),
            (
                "wrong-answer/wrong.cpp",
                &[Accepted, WrongAnswer],
                &[WrongAnswer]
            ),
            (
                "time-limit-exceeded-or-accepted/slow.cpp",
                &[Accepted, TimeLimitExceeded],
                &[]
            ),
        ]
    );
}

#[test]
fn missing_tests_and_answers_are_generated() {
    let tests = r#"<test method="manual"/><test cmd="gen 5 'a b'" method="generated"/>"#;
    let main = "<solutions><solution tag=\"main\"><source path=\"solutions/main.cpp\"/></solution></solutions>";
    let xml = problem(tests, "", main);
    let mut list = vec![("problem.xml", xml.as_str()), ("tests/01", "1 2\r\n")];
    list.extend(PROGRAMS);
    let (_dir, package) = read(&list);
    let generation = package.generation.as_ref().unwrap();
    assert!(
        generation
            .solution
            .as_ref()
            .unwrap()
            .ends_with("solutions/main.cpp")
    );
    let [manual, generated] = &generation.recipes[..] else {
        panic!("two tests, not {generation:?}");
    };
    let InputOf::File(input) = &manual.input else {
        panic!("a file, not {manual:?}");
    };
    assert_eq!(fs::read(input).unwrap(), b"1 2\n");
    let InputOf::Program { path, args, .. } = &generated.input else {
        panic!("a generator, not {generated:?}");
    };
    assert!(path.join("gen.cpp").is_file() && path.join("testlib.h").is_file());
    assert_eq!(args, &["5", "a b"]);
    assert_eq!(generated.answer, AnswerOf::Solution);
    assert!(matches!(package.cases()[0].input, DataFile::Generated(_)));
}

#[test]
fn groups_give_points_together_or_for_each_test() {
    let tests = r#"<test group="0" points="0" sample="true"/><test group="1" points="40"/>
        <test group="1" points="0"/><test group="2" points="25"/><test group="2" points="35"/>"#;
    let groups = r#"<groups><group name="0" points-policy="each-test"/>
        <group name="1" points="40" points-policy="complete-group">
          <dependencies><dependency group="0"/></dependencies></group>
        <group name="2" points-policy="each-test"/></groups>"#;
    let data = [
        ("tests/{01,02,03,04,05}", ""),
        ("tests/{01,02,03,04,05}.a", ""),
    ];
    let list = |xml: &str| {
        let list = [("problem.xml", xml)]
            .into_iter()
            .chain(PROGRAMS)
            .chain(data);
        files(&list.collect::<Vec<_>>())
    };
    let dir = list(&problem(tests, groups, ""));
    let package = Package::read(dir.path()).unwrap();
    assert!(package.kind.scoring);
    let [samples, complete, each] = &package.data.groups[..] else {
        panic!("three groups, not {:?}", package.data);
    };
    assert_eq!(names(samples), ["0/01"]);
    assert_eq!(complete.aggregation, Aggregation::Min);
    assert_eq!(complete.max_score, Some(40.0));
    assert_eq!(complete.requires, ["0"]);
    let scores = |cases: &[judge_package::TestCase]| -> Vec<_> {
        cases.iter().filter_map(|case| case.score).collect()
    };
    assert_eq!(scores(&complete.cases), [40.0, 40.0]);
    assert_eq!(each.aggregation, Aggregation::Sum);
    assert_eq!(scores(&each.cases), [25.0, 35.0]);
    assert_eq!(
        each.cases[0].input_validator_args.all,
        ["--testset", "tests", "--group", "2"]
    );

    let late = groups.replace("<dependency group=\"0\"/>", "<dependency group=\"2\"/>");
    assert_eq!(
        complaint(&list(&problem(tests, &late, "")), ""),
        "problem.xml:18:25: <dependency>: `2` is not a group of earlier tests\n  help: move its tests up"
    );
    // Without points, groups change nothing.
    let dir = list(&problem(&tests.replace("points=", "p="), groups, ""));
    let package = Package::read(dir.path()).unwrap();
    assert!(!package.kind.scoring && package.data.groups.is_empty());
    assert_eq!(names(&package.data), ["01", "02", "03", "04", "05"]);
}

#[test]
fn tests_of_the_checker_and_of_validators_are_read() {
    let assets = r#"<validators><validator><source path="files/val.cpp"/>
        <testset><input-path-pattern>files/tests/validator-tests/%02d</input-path-pattern>
        <tests><test verdict="valid"/><test verdict="invalid" group="2"/></tests></testset>
        </validator></validators>"#;
    let checker = r#"<source path="files/check.cpp"/><testset>
        <input-path-pattern>t/%d</input-path-pattern>
        <output-path-pattern>t/%d.o</output-path-pattern>
        <answer-path-pattern>t/%d.a</answer-path-pattern>
        <tests><test verdict="ok"/><test verdict="presentation-error"/></tests></testset></checker>"#;
    let xml = problem("<test/>", "", assets);
    let xml = xml.replace("<source path=\"files/check.cpp\"/></checker>", checker);
    let mut list = vec![("problem.xml", xml.as_str()), ("tests/{01,01.a}", "")];
    list.extend(PROGRAMS);
    list.extend([
        ("files/tests/validator-tests/{01,02}", ""),
        ("t/{1,1.o,1.a,2,2.o,2.a}", ""),
    ]);
    let (_dir, package) = read(&list);
    let cases = &package.validator_cases;
    assert_eq!(cases.invalid_input.len(), 1);
    assert!(cases.invalid_input[0].input.ends_with("validator-tests/02"));
    assert_eq!(
        cases.invalid_input[0].input_validator_args.all,
        ["--group", "2"]
    );
    assert!(
        cases.valid_output[0]
            .output
            .as_ref()
            .unwrap()
            .ends_with("t/1.o")
    );
    assert!(
        cases.invalid_output[0]
            .output
            .as_ref()
            .unwrap()
            .ends_with("t/2.o")
    );
}

#[test]
fn defects_are_named_with_their_position() {
    let list = |xml: &str| {
        let list = [("problem.xml", xml), ("tests/{01,01.a}", "")];
        files(&list.into_iter().chain(PROGRAMS).collect::<Vec<_>>())
    };
    let full = "download the package of type Linux, which contains all tests";
    let right = problem("<test/>", "", "");
    for (xml, message) in [
        (
            problem("<test/><test method=\"manual\"/>", "", ""),
            format!("problem.xml:14:21: <test>: there is no file `tests/02`\n  help: {full}"),
        ),
        (
            problem("<test/><test cmd=\"make 1\"/>", "", ""),
            format!("problem.xml:14:21: <test>: there is no generator `make`\n  help: {full}"),
        ),
        (
            right.replace("1500", "1.5 s"),
            "problem.xml:10:7: <time-limit>: cannot be `1.5 s`\n  help: write a whole number of \
             milliseconds"
                .to_owned(),
        ),
        (
            right.replace("tests/%02d.a", "tests/*.a"),
            "problem.xml:13:7: <answer-path-pattern>: is not a path with a number: `tests/*.a`\n  \
             help: write a pattern like `tests/%02d`"
                .to_owned(),
        ),
        (
            right.replace("path=\"files/check.cpp\"", "path=\"check.pas\""),
            "problem.xml:28:50: <source>: there is no file `check.pas`\n  help: download the \
             package again"
                .to_owned(),
        ),
        (
            right.replace("run-count=\"1\"", "run-count=\"2\""),
            "problem.xml:7:3: <judging>: problems that run a program 2 times per test are not \
             judged\n  help: judge it on Codeforces"
                .to_owned(),
        ),
        (
            right.replace("</assets>", ""),
            "problem.xml:31:1: is not XML: expected 'assets' tag, not 'problem' at 31:1\n  help: \
             download the package again, or restore the file"
                .to_owned(),
        ),
    ] {
        assert_eq!(complaint(&list(&xml), ""), message);
    }
    let (_dir, package) = read(&[
        (
            "problem.xml",
            &*problem("<test/>", "<test-count>2</test-count>", ""),
        ),
        ("tests/{01,01.a}", ""),
        PROGRAMS[0],
        PROGRAMS[1],
        PROGRAMS[2],
    ]);
    let count = &package.findings[0];
    assert!(count.concerns_runs);
    let text = count.to_string();
    assert!(
        text.contains("problem.xml:15:7: <test-count>: says 2 tests, and `tests` has 1\n  help: "),
        "{text}"
    );
    // Other judges have a file of this name, too.
    let other = list("<problem><judging><script/></judging></problem>");
    assert!(complaint(&other, "").contains("is not a problem package"));
    // A name cannot lead out of the package.
    let outside = list(&right.replace("files/check.cpp", "../check.cpp"));
    assert!(complaint(&outside, "").contains("`../check.cpp` is not a path inside of the package"));
    let tag = "<solutions><solution tag=\"quick\"><source path=\"solutions/main.cpp\"/></solution></solutions>";
    let package = Package::read(list(&problem("<test/>", "", tag)).path()).unwrap();
    assert!(
        package.findings[0]
            .to_string()
            .contains("unknown tag `quick`")
    );
}

#[test]
fn the_checker_of_an_interactive_problem_follows_its_interactor() {
    let interactor = "<interactor><source path=\"files/val.cpp\"/></interactor>";
    let xml = problem("<test/>", "", interactor);
    let mut list = vec![("problem.xml", xml.as_str()), ("tests/{01,01.a}", "")];
    list.extend(PROGRAMS);
    let (_dir, package) = read(&list);
    assert!(package.kind.interactive);
    let programs: Vec<_> = package.validation.programs().collect();
    assert!(programs[0].ends_with("interactor") && programs[1].ends_with("checker"));
    // The answers of such a problem need the interactor.
    let missing: Vec<_> = list
        .into_iter()
        .map(|(name, text)| match name {
            "tests/{01,01.a}" => ("tests/01", text),
            _ => (name, text),
        })
        .collect();
    assert!(complaint(&files(&missing), "").contains("the answers of an interactive problem"));
}

#[test]
fn an_archive_is_named_without_its_system() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sum-3$linux.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    let xml = problem("<test/>", "", "");
    for (name, text) in [
        ("problem.xml", &*xml),
        ("tests/01", "1 2\n"),
        ("tests/01.a", "3\n"),
        ("files/check.cpp", ""),
        ("files/gen.cpp", ""),
    ] {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(name, options).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    assert_eq!(Package::read(&path).unwrap().id, "sum-3");
}
