//! Verifies a bundle: compiles it alone in an empty directory with the judge's flags.

use super::rustc;
use super::{Bundle, Target};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A bundle that compiles alone and is within the judge's limit.
#[derive(Debug)]
pub struct Standalone {
    /// Contains the executable.
    dir: TempDir,
    /// The commands that were run.
    pub commands: Vec<String>,
    /// The size of the source in bytes.
    pub size: usize,
}

impl Standalone {
    /// The compiled program (for a function form, the whole program around it). It is deleted with
    /// `self`.
    pub fn executable(&self) -> PathBuf {
        self.dir.path().join("bundle")
    }
}

/// Compiles the bundle alone in an empty directory with the flags of its settings and `more` after
/// them, and compares its size with the judge's limit.
///
/// # Errors
///
/// The bundle is too large, or does not compile; with the compiler's message.
pub fn compile_standalone(bundle: &Bundle, more: &[String]) -> Result<Standalone, String> {
    let size = bundle.source.len();
    if let Some(limit) = bundle.settings.code_limit
        && size > limit
    {
        let remedy = match bundle.can_be_minified {
            true => "use --minify, or less of the library",
            false => "use less of the library",
        };
        return Err(format!(
            "the bundle has {size} bytes, {} more than the judge takes ({limit}); {remedy}",
            size - limit
        ));
    }
    let dir = TempDir::new().map_err(|e| format!("failed to make a directory: {e}"))?;
    let mut standalone = Standalone {
        dir,
        commands: Vec::new(),
        size,
    };
    let dir = standalone.dir.path().to_owned();
    let write = |name: &str, text: &str| {
        std::fs::write(dir.join(name), text).map_err(|e| format!("failed to write {name}: {e}"))
    };
    let flags = bundle.settings.flags.iter().chain(more).map(OsString::from);
    let flags: Vec<OsString> = flags.collect();
    if bundle.target == Target::Cpp {
        write("bundle.cpp", &bundle.source)?;
        let compiler = std::env::var_os("CXX").unwrap_or_else(|| "g++".into());
        let mut args = flags;
        args.extend(["bundle.cpp", "-o", "bundle"].map(OsString::from));
        standalone.commands.push(run(&dir, &compiler, &args)?);
        return Ok(standalone);
    }
    let edition = bundle.settings.edition.as_deref().unwrap_or("2021");
    let mut common: Vec<OsString> = ["--edition", edition].map(OsString::from).into();
    if !flags
        .iter()
        .any(|flag| flag.to_string_lossy().contains("opt-level") || flag == "-O")
    {
        common.push("-O".into());
    }
    common.extend(flags);
    if !bundle.target.is_program() {
        // The judge declares these types, so the bundle omits them.
        let mut text = bundle.source.clone();
        for given in &bundle.settings.given {
            text.push_str(&format!("\npub struct {given};\n"));
        }
        write("function.rs", &text)?;
        let mut args = common.clone();
        args.extend(["--crate-type", "lib", "--emit", "metadata"].map(OsString::from));
        args.extend(["-A", "warnings", "function.rs"].map(OsString::from));
        standalone
            .commands
            .push(run(&dir, &rustc::executable(), &args)?);
    }
    write("bundle.rs", &bundle.judged)?;
    let mut args = common;
    args.extend(["-A", "warnings", "bundle.rs", "-o", "bundle"].map(OsString::from));
    standalone
        .commands
        .push(run(&dir, &rustc::executable(), &args)?);
    Ok(standalone)
}

/// Runs a compiler; returns its command line.
fn run(dir: &Path, program: &OsString, args: &[OsString]) -> Result<String, String> {
    let words = std::iter::once(program).chain(args);
    let line: Vec<_> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let line = line.join(" ");
    let output = Command::new(program)
        .current_dir(dir)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("failed to start {}: {e}", program.to_string_lossy()))?;
    if output.status.success() {
        return Ok(line);
    }
    let message = String::from_utf8_lossy(&output.stderr);
    Err(format!(
        "the bundle does not compile alone:\n$ {line}\n{}",
        message.trim_end()
    ))
}
