//! The packages of the workspace in every format, read again.
#![allow(missing_docs)]

use judge_export::{Target, stage};
use judge_package::{Package, TestCase, Validator};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn packages() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut packages: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    packages.sort();
    packages.retain(|path| path.join("problem.yaml").is_file());
    packages
}

/// The content of the cases, in any order.
fn data(package: &Package) -> Vec<(Vec<u8>, Vec<u8>)> {
    let read = |case: &TestCase| {
        let answer = case.answer.as_ref().map(|answer| fs::read(answer).unwrap());
        (fs::read(&case.input).unwrap(), answer.unwrap_or_default())
    };
    let mut data: Vec<_> = package.cases().into_iter().map(read).collect();
    data.sort();
    data
}

#[test]
fn every_package_is_read_again_from_every_format() {
    let dir = tempfile::tempdir().unwrap();
    let mut count = 0;
    for path in packages() {
        let before = Package::read(&path).unwrap();
        let wanted = data(&before);
        for target in Target::ALL {
            let to = dir.path().join(format!("{}-{}", before.id, target.name()));
            let staged = stage(&before, target, None, &to).unwrap();
            assert!(!to.exists(), "written before it is finished");
            let listed = |what: &str| staged.losses.iter().any(|loss| loss.what.starts_with(what));
            let lost = listed("the checker");
            // The sandbox of DMOJ stops adapters.
            let has_program = before.validation.programs().next().is_some();
            let stopped = listed("the protocol of the checker");
            let name = format!("{} as {}", before.id, target.name());
            assert_eq!(stopped, has_program && target == Target::Dmoj, "{name}");
            staged.finish().unwrap();
            // Only that validator is in Python, for which these formats have no place.
            let is_python = before.id == "leetcode37";
            let is_compiled = [Target::Luogu, Target::Cms].contains(&target);
            assert_eq!(lost, is_python && is_compiled, "{name}");
            let after = Package::read(&to).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(data(&after), wanted, "{name}");
            if target != Target::Oj {
                assert_eq!(
                    after.limits.time.fixed(),
                    before.limits.time.fixed(),
                    "{name}"
                );
                assert_eq!(after.limits.memory, before.limits.memory, "{name}");
            }
            assert_eq!(
                after.validation.programs().next().is_some(),
                !lost && (has_program || needs_program(&before, target)),
                "{name}"
            );
            fs::remove_dir_all(&to).unwrap();
            count += 1;
        }
    }
    assert!(count >= 200, "only {count} exports");
}

/// Whether the format has no comparison like that of the package.
fn needs_program(package: &Package, target: Target) -> bool {
    let [Validator::Default(_)] = package.validation.validators() else {
        return false;
    };
    let cases = package.cases();
    let args: Vec<&str> = cases[0].validator_args.iter().map(String::as_str).collect();
    let tokens = args == ["case_sensitive"];
    match target {
        Target::Icpc2025 | Target::IcpcLegacy | Target::Domjudge => false,
        Target::Hydro | Target::Oj | Target::Plain => !tokens,
        _ => true,
    }
}

#[test]
fn an_archive_has_the_files_of_the_directory() {
    let dir = tempfile::tempdir().unwrap();
    let path = packages().remove(0);
    let before = Package::read(&path).unwrap();
    for target in [Target::Icpc2025, Target::Dmoj, Target::Hydro] {
        let to = dir.path().join(format!("{}.zip", target.name()));
        for _ in 0..2 {
            // An existing archive is replaced.
            let staged = stage(&before, target, Some(Duration::from_millis(1500)), &to).unwrap();
            staged.finish().unwrap();
        }
        let after = Package::read(&to).unwrap();
        assert_eq!(data(&after), data(&before));
        assert_eq!(after.limits.time.fixed(), Some(Duration::from_millis(1500)));
    }
    let names: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 3, "something else is left: {names:?}");
}

