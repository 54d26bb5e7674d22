//! Reads the imports between the files of a crate from its source, without tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The path of a module from the crate's root.
pub type Module = Vec<String>;
/// The files that each file imports.
pub type Graph = BTreeMap<Module, BTreeSet<Module>>;
/// The modules that each module of a crate's root imports.
pub type Table = BTreeMap<String, BTreeSet<String>>;

/// The files of a crate, keyed by module path.
pub struct Source {
    files: BTreeMap<Module, File>,
}

/// A file without its tests.
#[derive(Default)]
struct File {
    code: String,
    /// The paths that the file names, as written.
    paths: Vec<Module>,
    /// Re-exports: the exported name, and the path as written.
    exports: BTreeMap<String, Module>,
}

impl Source {
    /// Reads all files below `directory`.
    pub fn read(directory: &Path) -> Self {
        let mut files = BTreeMap::new();
        read(directory, &Vec::new(), &mut files);
        let names: BTreeSet<Module> = files.keys().cloned().collect();
        for (module, file) in &mut files {
            file.find_paths(|name| names.contains(&child(module, name)));
        }
        Source { files }
    }

    /// The paths that each file names, resolved from the crate's root.
    pub fn paths(&self) -> impl Iterator<Item = (&Module, Module)> {
        self.files.iter().flat_map(move |(module, file)| {
            let written = file.paths.iter().chain(file.exports.values());
            written.map(move |path| (module, absolute(module, path)))
        })
    }

    /// The imports between the modules of the crate's root.
    pub fn table(&self) -> Table {
        let roots = |module: &Module| Some((module.first()?.clone(), BTreeSet::new()));
        let mut table: Table = self.files.keys().filter_map(roots).collect();
        for (module, path) in self.paths() {
            let (Some(module), Some(target)) = (module.first(), path.first()) else {
                continue;
            };
            if module != target && table.contains_key(target) {
                table
                    .entry(module.clone())
                    .or_default()
                    .insert(target.clone());
            }
        }
        table
    }

    /// The code of each file.
    pub fn code(&self) -> impl Iterator<Item = (&Module, &str)> {
        let files = self.files.iter();
        files.map(|(module, file)| (module, file.code.as_str()))
    }

    /// The import graph of the files. A re-exported name belongs to the file that defines it, and a
    /// re-export is not an import. Imports from the parent modules are left out, because they are
    /// the interface of the file's own folder.
    pub fn graph(&self) -> Graph {
        let mut graph = Graph::new();
        for (module, file) in self.files.iter().filter(|(module, _)| !module.is_empty()) {
            let paths = file.paths.iter().map(|path| absolute(module, path));
            let targets = paths.filter_map(|path| self.defining(&path));
            let others = targets.filter(|target| !module.starts_with(target));
            graph.insert(module.clone(), others.collect());
        }
        graph
    }

    /// The file that defines the item at `path`; `None` for a path outside the crate.
    fn defining(&self, path: &[String]) -> Option<Module> {
        let inside = (0..=path.len()).rev().map(|length| &path[..length]);
        let module = inside
            .clone()
            .find(|prefix| self.files.contains_key(*prefix))?;
        let rest = &path[module.len()..];
        let exported = rest
            .first()
            .and_then(|name| self.files[module].exports.get(name));
        match exported {
            Some(origin) => {
                let mut origin = absolute(module, origin);
                origin.extend_from_slice(&rest[1..]);
                self.defining(&origin)
            }
            None => Some(module.to_vec()),
        }
    }
}

