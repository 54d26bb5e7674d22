//! The ICPC/Kattis problem package formats: `legacy`, `legacy-icpc`, `2023-07-draft` and `2025-09`.

mod annotation;
mod data;
mod default_arguments;
mod domjudge_ini;
mod groups2025;
mod groups_legacy;
mod legacy;
mod limits;
mod lint;
mod programs;
mod submissions;
mod v2025;

pub use submissions::directories_2025;

use super::{Format, Match, misnamed};
use crate::builder::PackageBuilder;
use crate::error::{Finding, PackageError};
use crate::input::package_dir::PackageDir;
use crate::input::tree::{Tree, names};
use crate::input::yaml::{self, Node, Value};
use crate::model::{AnswersAreOutputs, Kind, NewCases, ONLINE_JUDGE, Package, Policy, Validator};

/// The versions of the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Version {
    /// `legacy`, also without a version.
    Legacy,
    /// `legacy-icpc`.
    LegacyIcpc,
    /// `2023-07-draft`.
    Draft2023,
    /// `2025-09`.
    V2025,
}

const VERSIONS: [(&str, Version); 4] = [
    ("2025-09", Version::V2025),
    ("2023-07-draft", Version::Draft2023),
    ("legacy", Version::Legacy),
    ("legacy-icpc", Version::LegacyIcpc),
];

/// The ICPC/Kattis problem package format.
pub struct Icpc;

impl Format for Icpc {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let files = dir.has_file("problem.yaml");
        let data = dir.has_dir("data/secret") || dir.has_dir("data/sample");
        (files || data).then(|| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        let tree = &mut builder.tree;
        let file = tree.root.join("problem.yaml");
        if !file.is_file() {
            let is_misnamed = |name: &String| {
                ["problem.yaml", "problem.yml"].contains(&name.to_lowercase().as_str())
            };
            if let Some(name) = names(&tree.root).find(is_misnamed) {
                return Err(misnamed::error(&tree.dir, &name, "problem.yaml"));
            }
            tree.error(
                PackageError::new(
                    &file,
                    "is missing; taken as an empty one of version `legacy`",
                )
                .remedy("add it, with at least `problem_format_version` and `name`"),
            );
            tree.findings_concern_runs();
            read_all(builder, &yaml::parse(&file, "")?, Version::Legacy)?;
            if builder.package.submissions.is_empty() {
                // A time limit cannot be derived.
                builder.package.limits.set_unknown_time();
            }
            return Ok(());
        }
        let yaml = tree.yaml(&file)?;
        if yaml.entries()?.is_empty() {
            tree.error(
                PackageError::new(&file, "is empty; taken as one of version `legacy`")
                    .remedy("write `problem_format_version: 2025-09`, `name` and `uuid`"),
            );
        }
        let version = version_of(&yaml)?;
        let keys = check_keys(tree, &yaml, version);
        tree.attempt(keys);
        read_all(builder, &yaml, version)
    }
}

/// Reads everything; fails with all errors that were found.
fn read_all(
    builder: &mut PackageBuilder,
    yaml: &Node,
    version: Version,
) -> Result<(), PackageError> {
    let rest = read(builder, yaml, version);
    builder.tree.all_parts(rest)
}

fn read(builder: &mut PackageBuilder, yaml: &Node, version: Version) -> Result<(), PackageError> {
    version.begin(&mut builder.package);
    let source = yaml.get("source");
    let address = source.and_then(|source| source.get("url"));
    let address = address.or_else(|| yaml.get("source_url"));
    builder.package.url = address.and_then(Node::scalar).map(str::to_owned);
    match version.is_legacy() {
        true => legacy::read(builder, yaml)?,
        false => v2025::read(builder, yaml, version)?,
    }
    let PackageBuilder { tree, package, .. } = builder;
    if !tree.lacks_part() {
        check_validator(package, yaml, version)?;
    }
    if let Some(error) = tree.unknown_argument.take()
        && let [Validator::Default(_)] = package.validation.validators()
    {
        return Err(error);
    }
    let contradictions = std::mem::take(&mut tree.contradictions);
    if let [Validator::Default(_)] = package.validation.validators() {
        contradictions
            .into_iter()
            .for_each(|error| tree.error(error));
    }
    let partial = partial_scores(package, yaml);
    let submissions = submissions::read(tree, version, package, partial);
    package.submissions = tree.attempt(submissions);
    package.include = tree.existing("include")?;
    let input_validators = programs::input_validators(builder, version);
    builder.package.input_validators = builder.tree.attempt(input_validators);
    Ok(())
}

/// The scores of a partially accepted submission: all but the best one of the range.
fn partial_scores(package: &Package, yaml: &Node) -> Option<(f64, f64)> {
    let (least, most) = package.data.range?;
    let objective = yaml.get("grading").and_then(|node| node.get("objective"));
    let (best, scores) = match objective.is_some_and(|objective| objective.is("min")) {
        true => (least, (least.next_up(), f64::INFINITY)),
        false => (most, (f64::NEG_INFINITY, most.next_down())),
    };
    best.is_finite().then_some(scores)
}

