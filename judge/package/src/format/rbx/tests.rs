//! The tests of the groups: those that `rbx build` made, or recipes for making them.

use super::programs::Programs;
use super::script::{self, Source};
use super::variables::Variables;
use super::{matching, named, path_of};
use crate::builder::{MAX_CASES, PackageBuilder, too_many};
use crate::error::PackageError;
use crate::format::common::{circular, natural, no_cases};
use crate::input::package_dir::PackageFile;
use crate::input::yaml::Node;
use crate::model::{
    Aggregation, AnswerOf, GeneratorLimits, Group, InputOf, InputValidatorArgs, Recipe, TestCase,
};
use crate::words::split_words;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The directory of built tests.
const BUILT: &str = "build/tests";

/// The group whose tests statements show.
const SAMPLES: &str = "samples";

/// A test as the configuration describes it.
struct Planned {
    name: String,
    input: InputOf,
    /// The answer beside the input.
    answer: Option<PathBuf>,
}

/// Reads the groups of tests.
pub(super) fn read(
    builder: &mut PackageBuilder,
    yaml: &Node,
    programs: &Programs,
    main: Option<&Path>,
    variables: &Variables,
) -> Result<(), PackageError> {
    let root = builder.tree.root.clone();
    let scoring = builder.package.kind.scoring;
    let groups = yaml.list("testcases")?;
    let has_samples = groups
        .iter()
        .any(|group| group.get("name").is_some_and(|name| name.is(SAMPLES)));
    let mut count = 0;
    for node in groups {
        let name = node
            .get("name")
            .ok_or_else(|| node.error("has no `name`"))?;
        let name = name.text()?.to_owned();
        let reader = Reader {
            yaml,
            programs,
            main,
            group: &name,
        };
        let mut cases = reader.cases(builder, node)?;
        count += cases.len();
        if count > MAX_CASES {
            return Err(too_many(&root, count));
        }
        for case in &mut cases {
            case.sample = name == SAMPLES;
            case.input_validator_args = InputValidatorArgs {
                all: variables.arguments(&name),
                ..InputValidatorArgs::default()
            };
        }
        let mut group = Group::new(name.clone());
        group.stop_at_first = false;
        group.cases = cases;
        if scoring {
            group.aggregation = Aggregation::PassFail;
            group.max_score = Some(node.optional("score", Node::points)?.unwrap_or(0.0));
            group.requires = requires(node, groups, has_samples && name != SAMPLES)?;
        }
        for key in ["validator", "extraValidators", "model_solution"] {
            if let Some(own) = node.get(key) {
                let what = format!("`{key}` of a single group is not used: that of the package is");
                builder.tree.warning(own.error(what));
            }
        }
        builder.package.data.groups.push(group);
    }
    check_groups(builder, groups)?;
    invalid_inputs(builder, yaml, variables)?;
    match count {
        0 => Err(no_cases(&builder.tree, &root)),
        _ => Ok(()),
    }
}

/// Checks that the names of groups are different, and that none requires itself.
fn check_groups(builder: &PackageBuilder, nodes: &[Node]) -> Result<(), PackageError> {
    let mut needed = BTreeMap::new();
    for (group, node) in builder.package.data.groups.iter().zip(nodes) {
        let requires = group.requires.iter().map(String::as_str).collect();
        if needed.insert(group.name.as_str(), requires).is_some() {
            let name = node.get("name").unwrap_or(node);
            return Err(name
                .error(format!("there are two groups `{}`", group.name))
                .remedy("give one of them another name"));
        }
    }
    let Some(name) = circular(&needed) else {
        return Ok(());
    };
    let mut nodes = nodes.iter();
    let node = nodes.find(|node| node.get("name").is_some_and(|own| own.is(name)));
    let place = node.and_then(|node| node.get("deps").or(Some(node)));
    let what = format!("the group `{name}` requires itself");
    Err(place
        .map_or_else(
            || PackageError::new(&builder.tree.root, &what),
            |node| node.error(&what),
        )
        .remedy("remove one of the groups in `deps`"))
}

/// The groups that must be accepted first.
fn requires(node: &Node, groups: &[Node], samples: bool) -> Result<Vec<String>, PackageError> {
    let mut required: Vec<String> = samples.then(|| SAMPLES.to_owned()).into_iter().collect();
    for dependency in node.list("deps")? {
        let text = dependency.text()?;
        let is_known = groups
            .iter()
            .any(|group| group.get("name").is_some_and(|name| name.is(text)));
        if !is_known {
            return Err(dependency.error(format!("there is no group `{text}`")));
        }
        if !required.iter().any(|known| known == text) {
            required.push(text.to_owned());
        }
    }
    Ok(required)
}

