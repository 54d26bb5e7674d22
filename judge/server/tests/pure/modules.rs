//! The imports between the modules of the server: ARCHITECTURE.md lists them all.

#[path = "../../../tests/common/imports.rs"]
#[allow(dead_code)] // The judge and the sandbox also look for circles.
mod imports;

use imports::{Source, Table};
use std::collections::BTreeSet;
use std::path::Path;

/// The imports between the modules of the crate's root, from their source.
fn found() -> Table {
    let source = Source::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let modules: BTreeSet<String> = source
        .code()
        .filter_map(|(module, _)| module.first().cloned())
        .collect();
    let mut found = Table::new();
    for module in &modules {
        found.insert(module.clone(), BTreeSet::new());
    }
    for (module, path) in source.paths() {
        let (Some(module), Some(target)) = (module.first(), path.first()) else {
            continue;
        };
        if module != target && modules.contains(target) {
            found
                .entry(module.clone())
                .or_default()
                .insert(target.clone());
        }
    }
    found
}

/// The table of the server in ARCHITECTURE.md.
fn documented() -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    imports::documented(&path, "module of the server")
}

#[test]
fn the_table_of_imports_is_what_the_source_imports() {
    let (found, documented) = (found(), documented());
    assert!(
        found.len() > 20 && found["pages"].contains("access"),
        "the source is read"
    );
    let rows = |table: &Table| -> String {
        let row = |(module, targets): (&String, &BTreeSet<String>)| {
            let targets: Vec<String> = targets.iter().map(|own| format!("`{own}`")).collect();
            let targets = match targets.is_empty() {
                true => "none".to_owned(),
                false => targets.join(", "),
            };
            format!("| `{module}` | {targets} |\n")
        };
        table.iter().map(row).collect()
    };
    assert_eq!(
        rows(&documented),
        rows(&found),
        "the table in ARCHITECTURE.md (left) and the source (right)"
    );
}
