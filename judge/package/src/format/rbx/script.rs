//! Scripts of tests: calls of generators, `@copy`, `@input`, and `@testgroup` around them.

use crate::error::PackageError;
use crate::input::text;
use std::path::Path;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ScriptTest {
    pub(super) source: Source,
    /// The group that `@testgroup` names, with those around it: `main/small`.
    pub(super) group: Option<String>,
    /// Line and column.
    pub(super) position: (usize, usize),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Call(String),
    /// A file.
    Copy(String),
    /// The input itself.
    Text(String),
}

impl ScriptTest {
    /// Whether the test belongs to the group, or to all.
    pub(super) fn is_of(&self, group: &str) -> bool {
        self.group.as_deref().is_none_or(|own| {
            group
                .strip_prefix(own)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }
}

/// Reads a script.
///
/// # Errors
///
/// The first line that is none of the format.
pub(super) fn parse(path: &Path, script: &str) -> Result<Vec<ScriptTest>, PackageError> {
    let mut scanner = Scanner {
        path,
        script,
        at: 0,
    };
    let mut groups: Vec<String> = Vec::new();
    let mut tests = Vec::new();
    loop {
        scanner.skip_blanks();
        let rest = scanner.rest();
        if rest.is_empty() {
            break;
        }
        let position = scanner.position();
        let mut add = |source: Source| {
            tests.push(ScriptTest {
                source,
                group: (!groups.is_empty()).then(|| groups.join("/")),
                position,
            });
        };
        if rest.starts_with('#') || rest.starts_with("//") {
            scanner.line();
        } else if scanner.take("@copy") {
            add(Source::Copy(scanner.line().trim().to_owned()));
        } else if scanner.take("@input") {
            add(Source::Text(scanner.input()?));
        } else if scanner.take("@testgroup") {
            groups.push(scanner.group()?);
        } else if scanner.take("}") {
            if groups.pop().is_none() {
                return Err(
                    PackageError::new(path, "this brace closes nothing").at(position.0, position.1)
                );
            }
        } else {
            add(Source::Call(scanner.line().trim().to_owned()));
        }
    }
    match groups.pop() {
        Some(group) => Err(PackageError::new(
            path,
            format!("`@testgroup {group}` has no closing brace"),
        )),
        None => Ok(tests),
    }
}

/// The position in a script.
struct Scanner<'s> {
    path: &'s Path,
    script: &'s str,
    at: usize,
}

impl<'s> Scanner<'s> {
    fn rest(&self) -> &'s str {
        &self.script[self.at..]
    }

    fn position(&self) -> (usize, usize) {
        text::position(&self.script.as_bytes()[..self.at])
    }

    fn error(&self, what: &str) -> PackageError {
        let (line, column) = self.position();
        PackageError::new(self.path, what).at(line, column)
    }

    fn skip_blanks(&mut self) {
        self.at = self.script.len() - self.rest().trim_start().len();
    }

    fn take(&mut self, word: &str) -> bool {
        let has = self.rest().starts_with(word);
        self.at += if has { word.len() } else { 0 };
        has
    }

    /// The rest of the line.
    fn line(&mut self) -> &'s str {
        let line = self.rest().split('\n').next().unwrap_or_default();
        self.at += line.len();
        line
    }

    /// The text before `end`, which is skipped.
    fn before(&mut self, end: &str) -> Result<&'s str, PackageError> {
        let rest = self.rest();
        let length = rest
            .find(end)
            .ok_or_else(|| self.error(&format!("`{end}` is missing")))?;
        self.at += length + end.len();
        Ok(&rest[..length])
    }

    /// The name of a group and its brace.
    fn group(&mut self) -> Result<String, PackageError> {
        let name = self.before("{")?.trim();
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-_/".contains(c);
        match !name.is_empty() && name.chars().all(is_allowed) {
            true => Ok(name.to_owned()),
            false => Err(self.error("`@testgroup` needs the name of a group and a brace")),
        }
    }

    /// The text of `@input`: in quotes, in three quotes, or in braces.
    fn input(&mut self) -> Result<String, PackageError> {
        self.skip_blanks();
        if self.take("\"\"\"") {
            return Ok(trimmed(self.before("\"\"\"")?, str::to_owned));
        }
        if self.take("{") {
            return Ok(trimmed(self.before("}")?, |line| line.trim().to_owned()));
        }
        match self.rest().chars().next() {
            Some(quote @ ('"' | '\'')) => {
                self.at += 1;
                self.quoted(quote)
            }
            _ => Err(self.error("`@input` needs a text in quotes or in braces")),
        }
    }

    /// A text with escapes up to `quote`.
    fn quoted(&mut self, quote: char) -> Result<String, PackageError> {
        let mut text = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.at += at + 1;
                    return Ok(text);
                }
                '\\' => match chars.next().map(|(_, next)| next) {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some('0') => text.push('\0'),
                    Some(next @ ('\\' | '"' | '\'')) => text.push(next),
                    _ => {
                        return Err(self
                            .error("this escape is not read")
                            .remedy("use `@input { ... }`"));
                    }
                },
                c => text.push(c),
            }
        }
        Err(self.error("the quote is not closed"))
    }
}

/// Converts each line by `of_line`, removes empty lines at both ends, and ends the last line with a newline.
fn trimmed(text: &str, of_line: fn(&str) -> String) -> String {
    let lines: Vec<String> = text.lines().map(of_line).collect();
    match lines.join("\n").trim() {
        "" => String::new(),
        text => format!("{text}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_have_calls_copies_and_texts_in_groups() {
        let script = "# none\n// none\ngen 1 \"a b\"\n@copy tests/1.in\n@input \"1 2\\n\"\n@testgroup main {\n  \
                      @testgroup small { \n gen 2\n}\n@input {\n 3\n  4 \n}\n}\n@input \"\"\"\n5\n\"\"\"\n";
        let found = parse(Path::new("plan.txt"), script).unwrap();
        let found: Vec<(Source, Option<&str>)> = found
            .iter()
            .map(|test| (test.source.clone(), test.group.as_deref()))
            .collect();
        assert_eq!(
            found,
            [
                (Source::Call("gen 1 \"a b\"".to_owned()), None),
                (Source::Copy("tests/1.in".to_owned()), None),
                (Source::Text("1 2\n".to_owned()), None),
                (Source::Call("gen 2".to_owned()), Some("main/small")),
                (Source::Text("3\n4\n".to_owned()), Some("main")),
                (Source::Text("5\n".to_owned()), None),
            ]
        );
    }

    #[test]
    fn a_group_has_its_tests_and_those_of_all() {
        let test = |group: Option<&str>| ScriptTest {
            source: Source::Text(String::new()),
            group: group.map(str::to_owned),
            position: (1, 1),
        };
        assert!(test(None).is_of("main/a") && test(Some("main")).is_of("main/a"));
        assert!(test(Some("main/a")).is_of("main/a") && !test(Some("main/a")).is_of("main"));
        assert!(!test(Some("main")).is_of("mainly"));
    }

    #[test]
    fn errors_have_positions() {
        for (script, message) in [
            (
                "gen 1\n@input 5\n",
                "plan.txt:2:8: `@input` needs a text in quotes or in braces",
            ),
            ("@input \"5\n", "plan.txt:1:9: the quote is not closed"),
            ("}\n", "plan.txt:1:1: this brace closes nothing"),
            (
                "@testgroup a {\n",
                "plan.txt: `@testgroup a` has no closing brace",
            ),
        ] {
            let error = parse(Path::new("plan.txt"), script).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}
