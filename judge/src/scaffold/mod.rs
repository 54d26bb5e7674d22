//! Creates problems in the workspace: a crate that compiles and a package that can be judged. Both
//! are made in a staging directory and moved into place when complete. Also creates plain folders.

mod address;
mod companion;
mod folder;
mod krate;
mod package;
mod rename;
mod skeleton;

pub use address::suggested_id;
pub use companion::{Problem, Received, listen};
pub use folder::{Folder, create_folder, folder_name};
use judge_core::error::Failure;
use judge_core::files::{copy, failed};
use judge_core::submission::{self, Workspace};
use judge_package::Package;
pub use package::{Draft, samples};
pub use skeleton::{SkeletonKind, write_skeleton};
use std::fs;
use std::path::{Path, PathBuf};

/// Rust keywords that cargo rejects as names of crates.
const KEYWORDS: [&str; 20] = [
    "abstract", "async", "await", "become", "break", "const", "continue", "crate", "dyn", "else",
    "enum", "extern", "final", "match", "move", "static", "struct", "test", "trait", "while",
];

#[derive(Debug)]
pub struct Created {
    pub krate: PathBuf,
    pub package: PathBuf,
}

#[derive(Debug)]
pub struct Request<'a> {
    pub id: String,
    /// The problem of the workspace whose crate is copied; without it the crate is a template.
    pub like: Option<&'a str>,
    /// The source of the package; `None` copies that of `like`.
    pub origin: Option<Origin<'a>>,
    pub url: Option<&'a str>,
}

/// The source of a new problem's package.
#[derive(Debug)]
pub enum Origin<'a> {
    /// A directory or an archive in any supported format.
    Package(&'a Path),
    /// Data entered by the user or received from the browser.
    Draft(Draft),
}

/// Creates a problem.
/// Fails when the ID is not valid or in use, or the source is incomplete. Nothing is created then.
pub fn create(workspace: &Workspace, request: &Request<'_>) -> Result<Created, Failure> {
    let id = &request.id;
    check_id(id)?;
    check_url(request.url)?;
    let krate = workspace.root.join("problems").join(id);
    let package = workspace.root.join("testdata").join(id);
    for path in [&krate, &package] {
        if path.symlink_metadata().is_ok() {
            let path = path.display();
            return Err(Failure::usage(format!("{path} already exists")).help("choose another ID"));
        }
    }
    check_is_no_member(workspace, id)?;
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
        // Remove the crate: it is useless without the package.
        let _ = fs::rename(&krate, &staged_crate);
    })?;
    Ok(Created { krate, package })
}

fn stage_crate(workspace: &Workspace, request: &Request<'_>, to: &Path) -> Result<(), Failure> {
    match request.like {
        // The tests and metadata of the copied crate refer to its own data.
        Some(like) => krate::copy_of(workspace, like, &request.id, request.origin.is_none(), to),
        None => krate::write(workspace, &request.id, to),
    }
}

fn stage_package(workspace: &Workspace, request: &Request<'_>, to: &Path) -> Result<(), Failure> {
    let (id, url) = (request.id.as_str(), request.url);
    let draft = match (&request.origin, request.like) {
        (Some(Origin::Package(path)), _) => return stage_given(path, to, url),
        (None, Some(like)) => {
            let model = workspace.root.join("testdata").join(like);
            return package::copy_of(&Package::read(&model)?.root, like, id, url, to);
        }
        (Some(Origin::Draft(draft)), _) => draft.clone(),
        (None, None) => Draft::to_be_filled_in(),
    };
    let url = url.map(str::to_owned).or_else(|| draft.url.clone());
    check_url(url.as_deref())?;
    package::write(to, id, &Draft { url, ..draft })
}

/// Copies a package that the user named.
fn stage_given(path: &Path, to: &Path, url: Option<&str>) -> Result<(), Failure> {
    let path = std::path::absolute(path).map_err(failed("find", path))?;
    // `given` keeps the directory of an unpacked archive.
    let given = Package::read(&path)?;
    copy(&given.root, to, Some(&given.root), |inside| {
        let name = inside.file_name()?.to_string_lossy().into_owned();
        (!name.starts_with(".judge-gen")).then_some(name)
    })?;
    let yaml = to.join("problem.yaml");
    if !yaml.is_file() {
        // Other formats have no UUID or URL to change.
        return Ok(());
    }
    let text = fs::read_to_string(&yaml).map_err(failed("read", &yaml))?;
    let text = package::new_settings(&text, &package::random_uuid()?, url);
    fs::write(&yaml, text).map_err(failed("write", &yaml))
}

fn check_id(id: &str) -> Result<(), Failure> {
    let Some(what) = defect_of_id(id) else {
        return Ok(());
    };
    let mut near = id.to_ascii_lowercase();
    near.retain(|c| c.is_ascii_alphanumeric());
    let help = match defect_of_id(&near) {
        None => format!("call it {near}"),
        Some(_) => "put the judge's name before it, as in luogup1784".to_owned(),
    };
    Err(Failure::usage(format!("ID {id:?}: {what}")).help(help))
}

fn defect_of_id(id: &str) -> Option<&'static str> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if !id.starts_with(|c: char| c.is_ascii_lowercase()) || !id.chars().all(fits) {
        Some(
            "the name of a package has only lower-case letters and digits, and begins with a letter",
        )
    } else if id.len() < 3 {
        Some("an ID has at least 3 characters")
    } else if KEYWORDS.contains(&id) {
        Some("a crate cannot have this name")
    } else {
        None
    }
}

/// Cargo builds nothing in a workspace with two packages of one name.
fn check_is_no_member(workspace: &Workspace, id: &str) -> Result<(), Failure> {
    let members = submission::members(&workspace.root);
    let Some((_, manifest)) = members.iter().find(|(name, _)| name == id) else {
        return Ok(());
    };
    let dir = manifest.parent().unwrap_or(manifest);
    Err(Failure::usage(format!(
        "ID {id:?}: the crate in {} already has this name",
        dir.display()
    ))
    .help("choose another ID"))
}

/// Whether the text is the address of a web page.
pub fn is_web(url: &str) -> bool {
    let schemes = ["https://", "http://"];
    let mut rest = schemes.iter().filter_map(|scheme| url.strip_prefix(scheme));
    rest.any(|rest| !rest.is_empty())
        && !url.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// Refuses an address that is not that of a web page.
pub fn check_url(url: Option<&str>) -> Result<(), Failure> {
    match url {
        Some(url) if !is_web(url) => Err(Failure::usage(format!(
            "--url {url:?} is not the address of a web page"
        ))
        .help("write it like https://www.luogu.com.cn/problem/P1784")),
        _ => Ok(()),
    }
}

/// Moves a finished directory into place; never replaces another.
fn put(from: &Path, to: &Path) -> Result<(), Failure> {
    let renamed = match judge_os::rename_new(from, to) {
        // Not every file system can guarantee it: the check above has to suffice.
        Err(e) if judge_os::is_unsupported(&e) && !to.exists() => fs::rename(from, to),
        other => other,
    };
    renamed.map_err(failed("create", to))
}
