//! Test group: judge.
//!
//! Packages with points in every format, read again: each set of accepted tests gives the same points.
#![allow(missing_docs)]

use judge_core::judging::{CaseOutcome, grade};
use judge_core::verdict::Verdict;
use judge_export::{Target, stage};
use judge_package::{Group, Package};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Files of a package: `{a,b}` in a name stands for several files, whose content is their name.
type Files = &'static [(&'static str, &'static str)];

const YAML: &str = "problem_format_version: 2025-09\nname: P\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n\
    type: scoring\nlimits: {time_limit: 1}\n";

const PACKAGES: [(&str, Files); 9] = [
    (
        "icpc",
        &[
            ("problem.yaml", YAML),
            ("data/sample/1.{in,ans}", ""),
            ("data/secret/test_group.yaml", "max_score: 100\n"),
            (
                "data/secret/a/test_group.yaml",
                "max_score: 20\nscore_aggregation: min\n",
            ),
            ("data/secret/a/{1.in,1.ans,2.in,2.ans}", ""),
            (
                "data/secret/b/test_group.yaml",
                "max_score: 30\nscore_aggregation: sum\nrequire_pass: [secret/a]\n",
            ),
            ("data/secret/b/{1.in,1.ans,2.in,2.ans,3.in,3.ans}", ""),
            (
                "data/secret/c/test_group.yaml",
                "max_score: 50\nscore_aggregation: pass-fail\nrequire_pass: [sample, secret/a, secret/b]\n",
            ),
            ("data/secret/c/{1.in,1.ans,2.in,2.ans}", ""),
        ],
    ),
    (
        "legacy",
        &[
            ("problem.yaml", "name: P\ntype: scoring\n"),
            (".timelimit", "1\n"),
            ("data/sample/1.{in,ans}", ""),
            (
                "data/testdata.yaml",
                "on_reject: continue\ngrader_flags: ignore_sample accept_if_any_accepted\nrange: 0 100\n",
            ),
            (
                "data/secret/testdata.yaml",
                "on_reject: continue\ngrader_flags: sum accept_if_any_accepted\nrange: 0 100\n",
            ),
            (
                "data/secret/a/testdata.yaml",
                "on_reject: break\ngrader_flags: min\naccept_score: 40\nrange: 0 40\n",
            ),
            ("data/secret/a/{1.in,1.ans,2.in,2.ans}", ""),
            (
                "data/secret/b/testdata.yaml",
                "on_reject: continue\ngrader_flags: sum accept_if_any_accepted\naccept_score: 20\nrange: 0 60\n",
            ),
            ("data/secret/b/{1.in,1.ans,2.in,2.ans,3.in,3.ans}", ""),
        ],
    ),
    (
        "hydro",
        &[
            (
                "config.yaml",
                "time: 1s\nmemory: 64m\nsubtasks:\n\
                 - {id: 1, score: 30, type: min, cases: [{input: 1.in, output: 1.out}, {input: 2.in, output: 2.out}]}\n\
                 - {id: 2, score: 30, type: sum, if: [1], cases: [{input: 3.in, output: 3.out, score: 10}, {input: 4.in, output: 4.out, score: 20}]}\n\
                 - {id: 3, score: 40, type: min, if: [1, 2], cases: [{input: 5.in, output: 5.out}]}\n",
            ),
            (
                "{1.in,1.out,2.in,2.out,3.in,3.out,4.in,4.out,5.in,5.out}",
                "",
            ),
        ],
    ),
    (
        "polygon",
        &[
            (
                "problem.xml",
                "<problem short-name=\"p\"><names><name language=\"english\" value=\"P\"/></names><judging>\
                 <testset name=\"tests\"><time-limit>1000</time-limit><memory-limit>67108864</memory-limit>\
                 <test-count>5</test-count><input-path-pattern>tests/%02d</input-path-pattern>\
                 <answer-path-pattern>tests/%02d.a</answer-path-pattern><tests>\
                 <test sample=\"true\" group=\"0\" points=\"0\"/><test group=\"1\" points=\"10\"/>\
                 <test group=\"1\" points=\"20\"/><test group=\"2\" points=\"70\"/><test group=\"2\" points=\"0\"/>\
                 </tests><groups><group name=\"0\" points=\"0\" points-policy=\"each-test\"/>\
                 <group name=\"1\" points-policy=\"each-test\"/>\
                 <group name=\"2\" points-policy=\"complete-group\"><dependencies><dependency group=\"0\"/>\
                 <dependency group=\"1\"/></dependencies></group></groups></testset></judging>\
                 <assets><checker type=\"testlib\"><source path=\"files/check.cpp\" type=\"cpp.g++17\"/></checker>\
                 </assets></problem>\n",
            ),
            ("files/check.cpp", "int main() {}\n"),
            ("tests/{01,01.a,02,02.a,03,03.a,04,04.a,05,05.a}", ""),
        ],
    ),
    (
        "dmoj",
        &[
            (
                "init.yml",
                "time_limit: 1\nmemory_limit: 65536\ntest_cases:\n\
                 - {points: 20, batched: [{in: 1.in, out: 1.out}, {in: 2.in, out: 2.out}]}\n\
                 - {points: 30, dependencies: [1], batched: [{in: 3.in, out: 3.out}]}\n\
                 - {points: 50, dependencies: [1, 2], batched: [{in: 4.in, out: 4.out}, {in: 5.in, out: 5.out}]}\n",
            ),
            (
                "{1.in,1.out,2.in,2.out,3.in,3.out,4.in,4.out,5.in,5.out}",
                "",
            ),
        ],
    ),
    (
        "luogu",
        &[
            (
                "config.yml",
                "1.in: {timeLimit: 1000, memoryLimit: 65536, score: 30, subtaskId: 0}\n\
                 2.in: {timeLimit: 1000, memoryLimit: 65536, score: 30, subtaskId: 0}\n\
                 3.in: {timeLimit: 1000, memoryLimit: 65536, score: 70, subtaskId: 1}\n",
            ),
            ("{1.in,1.out,2.in,2.out,3.in,3.out}", ""),
        ],
    ),
    (
        "cms",
        &[
            (
                "task.yaml",
                "name: p\ntitle: P\ntime_limit: 1\nmemory_limit: 64\nn_input: 4\npublic_testcases: \"0\"\n\
                 infile: \"\"\noutfile: \"\"\n",
            ),
            ("gen/GEN", "#ST: 0\na\n#ST: 40\nb\nc\n#ST: 60\nd\n"),
            ("input/{input0.txt,input1.txt,input2.txt,input3.txt}", ""),
            (
                "output/{output0.txt,output1.txt,output2.txt,output3.txt}",
                "",
            ),
        ],
    ),
    (
        "sinol",
        &[
            (
                "config.yml",
                "sinol_task_id: abc\ntime_limit: 1000\nmemory_limit: 65536\nscores: {1: 30, 2: 70}\n\
                 subtask_dependencies: {2: [1]}\n",
            ),
            ("prog/abc.cpp", "int main() {}\n"),
            ("in/{abc0.in,abc1a.in,abc1b.in,abc2a.in}", ""),
            ("out/{abc0.out,abc1a.out,abc1b.out,abc2a.out}", ""),
        ],
    ),
    (
        "rbx",
        &[
            (
                "problem.rbx.yml",
                "name: problem\ntimeLimit: 1000\nmemoryLimit: 64\nscoring: points\ntestcases:\n\
                 - {name: samples, testcaseGlob: samples/*.in}\n- {name: small, score: 40, testcaseGlob: small/*.in}\n\
                 - {name: large, score: 60, deps: [small], testcaseGlob: large/*.in}\n",
            ),
            ("samples/1.{in,ans}", ""),
            ("small/{1.in,1.ans,2.in,2.ans}", ""),
            ("large/1.{in,ans}", ""),
        ],
    ),
];

