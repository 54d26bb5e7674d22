//! An entry of the table of languages, `languages.toml`.

use crate::error::Reason;
use judge_package::words::split_words;
use judge_package::yaml;
use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Placeholder in a command: the version of the language.
pub const STANDARD: &str = "{standard}";
/// The placeholders of commands.
pub const PLACEHOLDERS: [&str; 9] = [
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

/// A language: how its source files are recognised, and the profiles that build and run them.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Language {
    /// The name in reports.
    pub name: String,
    /// Other codes.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Extensions of its source files.
    pub extensions: Vec<String>,
    /// For ambiguous extensions: a file counts for the language only if it contains one of these
    /// texts.
    #[serde(default)]
    pub evidence: BTreeMap<String, Vec<String>>,
    /// Decides between languages that match the same number of files.
    pub priority: u32,
    /// The command to start.
    #[serde(default)]
    pub entry: Entry,
    /// Texts in a compiler's message that indicate a program for another standard.
    #[serde(default)]
    pub outdated: Vec<String>,
    /// The language to try if the compiler rejects a program.
    pub stand_in: Option<StandIn>,
    /// The preferred name of the file or class to start, if there are several.
    pub default_entry: Option<String>,
    /// File names that the compiler rejects as names of modules.
    pub unfit_names: Option<String>,
    /// A minimal program that every compiler of the language accepts.
    pub minimal: Option<String>,
    /// How to install it: a package manager's command, or a web page.
    pub install: Option<String>,
    /// The first profile whose programs are installed is used.
    pub with: Vec<Profile>,
}

/// Which part of a program's sources is started.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// All files, linked together.
    #[default]
    All,
    /// One file.
    File,
    /// A class with a `main` method.
    Class,
}

/// One way to build and run a language: a `[[CODE.with]]` entry.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Profile {
    /// The command that compiles, or checks the syntax.
    pub compile: Option<String>,
    /// The command that runs.
    pub run: String,
    /// The command that runs a program whose `main` is in a class or a module and is not started by itself.
    pub run_class: Option<String>,
    /// The command that prints the version.
    pub version: String,
    /// The lowest version that is accepted.
    pub min_version: Option<String>,
    /// The command that prints the directory of an installation outside the system's directories.
    pub home: Option<String>,
    /// Variables.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The role that it is restricted to, if any.
    pub only: Option<Role>,
    /// Versions of the language; the first is the default.
    #[serde(default)]
    pub standards: Vec<String>,
    /// Shown to the user when this profile is used.
    pub note: Option<String>,
    /// The threads that the runtime starts by itself.
    #[serde(default)]
    pub threads: u32,
    /// Memory in MiB that the runtime needs in addition to the program.
    #[serde(default)]
    pub memory: u64,
    /// The text that the runtime writes to standard error when its heap is full.
    pub out_of_memory: Option<String>,
    /// Files to write next to the sources: name -> content.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// A header that is precompiled when that saves time.
    pub header: Option<Header>,
}

impl Profile {
    /// The commands that compile and run.
    pub(super) fn commands(&self) -> impl Iterator<Item = &String> {
        let header = self.header.iter();
        let header = header.flat_map(|header| [&header.compile, &header.with]);
        let run = [&self.run].into_iter().chain(&self.run_class);
        self.compile.iter().chain(run).chain(header)
    }

    /// Whether a command, the header's name or a standard is empty.
    fn is_malformed(&self) -> bool {
        let header = self.header.iter();
        let header = header.flat_map(|header| [&header.compile, &header.with]);
        let mut commands = [&self.run, &self.version]
            .into_iter()
            .chain(&self.compile)
            .chain(&self.run_class)
            .chain(header);
        let nameless = |header: &Header| header.name.is_empty();
        commands.any(|command| command_words(command).is_empty())
            || self.header.as_ref().is_some_and(nameless)
            || self.standards.iter().any(String::is_empty)
    }

    /// The standard with this number, or the default; empty if the profile has none.
    /// Fails if the profile has no standard with this number.
    pub fn standard(&self, language: &str, wanted: Option<&str>) -> Result<&str, Reason> {
        let mut standards = self.standards.iter();
        let found = match wanted {
            None => standards.next().map_or(Some(""), |first| Some(first)),
            Some(wanted) => standards
                .find(|standard| standard_number(standard) == wanted)
                .map(String::as_str),
        };
        found.ok_or_else(|| {
            Reason::new(format!(
                "{language}{} is not known to this machine's compiler; known: {}",
                wanted.unwrap_or_default(),
                self.standards.join(", ")
            ))
        })
    }

