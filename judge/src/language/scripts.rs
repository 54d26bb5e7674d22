//! Programs of a package with their own `build` and `run` scripts.

use super::plan::{DIR, Plan};
use super::source::SourceFile;
use std::path::{Path, PathBuf};

/// Whether the program has an executable `build` or `run`.
pub fn has_scripts(files: &[SourceFile]) -> bool {
    script(files, "build").is_some() || script(files, "run").is_some()
}

fn script<'f>(files: &'f [SourceFile], name: &str) -> Option<&'f SourceFile> {
    files
        .iter()
        .find(|file| file.path == Path::new(name) && file.executable)
}

/// The plan for a program with scripts, both started in the program's directory.
pub fn plan(files: &[SourceFile]) -> Plan {
    let in_dir = |command: &str| -> Vec<String> {
        [
            "/bin/sh",
            "-c",
            &format!("cd \"$0\" && exec {command} \"$@\""),
            DIR,
        ]
        .map(str::to_string)
        .to_vec()
    };
    Plan {
        compile: script(files, "build").map(|_| in_dir("./build")),
        run: in_dir("./run"),
        env: Vec::new(),
        product: Some(PathBuf::from("run")),
    }
}