fn write(dir: &Path, files: Files) {
    for (name, text) in files {
        let (start, rest) = name.split_once('{').unwrap_or((name, "}"));
        let (choices, end) = rest.split_once('}').unwrap_or(("", ""));
        for choice in choices.split(',') {
            let name = format!("{start}{choice}{end}");
            let path = dir.join(&name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let own = format!("{name}\n");
            fs::write(path, if text.is_empty() { &own } else { *text }).unwrap();
        }
    }
}

/// The points of a submission that these inputs accept.
fn points(package: &Package, accepted: &dyn Fn(&[u8]) -> bool) -> f64 {
    let outcome = |case: &&judge_package::TestCase| {
        let verdict = match accepted(&fs::read(&case.input).unwrap()) {
            true => Verdict::Accepted,
            false => Verdict::WrongAnswer,
        };
        let outcome = CaseOutcome {
            name: "",
            verdict,
            score: None,
            message: None,
        };
        (case.id, outcome)
    };
    let outcomes: BTreeMap<_, _> = package.cases().iter().map(outcome).collect();
    let graded = grade(package, &outcomes, &mut |_, _| {
        panic!("the package has a grader")
    });
    assert!(graded.error.is_none(), "{graded:?}");
    graded.score.expect("points")
}

fn has_requirements(group: &Group) -> bool {
    !group.requires.is_empty() || group.groups.iter().any(has_requirements)
}

fn without_requirements(group: &mut Group) {
    group.requires.clear();
    group.groups.iter_mut().for_each(without_requirements);
}

#[test]
fn every_set_of_accepted_tests_has_the_same_points() {
    let dir = tempfile::tempdir().unwrap();
    for (name, files) in PACKAGES {
        let from = dir.path().join(name);
        write(&from, files);
        let before = Package::read(&from).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut unrequired = before.clone();
        without_requirements(&mut unrequired.data);
        for target in Target::ALL {
            let title = format!("{name} as {}", target.name());
            let to: PathBuf = dir.path().join(title.replace(' ', "-"));
            let staged =
                stage(&before, target, None, &to).unwrap_or_else(|e| panic!("{title}: {e}"));
            let listed = |what: &str| staged.losses.iter().any(|loss| loss.what.starts_with(what));
            let is_without = listed("points and groups");
            assert_eq!(
                is_without,
                [Target::Oj, Target::Plain].contains(&target),
                "{title}"
            );
            let loses_requirements = listed("subtasks that require");
            let has_none = [
                Target::IcpcLegacy,
                Target::Domjudge,
                Target::Luogu,
                Target::Cms,
            ];
            assert_eq!(
                loses_requirements && !is_without,
                has_requirements(&before.data) && has_none.contains(&target),
                "{title}: {:?}",
                staged.losses
            );
            // DMOJ judges nothing more after a failed sample, which is listed.
            let has_gate = listed("after a failed sample");
            staged.finish().unwrap();
            if is_without {
                continue;
            }
            let after = Package::read(&to).unwrap_or_else(|e| panic!("{title}: {e}"));
            let wanted = if loses_requirements {
                &unrequired
            } else {
                &before
            };
            compare(&title, wanted, &after, has_gate);
        }
    }
}

/// Compares the points of all sets of accepted tests; with `has_gate`, of those that contain the samples.
fn compare(title: &str, before: &Package, after: &Package, has_gate: bool) {
    let mut inputs: Vec<Vec<u8>> = before
        .cases()
        .iter()
        .map(|case| fs::read(&case.input).unwrap())
        .collect();
    inputs.sort();
    inputs.dedup();
    assert!(inputs.len() <= 10, "{title}: too many sets");
    for set in 0..1_u32 << inputs.len() {
        let accepted = |input: &[u8]| {
            let at = inputs.iter().position(|own| own == input);
            set >> at.expect("an input of the package") & 1 == 1
        };
        let cases = before.cases();
        let mut samples = cases.iter().filter(|case| case.sample);
        if has_gate && !samples.all(|case| accepted(&fs::read(&case.input).unwrap())) {
            continue;
        }
        assert_eq!(
            points(after, &accepted),
            points(before, &accepted),
            "{title}: tests {set:b}"
        );
    }
}

/// The arguments of DMOJ's function are none of the validator that replaces it.
#[test]
fn a_function_of_dmoj_leaves_no_arguments_behind() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("p");
    let files: Files = &[
        (
            "init.yml",
            "checker: check.py\ntest_cases:\n- {in: 1.in, out: 1.out, points: 30}\n- {in: 2.in, out: 2.out, points: 70}\n",
        ),
        (
            "check.py",
            "def check(process_output, judge_output, **kwargs):\n    return True\n",
        ),
        ("{1.in,1.out,2.in,2.out}", ""),
    ];
    write(&from, files);
    let before = Package::read(&from).unwrap();
    for target in Target::ALL {
        let to = dir.path().join(target.name());
        stage(&before, target, None, &to).unwrap().finish().unwrap();
        let after = Package::read(&to).unwrap_or_else(|e| panic!("{}: {e}", target.name()));
        assert_eq!(after.cases().len(), 2, "{}", target.name());
    }
}