#[test]
fn a_directory_with_files_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("mine"), "x").unwrap();
    let package = Package::read(&packages()[0]).unwrap();
    let error = stage(&package, Target::Plain, None, dir.path()).unwrap_err();
    assert!(error.what.contains("has files in it"), "{error}");
    let file = dir.path().join("mine");
    let error = stage(&package, Target::Plain, None, &file).unwrap_err();
    assert!(error.what.contains("is not a directory"), "{error}");
    let inside = dir.path().join("missing/package");
    let error = stage(&package, Target::Plain, None, &inside).unwrap_err();
    assert_eq!(error.path, dir.path().join("missing"));
    assert!(error.remedy.unwrap().starts_with("create it: mkdir -p "));
}

/// A package of version 2025-09 with these files.
fn package_of(dir: &Path, files: &[(&str, &str)]) -> Package {
    for (name, content) in files {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    Package::read(dir).unwrap()
}

const YAML: &str = "problem_format_version: 2025-09\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n\
    limits: {time_limit: 1}\n";

#[test]
fn what_no_verdict_depends_on_is_kept_or_listed() {
    let dir = tempfile::tempdir().unwrap();
    let yaml = format!(
        "{YAML}name: {{en: Sum, sq: Shuma, pt: Soma, pt-BR: Some}}\nversion: \"1.10\"\nembargo_until: 2026-12-01\n\
         credits:\n  authors: [{{name: Jo, orcid: 0000-0001}}]\n  testers: Al\n  translators: {{sv: [Bo]}}\n\
         source: NWERC\nlicense: cc0\nkeywords: [easy]\n\
         constants: {{k: {{value: 9, tex: \"9{{,}}9\"}}}}\n"
    );
    let package = package_of(
        &dir.path().join("from"),
        &[
            ("problem.yaml", yaml.as_str()),
            ("statement/problem.en.md", "Up to {{k.tex}}.\n"),
            (
                "statement/problem.sq.tex",
                "Till \\constant{k.tex}, {{k}}.\n",
            ),
            ("statement/problem.pt.md", "Some um.\n"),
            ("statement/problem.pt-BR.md", "Some.\n"),
            ("solution/solution.en.md", "Add.\n"),
            ("generators/a.py", ""),
            ("attachments/a.txt", "a\n"),
            ("attachments/templates/cpp/b.cpp", "b\n"),
            ("data/sample/1.in", ""),
            ("data/sample/1.ans", ""),
            ("data/sample/1.svg", ""),
            ("data/secret/test_group.yaml", "full_feedback: true\n"),
            ("data/secret/1.in", ""),
            ("data/secret/1.ans", ""),
            ("data/secret/1.yaml", "hint: think\n"),
            ("submissions/accepted/a.py", ""),
            (
                "submissions/submissions.yaml",
                "accepted/a.py: {model_solution: true}\n",
            ),
        ],
    );
    let written = |target: Target| {
        let to = dir.path().join(target.name());
        let staged = stage(&package, target, None, &to).unwrap();
        let losses: Vec<String> = staged.losses.iter().map(|loss| loss.what.clone()).collect();
        staged.finish().unwrap();
        (to, losses)
    };
    let (to, losses) = written(Target::Icpc2025);
    let notes = "the authors of submissions, and which one is the model solution";
    assert_eq!(losses, ["the generators", notes]);
    for (name, part) in [
        ("problem.yaml", "version: \"1.10\"\n"),
        ("problem.yaml", "embargo_until: 2026-12-01\n"),
        (
            "problem.yaml",
            "credits: {\"authors\": [{\"name\": \"Jo\", \"orcid\": \"0000-0001\"}], \"testers\": \"Al\", \
             \"translators\": {\"sv\": [\"Bo\"]}}\n",
        ),
        ("statement/problem.sq.tex", "Till 9{,}9, 9.\n"),
        ("solution/solution.en.md", "Add.\n"),
        ("attachments/templates/cpp/b.cpp", "b\n"),
        (
            "data/secret/1.yaml",
            "hint: \"think\"\nfull_feedback: true\n",
        ),
    ] {
        let text = fs::read_to_string(to.join(name)).unwrap();
        assert!(text.contains(part), "{name}: {text}");
    }
    let (to, losses) = written(Target::IcpcLegacy);
    assert_eq!(
        fs::read_to_string(to.join("data/secret/1.hint")).unwrap(),
        "think\n"
    );
    let lost = [
        "credits other than the names of authors",
        "the embargo",
        "the version",
    ];
    let others = ["`full_feedback` of cases", "the code templates"];
    for what in lost.iter().chain(&others) {
        assert!(losses.iter().any(|loss| loss == what), "{what}: {losses:?}");
    }
    let (to, losses) = written(Target::Polygon);
    let documents = [
        "the files for contestants",
        "the illustrations of cases",
        "the hints of cases",
    ];
    let metadata = ["the authors, the source, the licence, the keywords"];
    let titles = [
        "the title in `sq`",
        "the title in `pt-BR`",
        "the description of the solution",
    ];
    // Two statements in one language of Polygon's.
    let one = ["all but one of the files that become `statements/portuguese/problem.tex`"];
    for what in documents.iter().chain(&metadata).chain(&titles).chain(&one) {
        assert!(losses.iter().any(|loss| loss == what), "{what}: {losses:?}");
    }
    let xml = fs::read_to_string(to.join("problem.xml")).unwrap();
    assert_eq!(xml.matches("<name language=").count(), 2, "{xml}");
}

#[test]
fn a_group_that_another_one_requires_is_pass_fail_in_version_2025() {
    let dir = tempfile::tempdir().unwrap();
    let yaml = format!("{YAML}name: Sum\ntype: scoring\n");
    let package = |group: &str, validator: Option<&str>| {
        let _ = fs::remove_dir_all(dir.path().join("from"));
        let files = [
            ("problem.yaml", yaml.as_str()),
            ("data/secret/a/test_group.yaml", group),
            ("data/secret/a/1.in", ""),
            ("data/secret/a/1.ans", ""),
            (
                "data/secret/b/test_group.yaml",
                "max_score: 60\nrequire_pass: secret/a\n",
            ),
            ("data/secret/b/1.in", ""),
            ("data/secret/b/1.ans", ""),
        ];
        let validator = validator.map(|text| ("output_validator/check.py", text));
        let files: Vec<_> = files.into_iter().chain(validator).collect();
        package_of(&dir.path().join("from"), &files)
    };
    let min = "max_score: 40\nscore_aggregation: min\n";
    let pass_fail = "pass-fail\n";
    let exact = "print('same')";
    let partial = "open(sys.argv[3] + 'score_multiplier.txt', 'w')";
    for (group, validator, kind) in [
        ("max_score: 40\n", None, pass_fail),
        (min, None, pass_fail),
        (min, Some(exact), pass_fail),
        (min, Some(partial), "min\n"),
    ] {
        let to = tempfile::tempdir().unwrap();
        let to = to.path().join("to");
        let staged = stage(&package(group, validator), Target::Icpc2025, None, &to).unwrap();
        staged.finish().unwrap();
        let written = fs::read_to_string(to.join("data/secret/a/test_group.yaml")).unwrap();
        let wanted = format!("max_score: 40\nscore_aggregation: {kind}");
        assert_eq!(written, wanted, "{validator:?}");
    }
}

#[test]
fn statements_and_titles_of_polygon_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let yaml = format!("{YAML}name: {{en: Sum, ru: Сумма}}\n");
    let from = dir.path().join("from");
    let files = [
        ("problem.yaml", yaml.as_str()),
        ("statement/problem.en.md", "Add.\n"),
        ("statement/problem.ru.md", "Сложите.\n"),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
    ];
    let polygon = dir.path().join("polygon");
    stage(&package_of(&from, &files), Target::Polygon, None, &polygon)
        .unwrap()
        .finish()
        .unwrap();
    let olymp = "\\begin{problem}{Сумма}{}{}{}{}\nСложите.\n\\InputFile\nДва.\n\\end{problem}\n";
    fs::write(polygon.join("statements/russian/problem.tex"), olymp).unwrap();
    let package = Package::read(&polygon).unwrap();
    let to = dir.path().join("to");
    let staged = stage(&package, Target::Icpc2025, None, &to).unwrap();
    assert!(staged.losses.is_empty(), "{:?}", staged.losses);
    staged.finish().unwrap();
    let written = |name: &str| fs::read_to_string(to.join(name)).unwrap();
    let names = "name:\n  en: \"Sum\"\n  ru: \"Сумма\"\n";
    assert!(
        written("problem.yaml").contains(names),
        "{}",
        written("problem.yaml")
    );
    let russian = "\\problemname{Сумма}\n\nСложите.\n\\section*{Input}\nДва.\n";
    assert_eq!(written("statement/problem.ru.tex"), russian);
    assert!(written("statement/problem.en.tex").contains("Add."));
}

