//! The languages that this machine can judge.

use crate::store::{Contest, Store};
use crate::threads;
use judge_core::error::Reason;
use judge_core::judging::Toolchain;
use judge_core::language;
use judge_core::parallel::unpoisoned;
use judge_sandbox::Mode;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, RwLock};
use std::thread::JoinHandle;

/// A language to submit in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// Its code, the id in the Contest API.
    pub code: String,
    /// Its name for people.
    pub name: String,
    /// Extensions of its files, without the dot.
    pub extensions: Vec<String>,
    /// The command that compiles, as `languages.toml` has it.
    #[serde(default)]
    pub compile: Option<String>,
    /// The command that runs.
    #[serde(default)]
    pub run: Option<String>,
}

/// The languages whose tools are installed, by name. Clones share one list.
#[derive(Clone, Debug, Default)]
pub struct Languages(Arc<RwLock<Arc<[Choice]>>>);

/// The setting with the languages that were found last, as JSON.
const FOUND: &str = "languages";

impl Languages {
    /// Starts to look for the tools of all languages, which takes a second or two. Meanwhile the list
    /// is the one that was found at the last start; it is empty only at the first.
    pub(crate) fn start(store: Arc<Store>) -> Result<(Self, JoinHandle<()>), Reason> {
        let text = store.setting(FOUND)?;
        let last = text.and_then(|text| serde_json::from_str(&text).ok());
        let languages = Languages::of(last.unwrap_or_default());
        let shared = languages.clone();
        let search = threads::start("languages", move || shared.find(&store))?;
        Ok((languages, search))
    }

    /// No language is known yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.known().is_empty()
    }

    fn find(&self, store: &Store) {
        let found = installed().and_then(|found| {
            let text = serde_json::to_string(&found)?;
            if *self.known() != found[..] {
                *unpoisoned(self.0.write()) = found.into();
                store.set_setting(FOUND, &text)?;
            }
            Ok(())
        });
        if let Err(error) = found {
            tracing::error!("looking for languages failed: {error}");
        }
    }

    /// These languages.
    pub fn of(choices: Vec<Choice>) -> Self {
        Languages(Arc::new(RwLock::new(choices.into())))
    }

    fn known(&self) -> Arc<[Choice]> {
        unpoisoned(self.0.read()).clone()
    }

    /// All, or those that a package allows.
    pub(crate) fn allowed(&self, codes: Option<&[String]>) -> Vec<Choice> {
        let allows = |choice: &&Choice| codes.is_none_or(|codes| codes.contains(&choice.code));
        self.known().iter().filter(allows).cloned().collect()
    }

    /// The languages that a package and a contest allow.
    pub(crate) fn allowed_in(
        &self,
        contest: Option<&Contest>,
        package: Option<&[String]>,
    ) -> Vec<Choice> {
        let of_contest = contest.and_then(|contest| contest.languages.as_ref());
        let mut allowed = self.allowed(package);
        allowed.retain(|own| of_contest.is_none_or(|codes| codes.0.contains(&own.code)));
        allowed
    }

    pub(crate) fn get(&self, code: &str) -> Option<Choice> {
        let known = self.known();
        known.iter().find(|choice| choice.code == code).cloned()
    }

    /// The language of a file by its extension, if only one has it. The case of letters counts only where it
    /// distinguishes languages.
    pub(crate) fn of_file(&self, name: &str) -> Option<Choice> {
        let known = self.known();
        let only = |fits: &dyn Fn(&Choice) -> bool| {
            let mut found = known.iter().filter(|choice| fits(choice));
            found.next().filter(|_| found.next().is_none()).cloned()
        };
        let lower = name.to_ascii_lowercase();
        only(&|choice| choice.has_extension(name)).or_else(|| {
            let is_known = known.iter().any(|choice| choice.has_extension(name));
            only(&|choice| !is_known && choice.has_extension(&lower))
        })
    }
}

impl Choice {
    /// Whether the name of a file ends with one of the language's extensions.
    pub(crate) fn has_extension(&self, name: &str) -> bool {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        let mut known = self
            .extensions
            .iter()
            .map(|own| own.trim_start_matches('.'));
        extension.is_some_and(|extension| known.any(|own| own == extension))
    }

