//! The names that items declare and mention.

use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::{ImplItem, Item, TraitItem};

pub type Names = BTreeSet<String>;

/// Calls `visit` with each item except for modules, at any depth of them.
pub fn for_each_item<'a>(items: &'a [Item], visit: &mut impl FnMut(&'a Item)) {
    for item in items {
        match item {
            Item::Mod(module) => for_each_item(content(module), visit),
            item => visit(item),
        }
    }
}

/// Removes the items, at any depth of modules, that `keep` rejects; it gets a module after its
/// content.
pub fn retain_items(items: &mut Vec<Item>, keep: &mut impl FnMut(&mut Item) -> bool) {
    items.retain_mut(|item| {
        if let Item::Mod(module) = item
            && let Some((_, items)) = &mut module.content
        {
            retain_items(items, keep);
        }
        keep(item)
    });
}

pub fn content(module: &syn::ItemMod) -> &[Item] {
    module.content.as_ref().map_or(&[], |(_, items)| items)
}

/// Calls `visit` with the names of an item and of its associated items.
pub fn for_each_name(item: &Item, visit: &mut impl FnMut(&Ident)) {
    if let Some(ident) = name_of(item) {
        visit(ident);
    }
    match item {
        Item::Impl(item) => item.items.iter().filter_map(impl_item_name).for_each(visit),
        Item::Trait(item) => item
            .items
            .iter()
            .filter_map(trait_item_name)
            .for_each(visit),
        _ => {}
    }
}

/// The name that an item declares.
pub fn name_of(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Macro(item) => item.ident.as_ref(),
        Item::Mod(item) => Some(&item.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::TraitAlias(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

pub fn impl_item_name(item: &ImplItem) -> Option<&Ident> {
    match item {
        ImplItem::Const(item) => Some(&item.ident),
        ImplItem::Fn(item) => Some(&item.sig.ident),
        ImplItem::Type(item) => Some(&item.ident),
        _ => None,
    }
}

pub fn trait_item_name(item: &TraitItem) -> Option<&Ident> {
    match item {
        TraitItem::Const(item) => Some(&item.ident),
        TraitItem::Fn(item) => Some(&item.sig.ident),
        TraitItem::Type(item) => Some(&item.ident),
        _ => None,
    }
}

/// Calls `visit` with each token, at any depth of groups.
pub fn for_each_token(tokens: TokenStream, visit: &mut impl FnMut(TokenTree)) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => for_each_token(group.stream(), visit),
            token => visit(token),
        }
    }
}

/// Adds every identifier in these tokens, including those captured by format strings.
pub fn mention(tokens: TokenStream, names: &mut Names) {
    let is_other = |c: char| !c.is_alphanumeric() && c != '_';
    for_each_token(tokens, &mut |token| match token {
        TokenTree::Ident(ident) => {
            names.insert(ident.to_string());
        }
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            if text.starts_with(['"', 'r']) {
                // Formats name variables as `{name}` and as `{:width$}`.
                let named = text.split('{').skip(1);
                let named = named.filter_map(|part| part.split(is_other).next());
                let widths = text
                    .split('$')
                    .filter_map(|part| part.rsplit(is_other).next());
                names.extend(named.chain(widths).map(str::to_owned));
            }
        }
        _ => {}
    });
}