    /// Whether a command uses `{standard}` although no standards are listed.
    fn lacks_standards(&self) -> bool {
        let names = |command: &String| command.contains(STANDARD);
        self.standards.is_empty() && self.compile.iter().chain([&self.run]).any(names)
    }
}

/// A language whose compiler may accept what another language's older compiler rejects.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct StandIn {
    /// The language's code.
    pub language: String,
    /// Shown to the user when it is used.
    pub note: String,
}

/// A header that takes long to compile and that many programs include first.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Header {
    /// The name in `#include`: `bits/stdc++.h`.
    pub name: String,
    /// The command that precompiles it.
    pub compile: String,
    /// Compiler options that make a program use it.
    #[serde(rename = "use")]
    pub with: String,
}

/// The purpose of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Judged.
    #[serde(rename = "submissions")]
    Submission,
    /// Part of judging: validators, checkers, graders.
    #[serde(rename = "validators")]
    Validator,
}

impl Language {
    /// Checks what the types do not; `code` is its own.
    pub fn check(&self, code: &str) -> Result<(), Malformed> {
        let malformed = |what: String| Err(Malformed { what, text: None });
        if self.with.is_empty() {
            return malformed(format!(" has no profile: add a [[{code}.with]]"));
        }
        if self.with.iter().any(Profile::is_malformed) {
            return malformed(
                ": a command, a header's name or a standard is empty, or a quote is not closed"
                    .to_owned(),
            );
        }
        if self.with.iter().any(Profile::lacks_standards) {
            return malformed(format!(
                ": a command has {STANDARD}, but there are no `standards`"
            ));
        }
        if let Some(pattern) = &self.unfit_names
            && let Err(why) = Regex::new(pattern)
        {
            return Err(Malformed {
                what: format!(": `unfit-names` is no regular expression: {why}"),
                text: Some(pattern.clone()),
            });
        }
        if let Some(extension) = self.extensions.iter().find(|one| one.starts_with('.')) {
            let bare = extension.trim_start_matches('.');
            return Err(Malformed {
                what: format!(
                    ": the extension `{extension}` begins with a dot\n  help: write `{bare}`"
                ),
                text: Some(extension.clone()),
            });
        }
        let mut commands = self.with.iter().flat_map(Profile::commands);
        let Some(unknown) = commands.find_map(|command| unknown_placeholder(command)) else {
            return Ok(());
        };
        let help = match yaml::nearest(unknown, &PLACEHOLDERS) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known: {}", PLACEHOLDERS.join(", ")),
        };
        Err(Malformed {
            what: format!(": `{unknown}` is not a placeholder\n  help: {help}"),
            text: Some(unknown.to_owned()),
        })
    }

    /// Whether one of its standards has this name.
    pub fn has_standard(&self, name: &str) -> bool {
        self.standards()
            .any(|standard| standard.eq_ignore_ascii_case(name))
    }

    /// The standards of all profiles.
    pub fn standards(&self) -> impl Iterator<Item = &String> {
        self.with.iter().flat_map(|profile| &profile.standards)
    }
}

/// Why a language is invalid.
pub struct Malformed {
    /// Continues the language's name.
    pub what: String,
    /// The text in the file that is wrong, if it is a single one.
    pub text: Option<String>,
}

/// The first word in braces in a command that is not a placeholder. Other braces belong to the command.
fn unknown_placeholder(command: &str) -> Option<&str> {
    command.match_indices('{').find_map(|(start, _)| {
        let length = command[start..].find('}')? + 1;
        let braced = &command[start..start + length];
        let name = &braced[1..length - 1];
        let is_word = name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let is_unknown = !name.is_empty() && is_word && !PLACEHOLDERS.contains(&braced);
        is_unknown.then_some(braced)
    })
}

/// The number of a standard, used in language codes: `14` for `gnu++14`.
pub fn standard_number(standard: &str) -> &str {
    let name = standard.trim_end_matches(|c: char| c.is_ascii_digit());
    &standard[name.len()..]
}

/// The words of a command; none if it is malformed, which [`Language::check`] rejects.
pub fn command_words(command: &str) -> Vec<String> {
    split_words(command).unwrap_or_default()
}
