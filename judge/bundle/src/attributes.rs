//! Attributes: evaluates `cfg` and removes attributes without effect on a program.

use super::cfg::{self, Cfg};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Item, Meta};

/// Removes items that `cfg` excludes, tests, and attributes without effect on a program.
pub fn apply_cfg(items: &mut Vec<Item>, cfg: &Cfg) {
    ApplyCfg { cfg }.items(items);
}

/// Whether the inner attributes exclude a whole file.
pub fn excludes(attributes: &mut Vec<Attribute>, cfg: &Cfg) -> bool {
    ApplyCfg { cfg }.excludes(attributes)
}

/// Attributes that change neither compilation nor behaviour.
const WITHOUT_EFFECT: &[&str] = &[
    "allow",
    "automatically_derived",
    "deny",
    "deprecated",
    "diagnostic",
    "doc",
    "expect",
    "forbid",
    "must_use",
    "non_exhaustive",
    "rustfmt",
    "clippy",
    "warn",
];

struct ApplyCfg<'a, 'b> {
    cfg: &'a Cfg<'b>,
}

impl ApplyCfg<'_, '_> {
    fn items(&mut self, items: &mut Vec<Item>) {
        items.retain_mut(|item| match item.attributes() {
            Some(attributes) => !self.excludes(attributes),
            None => true,
        });
        for item in items {
            self.visit_item_mut(item);
        }
    }

    /// Expands `cfg_attr`; returns whether a `cfg` is false or the item is a test.
    fn excludes(&self, attributes: &mut Vec<Attribute>) -> bool {
        let mut at = 0;
        while at < attributes.len() {
            match self.expand(&attributes[at]) {
                Some(expanded) => {
                    attributes.splice(at..=at, expanded);
                }
                None => at += 1,
            }
        }
        attributes.iter().any(|attribute| {
            let path = attribute.path();
            path.is_ident("test")
                || path.is_ident("bench")
                || self.decided(attribute) == Some(false)
        })
    }

    /// The value of a `cfg`.
    fn decided(&self, attribute: &Attribute) -> Option<bool> {
        match &attribute.meta {
            Meta::List(list) if list.path.is_ident("cfg") => {
                self.cfg.predicate(list.tokens.clone())
            }
            _ => None,
        }
    }

    /// The expansion of a `cfg_attr` whose predicate is known.
    fn expand(&self, attribute: &Attribute) -> Option<Vec<Attribute>> {
        let Meta::List(list) = &attribute.meta else {
            return None;
        };
        if !list.path.is_ident("cfg_attr") {
            return None;
        }
        let mut parts = cfg::split(list.tokens.clone()).into_iter();
        if !self.cfg.predicate(parts.next()?)? {
            return Some(Vec::new());
        }
        parts
            .map(|tokens| {
                let mut expanded = attribute.clone();
                expanded.meta = syn::parse2(tokens).ok()?;
                Some(expanded)
            })
            .collect()
    }
}

/// Visitors of nodes with a list of parts: remove the parts that `cfg` excludes, and visit the rest.
macro_rules! visit_parts {
    ($($visit:ident($node:ty, $list:ident);)*) => {$(
        fn $visit(&mut self, node: &mut $node) {
            node.$list.retain_parts(|part| match part.attributes() {
                Some(attributes) => !self.excludes(attributes),
                None => true,
            });
            visit_mut::$visit(self, node);
        }
    )*};
}

