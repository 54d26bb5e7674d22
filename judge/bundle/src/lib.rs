//! One self-contained source file out of a crate and the libraries of its workspace.
//!
//! The way of a bundle:
//!
//! ```text
//! manifest  cargo's view: the binary, its libraries, features, editions
//! load      files -> items, `cfg` decided, attributes that mean nothing to a judge dropped
//! paths     `crate::x`, `sudoku::x` -> `crate::sudoku::x`: each library becomes a module
//! prune     what no name leads to goes (coarse, syntactic)
//! trim      what the compiler calls dead goes (exact)
//! print     formatted or minified, with a header
//! prove     compiled alone in an empty directory with the judge's own flags
//! ```
//!
//! Nothing rests on the pruning being clever: a bundle that does not compile alone is never
//! handed over.
#![forbid(unsafe_code)]

mod attributes;
mod cfg;
mod cpp;
mod error;
mod files;
mod function;
mod header;
mod load;
mod manifest;
mod markers;
mod minify;
mod paths;
mod print;
mod prune;
mod rustc;
mod settings;
mod standalone;
pub mod tokens;
mod trim;

pub use error::BundleError;
pub use settings::{Settings, TargetSettings};
pub use standalone::{Standalone, compile_standalone};

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What a bundle is made for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// A whole program in Rust.
    Rust,
    /// The function form of NowCoder: `struct Solution` and its methods.
    NowCoder,
    /// The function form of LeetCode: `impl Solution`; the site declares the type.
    LeetCode,
    /// A C++ file with the program as x86-64 machine code, for judges without Rust.
    Cpp,
}

impl Target {
    /// Every target.
    pub const ALL: [Target; 4] = [
        Target::Rust,
        Target::NowCoder,
        Target::LeetCode,
        Target::Cpp,
    ];

    /// The name that the command line and the manifests use.
    pub fn name(self) -> &'static str {
        match self {
            Target::Rust => "rust",
            Target::NowCoder => "nowcoder",
            Target::LeetCode => "leetcode",
            Target::Cpp => "cpp",
        }
    }

    /// The ending of the file.
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

/// What to bundle, and how.
#[derive(Clone, Debug)]
pub struct BundleRequest {
    /// The directory of the crate, with its `Cargo.toml`.
    pub crate_dir: PathBuf,
    /// The binary target; without it the one that the manifest names for this target, or the one
    /// with the package's name, or the only one.
    pub bin: Option<String>,
    /// What the bundle is for.
    pub target: Target,
    /// The edition that it is compiled with, such as `2021`; without it the manifest's choice for
    /// this target, or the crate's own edition.
    pub edition: Option<String>,
    /// Whether size matters more than looks.
    pub minify: bool,
}

impl BundleRequest {
    /// The crate in this directory for this target, all else as its manifest says.
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
    /// What it is for.
    pub target: Target,
    /// The text of the file.
    pub source: String,
    /// The text that stands for `source` where it is judged locally: the whole program for a
    /// function form, `source` itself otherwise.
    pub judged: String,
    /// How it is compiled and how large it may be.
    pub settings: TargetSettings,
    /// What whoever submits it should know.
    pub notes: Vec<String>,
    /// Whether [`BundleRequest::minify`] would make it smaller.
    pub can_be_minified: bool,
}

/// Makes the bundle. Compiles it several times on the way, and never writes into the workspace.
///
/// # Errors
///
/// What cannot be bundled, with the file and the line; what does not compile, with the compiler's
/// message.
pub fn bundle(request: &BundleRequest) -> Result<Bundle, BundleError> {
    let graph = manifest::Graph::read(&request.crate_dir)?;
    let mut settings = graph.settings.target(request.target).clone();
    if let Some(edition) = &request.edition {
        settings.edition = Some(edition.clone());
    }
    let bin = request.bin.clone().or_else(|| settings.bin.clone());
    let plan = graph.plan(bin.as_deref())?;
    let edition = settings
        .edition
        .clone()
        .unwrap_or_else(|| plan.edition.clone());
    settings.edition = Some(edition.clone());
    let compiler = rustc::Compiler::new(&edition)?;
    let loaded = load::load(&plan)?;

    let program = trim::program(&loaded, &compiler)?;
    let header = header::Header::new(&plan, request.target, &settings);
    let text = match request.target {
        Target::Cpp => {
            let lines = header.lines();
            let source = cpp::bundle(&program, &compiler, &lines, settings.code_limit)?;
            return Ok(Bundle {
                target: request.target,
                judged: source.clone(),
                source,
                settings,
                notes: cpp::notes(),
                can_be_minified: false,
            });
        }
        Target::Rust => None,
        Target::NowCoder | Target::LeetCode => {
            Some(function::extract(&loaded, &compiler, &settings, &plan)?)
        }
    };
    let minified = request.minify || settings.minify;
    let print = |file: &syn::File| {
        if minified {
            minify::minify(file)
        } else {
            print::pretty(file)
        }
    };
    let whole = header.prepend_to(&print(&program));
    let mut notes = Vec::new();
    let source = match &text {
        None => whole.clone(),
        Some(function) => {
            notes.push(function::NOTE.to_owned());
            header.prepend_to(&print(function))
        }
    };
    Ok(Bundle {
        target: request.target,
        source,
        judged: whole,
        settings,
        notes,
        can_be_minified: !minified,
    })
}

/// Whether `text` is a bundle: its header says so.
pub fn is_bundle(text: &str) -> bool {
    let mut header = text.lines().take_while(|line| line.starts_with("//"));
    header.any(|line| line.contains(header::COMMIT))
}

/// Whether two bundles are the same but for the commit they were made from.
pub fn same(one: &str, other: &str) -> bool {
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.contains(header::COMMIT));
        lines.map(str::to_owned).collect()
    };
    lines(one) == lines(other)
}
