//! A handwritten C++ program and its own headers as one file.

use super::error::BundleError;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The program with every `#include "..."` replaced by the content of that file, once each. Other
/// includes (`<...>`) remain.
///
/// # Errors
///
/// A file cannot be read, with the line that includes it.
pub fn inline(program: &Path) -> Result<String, BundleError> {
    let text = std::fs::read_to_string(program).map_err(|e| {
        let remedy = "name a C++ program with `source` in [package.metadata.judge.bundle.cpp]";
        BundleError::file(program, format!("failed to read: {e}"), remedy)
    })?;
    let mut out = String::new();
    put(program, &text, &mut BTreeSet::new(), &mut out)?;
    Ok(out)
}

fn put(
    path: &Path,
    text: &str,
    done: &mut BTreeSet<PathBuf>,
    out: &mut String,
) -> Result<(), BundleError> {
    for (number, line) in (1..).zip(text.lines()) {
        let include = line.trim().strip_prefix("#include \"");
        let Some(name) = include.and_then(|rest| rest.strip_suffix('"')) else {
            out.push_str(line);
            out.push('\n');
            continue;
        };
        let failed = |e: std::io::Error| {
            let remedy = "name a file relative to this one";
            BundleError::at(
                path,
                number,
                1,
                format!("failed to read {name:?}: {e}"),
                remedy,
            )
        };
        let included = path.with_file_name(name).canonicalize().map_err(failed)?;
        let text = std::fs::read_to_string(&included).map_err(failed)?;
        if done.insert(included.clone()) {
            put(&included, &text, done, out)?;
        }
    }
    Ok(())
}
