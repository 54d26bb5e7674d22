//! Formats of other tools that are known and not read.

use crate::files::{complaint, directory, write};
use judge_package::Package;
use std::fs;

/// Pairs that a plain directory would have.
const PAIRS: [(&str, &str); 4] = [
    ("input/input0.txt", "5\n"),
    ("output/output0.txt", "6\n"),
    ("in/1.in", "5\n"),
    ("out/1.out", "6\n"),
];

/// A directory of each format, and what it is called.
const FORMATS: [(&str, &[(&str, &str)]); 18] = [
    (
        "a task of the Contest Management System (`gen/GEN`)",
        &[("gen/GEN", "1\n2\n"), ("sol/a.cpp", "")],
    ),
    (
        "an export of the Contest Management System (`contest.json`)",
        &[("contest.json", "{\"_version\": 40, \"_objects\": [\"0\"]}")],
    ),
    (
        "an export of the Contest Management System (`contest.json`)",
        &[
            ("contest.json", "{}"),
            ("files/a", ""),
            ("descriptions/a", ""),
        ],
    ),
    (
        "a task of task-maker (`task.toml`)",
        &[("task.toml", "title = 'x'\n"), ("gen/gen.toml", "")],
    ),
    (
        "a problem of QDUOJ (`problem.json`)",
        &[(
            "problem.json",
            "{\"display_id\": \"A\", \"test_case_score\": []}",
        )],
    ),
    (
        "a problem of Rime (`PROBLEM`)",
        &[("PROBLEM", "problem(time_limit=1.0)\n")],
    ),
    (
        "a project of Rime (`PROJECT`)",
        &[("PROJECT", "use_plugin('judge_system.aoj')\n")],
    ),
    (
        "a problem of TCFrame (`spec.cpp`)",
        &[("spec.cpp", "#include <tcframe/spec.hpp>\n")],
    ),
    (
        "a problem of BOCA (`description/problem.info`)",
        &[
            ("description/problem.info", "basename=a\n"),
            ("limits/c", ""),
        ],
    ),
    (
        "a contest of Lemon (`day1.cdf`)",
        &[("day1.cdf", "{}"), ("data/a", "")],
    ),
    (
        "a problem of Themis (`Settings.cfg`)",
        &[("Settings.cfg", "<ExamInformation Name=\"A\"/>")],
    ),
    (
        "a contest of Arbiter (`evaldata`)",
        &[("evaldata/a1.in", ""), ("players/x", ""), ("result/x", "")],
    ),
    (
        "a problem of UOJ (`problem.conf`)",
        &[
            ("problem.conf", "use_builtin_judger on\nn_tests 1\n"),
            ("chk.cpp", ""),
        ],
    ),
    (
        "a problem of SYZOJ (`data.yml`)",
        &[(
            "data.yml",
            "specialJudge: {language: cpp, fileName: spj.cpp}\n",
        )],
    ),
    (
        "a problem of omegaUp (`validator.cpp`)",
        &[
            ("validator.cpp", ""),
            ("cases/1.in", ""),
            ("solutions/es.markdown", ""),
        ],
    ),
    (
        "a problem of ejudge (`problem.cfg`)",
        &[("problem.cfg", "short_name = \"A\"\ncheck_cmd = \"check\"\n")],
    ),
    (
        "an export of HUSTOJ (Free Problem Set) (`fps.xml`)",
        &[(
            "fps.xml",
            "<?xml version=\"1.0\"?>\n<fps version=\"1.2\"></fps>",
        )],
    ),
    (
        "a problem of Lyrio (`judge.yml`)",
        &[(
            "judge.yml",
            "subtasks:\n  - testcases: [{inputFile: 1.in}]\n",
        )],
    ),
];

#[test]
fn a_task_whose_description_lies_beside_it_is_refused_by_name() {
    let dir = directory("sum", &PAIRS);
    write(
        dir.path(),
        "sum.yaml",
        "name: sum\ntime_limit: 1\nn_input: 1\n",
    );
    assert!(
        complaint(&dir, "sum").contains("is a task of the Contest Management System"),
        "{}",
        complaint(&dir, "sum")
    );
}

