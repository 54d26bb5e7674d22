//! Writes a problem package in the format of another judge.
//!
//! A [`Package`] becomes a `problem::Problem`, which every writer in `targets` understands: samples,
//! subtasks, the checker, the submissions. A writer stages files; what its format cannot express is a
//! [`Loss`]. Nothing appears at the destination before [`Staged::finish`], which renames the staged
//! directory or archive.
#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    reason = "the public items are for the other crates of the workspace"
)]

mod adapter;
mod comparison;
mod data;
mod judging;
mod metadata;
mod output;
mod problem;
mod program;
mod submissions;
mod targets;
mod upgrade;
mod walk;
mod yaml;

use judge_package::{Package, PackageError};
use output::Output;
use problem::Problem;
use std::fmt;
use std::path::Path;
use std::time::Duration;
pub use upgrade::upgrade;

/// Defines the formats with their names.
macro_rules! targets {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal,)*) => {
        /// A format that packages are written in.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Target {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Target {
            /// All of them.
            pub const ALL: [Target; [$($name),*].len()] = [$(Target::$variant),*];

            /// The name, as the command line has it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Target::$variant => $name,)*
                }
            }
        }
    };
}

targets! {
    /// ICPC/Kattis, version 2025-09.
    Icpc2025 = "icpc-2025-09",
    /// ICPC/Kattis, version legacy.
    IcpcLegacy = "icpc-legacy",
    /// DOMjudge: version legacy, with `domjudge-problem.ini`.
    Domjudge = "domjudge",
    /// Polygon's `problem.xml`.
    Polygon = "polygon",
    /// DMOJ's `init.yml`.
    Dmoj = "dmoj",
    /// An export of Hydro: `problem.yaml` and `testdata/config.yaml`.
    Hydro = "hydro",
    /// Luogu's `config.yml`.
    Luogu = "luogu",
    /// The Contest Management System's `task.yaml` and `gen/GEN`.
    Cms = "cms",
    /// online-judge-tools: `test/`.
    Oj = "oj",
    /// Pairs of files, with `judge.yaml`.
    Plain = "plain",
}

/// Something that the format cannot express.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// Whether verdicts or points may be different without it.
    pub changes_verdicts: bool,
    /// The part that is left out or replaced.
    pub what: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.changes_verdicts {
            true => "changes verdicts",
            false => "left out",
        };
        write!(f, "{kind}: {}", self.what)
    }
}

/// A package in another format that is not at its destination yet.
#[derive(Debug)]
pub struct Staged {
    /// The parts that the format cannot express.
    pub losses: Vec<Loss>,
    output: Output,
}

impl Staged {
    /// Moves the package to its destination.
    pub fn finish(self) -> Result<(), PackageError> {
        self.output.finish()
    }
}

/// Stages `package` in the format `target` for the destination `to`: a directory, or an archive if it
/// ends with `.zip` or `.kpp`. `time_limit` replaces the package's own.
/// Fails when a file cannot be read or written, or when the destination is a directory with files.
pub fn stage(
    package: &Package,
    target: Target,
    time_limit: Option<Duration>,
    to: &Path,
) -> Result<Staged, PackageError> {
    let mut output = Output::new(to)?;
    let problem = Problem::new(package, time_limit)?;
    targets::write(target, &problem, &mut output)?;
    Ok(Staged {
        losses: output.take_losses(),
        output,
    })
}
