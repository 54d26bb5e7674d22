//! The files of no crate import each other in a circle; the host and the guest of the sandbox import
//! only what both may know.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

/// The path of a module from the crate's root.
type Module = Vec<String>;
/// The files that each file imports.
type Graph = BTreeMap<Module, BTreeSet<Module>>;

/// The crates, by the directory of their source.
const CRATES: [&str; 13] = [
    "src",
    "program/src",
    "judge/src",
    "judge/bundle/src",
    "judge/core/src",
    "judge/dist/src",
    "judge/os/src",
    "judge/package/src",
    "judge/report/src",
    "judge/sandbox/src",
    "judge/server/src",
    "judge/session/src",
    "judge/tempdir/src",
];

/// The imports that are allowed between modules of the sandbox, of which those of `linux` are named
/// without it.
const SANDBOX: [(&str, &[&str]); 4] = [
    ("guest", &["protocol", "sys"]),
    ("hook", &["guest", "host"]),
    (
        "host",
        &[
            "api",
            "disk_usage",
            "environment",
            "portable",
            "protocol",
            "sys",
        ],
    ),
    (
        "portable",
        &["api", "disk_usage", "environment", "host", "numbers", "sys"],
    ),
];

/// The names in a file, without its tests.
#[derive(Default)]
struct File {
    /// Paths, as written.
    paths: Vec<Module>,
    /// Re-exports: the exported name, and the path as written.
    exports: BTreeMap<String, Module>,
    /// Modules that only tests have.
    tests: Vec<String>,
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident("cfg") && list.is_ok_and(|l| l.tokens.to_string() == "test")
    })
}

