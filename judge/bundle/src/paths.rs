//! Rewrites paths: a path to a crate becomes a path to the module that replaces the crate.
//!
//! The rewrite works on tokens, so it covers the bodies and arguments of macros too.

use super::cfg::Cfg;
use super::error::BundleError;
use super::manifest::Extern;
use super::markers::Markers;
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::UseTree;
use syn::visit_mut::VisitMut;

/// The crate names with which code of one crate may start a path.
#[derive(Clone, Debug)]
pub struct Names {
    /// The module of the crate itself; `None` for the root.
    pub own: Option<String>,
    /// The other crates.
    pub externs: BTreeMap<String, Extern>,
}

/// Rewriter of the tokens of one item.
pub struct Rewrite<'a> {
    pub names: &'a Names,
    /// Crate names that local declarations shadow.
    pub shadowed: &'a BTreeSet<String>,
    /// Evaluates `cfg!(...)`.
    pub cfg: &'a Cfg<'a>,
    /// The source file of the tokens.
    pub file: &'a Path,
    /// Name and version of the package, for `env!("CARGO_PKG_NAME")`.
    pub package: &'a (String, String),
    /// Collects errors for code that cannot be inlined.
    pub markers: &'a mut Markers,
}

impl Rewrite<'_> {
    fn meaning(&self, name: &str) -> Option<Extern> {
        if self.shadowed.contains(name) {
            return None;
        }
        self.names.externs.get(name).cloned()
    }

    /// Appends the tokens of a path to `meaning`.
    fn path_to(&mut self, meaning: &Extern, span: Span, out: &mut Vec<TokenTree>) {
        match meaning {
            Extern::Module(None) => out.push(ident("crate", span)),
            Extern::Module(Some(module)) => {
                out.push(ident("crate", span));
                out.extend(path_sep());
                out.push(ident(module, span));
            }
            Extern::Refused(why, remedy) => {
                let mark = self.refuse(span, why.clone(), remedy);
                out.push(TokenTree::Ident(mark));
            }
        }
    }

    fn refuse(&mut self, span: Span, why: String, remedy: &str) -> Ident {
        let start = span.start();
        let error = BundleError::at(self.file, start.line, start.column + 1, why, remedy);
        self.markers.mark(error)
    }

    /// Rewrites tokens; `in_group` means inside the braces of a `use`, where no path starts.
    pub fn tokens(&mut self, tokens: TokenStream, in_group: bool) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut out: Vec<TokenTree> = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            at += self.rewrite_at(&tokens, at, in_group, &mut out);
        }
        out.into_iter().collect()
    }

    /// Rewrites the token at `at`; returns the number of tokens consumed.
    fn rewrite_at(
        &mut self,
        tokens: &[TokenTree],
        at: usize,
        in_group: bool,
        out: &mut Vec<TokenTree>,
    ) -> usize {
        match &tokens[at] {
            TokenTree::Group(group) => {
                let is_attribute = group.delimiter() == Delimiter::Bracket
                    && matches!(out.last(), Some(TokenTree::Punct(p)) if "#!".contains(p.as_char()));
                let stream = if is_attribute {
                    self.attribute(group.stream())
                } else {
                    let after_path = out.len() >= 2 && is_path_sep(out, out.len() - 2);
                    let braces = group.delimiter() == Delimiter::Brace;
                    self.tokens(group.stream(), braces && (after_path || in_group))
                };
                let mut new = Group::new(group.delimiter(), stream);
                new.set_span(group.span());
                out.push(TokenTree::Group(new));
                1
            }
            TokenTree::Ident(name) => {
                let text = name.to_string();
                if let Some(taken) = self.macro_call(&text, name.span(), tokens, at, out) {
                    return taken;
                }
                let leads = is_path_sep(tokens, at + 1);
                if text == "crate" && leads {
                    out.push(tokens[at].clone());
                    if let Some(own) = &self.names.own {
                        out.extend(path_sep());
                        out.push(ident(own, name.span()));
                    }
                    return 1;
                }
                if leads
                    && !in_group
                    && starts_path(out)
                    && let Some(meaning) = self.meaning(&text)
                {
                    self.path_to(&meaning, name.span(), out);
                    return 1;
                }
                out.push(tokens[at].clone());
                1
            }
            TokenTree::Punct(_) if is_path_sep(tokens, at) && !in_group => {
                // `::sudoku::x`
                if let Some(TokenTree::Ident(name)) = tokens.get(at + 2)
                    && starts_path(out)
                    && is_path_sep(tokens, at + 3)
                    && let Some(meaning) = self.names.externs.get(&name.to_string()).cloned()
                {
                    self.path_to(&meaning, name.span(), out);
                    return 3;
                }
                out.extend_from_slice(&tokens[at..at + 2]);
                2
            }
            other => {
                out.push(other.clone());
                1
            }
        }
    }

    /// Evaluates `#[cfg(...)]` and `#[cfg_attr(..., ...)]` in the arguments of macros.
    fn attribute(&mut self, stream: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = stream.clone().into_iter().collect();
        let (name, group) = match &tokens[..] {
            [TokenTree::Ident(name), TokenTree::Group(group)] => (name, group),
            _ => return self.tokens(stream, false),
        };
        let decided = |value: bool| if value { "all()" } else { "any()" };
        let name = name.to_string();
        if name == "cfg"
            && let Some(value) = self.cfg.predicate(group.stream())
        {
            return format!("cfg({})", decided(value))
                .parse()
                .expect("valid tokens");
        }
        if name == "cfg_attr" {
            let mut parts = super::cfg::split(group.stream()).into_iter();
            if let Some(value) = parts.next().and_then(|p| self.cfg.predicate(p)) {
                let rest: Vec<String> = parts.map(|p| p.to_string()).collect();
                let text = format!("cfg_attr({}, {})", decided(value), rest.join(", "));
                return text.parse().expect("valid tokens");
            }
        }
        self.tokens(stream, false)
    }

    /// Replaces macros that read the configuration, the environment or a file.
    fn macro_call(
        &mut self,
        name: &str,
        span: Span,
        tokens: &[TokenTree],
        at: usize,
        out: &mut Vec<TokenTree>,
    ) -> Option<usize> {
        let group = match (tokens.get(at + 1)?, tokens.get(at + 2)?) {
            (TokenTree::Punct(bang), TokenTree::Group(group)) if bang.as_char() == '!' => group,
            _ => return None,
        };
        if !starts_path(out) {
            return None;
        }
        let argument: Option<syn::LitStr> = syn::parse2(group.stream()).ok();
        let argument = argument.map(|literal| literal.value());
        let beside = |path: &str| self.file.parent().unwrap_or(Path::new("")).join(path);
        let string = |text: &str| TokenStream::from(TokenTree::Literal(Literal::string(text)));
        let failed = |path: &str, e| (format!("failed to read {path}: {e}"), "");
        let replaced: Result<TokenStream, (String, &str)> = match (name, argument) {
            ("cfg", _) => {
                let value = self.cfg.predicate(group.stream())?;
                Ok(ident(if value { "true" } else { "false" }, span).into())
            }
            ("include_str", Some(path)) => std::fs::read_to_string(beside(&path))
                .map(|text| string(&text))
                .map_err(|e| failed(&path, e)),
            ("include_bytes", Some(path)) => std::fs::read(beside(&path))
                .map(|bytes| {
                    let bytes = Literal::byte_string(&bytes);
                    quote::quote!(&*#bytes)
                })
                .map_err(|e| failed(&path, e)),
            ("env", Some(variable)) => match variable.as_str() {
                "CARGO_PKG_NAME" => Ok(string(&self.package.0)),
                "CARGO_PKG_VERSION" => Ok(string(&self.package.1)),
                _ => Err((
                    format!("env!(\"{variable}\") has no value where the bundle is compiled"),
                    "write the value out",
                )),
            },
            ("option_env", _) => Ok(quote::quote!(::core::option::Option::<&'static str>::None)),
            ("include" | "include_str" | "include_bytes" | "env", _) => Err((
                format!("{name}! cannot be inlined"),
                "make what it includes a module, or write it out",
            )),
            _ => return None,
        };
        match replaced {
            Ok(tokens) => {
                out.extend(tokens);
                Some(3)
            }
            Err((why, remedy)) => {
                let mark = self.refuse(span, why, remedy);
                out.push(TokenTree::Ident(mark));
                Some(1)
            }
        }
    }
}

/// Names the `self` of `use sudoku::{self, Grid};`, because the module that replaces the crate may have another name.
pub struct NamedSelf<'n>(pub &'n Names);

impl VisitMut for NamedSelf<'_> {
    fn visit_use_path_mut(&mut self, path: &mut syn::UsePath) {
        let name = &path.ident;
        if let Some(Extern::Module(module)) = self.0.externs.get(&name.to_string())
            && module.as_ref().is_none_or(|module| name != module)
            && let UseTree::Group(group) = &mut *path.tree
        {
            for tree in &mut group.items {
                if matches!(tree, UseTree::Name(it) if it.ident == "self")
                    && let Ok(new) = syn::parse_str(&format!("self as {name}"))
                {
                    *tree = new;
                }
            }
        }
    }
}

