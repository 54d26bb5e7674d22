//! Problems of rbx.

use super::{all_names, files, has_finding, read};
use crate::files::complaint;
use judge_package::{
    Aggregation, AnswerOf, InputOf, TestlibChecker, Validator, ValidatorProtocol, Verdict,
};
use std::time::Duration;

const START: &str = "name: sum-of-two\ntitles: {pt: Soma, en: Sum}\ntimeLimit: 1500\nmemoryLimit: 64\n\
    modifiers: {py: {timeMultiplier: 2}, java: {time: 4000, memory: 128}}\n\
    generators:\n- {name: gen, path: gens/gen.cpp}\n\
    solutions:\n- {path: sols/main.cpp, outcome: accepted}\n";

const GROUPS: &str = "testcases:\n- {name: samples, testcaseGlob: statement/samples/*.in}\n\
    - name: main\n  generatorScript: {path: tests/plan.txt}\n";

const FILES: [(&str, &str); 4] = [
    ("gens/gen.cpp", "int main() {}\n"),
    ("sols/main.cpp", ""),
    ("statement/samples/{001.in,000.in,000.ans}", "1 2\n"),
    (
        "tests/plan.txt",
        "gen 1 2\n@copy tests/x.in\n@input { 5 6 }\n@testgroup other {\n gen 9\n}\n",
    ),
];

fn with<'f>(config: &'f str, more: &[(&'f str, &'f str)]) -> Vec<(&'f str, &'f str)> {
    [("problem.rbx.yml", config), ("tests/x.in", "3 4\n")]
        .iter()
        .chain(&FILES)
        .chain(more)
        .copied()
        .collect()
}

#[test]
fn tests_are_generated() {
    let (_dir, package) = read(&with(&format!("{START}{GROUPS}"), &[]));
    assert_eq!((package.format, package.name.as_str()), ("rbx", "Sum"));
    assert_eq!(
        all_names(&package),
        [
            "samples/000",
            "samples/001",
            "main/000",
            "main/001",
            "main/002"
        ]
    );
    assert!(package.cases()[0].sample && !package.cases()[2].sample);
    let generation = package.generation.as_ref().expect("generated tests");
    assert!(
        generation
            .solution
            .as_ref()
            .expect("the main one")
            .ends_with("sols/main.cpp")
    );
    let [sample, called, copied, text] = &generation.recipes[..] else {
        panic!("four recipes, not {:?}", generation.recipes);
    };
    assert_eq!(
        (&*sample.case, &sample.answer),
        ("samples/001", &AnswerOf::Solution)
    );
    let InputOf::Program { path, args, .. } = &called.input else {
        panic!("a call, not {called:?}");
    };
    assert!(path.ends_with("gens/gen.cpp"), "{path:?}");
    assert_eq!(args, &["1", "2"]);
    assert!(matches!(&copied.input, InputOf::File(path) if path.ends_with("tests/x.in")));
    let InputOf::File(input) = &text.input else {
        panic!("a file, not {text:?}");
    };
    assert_eq!(std::fs::read_to_string(input).unwrap(), "5 6\n");
    assert_eq!(
        package.limits.time.fixed(),
        Some(Duration::from_millis(1500))
    );
    let of = |code| {
        package
            .limits
            .of_language(code, Duration::from_millis(1500), 64 << 20)
    };
    assert_eq!(of("python3"), (Duration::from_secs(3), 64 << 20));
    assert_eq!(of("java"), (Duration::from_secs(4), 128 << 20));
    assert_eq!(
        package.validation.validators(),
        [Validator::Testlib(TestlibChecker::Wcmp)]
    );
}

#[test]
fn built_tests_come_first() {
    let config = format!("{START}{GROUPS}");
    let built = [
        ("build/tests/samples/{000,001}.{in,out}", "1\n"),
        ("build/tests/main/{000.in,000.out,001.in,001.out}", "1\n"),
        ("build/tests/samples/{000.in,000.out,001.in,001.out}", "1\n"),
    ];
    let (_dir, package) = read(&with(&config, &built[1..]));
    assert!(package.generation.is_none());
    assert_eq!(package.cases().len(), 4);
    has_finding(&package, "has 2 tests, and the configuration describes 3");
    // A script that is a program runs only in rbx.
    let config = config.replace("tests/plan.txt", "tests/plan.py");
    let list = with(&config, &[("tests/plan.py", "print('gen 1')\n")]);
    let error = complaint(&files(&list), "");
    assert!(
        error.contains("scripts that are programs are not run\n  help: run `rbx build`"),
        "{error}"
    );
    let list = [&list[..], &built[1..]].concat();
    let (_dir, package) = read(&list);
    assert_eq!(package.cases().len(), 4);
}

