//! Packages of Library Checker.

use super::{complaint, files};
use judge_package::Package;
use judge_package::Verdict::{Accepted, TimeLimitExceeded};
use std::fs;

#[test]
fn library_checker_after_generation() {
    let info = "title = 'A + B'\ntimelimit = 2.0\n[[tests]]\nname = 'example.in'\nnumber = 1\n\
                [[tests]]\nname = 'random.cpp'\nnumber = 2\n[[solutions]]\nname = 'slow.cpp'\n\
                expect = 'TLE'\n";
    let dir = files(&[
        ("info.toml", info),
        ("checker.cpp", ""),
        ("verifier.cpp", ""),
        ("sol/correct.cpp", ""),
        ("sol/slow.cpp", ""),
        ("in/example_00.in", ""),
        ("out/example_00.out", ""),
        ("in/random_00.in", ""),
        ("out/random_00.out", ""),
    ]);
    let package = Package::read(dir.path()).unwrap();
    assert_eq!(package.format, "Library Checker");
    assert!(package.data.cases[0].sample);
    let slow = &package.submissions[1].expected;
    assert_eq!(slow.required, [TimeLimitExceeded]);
    assert_eq!(slow.permitted, [Accepted, TimeLimitExceeded]);
    // One of the two random cases is missing.
    assert_eq!(package.findings.len(), 1);
    assert_eq!(
        complaint(&files(&[("info.toml", "title = 3\n")]), ""),
        "info.toml:1:9: is not as expected: invalid type: integer `3`, expected a string"
    );
}

#[test]
fn library_checker_keys_that_are_misspelt_are_rejected() {
    let start = "title = 'x'\ntimelimit = 1\n";
    for (info, place, known) in [
        (
            "timelimt = 1\n".to_owned(),
            "1:1: unknown key `timelimt`",
            "timelimit",
        ),
        (
            format!("{start}[[test]]\nname = 'a.cpp'\n"),
            "3:3: unknown key `test`",
            "tests",
        ),
        (
            format!("{start}[[solutions]]\nname = 'a.cpp'\nworng = true\n"),
            "5:1: unknown key `worng`",
            "wrong",
        ),
    ] {
        assert_eq!(
            complaint(&files(&[("info.toml", &info)]), ""),
            format!("info.toml:{place}\n  help: did you mean `{known}`?")
        );
    }
    // Other keys belong to other tools of the format.
    let more = format!("forum = 'x'\nlabels = []\n{}", LIBRARY[0].1);
    let dir = files(&LIBRARY);
    fs::write(dir.path().join("p/info.toml"), more).unwrap();
    assert_eq!(complaint(&dir, "p"), "no error");
}

const LIBRARY: [(&str, &str); 5] = [
    (
        "p/info.toml",
        "title = 'x'\ntimelimit = 1\n[[tests]]\nname = 'a.cpp'\n[[solutions]]\nname = 'wrong.cpp'\n",
    ),
    ("p/gen/a.cpp", ""),
    ("p/sol/correct.cpp", ""),
    ("p/sol/wrong.cpp", ""),
    ("outside.cpp", "int secret;"),
];

#[test]
fn library_checker_names_stay_inside_of_the_package() {
    let link = |place: &str| {
        let dir = files(&LIBRARY);
        let place = dir.path().join("p").join(place);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&place);
        std::os::unix::fs::symlink(dir.path().join("outside.cpp"), place).unwrap();
        dir
    };
    for place in [
        "sol/correct.cpp",
        "sol/wrong.cpp",
        "gen/a.cpp",
        "checker.cpp",
        "verifier.cpp",
        "hash.json",
        "info.toml",
    ] {
        let dir = link(place);
        let error = complaint(&dir, "p");
        assert!(error.contains("out of the package"), "{place}: {error}");
    }
    let dir = link("out/a_00.out");
    fs::create_dir_all(dir.path().join("p/in")).unwrap();
    fs::write(dir.path().join("p/in/a_00.in"), "").unwrap();
    let error = complaint(&dir, "p");
    assert!(error.contains("out of the package"), "{error}");

    let dir = files(&LIBRARY);
    let outside = dir.path().join("outside.cpp").display().to_string();
    for (key, value) in [
        ("checker", &*outside),
        ("verifier", &outside),
        ("checker", "../outside.cpp"),
    ] {
        let info = format!("{key} = '{value}'\n{}", LIBRARY[0].1);
        fs::write(dir.path().join("p/info.toml"), info).unwrap();
        let error = complaint(&dir, "p");
        assert!(
            error.contains("is not a path inside of the package"),
            "{key}: {error}"
        );
    }
    let info = LIBRARY[0].1.replace("'a.cpp'", "'../../outside.cpp'");
    fs::write(dir.path().join("p/info.toml"), info).unwrap();
    assert!(Package::read(&dir.path().join("p")).is_err());
}

#[test]
fn a_count_of_cases_is_bounded() {
    let dir = files(&LIBRARY);
    for (number, count) in [("4000000000", "4000000000"), ("100001", "100001")] {
        let info = LIBRARY[0]
            .1
            .replace("'a.cpp'", &format!("'a.cpp'\nnumber = {number}"));
        fs::write(dir.path().join("p/info.toml"), info).unwrap();
        let error = complaint(&dir, "p");
        assert!(
            error.contains(&format!("has {count} test cases; at most 100000")),
            "{error}"
        );
    }
}
