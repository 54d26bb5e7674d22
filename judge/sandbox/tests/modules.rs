//! Which modules may import which: reads the `use crate::` lines and paths of the source.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Every module of the crate root, with the modules that it may name.
const MAY_IMPORT: [(&str, &[&str]); 6] = [
    ("api", &["sys"]),
    ("guest", &["protocol", "sys"]),
    ("hook", &["guest", "host"]),
    ("host", &["api", "protocol", "sys"]),
    ("protocol", &[]),
    ("sys", &[]),
];

/// Adds `(module, imported module)` for every path that starts with `crate::` below `directory`.
fn imports(directory: &Path, module: Option<&str>, found: &mut BTreeSet<(String, String)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let module = module.unwrap_or(&name);
        if path.is_dir() {
            imports(&path, Some(module), found);
        } else if module != "lib" {
            let text = fs::read_to_string(&path).unwrap();
            // Tests may use all of the crate.
            let code = text.split("#[cfg(test)]").next().unwrap();
            for target in code_lines(code).flat_map(crate_paths) {
                if target != module {
                    found.insert((module.to_owned(), target));
                }
            }
        }
    }
}

fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
}

/// The first names of the paths in a line, which begin with `crate::name` or `crate::{name, name::x}`.
fn crate_paths(line: &str) -> Vec<String> {
    let mut names = Vec::new();
    for rest in line.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            // `use crate::{a, b::c};`: rustfmt keeps groups at the root on one line.
            Some(group) => names.extend(group.split(',').map(first_name)),
            None => names.push(first_name(rest)),
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn first_name(path: &str) -> String {
    let end = |c: char| !c.is_alphanumeric() && c != '_';
    path.trim().split(end).next().unwrap().to_owned()
}

#[test]
fn host_and_guest_know_only_the_protocol() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeSet::new();
    imports(&source, None, &mut found);
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
    // The table lists nothing that the source does not use.
    for (module, targets) in MAY_IMPORT {
        for target in targets {
            let pair = (module.to_owned(), (*target).to_owned());
            assert!(found.contains(&pair), "no longer imported: {pair:?}");
        }
    }
}

#[test]
fn every_form_of_a_path_is_seen() {
    assert_eq!(
        crate_paths("use crate::{guest, host::spawn};"),
        ["guest", "host"]
    );
    assert_eq!(
        crate_paths("    crate::sys::pin(0) + crate::api::x()"),
        ["sys", "api"]
    );
    assert_eq!(crate_paths("use super::x;"), [""; 0]);
}