#[test]
fn groups_have_points_and_subgroups() {
    let config = format!(
        "{START}scoring: points\ntestcases:\n- {{name: samples, testcaseGlob: statement/samples/*.in}}\n\
         - {{name: small, score: 30, testcases: [{{inputPath: tests/x.in, outputPath: statement/samples/000.ans}}]}}\n\
         - name: large\n  score: 70\n  deps: [small]\n  subgroups:\n  - {{name: rnd, generators: [{{name: gen, args: --n 5}}]}}\n"
    );
    let (_dir, package) = read(&with(&config, &[]));
    assert_eq!(all_names(&package)[2..], ["small/000", "large/1-rnd-000"]);
    let large = &package.data.groups[2];
    assert_eq!(large.requires, ["samples", "small"]);
    assert_eq!(
        (large.aggregation, large.max_score),
        (Aggregation::PassFail, Some(70.0))
    );
    assert!(package.kind.scoring);
    let error = complaint(&files(&with(&config.replace("[small]", "[smal]"), &[])), "");
    assert!(error.contains("there is no group `smal`"), "{error}");
}

#[test]
fn variables_are_arguments_and_a_header() {
    let config = format!(
        "{START}validator: {{path: validator.cpp}}\n\
         vars: {{N: {{max: 'py`10**5`', min: 1}}, is_tree: true, odd: 'py`sorted()`'}}\n\
         testcases:\n- {{name: samples, testcaseGlob: statement/samples/*.in}}\n\
         - {{name: small, vars: {{N: {{max: 10}}}}, generators: [{{name: gen}}]}}\n"
    );
    let source = "#include \"testlib.h\"\n#include \"rbx.h\"\n";
    let list = with(
        &config,
        &[
            ("validator.cpp", source),
            ("rbx.h", "// stale\n"),
            ("testlib.h", ""),
        ],
    );
    let (_dir, package) = read(&list);
    let validator = &package.input_validators[0].path;
    let header = std::fs::read_to_string(validator.join("rbx.h")).unwrap();
    for row in [
        "{\"\", \"N.max\", \"100000\"}",
        "{\"\", \"is_tree\", \"1\"}",
        "{\"small\", \"N.max\", \"10\"}",
    ] {
        assert!(header.contains(row), "{header}");
    }
    assert!(validator.join("testlib.h").is_file());
    let name = validator.file_name().unwrap().to_string_lossy();
    let args = |case: usize| {
        package.cases()[case]
            .input_validator_args
            .of(&name)
            .to_vec()
    };
    assert_eq!(
        args(0),
        [
            "--N.max=100000",
            "--N.min=1",
            "--is_tree=1",
            "--group",
            "samples"
        ]
    );
    assert_eq!(
        args(2),
        ["--N.min=1", "--is_tree=1", "--N.max=10", "--group", "small"]
    );
    has_finding(
        &package,
        "the expression of the variable `odd` is not evaluated",
    );
}

#[test]
fn solutions_and_programs_have_roles() {
    let config = format!(
        "{START}- {{path: sols/wa-*.*, outcome: WRONG_ANSWER}}\n- {{path: 'sols/**/slow.py', outcome: tle, score: [0, 50]}}\n\
         checker: {{path: checker.cpp}}\nunitTests: {{validator: [{{glob: 'unit/*.in', outcome: invalid}}]}}\n\
         scoring: points\n{GROUPS}"
    );
    let list = with(
        &config,
        &[
            ("sols/{wa-1.cpp,wa-2.py,deep/slow.py}", ""),
            ("checker.cpp", "#include \"lib.h\"\n"),
            ("lib.h", ""),
            ("unit/a.in", "x\n"),
        ],
    );
    let (_dir, package) = read(&list);
    let names: Vec<&str> = package.submissions.iter().map(|one| &*one.name).collect();
    assert_eq!(
        names,
        [
            "accepted/main.cpp",
            "sols/wa-1.cpp",
            "sols/wa-2.py",
            "sols/deep/slow.py"
        ]
    );
    assert_eq!(
        package.submissions[2].expected.required,
        [Verdict::WrongAnswer]
    );
    assert_eq!(package.submissions[3].expected.score, Some((0.0, 50.0)));
    let [Validator::Program { path, protocol }] = package.validation.validators() else {
        panic!("a program, not {:?}", package.validation);
    };
    assert_eq!(*protocol, ValidatorProtocol::Testlib);
    assert!(path.join("lib.h").is_file());
    assert_eq!(package.validator_cases.invalid_input[0].name, "unit/a.in");
}

