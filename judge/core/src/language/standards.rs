//! Standards of a language: the one that a program is compiled with, and the fallbacks if it does
//! not compile.

use super::config::standard_number;
use super::planned::Planned;
use super::program::Prepared;
use super::request::Request;
use super::toolchain::Toolchain;
use crate::verdict::Verdict;
use judge_package::{Expectation, Package};
use judge_sandbox::Fault;
use std::path::Path;
use std::sync::Arc;

/// The fallback for a program that does not compile with its language's default standard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherStandards {
    /// Report the compile error.
    Ignore,
    /// Report the compile error; if the message indicates an older standard, add which one compiles
    /// the program.
    Suggest,
    /// Use the first standard that compiles the program, with a note.
    Use,
}

impl OtherStandards {
    /// The policy for a submission. Packaged submissions may be older than today's default
    /// standard, unless the package's format is recent; a user's own program is judged as a current
    /// judge would.
    pub fn of_submission(package: &Package, path: &Path) -> Self {
        let packaged = package.submissions.iter().find(|own| own.path == path);
        match packaged {
            None => OtherStandards::Suggest,
            Some(own) if must_not_compile(&own.expected) => OtherStandards::Ignore,
            Some(_) if package.policy.standard_fallback => OtherStandards::Use,
            Some(_) => OtherStandards::Suggest,
        }
    }
}

fn must_not_compile(expected: &Expectation) -> bool {
    let lists = [&expected.permitted, &expected.required, &expected.outcome];
    let mut lists = lists.into_iter();
    lists.any(|list| list.contains(&Verdict::CompileError))
}

impl Toolchain {
    /// Builds a program like [`Toolchain::build`] and applies the policy `others` if it does not
    /// compile with its language's default standard.
    pub fn build_or(
        &self,
        request: &Request<'_>,
        others: OtherStandards,
    ) -> Result<Prepared, Fault> {
        match self.build(request)? {
            Prepared::CompileError(message) => self.by_another(request, others, message),
            built => Ok(built),
        }
    }

    /// Tries other standards for a program that the compiler rejected with `message`.
    fn by_another(
        &self,
        request: &Request<'_>,
        others: OtherStandards,
        message: String,
    ) -> Result<Prepared, Fault> {
        let Some((code, language)) = request.language(&self.languages) else {
            return Ok(Prepared::CompileError(message));
        };
        if others != OtherStandards::Ignore
            && let Some(stand_in) = &language.stand_in
        {
            let asked = Request {
                language: Some(&stand_in.language),
                ..request.clone()
            };
            if let Prepared::Ready(mut program) = self.build(&asked)? {
                Arc::make_mut(&mut program).note = Some(stand_in.note.clone());
                return Ok(Prepared::Ready(program));
            }
        }
        let names_one = |text: &String| message.contains(text.as_str());
        let may_compile = match others {
            OtherStandards::Ignore => false,
            OtherStandards::Suggest => language.outdated.iter().any(names_one),
            OtherStandards::Use => true,
        };
        let chosen = request
            .language
            .and_then(|code| self.languages.number(code));
        // A program with its own build script, or without a plan, has no standards.
        let planned = self.plan(request).ok();
        let profile = planned.as_ref().and_then(Planned::profile);
        let profile = profile.filter(|_| may_compile && chosen.is_none());
        let Some((first, rest)) = profile.and_then(|profile| profile.standards.split_first())
        else {
            return Ok(Prepared::CompileError(message));
        };
        for standard in rest {
            let code = format!("{code}{}", standard_number(standard));
            let asked = Request {
                language: Some(&code),
                ..request.clone()
            };
            let Prepared::Ready(mut program) = self.build(&asked)? else {
                continue;
            };
            if others == OtherStandards::Suggest {
                return Ok(Prepared::CompileError(format!(
                    "{message}\n  help: it compiles as {standard}: add --language {code}"
                )));
            }
            let note = format!("does not compile as {first}: compiled as {standard}");
            Arc::make_mut(&mut program).note = Some(note);
            return Ok(Prepared::Ready(program));
        }
        Ok(Prepared::CompileError(message))
    }
}
