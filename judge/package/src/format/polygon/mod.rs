//! Polygon's `problem.xml`: packages of Codeforces. Generated tests and answers that the package does
//! not contain (its "standard" archive) are generated before judging.

mod cases;
mod programs;
mod xml;

use self::programs::Sources;
use self::xml::Element;
use super::common::begin;
use super::{Format, Match};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::units::duration;
use crate::model::{
    FileIo, InputValidator, InputValidatorKind, Package, Validation, Validator, ValidatorProtocol,
};
use crate::statement::language_code;

/// The configuration.
const FILE: &str = "problem.xml";

/// Maximum size of the configuration, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Polygon's format.
pub struct Polygon;

impl Format for Polygon {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let file = dir.find(FILE).ok()??;
        let path = dir.root().join(FILE);
        // An invalid file is reported when it is read. Other judges have a `problem.xml`, too.
        let is_other = file.text(MAX_BYTES).is_ok_and(|text| {
            let document = xml::parse(&path, &text);
            document.is_ok_and(|document| {
                let root = Element::root(&document, &path);
                root.find(&["judging", "testset"]).is_none()
            })
        });
        (!is_other).then(|| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        begin(builder, "Polygon");
        builder.package.policy.strict_inputs = true;
        let text = builder.tree.dir.file(FILE)?.text(MAX_BYTES)?;
        let file = builder.tree.root.join(FILE);
        let document = xml::parse(&file, &text)?;
        let problem = Element::root(&document, &file);
        let judging = problem.required(&["judging"])?;
        // The tests of the system, if there are pretests, too.
        let mut testsets = judging.all("testset");
        let main = testsets
            .clone()
            .find(|set| set.attribute("name") == Some("tests"));
        let testset = match main.or(testsets.next()) {
            Some(testset) => testset,
            None => judging.required(&["testset"])?,
        };
        settings(&mut builder.package, problem, judging, testset)?;
        let sources = Sources::new(builder, problem)?;
        read_programs(&mut builder.package, problem, &sources)?;
        sources.solutions(builder, problem)?;
        cases::read(builder, problem, testset, &sources)
    }
}

/// Reads the title, the limits, and how submissions are run.
fn settings(
    package: &mut Package,
    problem: Element<'_>,
    judging: Element<'_>,
    testset: Element<'_>,
) -> Result<(), PackageError> {
    let names = problem.list("names", "name");
    let mut english = names.clone();
    let english = english.find(|name| name.attribute("language") == Some("english"));
    let name = english.or(names.clone().next());
    if let Some(title) = name.and_then(|name| name.attribute("value")) {
        title.clone_into(&mut package.name);
    }
    package.names = names
        .filter_map(|name| {
            let code = language_code(name.attribute("language")?)?;
            Some((code.to_owned(), name.attribute("value")?.to_owned()))
        })
        .collect();
    let time = testset.required(&["time-limit"])?;
    let milliseconds: u32 = time.parsed("write a whole number of milliseconds")?;
    let limit = duration(f64::from(milliseconds) / 1000.0);
    let limit = limit.ok_or_else(|| time.error("is not between 1 millisecond and 30 days"))?;
    package.limits.set_time(Some(limit), limit);
    let memory = testset.required(&["memory-limit"])?;
    package
        .limits
        .set_memory(memory.parsed("write a whole number of bytes")?);
    package.file_io = FileIo {
        input: judging.attribute("input-file").map(str::to_owned),
        output: judging.attribute("output-file").map(str::to_owned),
    };
    let runs = judging.number("run-count")?.unwrap_or(1.0);
    if runs > 1.0 {
        let what = format!("problems that run a program {runs} times per test are not judged");
        return Err(judging.error(what).remedy("judge it on Codeforces"));
    }
    Ok(())
}

/// Reads the checker, the interactor and the validators.
fn read_programs(
    package: &mut Package,
    problem: Element<'_>,
    sources: &Sources,
) -> Result<(), PackageError> {
    let program = |role: &str, element: Element<'_>| -> Result<Validator, PackageError> {
        Ok(Validator::Program {
            path: sources.program(role, element.required(&["source"])?)?,
            protocol: ValidatorProtocol::Testlib,
        })
    };
    let mut validators = Vec::new();
    if let Some(interactor) = problem.find(&["assets", "interactor"]) {
        package.kind.interactive = true;
        validators.push(program("interactor", interactor)?);
    }
    // The checker of an interactive problem reads what the interactor wrote.
    let checker = problem.required(&["assets", "checker"])?;
    validators.push(program("checker", checker)?);
    package.validation = Validation::All(validators);
    let assets = problem.required(&["assets"])?;
    for (number, validator) in assets.list("validators", "validator").enumerate() {
        let source = validator.required(&["source"])?;
        package.input_validators.push(InputValidator {
            path: sources.program(&format!("validator-{number}"), source)?,
            kind: InputValidatorKind::Testlib,
        });
    }
    Ok(())
}
