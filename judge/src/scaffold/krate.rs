//! The crate of a new problem: a copy of another problem's crate, or a template.

use super::rename::Rename;
use judge_bundle::Target;
use judge_core::error::Failure;
use judge_core::files::{copy, failed};
use judge_core::submission::Workspace;
use std::fs;
use std::path::Path;
use toml_edit::{DocumentMut, Item, Table, TableLike, value};
use walkdir::WalkDir;

/// Keys of `[package]` that describe the copied problem.
const ABOUT_THE_MODEL: [&str; 4] = ["description", "homepage", "documentation", "readme"];

/// Copies the crate of the problem `like` to `to`. Its tests and its metadata for single binaries
/// are copied only if the package is copied too (`same_data`).
/// Fails when the crate does not exist, or cannot be read or copied.
pub fn copy_of(
    workspace: &Workspace,
    like: &str,
    id: &str,
    same_data: bool,
    to: &Path,
) -> Result<(), Failure> {
    let Some(model) = workspace.problem(like)? else {
        return Err(Failure::usage(format!(
            "--like {like:?}: there is no crate problems/{like}"
        ))
        .help("name a directory of problems/, or leave out --like"));
    };
    let path = model.dir.join("Cargo.toml");
    let text = fs::read_to_string(&path).map_err(failed("read", &path))?;
    let mut manifest: DocumentMut = text
        .parse()
        .map_err(|e| Failure::usage(format!("{}: {e}", path.display())))?;
    let forms = function_forms(&manifest);
    let mut names = vec![model.name.as_str(), like];
    names.dedup();
    let is_library = model.dir.join("src/lib.rs").is_file() || manifest.contains_key("lib");
    let shadowed = |name: &str| declares_module(&model.dir, &name.replace('-', "_"));
    let renames = names
        .into_iter()
        .map(|name| Ok(Rename::new(name, id, is_library && !shadowed(name)?)))
        .collect::<Result<Vec<Rename>, Failure>>()?;
    let renamed = |name: &str| {
        let once = |name: String, rename: &Rename| rename.file_name(&name);
        renames.iter().fold(name.to_owned(), once)
    };
    copy(&model.dir, to, Some(&workspace.root), |inside| {
        let name = inside.file_name()?.to_string_lossy().into_owned();
        if inside.parent() == Some(Path::new("")) {
            let kept = name != "target" && (name != "tests" || same_data);
            return kept.then_some(name);
        }
        if inside.parent() != Some(Path::new("src/bin")) {
            return Some(name);
        }
        let target = name.strip_suffix(".rs").unwrap_or(&name);
        (!forms.iter().any(|form| form == target)).then(|| renamed(&name))
    })?;
    new_manifest(&mut manifest, id, &forms, same_data, &renamed);
    let path = to.join("Cargo.toml");
    fs::write(&path, manifest.to_string()).map_err(failed("write", &path))?;
    for rename in &renames {
        rename_in(to, &["Cargo.toml"], rename)?;
    }
    Ok(())
}

/// Replaces a name in all text files below `dir`, except in the entries of `dir` named in
/// `skipped`.
pub fn rename_in(dir: &Path, skipped: &[&str], rename: &Rename) -> Result<(), Failure> {
    let walk = WalkDir::new(dir).min_depth(1).sort_by_file_name();
    let walk = walk.into_iter().filter_entry(|entry| {
        entry.depth() > 1 || !skipped.contains(&&*entry.file_name().to_string_lossy())
    });
    for entry in walk {
        let entry = entry.map_err(|e| Failure::usage(format!("failed to read: {e}")))?;
        let path = entry.path();
        if !entry.file_type().is_file() {
            continue;
        }
        if let Ok(text) = String::from_utf8(fs::read(path).map_err(failed("read", path))?) {
            let renamed = match path.extension().is_some_and(|e| e == "rs") {
                true => rename.rust(&text),
                false => rename.text(&text),
            };
            fs::write(path, renamed).map_err(failed("write", path))?;
        }
    }
    Ok(())
}

/// Whether the crate has a module of this name, which would shadow the library in paths.
fn declares_module(dir: &Path, name: &str) -> Result<bool, Failure> {
    let declaration = regex::Regex::new(&format!(r"\bmod\s+{}\b", regex::escape(name)))
        .map_err(|e| Failure::internal(e.to_string()))?;
    for entry in WalkDir::new(dir.join("src"))
        .into_iter()
        .filter_map(Result::ok)
    {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "rs") && entry.file_type().is_file() {
            let text = fs::read(path).map_err(failed("read", path))?;
            if declaration.is_match(&String::from_utf8_lossy(&text)) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// `package.metadata.judge.KEY` of a manifest.
fn notes<'a>(manifest: &'a DocumentMut, key: &str) -> Option<&'a dyn TableLike> {
    let judge = manifest.get("package")?.get("metadata")?.get("judge")?;
    judge.get(key)?.as_table_like()
}

/// The binary targets for function forms, each specific to one judge.
fn function_forms(manifest: &DocumentMut) -> Vec<String> {
    let Some(targets) = notes(manifest, "bundle") else {
        return Vec::new();
    };
    targets
        .iter()
        .filter(|(target, _)| target.parse().is_ok_and(|t: Target| !t.is_program()))
        .filter_map(|(_, settings)| Some(settings.get("bin")?.as_str()?.to_owned()))
        .collect()
}

