//! The table of languages, read from `languages.toml`, and its look-up by codes.

use super::config::{Language, standard_number};
use crate::error::Reason;
use etcetera::base_strategy::{BaseStrategy, Xdg};
use judge_package::PackageError;
use judge_package::text::position;
use judge_package::yaml;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

const BUILT_IN: &str = include_str!("languages.toml");

/// All languages, by their codes.
#[derive(Clone, Debug)]
pub struct Languages {
    by_code: BTreeMap<String, Language>,
}

#[derive(Clone, Copy)]
struct File<'f> {
    path: &'f Path,
    text: &'f str,
}

/// The merged keys of a language.
struct Definition<'f> {
    /// The last file that defines it, which all errors are about: the built-in file is tested.
    file: File<'f>,
    /// The offset of its code in that file.
    start: usize,
    table: DeTable<'f>,
}

impl File<'_> {
    fn error(&self, offset: usize, what: impl Into<String>) -> PackageError {
        let (line, column) = position(&self.text.as_bytes()[..offset]);
        PackageError::new(self.path, what).at(line, column)
    }

    /// The error for a language, with its code at `start`, whose keys or values have wrong names or
    /// types.
    fn malformed(
        &self,
        start: usize,
        code: &str,
        codes: &[String],
        e: &toml::de::Error,
    ) -> PackageError {
        let message = e.message();
        let start = e.span().map_or(start, |span| span.start);
        // "unknown field `a`, expected one of `b`, `c`", "missing field `name`"
        let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
        let near = if message.starts_with("unknown") {
            names
                .split_first()
                .and_then(|(found, known)| yaml::nearest(found, known))
        } else if message.starts_with("missing field") {
            let others = codes.iter().map(String::as_str);
            let others: Vec<&str> = others.filter(|other| *other != code).collect();
            yaml::nearest(code, &others)
        } else {
            None
        };
        PackageError {
            remedy: near.map(|near| format!("did you mean `{near}`?")),
            ..self.error(start, format!("language `{code}`: {message}"))
        }
    }
}

impl Languages {
    /// The built-in languages.
    pub fn built_in() -> Self {
        Self::merge(&[(Path::new("languages.toml (built in)"), BUILT_IN)])
            .expect("the built-in languages are tested")
    }

    /// The built-in languages, overridden by a user's file: `given`, else `judge/languages.toml` in
    /// the user's configuration directory, if that exists.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is invalid.
    pub fn load(given: Option<&Path>) -> Result<Self, PackageError> {
        let path = match given {
            Some(path) => path.to_path_buf(),
            None => match Xdg::new().map(|xdg| xdg.config_dir().join("judge/languages.toml")) {
                Ok(path) if path.exists() => path,
                _ => return Ok(Self::built_in()),
            },
        };
        let text = std::fs::read_to_string(&path)
            .map_err(|e| PackageError::new(&path, format!("failed to read: {e}")))?;
        Self::merge(&[
            (Path::new("languages.toml (built in)"), BUILT_IN),
            (&path, &text),
        ])
    }

    /// Merges files; later ones override earlier ones, language by language and key by key.
    fn merge(files: &[(&Path, &str)]) -> Result<Self, PackageError> {
        let mut tables: BTreeMap<String, Definition<'_>> = BTreeMap::new();
        for &(path, text) in files {
            let file = File { path, text };
            let languages = DeTable::parse(text)
                .map_err(|e| file.error(e.span().map_or(0, |span| span.start), e.message()))?;
            for (code, value) in languages.into_inner() {
                let start = code.span().start;
                let code = code.into_inner().into_owned();
                let DeValue::Table(table) = value.into_inner() else {
                    return Err(file.error(start, format!("`{code}` must be a table: [{code}]")));
                };
                let definition = tables.entry(code).or_insert_with(|| Definition {
                    file,
                    start,
                    table: DeTable::new(),
                });
                (definition.file, definition.start) = (file, start);
                for (key, value) in table {
                    // The map would keep the earlier key, whose position is in the earlier file.
                    definition.table.remove(&key);
                    definition.table.insert(key, value);
                }
            }
        }
        let codes: Vec<String> = tables.keys().cloned().collect();
        let mut by_code = BTreeMap::new();
        for (code, definition) in tables {
            let (file, start) = (definition.file, definition.start);
            let whole = Spanned::new(start..start, definition.table);
            let language = Language::deserialize(toml::Deserializer::from(whole))
                .map_err(|e| file.malformed(start, &code, &codes, &e))?;
            language.check(&code).map_err(|wrong| {
                let within = wrong.text.and_then(|text| file.text[start..].find(&text));
                let what = format!("language `{code}`{}", wrong.what);
                file.error(start + within.unwrap_or(0), what)
            })?;
            by_code.insert(code, language);
        }
        Ok(Languages { by_code })
    }

