//! Standards of a language: the one that a program is compiled by, and those that are tried where it
//! does not compile.

use super::config::{Language, Profile};
use super::planned::Planned;
use super::toolchain::{Built, Request, Toolchain};
use crate::package::{Dialect, Expectation, Package};
use crate::verdict::Verdict;
use judge_sandbox::Fault;
use std::path::Path;

/// What is done where a program does not compile by the standard that its language has first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherStandards {
    /// Nothing.
    Ignore,
    /// Its author is told which other one compiles it, where the compiler's message speaks for
    /// that.
    Tell,
    /// It is compiled by the first other one that does, and that is told.
    Take,
}

impl OtherStandards {
    /// What a package brings along was written when its standards were usual, unless its format is
    /// as new as ours; to who judges a program of his own, what a judge of today says of it says
    /// more.
    pub fn of_submission(package: &Package, path: &Path) -> Self {
        let packaged = package.submissions.iter().find(|own| own.path == path);
        match packaged {
            None => OtherStandards::Tell,
            Some(own) if shall_not_compile(&own.expected) => OtherStandards::Ignore,
            Some(_) => match package.dialect {
                Dialect::V2025 | Dialect::Draft2023 => OtherStandards::Tell,
                _ => OtherStandards::Take,
            },
        }
    }
}

fn shall_not_compile(expected: &Expectation) -> bool {
    let lists = [&expected.permitted, &expected.required, &expected.outcome];
    let mut lists = lists.into_iter();
    lists.any(|list| list.contains(&Verdict::CompileError))
}

impl Toolchain {
    /// Builds a program as [`Toolchain::build`] does, and sees to what does not compile by its
    /// language's first standard.
    ///
    /// # Errors
    ///
    /// When the sandbox or the cache fails.
    pub fn build_or(&self, request: &Request<'_>, others: OtherStandards) -> Result<Built, Fault> {
        match self.build(request)? {
            Built::CompileError(message) => self.by_another(request, others, message),
            built => Ok(built),
        }
    }

    /// What becomes of a program that the compiler refuses with this message.
    fn by_another(
        &self,
        request: &Request<'_>,
        others: OtherStandards,
        message: String,
    ) -> Result<Built, Fault> {
        let Some((code, language)) = self.language_of(request) else {
            return Ok(Built::CompileError(message));
        };
        if others != OtherStandards::Ignore
            && let Some(stand_in) = &language.stand_in
        {
            let asked = Request {
                language: Some(&stand_in.language),
                ..request.clone()
            };
            if let Built::Ready(mut program) = self.build(&asked)? {
                program.note = Some(stand_in.note.clone());
                return Ok(Built::Ready(program));
            }
        }
        let speaks = |text: &String| message.contains(text.as_str());
        let hopeful = match others {
            OtherStandards::Ignore => false,
            OtherStandards::Tell => language.outdated.iter().any(speaks),
            OtherStandards::Take => true,
        };
        let said = request
            .language
            .and_then(|code| self.languages.number(code));
        // What has a script of its own, or never came to its compiler, is compiled by none.
        let planned = self.plan(request).ok();
        let profile = planned.as_ref().and_then(Planned::profile);
        let profile = profile.filter(|_| hopeful && said.is_none());
        let Some((first, rest)) = profile.and_then(|profile| profile.standards.split_first())
        else {
            return Ok(Built::CompileError(message));
        };
        for standard in rest {
            let code = format!("{code}{}", number(standard));
            let asked = Request {
                language: Some(&code),
                ..request.clone()
            };
            let Built::Ready(mut program) = self.build(&asked)? else {
                continue;
            };
            if others == OtherStandards::Tell {
                return Ok(Built::CompileError(format!(
                    "{message}\n  help: it compiles as {standard}: add --language {code}"
                )));
            }
            program.note = Some(format!(
                "does not compile as {first}: compiled as {standard}"
            ));
            return Ok(Built::Ready(program));
        }
        Ok(Built::CompileError(message))
    }
}

/// The standard with this number, or the first; empty where the profile has none.
///
/// # Errors
///
/// When there is none with the number: a sentence.
pub fn of<'w>(
    language: &Language,
    profile: &'w Profile,
    wanted: Option<&str>,
) -> Result<&'w str, String> {
    let mut standards = profile.standards.iter();
    let found = match wanted {
        None => standards.next().map_or(Some(""), |first| Some(first)),
        Some(wanted) => standards
            .find(|standard| number(standard) == wanted)
            .map(String::as_str),
    };
    found.ok_or_else(|| {
        format!(
            "{} is not known to this machine's compiler; known: {}",
            format_args!("{}{}", language.name, wanted.unwrap_or_default()),
            profile.standards.join(", ")
        )
    })
}

/// What tells a standard from others in the code of a language: `14` of `gnu++14`.
pub fn number(standard: &str) -> &str {
    let name = standard.trim_end_matches(|c: char| c.is_ascii_digit());
    &standard[name.len()..]
}