impl File {
    fn find_paths(&mut self, is_child: impl Fn(&str) -> bool) {
        let relative = |path: &Module| {
            matches!(path[0].as_str(), "crate" | "super" | "self") || is_child(&path[0])
        };
        let mut rest = String::new();
        let mut lines = self.code.lines();
        while let Some(line) = lines.next() {
            let start = line.trim_start();
            let bare = start.strip_prefix("pub").map_or(start, |exported| {
                exported.split_once(' ').map_or("", |(_, rest)| rest)
            });
            let Some(first) = bare.strip_prefix("use ") else {
                rest.push_str(line);
                rest.push('\n');
                continue;
            };
            let mut tree = first.to_owned();
            while !tree.contains(';') {
                tree.push_str(lines.next().expect("a `use` ends with a semicolon"));
            }
            let paths = expand(tree.trim_end_matches(';'));
            for (path, name) in paths.into_iter().filter(|(path, _)| relative(path)) {
                match start == bare {
                    true => self.paths.push(path),
                    false => drop(self.exports.insert(name, path)),
                }
            }
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let words = rest
            .split(|c| !is_part(c))
            .filter(|word| word.contains("::"));
        let paths = words.map(|word| {
            word.trim_matches(':')
                .split("::")
                .map(str::to_owned)
                .collect()
        });
        self.paths.extend(paths.filter(relative));
    }
}

/// The paths of a tree such as `a::{b, c::d as e}`, with their names.
fn expand(tree: &str) -> Vec<(Module, String)> {
    let tree = tree.trim();
    let Some((prefix, group)) = tree.split_once('{') else {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let path: Module = path
            .split("::")
            .map(|part| part.trim().to_owned())
            .collect();
        let name = if name.is_empty() {
            path[path.len() - 1].clone()
        } else {
            name.to_owned()
        };
        return vec![(path, name)];
    };
    // Otherwise the text is not a `use`, but part of a string.
    let Some(group) = group.trim_end().strip_suffix('}') else {
        return Vec::new();
    };
    let mut depth = 0;
    let parts = group.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let parts = parts.filter(|part| !part.trim().is_empty());
    parts
        .flat_map(|part| expand(&format!("{prefix}{}", part.trim())))
        .collect()
}

/// Resolves `path`, as written in `module`, from the crate's root.
fn absolute(module: &[String], path: &[String]) -> Module {
    let ups = path.iter().take_while(|part| *part == "super").count();
    let skipped = usize::from(matches!(path[0].as_str(), "crate" | "self"));
    let from = match path[0].as_str() {
        "crate" => &[],
        _ => &module[..module.len().saturating_sub(ups)],
    };
    from.iter().chain(&path[ups + skipped..]).cloned().collect()
}

fn child(module: &[String], name: &str) -> Module {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

fn read(directory: &Path, above: &Module, files: &mut BTreeMap<Module, File>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let module = match name {
            "lib" | "mod" => above.clone(),
            _ => child(above, name),
        };
        if path.is_dir() {
            read(&path, &module, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "main" {
            let text = fs::read_to_string(&path).unwrap();
            files.entry(module).or_default().code = text;
        }
    }
    if above.is_empty() {
        remove_tests(files);
    }
}

/// Removes comments, modules of tests and their files.
fn remove_tests(files: &mut BTreeMap<Module, File>) {
    let mut tests = Vec::new();
    for (module, file) in files.iter_mut() {
        let mut code = String::new();
        let mut lines = file
            .code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        while let Some(line) = lines.next() {
            let next = if line == "#[cfg(test)]" {
                lines.next().unwrap()
            } else {
                line
            };
            match next.strip_prefix("mod ") {
                Some(name) if next != line && name.ends_with('{') => break,
                Some(name) if next != line => tests.push(child(module, name.trim_end_matches(';'))),
                _ => code.extend([next, "\n"]),
            }
        }
        file.code = code;
    }
    files.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
}

/// The import cycles between files.
pub fn file_cycles(source: &Source) -> Vec<String> {
    let graph = source.graph();
    assert!(graph.len() > 40, "the graph of the source is too small");
    let name = |cycle: &BTreeSet<Module>| {
        let names: Vec<String> = cycle.iter().map(|module| module.join("/")).collect();
        names.join(", ")
    };
    cycles(&graph).iter().map(name).collect()
}

/// The cycles of a graph: its strongly connected components with more than one node.
pub fn cycles<Node: Ord + Clone>(graph: &BTreeMap<Node, BTreeSet<Node>>) -> Vec<BTreeSet<Node>> {
    let reached = |from: &Node| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(node) = open.pop() {
            let next = graph.get(&node).into_iter().flatten();
            open.extend(next.filter(|next| seen.insert((*next).clone())).cloned());
        }
        seen
    };
    let reached: BTreeMap<Node, BTreeSet<Node>> = graph
        .keys()
        .map(|node| (node.clone(), reached(node)))
        .collect();
    let cycle = |node: &Node| -> BTreeSet<Node> {
        let back = |other: &&Node| reached.get(*other).is_some_and(|back| back.contains(node));
        reached[node].iter().filter(back).cloned().collect()
    };
    let mut cycles: Vec<_> = graph
        .keys()
        .map(cycle)
        .filter(|cycle| cycle.len() > 1)
        .collect();
    cycles.sort();
    cycles.dedup();
    cycles
}

/// A table as rows of a document.
pub fn rows(table: &Table) -> String {
    let row = |(module, targets): (&String, &BTreeSet<String>)| {
        let targets: Vec<String> = targets.iter().map(|own| format!("`{own}`")).collect();
        let targets = match targets.is_empty() {
            true => "none".to_owned(),
            false => targets.join(", "),
        };
        format!("| `{module}` | {targets} |\n")
    };
    table.iter().map(row).collect()
}

/// The table of imports in a document, whose first column has this head.
pub fn documented(path: &Path, head: &str) -> Table {
    let text = fs::read_to_string(path).unwrap();
    let (_, table) = text
        .split_once(&format!("| {head} | imports |\n|---|---|\n"))
        .unwrap();
    let names = |cell: &str| -> Vec<String> {
        let names = cell.split('`').skip(1).step_by(2);
        names.map(str::to_owned).collect()
    };
    let mut documented = Table::new();
    for row in table.lines().take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        for module in names(cells[0]) {
            let old = documented.insert(module, names(cells[1]).into_iter().collect());
            assert!(old.is_none(), "two rows for one module: {row}");
        }
    }
    documented
}