    /// The language with this code or alias. A number after the code selects a standard, as does
    /// the standard's own name: `cpp14` and `gnu++14`.
    pub fn get(&self, code: &str) -> Option<(&str, &Language)> {
        let by_number = || {
            let number = self.number(code)?;
            self.named(&code[..code.len() - number.len()])
        };
        self.named(code).or_else(by_number).or_else(|| {
            let has = |(_, language): &(&str, &Language)| language.has_standard(code);
            self.iter().find(has)
        })
    }

    /// The number of the standard that a code selects: `14` for `cpp14` and `gnu++14`.
    pub fn number<'c>(&self, code: &'c str) -> Option<&'c str> {
        let name = code.trim_end_matches(|c: char| c.is_ascii_digit());
        let numbered = name != code && self.named(code).is_none();
        let has_some = match self.named(name) {
            Some((_, language)) => language.standards().next().is_some(),
            None => self.iter().any(|(_, language)| language.has_standard(code)),
        };
        (numbered && has_some).then(|| &code[name.len()..])
    }

    /// Validates a code given by the user.
    ///
    /// # Errors
    ///
    /// If there is no such language or standard: a message that suggests the nearest known name.
    pub fn check(&self, code: &str) -> Result<(), Reason> {
        let Some((known, language)) = self.get(code) else {
            let mut names: Vec<&str> = Vec::new();
            for (code, language) in self.iter() {
                names.push(code);
                names.extend(language.aliases.iter().map(String::as_str));
            }
            let help = match yaml::nearest(code, &names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    let codes: Vec<&str> = self.iter().map(|(code, _)| code).collect();
                    format!("known: {}", codes.join(", "))
                }
            };
            return Err(Reason::new(format!(
                "language {code:?} is not known; {help}"
            )));
        };
        let Some(number) = self.number(code) else {
            return Ok(());
        };
        let mut known_numbers: Vec<&str> = Vec::new();
        for standard in language.standards() {
            let number = standard_number(standard);
            if !known_numbers.contains(&number) {
                known_numbers.push(number);
            }
        }
        if known_numbers.contains(&number) {
            return Ok(());
        }
        let codes = known_numbers
            .iter()
            .map(|number| format!("{known}{number}"));
        let codes: Vec<String> = codes.collect();
        Err(Reason::new(format!(
            "{} has no standard {number}; known: {}",
            language.name,
            codes.join(", ")
        )))
    }

    /// The language with this code, alias or name, in any case.
    fn named(&self, code: &str) -> Option<(&str, &Language)> {
        let code = code.to_ascii_lowercase();
        if let Some((code, language)) = self.by_code.get_key_value(&code) {
            return Some((code, language));
        }
        self.iter().find(|(_, language)| {
            language.aliases.contains(&code) || language.name.to_ascii_lowercase() == code
        })
    }

    /// All languages with their codes.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Language)> {
        self.by_code
            .iter()
            .map(|(code, language)| (code.as_str(), language))
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::PLACEHOLDERS;
    use super::*;

    #[test]
    fn the_built_in_languages_are_valid() {
        let languages = Languages::built_in();
        for code in [
            "c",
            "cpp",
            "rust",
            "python3",
            "java",
            "kotlin",
            "go",
            "javascript",
            "typescript",
            "haskell",
            "csharp",
            "pascal",
            "ocaml",
            "ruby",
            "lua",
            "julia",
            "zig",
            "bash",
            "perl",
        ] {
            assert!(languages.get(code).is_some(), "{code}");
        }
        for code in ["C++", "cpp", "CPP14", "c++20"] {
            let found = languages.get(code).map(|(code, _)| code);
            assert_eq!(found, Some("cpp"), "{code}");
        }
        assert_eq!(languages.number("c++20"), Some("20"));
        for code in ["cpp", "python3", "python2", "java8", "14", ""] {
            assert_eq!(languages.number(code), None, "{code}");
        }
        assert!(languages.get("java8").is_none());
        let mut priorities: Vec<u32> = languages.iter().map(|(_, l)| l.priority).collect();
        priorities.sort_unstable();
        priorities.dedup();
        assert_eq!(
            priorities.len(),
            languages.iter().count(),
            "priorities must differ"
        );
        for (code, language) in languages.iter() {
            for profile in &language.with {
                for command in profile.commands() {
                    let rest = PLACEHOLDERS
                        .iter()
                        .fold(command.clone(), |text, name| text.replace(name, ""));
                    assert!(!rest.contains(['{', '}']), "{code}: {command}");
                }
            }
        }
    }

    #[test]
    fn a_standard_is_selected_by_number_or_by_name() {
        let languages = Languages::built_in();
        for (code, language, number) in [
            ("cpp20", "cpp", "20"),
            ("C++20", "cpp", "20"),
            ("gnu++20", "cpp", "20"),
            ("gnu17", "c", "17"),
        ] {
            assert_eq!(languages.get(code).map(|(code, _)| code), Some(language));
            assert_eq!(languages.number(code), Some(number));
            assert_eq!(languages.check(code), Ok(()));
        }
        assert_eq!(languages.number("python3"), None);
        assert_eq!(languages.check("python3"), Ok(()));
    }

    #[test]
    fn an_unknown_code_is_rejected_with_a_suggestion() {
        let languages = Languages::built_in();
        for (code, help) in [
            ("klingon", "known: "),
            ("pyhton3", "did you mean `python3`?"),
            ("cpp15", "cpp14"),
            ("gnu++15", "is not known"),
        ] {
            let refused = languages.check(code).unwrap_err().to_string();
            assert!(refused.contains(help), "{code}: {refused}");
        }
    }

    #[test]
    fn a_users_file_overrides_key_by_key() {
        let user = "[cpp]\nname = \"GNU C++\"\n[[cpp.with]]\nrun = \"x\"\nversion = \"x\"\n";
        let built_in = (Path::new("a"), BUILT_IN);
        let languages = Languages::merge(&[built_in, (Path::new("b"), user)]).expect("valid");
        let (_, cpp) = languages.get("cpp").expect("C++ is built in");
        assert_eq!((cpp.name.as_str(), cpp.with.len()), ("GNU C++", 1));
        assert!(cpp.extensions.contains(&"cc".to_string()));
        let error = |text: &str| {
            let merged = Languages::merge(&[built_in, (Path::new("b"), text)]);
            merged.expect_err("invalid").to_string()
        };
        assert!(error("[cpp]\nnmae = 1\n").contains("nmae"));
        assert!(error("cpp = 1\n").contains("must be a table"));
        assert!(error("[x]\nname = \"X\"\n").contains("language `x`"));
        assert!(error("[x\n").starts_with("b:1:"));
        assert_eq!(
            error("# mine\n[cpp]\npriority = -5\n"),
            "b:3:12: language `cpp`: invalid value: integer `-5`, expected u32"
        );
        let misspelt = error("[cpp]\nnaem = 'x'\n");
        assert!(misspelt.starts_with("b:2:1: "), "{misspelt}");
        assert!(
            misspelt.ends_with("help: did you mean `name`?"),
            "{misspelt}"
        );
        let other = error("[cp]\npriority = 5\n");
        assert!(other.starts_with("b:1:2: "), "{other}");
        assert!(other.ends_with("help: did you mean `cpp`?"), "{other}");
        let profile = |key: &str| {
            let with = format!("[[cpp.with]]\nversion = 'x'\n{key}\n");
            error(&format!("[cpp]\n{with}"))
        };
        assert_eq!(
            profile("run = 'x'\ncompile = 'g++ {fiels}'"),
            "b:5:16: language `cpp`: `{fiels}` is not a placeholder\n  help: did you mean `{files}`?"
        );
        assert_eq!(
            profile("run = 'x {mian}'"),
            "b:4:10: language `cpp`: `{mian}` is not a placeholder\n  help: did you mean `{main}`?"
        );
        assert_eq!(
            error("[cpp]\nextensions = ['.foo']\n"),
            "b:2:16: language `cpp`: the extension `.foo` begins with a dot\n  help: write `foo`"
        );
        let empty = "[cpp]\n[[cpp.with]]\nrun = \" \"\nversion = \"x\"\n";
        assert!(error(empty).contains("is empty"));
        let open = "[cpp]\n[[cpp.with]]\nrun = \"x 'y\"\nversion = \"x\"\n";
        assert!(error(open).contains("quote"));
        let bare = "[cpp]\n[[cpp.with]]\nrun = \"x {standard}\"\nversion = \"x\"\n";
        assert!(error(bare).contains("no `standards`"));
    }
}