#[test]
fn a_contest_of_polygon_is_refused_with_a_hint_at_its_problems() {
    let contest = [(
        "contest.xml",
        "<?xml version=\"1.0\"?>\n<contest url=\"x\">\n</contest>\n",
    )];
    let dir = directory("round", &contest);
    assert_eq!(
        complaint(&dir, "round"),
        "round: is a contest of Polygon (`contest.xml`), which is not supported\n  help: name one of \
         its problems: a directory of `problems/`"
    );
    let dir = directory("round", &[("contest.rbx.yml", "name: a\n")]);
    assert_eq!(
        complaint(&dir, "round"),
        "round: is a contest of rbx (`contest.rbx.yml`), which is not supported\n  help: give the \
         directory of one of its problems, which has a `problem.rbx.yml`"
    );
}

#[test]
fn known_formats_are_refused_by_name_before_plain_directories() {
    for (name, files) in FORMATS {
        for dir in [
            directory("sum", files),
            directory("sum", PAIRS.iter().chain(files)),
        ] {
            assert_eq!(
                complaint(&dir, "sum"),
                format!(
                    "sum: is {name}, which is not supported\n  help: put its tests into a directory as \
                     `NAME.in` and `NAME.ans`, and judge that with --time-limit, --memory and --checker"
                )
            );
        }
        // The file that identifies it, if it is one.
        let dir = directory("sum", files);
        let (_, mark) = name.split_once(" (`").expect("a mark");
        let file = format!("sum/{}", mark.trim_end_matches("`)"));
        let is_file = dir.path().join(&file).is_file();
        let error = complaint(&dir, &file);
        assert!(
            error.contains(&format!("{file}: is part of {name}")) || !is_file,
            "{error}"
        );
        // A directory of several.
        let above = complaint(&dir, "");
        let named = format!(": holds {}", name.replace("(`", "(`sum/"));
        assert!(above.contains(&named), "{above}");
        // One that is read is meant.
        write(dir.path(), "plain/1.{in,out}", "");
        let above = complaint(&dir, "");
        assert!(above.contains("in it are: `plain`, `sum`"), "{above}");
    }
}

#[test]
fn a_directory_that_resembles_a_known_format_is_plain() {
    for files in [
        &[("task.yaml", "version: 3\ntasks: {build: make}\n")][..],
        &[("config.yml", "theme: dark\n"), ("prog/a.cpp", "")],
        &[("config.yaml", "editor: {tabs: 4}\n")],
        &[(
            "problem.json",
            "{\"name\": \"A\", \"timeLimit\": 2000, \"tests\": []}",
        )],
        &[("PROBLEM", "Add two numbers.\n")],
        &[("PROJECT", "My solutions\n")],
        &[("spec.cpp", "int main() {}\n")],
        &[("gen/GEN", "1\n")],
        &[("contest.json", "{\"name\": \"x\"}")],
        &[("Settings.cfg", "width=80\n")],
        &[("notes.xml", "<notes/>"), ("x.cdf", "")],
        &[("settings.json", "{\"timeLimit\": 1}")],
        &[("cases/2.{in,out}", ""), ("solutions/a.cpp", "")],
        &[("serve.cfg", "port = 80\n"), ("data.yml", "a: 1\n")],
        &[("problem.conf", "title = A\n")],
    ] {
        let dir = directory("sum", PAIRS[2..].iter().chain(files));
        let package = Package::read(&dir.path().join("sum")).unwrap();
        assert_eq!(package.format, "plain directory", "{files:?}");
    }
    // A misspelt key of Hydro is still an error.
    let dir = directory(
        "sum",
        &[("config.yml", "memori: 64m\n"), ("1.in", ""), ("1.out", "")],
    );
    assert!(complaint(&dir, "sum").contains("did you mean `memory`?"));
}

#[test]
fn a_known_format_in_an_archive_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("any.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for (name, text) in PAIRS.iter().chain(FORMATS[0].1) {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(format!("any/{name}"), options).unwrap();
        std::io::Write::write_all(&mut zip, text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let error = Package::read(&path).unwrap_err();
    assert!(error.what.contains(FORMATS[0].0), "{error}");
    assert_eq!(error.path, path);
}