impl VisitMut for Rewrite<'_> {
    /// Handles `use sudoku;` and `use sudoku as s;`, which look like other names at the token
    /// level, after that level: its paths are complete.
    fn visit_item_use_mut(&mut self, item: &mut syn::ItemUse) {
        self.use_tree(&mut item.tree);
    }
}

impl Rewrite<'_> {
    fn use_tree(&mut self, tree: &mut UseTree) {
        let (name, rename) = match tree {
            UseTree::Name(it) => (it.ident.clone(), it.ident.clone()),
            UseTree::Rename(it) => (it.ident.clone(), it.rename.clone()),
            UseTree::Group(group) => {
                group.items.iter_mut().for_each(|tree| self.use_tree(tree));
                return;
            }
            _ => return,
        };
        // Shadowing is ignored here: `use sudoku;` itself declares the name.
        let text = name.to_string();
        let meaning = match (self.names.externs.get(&text), &self.names.own) {
            (Some(meaning), _) => meaning.clone(),
            (None, own) if text == "crate" && own.is_some() => Extern::Module(own.clone()),
            _ => return,
        };
        let mut path = Vec::new();
        self.path_to(&meaning, name.span(), &mut path);
        let path: TokenStream = path.into_iter().collect();
        let text = match &meaning {
            Extern::Module(Some(module)) if rename == module => path.to_string(),
            _ => format!("{path} as {rename}"),
        };
        if let Ok(new) = syn::parse_str(&text) {
            *tree = new;
        }
    }
}

