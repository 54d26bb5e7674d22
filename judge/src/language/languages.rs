//! The table of languages, read from `languages.toml`, and its look-up by codes.

use super::config::{Language, standard_number};
use etcetera::base_strategy::{BaseStrategy, Xdg};
use judge_package::yaml;
use std::collections::BTreeMap;
use std::path::Path;

/// The built-in table.
const BUILT_IN: &str = include_str!("languages.toml");

/// All languages, by their codes.
#[derive(Clone, Debug)]
pub struct Languages {
    by_code: BTreeMap<String, Language>,
}

fn fail(path: &Path, what: &str) -> String {
    format!("{}: {what}", path.display())
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
    pub fn load(given: Option<&Path>) -> Result<Self, String> {
        let path = match given {
            Some(path) => path.to_path_buf(),
            None => match Xdg::new().map(|xdg| xdg.config_dir().join("judge/languages.toml")) {
                Ok(path) if path.exists() => path,
                _ => return Ok(Self::built_in()),
            },
        };
        let text = std::fs::read_to_string(&path)
            .map_err(|e| fail(&path, &format!("failed to read: {e}")))?;
        Self::merge(&[
            (Path::new("languages.toml (built in)"), BUILT_IN),
            (&path, &text),
        ])
    }

    /// Merges files; later ones override earlier ones, language by language and key by key.
    fn merge(files: &[(&Path, &str)]) -> Result<Self, String> {
        let mut tables: BTreeMap<String, toml::Table> = BTreeMap::new();
        let mut last = Path::new("");
        for &(path, text) in files {
            let file: toml::Table = toml::from_str(text).map_err(|e| fail(path, &e.to_string()))?;
            for (code, value) in file {
                let toml::Value::Table(table) = value else {
                    return Err(fail(path, &format!("`{code}` must be a table: [{code}]")));
                };
                tables.entry(code).or_default().extend(table);
            }
            last = path;
        }
        let mut by_code = BTreeMap::new();
        for (code, table) in tables {
            let language: Language = table.try_into().map_err(|e: toml::de::Error| {
                fail(last, &format!("language `{code}`: {}", e.message()))
            })?;
            language
                .check(&code)
                .map_err(|what| fail(last, &format!("language `{code}`{what}")))?;
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
    pub fn check(&self, code: &str) -> Result<(), String> {
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
            return Err(format!("language {code:?} is not known; {help}"));
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
        Err(format!(
            "{} has no standard {number}; known: {}",
            language.name,
            codes.join(", ")
        ))
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
    use super::super::config::STANDARD;
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
                let header = profile.header.iter();
                let header = header.flat_map(|header| [&header.compile, &header.with]);
                for command in header.chain(&profile.compile).chain([&profile.run]) {
                    let known = [
                        "{files}",
                        "{main}",
                        "{class}",
                        "{dir}",
                        "{binary}",
                        "{heap_mib}",
                        "{stem}",
                        "{list}",
                        STANDARD,
                    ];
                    let rest = known
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
            let refused = languages.check(code).unwrap_err();
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
            Languages::merge(&[built_in, (Path::new("b"), text)]).expect_err("invalid")
        };
        assert!(error("[cpp]\nnmae = 1\n").contains("nmae"));
        assert!(error("cpp = 1\n").contains("must be a table"));
        assert!(error("[x]\nname = \"X\"\n").contains("language `x`"));
        assert!(error("[x\n").starts_with("b: "));
        let empty = "[cpp]\n[[cpp.with]]\nrun = \" \"\nversion = \"x\"\n";
        assert!(error(empty).contains("is empty"));
        let open = "[cpp]\n[[cpp.with]]\nrun = \"x 'y\"\nversion = \"x\"\n";
        assert!(error(open).contains("quote"));
        let bare = "[cpp]\n[[cpp.with]]\nrun = \"x {standard}\"\nversion = \"x\"\n";
        assert!(error(bare).contains("no `standards`"));
    }
}
