//! A new problem in the workspace: a crate that compiles and a package that is judged, from the
//! first minute on. Everything is made beside, and gets its place when it is whole.

mod companion;
mod package;

use crate::error::Failure;
use crate::package::Package;
use crate::submission::Workspace;
pub use companion::listen;
pub use package::{Draft, samples};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use std::fs;
use std::io;
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

/// A new problem.
#[derive(Debug)]
pub struct Request<'a> {
    /// Its name.
    pub id: &'a str,
    /// The problem of the workspace whose crate is copied; without it the crate is a beginning.
    pub like: Option<&'a str>,
    /// Where the package comes from; `None`: from `like`.
    pub origin: Option<Origin<'a>>,
    /// Where the statement is.
    pub url: Option<&'a str>,
}

/// Where the package of a new problem comes from.
#[derive(Debug)]
pub enum Origin<'a> {
    /// A directory or an archive, of any format that is read.
    Package(&'a Path),
    /// What is known of the problem.
    Draft(Draft),
}

/// Makes a problem.
///
/// # Errors
///
/// When the name is not fit, something of that name is there, or what it is made from is not whole.
/// Nothing is left behind then.
pub fn create(workspace: &Workspace, request: &Request<'_>) -> Result<Created, Failure> {
    let id = request.id;
    check_id(id)?;
    check_url(request.url)?;
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
    let staging = tempfile::Builder::new()
        .prefix(".judge-new-")
        .tempdir_in(&workspace.root)
        .map_err(failed("make a directory in", &workspace.root))?;
    let staged_crate = staging.path().join("crate");
    stage_crate(workspace, request, &staged_crate)?;
    let staged_package = staging.path().join(id);
    stage_package(workspace, request, &staged_package)?;
    Package::read(&staged_package)?;

    for path in [&krate, &package] {
        let parent = path.parent().unwrap_or(path);
        fs::create_dir_all(parent).map_err(failed("create", parent))?;
    }
    put(&staged_crate, &krate)?;
    put(&staged_package, &package).inspect_err(|_| {
        // Half a problem is worse than none.
        let _ = fs::rename(&krate, &staged_crate);
    })?;
    Ok(Created { krate, package })
}

fn stage_crate(workspace: &Workspace, request: &Request<'_>, to: &Path) -> Result<(), Failure> {
    let id = request.id;
    let Some(like) = request.like else {
        return write_crate(to, id);
    };
    let Some(model) = workspace.problem(like)? else {
        return Err(Failure::usage(format!(
            "--like {like:?}: there is no crate problems/{like}"
        )));
    };
    // The model's tests are about the model's data.
    let tests_fit = request.origin.is_none();
    copy(&model.dir, to, |name| {
        let kept = name != "target" && (name != "tests" || tests_fit);
        kept.then(|| name.replace(like, id))
    })?;
    rename_in_texts(to, like, id)
}

fn stage_package(workspace: &Workspace, request: &Request<'_>, to: &Path) -> Result<(), Failure> {
    let (id, url) = (request.id, request.url);
    let given = match (&request.origin, request.like) {
        (Some(Origin::Draft(draft)), _) => {
            let url = url.map(str::to_owned).or_else(|| draft.url.clone());
            check_url(url.as_deref())?;
            let draft = Draft {
                url,
                ..draft.clone()
            };
            return package::write(to, id, &draft);
        }
        (Some(Origin::Package(path)), _) => {
            let path = std::path::absolute(path).map_err(failed("find", path))?;
            Package::read(&path)?
        }
        (None, Some(like)) => Package::read(&workspace.root.join("testdata").join(like))?,
        (None, None) => {
            return Err(Failure::usage(
                "nothing says what the problem begins with\n  help: --like ID, --from PACKAGE, \
                 --samples FILE... or --listen",
            ));
        }
    };
    // What an archive was unpacked into lives as long as `given`.
    copy(&given.root, to, |name| {
        (!name.starts_with(".judge-gen")).then(|| name.to_owned())
    })?;
    let yaml = to.join("problem.yaml");
    if !yaml.is_file() {
        // Other formats have no identity to change.
        return Ok(());
    }
    let mut text = fs::read_to_string(&yaml).map_err(failed("read", &yaml))?;
    if let (None, Some(like)) = (&request.origin, request.like) {
        text = text.replace(like, id);
        let generators = to.join("generators");
        if generators.is_dir() {
            rename_in_texts(&generators, like, id)?;
            let noted = generators.join(".judge-gen.json");
            if noted.is_file() {
                fs::remove_file(&noted).map_err(failed("remove", &noted))?;
            }
        }
    }
    let text = package::new_settings(&text, &package::random_uuid()?, url);
    fs::write(&yaml, text).map_err(failed("write", &yaml))
}

/// A crate that compiles, with a program that is still to be written.
fn write_crate(dir: &Path, id: &str) -> Result<(), Failure> {
    let manifest = format!(
        "[package]\nname = \"{id}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         publish = false\n\n[dependencies]\n"
    );
    let main = format!(
        "//! {id}: reads the input, solves it, writes the answer.\n#![forbid(unsafe_code)]\n\n\
         use std::io;\n\nfn main() -> io::Result<()> {{\n    \
         let input = io::read_to_string(io::stdin())?;\n    \
         let answer = input.trim_end(); // to be worked out\n    println!(\"{{answer}}\");\n    \
         Ok(())\n}}\n"
    );
    let src = dir.join("src");
    fs::create_dir_all(&src).map_err(failed("create", &src))?;
    let files = [
        (dir.join("Cargo.toml"), manifest),
        (src.join("main.rs"), main),
    ];
    for (path, text) in files {
        fs::write(&path, text).map_err(failed("write", &path))?;
    }
    Ok(())
}

/// The name that a problem's address suggests: `luogup1784` for
/// `https://www.luogu.com.cn/problem/P1784`.
pub fn id_of(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let (host, path) = rest.split_once('/')?;
    let host = host.trim_start_matches("www.").split('.').next()?;
    let path = path.split('#').next()?;
    // POJ and HDU name the problem in a parameter.
    let last = path
        .split(['/', '?', '&', '='])
        .rfind(|part| !part.is_empty())?;
    let id: String = format!("{host}{last}")
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    check_id(&id).ok()?;
    Some(id)
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

#[cfg(test)]
mod tests {
    use super::id_of;

    #[test]
    fn an_address_suggests_a_name() {
        for (url, id) in [
            ("https://www.luogu.com.cn/problem/P1784", Some("luogup1784")),
            ("http://poj.org/problem?id=3074", Some("poj3074")),
            (
                "https://open.kattis.com/problems/sudokunique",
                Some("opensudokunique"),
            ),
            ("nonsense", None),
            ("https://1.2.3.4/x", None),
        ] {
            assert_eq!(id_of(url).as_deref(), id, "{url}");
        }
    }
}