#[test]
fn interactive_problems_have_no_answers() {
    let config = format!(
        "{START}type: COMMUNICATION\ninteractor: {{path: i.cpp, legacy: true}}\nchecker: {{path: ncmp.cpp}}\n{GROUPS}"
    );
    let (_dir, package) = read(&with(&config, &[("i.cpp", "")]));
    assert!(package.kind.interactive);
    assert_eq!(package.validation.validators().len(), 2);
    assert!(package.cases()[1].answer.is_none());
    let recipes = &package.generation.as_ref().expect("calls").recipes;
    assert!(
        recipes
            .iter()
            .all(|recipe| matches!(recipe.answer, AnswerOf::File(_)))
    );
}

#[test]
fn errors_have_positions_and_remedies() {
    let whole = format!("{START}{GROUPS}");
    for (config, message) in [
        (whole.replace("timeLimit: 1500\n", ""), "has no `timeLimit`"),
        (
            whole.replace("timeLimit", "timelimit"),
            "unknown key `timelimit`\n  help: did you mean `timeLimit`?",
        ),
        (
            whole.replace("accepted}", "right}"),
            "`right` is not an outcome",
        ),
        (
            format!("{whole}checker: {{path: mine.cpp}}\n"),
            "there is no file `mine.cpp`, and testlib has no checker of this name",
        ),
        (
            format!("{whole}type: two-steps\n"),
            "`two-steps` is not a type",
        ),
        (
            whole.replace("outcome: accepted", "outcome: any"),
            "has no main solution, which makes the answers",
        ),
        (
            whole.replace("name: gen,", "name: other,"),
            "tests/plan.txt:1:1: there is no generator `gen`",
        ),
    ] {
        let error = complaint(&files(&with(&config, &[])), "");
        assert!(error.contains(message), "{error}");
    }
}

/// A limit of a profile replaces the package's for every language; what it does not set is the package's.
#[test]
fn profiles_are_limits_for_other_judges() {
    let (_dir, mut package) = read(&with(
        &format!("{START}{GROUPS}"),
        &[
            (
                ".limits/boca.yml",
                "timeLimit: 3000\nmodifiers: {cpp: {time: 2000}}\nformula: step_up(2 * slowest, 500)\n",
            ),
            (".limits/local.yml", "inheritFromPackage: true\n"),
        ],
    ));
    assert_eq!(package.profiles["local"], package.limits);
    let limits = &package.profiles["boca"];
    let ms = Duration::from_millis;
    assert_eq!(limits.time.fixed(), Some(ms(3000)));
    assert_eq!(limits.memory, 64 << 20);
    let languages = limits.languages.iter();
    let languages: Vec<_> = languages
        .map(|own| (&*own.language, own.time, own.time_factor, own.memory))
        .collect();
    assert_eq!(
        languages,
        [
            ("python3", None, 2.0, None),
            ("java", None, 1.0, Some(128 << 20)),
            ("cpp", Some(ms(2000)), 1.0, None),
        ]
    );
    let error = package.use_profile("polygon").unwrap_err();
    assert!(
        error.to_string().contains("has no limits for `polygon`"),
        "{error}"
    );
    package.use_profile("boca").unwrap();
    assert_eq!(package.limits.time.fixed(), Some(ms(3000)));

    let config = format!("{START}{GROUPS}");
    let wrong = with(&config, &[(".limits/boca.yml", "timelimit: 3000\n")]);
    let error = complaint(&files(&wrong), "");
    assert!(
        error.contains(".limits/boca.yml:1") && error.contains("timelimit"),
        "{error}"
    );
}
