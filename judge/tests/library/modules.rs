//! Tests of the imports between the judge's modules: ARCHITECTURE.md lists all of them, and there
//! is no cycle.

#[path = "../common/imports.rs"]
mod imports;

use crate::files::write;
use imports::{Source, Table, cycles, documented, file_cycles, rows};
use std::collections::BTreeSet;
use std::path::Path;

/// Crates of the workspace that the table lists as if they were modules.
const CRATES: [(&str, &str); 3] = [
    ("judge_bundle::", "judge-bundle"),
    ("judge_package::", "judge-package"),
    ("judge_sandbox::", "judge-sandbox"),
];

fn source() -> Source {
    Source::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// The imports between the modules of the crate's root, according to the source.
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
fn the_documented_imports_match_the_source() {
    let found = found();
    assert!(
        found.len() > 10 && found["cli"].contains("judging"),
        "the source has too few modules"
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ARCHITECTURE.md");
    assert_eq!(
        rows(&documented(&path, "module")),
        rows(&found),
        "the table in ARCHITECTURE.md (left) and the source (right)"
    );
}

#[test]
fn imports_between_modules_have_no_cycle() {
    assert_eq!(cycles(&found()), Vec::<BTreeSet<String>>::new());
}

#[test]
fn imports_between_files_have_no_cycle() {
    assert_eq!(file_cycles(&source()), Vec::<String>::new());
}

#[test]
fn every_form_of_import_is_recognised() {
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
    let cycle = [["a", "inner"].as_slice(), &["b"]];
    let cycle = cycle.map(|module| module.iter().map(|&part| part.to_owned()).collect());
    assert_eq!(cycles(&graph), [BTreeSet::from(cycle)]);
}
