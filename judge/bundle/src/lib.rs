//! Turns a crate and the libraries of its workspace into one self-contained source file.
//!
//! Stages of a bundle:
//!
//! ```text
//! manifest    cargo's view: the binary, its libraries, features, editions
//! load        files -> items; `cfg` evaluated, attributes without effect on a program removed
//! paths       `crate::x`, `sudoku::x` -> `crate::sudoku::x`: each library becomes a module
//! prune       removes what no name in live code refers to (syntactic, approximate)
//! trim        removes what the compiler reports as dead code (exact), with `remove`
//! print       formatted or minified, with a header
//! standalone  compiles the result alone in an empty directory with the judge's flags
//! ```
//!
//! Correctness does not depend on the pruning: a bundle that does not compile alone is not returned
//! to the user.
#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    reason = "the public items are for the other crates of the workspace"
)]

mod attributes;
mod cfg;
mod conditions;
mod cpp;
mod declared;
mod directives;
mod error;
mod files;
mod function;
mod header;
mod includes;
mod load;
mod macros;
mod manifest;
mod markers;
mod metadata;
mod minify;
mod names;
mod paths;
mod print;
mod prune;
mod remove;
mod rustc;
mod settings;
mod standalone;
pub mod tokens;
mod trim;
mod uses;

pub use error::BundleError;
pub use includes::{CppOptions, bundle as bundle_program};
pub use settings::TargetSettings;
pub use standalone::{NotStandalone, Standalone, compile_standalone};

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The form of a bundle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// A whole program in Rust.
    Rust,
    /// The function form of NowCoder: `struct Solution` and its methods.
    NowCoder,
    /// The function form of LeetCode: `impl Solution`; the site declares the type.
    LeetCode,
    /// A C++ file for judges without Rust: the program as x86-64 machine code, or the handwritten
    /// program that the manifest names, which runs everywhere.
    Cpp,
}

impl Target {
    pub const ALL: [Target; 4] = [
        Target::Rust,
        Target::NowCoder,
        Target::LeetCode,
        Target::Cpp,
    ];

    /// The name used on the command line and in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Target::Rust => "rust",
            Target::NowCoder => "nowcoder",
            Target::LeetCode => "leetcode",
            Target::Cpp => "cpp",
        }
    }

    pub fn extension(self) -> &'static str {
        match self {
            Target::Cpp => "cpp",
            _ => "rs",
        }
    }

    /// Whether the bundle is a whole program, which can be judged as it is.
    pub fn is_program(self) -> bool {
        matches!(self, Target::Rust | Target::Cpp)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Target::ALL
            .into_iter()
            .find(|target| target.name() == name)
            .ok_or_else(|| format!("expected rust, nowcoder, leetcode or cpp, found {name}"))
    }
}

/// The crate to bundle, and the settings.
#[derive(Clone, Debug)]
pub struct BundleRequest {
    /// The directory of the crate, with its `Cargo.toml`.
    pub crate_dir: PathBuf,
    /// The binary target. By default the one that the manifest names for this target, then the one
    /// with the package's name, then the only one.
    pub bin: Option<String>,
    pub target: Target,
    /// The edition to compile with, such as `2021`. By default the manifest's value for this
    /// target, then the crate's own edition.
    pub edition: Option<String>,
    /// Whether to make the source as small as possible instead of readable.
    pub minify: bool,
}

impl BundleRequest {
    /// A request with the manifest's settings.
    pub fn new(crate_dir: &Path, target: Target) -> Self {
        BundleRequest {
            crate_dir: crate_dir.to_owned(),
            bin: None,
            target,
            edition: None,
            minify: false,
        }
    }
}

/// A file to submit.
#[derive(Clone, Debug)]
pub struct Bundle {
    pub target: Target,
    /// The text of the file.
    pub source: String,
    /// The program to judge locally: for a function form the whole program, otherwise equal to
    /// `source`.
    pub judged: String,
    /// How it is compiled and how large it may be.
    pub settings: TargetSettings,
    /// Remarks for the user who submits it.
    pub notes: Vec<String>,
    /// Whether [`BundleRequest::minify`] would make it smaller.
    pub can_be_minified: bool,
}

/// Makes the bundle. Runs the compiler several times; never writes into the workspace.
/// Fails for code that cannot be bundled, with file and line, and with the compiler's errors.
pub fn bundle(request: &BundleRequest) -> Result<Bundle, BundleError> {
    let target = request.target;
    let graph = manifest::Graph::read(&request.crate_dir)?;
    let mut settings = graph.settings(target)?;
    let plan = graph.plan(request.bin.as_deref().or(settings.bin.as_deref()))?;
    let edition = request.edition.as_ref().or(settings.edition.as_ref());
    let edition = edition.unwrap_or(&plan.edition).clone();
    settings.edition = Some(edition.clone());
    let header = header::header(&plan, target, &settings);
    if let (Target::Cpp, Some(source)) = (target, &settings.source) {
        let of_rust = request.bin.is_some() || request.edition.is_some();
        unused(
            of_rust || request.minify,
            request,
            "--bin, --edition and --minify",
        )?;
        let program = includes::inline(&request.crate_dir.join(source), &CppOptions::default())?;
        return Ok(Bundle::new(target, header + &program, settings));
    }
    let compiler = rustc::Compiler::new(&edition)?;
    let loaded = load::load(&plan)?;
    let program = trim::program(&loaded, &compiler)?;
    if target == Target::Cpp {
        unused(request.minify, request, "--minify")?;
        let source = cpp::bundle(&program, &compiler, &header, settings.code_limit)?;
        let mut bundle = Bundle::new(target, source, settings);
        bundle.notes = cpp::notes();
        return Ok(bundle);
    }
    let function = match target.is_program() {
        true => None,
        false => Some(function::extract(
            &loaded, &compiler, &settings, &plan, target,
        )?),
    };
    let minified = request.minify || settings.minify;
    let print = |file: &syn::File| match minified {
        true => header.clone() + &minify::minify(file),
        false => header.clone() + &print::pretty(file),
    };
    let mut bundle = Bundle::new(target, print(&program), settings);
    bundle.can_be_minified = !minified;
    if let Some(function) = function {
        bundle.source = print(&function);
        bundle.notes.push(function::NOTE.to_owned());
    }
    Ok(bundle)
}

impl Bundle {
    /// A bundle that is judged as it is submitted.
    fn new(target: Target, source: String, settings: TargetSettings) -> Self {
        Bundle {
            target,
            judged: source.clone(),
            source,
            settings,
            notes: Vec::new(),
            can_be_minified: false,
        }
    }
}

/// Refuses options that have no effect on a C++ bundle.
fn unused(is_given: bool, request: &BundleRequest, options: &str) -> Result<(), BundleError> {
    match is_given {
        true => Err(BundleError::file(
            &request.crate_dir,
            format!("{options} would not change this C++ bundle"),
            "omit them",
        )),
        false => Ok(()),
    }
}

/// Whether `text` is a bundle, according to its header.
pub fn is_bundle(text: &str) -> bool {
    let mut header = text.lines().take_while(|line| line.starts_with("//"));
    header.any(|line| line.contains(header::COMMIT))
}

/// Whether two bundles are equal except for the commit they were made from.
pub fn same(one: &str, other: &str) -> bool {
    let is_text = |line: &&str| !line.contains(header::COMMIT);
    let (one, other) = (one.lines().filter(is_text), other.lines().filter(is_text));
    one.eq(other)
}
