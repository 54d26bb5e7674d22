//! Builds for a debugger: the command of a language, with debug symbols and sanitizers.

use super::plan::Plan;
use super::program::Program;
use super::request::Request;
use super::source;
use super::toolchain::Toolchain;
use crate::error::Reason;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// A build for debugging, to run outside a box.
#[derive(Debug)]
pub struct DebugBuild {
    /// The command that compiles.
    pub compile: Vec<OsString>,
    /// The program that it makes, and the variables of both.
    pub program: Program,
}

/// Makes the C++ library check indices; the sanitizers do not notice one within the capacity of a vector.
const ASSERTIONS: &str = "-D_GLIBCXX_ASSERTIONS";
/// Flags of GCC and Clang.
const SYMBOLS: [&str; 4] = ["-g", "-fno-omit-frame-pointer", "-O0", ASSERTIONS];
const SANITIZERS: [&str; 5] = [
    "-g",
    "-fno-omit-frame-pointer",
    "-O1",
    ASSERTIONS,
    "-fsanitize=address,undefined",
];
const RUST: [&str; 3] = ["-g", "-C", "debug-assertions=on"];

impl Toolchain {
    /// Writes the sources of a program in C, C++ or Rust into `dir` and returns the build for
    /// debugging there, C and C++ optionally with sanitizers. The debug symbols name the original
    /// sources. `None` for other languages.
    ///
    /// # Errors
    ///
    /// A message if the program cannot be built or its files cannot be written.
    pub fn debug_build(
        &self,
        request: &Request<'_>,
        dir: &Path,
        sanitizers: bool,
    ) -> Result<Option<DebugBuild>, Reason> {
        let Some((code, _)) = request.language(&self.languages) else {
            return Ok(None);
        };
        let is_rust = match code {
            "c" | "cpp" => false,
            "rust" => true,
            _ => return Ok(None),
        };
        // The judges' macros hide what an author adds for debugging.
        let request = &Request {
            macros: &[],
            ..request.clone()
        };
        let planned = match self.plan(request) {
            Ok(planned) => planned,
            Err(without) => return without.program().map(|_| None).map_err(Reason::new),
        };
        let Some(compile) = &planned.plan.compile else {
            return Ok(None);
        };
        let failed = |e| {
            Reason::new(format!(
                "failed to write the sources to {}: {e}",
                dir.display()
            ))
        };
        source::write(&planned.files, dir).map_err(failed)?;
        let origin = match request.path.is_dir() {
            true => request.path,
            false => request.path.parent().unwrap_or(request.path),
        };
        let map = format!("{}={}", dir.display(), origin.display());
        let mut words = Plan::at(compile, dir);
        let mut flags: Vec<String> = match (is_rust, sanitizers) {
            (true, _) => RUST.map(str::to_owned).to_vec(),
            (false, true) => SANITIZERS.map(str::to_owned).to_vec(),
            (false, false) => SYMBOLS.map(str::to_owned).to_vec(),
        };
        if is_rust {
            for word in &mut words {
                if starts_with(word, "opt-level=") {
                    *word = "opt-level=0".into();
                }
            }
            flags.push(format!("--remap-path-prefix={map}"));
        } else {
            words.retain(|word| !starts_with(word, "-O"));
            flags.push(format!("-ffile-prefix-map={map}"));
            flags.extend(self.preprocessor.prefix_maps(dir));
        }
        let after = words.len().min(1);
        words.splice(after..after, flags.into_iter().map(OsString::from));
        Ok(Some(DebugBuild {
            compile: words,
            program: planned.program(dir),
        }))
    }
}

fn starts_with(word: &OsStr, start: &str) -> bool {
    word.as_encoded_bytes().starts_with(start.as_bytes())
}
