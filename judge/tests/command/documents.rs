//! `judge statement`, `judge contest` and `judge upgrade`.

use crate::common::{Bench, asserted, said};

/// A package with statements in two languages, below `problems/`.
fn problem(bench: &Bench) {
    bench.sums("time_limit: 1");
    for (name, text) in [
        ("statement/problem.en.md", "Add $a$ and $b$.\n"),
        ("statement/problem.sv.md", "Addera $a$ och $b$.\n"),
        (
            "submissions/accepted/a.py",
            "print(sum(map(int, input().split())))\n",
        ),
        ("submissions/wrong_answer/b.py", "print(0)\n"),
    ] {
        bench.write(&format!("sums/{name}"), text);
    }
}

/// Whether a browser is installed that prints.
fn has_browser() -> bool {
    has_one_of(&["chromium", "chromium-browser", "google-chrome"])
}

/// Whether one of these programs is installed.
fn has_one_of(names: &[&str]) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let dirs: Vec<_> = std::env::split_paths(&path).collect();
    names
        .iter()
        .any(|name| dirs.iter().any(|dir| dir.join(name).is_file()))
}

#[test]
fn a_statement_is_written_as_html_and_as_pdf() {
    let bench = Bench::new();
    problem(&bench);
    asserted(&bench, &["statement", "sums"]).success();
    let english = bench.read("sums.html");
    for part in ["Add <math", "<dd>1 s</dd>", "<pre>0 4\n</pre>"] {
        assert!(english.contains(part), "no {part} in {english}");
    }
    let args = ["statement", "sums", "--language", "sv", "--html", "sv.html"];
    asserted(&bench, &args).success();
    assert!(bench.read("sv.html").contains("Exempelindata"));
    let args = ["statement", "sums", "--language", "de", "--html", "de.html"];
    let failed = asserted(&bench, &args).code(2);
    let text = said(failed.get_output());
    assert!(
        text.contains("has no statement in `de`\n  help: its languages are en, sv"),
        "{text}"
    );
    assert!(!bench.path("de.html").exists());

    let args = ["statement", "sums", "--pdf", "out.pdf"];
    match has_browser() {
        true => {
            asserted(&bench, &args).success();
            let pdf = std::fs::read(bench.path("out.pdf")).expect("a document");
            assert!(pdf.starts_with(b"%PDF") && pdf.len() > 1000);
        }
        false => {
            let text = said(asserted(&bench, &args).code(2).get_output());
            assert!(text.contains("no browser is installed"), "{text}");
        }
    }
}

#[test]
fn a_statement_that_is_shown_as_its_source_is_a_warning() {
    if has_one_of(&["pandoc"]) {
        return; // it converts what the judge does not
    }
    let bench = Bench::new();
    problem(&bench);
    let statement = "sums/statement/problem.en.tex";
    std::fs::remove_file(bench.path("sums/statement/problem.en.md")).expect("it is removed");
    bench.write(statement, "\\problemname{Sum}\nAdd \\foo{a}.\n");
    let text = said(
        asserted(&bench, &["statement", "sums"])
            .success()
            .get_output(),
    );
    let warning = "problem.en.tex:2: `\\foo{a}.` is not converted: the source is shown instead";
    assert!(text.contains(warning), "{text}");
    bench.write(statement, "\\begin{tabular}{c}a\\\\\\end{tabular}\n");
    let text = said(
        asserted(&bench, &["statement", "sums"])
            .success()
            .get_output(),
    );
    assert!(!text.contains("warning"), "{text}");
}

#[test]
fn a_statement_is_made_by_latex() {
    let bench = Bench::new();
    problem(&bench);
    let latex = |expected: i32| {
        let args = ["statement", "sums", "--pdf", "out.pdf", "--engine", "latex"];
        said(asserted(&bench, &args).code(expected).get_output())
    };
    if !has_one_of(&["pdflatex"]) {
        let text = latex(2);
        assert!(
            text.contains("pdflatex is not installed\n  help: "),
            "{text}"
        );
        println!("skipped: pdflatex is not installed");
        return;
    }
    // The text of a sample has no meaning for TeX.
    bench.write("sums/data/sample/2.in", "1 2 \\end{verbatim} %&\n");
    bench.write("sums/data/sample/2.ans", "3\n");
    bench.write(
        "sums/statement/problem.en.md",
        "Add $a_1$ & **b**.\n\n{{nextsample}}\n\nDone.\n",
    );
    latex(0);
    let pdf = std::fs::read(bench.path("out.pdf")).expect("a document");
    assert!(pdf.starts_with(b"%PDF") && pdf.len() > 1000);

    std::fs::remove_file(bench.path("out.pdf")).expect("it is removed");
    std::fs::remove_file(bench.path("sums/statement/problem.en.md")).expect("it is removed");
    let tikz = std::process::Command::new("kpsewhich")
        .arg("tikz.sty")
        .output();
    if tikz.is_ok_and(|found| found.status.success()) {
        let picture = "\\begin{tikzpicture} \\draw (0,0) -- (1,1); \\end{tikzpicture}\n";
        bench.write("sums/statement/problem.en.tex", picture);
        latex(0);
        std::fs::remove_file(bench.path("out.pdf")).expect("it is removed");
    }
    for (line, reason) in [
        (
            "\\problemname{Sums} \\unheard{of}",
            "Undefined control sequence.",
        ),
        (
            "\\input{/etc/passwd}",
            "LaTeX Error: File `/etc/passwd.tex' not found.",
        ),
    ] {
        bench.write("sums/statement/problem.en.tex", &format!("Add.\n{line}\n"));
        let text = latex(2);
        let error = format!("problem.en.tex:2: pdflatex: {reason}\n  help: leave out --engine");
        assert!(text.contains(&error), "{text}");
    }
    assert!(!bench.path("out.pdf").exists());
}

