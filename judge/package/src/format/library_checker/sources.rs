//! Library Checker's sources: each is compiled with the headers of its package and of the
//! repository's `common/`, and with a `params.h` generated from `info.toml`.

use crate::error::PackageError;
use crate::input::staging_dir::{StagingDir, base_name, testlib};
use crate::input::tree::Tree;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Extensions of files that are included, but not compiled on their own.
const HEADERS: [&str; 5] = [".h", ".hpp", ".hh", ".hxx", ".inc"];
/// Directories without sources.
const DATA: [&str; 2] = ["in", "out"];

pub struct SourceTree {
    /// Holds the assembled programs.
    pub staging_dir: StagingDir,
    root: PathBuf,
    /// The paths of the package's headers.
    headers: Vec<String>,
    /// The repository's common headers, which every source can include.
    common: Vec<PathBuf>,
    params: String,
}

impl SourceTree {
    /// Collects the sources in `tree`; `params` are those of `info.toml`.
    pub fn new(tree: &mut Tree, params: &toml::Table) -> Result<Self, PackageError> {
        let root = tree.root.clone();
        let mut headers = tree.files(|dir| !DATA.contains(&dir))?;
        headers.retain(|name| is_header(name) && name != "params.h");
        let mut sources = SourceTree {
            staging_dir: StagingDir::new()?,
            root: root.clone(),
            headers,
            common: Vec::new(),
            params: params_h(params),
        };
        if let Some(dir) = testlib(&root).as_deref().and_then(Path::parent)
            && !dir.starts_with(&root)
        {
            let mut common = Tree::new(dir)?;
            let entries = common.list(dir)?.into_iter();
            let headers = entries.filter(|entry| !entry.is_dir && is_header(&entry.name));
            sources.common = headers.map(|entry| entry.path).collect();
        }
        Ok(sources)
    }

    /// Assembles a program from these sources (paths in the package).
    pub fn program(&self, sources: &[&str]) -> Result<PathBuf, PackageError> {
        let name = sources.join("+").replace('/', "-");
        let copy = |from: &Path, to: &str| self.staging_dir.copy(from, &format!("{name}/{to}"));
        let headers = self.headers.iter().map(String::as_str);
        let mut dirs = BTreeSet::from([""]);
        for file in headers.clone().chain(sources.iter().copied()) {
            copy(&self.root.join(file), file)?;
            dirs.insert(file.rsplit_once('/').map_or("", |(dir, _)| dir));
        }
        // A compiler would find these with `-I`; copies in every directory replace that.
        for dir in &dirs {
            for header in &self.common {
                let base = base_name(header);
                let place = format!("{dir}/{base}");
                let place = place.trim_start_matches('/');
                if !self.headers.iter().any(|own| own == place) {
                    copy(header, place)?;
                }
            }
        }
        let with_grader = sources.iter().any(|source| source.starts_with("grader/"));
        for header in headers.filter(|_| with_grader) {
            if let Some(base) = header.strip_prefix("grader/") {
                copy(&self.root.join(header), &format!("sol/{base}"))?;
            }
        }
        self.staging_dir
            .write(&format!("{name}/params.h"), self.params.as_bytes())?;
        Ok(match sources.first() {
            Some(main) => self.staging_dir.made_from(&name, &self.root.join(main)),
            None => self.staging_dir.path(&name),
        })
    }
}

fn is_header(name: &str) -> bool {
    HEADERS.iter().any(|end| name.ends_with(end))
}

/// Formats the parameters like `generate.py`.
fn params_h(params: &toml::Table) -> String {
    let line = |(key, value): (&String, &toml::Value)| match value {
        toml::Value::Integer(number) => format!("#define {key} (long long){number}\n"),
        toml::Value::String(text) => format!("#define {key} \"{text}\"\n"),
        toml::Value::Float(number) => format!("#define {key} {number:?}\n"),
        // `generate.py` rejects all other types.
        _ => String::new(),
    };
    params.iter().map(line).collect()
}
