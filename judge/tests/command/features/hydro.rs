//! Hydro: points of checkers, submitted answers.

use super::judged;
use crate::common::Bench;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Lemon's checker gets the points of the case and writes its own into a file.
#[test]
fn points_of_a_lemon_checker() {
    let bench = Bench::new();
    let checker = "import sys\ngiven, found, answer, full, score, message = sys.argv[1:]\n\
                   text = open(found).read().strip()\n\
                   open(score, 'w').write(full if text == 'full' else text)\n";
    bench.write_all(
        "p",
        &[
            (
                "config.yaml",
                "checker_type: lemon\nchecker: lemon.py\ntime: 5s\n\
                 cases: [{input: 1.in, output: 1.out, score: 25}]\n",
            ),
            ("1.in", "1\n"),
            ("1.out", "1\n"),
            ("lemon.py", checker),
        ],
    );
    let package = bench.path("p");
    for (text, verdict, score) in [
        ("full", "AC", Some(25.0)),
        ("25", "AC", Some(25.0)),
        ("10.9", "PAC", Some(10.0)),
        ("", "WA", Some(0.0)),
        ("-3", "WA", Some(0.0)),
        ("many", "WA", Some(0.0)),
        ("100", "JE", None),
    ] {
        let program = bench.write("mine.sh", &format!("echo '{text}'\n"));
        let result = judged(&bench, &package, &program);
        let found = (result.verdict.as_str(), result.score);
        assert_eq!(found, (verdict, score), "{text:?} {}", result.said);
    }
}

/// Hydro's `submit_answer`: an archive with a file for each case, or one file for all.
#[test]
fn submitted_answers_of_hydro() {
    let bench = Bench::new();
    let cases = "cases: [{input: 1.in, output: 1.out}, {input: 2.in, output: 2.out}]\n";
    bench.write_all(
        "p",
        &[
            ("1.in", "first.txt\n"),
            ("1.out", "3\n"),
            ("2.in", "second!\n"),
            ("2.out", "4\n"),
        ],
    );
    let package = bench.path("p");
    let archive = |files: &[(&str, &str)]| {
        let path = bench.path("sub.zip");
        let mut archive = zip::ZipWriter::new(fs::File::create(&path).unwrap());
        for (name, text) in files {
            let options = zip::write::SimpleFileOptions::default();
            archive.start_file(*name, options).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        archive.finish().unwrap();
        path
    };
    let is = |config: &str, submission: &Path, verdict: &str, score: f64| {
        bench.write(
            "p/config.yaml",
            &format!("type: submit_answer\n{config}{cases}"),
        );
        let result = judged(&bench, &package, submission);
        let found = (result.verdict.as_str(), result.score);
        assert_eq!(found, (verdict, Some(score)), "{config} {}", result.said);
    };
    let numbered = "subType: multi\nfilename: ans#.txt\n";
    let right = archive(&[("ans1.txt", "3"), ("ans2.txt", "4\n")]);
    is(numbered, &right, "AC", 100.0);
    is(
        numbered,
        &archive(&[("ans1.txt", "3"), ("d/ans2.txt", "4")]),
        "PAC",
        50.0,
    );
    bench.write_all("sub", &[("ans1.txt", "3\n"), ("ans2.txt", "5\n")]);
    is(numbered, &bench.path("sub"), "PAC", 50.0);
    is(numbered, &bench.write("ans2.txt", "4\n"), "PAC", 50.0);
    is(numbered, &bench.write("other.txt", "4\n"), "WA", 0.0);
    // Without a name, the text of the input is the name.
    let named = archive(&[("first.txt", "3"), ("second", "4")]);
    is("subType: multi\n", &named, "AC", 100.0);
    is("", &bench.write("one.txt", "4\n"), "PAC", 50.0);
}