/// Adapts a copied manifest to the new problem: removes what describes the other problem or its
/// judge.
fn new_manifest(
    manifest: &mut DocumentMut,
    id: &str,
    forms: &[String],
    same_data: bool,
    renamed: &dyn Fn(&str) -> String,
) {
    let bundles = new_bundles(manifest, renamed);
    let bins = match same_data {
        true => new_bins(manifest, forms, renamed),
        false => Table::new(),
    };
    let rename = |table: &mut dyn TableLike, key: &str| {
        if let Some(name) = table.get(key).and_then(Item::as_str) {
            let name = renamed(name);
            table.insert(key, value(name));
        }
    };
    let package = manifest.get_mut("package");
    if let Some(package) = package.and_then(Item::as_table_like_mut) {
        package.insert("name", value(id));
        for key in ABOUT_THE_MODEL {
            package.remove(key);
        }
        rename(package, "default-run");
        let metadata = package.get_mut("metadata");
        let judge = metadata.and_then(|metadata| metadata.get_mut("judge"));
        if let Some(judge) = judge.and_then(Item::as_table_like_mut) {
            for (key, mut table) in [("bundle", bundles), ("bins", bins)] {
                judge.remove(key);
                if !table.is_empty() {
                    table.set_implicit(true);
                    judge.insert(key, Item::Table(table));
                }
            }
        }
    }
    if let Some(lib) = manifest.get_mut("lib").and_then(Item::as_table_like_mut) {
        rename(lib, "name");
    }
    let targets = manifest.get_mut("bin");
    if let Some(targets) = targets.and_then(Item::as_array_of_tables_mut) {
        let name = |target: &Table| Some(target.get("name")?.as_str()?.to_owned());
        targets.retain(|target| !name(target).is_some_and(|name| forms.contains(&name)));
        targets
            .iter_mut()
            .for_each(|target| rename_target(target, renamed));
    }
}

/// The settings of bundles that concern the crate: its program. The others concern a judge.
fn new_bundles(manifest: &DocumentMut, renamed: &dyn Fn(&str) -> String) -> Table {
    let mut bundles = Table::new();
    let notes = notes(manifest, "bundle").into_iter();
    for (target, settings) in notes.flat_map(TableLike::iter) {
        let is_program = target.parse().is_ok_and(|t: Target| t.is_program());
        let mut own = Table::new();
        for key in ["bin", "source"] {
            if let (true, Some(name)) = (is_program, settings.get(key).and_then(Item::as_str)) {
                own.insert(key, value(renamed(name)));
            }
        }
        if !own.is_empty() {
            bundles.insert(target, Item::Table(own));
        }
    }
    bundles
}

/// The notes on binaries, except on those for function forms.
fn new_bins(manifest: &DocumentMut, forms: &[String], renamed: &dyn Fn(&str) -> String) -> Table {
    let mut bins = Table::new();
    let notes = notes(manifest, "bins").into_iter();
    let own = notes
        .flat_map(TableLike::iter)
        .filter(|(name, _)| !forms.iter().any(|form| form == name));
    for (name, note) in own {
        let mut note = note.clone();
        if let Some(table) = note.as_table_mut() {
            table.decor_mut().set_prefix("\n");
        }
        bins.insert(&renamed(name), note);
    }
    bins
}

/// Renames a binary target and its file in the usual directory.
fn rename_target(target: &mut Table, renamed: &dyn Fn(&str) -> String) {
    for key in ["name", "path"] {
        let Some(text) = target.get(key).and_then(Item::as_str) else {
            continue;
        };
        let name = text.strip_prefix("src/bin/").unwrap_or(text);
        if !name.contains('/') {
            let dir = &text[..text.len() - name.len()];
            let text = format!("{dir}{}", renamed(name));
            target.insert(key, value(text));
        }
    }
}

/// Writes a crate that compiles and echoes its input, with the workspace's edition, Rust version
/// and lints.
/// Fails when the workspace's manifest cannot be read, or a file cannot be written.
pub fn write(workspace: &Workspace, id: &str, dir: &Path) -> Result<(), Failure> {
    let root = workspace.root.join("Cargo.toml");
    let text = fs::read_to_string(&root).map_err(failed("read", &root))?;
    let root: DocumentMut = text
        .parse()
        .map_err(|e| Failure::usage(format!("{}: {e}", root.display())))?;
    let shared = root.get("workspace");
    let package = shared.and_then(|shared| shared.get("package"));
    let mut manifest = format!("[package]\nname = \"{id}\"\n");
    for (key, default) in [
        ("version", Some("\"0.1.0\"")),
        ("edition", Some("\"2024\"")),
        ("rust-version", None),
        ("license", None),
        ("publish", Some("false")),
    ] {
        let is_shared = package.is_some_and(|package| package.get(key).is_some());
        match default {
            _ if is_shared => manifest.push_str(&format!("{key}.workspace = true\n")),
            Some(default) => manifest.push_str(&format!("{key} = {default}\n")),
            None => {}
        }
    }
    manifest.push_str("\n[dependencies]\n");
    if shared.is_some_and(|shared| shared.get("lints").is_some()) {
        manifest.push_str("\n[lints]\nworkspace = true\n");
    }
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
