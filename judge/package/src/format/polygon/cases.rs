//! The tests of a Polygon package, and their groups.

use super::programs::Sources;
use super::xml::Element;
use crate::builder::{MAX_CASES, PackageBuilder, too_many};
use crate::error::PackageError;
use crate::format::common::{make_scoring, no_cases};
use crate::input::package_dir::PackageFile;
use crate::model::{
    Aggregation, AnswerOf, DataFile, GeneratorLimits, Group, InputOf, InputValidatorArgs, Recipe,
    TestCase,
};
use crate::words::split_words;

/// Reads the tests of `testset`.
pub fn read(
    builder: &mut PackageBuilder,
    problem: Element<'_>,
    testset: Element<'_>,
    sources: &Sources,
) -> Result<(), PackageError> {
    let reader = Reader {
        input: Pattern::new(testset.required(&["input-path-pattern"])?)?,
        answer: Pattern::new(testset.required(&["answer-path-pattern"])?)?,
        testset: testset.attribute("name").unwrap_or("tests"),
        problem,
        sources,
    };
    let tests: Vec<Element<'_>> = testset.list("tests", "test").collect();
    if tests.is_empty() {
        return Err(no_cases(&builder.tree, &builder.tree.root));
    }
    if tests.len() > MAX_CASES {
        return Err(too_many(&builder.tree.root, tests.len()));
    }
    if let Some(count) = testset.find(&["test-count"]) {
        let wanted: usize = count.parsed("write a whole number, or remove `test-count`")?;
        if wanted != tests.len() {
            let what = format!("says {wanted} tests, and `tests` has {}", tests.len());
            let error = count.error(what).remedy("download the package again");
            builder.tree.error_of_runs(error);
        }
    }
    validator_cases(builder, problem, sources)?;
    let mut cases = Vec::new();
    for (test, number) in tests.iter().zip(1..) {
        cases.push(reader.case(builder, *test, number)?);
    }
    let points = cases.iter().filter_map(|case| case.score);
    match points.sum::<f64>() > 0.0 {
        true => {
            make_scoring(&mut builder.package);
            group(builder, testset, tests, cases)
        }
        // Without points, groups change nothing.
        false => {
            cases.iter_mut().for_each(|case| case.score = None);
            builder.package.data.cases = cases;
            Ok(())
        }
    }
}

/// Maximum number of digits that a pattern may ask for.
const MAX_WIDTH: usize = 20;

/// A path with a number, as for `printf`: `tests/%02d`.
struct Pattern<'t> {
    before: &'t str,
    width: usize,
    after: &'t str,
}

impl<'t> Pattern<'t> {
    fn new(element: Element<'t>) -> Result<Self, PackageError> {
        let text = element.text();
        let parse = || {
            let (before, rest) = text.split_once('%')?;
            let (width, after) = rest.split_once('d')?;
            let width = match width {
                "" => 0,
                digits => digits.parse().ok().filter(|width| *width <= MAX_WIDTH)?,
            };
            Some(Pattern {
                before,
                width,
                after,
            })
        };
        parse().ok_or_else(|| {
            element
                .error(format!("is not a path with a number: `{text}`"))
                .remedy("write a pattern like `tests/%02d`")
        })
    }

    fn path(&self, number: usize) -> String {
        let (before, width, after) = (self.before, self.width, self.after);
        format!("{before}{number:0width$}{after}")
    }
}

struct Reader<'t> {
    input: Pattern<'t>,
    answer: Pattern<'t>,
    testset: &'t str,
    problem: Element<'t>,
    sources: &'t Sources,
}

impl Reader<'_> {
    fn case(
        &self,
        builder: &mut PackageBuilder,
        test: Element<'_>,
        number: usize,
    ) -> Result<TestCase, PackageError> {
        let path = self.input.path(number);
        let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        let find = |pattern: &Pattern<'_>| -> Result<_, PackageError> {
            let name = pattern.path(number);
            let found = builder.tree.dir.find(&name)?.map(PackageFile::into_path);
            found.map(|path| self.sources.data(path, &name)).transpose()
        };
        let (input, answer) = (find(&self.input)?, find(&self.answer)?);
        let (input, answer): (DataFile, DataFile) = match (input, answer) {
            (Some(input), Some(answer)) => (input.into(), answer.into()),
            (input, answer) => {
                let input = match input {
                    Some(input) => InputOf::File(input),
                    None => self.generated(test, &path)?,
                };
                let answer = match answer {
                    Some(answer) => AnswerOf::File(answer),
                    None => self.answered(builder, test, number)?,
                };
                builder.generate(Recipe {
                    case: name.clone(),
                    input,
                    answer,
                    normalize: false,
                    limits: GeneratorLimits::default(),
                })
            }
        };
        Ok(TestCase {
            name,
            input,
            answer: Some(answer),
            sample: test.flag("sample"),
            score: test.number("points")?,
            description: test.attribute("description").map(str::to_owned),
            input_validator_args: validator_args(Some(self.testset), test.attribute("group")),
            ..TestCase::default()
        })
    }

    /// How the missing input `path` is made.
    fn generated(&self, test: Element<'_>, path: &str) -> Result<InputOf, PackageError> {
        let full = "download the package of type Linux, which contains all tests";
        let failed = |what: String| test.error(what).remedy(full);
        let Some(command) = test.attribute("cmd") else {
            return Err(failed(format!("there is no file `{path}`")));
        };
        if test.attribute("from-file").is_some() {
            let why = "its generator writes several files, which is not supported";
            return Err(failed(format!("there is no file `{path}`: {why}")));
        }
        let words = split_words(command).map_err(|why| failed(format!("`{command}`: {why}")))?;
        let (name, args) = words
            .split_first()
            .ok_or_else(|| failed("its command is empty".to_owned()))?;
        let program = self.sources.generator(name)?;
        Ok(InputOf::Program {
            path: program.ok_or_else(|| failed(format!("there is no generator `{name}`")))?,
            args: args.to_vec(),
            stdin: None,
        })
    }

    /// How the missing answer of a test is made.
    fn answered(
        &self,
        builder: &mut PackageBuilder,
        test: Element<'_>,
        number: usize,
    ) -> Result<AnswerOf, PackageError> {
        let path = self.answer.path(number);
        let failed = |why: &str| {
            test.error(format!("there is no file `{path}`, and {why}"))
                .remedy("download the package of type Linux, which contains all answers")
        };
        if builder.package.kind.interactive {
            return Err(failed("the answers of an interactive problem are not made"));
        }
        let generation = builder.package.generation.get_or_insert_default();
        if generation.solution.is_none() {
            let main = self.sources.main_solution(self.problem)?;
            let main = main.ok_or_else(|| failed("no solution has the tag `main`"))?;
            generation.solution = Some(main);
        }
        Ok(AnswerOf::Solution)
    }
}

