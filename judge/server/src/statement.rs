//! The text of a problem, from its package: statements, samples, and limits with their origin. Cached per version.

use crate::packages::{self, Packages};
use crate::store::{Problem, Version};
use judge_core::parallel::unpoisoned;
use judge_package::{LimitSource, Package, PackageLimits, StatementFile, TimeLimit};
use judge_statement::{Rendered, Samples, render};
use maud::{Markup, html};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Maximum number of versions whose texts are kept.
const MAX_TEXTS: usize = 500;

/// Cache of texts, keyed by the hash of the version's tree.
#[derive(Default)]
pub struct Texts(Mutex<HashMap<String, Arc<Text>>>);

/// The text of a version of a problem.
pub struct Text {
    /// One for each language and kind, sorted by language.
    pub statements: Vec<Statement>,
    pub samples: Samples,
    /// The limits of the package, each with its origin.
    limits: PackageLimits,
    /// Whether the submission communicates with an interactor.
    pub interactive: bool,
    /// Files of the package for contestants, by name.
    pub attachments: BTreeMap<String, PathBuf>,
}

/// A statement in a language.
pub struct Statement {
    /// The code of the language.
    pub language: String,
    /// The text or the document.
    pub content: Rendered,
    /// The images that it may show, by name.
    pub images: BTreeMap<String, PathBuf>,
}

impl Texts {
    /// The text of a problem's present version. Blocks.
    pub fn text(
        &self,
        packages: &Packages,
        problem: &Problem,
    ) -> Result<Arc<Text>, packages::Error> {
        let tree = &problem.version.tree;
        let texts = || unpoisoned(self.0.lock());
        if let Some(found) = texts().get(tree) {
            return Ok(found.clone());
        }
        let package = packages.read(tree)?;
        let text = Arc::new(Text::new(&package, &problem.ext));
        let mut texts = texts();
        if texts.len() >= MAX_TEXTS {
            texts.clear();
        }
        texts.insert(tree.clone(), text.clone());
        Ok(text)
    }
}

impl Text {
    fn new(package: &Package, ext: &str) -> Self {
        let render = |file: StatementFile| {
            let base = format!("/problems/{ext}/images/{}/", file.language);
            Some(Statement {
                content: render(package, &file, &base).ok()?,
                images: file.images().into_iter().collect(),
                language: file.language,
            })
        };
        let statements = judge_package::statements(&package.root);
        Text {
            statements: statements.into_iter().filter_map(render).collect(),
            samples: Samples::of(package),
            limits: package.limits.clone(),
            interactive: package.kind.interactive,
            attachments: judge_package::attachments(&package.root),
        }
    }

    /// The first statement of each language.
    pub fn languages(&self) -> Vec<&Statement> {
        let mut first: Vec<&Statement> = Vec::new();
        for statement in &self.statements {
            if first
                .last()
                .is_none_or(|last| last.language != statement.language)
            {
                first.push(statement);
            }
        }
        first
    }

    /// The statement in this language, else the English one, else the first.
    pub fn statement(&self, wanted: Option<&str>) -> Option<&Statement> {
        let all = self.languages();
        let of = |code: &str| all.iter().find(|statement| statement.language == code);
        let found = wanted.and_then(of).or_else(|| of("en"));
        found.or(all.first()).copied()
    }

    /// The limits of a version, each with its origin.
    pub fn limits(&self, version: &Version) -> Markup {
        html! {
            dl.facts {
                div {
                    dt { "Time limit" }
                    dd {
                        @if let Some(limit) = version.time_limit_s { (limit) " s of CPU time per case " }
                        span.quiet {
                            @match self.limits.time {
                                TimeLimit::Derived { factor, resolution } => {
                                    @if version.time_limit_s.is_none() { "derived when it is first judged: " }
                                    (factor) " times the slowest accepted program of the package, in steps of "
                                    (resolution.as_secs_f64()) " s"
                                }
                                TimeLimit::Given(_) => (origin(self.limits.time_from))
                            }
                        }
                    }
                }
                div {
                    dt { "Memory limit" }
                    dd {
                        (version.memory_limit >> 20) " MiB "
                        span.quiet { (origin(self.limits.memory_from)) }
                    }
                }
                @if let Some(limit) = version.code_limit {
                    div { dt { "Source limit" } dd { (limit) " bytes" } }
                }
            }
        }
    }
}

fn origin(source: LimitSource) -> &'static str {
    match source {
        LimitSource::Package => "set by the package",
        LimitSource::Format => "default of the package's format",
        LimitSource::Judge => "default of this judge",
    }
}
