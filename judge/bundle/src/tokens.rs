//! The tokens of a Rust source file with their positions, for edits that keep its formatting and comments.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::ops::Range;

/// Kinds of tokens, as far as a rename distinguishes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Literal,
    /// An identifier, or the first token of a documentation comment.
    Name,
    Other,
}

/// One token; the delimiters of groups are not included.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its bytes in the source.
    pub range: Range<usize>,
    pub kind: Kind,
    /// Whether it is inside the braces of `path::{...}`, where names are relative to the path.
    pub in_path: bool,
}

/// The tokens of `text` in order; `None` if it is not lexically valid Rust.
///
/// All tokens of a documentation comment have the comment's range.
pub fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut flat = Vec::new();
    flatten(text.parse().ok()?, false, &mut flat);
    Some(flat)
}

fn flatten(tokens: TokenStream, in_path: bool, flat: &mut Vec<Token>) {
    let mut colons = 0;
    for token in tokens {
        let range = token.span().byte_range();
        let kind = match &token {
            TokenTree::Group(group) => {
                let in_path = in_path || colons == 2 && group.delimiter() == Delimiter::Brace;
                flatten(group.stream(), in_path, flat);
                colons = 0;
                continue;
            }
            TokenTree::Literal(_) => Kind::Literal,
            TokenTree::Ident(_) => Kind::Name,
            TokenTree::Punct(punct) if punct.as_char() == '#' => Kind::Name,
            TokenTree::Punct(_) => Kind::Other,
        };
        let is_colon = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':');
        colons = if is_colon { colons + 1 } else { 0 };
        flat.push(Token {
            range,
            kind,
            in_path,
        });
    }
}
