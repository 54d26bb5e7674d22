//! A new problem in the workspace: the crate and the package of another one under a new name, so
//! that it compiles and is judged from its first minute on.

use crate::error::Failure;
use crate::package::Package;
use crate::submission::Workspace;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Words of Rust that cargo takes for no name of a crate.
const KEYWORDS: [&str; 20] = [
    "abstract", "async", "await", "become", "break", "const", "continue", "crate", "dyn", "else",
    "enum", "extern", "final", "match", "move", "static", "struct", "test", "trait", "while",
];

/// Where the new problem is.
#[derive(Debug)]
pub struct Created {
    /// Its crate.
    pub krate: PathBuf,
    /// Its package.
    pub package: PathBuf,
}

/// Makes the problem `id` as a copy of `like`; `url` is where its statement is.
///
/// # Errors
///
/// When the name is not fit, something of that name is there, or `like` is not whole. Nothing is
/// left behind then.
pub fn create(
    workspace: &Workspace,
    id: &str,
    like: &str,
    url: Option<&str>,
) -> Result<Created, Failure> {
    check_id(id)?;
    check_url(url)?;
    let krate = workspace.root.join("problems").join(id);
    let package = workspace.root.join("testdata").join(id);
    for path in [&krate, &package] {
        if path.symlink_metadata().is_ok() {
            let path = path.display();
            return Err(Failure::usage(format!(
                "{path} is there already, and is left as it is\n  help: choose another ID"
            )));
        }
    }
    let Some(model) = workspace.problem(like)? else {
        return Err(Failure::usage(format!(
            "--like {like:?}: there is no crate problems/{like}"
        )));
    };
    let model_package = workspace.root.join("testdata").join(like);
    Package::read(&model_package)?;

    let staging = tempfile::Builder::new()
        .prefix(".judge-new-")
        .tempdir_in(&workspace.root)
        .map_err(failed("make a directory in", &workspace.root))?;
    let staged_crate = staging.path().join("crate");
    copy(&model.dir, &staged_crate, |name| {
        (name != "target").then(|| name.replace(like, id))
    })?;
    rename_in_texts(&staged_crate, like, id)?;
    let staged_package = staging.path().join(id);
    // How the model's data was made says nothing of what will stand here.
    copy(&model_package, &staged_package, |name| {
        (name != "generators" && !name.starts_with(".judge-gen")).then(|| name.to_owned())
    })?;
    let yaml = staged_package.join("problem.yaml");
    let text = fs::read_to_string(&yaml).map_err(failed("read", &yaml))?;
    let text = new_settings(&text.replace(like, id), &random_uuid()?, url);
    fs::write(&yaml, text).map_err(failed("write", &yaml))?;
    Package::read(&staged_package)?;

    put(&staged_crate, &krate)?;
    put(&staged_package, &package).inspect_err(|_| {
        // Half a problem is worse than none.
        let _ = fs::rename(&krate, &staged_crate);
    })?;
    Ok(Created { krate, package })
}

fn check_id(id: &str) -> Result<(), Failure> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if !id.starts_with(|c: char| c.is_ascii_lowercase()) || !id.chars().all(fits) {
        return Err(Failure::usage(format!(
            "ID {id:?}: the name of a package has only lower-case letters and digits, and begins \
             with a letter"
        )));
    }
    if id.len() < 3 || KEYWORDS.contains(&id) {
        return Err(Failure::usage(format!(
            "ID {id:?}: a crate cannot have this name\n  help: put the judge's name before it, as \
             in luogup1784"
        )));
    }
    Ok(())
}

fn check_url(url: Option<&str>) -> Result<(), Failure> {
    let is_web = |url: &str| {
        let schemes = ["https://", "http://"];
        schemes.iter().any(|scheme| url.starts_with(scheme))
            && !url.contains(|c: char| c.is_whitespace() || c.is_control())
    };
    match url {
        Some(url) if !is_web(url) => Err(Failure::usage(format!(
            "--url {url:?}: expected an address such as https://www.luogu.com.cn/problem/P1784"
        ))),
        _ => Ok(()),
    }
}

/// `problem.yaml` with another identity; all else stands as it was, comments too.
fn new_settings(text: &str, uuid: &str, url: Option<&str>) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let key = line.trim_start();
        let indent = &line[..line.len() - key.len()];
        match url {
            _ if line.starts_with("uuid:") => out.push_str(&format!("uuid: {uuid}")),
            // JSON's quotes are YAML's.
            Some(url) if key.starts_with("url:") || line.starts_with("source_url:") => {
                let name = key.split(':').next().unwrap_or("url");
                let url = serde_json::Value::from(url);
                out.push_str(&format!("{indent}{name}: {url}"));
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// A random UUID (version 4).
fn random_uuid() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    let source = Path::new("/dev/urandom");
    fs::File::open(source)
        .and_then(|mut file| file.read_exact(&mut bytes))
        .map_err(failed("read", source))?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| &digits[range]);
    Ok(parts.join("-"))
}

/// Copies a directory. `name` gives each entry directly in it, and each file below, its name; an
/// entry directly in it without one is left out.
fn copy(from: &Path, to: &Path, name: impl Fn(&str) -> Option<String>) -> Result<(), Failure> {
    let walk = WalkDir::new(from).min_depth(1).into_iter();
    let walk = walk.filter_entry(|entry| {
        entry.depth() > 1 || name(&entry.file_name().to_string_lossy()).is_some()
    });
    fs::create_dir_all(to).map_err(failed("create", to))?;
    for entry in walk {
        let entry = entry.map_err(|e| Failure::usage(format!("failed to copy: {e}")))?;
        let path = entry.path();
        let inside = path.strip_prefix(from).unwrap_or(path);
        let own = entry.file_name().to_string_lossy();
        let target = if entry.file_type().is_dir() {
            to.join(inside)
        } else {
            let own = name(&own).unwrap_or_else(|| own.into_owned());
            to.join(inside).with_file_name(own)
        };
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target).map_err(failed("create", &target))?;
        } else {
            fs::copy(path, &target).map_err(failed("copy", path))?;
        }
    }
    Ok(())
}

/// Replaces the old id in every file that is text.
fn rename_in_texts(dir: &Path, old: &str, new: &str) -> Result<(), Failure> {
    for entry in WalkDir::new(dir) {
        let entry = entry.map_err(|e| Failure::usage(format!("failed to read: {e}")))?;
        let path = entry.path();
        if !entry.file_type().is_file() {
            continue;
        }
        if let Ok(text) = String::from_utf8(fs::read(path).map_err(failed("read", path))?) {
            fs::write(path, text.replace(old, new)).map_err(failed("write", path))?;
        }
    }
    Ok(())
}

/// Gives a finished directory its place; never that of another.
fn put(from: &Path, to: &Path) -> Result<(), Failure> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Some file systems cannot promise it; that nothing is there was checked.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) if !to.exists() => {
            fs::rename(from, to).map_err(failed("create", to))
        }
        other => other.map_err(|e| failed("create", to)(e.into())),
    }
}

fn failed<'p>(what: &'p str, path: &'p Path) -> impl Fn(io::Error) -> Failure + 'p {
    move |e| Failure::usage(format!("failed to {what} {}: {e}", path.display()))
}