fn ident(name: &str, span: Span) -> TokenTree {
    TokenTree::Ident(Ident::new(name, span))
}

fn path_sep() -> [TokenTree; 2] {
    [
        TokenTree::Punct(Punct::new(':', Spacing::Joint)),
        TokenTree::Punct(Punct::new(':', Spacing::Alone)),
    ]
}

fn is_path_sep(tokens: &[TokenTree], at: usize) -> bool {
    match (tokens.get(at), tokens.get(at + 1)) {
        (Some(TokenTree::Punct(a)), Some(TokenTree::Punct(b))) => {
            a.as_char() == ':' && a.spacing() == Spacing::Joint && b.as_char() == ':'
        }
        _ => false,
    }
}

/// Whether a path may start after these tokens.
fn starts_path(before: &[TokenTree]) -> bool {
    const KEYWORDS: &[&str] = &[
        "use", "return", "as", "in", "impl", "dyn", "for", "where", "mut", "ref", "move", "match",
        "if", "while", "else", "break", "const", "unsafe", "let", "type", "box", "loop", "static",
        "pub", "async", "await", "yield",
    ];
    if before.len() >= 2 && is_path_sep(before, before.len() - 2) {
        return false;
    }
    match before.last() {
        None | Some(TokenTree::Group(_)) => true,
        Some(TokenTree::Ident(ident)) => KEYWORDS.contains(&ident.to_string().as_str()),
        Some(TokenTree::Punct(punct)) => match punct.as_char() {
            '$' | '\'' => false,
            // `.` precedes a field or a method, `..` is a range.
            '.' => matches!(before.get(before.len().wrapping_sub(2)),
                Some(TokenTree::Punct(p)) if p.as_char() == '.' && p.spacing() == Spacing::Joint),
            _ => true,
        },
        Some(TokenTree::Literal(_)) => true,
    }
}
