//! The names that a `use` imports.

use syn::UseTree;

/// One name that a `use` imports.
pub struct Leaf {
    /// The path without the local name.
    pub path: Vec<String>,
    /// The local name; `None` for `*` and `_`.
    pub name: Option<String>,
}

impl Leaf {
    /// The name that `leaf` imports from the path `before`.
    pub fn new(before: &[String], leaf: &UseTree) -> Self {
        let mut path = before.to_vec();
        let name = match leaf {
            UseTree::Name(it) => {
                path.extend(Some(it.ident.to_string()).filter(|name| name != "self"));
                path.last().cloned()
            }
            UseTree::Rename(it) => {
                path.extend(Some(it.ident.to_string()).filter(|name| name != "self"));
                Some(it.rename.to_string()).filter(|name| name != "_")
            }
            _ => None,
        };
        Leaf { path, name }
    }

    /// Whether it imports the crate's own name: `use sudoku;` or `use sudoku::{self, Grid};`.
    pub fn is_crate(&self) -> bool {
        matches!(&self.path[..], [only] if Some(only) == self.name.as_ref())
    }
}

/// All names that a `use` imports.
pub fn leaves(tree: &UseTree) -> Vec<Leaf> {
    let mut found = Vec::new();
    retain(&mut tree.clone(), &mut Vec::new(), &mut |path, tree| {
        if !matches!(tree, UseTree::Path(_)) {
            found.push(Leaf::new(path, tree));
        }
        true
    });
    found
}

/// Removes the parts of a `use` that `keep` rejects: it gets the path before a part and the part, a
/// path or a leaf. Returns whether anything is left.
pub fn retain(
    tree: &mut UseTree,
    path: &mut Vec<String>,
    keep: &mut impl FnMut(&[String], &UseTree) -> bool,
) -> bool {
    if let UseTree::Group(group) = tree {
        let parts = std::mem::take(&mut group.items).into_iter();
        let kept = parts.filter_map(|mut tree| retain(&mut tree, path, keep).then_some(tree));
        group.items = kept.collect();
        return !group.items.is_empty();
    }
    if !keep(path, tree) {
        return false;
    }
    if let UseTree::Path(it) = tree {
        path.push(it.ident.to_string());
        let kept = retain(&mut it.tree, path, keep);
        path.pop();
        return kept;
    }
    true
}