impl<'ast> Visit<'ast> for File {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        match is_test(&item.attrs) {
            true => self.tests.push(item.ident.to_string()),
            false => visit::visit_item_mod(self, item),
        }
    }

    fn visit_item(&mut self, item: &'ast Item) {
        let is_test_code = match item {
            Item::Fn(item) => is_test(&item.attrs),
            Item::Impl(item) => is_test(&item.attrs),
            Item::Use(item) => is_test(&item.attrs),
            _ => false,
        };
        if !is_test_code {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut leaves = Vec::new();
        expand(&item.tree, &Module::new(), &mut leaves);
        for (path, name) in leaves {
            match item.vis {
                Visibility::Inherited => self.paths.push(path),
                _ => drop(self.exports.insert(name, path)),
            }
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts = path.segments.iter().map(|part| part.ident.to_string());
        self.paths.push(parts.collect());
        visit::visit_path(self, path);
    }
}

/// The paths of a tree such as `a::{b, c::d as e}`, with their names.
fn expand(tree: &UseTree, before: &Module, leaves: &mut Vec<(Module, String)>) {
    let with = |name: String| before.iter().cloned().chain([name]).collect::<Module>();
    match tree {
        UseTree::Path(path) => expand(&path.tree, &with(path.ident.to_string()), leaves),
        UseTree::Group(group) => group.items.iter().for_each(|t| expand(t, before, leaves)),
        UseTree::Name(name) => leaves.push((with(name.ident.to_string()), name.ident.to_string())),
        UseTree::Rename(name) => {
            leaves.push((with(name.ident.to_string()), name.rename.to_string()));
        }
        UseTree::Glob(_) => leaves.push((before.clone(), String::new())),
    }
}

/// The files below `directory` by module path, without those of tests and of programs.
fn read(directory: &Path) -> BTreeMap<Module, File> {
    let mut files = BTreeMap::new();
    for entry in walkdir::WalkDir::new(directory) {
        let path = entry.expect("read the source").into_path();
        let name = path
            .strip_prefix(directory)
            .expect("below")
            .with_extension("");
        let mut module: Module = name
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        let is_program = module
            .first()
            .is_some_and(|first| first == "bin" || first == "main");
        if path.extension().is_none_or(|extension| extension != "rs") || is_program {
            continue;
        }
        if matches!(module.last().map(String::as_str), Some("lib" | "mod")) {
            module.pop();
        }
        let text = fs::read_to_string(&path).expect("read a file");
        let syntax = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut file = File::default();
        file.visit_file(&syntax);
        files.insert(module, file);
    }
    let tests: Vec<Module> = files
        .iter()
        .flat_map(|(module, file)| file.tests.iter().map(|test| child(module, test)))
        .collect();
    files.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
    files
}

fn child(module: &[String], name: &str) -> Module {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

/// Resolves `path`, as written in `module`, from the crate's root; `None` outside of the crate.
fn absolute(files: &BTreeMap<Module, File>, module: &[String], path: &[String]) -> Option<Module> {
    let ups = path.iter().take_while(|part| *part == "super").count();
    let first = path.first()?.as_str();
    let (from, rest) = match first {
        "crate" => (&[][..], &path[1..]),
        "self" => (module, &path[1..]),
        "super" => (&module[..module.len().saturating_sub(ups)], &path[ups..]),
        name if files.contains_key(&child(module, name)) => (module, path),
        _ => return None,
    };
    Some(from.iter().chain(rest).cloned().collect())
}

/// The file that defines the item at `path`. A re-exported name belongs to the file that defines it.
fn defining(files: &BTreeMap<Module, File>, path: &[String]) -> Option<Module> {
    let inside = (0..=path.len()).rev().map(|length| &path[..length]);
    let module = inside
        .into_iter()
        .find(|prefix| files.contains_key(*prefix))?;
    let rest = &path[module.len()..];
    let exported = rest
        .first()
        .and_then(|name| files[module].exports.get(name));
    match exported.and_then(|origin| absolute(files, module, origin)) {
        Some(mut origin) => {
            origin.extend_from_slice(&rest[1..]);
            defining(files, &origin)
        }
        None => Some(module.to_vec()),
    }
}

/// The imports between files. Imports from the parent modules are left out, because they are the
/// interface of the file's own folder.
fn graph(directory: &Path) -> Graph {
    let files = read(directory);
    let mut graph = Graph::new();
    for (module, file) in files.iter().filter(|(module, _)| !module.is_empty()) {
        let paths = file
            .paths
            .iter()
            .filter_map(|path| absolute(&files, module, path));
        let targets = paths.filter_map(|path| defining(&files, &path));
        let others = targets.filter(|target| !module.starts_with(target));
        graph.insert(module.clone(), others.collect());
    }
    graph
}

/// The files that can be reached from each other: strongly connected components of several files.
fn circles(graph: &Graph) -> BTreeSet<Vec<String>> {
    let reached = |from: &Module| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(node) = open.pop() {
            let next = graph.get(node).into_iter().flatten();
            open.extend(next.filter(|next| seen.insert((*next).clone())));
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> =
        graph.keys().map(|node| (node, reached(node))).collect();
    let circle = |node: &&Module| -> Vec<String> {
        let back = |other: &&Module| reached.get(*other).is_some_and(|back| back.contains(*node));
        let files = reached[*node].iter().filter(back);
        files.map(|module| module.join("/")).collect()
    };
    let circles = reached.keys().map(circle);
    circles.filter(|files| files.len() > 1).collect()
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let of_crate = |source: &str| {
        let found = circles(&graph(&root.join(source))).into_iter();
        let named = found.map(|files| format!("{source}: {}", files.join(", ")));
        named.collect::<Vec<_>>()
    };
    let found: Vec<String> = CRATES.into_iter().flat_map(of_crate).collect();
    assert!(found.is_empty(), "circles of files:\n{}", found.join("\n"));
}

#[test]
fn host_and_guest_of_the_sandbox_import_only_protocol_and_system_calls() {
    let graph = graph(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sandbox/src"));
    let name = |module: &Module| match module.as_slice() {
        [first, second, ..] if first == "linux" => Some(second.clone()),
        other => other.first().cloned(),
    };
    let roots = graph.iter().flat_map(|(module, targets)| {
        let target = |target: &Module| Some((name(module)?, name(target)?));
        targets.iter().filter_map(target).collect::<Vec<_>>()
    });
    let found: BTreeSet<(String, String)> = roots.filter(|(a, b)| a != b).collect();
    let allowed = SANDBOX.iter().flat_map(|(module, targets)| {
        let pair = |target: &&str| ((*module).to_owned(), (*target).to_owned());
        targets.iter().map(pair).collect::<Vec<_>>()
    });
    assert_eq!(found, allowed.collect());
}

#[test]
fn every_form_of_import_is_recognised() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::create_dir(dir.path().join("a")).expect("a directory");
    for (name, text) in [
        ("lib.rs", "mod a;\nmod b;\nmod c;\n"),
        (
            "a.rs",
            "mod inner;\n#[cfg(test)]\nmod tests;\npub use inner::Thing as Other;\npub struct Own;\n",
        ),
        (
            "a/inner.rs",
            "use super::Own;\nuse crate::{\n    b::{x, y::Z},\n    c,\n};\n",
        ),
        ("a/tests.rs", "use crate::d::only_in_tests;\n"),
        (
            "b.rs",
            "// use crate::c::in_a_comment;\nfn f() { crate::a::Other::new() }\n",
        ),
        (
            "c.rs",
            "#[cfg(test)]\nmod tests {\n    use crate::a::Own;\n}\n",
        ),
    ] {
        fs::write(dir.path().join(name), text).expect("a file");
    }
    let graph = graph(dir.path());
    let list = |module: &[&str]| -> Vec<String> {
        let module: Module = module.iter().map(|&part| part.to_owned()).collect();
        graph[&module]
            .iter()
            .map(|target| target.join("::"))
            .collect()
    };
    assert_eq!(list(&["a", "inner"]), ["b", "c"]);
    assert_eq!(list(&["b"]), ["a::inner"]);
    assert!(list(&["a"]).is_empty() && list(&["c"]).is_empty());
    let circle = ["a/inner", "b"].map(str::to_owned).to_vec();
    assert_eq!(circles(&graph), BTreeSet::from([circle]));
}