/// The arguments with which Polygon runs a validator.
fn validator_args(testset: Option<&str>, group: Option<&str>) -> InputValidatorArgs {
    let options = [("--testset", testset), ("--group", group)];
    let given = options
        .into_iter()
        .filter_map(|(name, value)| Some([name, value?]));
    InputValidatorArgs {
        all: given.flatten().map(str::to_owned).collect(),
        by_name: Vec::new(),
    }
}

/// Reads the tests of the validators and of the checker. Those of a checker that reads what an interactor
/// wrote are left out.
fn validator_cases(
    builder: &mut PackageBuilder,
    problem: Element<'_>,
    sources: &Sources,
) -> Result<(), PackageError> {
    let assets = problem.required(&["assets"])?;
    let mut add = |testset: Option<Element<'_>>, role: &str| -> Result<(), PackageError> {
        let Some(testset) = testset else {
            return Ok(());
        };
        for (test, number) in testset.list("tests", "test").zip(1..) {
            let file = |pattern: &'static str| -> Result<_, PackageError> {
                let name = Pattern::new(testset.required(&[pattern])?)?.path(number);
                sources.required_data(test, &name)
            };
            let cases = &mut builder.package.validator_cases;
            let cases = match test.value("verdict")? {
                "invalid" => &mut cases.invalid_input,
                "ok" => &mut cases.valid_output,
                "wrong-answer" | "presentation-error" => &mut cases.invalid_output,
                _ => continue,
            };
            let (output, answer) = match role {
                "checker" => (
                    Some(file("output-path-pattern")?),
                    Some(file("answer-path-pattern")?.into()),
                ),
                _ => (None, None),
            };
            cases.push(TestCase {
                name: format!("{role}-tests/{number:02}"),
                input: file("input-path-pattern")?.into(),
                output,
                answer,
                input_validator_args: validator_args(
                    test.attribute("testset"),
                    test.attribute("group"),
                ),
                ..TestCase::default()
            });
        }
        Ok(())
    };
    for validator in assets.list("validators", "validator") {
        add(validator.find(&["testset"]), "validator")?;
    }
    if assets.find(&["interactor"]).is_none() {
        add(assets.find(&["checker", "testset"]), "checker")?;
    }
    Ok(())
}

/// Puts the cases with a group into it. The groups are in the order of their first tests.
fn group(
    builder: &mut PackageBuilder,
    testset: Element<'_>,
    tests: Vec<Element<'_>>,
    cases: Vec<TestCase>,
) -> Result<(), PackageError> {
    let data = &mut builder.package.data;
    for (test, mut case) in tests.into_iter().zip(cases) {
        let Some(name) = test.attribute("group") else {
            data.cases.push(case);
            continue;
        };
        case.name = format!("{name}/{}", case.name);
        match data.groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.cases.push(case),
            None => {
                let mut group = Group::new(name);
                group.aggregation = Aggregation::Sum;
                group.stop_at_first = false;
                group.after = data.cases.len();
                group.cases.push(case);
                data.groups.push(group);
            }
        }
    }
    for settings in testset.list("groups", "group") {
        let name = settings.value("name")?;
        // A group without tests has no settings that matter.
        let Some(position) = data.groups.iter().position(|group| group.name == name) else {
            continue;
        };
        let (earlier, rest) = data.groups.split_at_mut(position);
        let names: Vec<&str> = earlier.iter().map(|group| group.name.as_str()).collect();
        for dependency in settings.list("dependencies", "dependency") {
            let required = dependency.value("group")?;
            if !names.contains(&required) {
                let what = format!("`{required}` is not a group of earlier tests");
                return Err(dependency.error(what).remedy("move its tests up"));
            }
            rest[0].requires.push(required.to_owned());
        }
        let points = settings.number("points")?;
        set_points(&mut rest[0], settings, points)?;
    }
    Ok(())
}

/// Sets how a group is scored: each test gives its points, or all of them together do.
fn set_points(
    group: &mut Group,
    settings: Element<'_>,
    points: Option<f64>,
) -> Result<(), PackageError> {
    match settings.attribute("points-policy") {
        None | Some("each-test") => {}
        Some("complete-group") => {
            let scores = group.cases.iter().filter_map(|case| case.score);
            let total = points.unwrap_or_else(|| scores.sum());
            group.aggregation = Aggregation::Min;
            group.stop_at_first = true;
            group.max_score = Some(total);
            for case in &mut group.cases {
                case.score = Some(total);
            }
        }
        Some(other) => {
            let what = format!("unknown `points-policy`: `{other}`");
            let remedy = "write `each-test` or `complete-group`";
            return Err(settings.error(what).remedy(remedy));
        }
    }
    Ok(())
}