/// Types of problems that the default validator cannot judge need a program of the package.
fn check_validator(package: &Package, yaml: &Node, version: Version) -> Result<(), PackageError> {
    let Kind {
        interactive,
        multi_pass,
        ..
    } = package.kind;
    let word = match (interactive, multi_pass) {
        (true, _) => "interactive",
        (_, true) => "multi-pass",
        _ => return Ok(()),
    };
    if package.validation.programs().next().is_some() {
        return Ok(());
    }
    let what = format!("the problem is {word}, but has no output validator");
    let error = match yaml.get("type") {
        Some(node) => node.error(what),
        None => PackageError::new(package.root.join("problem.yaml"), what),
    };
    Err(error.remedy(match version.is_legacy() {
        true => format!(
            "write `problem_format_version: 2025-09` and add it to `output_validator/`, or write \
             `validation: custom {word}` and add it to `output_validators/`"
        ),
        false => "add it to `output_validator/`".to_owned(),
    }))
}

/// Reports the keys of `problem.yaml` that the version does not have.
fn check_keys(tree: &mut Tree, yaml: &Node, version: Version) -> Result<(), PackageError> {
    let known = match version.is_legacy() {
        true => &legacy::KEYS[..],
        false => &v2025::KEYS,
    };
    for key in yaml.unknown_keys(known)? {
        let name = key.scalar().unwrap_or_default();
        let mut of_legacy = v2025::LEGACY_KEYS.iter();
        if !version.is_legacy() {
            let Some((_, advice)) = of_legacy.find(|(known, _)| *known == name) else {
                return Err(limits::unknown_beside(key, known));
            };
            let what = format!("`{name}` is a key of version `legacy`");
            let finding = Finding::error(key.error(what).remedy(*advice));
            tree.findings
                .push(finding.of_runs_if(v2025::LEGACY_DECIDES.contains(&name)));
        } else if legacy::KNOWN_ELSEWHERE.contains(&name) {
            let what = format!("`{name}` is not a key of version `legacy` and is left out");
            tree.warning(key.error(what));
        } else {
            tree.report_unknown_key(key, known, limits::unknown_beside(key, known))?;
        }
    }
    Ok(())
}

/// Sets what the type `word` of a problem means; returns whether there is such a type.
fn set_type(kind: &mut Kind, word: &str) -> bool {
    match word {
        "pass-fail" => {}
        "scoring" => kind.scoring = true,
        "multi-pass" => kind.multi_pass = true,
        "interactive" => kind.interactive = true,
        "submit-answer" => kind.submit_answer = true,
        _ => return false,
    }
    true
}

/// The title in English, or in the first language.
fn name(yaml: &Node) -> Result<Option<String>, PackageError> {
    let Some(name) = yaml.get("name") else {
        return Ok(None);
    };
    let chosen = match &name.value {
        Value::Map(entries) => {
            let first = || entries.first().map(|(_, value)| value);
            name.get("en").or_else(first)
        }
        _ => Some(name),
    };
    chosen
        .map(|name| name.text().map(str::to_owned))
        .transpose()
}

impl Version {
    fn is_legacy(self) -> bool {
        matches!(self, Version::Legacy | Version::LegacyIcpc)
    }

    /// Sets what the version determines.
    fn begin(self, package: &mut Package) {
        let mut names = VERSIONS.iter().filter(|(_, version)| *version == self);
        package.format = names.next().map_or("", |(name, _)| *name);
        package.policy = Policy {
            answers: AnswersAreOutputs::InSamples,
            standard_fallback: self.is_legacy(),
            new_cases: NewCases::InGroups,
            points_if_rejected: !self.is_legacy(),
            strict_inputs: true,
            // DOMjudge's; Kattis defines none.
            macros: &[ONLINE_JUDGE, "DOMJUDGE"],
            ..Policy::default()
        };
        package.checks = Some(lint::check);
    }
}

fn version_of(yaml: &Node) -> Result<Version, PackageError> {
    match yaml.get("problem_format_version") {
        // Without the key it is legacy, unless the key is misspelt.
        None => {
            for (key, _) in yaml.entries()? {
                let name = key.scalar().unwrap_or_default();
                let version = "problem_format_version";
                if name == version {
                    let remedy = "write `problem_format_version: 2025-09`, or remove the key";
                    return Err(key
                        .error(format!("`{version}` has no value"))
                        .remedy(remedy));
                }
                if name.len() <= 2 * version.len()
                    && strsim::damerau_levenshtein(name, version) <= 5
                {
                    return Err(key.unknown_key(&["problem_format_version"]));
                }
            }
            Ok(Version::Legacy)
        }
        Some(version) => match version.scalar() {
            // Names that tools used before the versions were final.
            Some("draft" | "2025-09-draft") => Ok(Version::V2025),
            Some("2023-07") => Ok(Version::Draft2023),
            Some("icpc") => Ok(Version::LegacyIcpc),
            _ => version.choice(&VERSIONS),
        },
    }
}
