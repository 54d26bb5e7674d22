//! Runs the local compiler: it reports dead code and verifies every bundle.

use super::error::BundleError;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The judges' platform.
pub const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// A compiler with an edition and a working directory.
pub struct Compiler {
    dir: TempDir,
    pub edition: String,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Diagnostic {
    /// `error`, `warning`, ...
    pub level: String,
    pub message: String,
    code: Option<Code>,
    spans: Vec<Span>,
    /// The message as shown in a terminal.
    pub rendered: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Code {
    code: String,
}

#[derive(Clone, Debug, Deserialize)]
struct Span {
    line_start: usize,
    column_start: usize,
    is_primary: bool,
    expansion: Option<Box<Expansion>>,
}

/// The call site of a macro.
#[derive(Clone, Debug, Deserialize)]
struct Expansion {
    span: Span,
}

impl Diagnostic {
    /// The lint's name or the error's number.
    pub fn code(&self) -> &str {
        self.code.as_ref().map_or("", |code| &code.code)
    }

    /// The positions of the primary spans: line and column, from 1.
    pub fn places(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let primary = self.spans.iter().filter(|span| span.is_primary);
        primary.map(|span| (span.line_start, span.column_start))
    }

    /// The outermost macro calls of the primary spans: line and column, from 1.
    pub fn calls(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let primary = self.spans.iter().filter(|span| span.is_primary);
        primary.filter_map(|span| {
            let mut call = &span.expansion.as_ref()?.span;
            while let Some(outer) = &call.expansion {
                call = &outer.span;
            }
            Some((call.line_start, call.column_start))
        })
    }
}

/// The compiler's executable.
pub fn executable() -> OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// The output of `--print cfg` for the judges' platform with optimisation.
pub fn platform_cfg() -> BTreeSet<String> {
    let output = Command::new(executable())
        .args(["--print", "cfg", "-O", "--target", PLATFORM])
        .stdin(Stdio::null())
        .output();
    let text = output.map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.lines().map(str::to_owned).collect()
}

/// A temporary directory that only this user may enter, since it holds sources.
pub fn private_directory() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    if let Some(owner) = judge_os::permissions(0o700) {
        builder.permissions(owner);
    }
    builder.tempdir()
}

impl Compiler {
    pub fn new(edition: &str) -> Result<Self, BundleError> {
        let dir = private_directory().map_err(|e| {
            let what = format!("failed to make a temporary directory: {e}");
            let remedy = "free some space, or set TMPDIR";
            BundleError::file(&std::env::temp_dir(), what, remedy)
        })?;
        let edition = edition.to_owned();
        Ok(Compiler { dir, edition })
    }

    /// The compiler's working directory.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Checks a program without generating code; returns the warnings.
    /// Fails with the compiler's errors, never an empty list.
    pub fn check(&self, source: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let args = ["--crate-type", "bin", "--emit", "metadata=bundle.rmeta"];
        self.run(source, "bundle.rs", &args.map(OsString::from))
    }

    /// Compiles `source` in the working directory with these arguments.
    /// Fails with the compiler's errors, never an empty list.
    pub fn run(
        &self,
        source: &str,
        name: &str,
        args: &[OsString],
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let failed = |message: String| {
            vec![Diagnostic {
                level: "error".to_owned(),
                message,
                code: None,
                spans: Vec::new(),
                rendered: None,
            }]
        };
        std::fs::write(self.dir().join(name), source)
            .map_err(|e| failed(format!("failed to write {name}: {e}")))?;
        let output = Command::new(executable())
            .current_dir(self.dir())
            .args(["--crate-name", "bundle", "--edition", &self.edition])
            .args(["--error-format", "json"])
            .args(args)
            .arg(name)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| {
                let name = executable();
                failed(format!("failed to start {}: {e}", name.to_string_lossy()))
            })?;
        let text = String::from_utf8_lossy(&output.stderr);
        let lines = text.lines();
        let all = lines.filter_map(|line| serde_json::from_str::<Diagnostic>(line).ok());
        if output.status.success() {
            return Ok(all.collect());
        }
        let errors: Vec<_> = all.filter(|d| d.level.starts_with("error")).collect();
        match errors.is_empty() {
            true => Err(failed(text.trim().to_owned())),
            false => Err(errors),
        }
    }
}
