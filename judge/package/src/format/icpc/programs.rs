//! Finds validators and other programs in packages of the ICPC formats.
//!
//! The formats have one program per file or directory. Packages also have helper files beside a program:
//! headers, modules that it imports, a `build` script.

use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::format::icpc::Version;
use crate::input::executable::is_native;
use crate::input::package_dir::MAX_SOURCE;
use crate::input::source_text::{family, has_main, imports};
use crate::input::staging_dir::base_name;
use crate::input::text;
use crate::input::tree::{Entry, Tree, forbidden_name, is_valid_name, names};
use crate::model::{InputValidator, InputValidatorKind};
use std::path::{Path, PathBuf};

/// Extensions of files next to programs that are not programs.
const NOT_PROGRAMS: [&str; 31] = [
    ".md", ".txt", ".h", ".hpp", ".hh", ".hxx", ".inc", ".ipp", ".tcc", ".o", ".a", ".so",
    ".class", ".jar", ".pyc", ".exe", ".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".xml",
    ".csv", ".dat", ".in", ".ans", ".out", ".pdf", ".log", ".mk",
];

/// Names of files next to programs that are not programs.
const NOT_PROGRAM_NAMES: [&str; 4] = ["__pycache__", "README", "LICENSE", "Makefile"];

/// Extensions of files that BAPCtools ignores; its skeletons contain such files.
const SET_ASIDE: [&str; 2] = [".template", ".disabled"];

/// Whether a file is ignored because of its name.
pub fn is_set_aside(name: &str) -> bool {
    SET_ASIDE.iter().any(|end| name.ends_with(end))
}

/// The content of a directory of programs.
struct Programs {
    dir: PathBuf,
    /// The programs, sorted.
    programs: Vec<Entry>,
    /// Sources that belong to the programs beside them.
    helpers: Vec<Entry>,
    /// Headers of C and C++.
    headers: Vec<PathBuf>,
    /// Whether a `build` or `run` script makes the directory one program.
    has_script: bool,
}

impl Programs {
    /// Reads the directory `name` of the package, which may be missing. Leaves out names that the
    /// version forbids, with a finding.
    fn read(tree: &mut Tree, name: &str, version: Version) -> Result<Self, PackageError> {
        let dir = tree.root.join(name);
        let mut entries = match dir.is_dir() {
            true => tree.list(&dir)?,
            false => Vec::new(),
        };
        let headers = entries.iter().map(|entry| entry.path.clone());
        let headers = headers.filter(|path| is_header(path)).collect();
        entries.retain(|entry| {
            let is_program = !NOT_PROGRAM_NAMES.contains(&entry.name.as_str())
                && !is_set_aside(&entry.name)
                && (entry.is_dir || !NOT_PROGRAMS.iter().any(|end| entry.name.ends_with(end)));
            let is_forbidden = !version.is_legacy() && !is_valid_name(&entry.name);
            if is_program && is_forbidden {
                let error = forbidden_name(&entry.path, "; it is left out");
                tree.error_of_runs(error);
            }
            is_program && !is_forbidden
        });
        let has_source = entries.iter().any(|entry| !is_native(&entry.path));
        // The compiler's output beside its source.
        entries.retain(|entry| !has_source || !is_native(&entry.path));
        let is_script = |entry: &Entry| ["build", "run"].contains(&entry.name.as_str());
        let has_script = entries
            .iter()
            .any(|entry| is_script(entry) && !entry.is_dir);
        let (helpers, programs) = divided(entries);
        Ok(Programs {
            dir,
            programs,
            helpers,
            headers,
            has_script,
        })
    }

    /// Whether there are helpers of any kind beside the programs.
    fn has_helpers(&self) -> bool {
        let files = names(&self.dir);
        let files = files.filter(|name| !name.starts_with('.') && !is_set_aside(name));
        files.count() > self.programs.len()
    }

    /// Whether the directory has files that belong to a program: not only a skeleton's, or a description.
    /// Forbidden names are findings already.
    fn is_meant(&self) -> bool {
        let is_text = |name: &str| [".md", ".txt"].iter().any(|end| name.ends_with(end));
        names(&self.dir).any(|name| {
            !name.starts_with('.')
                && is_valid_name(&name)
                && !is_set_aside(&name)
                && !is_text(&name)
                && !NOT_PROGRAM_NAMES.contains(&name.as_str())
        })
    }

    /// The path of the only program: a file, a subdirectory, or the directory itself if it contains the
    /// sources. `output_validator/validator.py` and `output_validator/validator/` alone are programs
    /// by themselves.
    fn only(&self) -> Option<PathBuf> {
        match self.programs.as_slice() {
            [] if !self.has_script => None,
            [only] if !self.has_script && (only.is_dir || !self.has_helpers()) => {
                Some(only.path.clone())
            }
            _ => Some(self.dir.clone()),
        }
    }

    /// The path of each program; one with helpers is assembled in a directory of its name.
    fn each(&self, builder: &mut PackageBuilder) -> Result<Vec<PathBuf>, PackageError> {
        if self.has_script {
            return Ok(vec![self.dir.clone()]);
        }
        let mut staging_dir = None;
        let mut paths = Vec::new();
        for program in &self.programs {
            let text = source(program);
            let imports = |path: &Path| imports(&program.path, &text, &base_name(path));
            let of_family =
                |helper: &&Entry| !helper.is_dir && family(&helper.path) == family(&program.path);
            let helpers = self
                .helpers
                .iter()
                .filter(of_family)
                .map(|helper| &helper.path);
            // A linked language needs no import.
            let takes_all = has_main(&program.path, &text).is_some()
                || helpers.clone().any(|path| imports(path));
            let mut files = vec![program.path.clone()];
            files.extend(helpers.filter(|_| takes_all).cloned());
            if files.len() > 1 || self.headers.iter().any(|path| imports(path)) {
                files.extend_from_slice(&self.headers);
            }
            if program.is_dir || files.len() == 1 {
                paths.push(program.path.clone());
                continue;
            }
            let staging_dir = match &staging_dir {
                Some(made) => made,
                None => staging_dir.insert(builder.staging_dir()?),
            };
            let root = &builder.tree.root;
            paths.push(staging_dir.program(root, &program.name, &files, "")?);
        }
        Ok(paths)
    }
}

