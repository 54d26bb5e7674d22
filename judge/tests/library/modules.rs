//! The imports between the modules of the judge: ARCHITECTURE.md lists them all, and there is no
//! circle.

#[path = "../common/imports.rs"]
mod imports;

use crate::files::write;
use imports::{Source, Table, circles, circles_of_files, documented, rows};
use std::collections::BTreeSet;
use std::path::Path;

/// The crates of the workspace that the table lists like modules.
const CRATES: [(&str, &str); 3] = [
    ("judge_bundle::", "judge-bundle"),
    ("judge_package::", "judge-package"),
    ("judge_sandbox::", "judge-sandbox"),
];

fn source() -> Source {
    Source::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// The imports between the modules of the crate's root, from their source.
fn found() -> Table {
    let source = source();
    let mut found = source.table();
    for (module, code) in source.code() {
        let crates = CRATES.iter().filter(|(path, _)| code.contains(path));
        if let Some(targets) = module.first().and_then(|module| found.get_mut(module)) {
            targets.extend(crates.map(|(_, name)| (*name).to_owned()));
        }
    }
    found
}

#[test]
fn the_table_of_imports_is_what_the_source_imports() {
    let found = found();
    assert!(
        found.len() > 10 && found["cli"].contains("judging"),
        "the source is read"
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ARCHITECTURE.md");
    assert_eq!(
        rows(&documented(&path, "module")),
        rows(&found),
        "the table in ARCHITECTURE.md (left) and the source (right)"
    );
}

#[test]
fn modules_import_each_other_in_no_circle() {
    assert_eq!(circles(&found()), Vec::<BTreeSet<String>>::new());
}

#[test]
fn files_import_each_other_in_no_circle() {
    assert_eq!(circles_of_files(&source()), Vec::<String>::new());
}

#[test]
fn every_form_of_an_import_is_seen() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("lib.rs", "mod a;\nmod b;\nmod c;\n"),
        (
            "a.rs",
            "mod inner;\n#[cfg(test)]\nmod tests;\npub use inner::Thing as Other;\npub struct Own;\n",
        ),
        (
            "a/inner.rs",
            "use super::Own;\nuse crate::{\n    b::{x, y::Z},\n    c,\n};\n",
        ),
        ("a/tests.rs", "use crate::d::only_in_tests;\n"),
        (
            "b.rs",
            "// use crate::c::in_a_comment;\nfn f() { crate::a::Other::new() }\n",
        ),
        (
            "c.rs",
            "#[cfg(test)]\nmod tests {\n    use crate::a::Own;\n}\n",
        ),
    ] {
        write(dir.path(), name, text);
    }
    let graph = Source::read(dir.path()).graph();
    let list = |module: &[&str]| -> Vec<String> {
        let module: Vec<String> = module.iter().map(|&part| part.to_owned()).collect();
        graph[&module]
            .iter()
            .map(|target| target.join("::"))
            .collect()
    };
    assert_eq!(list(&["a", "inner"]), ["b", "c"]);
    assert_eq!(list(&["b"]), ["a::inner"]);
    assert!(list(&["a"]).is_empty() && list(&["c"]).is_empty());
    let circle = [["a", "inner"].as_slice(), &["b"]];
    let circle = circle.map(|module| module.iter().map(|&part| part.to_owned()).collect());
    assert_eq!(circles(&graph), [BTreeSet::from(circle)]);
}
