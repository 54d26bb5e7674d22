//! The files of a case that the last run made.

use super::install;
use super::manifest::{CaseRecord, hash_file};
use super::programs::CaseFiles;
use judge_core::error::Failure;
use judge_core::files::failed;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a case as they are now.
pub struct OldCase<'a> {
    /// The record of the last run.
    pub record: CaseRecord,
    /// The data directory.
    pub data: PathBuf,
    /// The path of the case below it, without extension.
    pub name: &'a str,
}

impl OldCase<'_> {
    fn path(&self, extension: &str) -> PathBuf {
        self.data.join(format!("{}.{extension}", self.name))
    }

    /// Whether the file is as the last run recorded it.
    pub fn is_unchanged(&self, extension: &str) -> bool {
        let recorded = self.record.files.get(extension);
        recorded.is_some_and(|recorded| {
            hash_file(&self.path(extension)).is_ok_and(|hash| hash == *recorded)
        })
    }

    /// Puts the recorded files into the new data directory.
    pub fn install(&self, new: &Path) -> Result<(), Failure> {
        self.record.files.keys().try_for_each(|extension| {
            let name = format!("{}.{extension}", self.name);
            install::link_or_copy(&self.path(extension), &new.join(name))
        })
    }

    /// The files that the generator wrote; `None` if one has changed.
    pub fn generated(&self) -> Option<Result<CaseFiles, Failure>> {
        let extensions = self
            .record
            .generated
            .iter()
            .map(String::as_str)
            .chain(["in"]);
        let read = |extension: &str| {
            let path = self.path(extension);
            let bytes = fs::read(&path).map_err(failed("read", &path))?;
            Ok((extension.to_owned(), bytes))
        };
        let is_complete = extensions
            .clone()
            .all(|extension| self.is_unchanged(extension));
        is_complete.then(|| extensions.map(read).collect())
    }
}
