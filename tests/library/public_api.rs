//! The public items of the library, as a listing in `docs/api.txt`: a change of it is seen in review.
//! `UPDATE_API=1 cargo test -p sudoku-engines public_api` writes it.

use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::{Fields, ImplItem, Item, TraitItem, UseTree, Visibility};

/// The items of every module, by its path without the crate's name.
type Modules = BTreeMap<Vec<String>, Vec<Item>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn load(modules: &mut Modules, path: Vec<String>, file: &Path, directory: &Path) {
    let text = std::fs::read_to_string(file).unwrap();
    let items = syn::parse_file(&text).unwrap().items;
    for item in &items {
        let Item::Mod(module) = item else { continue };
        let is_test = module
            .attrs
            .iter()
            .any(|a| a.to_token_stream().to_string().contains("test"));
        if is_test || module.content.is_some() {
            continue;
        }
        let name = module.ident.to_string();
        let inner = directory.join(&name);
        let beside = directory.join(format!("{name}.rs"));
        let file = if beside.exists() {
            beside
        } else {
            inner.join("mod.rs")
        };
        let mut path = path.clone();
        path.push(name);
        load(modules, path, &file, &inner);
    }
    modules.insert(path, items);
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Tokens without superfluous blanks.
fn text(tokens: impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (from, to) in [
        (" :: ", "::"),
        (" < ", "<"),
        (" > ", "> "),
        (" >", ">"),
        (" ,", ","),
        (" :", ":"),
        (" ;", ";"),
        ("& ", "&"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        ("[ ", "["),
        (" ]", "]"),
        ("' ", "'"),
        (" . ", "."),
        ("> (", ">("),
        ("< ", "<"),
        ("  ", " "),
        (">->", "> ->"),
        (")->", ") ->"),
    ] {
        text = text.replace(from, to);
    }
    text.trim().to_owned()
}

struct Listing<'a> {
    modules: &'a Modules,
    lines: BTreeSet<String>,
    /// The types that a user can name, each with the module that defines it.
    types: BTreeSet<(Vec<String>, String)>,
}

impl Listing<'_> {
    fn module(&mut self, path: &[String]) {
        for item in &self.modules[path] {
            match item {
                Item::Mod(module) if is_public(&module.vis) => {
                    let inner = [path, &[module.ident.to_string()]].concat();
                    self.lines.insert(format!("mod {}", inner.join("::")));
                    self.module(&inner);
                }
                Item::Use(item) if is_public(&item.vis) => self.leaves(path, path, &item.tree),
                item => self.item(path, path, item, None),
            }
        }
    }

    fn leaves(&mut self, here: &[String], from: &[String], tree: &UseTree) {
        match tree {
            UseTree::Path(path) => {
                let inner = [from, &[path.ident.to_string()]].concat();
                self.leaves(here, &inner, &path.tree);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.leaves(here, from, tree);
                }
            }
            UseTree::Name(name) => {
                let found = self.modules[from].iter();
                for item in found {
                    match item {
                        Item::Use(inner) => {
                            if text(inner).contains(&name.ident.to_string()) {
                                self.leaves_named(here, from, &inner.tree, &name.ident.to_string());
                            }
                        }
                        item => self.item(here, from, item, Some(&name.ident.to_string())),
                    }
                }
            }
            other => panic!(
                "a glob or a new name among the public items: {}",
                text(other)
            ),
        }
    }

    /// An item that a private module passes on.
    fn leaves_named(&mut self, here: &[String], from: &[String], tree: &UseTree, name: &str) {
        match tree {
            UseTree::Path(path)
                if self
                    .modules
                    .contains_key(&[from, &[path.ident.to_string()]].concat()) =>
            {
                let inner = [from, &[path.ident.to_string()]].concat();
                self.leaves_named(here, &inner, &path.tree, name);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.leaves_named(here, from, tree, name);
                }
            }
            UseTree::Name(leaf) if leaf.ident == name => self.leaves(here, from, tree),
            _ => {}
        }
    }

    /// Lists an item of the module `from` that is public under `path`.
    fn item(&mut self, path: &[String], from: &[String], item: &Item, wanted: Option<&str>) {
        let (name, visibility, line) = match item {
            Item::Fn(item) => (&item.sig.ident, &item.vis, text(&item.sig)),
            Item::Const(item) => (
                &item.ident,
                &item.vis,
                format!("const {}: {}", item.ident, text(&item.ty)),
            ),
            Item::Type(item) => (
                &item.ident,
                &item.vis,
                format!(
                    "type {}{} = {}",
                    item.ident,
                    text(&item.generics),
                    text(&item.ty)
                ),
            ),
            Item::Struct(item) => {
                let fields: Vec<String> = match &item.fields {
                    Fields::Named(fields) => fields
                        .named
                        .iter()
                        .filter(|f| is_public(&f.vis))
                        .map(|f| format!("{}: {}", f.ident.as_ref().unwrap(), text(&f.ty)))
                        .collect(),
                    fields => fields
                        .iter()
                        .filter(|f| is_public(&f.vis))
                        .map(|f| text(&f.ty))
                        .collect(),
                };
                (
                    &item.ident,
                    &item.vis,
                    format!(
                        "struct {}{} {{ {} }}",
                        item.ident,
                        text(&item.generics),
                        fields.join(", ")
                    ),
                )
            }
            Item::Enum(item) => {
                let variants: Vec<String> = item
                    .variants
                    .iter()
                    .map(|variant| {
                        let mut variant = variant.clone();
                        variant.attrs.clear();
                        for field in &mut variant.fields {
                            field.attrs.clear();
                        }
                        text(variant)
                    })
                    .collect();
                (
                    &item.ident,
                    &item.vis,
                    format!(
                        "enum {}{} {{ {} }}",
                        item.ident,
                        text(&item.generics),
                        variants.join(", ")
                    ),
                )
            }
            Item::Trait(item) => (
                &item.ident,
                &item.vis,
                format!("trait {}{}", item.ident, text(&item.generics)),
            ),
            _ => return,
        };
        if !is_public(visibility) || wanted.is_some_and(|wanted| name != wanted) {
            return;
        }
        let path = path.join("::");
        let place = if path.is_empty() {
            String::new()
        } else {
            format!("{path}: ")
        };
        self.lines.insert(format!("{place}{line}"));
        self.types.insert((from.to_vec(), name.to_string()));
        if let Item::Trait(item) = item {
            for part in &item.items {
                if let TraitItem::Fn(part) = part {
                    self.lines
                        .insert(format!("{place}{}::{}", item.ident, text(&part.sig)));
                }
            }
        }
    }

    /// The public functions and the traits of the types.
    fn impls(&mut self) {
        let modules = self.modules;
        let items = modules
            .iter()
            .flat_map(|(path, items)| items.iter().map(move |item| (path, item)));
        for (here, item) in items {
            let Item::Impl(block) = item else { continue };
            let full = text(&block.self_ty);
            let name = full.split('<').next().unwrap_or_default();
            let name: Vec<String> = name.split("::").map(str::to_owned).collect();
            if !definition(modules, here, &name).is_some_and(|found| self.types.contains(&found)) {
                continue;
            }
            match &block.trait_ {
                Some((path, _)) => {
                    let name: Vec<String> =
                        path.segments.iter().map(|s| s.ident.to_string()).collect();
                    // A trait of the library is listed if users can name it, others always.
                    let own = definition(modules, here, &name);
                    if own.is_none_or(|own| self.types.contains(&own)) {
                        self.lines.insert(format!("impl {} for {full}", text(path)));
                    }
                }
                None => {
                    for part in &block.items {
                        match part {
                            ImplItem::Fn(part) if is_public(&part.vis) => {
                                self.lines.insert(format!("{full}::{}", text(&part.sig)));
                            }
                            ImplItem::Const(part) if is_public(&part.vis) => {
                                self.lines.insert(format!("{full}::const {}", part.ident));
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
    }
}

/// The module that defines the type which `name` means in the module `here`, and the type's own name.
fn definition(
    modules: &Modules,
    here: &[String],
    name: &[String],
) -> Option<(Vec<String>, String)> {
    let (first, rest) = name.split_first()?;
    let inner = [here, std::slice::from_ref(first)].concat();
    match first.as_str() {
        "crate" => return definition(modules, &[], rest),
        "self" => return definition(modules, here, rest),
        "super" => return definition(modules, &here[..here.len().checked_sub(1)?], rest),
        _ if !rest.is_empty() && modules.contains_key(&inner) => {
            return definition(modules, &inner, rest);
        }
        _ => {}
    }
    let items = modules.get(here)?;
    let is_defined = items.iter().any(|item| match item {
        Item::Struct(item) => item.ident == first,
        Item::Enum(item) => item.ident == first,
        Item::Type(item) => item.ident == first,
        Item::Trait(item) => item.ident == first,
        _ => false,
    });
    if is_defined && rest.is_empty() {
        return Some((here.to_vec(), first.clone()));
    }
    let mut imported = Vec::new();
    for item in items {
        if let Item::Use(item) = item {
            imports(&item.tree, &mut Vec::new(), first, &mut imported);
        }
    }
    imported.iter().find_map(|path| {
        let path = [path, rest].concat();
        // An import of a module by its name leads to the same path again.
        (path != name).then(|| definition(modules, here, &path))?
    })
}

/// Adds to `found` the paths by which a `use` brings `name` into a module; a glob may.
fn imports(tree: &UseTree, path: &mut Vec<String>, name: &str, found: &mut Vec<Vec<String>>) {
    match tree {
        UseTree::Path(part) => {
            path.push(part.ident.to_string());
            imports(&part.tree, path, name, found);
            path.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                imports(tree, path, name, found);
            }
        }
        UseTree::Name(leaf) if leaf.ident == "self" && path.last().is_some_and(|p| p == name) => {
            found.push(path.clone());
        }
        UseTree::Name(leaf) if leaf.ident == name => {
            found.push([path.as_slice(), &[name.to_owned()]].concat());
        }
        UseTree::Rename(leaf) if leaf.rename == name => {
            found.push([path.as_slice(), &[leaf.ident.to_string()]].concat());
        }
        UseTree::Glob(_) => found.push([path.as_slice(), &[name.to_owned()]].concat()),
        _ => {}
    }
}

#[test]
fn the_public_items_are_those_listed() {
    let mut modules = Modules::new();
    load(&mut modules, Vec::new(), &root().join("lib.rs"), &root());
    let mut listing = Listing {
        modules: &modules,
        lines: BTreeSet::new(),
        types: BTreeSet::new(),
    };
    listing.module(&[]);
    listing.impls();
    let lines: Vec<String> = listing.lines.into_iter().collect();
    let found = lines.join("\n") + "\n";
    let file = root().join("../docs/api.txt");
    if std::env::var_os("UPDATE_API").is_some() {
        std::fs::write(&file, &found).unwrap();
    }
    let listed = std::fs::read_to_string(&file).unwrap_or_default();
    let (listed, found): (BTreeSet<&str>, BTreeSet<&str>) =
        (listed.lines().collect(), found.lines().collect());
    let gone: Vec<_> = listed.difference(&found).collect();
    let new: Vec<_> = found.difference(&listed).collect();
    assert!(
        gone.is_empty() && new.is_empty(),
        "the public items changed: run with UPDATE_API=1 and review docs/api.txt\ngone: {gone:#?}\nnew: {new:#?}"
    );
}