impl VisitMut for ApplyCfg<'_, '_> {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        self.excludes(attributes);
        attributes.retain(|attribute| {
            let first = attribute.path().segments.first();
            let first = first.map(|segment| segment.ident.to_string());
            let idle = first.is_some_and(|name| WITHOUT_EFFECT.contains(&name.as_str()));
            !idle && self.decided(attribute) != Some(true)
        });
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        self.visit_attributes_mut(&mut module.attrs);
        if let Some((_, items)) = &mut module.content {
            self.items(items);
        }
    }

    visit_parts! {
        visit_block_mut(syn::Block, stmts);
        visit_item_impl_mut(syn::ItemImpl, items);
        visit_item_trait_mut(syn::ItemTrait, items);
        visit_item_foreign_mod_mut(syn::ItemForeignMod, items);
        visit_item_enum_mut(syn::ItemEnum, variants);
        visit_fields_named_mut(syn::FieldsNamed, named);
        visit_fields_unnamed_mut(syn::FieldsUnnamed, unnamed);
        visit_expr_struct_mut(syn::ExprStruct, fields);
        visit_pat_struct_mut(syn::PatStruct, fields);
        visit_expr_array_mut(syn::ExprArray, elems);
        visit_expr_match_mut(syn::ExprMatch, arms);
        visit_signature_mut(syn::Signature, inputs);
    }
}

/// A list of syntax nodes.
trait Parts<T> {
    /// Removes the nodes that `keep` rejects.
    fn retain_parts(&mut self, keep: impl FnMut(&mut T) -> bool);
}

impl<T> Parts<T> for Vec<T> {
    fn retain_parts(&mut self, keep: impl FnMut(&mut T) -> bool) {
        self.retain_mut(keep);
    }
}

impl<T: Clone, P: Default + Clone> Parts<T> for Punctuated<T, P> {
    fn retain_parts(&mut self, keep: impl FnMut(&mut T) -> bool) {
        let mut items: Vec<T> = self.iter().cloned().collect();
        items.retain_mut(keep);
        if items.len() == self.len() {
            return;
        }
        let trailing = self.trailing_punct();
        *self = items.into_iter().collect();
        if trailing && !self.is_empty() {
            self.push_punct(P::default());
        }
    }
}

/// A syntax node with outer attributes.
trait Attributed {
    /// The attributes; `None` for a node of a kind that `cfg` is not used on in practice.
    fn attributes(&mut self) -> Option<&mut Vec<Attribute>>;
}

/// Implements [`Attributed`] for structures, and for enums with these variants.
macro_rules! attributed {
    ($($node:ty;)*) => {$(
        impl Attributed for $node {
            fn attributes(&mut self) -> Option<&mut Vec<Attribute>> {
                Some(&mut self.attrs)
            }
        }
    )*};
    ($($node:ident: $($kind:ident)*;)*) => {$(
        impl Attributed for syn::$node {
            fn attributes(&mut self) -> Option<&mut Vec<Attribute>> {
                match self {
                    $(syn::$node::$kind(node) => Some(&mut node.attrs),)*
                    _ => None,
                }
            }
        }
    )*};
}

attributed! {
    syn::Variant;
    syn::Field;
    syn::FieldValue;
    syn::FieldPat;
    syn::Arm;
}

attributed! {
    ImplItem: Const Fn Type Macro;
    TraitItem: Const Fn Type Macro;
    ForeignItem: Fn Static Type Macro;
    Item: Const Enum ExternCrate Fn ForeignMod Impl Macro Mod Static Struct Trait TraitAlias Type
        Union Use;
    Expr: Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field ForLoop
        Group If Index Infer Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr
        Reference Repeat Return Struct Try Tuple Unary Unsafe While;
}

impl Attributed for syn::Stmt {
    fn attributes(&mut self) -> Option<&mut Vec<Attribute>> {
        match self {
            syn::Stmt::Local(local) => Some(&mut local.attrs),
            syn::Stmt::Item(item) => item.attributes(),
            syn::Stmt::Expr(expression, _) => expression.attributes(),
            syn::Stmt::Macro(call) => Some(&mut call.attrs),
        }
    }
}

impl Attributed for syn::FnArg {
    fn attributes(&mut self) -> Option<&mut Vec<Attribute>> {
        match self {
            syn::FnArg::Receiver(input) => Some(&mut input.attrs),
            syn::FnArg::Typed(input) => Some(&mut input.attrs),
        }
    }
}
