//! Loads all source files into one tree of items: the binary at the root, each library as a module.

use super::attributes;
use super::cfg::Cfg;
use super::declared;
use super::error::BundleError;
use super::files::Place;
use super::macros;
use super::manifest::{Crate, Extern, Plan};
use super::markers::Markers;
use super::paths::{NamedSelf, Names, Rewrite};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Item, parse_quote};

/// All code that the bundle may need.
pub struct Loaded {
    /// The code.
    pub file: syn::File,
    /// Errors for code that cannot be bundled; reported only if the code is live.
    pub markers: Markers,
    /// The file and line of each item, by its path in the bundle.
    pub origins: BTreeMap<String, (PathBuf, usize)>,
    /// The root file of the binary.
    pub root: PathBuf,
}

/// Reads all crates of the plan.
pub fn load(plan: &Plan) -> Result<Loaded, BundleError> {
    let mut loader = Loader {
        markers: Markers::default(),
        origins: BTreeMap::new(),
        hoisted: BTreeSet::new(),
        macro_users: BTreeSet::new(),
    };
    let mut parts = Vec::new();
    for krate in &plan.crates {
        parts.push(loader.krate(krate)?);
    }
    let mut crates = parts.into_iter().zip(&plan.crates);
    let (mut root, _) = crates.next().expect("a plan has a binary");
    let mut libraries = Vec::new();
    for (mut items, krate) in crates {
        let name = krate.module.as_deref().expect("a library has a module");
        let ident = Ident::new(name, proc_macro2::Span::call_site());
        let mut module: syn::ItemMod = parse_quote!(mod #ident {});
        if loader.macro_users.contains(name) {
            module.attrs.push(parse_quote!(#[macro_use]));
            open_macros(&mut items);
        }
        module.content = Some((syn::token::Brace::default(), items));
        libraries.push(Item::Mod(module));
    }
    // A `macro_rules!` macro is in scope only after its definition, so the libraries come first.
    let defines_macros = root
        .iter()
        .any(|item| matches!(item, Item::Macro(m) if m.ident.is_some()));
    let mut items: Vec<Item> = Vec::new();
    for name in &loader.hoisted {
        let ident = Ident::new(name, proc_macro2::Span::call_site());
        items.push(parse_quote!(extern crate #ident;));
    }
    if defines_macros || !loader.macro_users.is_empty() {
        items.extend(libraries.into_iter().rev());
        items.append(&mut root);
    } else {
        items.append(&mut root);
        items.extend(libraries);
    }
    Ok(Loaded {
        file: syn::File {
            shebang: None,
            frontmatter: None,
            attrs: Vec::new(),
            items,
        },
        markers: loader.markers,
        origins: loader.origins,
        root: plan.crates[0].root.clone(),
    })
}

/// Whether the attribute is `#[macro_export(local_inner_macros)]`.
fn has_local_inner_macros(attribute: &syn::Attribute) -> bool {
    let list = attribute.meta.require_list();
    list.is_ok_and(|list| list.tokens.to_string() == "local_inner_macros")
}

/// Adds `#[macro_use]` to the modules that define `macro_rules!` macros.
fn open_macros(items: &mut [Item]) -> bool {
    let mut any = false;
    for item in items {
        match item {
            Item::Macro(it) if it.ident.is_some() => any = true,
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content
                    && open_macros(items)
                {
                    any = true;
                    if !module.attrs.iter().any(|a| a.path().is_ident("macro_use")) {
                        module.attrs.push(parse_quote!(#[macro_use]));
                    }
                }
            }
            _ => {}
        }
    }
    any
}

struct Loader {
    markers: Markers,
    origins: BTreeMap<String, (PathBuf, usize)>,
    /// Crates of the standard library named by `extern crate` at a crate root.
    hoisted: BTreeSet<String>,
    /// Modules of libraries whose macros other crates use without a path.
    macro_users: BTreeSet<String>,
}

/// Data shared by all modules of a crate.
struct Context<'a> {
    krate: &'a Crate,
    names: Names,
    cfg: Cfg<'a>,
    /// Exported macros, by their path in the bundle.
    exported: Vec<String>,
}

impl Loader {
    fn krate(&mut self, krate: &Crate) -> Result<Vec<Item>, BundleError> {
        let mut context = Context {
            krate,
            names: Names {
                own: krate.module.clone(),
                externs: krate.externs.clone(),
            },
            cfg: Cfg::new(&krate.features),
            exported: Vec::new(),
        };
        let place = Place::beside(&krate.root);
        let path: Vec<String> = krate.module.iter().cloned().collect();
        let items = self.file(&place, &context.cfg)?.unwrap_or_default();
        self.extern_crates(&items, &mut context);
        let mut items = self.module(items, &place, &path, &mut context)?;
        for path in &context.exported {
            let path: syn::Path = syn::parse_str(path).expect("a path of identifiers");
            items.push(parse_quote!(pub(crate) use #path;));
        }
        Ok(items)
    }

    /// The items of a file; `None` if `cfg` excludes the whole file.
    fn file(&mut self, place: &Place, cfg: &Cfg) -> Result<Option<Vec<Item>>, BundleError> {
        let path = &place.file;
        let text = std::fs::read_to_string(path).map_err(|e| {
            BundleError::file(path, e.to_string(), "name a source file that can be read")
        })?;
        let mut file = syn::parse_file(&text).map_err(|e| {
            let start = e.span().start();
            let remedy = "make it compile; then bundle it";
            BundleError::at(path, start.line, start.column + 1, e.to_string(), remedy)
        })?;
        if attributes::excludes(&mut file.attrs, cfg) {
            return Ok(None);
        }
        for attribute in &file.attrs {
            if attribute.path().is_ident("feature") {
                let start = attribute.span().start();
                return Err(BundleError::at(
                    path,
                    start.line,
                    start.column + 1,
                    "an unstable feature of the compiler cannot be bundled",
                    "judges have stable compilers: avoid it",
                ));
            }
        }
        attributes::apply_cfg(&mut file.items, cfg);
        Ok(Some(file.items))
    }

    /// Registers the name that `extern crate x as y` at a crate root introduces.
    fn extern_crates(&mut self, items: &[Item], context: &mut Context) {
        for item in items {
            let Item::ExternCrate(item) = item else {
                continue;
            };
            let name = item.ident.to_string();
            let meaning = match name.as_str() {
                "self" => Some(Extern::Module(context.names.own.clone())),
                _ => context.names.externs.get(&name).cloned(),
            };
            if item.attrs.iter().any(|a| a.path().is_ident("macro_use"))
                && let Some(Extern::Module(Some(module))) = &meaning
            {
                self.macro_users.insert(module.clone());
            }
            match (meaning, &item.rename) {
                (Some(meaning), Some((_, rename))) => {
                    context.names.externs.insert(rename.to_string(), meaning);
                }
                (None, None) if ["alloc", "core", "std"].contains(&name.as_str()) => {
                    self.hoisted.insert(name);
                }
                _ => {}
            }
        }
    }

    fn module(
        &mut self,
        items: Vec<Item>,
        place: &Place,
        path: &[String],
        context: &mut Context,
    ) -> Result<Vec<Item>, BundleError> {
        let declared = declared::declared_in(&items);
        let mut done = Vec::new();
        for item in items {
            match item {
                Item::Mod(module) => done.extend(self.submodule(module, place, path, context)?),
                Item::ExternCrate(item) => done.extend(extern_crate(&item, path, context)),
                mut item => {
                    let line = item.span().start().line;
                    self.note_origin(&item, path, &place.file);
                    let mut export = None;
                    if let Item::Macro(it) = &mut item {
                        let (exports, others): (Vec<_>, Vec<_>) = std::mem::take(&mut it.attrs)
                            .into_iter()
                            .partition(|a| a.path().is_ident("macro_export"));
                        it.attrs = others;
                        if !exports.is_empty() {
                            export = it.ident.clone();
                        }
                        // Documentation comments in the body of a macro are ordinary tokens.
                        it.mac.tokens = super::minify::without_docs(it.mac.tokens.clone());
                        if exports.iter().any(has_local_inner_macros) {
                            it.mac.tokens = macros::with_own_calls(it.mac.tokens.clone());
                        }
                    }
                    let mut shadowed = declared.clone();
                    shadowed.extend(declared::declared_inside(&item));
                    let mut rewrite = Rewrite {
                        names: &context.names,
                        shadowed: &shadowed,
                        cfg: &context.cfg,
                        file: &place.file,
                        package: &context.krate.package,
                        markers: &mut self.markers,
                    };
                    NamedSelf(&context.names).visit_item_mut(&mut item);
                    let tokens = rewrite.tokens(item.to_token_stream(), false);
                    let mut item = syn::parse2(tokens).map_err(|e| {
                        let what = format!("failed to rewrite this item: {e}");
                        BundleError::at(&place.file, line, 1, what, "simplify it")
                    })?;
                    rewrite.visit_item_mut(&mut item);
                    done.push(item);
                    if let Some(name) = export {
                        done.push(parse_quote!(pub(crate) use #name;));
                        let at_root = path.len() == usize::from(context.names.own.is_some());
                        if !at_root {
                            context
                                .exported
                                .push(format!("crate::{}::{name}", path.join("::")));
                        }
                    }
                }
            }
        }
        Ok(done)
    }

    fn submodule(
        &mut self,
        mut module: syn::ItemMod,
        place: &Place,
        path: &[String],
        context: &mut Context,
    ) -> Result<Option<Item>, BundleError> {
        let line = module.span().start().line;
        let name = module.ident.to_string();
        let file_name = name.trim_start_matches("r#");
        let mut given = None;
        module.attrs.retain(|attribute| match &attribute.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("path") => {
                given = syn::parse2::<syn::LitStr>(pair.value.to_token_stream()).ok();
                false
            }
            _ => true,
        });
        let given = given.map(|literal| literal.value());
        let (items, inside) = match module.content.take() {
            Some((_, items)) => (items, place.inline(file_name, given.as_deref())),
            None => {
                let inside = place.module(file_name, given.as_deref(), line)?;
                match self.file(&inside, &context.cfg)? {
                    Some(items) => (items, inside),
                    None => return Ok(None),
                }
            }
        };
        let mut path = path.to_vec();
        path.push(name);
        let items = self.module(items, &inside, &path, context)?;
        module.semi = None;
        module.content = Some((syn::token::Brace::default(), items));
        // `pub(in crate::engine)` contains a path that must be rewritten too.
        if let syn::Visibility::Restricted(vis) = &mut module.vis
            && let (Some(own), true) = (&context.names.own, vis.path.segments.len() > 1)
            && vis.path.segments[0].ident == "crate"
        {
            let rest = vis.path.segments.iter().skip(1);
            let own = Ident::new(own, proc_macro2::Span::call_site());
            *vis.path = parse_quote!(crate::#own #(::#rest)*);
        }
        Ok(Some(Item::Mod(module)))
    }

    /// Records the source position of an item and its members.
    fn note_origin(&mut self, item: &Item, path: &[String], file: &Path) {
        let mut note = |name: &str, line: usize| {
            let key = [path, &[name.to_owned()]].concat().join("::");
            self.origins.entry(key).or_insert((file.to_owned(), line));
        };
        super::names::for_each_name(item, &mut |ident| {
            note(&ident.to_string(), ident.span().start().line);
        });
    }
}

/// The replacement of an `extern crate` item.
fn extern_crate(item: &syn::ItemExternCrate, path: &[String], context: &Context) -> Option<Item> {
    let name = item.ident.to_string();
    let at_bundle_root = path.is_empty();
    let module = match (context.names.externs.get(&name), name.as_str()) {
        (Some(Extern::Module(module)), _) => module.clone(),
        (None, "self") => context.names.own.clone(),
        // `std`, `alloc` and `core` are hoisted when named at the root, kept elsewhere.
        _ if at_bundle_root && item.rename.is_none() => return None,
        _ => return Some(Item::ExternCrate(item.clone())),
    };
    let rename = item.rename.as_ref();
    let visible = rename.map_or(&item.ident, |(_, rename)| rename);
    let vis = &item.vis;
    let Some(module) = module else {
        return Some(parse_quote!(#vis use crate as #visible;));
    };
    let module = Ident::new(&module, item.ident.span());
    if at_bundle_root && *visible == module {
        return None;
    }
    Some(parse_quote!(#vis use crate::#module as #visible;))
}
