//! The sources of a program of the package.

use crate::walk;
use judge_package::{Package, PackageError};
use std::fs;
use std::path::Path;

/// Maximum size of a source file.
const MAX_SOURCE: u64 = 64 << 20;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// The path inside the program's directory.
    pub name: String,
    pub content: Vec<u8>,
    /// Whether it may be executed, such as a `run` script.
    pub is_executable: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sources {
    /// The files; the main one comes first.
    pub files: Vec<SourceFile>,
}

/// The language of a program, as far as adapters exist for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C++.
    Cpp,
    /// Python 3.
    Python,
    Other,
}

impl Sources {
    /// Whether its files, other than `testlib.h`, have one of these words.
    pub fn mentions(&self, words: &[&str]) -> bool {
        let mut files = self.files.iter().filter(|file| file.name != "testlib.h");
        files.any(|file| {
            let text = String::from_utf8_lossy(&file.content);
            words.iter().any(|word| text.contains(word))
        })
    }

    /// Reads the program at `path`, a file or a directory, and replaces the constants of the package.
    pub fn read(package: &Package, path: &Path) -> Result<Self, PackageError> {
        let failed = |path: &Path, e: std::io::Error| {
            PackageError::new(path, format!("failed to read: {e}"))
        };
        let original = package.original(path);
        let mut files = Vec::new();
        for entry in walk::files(package.shared_root(), path)? {
            let place = entry.path();
            let inside = place.strip_prefix(path).unwrap_or(place);
            let name = match inside.as_os_str().is_empty() {
                true => place
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
                false => inside.to_string_lossy().into_owned(),
            };
            if name
                .split('/')
                .any(|part| part.starts_with('.') || part == "__pycache__")
            {
                continue;
            }
            let metadata = entry.metadata().map_err(|e| failed(place, e.into()))?;
            if metadata.len() > MAX_SOURCE {
                return Err(PackageError::new(place, "is too large for a source file"));
            }
            let content = fs::read(place).map_err(|e| failed(place, e))?;
            let content = match String::from_utf8(content) {
                Ok(text) => package.with_constants(&text).into_bytes(),
                Err(binary) => binary.into_bytes(),
            };
            files.push(SourceFile {
                name,
                content,
                is_executable: judge_os::is_executable(place),
            });
        }
        let main_name = original.file_name().unwrap_or_default().to_string_lossy();
        let main = files.iter().position(|file| file.name == main_name);
        let main = main.or_else(|| files.iter().position(SourceFile::is_main));
        if let Some(main) = main {
            let first = files.remove(main);
            files.insert(0, first);
        }
        match files.is_empty() {
            true => Err(PackageError::new(path, "holds no source file")),
            false => Ok(Sources { files }),
        }
    }

    /// A program of one generated file.
    pub fn generated(name: &str, content: String) -> Self {
        Sources {
            files: vec![SourceFile {
                name: name.to_owned(),
                content: content.into_bytes(),
                is_executable: false,
            }],
        }
    }

    pub fn main(&self) -> &SourceFile {
        &self.files[0]
    }

    /// The language of the main file.
    pub fn language(&self) -> Language {
        let is_script = |file: &SourceFile| ["build", "run"].contains(&file.name.as_str());
        match extension(&self.main().name) {
            _ if self.files.iter().any(is_script) => Language::Other,
            "cpp" | "cc" | "cxx" | "c++" => Language::Cpp,
            "py" | "py3" => Language::Python,
            _ => Language::Other,
        }
    }

    /// Whether the program is one file, perhaps with headers.
    pub fn is_single(&self) -> bool {
        self.files[1..].iter().all(SourceFile::is_header)
    }
}

impl SourceFile {
    /// Whether the file is only included.
    pub fn is_header(&self) -> bool {
        ["h", "hh", "hpp", "hxx", "inc"].contains(&extension(&self.name))
    }

    /// Whether a program starts with this file: it has a `main`, or its language needs none.
    fn is_main(&self) -> bool {
        let text = String::from_utf8_lossy(&self.content);
        match extension(&self.name) {
            "py" | "py3" => {
                ["main.py", "__main__.py"].contains(&self.name.as_str())
                    || text.contains("__main__")
                    || !text.contains("\ndef ")
            }
            "cpp" | "cc" | "cxx" | "c++" | "c" => text.contains("main"),
            _ => self.name == "run",
        }
    }
}

/// The part of a name after the last dot.
pub fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}