#[test]
fn a_format_with_one_set_of_arguments_has_that_of_the_secret_cases() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("p");
    let files: Files = &[
        (
            "problem.yaml",
            "problem_format_version: 2025-09\nname: P\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nlimits: {time_limit: 1}\n",
        ),
        ("data/sample/{1.in,1.ans}", ""),
        (
            "data/secret/test_group.yaml",
            "output_validator_args: [float_tolerance, 1e-3]\n",
        ),
        ("data/secret/{1.in,1.ans,2.in,2.ans}", ""),
    ];
    write(&from, files);
    let before = Package::read(&from).unwrap();
    for target in [Target::IcpcLegacy, Target::Domjudge] {
        let to = dir.path().join(target.name());
        let staged = stage(&before, target, None, &to).unwrap();
        let is_listed = |what: &str| staged.losses.iter().any(|loss| loss.what.starts_with(what));
        assert!(
            is_listed("different arguments of the validator"),
            "{}",
            target.name()
        );
        staged.finish().unwrap();
        let after = Package::read(&to).unwrap();
        for case in after.cases() {
            let args = case.validator_args.join(" ");
            assert!(
                args.contains("float_tolerance"),
                "{}: {args}",
                target.name()
            );
        }
    }
}

/// Names of groups and tests stay, since `submissions.yaml` and submitted outputs refer to them.
#[test]
fn an_icpc_package_keeps_its_names_its_arguments_and_its_expectations() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("p");
    let files: Files = &[
        ("problem.yaml", YAML),
        ("data/sample/1.{in,ans}", ""),
        ("data/secret/test_group.yaml", "max_score: 100\n"),
        (
            "data/secret/1-small/test_group.yaml",
            "max_score: 40\nscore_aggregation: min\ninput_validator_args: {check.py: [\"9\"]}\n",
        ),
        ("data/secret/1-small/{max.in,max.ans,min.in,min.ans}", ""),
        (
            "data/secret/2-large/test_group.yaml",
            "max_score: 60\nscore_aggregation: min\n",
        ),
        ("data/secret/2-large/{max.in,max.ans}", ""),
        ("input_validators/check.py", "import sys\nsys.exit(42)\n"),
        ("statement/problem.en.md", "# Input\n\nA number.\n"),
        (
            "submissions/submissions.yaml",
            "mixed/a.py:\n  permitted: [AC, WA]\n  required: [WA]\n  score: 40\n  secret/1-small: {permitted: [AC]}\n\
             wrong_answer/b.py: {permitted: [WA]}\n",
        ),
        ("submissions/{mixed/a.py,wrong_answer/b.py}", ""),
    ];
    write(&from, files);
    let read = |path: &Path| {
        let package = Package::read(path).unwrap();
        let cases = package.cases().into_iter();
        let cases: Vec<_> = cases
            .map(|case| {
                let args = case.input_validator_args.of("check.py").to_vec();
                (case.name.clone(), args)
            })
            .collect();
        let submissions = package.submissions.iter();
        let mut expected: Vec<_> = submissions
            .map(|own| {
                let scopes = own.rules.iter().filter_map(|rule| rule.scope.clone());
                let name = own.name.rsplit('/').next().unwrap().to_owned();
                (name, own.expected.clone(), scopes.collect::<Vec<_>>())
            })
            .collect();
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        (cases, expected)
    };
    let before = read(&from);
    assert_eq!(before.0[1].1, ["9"]);
    let package = Package::read(&from).unwrap();
    for (target, lost) in [
        (Target::Icpc2025, &[][..]),
        (
            Target::IcpcLegacy,
            &[
                "what `mixed/a.py` must get in single groups",
                "what `mixed/a.py` must get in points",
            ][..],
        ),
        (Target::Polygon, &["the arguments of the input validators"]),
        (
            Target::Dmoj,
            &["different arguments of the input validator"],
        ),
        (Target::Hydro, &["the arguments of the input validators"]),
    ] {
        let to = dir.path().join(target.name());
        let staged = stage(&package, target, None, &to).unwrap();
        for what in lost {
            let mut losses = staged.losses.iter();
            let is_listed = losses.any(|loss| loss.what.starts_with(what));
            assert!(is_listed, "{}: {what}: {:?}", target.name(), staged.losses);
        }
        if target == Target::Icpc2025 {
            assert!(staged.losses.is_empty(), "{:?}", staged.losses);
        }
        staged.finish().unwrap();
        let after = match target {
            Target::Icpc2025 | Target::IcpcLegacy => read(&to),
            _ => continue,
        };
        assert_eq!(after.0, before.0, "{}", target.name());
        if target == Target::Icpc2025 {
            assert_eq!(after.1, before.1);
        } else {
            // A submission with points is accepted in version legacy.
            assert!(to.join("submissions/partially_accepted/a.py").is_file());
        }
    }
    let tex = fs::read_to_string(dir.path().join("polygon/statements/english/problem.tex"));
    assert!(tex.unwrap().contains("\\section*{Input}"));
}
