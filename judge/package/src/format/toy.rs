//! An invented format, which shows what a format needs: this file, and a line in `FORMATS`.
//!
//! `problem.json`: `{"title": TEXT, "seconds": NUMBER, "tests": [[INPUT, ANSWER], ...]}`.

use super::common::{begin, no_cases};
use super::{Format, Match};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::units::seconds;
use crate::model::{Package, TestCase, TimeLimit};

pub struct Toy;

impl Format for Toy {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        dir.has_file("problem.json").then(|| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        begin(builder, "toy");
        let PackageBuilder { tree, package, .. } = builder;
        // JSON is YAML.
        let json = tree.yaml(&tree.root.join("problem.json"))?;
        json.only(&["title", "seconds", "tests"])?;
        if let Some(title) = json.get("title") {
            package.name = title.text()?.to_owned();
        }
        if let Some(time) = json.get("seconds") {
            package.limits.time = TimeLimit::Given(seconds(time)?);
        }
        for test in json
            .get("tests")
            .map_or(Ok(&[][..]), |tests| tests.items())?
        {
            let names = test.texts()?;
            let [input, answer] = &names[..] else {
                return Err(test
                    .error("a test has an input and an answer")
                    .remedy("write `[INPUT, ANSWER]`"));
            };
            package.data.cases.push(TestCase {
                name: input.clone(),
                input: tree.dir.file(input)?.into_path().into(),
                answer: Some(tree.dir.file(answer)?.into_path().into()),
                ..TestCase::default()
            });
        }
        if package.data.cases.is_empty() {
            return Err(no_cases(tree, &tree.root));
        }
        Ok(())
    }
}

fn package(json: &str) -> (tempfile::TempDir, Result<Package, PackageError>) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("problem.json"), json).unwrap();
    for name in ["one", "two"] {
        std::fs::write(dir.path().join(name), name).unwrap();
    }
    let package = Package::read(dir.path());
    (dir, package)
}

#[test]
fn a_format_is_one_file_and_one_line() {
    let (_dir, package) =
        package(r#"{"title": "Sum", "seconds": 1.5, "tests": [["one", "two"], ["one", "two"]]}"#);
    let package = package.unwrap();
    assert_eq!((package.format, &*package.name), ("toy", "Sum"));
    assert_eq!(
        package.limits.time,
        TimeLimit::Given(std::time::Duration::from_millis(1500))
    );
    // The guarantees about every package hold without any code in the format.
    let names: Vec<&str> = package.cases().iter().map(|case| &*case.name).collect();
    assert_eq!(names, ["one", "one-2"]);
    let findings = crate::lint(&package);
    assert_eq!(findings.len(), 1);
    assert!(findings[0].error.what.contains("is the same input as"));
}

#[test]
fn errors_of_a_format_have_positions_and_names_are_contained() {
    let (_dir, found) = package("{\"tests\":\n [[\"one\"]]}");
    assert_eq!(found.unwrap_err().position, Some((2, 3)));
    let (_dir, found) = package(r#"{"tests": [["../one", "two"]]}"#);
    assert!(found.unwrap_err().what.contains("not a path inside"));
}
