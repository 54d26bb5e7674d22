//! Prints a bundle as small as possible without renaming anything.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::File;
use syn::visit_mut::VisitMut;

/// A longer line is broken at the next possible position.
const WIDTH: usize = 160;

/// The text of a file without unnecessary white space.
pub fn minify(file: &File) -> String {
    let mut file = file.clone();
    Shorten.visit_file_mut(&mut file);
    let tokens = file.to_token_stream();
    let mut printer = Printer::default();
    printer.tokens(tokens.clone());
    printer.text.push('\n');
    let printed: Option<TokenStream> = printer.text.parse().ok();
    if printed.is_some_and(|printed| solid(&printed) == solid(&tokens)) {
        printer.text
    } else {
        prettyplease::unparse(&file)
    }
}

/// Tokens as text without white space: equal for programs that differ only in layout.
fn solid(tokens: &TokenStream) -> String {
    tokens.to_string().split_whitespace().collect()
}

/// Tokens without `#[doc = "..."]`.
pub fn without_docs(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if let (TokenTree::Punct(hash), Some(TokenTree::Group(group))) =
            (&tokens[at], tokens.get(at + 1))
            && hash.as_char() == '#'
            && is_doc(group)
        {
            at += 2;
            continue;
        }
        out.push(match &tokens[at] {
            TokenTree::Group(group) => {
                let mut new = Group::new(group.delimiter(), without_docs(group.stream()));
                new.set_span(group.span());
                TokenTree::Group(new)
            }
            other => other.clone(),
        });
        at += 1;
    }
    out.into_iter().collect()
}

fn is_doc(group: &Group) -> bool {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    match &tokens[..] {
        [
            TokenTree::Ident(name),
            TokenTree::Punct(_),
            TokenTree::Literal(_),
        ] => name == "doc",
        _ => false,
    }
}

/// Replaces `pub(crate)` by `pub`, which is equivalent in a program.
struct Shorten;

impl VisitMut for Shorten {
    fn visit_visibility_mut(&mut self, vis: &mut syn::Visibility) {
        if let syn::Visibility::Restricted(restricted) = vis
            && restricted.path.is_ident("crate")
        {
            *vis = syn::Visibility::Public(restricted.pub_token);
        }
    }

    fn visit_item_use_mut(&mut self, _: &mut syn::ItemUse) {
        // A `pub use` of a macro that is visible only in the crate is an error.
    }
}

/// The last printed token, as far as it restricts the next one.
#[derive(Clone, Copy, Default)]
enum Last {
    #[default]
    Other,
    Word,
    /// Whether it ends in a dot, such as `1.`.
    Literal(bool),
    /// Whether the next token could extend it.
    Punct(char, bool),
}

#[derive(Default)]
struct Printer {
    text: String,
    /// The start of the current line.
    line: usize,
    last: Last,
}

impl Printer {
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.group(&group),
                TokenTree::Ident(ident) => {
                    if matches!(self.last, Last::Word | Last::Literal(_)) {
                        self.text.push(' ');
                    }
                    self.text.push_str(&ident.to_string());
                    self.last = Last::Word;
                }
                TokenTree::Literal(literal) => {
                    // `x"..."` and `#"..."` would be different tokens.
                    if matches!(
                        self.last,
                        Last::Word | Last::Literal(_) | Last::Punct('#', _)
                    ) {
                        self.text.push(' ');
                    }
                    let text = literal.to_string();
                    self.text.push_str(&text);
                    self.last = Last::Literal(text.ends_with('.'));
                }
                TokenTree::Punct(punct) => {
                    let mark = punct.as_char();
                    let apart = match self.last {
                        Last::Word => mark == '\'' || mark == '#',
                        Last::Literal(dot) => dot && mark == '.',
                        Last::Punct(before, joint) => !joint && glue(before, mark),
                        Last::Other => false,
                    };
                    if apart {
                        self.text.push(' ');
                    }
                    self.text.push(mark);
                    self.last = Last::Punct(mark, punct.spacing() == Spacing::Joint);
                    if mark == ';' || mark == ',' {
                        self.wrap();
                    }
                }
            }
        }
    }

    fn group(&mut self, group: &Group) {
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => ("", ""),
        };
        self.text.push_str(open);
        if !open.is_empty() {
            self.last = Last::Other;
        }
        self.tokens(group.stream());
        self.text.push_str(close);
        if !close.is_empty() {
            self.last = Last::Other;
        }
        if close == "}" {
            self.wrap();
        }
    }

    fn wrap(&mut self) {
        if self.text.len() - self.line > WIDTH {
            self.text.push('\n');
            self.line = self.text.len();
        }
    }
}

/// Whether two punctuation characters would merge into one token or start a comment.
fn glue(first: char, second: char) -> bool {
    match second {
        '=' => "=!<>+-*/%^|&.".contains(first),
        '>' => "-=>".contains(first),
        ':' | '.' | '|' | '/' => first == second,
        '&' => first == '&',
        '<' => first == '<',
        '-' => first == '<',
        '*' => first == '/',
        '"' | '#' => first == '#',
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_run_together_stays_apart() {
        let source = "fn f<'a>(x: &'a (i32, (i32, i32)), v: Vec<Vec<u8>>) -> i32 {
            let c = || 1 .max(2) - -3;
            let y = x.1.0 & & 5; let z = 1. .min(0.5); if 'b' == 'c' { return 0 }
            let r#type = 0..=5; 'outer: loop { break 'outer; }
            x.0 << 1 | c() | y | z as i32 }";
        let source = source.replace("& & 5", "& *& 5");
        let file = syn::parse_file(&source).unwrap();
        let small = minify(&file);
        assert!(small.len() < source.len() * 4 / 5, "{small}");
        assert!(!small.contains("    "), "{small}");
        assert_eq!(
            solid(&small.parse().unwrap()),
            solid(&file.to_token_stream())
        );
    }
}
