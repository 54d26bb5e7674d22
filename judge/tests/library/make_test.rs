//! `make test` names the programs that have tests in their own source, since compiling all others
//! once more takes half a minute. No test may be forgotten.

use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The sources of all programs: `main.rs` and what is in `src/bin`.
fn programs(root: &Path) -> Vec<PathBuf> {
    let of_workspace = |name: &str| !["target", ".git", "fuzz"].contains(&name);
    let entries = WalkDir::new(root)
        .into_iter()
        .filter_entry(|entry| entry.file_name().to_str().is_some_and(of_workspace));
    let is_program = |path: &Path| {
        let inside = |name: &str| path.components().any(|part| part.as_os_str() == name);
        path.extension().is_some_and(|extension| extension == "rs")
            && inside("src")
            && (path.ends_with("src/main.rs") || inside("bin"))
    };
    let paths = entries.map(|entry| entry.expect("it can be read").into_path());
    paths.filter(|path| is_program(path)).collect()
}

/// The name of the program: the package's, or that of its file.
fn program_name(path: &Path) -> String {
    if !path.ends_with("src/main.rs") {
        return path.file_stem().expect("a name").display().to_string();
    }
    let mut above = path.ancestors();
    let manifest = above.find_map(|dir| fs::read_to_string(dir.join("Cargo.toml")).ok());
    let manifest: toml::Table = manifest.expect("a crate").parse().expect("a manifest");
    manifest["package"]["name"]
        .as_str()
        .expect("a name")
        .to_owned()
}

#[test]
fn every_test_in_a_program_is_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let programs = programs(&root);
    assert!(programs.len() > 20, "{programs:?}");
    let makefile = fs::read_to_string(root.join("Makefile")).expect("it is there");
    for path in programs {
        let source = fs::read_to_string(&path).expect("it can be read");
        if source.contains("#[cfg(test)]") || source.contains("#[test]") {
            let name = program_name(&path);
            assert!(
                makefile.contains(&format!("--bin {name} ")),
                "{} has tests: `make test` needs --bin",
                path.display()
            );
        }
    }
}
