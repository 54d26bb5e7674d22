//! Prunes exactly: removes what the compiler reports as unused until it reports nothing.
//!
//! A bundle is one crate, so the lints `dead_code` and `unused_imports` cover all of it with real
//! name resolution. Each removal is verified by compiling again and reverted if that fails.

use super::error::BundleError;
use super::load::Loaded;
use super::names::{content, impl_item_name, name_of};
use super::prune;
use super::remove::{Place, remove, remove_unresolved};
use super::rustc::{Compiler, Diagnostic};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{File, Item, parse_quote};

/// The maximum number of rounds; what is left then is kept.
const MAX_ROUNDS: usize = 24;

/// The whole program, pruned.
pub fn program(loaded: &Loaded, compiler: &Compiler) -> Result<File, BundleError> {
    trim(loaded, compiler, &["main".to_owned()], "")
}

/// The part of the program that `roots` need; `main` is appended for compilation, to call them.
pub fn trim(
    loaded: &Loaded,
    compiler: &Compiler,
    roots: &[String],
    main: &str,
) -> Result<File, BundleError> {
    let mut file = loaded.file.clone();
    narrow_uses(&mut file);
    let whole = file.clone();
    prune::prune(&mut file, roots);
    if let Some(error) = loaded.markers.first_in(file.to_token_stream()) {
        return Err(error);
    }
    let mut trimmer = Trimmer {
        compiler,
        roots,
        main,
        kept: BTreeSet::new(),
    };
    let mut text = prettyplease::unparse(&file);
    let mut diagnostics = match trimmer.check(&text) {
        Ok(diagnostics) => diagnostics,
        Err(errors) => {
            // If the pruning by name broke it, the compiler's analysis has to suffice.
            text = prettyplease::unparse(&whole);
            match trimmer.check(&text) {
                Ok(diagnostics) => diagnostics,
                Err(_) => return Err(explain(&errors, &prettyplease::unparse(&file), loaded)),
            }
        }
    };
    // Each round removes something; the bound guards against repeated reports.
    for _ in 0..MAX_ROUNDS {
        let dead = trimmer.dead(&diagnostics, &text);
        if dead.is_empty() {
            break;
        }
        match trimmer.without(&text, &dead) {
            Ok((shorter, found)) => {
                text = shorter;
                diagnostics = found;
            }
            // The items that the errors name are needed after all, such as a method that a macro
            // implements.
            Err(errors) => {
                if !trimmer.keep(&errors, &dead, &text) {
                    break;
                }
            }
        }
    }
    Ok(parse(&text))
}

/// Parses text printed from a syntax tree.
fn parse(text: &str) -> File {
    syn::parse_file(text).expect("prettyplease prints valid code")
}

/// Replaces `pub use` by `pub(crate) use`: they are equivalent in a program, but the compiler
/// reports only the latter as unused.
fn narrow_uses(file: &mut File) {
    struct Narrow;
    impl VisitMut for Narrow {
        fn visit_item_use_mut(&mut self, item: &mut syn::ItemUse) {
            if matches!(item.vis, syn::Visibility::Public(_)) {
                item.vis = parse_quote!(pub(crate));
            }
        }
    }
    Narrow.visit_file_mut(file);
}

/// Error codes of unresolved paths.
const UNRESOLVED: &[&str] = &["E0405", "E0412", "E0425", "E0432", "E0433"];

struct Trimmer<'a> {
    compiler: &'a Compiler,
    roots: &'a [String],
    main: &'a str,
    /// Names that are needed although the compiler reports them as unused.
    kept: BTreeSet<String>,
}

type Checked = (String, Vec<Diagnostic>);