#[test]
fn a_contest_has_a_booklet_and_a_table_of_solutions() {
    let bench = Bench::new();
    problem(&bench);
    bench.write("contest.yaml", "name: Finals\nstart_time: 2026-11-27\n");
    bench.write(
        "problems.yaml",
        "- {id: sums, label: C, color: red, rgb: '#ff0000'}\n",
    );
    let args = ["contest", ".", "--no-verify", "--html", "booklet.html"];
    let done = asserted(&bench, &args).success();
    let table = said(done.get_output());
    assert!(
        table.contains("problem  AC  WA  TLE  RTE  other  languages\n"),
        "{table}"
    );
    assert!(
        table.contains("C  Sums      1   1                   py\n"),
        "{table}"
    );
    let booklet = bench.read("booklet.html");
    for part in [
        "<h1>Finals</h1>",
        "2026-11-27",
        "background:#ff0000",
        "<span class=\"letter\">C</span>",
    ] {
        assert!(booklet.contains(part), "no {part} in {booklet}");
    }
    // The packages are verified, unless that is left out: this one has no input validator.
    let done = asserted(&bench, &["contest"]).code(1);
    assert!(
        said(done.get_output()).contains("2 submissions"),
        "{}",
        said(done.get_output())
    );

    bench.write("problems.yaml", "- {id: other, label: C}\n");
    let text = said(
        asserted(&bench, &["contest", "--no-verify"])
            .code(2)
            .get_output(),
    );
    assert!(
        text.contains("problems.yaml:1:3: there is no package `other`"),
        "{text}"
    );
    bench.write("problems.yaml", "- {id: sums}\n- {id: sums, label: D}\n");
    let text = said(
        asserted(&bench, &["contest", "--no-verify"])
            .code(2)
            .get_output(),
    );
    assert!(
        text.contains("problems.yaml:2:3: `sums` or its label `D` is given twice"),
        "{text}"
    );
    let text = said(asserted(&bench, &["contest", "sums"]).code(2).get_output());
    assert!(text.contains("sums: there is no contest.yaml"), "{text}");
    for (problems, message) in [
        (
            "- {id: sums, rgb: zzz}\n",
            "problems.yaml:1:19: `zzz` is not a colour",
        ),
        (
            "- id: sums\n  rgb: #ff0000\n",
            "problems.yaml:2:6: `rgb` has no value: `#` begins a comment",
        ),
        (
            "- {id: sums, labl: B}\n",
            "problems.yaml:1:14: unknown key `labl`\n  help: did you mean `label`?",
        ),
    ] {
        bench.write("problems.yaml", problems);
        let refused = asserted(&bench, &["contest", "--no-verify"]).code(2);
        let text = said(refused.get_output());
        assert!(text.contains(message), "{text}");
    }
    // A name of a colour is no more than that.
    bench.write(
        "problems.yaml",
        "- {id: sums, color: 'red;position:fixed'}\n",
    );
    asserted(&bench, &args).success();
    let booklet = bench.read("booklet.html");
    assert!(booklet.contains("style=\"background:none\""), "{booklet}");
}

#[test]
fn a_legacy_package_is_upgraded_in_place() {
    let bench = Bench::new();
    bench.sums("");
    bench.write(
        "sums/problem.yaml",
        "name: Sums # of two\nvalidator_flags: case_sensitive\n",
    );
    bench.write(
        "sums/submissions/accepted/a.py",
        "print(sum(map(int, input().split())))\n",
    );
    bench.write(
        "sums/submissions/time_limit_exceeded/b.py",
        "while True:\n    pass\n",
    );
    let done = asserted(&bench, &["upgrade", "sums"]).success();
    let text = said(done.get_output());
    assert!(
        text.contains("sums: is of version 2025-09 now\ncheck: "),
        "{text}"
    );
    let yaml = bench.read("sums/problem.yaml");
    assert!(
        yaml.contains("problem_format_version: 2025-09") && yaml.contains("# of two"),
        "{yaml}"
    );
    let text = said(asserted(&bench, &["upgrade", "sums"]).code(2).get_output());
    assert!(text.contains("only version legacy is upgraded"), "{text}");
}
