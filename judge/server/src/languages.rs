//! The languages that this machine can judge.

use crate::store::Store;
use crate::threads;
use judge::judging::{Settings, Toolchain};
use judge::language;
use judge::parallel::unpoisoned;
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
}

/// The languages whose tools are installed, by name. Clones share one list.
#[derive(Clone, Debug, Default)]
pub struct Languages(Arc<RwLock<Arc<[Choice]>>>);

/// The setting with the languages that were found last, as JSON.
const FOUND: &str = "languages";

impl Languages {
    /// Starts to look for the tools of all languages, which takes a second or two. Meanwhile the list
    /// is the one that was found at the last start; it is empty only at the first.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub(crate) fn start(store: Arc<Store>) -> Result<(Self, JoinHandle<()>), String> {
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
            let text = serde_json::to_string(&found).map_err(|e| e.to_string())?;
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

    /// The language with this code.
    pub(crate) fn get(&self, code: &str) -> Option<Choice> {
        let known = self.known();
        known.iter().find(|choice| choice.code == code).cloned()
    }

    /// The language of a file by its extension, if only one has it.
    pub(crate) fn of_file(&self, name: &str) -> Option<Choice> {
        let (_, extension) = name.rsplit_once('.')?;
        let known = self.known();
        let mut fits = known.iter().filter(|choice| {
            choice
                .extensions
                .iter()
                .any(|own| own.trim_start_matches('.') == extension)
        });
        fits.next().filter(|_| fits.next().is_none()).cloned()
    }
}

/// The languages whose tools are installed, by name.
///
/// # Errors
///
/// When the table of languages is invalid.
fn installed() -> Result<Vec<Choice>, String> {
    let known = language::Languages::load(None).map_err(|e| e.to_string())?;
    // The commands that print versions run without a box.
    let toolchain = language::Toolchain::new(known, Mode::None).map_err(|e| e.to_string())?;
    let installed = |language: &language::Language| toolchain.installed(language).is_ok();
    let mut found: Vec<Choice> = toolchain
        .languages
        .iter()
        .filter(|(_, language)| installed(language))
        .map(|(code, language)| Choice {
            code: code.to_string(),
            name: language.name.clone(),
            extensions: language.extensions.clone(),
        })
        .collect();
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

/// The compilers of this machine.
///
/// # Errors
///
/// When the cache of programs cannot be opened.
pub fn toolchain(settings: &Settings) -> Result<Toolchain, String> {
    Toolchain::new(settings, None).map_err(|e| e.to_string())
}
