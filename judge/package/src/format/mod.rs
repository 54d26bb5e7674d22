//! The package formats: the interface of their readers, and the order of detection.

mod cms;
mod common;
mod dmoj;
mod hydro;
mod icpc;
mod library_checker;
mod luogu;
mod misnamed;
mod names;
mod pairs;
pub mod plain;
mod polygon;
mod rbx;
pub mod settings;
mod sinol;
#[cfg(test)]
mod toy;
mod tps;
pub mod unread;

pub use icpc::directories_2025;

use super::builder::PackageBuilder;
use super::error::PackageError;
use super::input::package_dir::PackageDir;
use std::path::PathBuf;

/// A package format. A new format is a module with an implementation, and a line in [`FORMATS`].
pub trait Format: Sync {
    /// Whether the directory is a package of this format. Formats that share file names also
    /// examine the keys of a configuration; an invalid one is not an error here.
    fn detect(&self, dir: &PackageDir) -> Option<Match>;

    /// Fills `builder` with a package that [`Format::detect`] recognised.
    ///
    /// # Errors
    ///
    /// The first defect that prevents judging. Others are added to the package's findings.
    fn read(&self, builder: &mut PackageBuilder, found: &Match) -> Result<(), PackageError>;
}

/// Where the detection found a package.
pub struct Match {
    /// The directory of the format's configuration, or of the cases.
    pub dir: PathBuf,
}

impl Match {
    /// A match in the package's directory itself.
    fn root(dir: &PackageDir) -> Self {
        Match {
            dir: dir.root().to_owned(),
        }
    }
}

/// The formats in order of detection: the first match counts.
pub const FORMATS: &[&dyn Format] = &[
    #[cfg(test)]
    &toy::Toy,
    &hydro::Hydro { is_export: true },
    &icpc::Icpc,
    &polygon::Polygon,
    &dmoj::Dmoj,
    &library_checker::LibraryChecker,
    &cms::Cms,
    &tps::Tps,
    &rbx::Rbx,
    &sinol::Sinol,
    // Before the formats whose names of files they share, and plain directories.
    &unread::UnreadFormats,
    &misnamed::Misnamed,
    &luogu::Luogu,
    &hydro::Hydro { is_export: false },
    &plain::OnlineJudgeTools,
    &plain::Plain,
];
