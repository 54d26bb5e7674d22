//! The names of modules and types that items declare, which hide the names of crates.

use proc_macro2::Ident;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{Item, UseTree};

/// The names that items declare in the type namespace.
pub fn declared_in(items: &[Item]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in items {
        declare(item, &mut names);
    }
    names
}

/// The names that blocks inside an item declare.
pub fn declared_inside(item: &Item) -> BTreeSet<String> {
    struct Inside(BTreeSet<String>);
    impl<'ast> Visit<'ast> for Inside {
        fn visit_stmt(&mut self, statement: &'ast syn::Stmt) {
            if let syn::Stmt::Item(item) = statement {
                declare(item, &mut self.0);
            }
            visit::visit_stmt(self, statement);
        }
    }
    let mut inside = Inside(BTreeSet::new());
    inside.visit_item(item);
    inside.0
}

fn declare(item: &Item, names: &mut BTreeSet<String>) {
    let ident = match item {
        Item::Mod(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Union(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Use(item) => return declare_uses(&item.tree, &[], names),
        _ => return,
    };
    names.insert(ident.to_string());
}

/// `use sudoku;` and `use sudoku::{self, Grid};` do not shadow the crate's name: it still refers to
/// the crate.
fn declare_uses(tree: &UseTree, path: &[&Ident], names: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(it) => declare_uses(&it.tree, &[path, &[&it.ident]].concat(), names),
        UseTree::Name(name) if name.ident == "self" => {
            if let [_, .., last] = path {
                names.insert(last.to_string());
            }
        }
        UseTree::Name(name) => {
            if !path.is_empty() {
                names.insert(name.ident.to_string());
            }
        }
        UseTree::Rename(rename) => {
            names.insert(rename.rename.to_string());
        }
        UseTree::Glob(_) => {}
        UseTree::Group(group) => {
            for tree in &group.items {
                declare_uses(tree, path, names);
            }
        }
    }
}