#[test]
fn documents_that_are_not_read_are_listed_and_titles_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let package = package_of(
        &dir.path().join("sum"),
        &[
            (
                "config.yml",
                "title_pl: Suma\ntitle_en: Sum\nsinol_task_id: sum\ntime_limit: 1000\nmemory_limit: 65536\n",
            ),
            ("prog/sum.py", ""),
            ("in/sum1a.in", ""),
            ("out/sum1a.out", ""),
            ("doc/sumzad.pdf", "%PDF"),
            ("solution/sum.py", ""),
        ],
    );
    let to = dir.path().join("to");
    let staged = stage(&package, Target::Icpc2025, None, &to).unwrap();
    let losses: Vec<&str> = staged.losses.iter().map(|loss| &*loss.what).collect();
    assert_eq!(losses, ["the documents in `doc`, which are not read"]);
    staged.finish().unwrap();
    assert!(!to.join("solution").exists());
    let yaml = fs::read_to_string(to.join("problem.yaml")).unwrap();
    assert!(
        yaml.contains("name:\n  pl: \"Suma\"\n  en: \"Sum\"\n"),
        "{yaml}"
    );
}

/// A package may be of somebody else: its links must not put files of the user into what is given on.
#[test]
fn a_link_out_of_the_package_is_not_followed() {
    let dir = tempfile::tempdir().expect("a directory");
    let secret = dir.path().join("secret");
    fs::create_dir(&secret).expect("a directory");
    fs::write(secret.join("key.py"), "secret").expect("it is written");
    for (k, place) in [
        "include/default/x.py",
        "submissions/accepted/a/x.py",
        "output_validator/sub/x.py",
        "input_validators/v/x.py",
        "solution/x.py",
        "attachments/templates/py/x.py",
    ]
    .iter()
    .enumerate()
    {
        for (of, to) in [
            ("file", secret.join("key.py")),
            ("directory", secret.clone()),
        ] {
            let root = dir.path().join(format!("{k}-{of}"));
            for (name, text) in [
                (
                    "problem.yaml",
                    "problem_format_version: 2025-09\nname: P\nlimits: {time_limit: 1}\n\
                                  uuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n",
                ),
                ("data/secret/1.in", "1\n"),
                ("data/secret/1.ans", "1\n"),
                (place, ""),
            ] {
                let path = root.join(name);
                fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
                fs::write(path, text).expect("it is written");
            }
            let link = root.join(place);
            fs::remove_file(&link).expect("it is there");
            std::os::unix::fs::symlink(&to, &link).expect("a link");
            // Some places are refused by the reader.
            let Ok(package) = Package::read(&root) else {
                continue;
            };
            for target in Target::ALL {
                let to = dir.path().join(format!("{k}-{of}-{target:?}"));
                let Ok(staged) = stage(&package, target, None, &to) else {
                    continue;
                };
                staged.finish().expect("it is written");
                for entry in walkdir::WalkDir::new(&to) {
                    let entry = entry.expect("an entry");
                    let text = fs::read(entry.path()).unwrap_or_default();
                    assert_ne!(text, b"secret", "{place}: {}", entry.path().display());
                }
            }
        }
    }
}
