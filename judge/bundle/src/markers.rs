//! Placeholders for code that cannot be inlined: an error only if they survive pruning.
//!
//! A dead function may refer to a crate from the registry. The reference becomes a placeholder
//! identifier; one that remains after pruning is reported with the position of the original.

use super::error::BundleError;
use super::names::for_each_token;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};

/// The errors behind the placeholders, by index.
#[derive(Default, Debug)]
pub struct Markers {
    errors: Vec<BundleError>,
}

const PREFIX: &str = "__cannot_be_bundled_";

impl Markers {
    /// Creates a placeholder for this error.
    pub fn mark(&mut self, error: BundleError) -> Ident {
        self.errors.push(error);
        let name = format!("{PREFIX}{}", self.errors.len() - 1);
        Ident::new(&name, Span::call_site())
    }

    /// The error of the first placeholder in these tokens.
    pub fn first_in(&self, tokens: TokenStream) -> Option<BundleError> {
        let mut first: Option<usize> = None;
        for_each_token(tokens, &mut |token| {
            if let TokenTree::Ident(ident) = token {
                let name = ident.to_string();
                let index = name
                    .strip_prefix(PREFIX)
                    .and_then(|number| number.parse().ok());
                first = first.into_iter().chain(index).min();
            }
        });
        self.errors.get(first?).cloned()
    }
}
