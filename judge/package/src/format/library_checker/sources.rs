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

/// The sources of a package.
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
        let mut sources = SourceTree {
            staging_dir: StagingDir::new(&tree.root)?,
            root: tree.root.clone(),
            headers: Vec::new(),
            common: Vec::new(),
            params: params_h(params),
        };
        let root = tree.root.clone();
        sources.collect(tree, &root, "")?;
        if let Some(dir) = testlib(&root).as_deref().and_then(Path::parent)
            && !dir.starts_with(&root)
        {
            let mut common = Tree::new(dir)?;
            let entries = common.list(dir)?;
            let headers = entries
                .into_iter()
                .filter(|entry| !entry.is_dir && is_header(&entry.name));
            sources.common = headers.map(|entry| entry.path).collect();
        }
        Ok(sources)
    }

    fn collect(&mut self, tree: &mut Tree, dir: &Path, prefix: &str) -> Result<(), PackageError> {
        for entry in tree.list(dir)? {
            let name = format!("{prefix}{}", entry.name);
            if entry.is_dir {
                if !DATA.contains(&name.as_str()) {
                    self.collect(tree, &entry.path, &format!("{name}/"))?;
                }
            } else if is_header(&entry.name) && name != "params.h" {
                self.headers.push(name);
            }
        }
        Ok(())
    }

    /// Assembles a program from these sources (paths in the package).
    ///
    /// # Errors
    ///
    /// When a file cannot be copied.
    pub fn program(&self, sources: &[&str]) -> Result<PathBuf, PackageError> {
        let name = sources.join("+").replace('/', "-");
        let files = self
            .headers
            .iter()
            .map(String::as_str)
            .chain(sources.iter().copied());
        let mut dirs = BTreeSet::from([""]);
        for file in files {
            self.staging_dir
                .copy(&self.root.join(file), &format!("{name}/{file}"), "")?;
            dirs.insert(file.rsplit_once('/').map_or("", |(dir, _)| dir));
        }
        // A compiler would find these with `-I`; copies in every directory replace that.
        for dir in &dirs {
            for header in &self.common {
                let base = base_name(header);
                let place = format!("{dir}/{base}");
                let place = place.trim_start_matches('/');
                if !self.headers.iter().any(|own| own == place) {
                    self.staging_dir
                        .copy(header, &format!("{name}/{place}"), "")?;
                }
            }
        }
        let with_grader = sources.iter().any(|source| source.starts_with("grader/"));
        for header in self.headers.iter().filter(|_| with_grader) {
            if let Some(base) = header.strip_prefix("grader/") {
                self.staging_dir.copy(
                    &self.root.join(header),
                    &format!("{name}/sol/{base}"),
                    "",
                )?;
            }
        }
        self.staging_dir
            .write(&format!("{name}/params.h"), self.params.as_bytes())?;
        Ok(self.staging_dir.path(&name))
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
