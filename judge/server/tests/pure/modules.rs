//! The imports between the modules of the server: ARCHITECTURE.md lists them all, and there is no
//! circle.

#[path = "../../../tests/common/imports.rs"]
#[allow(dead_code)] // The judge also looks at other crates.
mod imports;

use imports::{Source, cycles, documented, file_cycles, rows};
use std::collections::BTreeSet;
use std::path::Path;

fn source() -> Source {
    Source::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

#[test]
fn the_table_of_imports_is_what_the_source_imports() {
    let found = source().table();
    assert!(
        found.len() > 20 && found["pages"].contains("access"),
        "the source is read"
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    assert_eq!(
        rows(&documented(&path, "module of the server")),
        rows(&found),
        "the table in ARCHITECTURE.md (left) and the source (right)"
    );
}

#[test]
fn modules_import_each_other_in_no_circle() {
    assert_eq!(cycles(&source().table()), Vec::<BTreeSet<String>>::new());
}

#[test]
fn files_import_each_other_in_no_circle() {
    assert_eq!(file_cycles(&source()), Vec::<String>::new());
}
