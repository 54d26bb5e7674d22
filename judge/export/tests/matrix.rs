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
