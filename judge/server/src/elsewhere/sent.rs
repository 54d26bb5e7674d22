//! Submissions and packages for workers: sources by hash, packages as snapshots.

use crate::blobs;
use crate::nats::{Content, Object, packed};
use crate::packages::{Member, members, tree_hash};
use crate::store::SourceFile;
use crate::work_protocol::SentProgram;
use judge_core::error::Reason;
use judge_core::parallel::unpoisoned;
use judge_package::{NewCases, Package, is_native};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use walkdir::WalkDir;

/// Everything that workers may ask for.
#[derive(Default)]
pub struct SentObjects {
    sources: Mutex<HashMap<String, Arc<[u8]>>>,
    /// By the hash of the snapshot.
    trees: Mutex<HashMap<String, Tree>>,
    /// Snapshots of packages by id and directory.
    hashes: Mutex<HashMap<(String, PathBuf), String>>,
}

#[derive(Clone)]
struct Tree {
    id: String,
    members: Arc<Vec<Member>>,
}

impl SentObjects {
    /// The snapshot of a package. Its files are read when a worker asks for it.
    pub fn package(&self, package: &Package) -> Result<String, Reason> {
        let key = (package.id.clone(), package.root.clone());
        let mut hashes = unpoisoned(self.hashes.lock());
        if let Some(hash) = hashes.get(&key) {
            return Ok(hash.clone());
        }
        let failed = |e| Reason::new(format!("{}: {e}", package.origin.display()));
        let mut members = members(&package.root).map_err(failed)?;
        if package.policy.new_cases == NewCases::NextToOthers {
            // A directory without configuration may hold anything else.
            let data = data_of(package);
            members.retain(|member| data.contains(&member.path) || is_checker(&member.path));
        }
        let hash = tree_hash(&package.id, &members).map_err(failed)?;
        let tree = Tree {
            id: package.id.clone(),
            members: Arc::new(members),
        };
        unpoisoned(self.trees.lock()).insert(hash.clone(), tree);
        hashes.insert(key, hash.clone());
        Ok(hash)
    }

    /// A submission: its place in the package, or its files.
    pub fn program(&self, package: &Package, path: &Path) -> Result<SentProgram, Reason> {
        let is_own = package.submissions.iter().any(|own| own.path == path);
        let inside = path.strip_prefix(&package.root).ok().and_then(Path::to_str);
        if let Some(inside) = inside.filter(|_| is_own) {
            return Ok(SentProgram::Packaged(inside.to_owned()));
        }
        let above = path.parent().unwrap_or(path);
        let mut files = Vec::new();
        for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
            let entry = entry?;
            if entry.file_type().is_file() {
                files.push(self.file(above, entry.path())?);
            }
        }
        Ok(SentProgram::Files(files))
    }

    /// A checker of the command line, and the headers beside it.
    pub fn checker(&self, path: &Path) -> Result<Vec<SourceFile>, Reason> {
        let failed = |e: std::io::Error| Reason::new(format!("{}: {e}", path.display()));
        let path = path.canonicalize().map_err(failed)?;
        if is_native(&path) {
            return Err(Reason::new(format!(
                "{}: a program that is built here cannot be sent to other machines\n  help: name its source file",
                path.display()
            )));
        }
        let above = path.parent().unwrap_or(&path);
        let mut files = vec![self.file(above, &path)?];
        let mut headers: Vec<PathBuf> = fs::read_dir(above)
            .map_err(failed)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                let ending = path.extension().and_then(|ending| ending.to_str());
                ending.is_some_and(|ending| ["h", "hh", "hpp"].contains(&ending)) && path.is_file()
            })
            .collect();
        headers.sort();
        for header in headers {
            files.push(self.file(above, &header)?);
        }
        Ok(files)
    }

    fn file(&self, above: &Path, path: &Path) -> Result<SourceFile, Reason> {
        let content =
            fs::read(path).map_err(|e| Reason::new(format!("{}: {e}", path.display())))?;
        let name = path.strip_prefix(above).unwrap_or(path).to_str();
        let name =
            name.ok_or_else(|| Reason::new(format!("{}: the name is not UTF-8", path.display())))?;
        let file = SourceFile {
            name: name.to_owned(),
            blob: blobs::hash(&content),
            bytes: content.len() as u64,
        };
        unpoisoned(self.sources.lock()).insert(file.blob.clone(), content.into());
        Ok(file)
    }

    /// The content of a source.
    pub fn source(&self, hash: &str) -> Result<Arc<[u8]>, Reason> {
        let found = unpoisoned(self.sources.lock()).get(hash).cloned();
        found.ok_or_else(|| Reason::new(format!("no source here has the hash {hash}")))
    }

    pub fn content(&self, object: &Object) -> Result<Content, Reason> {
        match object {
            Object::Source(hash) => Ok(Content::Bytes(self.source(hash)?.to_vec())),
            Object::Tree(hash) => {
                let tree = unpoisoned(self.trees.lock()).get(hash).cloned();
                let tree = tree
                    .ok_or_else(|| Reason::new(format!("no package here has the hash {hash}")))?;
                let file = packed(|archive| {
                    for member in tree.members.iter() {
                        let name = Path::new(&tree.id).join(&member.inside);
                        archive.append_path_with_name(&member.path, name)?;
                    }
                    Ok(())
                });
                let failed =
                    |e| Reason::new(format!("failed to pack the package {}: {e}", tree.id));
                file.map(Content::File).map_err(failed)
            }
        }
    }
}

/// The files of a package's cases.
fn data_of(package: &Package) -> Vec<PathBuf> {
    let cases = package.judged_cases().into_iter();
    let files = cases.flat_map(|case| std::iter::once(&case.input).chain(&case.answer));
    files.filter_map(|file| file.canonicalize().ok()).collect()
}

fn is_checker(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem == "checker")
}
