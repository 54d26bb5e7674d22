//! The bounds of variables that statements give: `$1 \leq n, m \leq 10^5$`.

use judge_package::text::read;
use judge_package::{StatementKind, statements};
use std::path::{Path, PathBuf};

/// Bytes above which a statement is not read: an archive of a few MiB may hold one of many GiB.
const MAX_BYTES: u64 = 1 << 20;

#[derive(Clone, PartialEq, Debug)]
pub struct StatementBound {
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    pub text: String,
    pub name: String,
    /// Its smallest value, if that is a number.
    pub low: Option<f64>,
    /// Its largest value.
    pub high: Option<f64>,
}

pub fn of_package(root: &Path) -> Vec<StatementBound> {
    let mut found = Vec::new();
    for statement in statements(root) {
        if matches!(statement.kind, StatementKind::Markdown | StatementKind::Tex)
            && let Ok(text) = read(&statement.path, MAX_BYTES)
        {
            found.extend(parse(&statement.path, &text));
        }
    }
    found
}

pub fn parse(path: &Path, text: &str) -> Vec<StatementBound> {
    let mut found = Vec::new();
    for (line, text) in text.lines().enumerate() {
        for formula in text.split('$').skip(1).step_by(2) {
            let plain = formula
                .replace("\\leqslant", "≤")
                .replace("\\leq", "≤")
                .replace("\\le ", "≤ ")
                .replace("<=", "≤");
            let [low, names, high] = plain.split('≤').collect::<Vec<_>>()[..] else {
                continue;
            };
            let (low, high) = (number(low), number(high));
            if low.is_none() && high.is_none() {
                continue;
            }
            for name in names.split(',') {
                found.push(StatementBound {
                    path: path.to_owned(),
                    line: line + 1,
                    text: formula.trim().to_owned(),
                    name: name_of(name),
                    low,
                    high,
                });
            }
        }
    }
    found
}

/// The name as validators have it: `a` of `a_i`.
fn name_of(name: &str) -> String {
    let name = name.trim();
    let end = name.find(['_', '{', '[']).unwrap_or(name.len());
    name[..end].trim_start_matches('\\').to_owned()
}

/// The value of a number in TeX: `10^5`, `2 \cdot 10^{5}`, `100\,000`, `-1e9`.
pub fn number(text: &str) -> Option<f64> {
    let plain: String = text
        .replace("\\cdot", "*")
        .replace("\\times", "*")
        .replace("\\,", "")
        .replace("{,}", "")
        .replace(['{', '}', ' ', '~', '_'], "");
    let mut product = 1.0;
    for factor in plain.split('*') {
        let (sign, factor) = match factor.strip_prefix('-') {
            Some(rest) => (-1.0, rest),
            None => (1.0, factor),
        };
        product *= sign
            * match factor.split_once('^') {
                Some((base, exponent)) => {
                    let base: f64 = base.parse().ok()?;
                    base.powi(exponent.parse().ok()?)
                }
                None => factor.parse().ok()?,
            };
    }
    Some(product)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_tex_writes_them() {
        for (text, value) in [
            ("10^5", Some(1e5)),
            (" 2 \\cdot 10^{5} ", Some(2e5)),
            ("100\\,000", Some(1e5)),
            ("100{,}000", Some(1e5)),
            ("-10^9", Some(-1e9)),
            ("1e6", Some(1e6)),
            ("n", None),
            ("", None),
        ] {
            assert_eq!(number(text), value, "{text}");
        }
    }

    #[test]
    fn each_variable_of_a_formula_has_its_bounds() {
        let text =
            "Numbers $n, m$ ($1 \\le n, m \\leq 10^5$)\nand $-5 \\leq a_i \\leq n$, $x < 3$.";
        let found = parse(Path::new("s.tex"), text);
        let facts: Vec<_> = found
            .iter()
            .map(|bound| (bound.line, bound.name.as_str(), bound.low, bound.high))
            .collect();
        assert_eq!(
            facts,
            [
                (1, "n", Some(1.0), Some(1e5)),
                (1, "m", Some(1.0), Some(1e5)),
                (2, "a", Some(-5.0), None),
            ]
        );
    }
}
