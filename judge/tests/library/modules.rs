//! The imports between the modules of the judge: ARCHITECTURE.md lists them all, and there is no
//! circle.

#[path = "../common/imports.rs"]
mod imports;

use imports::{Graph, Source, Table, circles};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Files that import each other, and why that is right.
const CIRCLES: [(&[&str], &str); 0] = [];

/// The crates of the workspace that the table lists like modules.
const CRATES: [(&str, &str); 2] = [
    ("judge_bundle::", "judge-bundle"),
    ("judge_sandbox::", "judge-sandbox"),
];

fn source() -> Source {
    Source::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// The imports between the modules of the crate's root, from their source.
fn found() -> Table {
    let source = source();
    let mut found = Table::new();
    let mut add = |module: &[String], target: Option<&str>| {
        let Some(module) = module.first() else { return };
        let targets = found.entry(module.clone()).or_default();
        targets.extend(target.filter(|target| target != module).map(str::to_owned));
    };
    for (module, code) in source.code() {
        add(module, None);
        for (path, name) in CRATES {
            add(module, code.contains(path).then_some(name));
        }
    }
    for (module, path) in source.paths() {
        add(module, path.first().map(String::as_str));
    }
    found
}

/// The table in ARCHITECTURE.md.
fn documented() -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ARCHITECTURE.md");
    imports::documented(&path, "module")
}

#[test]
fn the_table_of_imports_is_what_the_source_imports() {
    let (found, documented) = (found(), documented());
    assert!(
        found.len() > 10 && found["cli"].contains("judging"),
        "the source is read"
    );
    let missing = |table: &Table, from: &Table| -> Vec<String> {
        let pairs = table.iter().flat_map(|(module, targets)| {
            let known = from.get(module);
            let new = targets
                .iter()
                .filter(move |target| !known.is_some_and(|known| known.contains(*target)));
            let row = known.is_none().then(|| format!("{module} as a row"));
            row.into_iter()
                .chain(new.map(move |target| format!("{module} imports {target}")))
        });
        pairs.collect()
    };
    let nothing: Vec<String> = Vec::new();
    let (undocumented, gone) = (missing(&found, &documented), missing(&documented, &found));
    assert_eq!(undocumented, nothing, "add to the table in ARCHITECTURE.md");
    assert_eq!(gone, nothing, "remove from the table in ARCHITECTURE.md");
}

#[test]
fn modules_import_each_other_in_no_circle() {
    assert_eq!(circles(&found()), Vec::<BTreeSet<String>>::new());
}

#[test]
fn files_import_each_other_in_no_circle() {
    let graph: Graph = source().graph();
    assert!(graph.len() > 100, "the source is read");
    let name = |module: &Vec<String>| module.join("/");
    let circles = circles(&graph);
    let found: BTreeSet<BTreeSet<String>> = circles
        .iter()
        .map(|circle| circle.iter().map(name).collect())
        .collect();
    let allowed = CIRCLES
        .iter()
        .map(|(files, _)| files.iter().map(|&file| file.to_owned()).collect());
    assert_eq!(
        found,
        allowed.collect(),
        "circles of files (left), and those allowed (right)"
    );
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
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
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
