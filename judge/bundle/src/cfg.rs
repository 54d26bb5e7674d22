//! Evaluates `cfg` for the judges' platform, outside tests, with the enabled features.

use super::rustc;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// A flag set only in bundles, for code that must be small there.
const BUNDLE: &str = "judge_bundle";

/// The known part of the configuration.
#[derive(Clone, Debug)]
pub struct Cfg<'a> {
    features: &'a BTreeSet<String>,
}

impl<'a> Cfg<'a> {
    /// The configuration with these features enabled.
    pub fn new(features: &'a BTreeSet<String>) -> Self {
        Cfg { features }
    }

    /// Evaluates a predicate given as text; `None` if only the judge's compiler can.
    pub fn text(&self, predicate: &str) -> Option<bool> {
        self.predicate(predicate.parse().ok()?)
    }

    /// Evaluates a predicate; `None` if only the judge's compiler can.
    pub fn predicate(&self, predicate: TokenStream) -> Option<bool> {
        let tokens: Vec<TokenTree> = predicate.into_iter().collect();
        match &tokens[..] {
            [TokenTree::Ident(name)] => self.flag(&name.to_string()),
            [
                TokenTree::Ident(name),
                TokenTree::Punct(_),
                TokenTree::Literal(value),
            ] => {
                let value: syn::LitStr = syn::parse_str(&value.to_string()).ok()?;
                Some(self.pair(&name.to_string(), &value.value()))
            }
            [TokenTree::Ident(name), TokenTree::Group(group)]
                if group.delimiter() == Delimiter::Parenthesis =>
            {
                let mut parts = split(group.stream()).into_iter().map(|p| self.predicate(p));
                match name.to_string().as_str() {
                    "not" => parts.next().flatten().map(|value| !value),
                    // One deciding part is enough; otherwise an unknown part makes the result
                    // unknown.
                    "all" => decide(parts, false),
                    "any" => decide(parts, true),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn flag(&self, name: &str) -> Option<bool> {
        match name {
            // These depend on the judge's compiler flags.
            "overflow_checks" | "panic" => None,
            "true" | BUNDLE => Some(true),
            // Judges compile with optimisation.
            "false" | "debug_assertions" => Some(false),
            _ => Some(platform().contains(name)),
        }
    }

    fn pair(&self, name: &str, value: &str) -> bool {
        if name == "feature" {
            return self.features.contains(value);
        }
        platform().contains(&format!("{name}=\"{value}\""))
    }
}

/// `deciding` if a part has that value, the opposite if all parts have the opposite, else unknown.
fn decide(parts: impl Iterator<Item = Option<bool>>, deciding: bool) -> Option<bool> {
    let parts: Vec<Option<bool>> = parts.collect();
    if parts.contains(&Some(deciding)) {
        Some(deciding)
    } else if parts.contains(&None) {
        None
    } else {
        Some(!deciding)
    }
}

/// Splits at the commas.
pub fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => parts.push(TokenStream::new()),
            _ => parts.last_mut().expect("never empty").extend([token]),
        }
    }
    if parts.last().is_some_and(TokenStream::is_empty) {
        parts.pop();
    }
    parts
}

/// The configuration that the compiler sets for the judges' platform.
fn platform() -> &'static BTreeSet<String> {
    static PLATFORM: OnceLock<BTreeSet<String>> = OnceLock::new();
    PLATFORM.get_or_init(rustc::platform_cfg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_are_decided_as_far_as_they_are_known() {
        let features = BTreeSet::from(["fast".to_owned()]);
        let cfg = Cfg::new(&features);
        for (predicate, expected) in [
            ("test", Some(false)),
            ("not(test)", Some(true)),
            ("feature = \"fast\"", Some(true)),
            ("feature = \"slow\"", Some(false)),
            ("all(unix, target_pointer_width = \"64\")", Some(true)),
            ("all(windows, debug_assertions)", Some(false)),
            ("any(windows, overflow_checks)", None),
            ("not(overflow_checks)", None),
            ("not(debug_assertions)", Some(true)),
            ("any()", Some(false)),
            ("all()", Some(true)),
            ("true", Some(true)),
            ("not(judge_bundle)", Some(false)),
            ("some_custom_flag", Some(false)),
        ] {
            assert_eq!(cfg.text(predicate), expected, "{predicate}");
        }
    }
}
