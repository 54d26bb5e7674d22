//! Tests of the imports in the source: those between modules are allowed by a table, and no files
//! import each other in a circle.

#[allow(dead_code)]
#[path = "../../tests/common/imports.rs"]
mod imports;

use imports::Source;
use std::collections::BTreeSet;
use std::path::Path;

/// The modules of the crate root, each with the modules that it may import.
const MAY_IMPORT: [(&str, &[&str]); 6] = [
    ("api", &["sys"]),
    ("guest", &["protocol", "sys"]),
    ("hook", &["guest", "host"]),
    ("host", &["api", "protocol", "sys"]),
    ("protocol", &[]),
    ("sys", &[]),
];

#[test]
fn host_and_guest_import_only_protocol_and_sys() {
    let source = Source::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let pairs = source.paths().filter_map(|(module, path)| {
        let (module, target) = (module.first()?, path.first()?);
        (module != target).then(|| (module.clone(), target.clone()))
    });
    let found: BTreeSet<(String, String)> = pairs.collect();
    let allowed = |(module, target): &&(String, String)| {
        let (_, targets) = MAY_IMPORT
            .iter()
            .find(|(name, _)| name == module)
            .unwrap_or_else(|| panic!("{module} is not in the table"));
        !targets.contains(&target.as_str())
    };
    let wrong: Vec<_> = found.iter().filter(allowed).collect();
    assert!(
        wrong.is_empty(),
        "imports that the table forbids: {wrong:?}"
    );
    // Every entry of the table is used in the source.
    for (module, targets) in MAY_IMPORT {
        for target in targets {
            let pair = (module.to_owned(), (*target).to_owned());
            assert!(found.contains(&pair), "no longer imported: {pair:?}");
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let source = Source::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let circles = imports::file_cycles(&source);
    assert!(circles.is_empty(), "circles of files: {circles:?}");
}
