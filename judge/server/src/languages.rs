//! The languages that this machine can judge.

use judge::judging::{Settings, Toolchain};
use judge::language;
use judge_sandbox::Mode;

/// A language to submit in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Its code, the id in the Contest API.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Extensions of its files, without the dot.
    pub extensions: Vec<String>,
}

/// The languages whose tools are installed, by name.
#[derive(Clone, Debug, Default)]
pub struct Languages(Vec<Choice>);

impl Languages {
    /// Looks for the tools of all languages; takes a second or two.
    ///
    /// # Errors
    ///
    /// When the table of languages is invalid.
    pub fn find() -> Result<Self, String> {
        let known = language::Languages::load(None).map_err(|e| e.to_string())?;
        // The commands that print versions run without a box.
        let toolchain = language::Toolchain::new(known, Mode::None).map_err(|e| e.to_string())?;
        let installed = |language: &language::Language| toolchain.installed(language).is_ok();
        let mut found: Vec<Choice> = toolchain
            .languages()
            .iter()
            .filter(|(_, language)| installed(language))
            .map(|(code, language)| Choice {
                code: code.to_string(),
                name: language.name.clone(),
                extensions: language.extensions.clone(),
            })
            .collect();
        found.sort_by_key(|choice| choice.name.to_lowercase());
        Ok(Languages(found))
    }

    /// These languages.
    pub fn of(choices: Vec<Choice>) -> Self {
        Languages(choices)
    }

    /// All, or those that a package allows.
    pub fn allowed<'a>(&'a self, codes: Option<&'a [String]>) -> impl Iterator<Item = &'a Choice> {
        let allows = move |choice: &&Choice| codes.is_none_or(|codes| codes.contains(&choice.code));
        self.0.iter().filter(allows)
    }

    /// The language with this code.
    pub fn get(&self, code: &str) -> Option<&Choice> {
        self.0.iter().find(|choice| choice.code == code)
    }

    /// The language of a file by its extension, if only one has it.
    pub fn of_file(&self, name: &str) -> Option<&Choice> {
        let (_, extension) = name.rsplit_once('.')?;
        let mut fits = self.0.iter().filter(|choice| {
            choice
                .extensions
                .iter()
                .any(|own| own.trim_start_matches('.') == extension)
        });
        fits.next().filter(|_| fits.next().is_none())
    }
}

/// The compilers of this machine.
///
/// # Errors
///
/// When the cache of programs cannot be opened.
pub fn toolchain(settings: &Settings) -> Result<Toolchain, String> {
    Toolchain::new(settings, None).map_err(|e| e.to_string())
}
