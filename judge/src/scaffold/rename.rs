//! Replaces the name of the copied problem by the new problem's name.
//!
//! Only whole names in positions that refer to the problem are replaced: `sort` in `sort::solve()`
//! is the crate of a problem `sort`, in `v.sort()` it is a method of the standard library.

use judge_bundle::tokens::{Kind, Token, tokens};
use regex::{Captures, Regex};
use std::ops::Range;

/// One name and its replacement.
pub struct Rename {
    old: String,
    new: String,
    /// Whether paths such as `old::x` in Rust code refer to the crate of this name.
    is_library: bool,
    /// Matches the name in any spelling: `Luogu P1784` for `luogup1784`. Only for a name with a
    /// digit, which is not a word.
    spelled: Option<Regex>,
    /// Matches the name as a whole word.
    word: Regex,
    /// Matches a string literal that begins with the name.
    literal: Regex,
}

impl Rename {
    /// Replaces `old`, the id of a problem or the name of its package, by `new`.
    pub fn new(old: &str, new: &str, is_library: bool) -> Self {
        let regex = |pattern: String| Regex::new(&pattern).expect("a pattern of escaped letters");
        let letters: Vec<String> = old
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(String::from)
            .collect();
        let is_distinctive = old.contains(|c: char| c.is_ascii_digit());
        let escaped = regex::escape(old);
        Rename {
            old: old.to_owned(),
            new: new.to_owned(),
            is_library,
            spelled: is_distinctive.then(|| regex(format!(r"(?i){}", letters.join("[ _-]?")))),
            word: regex(format!(r"(^|[^.\w]){escaped}($|[^(\w])")),
            literal: regex(format!(
                r"(^|^CARGO_BIN_EXE_|problems/|testdata/){escaped}($|[:/-])"
            )),
        }
    }

    /// The library's name in Rust code.
    fn ident(&self) -> String {
        self.old.replace('-', "_")
    }

    /// Renames a file or binary target named after the problem: `old`, `old-slow`, `old.rs`.
    pub fn file_name(&self, name: &str) -> String {
        match name.strip_prefix(&self.old) {
            Some(rest) if rest.is_empty() || rest.starts_with(['-', '_', '.']) => {
                format!("{}{rest}", self.new)
            }
            _ => name.to_owned(),
        }
    }

    /// Replaces the name in prose, configuration and code of other languages: in any spelling if it
    /// is distinctive, otherwise only inside backticks.
    pub fn text(&self, text: &str) -> String {
        if let Some(spelled) = &self.spelled {
            let is_part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
            let name = |found: &Captures<'_>| {
                let found = found.get_match();
                let before = text[..found.start()].chars().next_back();
                let after = text[found.end()..].chars().next();
                let is_whole = !is_part(before) && !is_part(after);
                if is_whole { &self.new } else { found.as_str() }.to_owned()
            };
            return spelled.replace_all(text, name).into_owned();
        }
        let mut in_code = false;
        let parts = text.split('`').map(|part| {
            let renamed = match in_code && !part.contains('\n') {
                true => self.word.replace_all(part, |found: &Captures<'_>| {
                    format!("{}{}{}", &found[1], self.new, &found[2])
                }),
                false => part.into(),
            };
            in_code = !in_code;
            renamed.into_owned()
        });
        parts.collect::<Vec<_>>().join("`")
    }

    /// Replaces the name in a string literal of Rust code, given with its quotes.
    fn literal(&self, literal: &str) -> String {
        let Some(quote) = literal.find('"').filter(|_| self.spelled.is_none()) else {
            return self.text(literal);
        };
        let (prefix, content) = literal.split_at(quote + 1);
        let renamed = self.literal.replace_all(content, |found: &Captures<'_>| {
            format!("{}{}{}", &found[1], self.new, &found[2])
        });
        // The closing quote is not part of the name.
        let renamed = match content.strip_suffix('"') {
            Some(name) if name == self.old => format!("{}\"", self.new),
            Some(name) if name == format!("CARGO_BIN_EXE_{}", self.old) => {
                format!("CARGO_BIN_EXE_{}\"", self.new)
            }
            _ => renamed.into_owned(),
        };
        format!("{prefix}{renamed}")
    }

    /// Replaces the name in Rust code: as the first segment of a path to the library, at the start
    /// of string literals, and in comments as in other prose.
    pub fn rust(&self, text: &str) -> String {
        let Some(flat) = tokens(text) else {
            return self.text(text);
        };
        let ident = self.ident();
        let (mut out, mut done) = (String::new(), 0);
        for (index, token) in flat.iter().enumerate() {
            let Range { start, end } = token.range.clone();
            // All tokens of a documentation comment have the comment's range.
            if start < done || end > text.len() {
                continue;
            }
            out.push_str(&self.text(&text[done..start]));
            let own = &text[start..end];
            out.push_str(&match own {
                _ if own.starts_with('/') && token.kind != Kind::Other => self.text(own),
                _ if token.kind == Kind::Literal => self.literal(own),
                _ if own == ident && self.is_library && is_crate(text, &flat, index) => {
                    self.new.clone()
                }
                _ => own.to_owned(),
            });
            done = end;
        }
        out.push_str(&self.text(&text[done..]));
        out
    }
}

