//! `#[macro_export(local_inner_macros)]`: the macros that a macro calls are those of its own crate.

use proc_macro2::{Group, Ident, Punct, Spacing, TokenStream, TokenTree};

/// The rules of a macro, in which every call of a macro in a transcriber begins with `$crate::`.
pub fn with_own_calls(rules: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in rules {
        let is_transcriber = matches!(&out[..], [.., TokenTree::Punct(one), TokenTree::Punct(other)]
            if one.as_char() == '=' && other.as_char() == '>');
        out.push(match token {
            TokenTree::Group(group) if is_transcriber => TokenTree::Group(calls_in(&group)),
            token => token,
        });
    }
    out.into_iter().collect()
}

fn calls_in(group: &Group) -> Group {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let mut out: Vec<TokenTree> = Vec::new();
    for (k, token) in tokens.iter().enumerate() {
        let is_called = matches!(&tokens[k + 1..], [TokenTree::Punct(bang), TokenTree::Group(_), ..]
            if bang.as_char() == '!');
        match token {
            TokenTree::Ident(name) if is_called && begins_path(&out) => {
                let punct = |c, spacing| TokenTree::Punct(Punct::new(c, spacing));
                out.push(punct('$', Spacing::Alone));
                out.push(TokenTree::Ident(Ident::new("crate", name.span())));
                out.push(punct(':', Spacing::Joint));
                out.push(punct(':', Spacing::Alone));
                out.push(token.clone());
            }
            TokenTree::Group(inner) => out.push(TokenTree::Group(calls_in(inner))),
            _ => out.push(token.clone()),
        }
    }
    let mut new = Group::new(group.delimiter(), out.into_iter().collect());
    new.set_span(group.span());
    new
}

/// Whether a name after these tokens is the first of its path, and no variable of the macro.
fn begins_path(before: &[TokenTree]) -> bool {
    !matches!(before.last(), Some(TokenTree::Punct(punct)) if ":$".contains(punct.as_char()))
}
