//! The names of modules and types that items declare, which hide the names of crates.

use super::uses::{Leaf, leaves};
use std::collections::BTreeSet;
use syn::Item;
use syn::visit::{self, Visit};

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
        Item::Use(item) => {
            // The name of a crate still refers to the crate, also if a function of the same name is imported
            // from it.
            let is_own = |leaf: &Leaf| leaf.name.as_ref() == leaf.path.first();
            let leaves = leaves(&item.tree).into_iter();
            let leaves = leaves.filter(|leaf| !is_own(leaf));
            return names.extend(leaves.filter_map(|leaf| leaf.name));
        }
        _ => return,
    };
    names.insert(ident.to_string());
}
