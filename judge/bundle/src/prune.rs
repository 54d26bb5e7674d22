//! Prunes by name: removes items whose name no live code mentions.
//!
//! Names are not resolved, so an item that shares its name with a used one is kept: the result is
//! too large, never too small. [`super::trim`] removes the rest with the compiler's analysis. This
//! pass is still needed: it removes implementations together with their types, which the compiler
//! does not report, and code that the compiler does not check.

use super::names::{
    Names, content, for_each_item, impl_item_name, mention, name_of, retain_items, trait_item_name,
};
use super::uses::{self, Leaf, leaves};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::{File, ImplItem, Item, UseTree};

/// Removes what is unreachable from these names.
pub fn prune(file: &mut File, roots: &[String]) {
    let mut liveness = Liveness::default();
    liveness.live.extend(roots.iter().cloned());
    let mut waiting = Vec::new();
    for_each_item(&file.items, &mut |item| {
        liveness.declare(item);
        match item {
            Item::Use(item) => waiting.extend(leaves(&item.tree).into_iter().map(Node::Use)),
            Item::Impl(block) if block.trait_.is_none() => {
                waiting.push(Node::Item(item));
                waiting.extend(block.items.iter().map(|item| Node::Inherent(block, item)));
            }
            item => waiting.push(Node::Item(item)),
        }
    });
    loop {
        let before = waiting.len();
        let mut mentions = Names::new();
        waiting.retain(|node| {
            let live = liveness.is_live(node);
            if live {
                node.mention(&mut mentions);
            }
            !live
        });
        liveness.live.extend(mentions);
        if waiting.len() == before {
            break;
        }
    }
    retain_items(&mut file.items, &mut |item| liveness.keeps(item));
    let mut names = Names::new();
    for_each_item(&file.items, &mut |item| {
        mention(item.to_token_stream(), &mut names);
    });
    retain_items(&mut file.items, &mut |item| match item {
        // An empty module that no path mentions.
        Item::Mod(module) if content(module).is_empty() => {
            module.content.is_none() || names.contains(&module.ident.to_string())
        }
        _ => true,
    });
}

/// The unit of removal.
enum Node<'a> {
    Item(&'a Item),
    /// An associated item of an inherent impl, with the impl.
    Inherent(&'a syn::ItemImpl, &'a ImplItem),
    Use(Leaf),
}

impl Leaf {
    fn is_foreign(&self) -> bool {
        let first = self.path.first().map(String::as_str);
        matches!(first, Some("std" | "core" | "alloc"))
    }
}

impl Node<'_> {
    /// Adds the names that it mentions.
    fn mention(&self, names: &mut Names) {
        match self {
            Node::Item(Item::Impl(block)) if block.trait_.is_none() => {
                mention(block.generics.to_token_stream(), names);
                mention(block.self_ty.to_token_stream(), names);
            }
            Node::Item(item) => mention(item.to_token_stream(), names),
            Node::Inherent(_, item) => mention(item.to_token_stream(), names),
            Node::Use(leaf) if leaf.is_foreign() => {}
            Node::Use(leaf) => names.extend(leaf.path.iter().cloned()),
        }
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
    fn declare(&mut self, item: &Item) {
        match item {
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

    fn is_live(&self, node: &Node) -> bool {
        match node {
            Node::Item(item) => self.is_item_live(item),
            Node::Inherent(block, item) => self.is_impl_live(block) && self.is_part_live(item),
            Node::Use(leaf) => self.is_use_live(leaf),
        }
    }

    /// Whether an associated item of a live inherent impl is live.
    fn is_part_live(&self, item: &ImplItem) -> bool {
        impl_item_name(item).is_none_or(|name| self.live.contains(&name.to_string()))
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
        let name = call.path.segments.last();
        let name = name.map(|segment| segment.ident.to_string());
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

    /// Removes the dead parts of an item; returns whether it stays.
    fn keeps(&self, item: &mut Item) -> bool {
        match item {
            Item::Mod(_) => true,
            Item::Use(item) => uses::retain(&mut item.tree, &mut Vec::new(), &mut |path, tree| {
                matches!(tree, UseTree::Path(_)) || self.is_use_live(&Leaf::new(path, tree))
            }),
            Item::Impl(block) if block.trait_.is_none() => {
                block.items.retain(|item| self.is_part_live(item));
                self.is_impl_live(block) && !block.items.is_empty()
            }
            item => self.is_item_live(item),
        }
    }
}
