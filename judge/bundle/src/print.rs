//! Prints a bundle for readers: formatted, with an empty line between items.

use proc_macro2::TokenStream;
use syn::File;

/// The text of a file, formatted.
pub fn pretty(file: &File) -> String {
    let text = prettyplease::unparse(file);
    let spaced = spaced(&text);
    // An empty line inside a multi-line string would change the program.
    if tokens(&spaced) == tokens(&text) {
        spaced
    } else {
        text
    }
}

fn tokens(text: &str) -> Option<String> {
    text.parse::<TokenStream>()
        .ok()
        .map(|tokens| tokens.to_string())
}

/// Adds an empty line after a block that another item follows.
fn spaced(text: &str) -> String {
    const BEGINNINGS: &[&str] = &[
        "fn ",
        "pub",
        "struct ",
        "enum ",
        "impl",
        "trait ",
        "mod ",
        "const ",
        "static ",
        "type ",
        "unsafe ",
        "macro_rules!",
        "#[",
        "use ",
        "union ",
        "extern ",
        "async ",
    ];
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let mut previous: Option<&str> = None;
    for line in text.lines() {
        if let Some(previous) = previous {
            let code = line.trim_start();
            let ends_block = previous.trim_start() == "}" || previous.trim_start() == "};";
            let ends_uses =
                is_use(previous) && !is_use(line) || is_mod(line) && !previous.ends_with('{');
            let begins = BEGINNINGS.iter().any(|word| code.starts_with(word));
            if begins && indent(previous) == indent(line) && (ends_block || ends_uses) {
                out.push('\n');
            }
        }
        out.push_str(line);
        out.push('\n');
        previous = Some(line);
    }
    out
}

fn is_use(line: &str) -> bool {
    let code = line.trim_start();
    ["use ", "pub(crate) use ", "pub use ", "extern crate "]
        .iter()
        .any(|word| code.starts_with(word))
}

fn is_mod(line: &str) -> bool {
    let code = line.trim_start();
    ["mod ", "pub mod ", "pub(crate) mod "]
        .iter()
        .any(|word| code.starts_with(word))
}
