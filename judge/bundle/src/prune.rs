//! Prunes by name: removes items whose name no live code mentions.
//!
//! Names are not resolved, so an item that shares its name with a used one is kept: the result is
//! too large, never too small. [`super::trim`] removes the rest with the compiler's analysis. This
//! pass is still needed: it removes implementations together with their types, which the compiler
//! does not report, and code that the compiler does not check.

use super::names::{Names, impl_item_name, mention, name_of, trait_item_name};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::{File, ImplItem, Item, UseTree};

/// Removes what is unreachable from these names.
pub fn prune(file: &mut File, roots: &[String]) {
    let mut liveness = Liveness::default();
    liveness.declare(&file.items);
    liveness.live.extend(roots.iter().cloned());
    let mut nodes = Vec::new();
    collect(&file.items, &mut nodes);
    let mut waiting = nodes;
    loop {
        let before = waiting.len();
        let mut mentions = Names::new();
        waiting.retain(|node| {
            let live = liveness.is_live(node);
            if live {
                mentions.extend(node.mentions());
            }
            !live
        });
        liveness.live.extend(mentions);
        if waiting.len() == before {
            break;
        }
    }
    liveness.sweep(&mut file.items);
    sweep_modules(&mut file.items);
}

/// The unit of removal.
enum Node<'a> {
    Item(&'a Item),
    /// An associated item of an inherent impl, with the impl.
    Inherent(&'a syn::ItemImpl, &'a ImplItem),
    Use(Leaf),
}

/// One name that a `use` imports.
struct Leaf {
    /// The path without the local name.
    path: Vec<String>,
    /// The local name; `None` for `*` and `_`.
    name: Option<String>,
}

fn collect<'a>(items: &'a [Item], nodes: &mut Vec<Node<'a>>) {
    for item in items {
        match item {
            Item::Mod(module) => {
                collect(
                    module.content.as_ref().map_or(&[], |(_, items)| items),
                    nodes,
                );
            }
            Item::Use(item) => nodes.extend(leaves(&item.tree).into_iter().map(Node::Use)),
            Item::Impl(block) if block.trait_.is_none() => {
                nodes.push(Node::Item(item));
                nodes.extend(block.items.iter().map(|item| Node::Inherent(block, item)));
            }
            item => nodes.push(Node::Item(item)),
        }
    }
}

fn leaves(tree: &UseTree) -> Vec<Leaf> {
    fn walk(tree: &UseTree, path: &[String], found: &mut Vec<Leaf>) {
        let mut path = path.to_vec();
        let name = match tree {
            UseTree::Path(it) => {
                path.push(it.ident.to_string());
                return walk(&it.tree, &path, found);
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| walk(tree, &path, found));
                return;
            }
            UseTree::Glob(_) => None,
            UseTree::Name(it) if it.ident == "self" => path.last().cloned(),
            UseTree::Name(it) => {
                path.push(it.ident.to_string());
                path.last().cloned()
            }
            UseTree::Rename(it) => {
                if it.ident != "self" {
                    path.push(it.ident.to_string());
                }
                Some(it.rename.to_string()).filter(|name| name != "_")
            }
        };
        found.push(Leaf { path, name });
    }
    let mut found = Vec::new();
    walk(tree, &[], &mut found);
    found
}

impl Leaf {
    fn is_foreign(&self) -> bool {
        matches!(
            self.path.first().map(String::as_str),
            Some("std" | "core" | "alloc")
        )
    }
}

impl Node<'_> {
    fn mentions(&self) -> Names {
        let mut names = Names::new();
        match self {
            Node::Item(Item::Impl(block)) if block.trait_.is_none() => {
                mention(block.generics.to_token_stream(), &mut names);
                mention(block.self_ty.to_token_stream(), &mut names);
            }
            Node::Item(item) => mention(item.to_token_stream(), &mut names),
            Node::Inherent(_, item) => mention(item.to_token_stream(), &mut names),
            Node::Use(leaf) if leaf.is_foreign() => {}
            Node::Use(leaf) => names.extend(leaf.path.iter().cloned()),
        }
        names
    }
}

/// Whether the linker may refer to an item.
fn is_known_to_the_linker(item: &Item) -> bool {
    let attributes = match item {
        Item::Fn(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        let text = attribute.meta.to_token_stream().to_string();
        ["no_mangle", "export_name", "global_allocator", "used"]
            .iter()
            .any(|name| text.contains(name))
    })
}

/// Declared names and the names known to be live.
#[derive(Default)]
struct Liveness {
    live: Names,
    /// Names of types and traits.
    types: Names,
    /// The associated items of each trait.
    traits: BTreeMap<String, Names>,
    /// The names in the body of each `macro_rules!` macro.
    macros: BTreeMap<String, Names>,
}

