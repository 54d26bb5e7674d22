//! The record of the last run, so that only changed cases are made.

use judge_core::digest::sha256_of;
use judge_core::text::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use walkdir::WalkDir;

/// The file name, in `generators/`.
pub const NAME: &str = ".judge-gen.json";
/// The version of the file format and of the keys.
const VERSION: u32 = 1;

/// The record of the last successful run. Without it everything is made again.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    /// By path below `data/`.
    pub cases: BTreeMap<String, CaseRecord>,
    /// Written settings of groups: hash by path.
    pub group_files: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseRecord {
    /// The hash of everything that the input depends on.
    pub input_key: String,
    /// The hash of everything that the answer and the checks depend on.
    pub check_key: String,
    /// Its files: hash by extension.
    pub files: BTreeMap<String, String>,
    /// The extensions of the files that the generator made, besides the input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generated: Vec<String>,
}

impl Manifest {
    /// Reads the record in `dir`; empty if it is missing, malformed or of another version.
    pub fn read(dir: &Path) -> Self {
        fs::read(dir.join(NAME))
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Manifest>(&bytes).ok())
            .filter(|manifest| manifest.version == VERSION)
            .unwrap_or_default()
    }

    /// Writes the record atomically.
    pub fn write(&mut self, dir: &Path) -> io::Result<()> {
        self.version = VERSION;
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        serde_json::to_writer_pretty(&mut file, self)?;
        file.write_all(b"\n")?;
        file.persist(dir.join(NAME))?;
        Ok(())
    }
}

/// A SHA-256 hash in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub fn hash_file(path: &Path) -> io::Result<String> {
    Ok(hex(&sha256_of(path)?))
}

/// One hash of several texts.
pub fn hash_all<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        // The length distinguishes ["ab", "c"] from ["a", "bc"].
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hex(&hasher.finalize())
}

/// The hash of a file or of all files below a directory; a missing path counts as no files.
pub fn hash_path(path: &Path) -> io::Result<String> {
    let mut parts = Vec::new();
    if path.exists() {
        for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
            let entry = entry.map_err(io::Error::from)?;
            // Python writes caches beside the sources.
            let is_cache = entry
                .path()
                .components()
                .any(|c| c.as_os_str() == "__pycache__");
            if entry.file_type().is_file() && !is_cache {
                let name = entry.path().strip_prefix(path).unwrap_or(path);
                parts.push(name.display().to_string());
                parts.push(hash_file(entry.path())?);
            }
        }
    }
    Ok(hash_all(parts.iter().map(String::as_str)))
}
