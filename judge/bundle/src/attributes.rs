//! Attributes: evaluates `cfg` and removes attributes without effect on a program.

use super::cfg::{self, Cfg};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, FnArg, ForeignItem, ImplItem, Item, Meta, Stmt, TraitItem};

/// Removes items that `cfg` excludes, tests, and attributes without effect on a program.
pub fn apply_cfg(items: &mut Vec<Item>, cfg: &Cfg) {
    let mut apply_cfg = ApplyCfg { cfg };
    apply_cfg.items(items);
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

/// The outer attributes of a syntax node, if it is of one of these kinds.
macro_rules! attributes_of {
    ($node:expr, $type:ident: $($kind:ident)*) => {
        match $node {
            $($type::$kind(node) => Some(&mut node.attrs),)*
            _ => None,
        }
    };
}

struct ApplyCfg<'a, 'b> {
    cfg: &'a Cfg<'b>,
}

impl ApplyCfg<'_, '_> {
    fn items(&mut self, items: &mut Vec<Item>) {
        items.retain_mut(|item| match item_attributes(item) {
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
        let list = match &attribute.meta {
            Meta::List(list) if list.path.is_ident("cfg_attr") => list,
            _ => return None,
        };
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

impl VisitMut for ApplyCfg<'_, '_> {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        self.excludes(attributes);
        attributes.retain(|attribute| {
            let path = attribute.path();
            let first = path
                .segments
                .first()
                .map(|segment| segment.ident.to_string());
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

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.retain_mut(|statement| {
            let attributes = match statement {
                Stmt::Local(local) => Some(&mut local.attrs),
                Stmt::Item(item) => item_attributes(item),
                Stmt::Expr(expression, _) => expression_attributes(expression),
                Stmt::Macro(call) => Some(&mut call.attrs),
            };
            attributes.is_none_or(|attributes| !self.excludes(attributes))
        });
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        item.items.retain_mut(|item| {
            let attributes = attributes_of!(item, ImplItem: Const Fn Type Macro);
            attributes.is_none_or(|attributes| !self.excludes(attributes))
        });
        visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        item.items.retain_mut(|item| {
            let attributes = attributes_of!(item, TraitItem: Const Fn Type Macro);
            attributes.is_none_or(|attributes| !self.excludes(attributes))
        });
        visit_mut::visit_item_trait_mut(self, item);
    }

    fn visit_item_foreign_mod_mut(&mut self, item: &mut syn::ItemForeignMod) {
        item.items.retain_mut(|item| {
            let attributes = attributes_of!(item, ForeignItem: Fn Static Type Macro);
            attributes.is_none_or(|attributes| !self.excludes(attributes))
        });
        visit_mut::visit_item_foreign_mod_mut(self, item);
    }

    fn visit_item_enum_mut(&mut self, item: &mut syn::ItemEnum) {
        retain(&mut item.variants, |variant| {
            !self.excludes(&mut variant.attrs)
        });
        visit_mut::visit_item_enum_mut(self, item);
    }

    fn visit_fields_named_mut(&mut self, fields: &mut syn::FieldsNamed) {
        retain(&mut fields.named, |field| !self.excludes(&mut field.attrs));
        visit_mut::visit_fields_named_mut(self, fields);
    }

    fn visit_fields_unnamed_mut(&mut self, fields: &mut syn::FieldsUnnamed) {
        retain(&mut fields.unnamed, |field| {
            !self.excludes(&mut field.attrs)
        });
        visit_mut::visit_fields_unnamed_mut(self, fields);
    }

    fn visit_expr_struct_mut(&mut self, item: &mut syn::ExprStruct) {
        retain(&mut item.fields, |field| !self.excludes(&mut field.attrs));
        visit_mut::visit_expr_struct_mut(self, item);
    }

    fn visit_pat_struct_mut(&mut self, item: &mut syn::PatStruct) {
        retain(&mut item.fields, |field| !self.excludes(&mut field.attrs));
        visit_mut::visit_pat_struct_mut(self, item);
    }

    fn visit_expr_array_mut(&mut self, item: &mut syn::ExprArray) {
        retain(&mut item.elems, |e| {
            expression_attributes(e).is_none_or(|attributes| !self.excludes(attributes))
        });
        visit_mut::visit_expr_array_mut(self, item);
    }

    fn visit_expr_match_mut(&mut self, item: &mut syn::ExprMatch) {
        item.arms.retain_mut(|arm| !self.excludes(&mut arm.attrs));
        visit_mut::visit_expr_match_mut(self, item);
    }

    fn visit_signature_mut(&mut self, signature: &mut syn::Signature) {
        retain(&mut signature.inputs, |input| match input {
            FnArg::Receiver(input) => !self.excludes(&mut input.attrs),
            FnArg::Typed(input) => !self.excludes(&mut input.attrs),
        });
        visit_mut::visit_signature_mut(self, signature);
    }
}

fn retain<T: Clone, P: Default + Clone>(
    list: &mut syn::punctuated::Punctuated<T, P>,
    mut keep: impl FnMut(&mut T) -> bool,
) {
    let trailing = list.trailing_punct();
    let before = list.len();
    let mut items: Vec<T> = list.iter().cloned().collect();
    items.retain_mut(&mut keep);
    if items.len() == before {
        return;
    }
    *list = items.into_iter().collect();
    if trailing && !list.is_empty() {
        list.push_punct(P::default());
    }
}

/// The outer attributes of an item.
fn item_attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    attributes_of!(item, Item:
        Const Enum ExternCrate Fn ForeignMod Impl Macro Mod Static
        Struct Trait TraitAlias Type Union Use)
}

/// The attributes of the kinds of expressions that `cfg` is used on in practice.
fn expression_attributes(expression: &mut Expr) -> Option<&mut Vec<Attribute>> {
    attributes_of!(expression, Expr:
        Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field ForLoop
        Group If Index Infer Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr
        Reference Repeat Return Struct Try Tuple Unary Unsafe While)
}
