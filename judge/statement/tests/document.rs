//! Documents to print.
#![allow(missing_docs)]

use judge_package::Package;
use judge_statement::document::{Chosen, Cover, Entry, choose, document};
use std::fs;
use std::path::Path;

fn write(dir: &Path, name: &str, content: &str) {
    let path = dir.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

#[test]
fn a_document_has_everything_in_one_file() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    write(
        root,
        "problem.yaml",
        "problem_format_version: 2025-09\nname: {en: 'A & B', sv: Summa}\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n\
         type: interactive\nlimits: {time_limit: 1.5, time_resolution: 0.5, memory: 64}\n",
    );
    write(root, "output_validator/v.py", "");
    write(root, "data/secret/1.in", "1\n");
    write(root, "data/secret/1.ans", "");
    write(root, "data/sample/1.interaction", "<1 2\n>3\n>4\n<ok <b>\n");
    write(
        root,
        "statement/problem.en.md",
        "Text with $a^2$.\n\n![x](fig.png) <script>alert(1)</script>\n",
    );
    write(
        root,
        "statement/problem.sv.tex",
        "Text med \\textbf{fetstil}.\n",
    );
    write(root, "statement/fig.png", "image");
    let package = Package::read(root).unwrap();
    let entry = || Entry {
        package: &package,
        letter: Some("C".to_owned()),
        color: Some(("red".to_owned(), "#ff0000".to_owned())),
        time_limit: None,
    };
    let chosen = |language: Option<&str>| match choose(&package, language) {
        Chosen::File(file) => file,
        other => panic!("a file, not {other:?}"),
    };
    let english = document(None, &[(entry(), chosen(None))]).unwrap();
    for part in [
        "<title>A &amp; B</title>",
        "<span class=\"letter\">C</span>A &amp; B</h1>",
        "<dt>Time limit</dt><dd>1.5 s</dd>",
        "<dd>64 MiB</dd>",
        "<math",
        "src=\"data:image/png;base64,aW1hZ2U=\"",
        "<div class=\"says submission\"><pre>3\n4\n</pre></div>",
        "<pre>ok &lt;b&gt;\n</pre>",
    ] {
        assert!(english.contains(part), "no {part} in {english}");
    }
    assert!(!english.contains("<script"), "{english}");

    let cover = Cover {
        title: "Finals".to_owned(),
        lines: vec!["2026".to_owned()],
    };
    let swedish = document(Some(&cover), &[(entry(), chosen(Some("sv")))]).unwrap();
    for part in [
        "<html lang=\"sv\">",
        "<h1>Finals</h1>",
        "<th>C</th><td>Summa</td>",
        "background:#ff0000",
        "<strong>fetstil</strong>",
        "Minnesgräns",
    ] {
        assert!(swedish.contains(part), "no {part} in {swedish}");
    }
    assert_eq!(
        choose(&package, Some("de")),
        Chosen::None(vec!["en".into(), "sv".into()])
    );
}
