//! The files and programs that Hydro's configuration names.

use super::submitted::Submitted;
use crate::error::PackageError;
use crate::format::common::SearchPath;
use crate::input::staging_dir::{StagingDir, base_name};
use crate::input::yaml::Node;
use crate::model::{BuiltinChecker, TestlibChecker, Validator, ValidatorProtocol};
use std::path::PathBuf;

const CHECKER_TYPES: [&str; 8] = [
    "default", "strict", "testlib", "hustoj", "kattis", "qduoj", "lemon", "syzoj",
];

/// The name of a file that is given as such or as `{file: NAME, lang: ...}`.
pub fn name_of(file: &Node) -> &Node {
    file.get("file").unwrap_or(file)
}

/// Finds and assembles the files that the configuration names.
pub struct Files {
    pub root: PathBuf,
    pub search_path: SearchPath,
    pub staging_dir: StagingDir,
    /// Files that are next to each program of the package.
    pub judge_files: Vec<PathBuf>,
    /// Whether outputs are compared with the answer, not checked by a program.
    pub compares: bool,
    /// The submitted part of each case, if the submission is the output.
    pub submitted: Option<Submitted>,
}

impl Files {
    /// The path of a file. Of a name with directories, Hydro first tries the part after the first slash.
    pub fn find(&self, file: &Node) -> Result<PathBuf, PackageError> {
        let name = name_of(file);
        let second = name.scalar().and_then(|name| name.split('/').nth(1));
        match second.and_then(|name| self.search_path.find(name)) {
            Some(path) => Ok(path),
            None => self
                .search_path
                .named(name, "put it beside the configuration"),
        }
    }

    pub fn all(&self, files: Option<&Node>) -> Result<Vec<PathBuf>, PackageError> {
        let files = files.map_or(&[][..], Node::one_or_more);
        files.iter().map(|file| self.find(file)).collect()
    }

    /// Assembles a program of the package together with `judge_extra_files`.
    pub fn program(&self, role: &str, file: &Node) -> Result<PathBuf, PackageError> {
        let mut files = vec![self.find(file)?];
        files.extend_from_slice(&self.judge_files);
        self.staging_dir.program(&self.root, role, &files, "")
    }

    pub fn validator(&self, yaml: &Node, interactive: bool) -> Result<Validator, PackageError> {
        if interactive {
            let interactor = yaml.get("interactor").ok_or_else(|| {
                yaml.error("an interactive problem needs an `interactor`")
                    .remedy("add `interactor: interactor.cpp`")
            })?;
            return Ok(Validator::Program {
                path: self.program("interactor", interactor)?,
                protocol: ValidatorProtocol::Testlib,
            });
        }
        let checker = yaml.get("checker");
        let default = checker.map_or("default", |_| "testlib");
        let kind = yaml.optional("checker_type", Node::text)?;
        let kind = kind.unwrap_or(default);
        let protocol = match kind {
            "default" | "strict" => {
                let strict = kind == "strict";
                return Ok(Validator::Builtin(BuiltinChecker::HydroLines { strict }));
            }
            "testlib" => ValidatorProtocol::Testlib,
            "hustoj" => ValidatorProtocol::Hustoj,
            "kattis" => ValidatorProtocol::Icpc,
            "qduoj" => ValidatorProtocol::Qduoj,
            "lemon" => ValidatorProtocol::Lemon,
            "syzoj" => ValidatorProtocol::Syzoj,
            other => {
                let place = yaml.get("checker_type").unwrap_or(yaml);
                return Err(place.is_not("a checker type", other, &CHECKER_TYPES));
            }
        };
        let checker = checker.ok_or_else(|| {
            yaml.error(format!("`checker_type: {kind}` needs a `checker`"))
                .remedy("add `checker: checker.cpp`")
        })?;
        // A name without extension is one of testlib's standard checkers. As programs they also work
        // with the other types, but say nothing that those understand.
        let standard = checker.scalar().and_then(TestlibChecker::named);
        match standard.filter(|_| protocol == ValidatorProtocol::Testlib) {
            Some(standard) => Ok(Validator::Testlib(standard)),
            None => Ok(Validator::Program {
                path: self.program("checker", checker)?,
                protocol,
            }),
        }
    }

    /// Stages `user_extra_files`, which are next to a submission when it is compiled and run, and
    /// returns their directory. A source among them is accepted only with a `compile.sh`; otherwise
    /// it would be a second program.
    pub fn user_files(&self, names: Option<&Node>) -> Result<Option<PathBuf>, PackageError> {
        let paths = self.all(names)?;
        let compiled = paths.iter().any(|path| path.ends_with("compile.sh"));
        let mut include = None;
        for (path, given) in paths.iter().zip(names.map_or(&[][..], Node::one_or_more)) {
            let name = base_name(path);
            let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
            let language = match name.as_str() {
                "compile.sh" | "execute.sh" => continue,
                _ if ends(&[".c"]) => "c",
                _ if ends(&[".cpp", ".cc", ".cxx"]) => "cpp",
                _ => "default",
            };
            if language != "default" && !compiled {
                let what = format!("`{name}` is a source that no `compile.sh` compiles");
                return Err(name_of(given)
                    .error(what)
                    .remedy("make it a header, or add `compile.sh`"));
            }
            self.staging_dir
                .copy(path, &format!("include/{language}/{name}"))?;
            include = Some(self.staging_dir.path("include"));
        }
        Ok(include)
    }
}