    /// The name under which a file of this language is stored, so that its compiler accepts it: `main.cpp.txt` becomes
    /// `main.cpp`, `x.CC` `x.cc`, `noext` `noext.cpp`.
    pub(crate) fn name_of(&self, name: &str) -> String {
        let mut rest = name;
        loop {
            let lower = rest.to_ascii_lowercase();
            if self.has_extension(rest) {
                return rest.to_owned();
            }
            let Some((stem, extension)) =
                rest.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())
            else {
                let first = self.extensions.first().map_or("txt", String::as_str);
                return format!("{name}.{}", first.trim_start_matches('.'));
            };
            if self.has_extension(&lower) {
                return format!("{stem}.{}", extension.to_ascii_lowercase());
            }
            rest = stem;
        }
    }

    /// The extensions, for people.
    pub(crate) fn endings(&self) -> String {
        let endings = self.extensions.iter();
        let endings = endings.map(|own| format!(".{}", own.trim_start_matches('.')));
        endings.collect::<Vec<_>>().join(", ")
    }
}

/// A command of a profile for the standard that submissions use.
fn in_standard(profile: &language::Profile, command: &str) -> String {
    let standard = profile.standards.first().map_or("", String::as_str);
    command.replace("{standard}", standard)
}

/// The languages whose tools are installed, by name.
fn installed() -> Result<Vec<Choice>, Reason> {
    let known = language::Languages::load(None)?;
    // The commands that print versions run without a box.
    let toolchain = language::Toolchain::new(known, Mode::None)?;
    let choice = |(code, language): (&str, &language::Language)| {
        let profile = toolchain.profile_of_submissions(language).ok()?;
        Some(Choice {
            code: code.to_owned(),
            name: language.name.clone(),
            extensions: language.extensions.clone(),
            compile: profile
                .compile
                .as_deref()
                .map(|own| in_standard(profile, own)),
            run: Some(in_standard(profile, &profile.run)),
        })
    };
    let mut found: Vec<Choice> = toolchain.languages.iter().filter_map(choice).collect();
    found.sort_by_key(|choice| choice.name.to_lowercase());
    Ok(found)
}

/// The codes of the languages whose tools are not installed, which takes a second or two.
pub(crate) fn missing(toolchain: &Toolchain) -> Vec<String> {
    let languages = &toolchain.languages;
    let is_missing =
        |(_, language): &(&str, &language::Language)| languages.installed(language).is_err();
    let missing = languages.languages.iter().filter(is_missing);
    missing.map(|(code, _)| code.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(code: &str, extensions: &[&str]) -> Choice {
        Choice {
            code: code.to_owned(),
            name: code.to_owned(),
            extensions: extensions.iter().map(|&own| own.to_owned()).collect(),
            compile: None,
            run: None,
        }
    }

    #[test]
    fn files_get_names_of_their_language() {
        let cpp = choice("cpp", &["cpp", "cc", "C"]);
        for (sent, stored) in [
            ("main.cpp", "main.cpp"),
            ("a.C", "a.C"),
            ("x.CC", "x.cc"),
            ("x.CPP", "x.cpp"),
            ("main.cpp.txt", "main.cpp"),
            ("main.CPP.bak.txt", "main.cpp"),
            ("noext", "noext.cpp"),
            ("a.txt", "a.txt.cpp"),
            ("v1.2", "v1.2.cpp"),
        ] {
            assert_eq!(cpp.name_of(sent), stored, "{sent}");
            assert!(cpp.has_extension(stored), "{stored}");
        }
    }

    #[test]
    fn the_case_of_an_extension_counts_where_it_distinguishes_languages() {
        let known = [
            choice("c", &["c"]),
            choice("cpp", &["cc", "C"]),
            choice("d", &["d"]),
        ];
        let languages = Languages::of(known.to_vec());
        let of_file = |name| languages.of_file(name).map(|choice| choice.code);
        assert_eq!(of_file("a.c").as_deref(), Some("c"));
        assert_eq!(of_file("a.C").as_deref(), Some("cpp"));
        assert_eq!(of_file("a.CC").as_deref(), Some("cpp"));
        assert_eq!(of_file("a.D").as_deref(), Some("d"));
        assert_eq!(of_file("a.x"), None);
    }
}
