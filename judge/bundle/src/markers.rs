//! Marks in place of what cannot be inlined: an error only when something needs it.
//!
//! A dead function may well name a crate from the registry. So the place is marked, and after
//! pruning a mark that is left is an error that names the place.

use super::error::BundleError;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};

/// The marks of a bundle, in order.
#[derive(Default, Debug)]
pub struct Markers {
    errors: Vec<BundleError>,
}

const PREFIX: &str = "__cannot_be_bundled_";

impl Markers {
    /// A name that stands for this error.
    pub fn mark(&mut self, error: BundleError) -> Ident {
        self.errors.push(error);
        let name = format!("{PREFIX}{}", self.errors.len() - 1);
        Ident::new(&name, Span::call_site())
    }

    /// The error of the first mark in these tokens.
    pub fn first_in(&self, tokens: TokenStream) -> Option<BundleError> {
        let mut first = None;
        find(tokens, &mut first);
        self.errors.get(first?).cloned()
    }
}

fn find(tokens: TokenStream, first: &mut Option<usize>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => find(group.stream(), first),
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                if let Some(index) = name.strip_prefix(PREFIX).and_then(|n| n.parse().ok()) {
                    *first = Some(first.map_or(index, |first: usize| first.min(index)));
                }
            }
            _ => {}
        }
    }
}