impl Trimmer<'_> {
    fn check(&self, text: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.compiler.check(&format!("{text}{}", self.main))
    }

    /// The positions of unused items.
    fn dead(&self, diagnostics: &[Diagnostic], text: &str) -> BTreeSet<Place> {
        let lines: Vec<&str> = text.lines().collect();
        diagnostics
            .iter()
            .filter(|d| ["dead_code", "unused_imports", "unused_macros"].contains(&d.code()))
            // Unused fields and variants are kept: removing them changes types and the code that
            // constructs them.
            .filter(|d| !d.message.starts_with("field") && !d.message.starts_with("variant"))
            .flat_map(Diagnostic::places)
            .filter(|&place| word_at(&lines, place).is_some_and(|name| !self.kept.contains(&name)))
            .collect()
    }

    /// The program without the items at these positions, if it still compiles.
    fn without(&self, text: &str, places: &BTreeSet<Place>) -> Result<Checked, Vec<Diagnostic>> {
        let mut file = parse(text);
        if !remove(&mut file, places) {
            return Err(Vec::new());
        }
        for _ in 0..MAX_ROUNDS {
            prune::prune(&mut file, self.roots);
            let text = prettyplease::unparse(&file);
            let errors = match self.check(&text) {
                Ok(diagnostics) => return Ok((text, diagnostics)),
                Err(errors) => errors,
            };
            // Dead code may import other dead code, which the compiler does not report; impls of
            // dead types may be anywhere.
            let unresolved = errors.iter().filter(|e| UNRESOLVED.contains(&e.code()));
            let unresolved = unresolved
                .flat_map(|e| e.places().chain(e.calls()))
                .collect();
            file = parse(&text);
            if !remove_unresolved(&mut file, &unresolved) {
                return Err(errors);
            }
        }
        Err(Vec::new())
    }

    /// Keeps the items at these positions whose names the errors mention; returns whether there are
    /// any.
    fn keep(&mut self, errors: &[Diagnostic], places: &BTreeSet<Place>, text: &str) -> bool {
        let quoted = |e: &Diagnostic| -> Vec<String> {
            let parts = e.message.split('`').skip(1).step_by(2);
            parts
                .map(|part| part.rsplit("::").next().unwrap_or(part).to_owned())
                .collect()
        };
        let named: BTreeSet<String> = errors.iter().flat_map(quoted).collect();
        let lines: Vec<&str> = text.lines().collect();
        let before = self.kept.len();
        for &place in places {
            let name = word_at(&lines, place);
            self.kept.extend(name.filter(|name| named.contains(name)));
        }
        self.kept.len() > before
    }
}

/// The name or path that begins at this place of these lines.
fn word_at(lines: &[&str], (line, column): Place) -> Option<String> {
    let characters = lines.get(line - 1)?.chars().skip(column - 1);
    let word = characters.take_while(|c| c.is_alphanumeric() || "_:".contains(*c));
    Some(word.collect())
}

/// The compiler's first error, with its position in the original sources.
fn explain(errors: &[Diagnostic], text: &str, loaded: &Loaded) -> BundleError {
    let place = errors.iter().find_map(|e| e.places().next());
    let origin = place.and_then(|(line, _)| {
        let mut names = Vec::new();
        enclosing(&parse(text).items, line, &mut names);
        // Use the innermost item with a known origin; methods have the origin of their module.
        (1..=names.len())
            .rev()
            .find_map(|n| loaded.origins.get(&names[..n].join("::")))
    });
    let (file, line) = origin.cloned().unwrap_or((loaded.root.clone(), 0));
    let message: Vec<&str> = errors
        .iter()
        .filter(|e| !e.message.starts_with("aborting"))
        .take(3)
        .filter_map(|e| e.rendered.as_deref().or(Some(&e.message)))
        .collect();
    BundleError::at(
        &file,
        line,
        0,
        format!(
            "does not compile as one file\n{}",
            message.join("").trim_end()
        ),
        "if it compiles with cargo, check that its edition is the bundle's and that it uses no path \
         that exists only between crates",
    )
}

fn enclosing(items: &[Item], line: usize, names: &mut Vec<String>) {
    let covers = |span: proc_macro2::Span| span.start().line <= line && line <= span.end().line;
    let Some(item) = items.iter().find(|item| covers(item.span())) else {
        return;
    };
    names.extend(name_of(item).map(Ident::to_string));
    match item {
        Item::Mod(module) => {
            enclosing(content(module), line, names);
        }
        Item::Impl(block) => {
            let part = block.items.iter().find(|part| covers(part.span()));
            names.extend(part.and_then(impl_item_name).map(Ident::to_string));
        }
        _ => {}
    }
}
