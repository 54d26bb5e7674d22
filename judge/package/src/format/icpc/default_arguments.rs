//! Checks the arguments of the default validator where they are given.

use crate::error::PackageError;
use crate::input::tree::Tree;
use crate::input::yaml::{Node, Value, advice};
use crate::model::DEFAULT_VALIDATOR_ARGUMENTS;

/// Keeps the first mistake in `args`, which `node` gives, in `tree`.
pub fn check(tree: &mut Tree, node: &Node, args: &[String]) {
    if tree.unknown_argument.is_none() {
        tree.unknown_argument = mistake(node, args);
    }
}

fn mistake(node: &Node, args: &[String]) -> Option<PackageError> {
    let place = |index: usize| match &node.value {
        Value::List(items) => items.get(index).unwrap_or(node),
        _ => node,
    };
    let mut given = args.iter().enumerate();
    while let Some((index, name)) = given.next() {
        if !DEFAULT_VALIDATOR_ARGUMENTS.contains(&name.as_str()) {
            let what = format!("`{name}` is not an argument of the default validator");
            let remedy = advice(name, &DEFAULT_VALIDATOR_ARGUMENTS);
            return Some(place(index).error(what).remedy(remedy));
        }
        if !name.starts_with("float_") {
            continue;
        }
        let (at, what) = match given.next() {
            Some((_, value)) if is_number(value) => continue,
            Some((at, value)) => (at, format!("`{name}` needs a number, found `{value}`")),
            None => (index, format!("`{name}` lacks its number")),
        };
        let remedy = match node.value {
            Value::List(_) => format!("write `[{name}, 1e-6]`"),
            _ => format!("write `{name} 1e-6`"),
        };
        return Some(place(at).error(what).remedy(remedy));
    }
    None
}

/// Whether the text is a finite number, as the validator reads it: decimal, or hexadecimal as in C.
fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
    digits.starts_with("0x") || text.parse().is_ok_and(f64::is_finite)
}