impl Liveness {
    fn declare(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Mod(module) => {
                    self.declare(module.content.as_ref().map_or(&[], |(_, items)| items));
                }
                Item::Trait(item) => {
                    let name = item.ident.to_string();
                    let parts = item.items.iter().filter_map(trait_item_name);
                    let parts = parts.map(Ident::to_string);
                    self.traits.entry(name.clone()).or_default().extend(parts);
                    self.types.insert(name);
                }
                Item::Macro(it) => {
                    if let Some(name) = &it.ident {
                        let body = self.macros.entry(name.to_string()).or_default();
                        mention(it.mac.tokens.clone(), body);
                    }
                }
                Item::Struct(_) | Item::Enum(_) | Item::Union(_) | Item::Type(_) => {
                    self.types.extend(name_of(item).map(Ident::to_string));
                }
                _ => {}
            }
        }
    }

    fn is_live(&self, node: &Node) -> bool {
        match node {
            Node::Item(item) => self.is_item_live(item),
            Node::Inherent(block, item) => {
                self.is_impl_live(block)
                    && impl_item_name(item).is_none_or(|name| self.live.contains(&name.to_string()))
            }
            Node::Use(leaf) => self.is_use_live(leaf),
        }
    }

    fn is_item_live(&self, item: &Item) -> bool {
        let named = |ident: &Ident| self.live.contains(&ident.to_string());
        if is_known_to_the_linker(item) {
            return true;
        }
        match item {
            Item::Impl(block) => self.is_impl_live(block),
            Item::Trait(item) => named(&item.ident) || self.is_trait_live(&item.ident.to_string()),
            // `const _` may contain impls; one with only assertions was already checked by the
            // compiler.
            Item::Const(item) if item.ident == "_" => {
                let mut names = Names::new();
                mention(item.to_token_stream(), &mut names);
                names.contains("impl")
            }
            Item::Macro(it) if it.ident.is_none() => self.is_call_live(&it.mac),
            _ => name_of(item).is_none_or(named),
        }
    }

    fn is_trait_live(&self, name: &str) -> bool {
        let parts = self.traits.get(name).into_iter().flatten();
        self.live.contains(name) || parts.into_iter().any(|part| self.live.contains(part))
    }

    /// An impl is live if all local names in its header are live.
    fn is_impl_live(&self, block: &syn::ItemImpl) -> bool {
        let mut heading = Names::new();
        mention(block.self_ty.to_token_stream(), &mut heading);
        if let Some((path, _)) = &block.trait_ {
            mention(path.to_token_stream(), &mut heading);
        }
        heading.iter().all(|name| {
            !self.types.contains(name) || self.live.contains(name) || self.is_trait_live(name)
        })
    }

    /// A macro call that expands to items is live if any name in it or in the macro's body is live.
    fn is_call_live(&self, call: &syn::Macro) -> bool {
        let mut names = Names::new();
        mention(call.tokens.clone(), &mut names);
        let name = call
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string());
        match name.and_then(|name| self.macros.get(&name)) {
            Some(body) => names.extend(body.iter().cloned()),
            None => return true,
        }
        names.iter().any(|name| self.live.contains(name))
    }

    fn is_use_live(&self, leaf: &Leaf) -> bool {
        let last = leaf.path.last().map_or("", String::as_str);
        match &leaf.name {
            _ if leaf.is_foreign() => true,
            Some(name) => self.live.contains(name) || self.is_trait_live(last),
            None => true,
        }
    }

    fn sweep(&self, items: &mut Vec<Item>) {
        items.retain_mut(|item| match item {
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    self.sweep(items);
                }
                true
            }
            Item::Use(item) => self.sweep_use(&mut item.tree, &[]),
            Item::Impl(block) => {
                if !self.is_impl_live(block) {
                    return false;
                }
                if block.trait_.is_none() {
                    block.items.retain(|item| {
                        impl_item_name(item)
                            .is_none_or(|name| self.live.contains(&name.to_string()))
                    });
                    return !block.items.is_empty();
                }
                true
            }
            item => self.is_item_live(item),
        });
    }

    fn sweep_use(&self, tree: &mut UseTree, path: &[String]) -> bool {
        let mut path = path.to_vec();
        match tree {
            UseTree::Path(it) => {
                path.push(it.ident.to_string());
                self.sweep_use(&mut it.tree, &path)
            }
            UseTree::Group(group) => {
                let kept: Vec<UseTree> = std::mem::take(&mut group.items)
                    .into_iter()
                    .filter_map(|mut tree| self.sweep_use(&mut tree, &path).then_some(tree))
                    .collect();
                group.items = kept.into_iter().collect();
                !group.items.is_empty()
            }
            tree => leaves(tree).into_iter().all(|mut leaf| {
                leaf.path.splice(0..0, path.iter().cloned());
                if leaf.name.is_none() && matches!(tree, UseTree::Glob(_)) {
                    return true;
                }
                if matches!(tree, UseTree::Name(name) if name.ident == "self") {
                    leaf.name = leaf.path.last().cloned();
                }
                self.is_use_live(&leaf)
            }),
        }
    }
}

/// Removes empty modules that no path mentions.
pub fn sweep_modules(items: &mut Vec<Item>) {
    let mut names = Names::new();
    fn paths(items: &[Item], names: &mut Names) {
        for item in items {
            match item {
                Item::Mod(module) => {
                    paths(
                        module.content.as_ref().map_or(&[], |(_, items)| items),
                        names,
                    );
                }
                item => mention(item.to_token_stream(), names),
            }
        }
    }
    fn sweep(items: &mut Vec<Item>, names: &Names) {
        items.retain_mut(|item| match item {
            Item::Mod(module) => match &mut module.content {
                Some((_, items)) => {
                    sweep(items, names);
                    !items.is_empty() || names.contains(&module.ident.to_string())
                }
                None => true,
            },
            _ => true,
        });
    }
    paths(items, &mut names);
    sweep(items, &names);
}