/// Adds the inputs that `unitTests` says are invalid.
fn invalid_inputs(
    builder: &mut PackageBuilder,
    yaml: &Node,
    variables: &Variables,
) -> Result<(), PackageError> {
    let tests = yaml
        .get("unitTests")
        .map_or(Ok(&[][..]), |tests| tests.list("validator"))?;
    for test in tests {
        let is_invalid = test.get("outcome").is_some_and(|outcome| {
            outcome
                .scalar()
                .is_some_and(|text| text.eq_ignore_ascii_case("invalid"))
        });
        let Some(pattern) = test.get("glob").filter(|_| is_invalid) else {
            continue;
        };
        for name in matching(builder, pattern)? {
            let input = builder.tree.dir.file(&name)?.into_path();
            builder
                .package
                .validator_cases
                .invalid_input
                .push(TestCase {
                    input: input.into(),
                    name,
                    input_validator_args: InputValidatorArgs {
                        all: variables.arguments(""),
                        ..InputValidatorArgs::default()
                    },
                    ..TestCase::default()
                });
        }
    }
    Ok(())
}

struct Reader<'r> {
    yaml: &'r Node,
    programs: &'r Programs,
    /// The solution that makes the answers.
    main: Option<&'r Path>,
    group: &'r str,
}

impl Reader<'_> {
    /// The tests of a group: the built ones, if there are any.
    fn cases(
        &self,
        builder: &mut PackageBuilder,
        node: &Node,
    ) -> Result<Vec<TestCase>, PackageError> {
        let built = self.built(builder)?;
        let planned = self.planned(builder, node);
        if built.is_empty() {
            let planned = planned?;
            return planned
                .into_iter()
                .map(|test| self.case(builder, test))
                .collect();
        }
        // A script that is a program says nothing about their number.
        if let Ok(planned) = planned
            && planned.len() != built.len()
        {
            let dir = builder.tree.root.join(BUILT).join(self.group);
            let what = format!(
                "has {} tests, and the configuration describes {}",
                built.len(),
                planned.len()
            );
            builder
                .tree
                .error(PackageError::new(dir, what).remedy("run `rbx build` again"));
        }
        Ok(built)
    }

    /// The tests that `rbx build` made.
    fn built(&self, builder: &mut PackageBuilder) -> Result<Vec<TestCase>, PackageError> {
        let dir = builder.tree.root.join(BUILT).join(self.group);
        if !dir.is_dir() {
            return Ok(Vec::new());
        }
        let mut entries = builder.tree.list(&dir)?;
        entries.retain(|entry| !entry.is_dir && entry.name.ends_with(".in"));
        entries.sort_by_key(|entry| natural(&entry.name));
        let mut cases = Vec::new();
        for entry in entries {
            let stem = entry.name.trim_end_matches(".in");
            let name = format!("{BUILT}/{}/{stem}.out", self.group);
            let answer = builder.tree.dir.find(&name)?.map(PackageFile::into_path);
            if answer.is_none() && !builder.package.kind.interactive {
                let what = format!("there is no answer `{name}`");
                return Err(PackageError::new(entry.path, what).remedy("run `rbx build` again"));
            }
            cases.push(TestCase {
                name: format!("{}/{stem}", self.group),
                input: entry.path.into(),
                answer: answer.map(Into::into),
                ..TestCase::default()
            });
        }
        Ok(cases)
    }

    /// The tests that the configuration describes, in order; those of subgroups come last.
    fn planned(
        &self,
        builder: &mut PackageBuilder,
        node: &Node,
    ) -> Result<Vec<Planned>, PackageError> {
        let subgroups = node.list("subgroups")?;
        let prefix = if subgroups.is_empty() { "" } else { "0-" };
        let mut planned = self.of_group(builder, node, self.group, prefix, subgroups.is_empty())?;
        for (subgroup, number) in subgroups.iter().zip(1..) {
            let name = subgroup
                .get("name")
                .ok_or_else(|| subgroup.error("has no `name`"))?
                .text()?;
            let path = format!("{}/{name}", self.group);
            let prefix = format!("{number}-{name}-");
            planned.extend(self.of_group(builder, subgroup, &path, &prefix, true)?);
        }
        Ok(planned)
    }

    /// The tests directly in a group or a subgroup. `inherits` says whether the script of the package
    /// applies if it has none of its own.
    fn of_group(
        &self,
        builder: &mut PackageBuilder,
        node: &Node,
        path: &str,
        prefix: &str,
        inherits: bool,
    ) -> Result<Vec<Planned>, PackageError> {
        let mut found: Vec<(InputOf, Option<PathBuf>)> = Vec::new();
        for test in node.list("testcases")? {
            let input = test
                .get("inputPath")
                .ok_or_else(|| test.error("has no `inputPath`"))?;
            let answer = test
                .get("outputPath")
                .map(|name| named(builder, name))
                .transpose()?;
            let input = named(builder, input)?;
            let answer = answer.or_else(|| beside(&input));
            found.push((InputOf::File(input), answer));
        }
        if let Some(pattern) = node.get("testcaseGlob") {
            let before = found.len();
            for name in matching(builder, pattern)? {
                if name.ends_with(".in") {
                    let input = builder.tree.dir.file(&name)?.into_path();
                    let answer = beside(&input);
                    found.push((InputOf::File(input), answer));
                }
            }
            if found.len() == before {
                let what = format!("no file that ends in `.in` matches `{}`", pattern.text()?);
                builder.tree.warning(pattern.error(what));
            }
        }
        for call in node.list("generators")? {
            let name = call
                .get("name")
                .ok_or_else(|| call.error("has no `name`"))?;
            let args = call.get("args").map(Node::arguments).transpose()?;
            let program = self.programs.generator(builder, "", name.text()?)?;
            found.push((
                InputOf::Program {
                    path: program.ok_or_else(|| no_generator(name.error(""), name.scalar()))?,
                    args: args.unwrap_or_default(),
                    stdin: None,
                },
                None,
            ));
        }
        let own = node.get("generatorScript");
        let inherited = self
            .yaml
            .get("generatorScript")
            .filter(|_| inherits && found.is_empty());
        if let Some(script) = own.or(inherited) {
            found.extend(self.of_script(builder, script, path)?);
        }
        let named = |(number, (input, answer)): (usize, (InputOf, Option<PathBuf>))| Planned {
            name: format!("{}/{prefix}{number:03}", self.group),
            input,
            answer,
        };
        Ok(found.into_iter().enumerate().map(named).collect())
    }

    /// The tests of a script for the group `path`.
    fn of_script(
        &self,
        builder: &mut PackageBuilder,
        node: &Node,
        path: &str,
    ) -> Result<Vec<(InputOf, Option<PathBuf>)>, PackageError> {
        let name = path_of(node)?;
        let file = named(builder, name)?;
        let not_read = |what: &str| {
            name.error(what.to_owned())
                .remedy("run `rbx build`, which makes the tests")
        };
        if file.extension().is_none_or(|extension| extension != "txt") {
            return Err(not_read("scripts that are programs are not run"));
        }
        if node.get("format").is_some_and(|format| !format.is("rbx")) {
            return Err(not_read("scripts in the format of box are not read"));
        }
        let root = node.get("root").map_or(Ok(""), Node::text)?;
        let text = builder.tree.dir.file(name.text()?)?.text(16 << 20)?;
        let mut found = Vec::new();
        for test in script::parse(&file, &text)? {
            if !test.is_of(path) {
                continue;
            }
            let (line, column) = test.position;
            let at = |what: String| PackageError::new(&file, what).at(line, column);
            found.push(match &test.source {
                Source::Copy(name) => {
                    let input = builder.tree.dir.find(name)?;
                    let input = input.ok_or_else(|| at(format!("there is no file `{name}`")))?;
                    let input = input.into_path();
                    let answer = beside(&input);
                    (InputOf::File(input), answer)
                }
                Source::Text(text) => {
                    let name = format!("inputs/{}-{line}-{column}", path.replace('/', "-"));
                    let input = self.programs.staging_dir.write(&name, text.as_bytes())?;
                    (InputOf::File(input), None)
                }
                Source::Call(call) => {
                    let words = split_words(call).map_err(|what| at(what.to_owned()))?;
                    let Some((name, args)) = words.split_first() else {
                        continue;
                    };
                    let program = self.programs.generator(builder, root, name)?;
                    let input = InputOf::Program {
                        path: program.ok_or_else(|| no_generator(at(String::new()), Some(name)))?,
                        args: args.to_vec(),
                        stdin: None,
                    };
                    (input, None)
                }
            });
        }
        Ok(found)
    }

    /// The case of a test that is not built.
    fn case(&self, builder: &mut PackageBuilder, test: Planned) -> Result<TestCase, PackageError> {
        let interactive = builder.package.kind.interactive;
        let Planned {
            name,
            input,
            answer,
        } = test;
        let (input, answer) = match (input, answer) {
            (InputOf::File(input), answer) if answer.is_some() || interactive => {
                (input.into(), answer.map(Into::into))
            }
            (input, answer) => {
                let answer = match answer {
                    Some(answer) => AnswerOf::File(answer),
                    None if interactive => {
                        AnswerOf::File(self.programs.staging_dir.write("no-answer", b"")?)
                    }
                    None => self.answered(builder)?,
                };
                let (input, answer) = builder.generate(Recipe {
                    case: name.clone(),
                    input,
                    answer,
                    normalize: false,
                    limits: GeneratorLimits::default(),
                });
                (input, Some(answer))
            }
        };
        Ok(TestCase {
            name,
            input,
            answer,
            ..TestCase::default()
        })
    }

    /// The answers that the main solution makes.
    fn answered(&self, builder: &mut PackageBuilder) -> Result<AnswerOf, PackageError> {
        let Some(main) = self.main else {
            let what = "has no main solution, which makes the answers";
            let remedy = "let the first of `solutions` have the outcome `accepted`";
            return Err(self.yaml.error(what).remedy(remedy));
        };
        builder.package.generation.get_or_insert_default().solution = Some(main.to_owned());
        Ok(AnswerOf::Solution)
    }
}

/// The answer beside an input: `1.ans` for `1.in`.
fn beside(input: &Path) -> Option<PathBuf> {
    Some(input.with_extension("ans")).filter(|answer| answer.is_file())
}

fn no_generator(at: PackageError, name: Option<&str>) -> PackageError {
    let what = format!("there is no generator `{}`", name.unwrap_or_default());
    PackageError { what, ..at }.remedy("add it to `generators`, or correct the call")
}