/// Whether the name at `index` refers to a crate: it starts a path, or follows `extern crate`, or
/// is alone after `use`.
fn is_crate(text: &str, flat: &[Token], index: usize) -> bool {
    let at = |index: Option<usize>| {
        let token = index.and_then(|index| flat.get(index));
        token.map_or("", |token| text.get(token.range.clone()).unwrap_or(""))
    };
    let before = at(index.checked_sub(1));
    let [next, second, third] = [1, 2, 3].map(|more| at(Some(index + more)));
    let begins_path = next == ":" && second == ":" && third != "<";
    let is_used = before == "crate" || before == "use" && [";", "as"].contains(&next);
    !flat[index].in_path && ![":", "."].contains(&before) && (begins_path || is_used)
}

#[cfg(test)]
mod tests {
    use super::Rename;

    #[test]
    fn only_names_of_the_problem_are_replaced() {
        let sort = Rename::new("sort", "newid", true);
        for (text, expected) in [
            (
                "use sort::solve;\nfn f(v: &mut [u8]) { v.sort(); sort::solve(v); sort::<u8>(v) }",
                "use newid::solve;\nfn f(v: &mut [u8]) { v.sort(); newid::solve(v); sort::<u8>(v) }",
            ),
            (
                "use crate::{radix, sort::quick};\nuse crate::sort::merge;",
                "use crate::{radix, sort::quick};\nuse crate::sort::merge;",
            ),
            (
                "extern crate sort;\nuse sort as s;",
                "extern crate newid;\nuse newid as s;",
            ),
            (
                "// sort the list, as `sort` and `v.sort()` do\nfn sort() {}",
                "// sort the list, as `newid` and `v.sort()` do\nfn sort() {}",
            ),
            (
                "/// What `sort` reads.\nconst S: &str = \"sort\"; // é\nconst T: &str = \"a sort\";",
                "/// What `newid` reads.\nconst S: &str = \"newid\"; // é\nconst T: &str = \"a sort\";",
            ),
            (
                "env!(\"CARGO_BIN_EXE_sort\"); eprintln!(\"sort: {e}\"); r\"sort-slow\"; \"sorted\"",
                "env!(\"CARGO_BIN_EXE_newid\"); eprintln!(\"newid: {e}\"); r\"newid-slow\"; \"sorted\"",
            ),
        ] {
            assert_eq!(sort.rust(text), expected);
        }
        let alone = Rename::new("sort", "newid", false);
        assert_eq!(alone.rust("sort::solve()"), "sort::solve()");
    }

    #[test]
    fn a_distinctive_name_is_replaced_in_any_spelling() {
        let rename = Rename::new("luogup1784", "new2", true);
        for (text, expected) in [
            ("//! Luogu P1784: fills", "//! new2: fills"),
            (
                "println!(\"luogup1784-x: {e}\")",
                "println!(\"new2-x: {e}\")",
            ),
            ("use luogup1784::read;", "use new2::read;"),
            (
                "env!(\"CARGO_BIN_EXE_luogup1784\")",
                "env!(\"CARGO_BIN_EXE_new2\")",
            ),
            ("// luogup17845 and P1784", "// luogup17845 and P1784"),
        ] {
            assert_eq!(rename.rust(text), expected);
        }
        assert_eq!(rename.file_name("luogup1784-slow.rs"), "new2-slow.rs");
        assert_eq!(rename.file_name("resorted.rs"), "resorted.rs");
        let hyphen = Rename::new("two-sum", "new2", true);
        assert_eq!(
            hyphen.rust("use two_sum::f; \"two-sum\""),
            "use new2::f; \"new2\""
        );
        assert_eq!(hyphen.file_name("two-sums.rs"), "two-sums.rs");
    }
}
