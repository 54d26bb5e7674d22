//! Resolves `mod name;` to a file.

use super::error::BundleError;
use std::path::{Path, PathBuf};

/// A source file and the directories in which its modules are searched.
#[derive(Clone, Debug)]
pub struct Place {
    pub file: PathBuf,
    /// The directory for `mod name;`.
    children: PathBuf,
    /// The directory for `#[path = "..."] mod name;`.
    relative: PathBuf,
}

impl Place {
    /// A file whose modules are in its own directory: `main.rs`, `lib.rs`, `mod.rs`.
    pub fn beside(file: &Path) -> Self {
        let dir = file.parent().unwrap_or(Path::new("")).to_owned();
        Place {
            file: file.to_owned(),
            children: dir.clone(),
            relative: dir,
        }
    }

    /// The directories that apply inside an inline module.
    pub fn inline(&self, name: &str, path: Option<&str>) -> Place {
        let inside = match path {
            Some(path) => self.relative.join(path),
            None => self.children.join(name),
        };
        Place {
            file: self.file.clone(),
            children: inside.clone(),
            relative: inside,
        }
    }

    /// The file of `mod name;` declared at this line.
    pub fn module(
        &self,
        name: &str,
        path: Option<&str>,
        line: usize,
    ) -> Result<Place, BundleError> {
        if let Some(path) = path {
            return Ok(Place::beside(&self.relative.join(path)));
        }
        let flat = self.children.join(format!("{name}.rs"));
        let nested = self.children.join(name).join("mod.rs");
        if flat.is_file() {
            return Ok(Place {
                relative: self.children.clone(),
                children: self.children.join(name),
                file: flat,
            });
        }
        if nested.is_file() {
            return Ok(Place::beside(&nested));
        }
        let what = format!("module {name} has no file");
        let remedy = format!("expected {} or {}", flat.display(), nested.display());
        Err(BundleError::at(&self.file, line, 1, what, remedy))
    }
}
