//! Removes items at given places of a file: those that the compiler reported.

use super::names::{impl_item_name, name_of, retain_items, trait_item_name};
use super::uses;
use proc_macro2::Ident;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{File, ImplItem, Item, TraitItem, UseTree};

/// A line and a column, both from 1.
pub type Place = (usize, usize);

/// Removes the items, associated items and imports that begin at these positions; returns whether
/// there are any.
pub fn remove(file: &mut File, places: &BTreeSet<Place>) -> bool {
    let mut remover = Remover {
        places,
        methods: Vec::new(),
        any: false,
    };
    remover.visit_file_mut(file);
    if !remover.methods.is_empty() {
        // An item removed from a trait is removed from its impls too.
        let mut impls = FromImpls(remover.methods);
        impls.visit_file_mut(file);
        remover.any = true;
    }
    remover.any
}

/// Removes the imports, macro calls and impls whose header is at these positions.
pub fn remove_unresolved(file: &mut File, places: &BTreeSet<Place>) -> bool {
    let mut any = false;
    retain_items(&mut file.items, &mut |item| {
        let (from, to) = match item {
            Item::Macro(call) if call.ident.is_none() => (call.span().start(), call.span().end()),
            Item::Impl(block) => {
                let brace = block.brace_token.span.open();
                (block.impl_token.span.start(), brace.start())
            }
            _ => return true,
        };
        let mut found = places.range((from.line, from.column + 1)..(to.line, to.column + 1));
        let goes = found.next().is_some();
        any |= goes;
        !goes
    });
    remove(file, places) || any
}

struct Remover<'a> {
    places: &'a BTreeSet<Place>,
    /// Removed trait items: names of the trait and of the item.
    methods: Vec<(String, String)>,
    any: bool,
}

impl Remover<'_> {
    fn is_at(&self, span: proc_macro2::Span) -> bool {
        let start = span.start();
        self.places.contains(&(start.line, start.column + 1))
    }

    fn is_named(&self, ident: Option<&Ident>) -> bool {
        ident.is_some_and(|ident| self.is_at(ident.span()))
    }

    fn items(&mut self, items: &mut Vec<Item>) {
        let mut types = Vec::new();
        self.retain(items, |this, item| match item {
            Item::Use(item) => this.keeps_use(&mut item.tree),
            Item::Mod(_) => true,
            item => {
                let goes = this.is_named(name_of(item));
                if goes {
                    types.extend(name_of(item).cloned());
                }
                !goes
            }
        });
        // Impls of a removed type or trait in the same module are removed with it.
        items.retain(|item| match item {
            Item::Impl(block) => {
                let of = match &*block.self_ty {
                    syn::Type::Path(path) => only_segment(&path.path),
                    _ => None,
                };
                let from = block.trait_.as_ref();
                let from = from.and_then(|(path, _)| only_segment(path));
                !types.iter().any(|name| [of, from].contains(&Some(name)))
            }
            _ => true,
        });
    }

    fn retain<T>(&mut self, list: &mut Vec<T>, mut keep: impl FnMut(&mut Self, &mut T) -> bool) {
        let before = list.len();
        list.retain_mut(|part| keep(self, part));
        self.any |= list.len() < before;
    }

    /// Whether any part of a `use` remains.
    fn keeps_use(&mut self, tree: &mut UseTree) -> bool {
        let mut any = false;
        let kept = uses::retain(tree, &mut Vec::new(), &mut |_, part| {
            let goes = match part {
                UseTree::Path(path) => self.is_at(path.ident.span()),
                leaf => self.is_at(leaf.span()),
            };
            any |= goes;
            !goes
        });
        self.any |= any;
        kept
    }
}

impl VisitMut for Remover<'_> {
    fn visit_file_mut(&mut self, file: &mut File) {
        self.items(&mut file.items);
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            self.items(items);
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        self.retain(&mut block.stmts, |this, statement| match statement {
            syn::Stmt::Item(Item::Use(item)) => this.keeps_use(&mut item.tree),
            syn::Stmt::Item(item) => !this.is_named(name_of(item)),
            _ => true,
        });
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        self.retain(&mut block.items, |this, item| {
            !this.is_named(impl_item_name(item))
        });
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        let of = item.ident.to_string();
        item.items.retain(|part: &TraitItem| {
            let name = trait_item_name(part);
            let goes = self.is_named(name);
            if goes {
                self.methods
                    .extend(name.map(|name| (of.clone(), name.to_string())));
            }
            !goes
        });
        visit_mut::visit_item_trait_mut(self, item);
    }
}

/// The name of a path of one segment, ignoring generic arguments.
fn only_segment(path: &syn::Path) -> Option<&Ident> {
    (path.segments.len() == 1).then(|| &path.segments[0].ident)
}

struct FromImpls(Vec<(String, String)>);

impl VisitMut for FromImpls {
    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        if let Some((path, _)) = &block.trait_
            && let Some(last) = path.segments.last()
        {
            block.items.retain(|item: &ImplItem| {
                let name = impl_item_name(item);
                !name.is_some_and(|name| self.0.iter().any(|(t, n)| last.ident == t && name == n))
            });
        }
        visit_mut::visit_item_impl_mut(self, block);
    }
}
