//! `judge export --to domjudge`: what DOMjudge's importer reads beyond version legacy.

use crate::common::{Bench, asserted};
use std::fs::File;
use std::io::Read;
use zip::ZipArchive;

/// The names in the exported archive, and the content of the statement with this name.
fn exported(bench: &Bench, statement: &str) -> (Vec<String>, String) {
    asserted(
        bench,
        &["export", "sums", "--to", "domjudge", "-o", "sums.zip"],
    )
    .success();
    let archive = File::open(bench.path("sums.zip")).expect("the archive");
    let mut archive = ZipArchive::new(archive).expect("an archive");
    let names = archive
        .file_names()
        .map(|name| name.expect("UTF-8").into_owned())
        .collect();
    let mut content = String::new();
    if let Ok(mut file) = archive.by_name(statement) {
        file.read_to_string(&mut content).expect("text");
    }
    (names, content)
}

#[test]
fn the_statement_and_submissions_of_several_files_are_where_domjudge_looks() {
    let bench = Bench::new();
    bench.sums("time_limit: 1");
    bench.write(
        "sums/statement/problem.sv.tex",
        "\\problemname{Summa}\nAddera $a$.\n",
    );
    bench.write("sums/statement/problem.en.md", "Add $a$ and $b$.\n");
    for (file, text) in [("main.py", "import other\n"), ("other.py", "print(4)\n")] {
        bench.write(&format!("sums/submissions/accepted/two/{file}"), text);
    }
    let (names, html) = exported(&bench, "problem.html");
    assert!(html.contains("Add <math"), "{html}");
    // The importer finds a submission of several files by the entry of its directory.
    for name in [
        "submissions/accepted/two/",
        "submissions/accepted/two/main.py",
        "problem.yaml",
    ] {
        assert!(names.iter().any(|own| own == name), "{name} in {names:?}");
    }
    assert!(!names.iter().any(|name| name == "/"), "{names:?}");

    bench.write("sums/statement/problem.en.pdf", "%PDF-1.7 of the package");
    let (names, pdf) = exported(&bench, "problem.pdf");
    assert_eq!(pdf, "%PDF-1.7 of the package");
    assert!(
        !names.iter().any(|name| name == "problem.html"),
        "{names:?}"
    );
}

#[test]
fn what_domjudge_does_not_read_is_listed_and_both_types_are_written() {
    let bench = Bench::new();
    bench.sums("time_limit: 1");
    bench.write("sums/include/default/lib.py", "\n");
    bench.write("sums/output_validator/v.py", "import sys\nsys.exit(42)\n");
    let yaml = bench.read("sums/problem.yaml");
    bench.write(
        "sums/problem.yaml",
        &format!("{yaml}type: [interactive, multi-pass]\n"),
    );
    let args = ["export", "sums", "--to", "domjudge", "-o", "out"];
    let done = asserted(&bench, &args).success();
    let said = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
    assert!(
        said.contains("changes verdicts: the files that are compiled with submissions"),
        "{said}"
    );
    let yaml = bench.read("out/problem.yaml");
    assert!(yaml.contains("type: interactive multi-pass\n"), "{yaml}");
}
