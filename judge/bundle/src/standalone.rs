//! Verifies a bundle: compiles it alone in an empty directory with the judge's flags.

use super::rustc;
use super::{Bundle, Target};
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Why a bundle cannot be submitted as it is.
#[derive(Debug)]
pub struct NotStandalone(String);

impl fmt::Display for NotStandalone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotStandalone {}

fn failed(step: String) -> impl FnOnce(io::Error) -> NotStandalone {
    move |error| NotStandalone(format!("failed to {step}: {error}"))
}

/// A bundle that compiles alone and is within the judge's limit.
#[derive(Debug)]
pub struct Standalone {
    /// Contains the executable.
    dir: TempDir,
    /// The commands that were run.
    pub commands: Vec<String>,
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
/// Fails when the bundle is too large, or does not compile; with the compiler's message.
pub fn compile_standalone(bundle: &Bundle, more: &[String]) -> Result<Standalone, NotStandalone> {
    let size = bundle.source.len();
    if let Some(limit) = bundle.settings.code_limit
        && size > limit
    {
        let remedy = match bundle.can_be_minified {
            true => "use --minify, or less of the library",
            false => "use less of the library",
        };
        return Err(NotStandalone(format!(
            "the bundle has {size} bytes, {} more than the judge takes ({limit}); {remedy}",
            size - limit
        )));
    }
    let dir = rustc::private_directory().map_err(failed("make a directory".to_owned()))?;
    let mut standalone = Standalone {
        dir,
        commands: Vec::new(),
    };
    let flags = bundle.settings.flags.iter().chain(more).map(OsString::from);
    let mut flags: Vec<OsString> = flags.collect();
    if bundle.target == Target::Cpp {
        let compiler = std::env::var_os("CXX").unwrap_or_else(|| "g++".into());
        let args = ["bundle.cpp", "-o", "bundle"];
        standalone.compile(&compiler, &flags, &args, "bundle.cpp", &bundle.source)?;
        return Ok(standalone);
    }
    let is_level = |flag: &OsString| flag.to_string_lossy().contains("opt-level") || flag == "-O";
    if !flags.iter().any(is_level) {
        flags.insert(0, "-O".into());
    }
    let edition = bundle.settings.edition.as_deref().unwrap_or("2021");
    flags.splice(0..0, ["--edition", edition].map(OsString::from));
    let compiler = rustc::executable();
    if !bundle.target.is_program() {
        // The judge declares these types, so the bundle omits them.
        let given = bundle.settings.given.iter();
        let given: String = given
            .map(|name| format!("\npub struct {name};\n"))
            .collect();
        let text = bundle.source.clone() + &given;
        let args = "--crate-type lib --emit metadata -A warnings function.rs";
        let args: Vec<&str> = args.split(' ').collect();
        standalone.compile(&compiler, &flags, &args, "function.rs", &text)?;
    }
    let args = ["-A", "warnings", "bundle.rs", "-o", "bundle"];
    standalone.compile(&compiler, &flags, &args, "bundle.rs", &bundle.judged)?;
    Ok(standalone)
}

impl Standalone {
    /// Writes the source `name` and compiles it.
    fn compile(
        &mut self,
        compiler: &OsString,
        flags: &[OsString],
        args: &[&str],
        name: &str,
        text: &str,
    ) -> Result<(), NotStandalone> {
        let path = self.dir.path().join(name);
        std::fs::write(path, text).map_err(failed(format!("write {name}")))?;
        let mut command = Command::new(compiler);
        command.args(flags).args(args);
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
        let line = words.join(" ");
        command.current_dir(self.dir.path()).stdin(Stdio::null());
        let output = command.output();
        let output = output.map_err(failed(format!("start {}", compiler.to_string_lossy())))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            let message = message.trim_end();
            return Err(NotStandalone(format!(
                "the bundle does not compile alone:\n$ {line}\n{message}"
            )));
        }
        self.commands.push(line);
        Ok(())
    }
}