fn is_header(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|end| ["h", "hh", "hpp", "hxx", "inc", "ipp", "tcc"].contains(&end))
}

/// The text of a source file; empty for a directory.
fn source(entry: &Entry) -> String {
    match entry.is_dir {
        true => String::new(),
        false => text::read_bytes(&entry.path, MAX_SOURCE)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default(),
    }
}

/// Divides the entries of a directory into helpers and programs. A helper is a source that another one
/// imports, one without `main` beside one with it, or a directory without sources. At least one entry is
/// a program.
fn divided(entries: Vec<Entry>) -> (Vec<Entry>, Vec<Entry>) {
    if entries.len() < 2 {
        return (Vec::new(), entries);
    }
    let texts: Vec<String> = entries.iter().map(source).collect();
    let mains: Vec<Option<bool>> = entries
        .iter()
        .zip(&texts)
        .map(|(entry, text)| has_main(&entry.path, text))
        .collect();
    let is_package = entries.iter().any(|entry| entry.name == "__main__.py");
    let is_helper = |k: usize| {
        let entry = &entries[k];
        let others = || (0..entries.len()).filter(move |other| *other != k);
        let is_imported =
            others().any(|other| imports(&entries[other].path, &texts[other], &entry.name));
        let mut same =
            others().filter(|other| family(&entries[*other].path) == family(&entry.path));
        let is_part = match mains[k] {
            Some(false) => {
                // Without any `main`, the first source stands for all.
                let has_main = same.clone().any(|other| mains[other] == Some(true));
                has_main || same.next().is_some_and(|other| other < k)
            }
            _ => is_package && family(&entry.path) == "py" && entry.name != "__main__.py",
        };
        let has_programs = |name: String| !NOT_PROGRAMS.iter().any(|end| name.ends_with(end));
        let is_empty = entry.is_dir && !names(&entry.path).any(has_programs);
        is_imported || is_part || is_empty
    };
    let helps: Vec<bool> = (0..entries.len()).map(is_helper).collect();
    let all = helps.iter().all(|helps| *helps);
    let mut divided = (Vec::new(), Vec::new());
    for (k, entry) in entries.into_iter().enumerate() {
        match helps[k] && !(all && k == 0) {
            true => divided.0.push(entry),
            false => divided.1.push(entry),
        }
    }
    divided
}

/// The only program in the directory `name`.
///
/// # Errors
///
/// When there are several, or the directory holds other files only.
pub fn single(
    tree: &mut Tree,
    name: &str,
    version: Version,
) -> Result<Option<PathBuf>, PackageError> {
    let found = Programs::read(tree, name, version)?;
    // The older version reads most of these directories only if `problem.yaml` asks for it.
    let is_read = !version.is_legacy();
    if is_read && found.programs.is_empty() && !found.has_script && found.is_meant() {
        let what = "holds no program, but files that belong to one";
        return Err(
            PackageError::new(found.dir, what).remedy("add the program, or remove the directory")
        );
    }
    if found.has_script || found.programs.len() < 2 {
        return Ok(found.only());
    }
    let programs = found
        .programs
        .iter()
        .map(|entry| format!("`{}`", entry.name));
    let programs: Vec<String> = programs.take(5).collect();
    let what = format!(
        "holds several programs, and one is allowed: {}",
        programs.join(", ")
    );
    Err(PackageError::new(found.dir, what).remedy(format!(
        "keep one; the files of one program may be in a directory of their own, `{name}/NAME/`"
    )))
}

/// Legacy's output validators: each program in `output_validators/` is one, with the files beside it that
/// belong to it.
pub fn output_validators(
    builder: &mut PackageBuilder,
    version: Version,
) -> Result<Vec<PathBuf>, PackageError> {
    let found = Programs::read(&mut builder.tree, "output_validators", version)?;
    if found.has_script || found.programs.len() == 1 {
        return Ok(found.only().into_iter().collect());
    }
    if found.programs.is_empty() {
        let misnamed = single(&mut builder.tree, "output_validator", version)?;
        return Ok(misnamed.into_iter().collect());
    }
    found.each(builder)
}

/// The programs in `input_validators/`, or in the older names of that directory.
pub fn input_validators(
    builder: &mut PackageBuilder,
    version: Version,
) -> Result<Vec<InputValidator>, PackageError> {
    let mut validators = Vec::new();
    for name in ["input_validators", "input_format_validators"] {
        let found = Programs::read(&mut builder.tree, name, version)?;
        for path in found.each(builder)? {
            let extension = path.extension().and_then(|extension| extension.to_str());
            let kind = match extension {
                _ if path.is_dir() => InputValidatorKind::Program,
                Some("ctd") => InputValidatorKind::Checktestdata,
                Some("viva") => InputValidatorKind::Viva,
                _ => InputValidatorKind::Program,
            };
            validators.push(InputValidator { path, kind });
        }
    }
    Ok(validators)
}
