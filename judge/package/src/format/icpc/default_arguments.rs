//! Checks the arguments of the default validator where they are given.

use crate::error::PackageError;
use crate::input::tree::Tree;
use crate::input::yaml::{Node, Value, advice};
use crate::model::DEFAULT_VALIDATOR_ARGUMENTS;

/// Keeps the first mistake in `args`, which `node` gives, in `tree`, and tolerances that contradict each
/// other.
pub fn check(tree: &mut Tree, node: &Node, args: &[String]) {
    tree.contradictions.extend(contradiction(node, args));
    if tree.unknown_argument.is_none() {
        tree.unknown_argument = mistake(node, args);
    }
}

/// The node of the argument with this index.
fn place(node: &Node, index: usize) -> &Node {
    match &node.value {
        Value::List(items) => items.get(index).unwrap_or(node),
        _ => node,
    }
}

/// The error about the first tolerance that replaces another one.
fn contradiction(node: &Node, args: &[String]) -> Option<PackageError> {
    let is_tolerance = |(_, name): &(usize, &String)| name.starts_with("float_");
    let given: Vec<(usize, &String)> = args.iter().enumerate().filter(is_tolerance).collect();
    let both = "float_tolerance";
    let replaces = |(position, (_, name)): &(usize, &(usize, &String))| {
        let before = &given[..*position];
        before
            .iter()
            .any(|(_, other)| other == name || *other == both || *name == both)
    };
    let (_, (index, name)) = given.iter().enumerate().find(replaces)?;
    let what = format!(
        "`{name}` contradicts the tolerance before it: `{}`",
        args.join(" ")
    );
    let error = place(node, *index).error(what);
    Some(error.remedy("give one `float_tolerance`, or an absolute and a relative one"))
}

fn mistake(node: &Node, args: &[String]) -> Option<PackageError> {
    let place = |index: usize| place(node, index);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::yaml;
    use std::path::Path;

    #[test]
    fn a_contradiction_has_its_position() {
        for (list, position) in [
            (
                "[float_tolerance, 1e-6, float_absolute_tolerance, 1e-9]",
                Some((1, 25)),
            ),
            (
                "[float_relative_tolerance, 1, float_relative_tolerance, 2]",
                Some((1, 31)),
            ),
            (
                "[float_relative_tolerance, 1, float_absolute_tolerance, 2]",
                None,
            ),
            ("float_tolerance 1 float_tolerance 2", Some((1, 1))),
        ] {
            let node = yaml::parse(Path::new("test_group.yaml"), list).unwrap();
            let args = node.texts().or_else(|_| node.arguments()).unwrap();
            let found = contradiction(&node, &args).map(|error| error.position.unwrap());
            assert_eq!(found, position, "{list}");
        }
    }
}
