//! Tasks of the Contest Management System: `task.yaml`, `input/` and `output/`, subtasks in `gen/GEN`.
//!
//! Source: CMS' Italian loader ("External contest formats"), and its task and score types.

use super::common::{begin, in_no_subtask, make_scoring, natural};
use super::unread::CMS_KEYS;
use super::{Format, Match, common};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::{PackageDir, PackageFile};
use crate::input::staging_dir::{StagingDir, base_name};
use crate::input::tree::{Entry, Tree};
use crate::input::units::{seconds, size};
use crate::input::yaml::{Node, Value};
use crate::model::{
    Aggregation, BuiltinChecker, DmojKind, Expectation, FileIo, Group, Package, PackagedSubmission,
    Points, Rule, SubmittedOutput, TestCase, Validator, ValidatorProtocol,
};
use regex::Regex;
use std::path::{Path, PathBuf};

/// The configuration.
const FILE: &str = "task.yaml";

/// Keys that are not read, but are no misspelt ones.
const OTHER_KEYS: [&str; 22] = [
    "compilation",
    "max_submission_number",
    "max_user_test_number",
    "min_submission_interval",
    "min_user_test_interval",
    "n_test",
    "risultati",
    "score_precision",
    "score_type_parameters",
    "submission_format",
    "task_type",
    "task_type_parameters",
    "token_gen_initial",
    "token_gen_interval",
    "token_gen_max",
    "token_gen_number",
    "token_gen_time",
    "token_initial",
    "token_max_number",
    "token_min_interval",
    "token_total",
    "total_value",
];

/// The format of CMS' Italian loader.
pub struct Cms;

impl Format for Cms {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let yaml = common::peek(dir, FILE)?;
        let keys = CMS_KEYS.iter().filter(|key| yaml.get(key).is_some());
        (keys.count() >= 2).then(|| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        let yaml = builder.tree.yaml(&builder.tree.root.join(FILE))?;
        begin(builder, "CMS");
        // CMS ignores others, but a misspelt one changes how the task is judged.
        yaml.refuse_misspelt(&[&CMS_KEYS[..], &OTHER_KEYS].concat())?;
        settings(&mut builder.package, &yaml)?;
        let cases = cases(builder, &yaml)?;
        group(builder, &yaml, cases)?;
        programs(builder)?;
        submissions(builder)
    }
}

/// The value of the first of these keys: the loader has Italian names, too.
fn first<'y>(yaml: &'y Node, keys: &[&str]) -> Option<&'y Node> {
    let mut values = keys.iter().filter_map(|key| yaml.get(key));
    values.find(|value| !value.is_null())
}

fn settings(package: &mut Package, yaml: &Node) -> Result<(), PackageError> {
    if let Some(title) = first(yaml, &["title", "nome"]) {
        title.text()?.clone_into(&mut package.name);
    }
    match first(yaml, &["time_limit", "timeout"]) {
        Some(limit) => {
            let time = seconds(limit)?;
            package.limits.set_time(Some(time), time);
        }
        None => package.limits.set_unknown_time(),
    }
    if let Some(limit) = first(yaml, &["memory_limit", "memlimit"]) {
        package.limits.set_memory(size(limit, 1 << 20)?);
    }
    // An empty name is standard input or output.
    let file = |key: &str, default: &str| -> Result<Option<String>, PackageError> {
        let Some(node) = yaml.get(key) else {
            return Ok(Some(default.to_owned()));
        };
        match node.scalar() {
            Some("") => Ok(None),
            _ if node.is_null() => Ok(None),
            _ => Ok(Some(common::plain_name(node)?.to_owned())),
        }
    };
    package.file_io = FileIo {
        input: file("infile", "input.txt")?,
        output: file("outfile", "output.txt")?,
    };
    if yaml.flag("output_only")? {
        package.kind.submit_answer = true;
        package.file_io = FileIo::default();
    }
    make_scoring(package);
    Ok(())
}

/// The cases in the order of their numbers.
fn cases(builder: &mut PackageBuilder, yaml: &Node) -> Result<Vec<TestCase>, PackageError> {
    let root = builder.tree.root.clone();
    let inputs = root.join("input");
    let mut entries = match inputs.is_dir() {
        true => builder.tree.list(&inputs)?,
        false => Vec::new(),
    };
    let number = |entry: &Entry| {
        let digits = entry.name.strip_prefix("input")?.strip_suffix(".txt")?;
        digits.parse::<usize>().ok()
    };
    entries.retain(|entry| number(entry).is_some());
    entries.sort_by_key(|entry| natural(&entry.name));
    if entries.is_empty() {
        return Err(PackageError::new(inputs, "has no test case").remedy(
            "generate the data with `cmsMake`, or add `input/input0.txt` and `output/output0.txt`",
        ));
    }
    if let Some(node) = first(yaml, &["n_input", "n_test"]) {
        let wanted = node.integer(0)?;
        if wanted != entries.len() as u64 {
            let what = format!("says {wanted} test cases, and there are {}", entries.len());
            // CMS judges the first ones, and each has another share of the points.
            builder.tree.error_of_runs(node.error(what));
        }
    }
    let is_public = public(yaml, entries.len())?;
    let is_output_only = builder.package.kind.submit_answer;
    let case = |(k, entry): (usize, Entry)| {
        let number = number(&entry).unwrap_or(k);
        let name = format!("output/output{number}.txt");
        let answer = builder.tree.dir.find(&name)?.map(PackageFile::into_path);
        let missing = || {
            PackageError::new(&entry.path, format!("there is no answer `{name}`"))
                .remedy("generate it with `cmsMake`, or add it")
        };
        Ok(TestCase {
            name: number.to_string(),
            answer: Some(answer.ok_or_else(missing)?.into()),
            input: entry.path.clone().into(),
            sample: is_public[k],
            submitted: match is_output_only {
                true => SubmittedOutput::File(format!("output_{number:03}.txt")),
                false => SubmittedOutput::default(),
            },
            ..TestCase::default()
        })
    };
    entries.into_iter().enumerate().map(case).collect()
}

/// Which cases contestants see in full.
fn public(yaml: &Node, count: usize) -> Result<Vec<bool>, PackageError> {
    let mut public = vec![false; count];
    let Some(node) = first(yaml, &["public_testcases", "risultati"]) else {
        return Ok(public);
    };
    match node.text()?.trim() {
        // All outcomes are shown, but the statement shows other samples.
        "" | "all" => {}
        list => {
            for word in list.split(',') {
                let number: Option<usize> = word.trim().parse().ok();
                let place = number.and_then(|number| public.get_mut(number));
                *place.ok_or_else(|| {
                    node.error(format!("there is no test case `{}`", word.trim()))
                        .remedy("write the numbers from 0, such as `0,1`")
                })? = true;
            }
        }
    }
    Ok(public)
}

/// A subtask: its points and cases.
struct Subtask {
    points: f64,
    cases: Vec<usize>,
}

/// Puts the cases into subtasks, as `score_type` or `gen/GEN` says; otherwise each gives its share of
/// 100 points.
fn group(
    builder: &mut PackageBuilder,
    yaml: &Node,
    cases: Vec<TestCase>,
) -> Result<(), PackageError> {
    let count = cases.len();
    let own = yaml.get("score_type").filter(|node| !node.is_null());
    let subtasks = match own {
        Some(kind) => of_score_type(kind, yaml, &cases)?,
        None => of_generation(&mut builder.tree, count)?,
    };
    let data = &mut builder.package.data;
    let Some(subtasks) = subtasks else {
        let total = yaml.optional("total_value", Node::points)?.unwrap_or(100.0);
        let each = match (own, yaml.get("score_type_parameters")) {
            (Some(_), Some(parameter)) => parameter.points()?,
            _ => total / count as f64,
        };
        let scored = |case| TestCase {
            score: Some(each),
            ..case
        };
        data.cases = cases.into_iter().map(scored).collect();
        return Ok(());
    };
    let is_left = |k: &usize| !subtasks.iter().any(|subtask| subtask.cases.contains(k));
    if let Some(left) = (0..count).find(is_left) {
        let remedy = "add it to one, or remove the test case";
        in_no_subtask(&mut builder.tree, &cases[left], remedy);
    }
    let data = &mut builder.package.data;
    for (number, subtask) in subtasks.into_iter().enumerate() {
        let mut group = Group::new(format!("subtask{number}"));
        group.aggregation = Aggregation::Min;
        group.max_score = Some(subtask.points);
        // A case that gets a part of its points does not end the subtask.
        group.stop_at_first = false;
        for k in subtask.cases {
            let case = cases[k].clone();
            group.cases.push(TestCase {
                name: format!("{}/{}", group.name, case.name),
                score: Some(subtask.points),
                sample: case.sample || subtask.points == 0.0,
                ..case
            });
        }
        data.groups.push(group);
    }
    Ok(())
}

/// The subtasks of `score_type` and `score_type_parameters`; `None` for a sum of cases.
fn of_score_type(
    kind: &Node,
    yaml: &Node,
    cases: &[TestCase],
) -> Result<Option<Vec<Subtask>>, PackageError> {
    match kind.text()? {
        "Sum" => return Ok(None),
        "GroupMin" => {}
        "GroupMul" | "GroupThreshold" => {
            let what = format!("the score type `{}` is not judged", kind.text()?);
            return Err(kind.error(what).remedy("use `Sum` or `GroupMin`"));
        }
        other => return Err(kind.is_not("a score type", other, &["Sum", "GroupMin"])),
    }
    let parameters = yaml
        .get("score_type_parameters")
        .ok_or_else(|| kind.error("`GroupMin` needs `score_type_parameters`"))?;
    let mut used = 0;
    let mut subtasks = Vec::new();
    for parameter in parameters.items()? {
        let [points, which, ..] = parameter.items()? else {
            return Err(parameter
                .error("expected the points and the cases of a subtask")
                .remedy("write `[20, 5]`: 20 points, 5 cases"));
        };
        // A number in quotes is a pattern.
        let is_pattern = matches!(which.value, Value::Scalar { plain: false, .. });
        let chosen = match which.integer(0) {
            Ok(number) if !is_pattern => {
                let end = used + number as usize;
                if end > cases.len() {
                    let what = format!(
                        "the subtasks have more cases than the {} there are",
                        cases.len()
                    );
                    return Err(which.error(what));
                }
                let chosen = (used..end).collect();
                used = end;
                chosen
            }
            _ => matching(which, cases)?,
        };
        subtasks.push(Subtask {
            points: points.points()?,
            cases: chosen,
        });
    }
    Ok(Some(subtasks))
}

/// The cases whose code names, such as `003`, match a pattern.
fn matching(pattern: &Node, cases: &[TestCase]) -> Result<Vec<usize>, PackageError> {
    let text = match &pattern.value {
        Value::Scalar { text, .. } => text,
        _ => return Err(pattern.error("is neither a number of cases nor a pattern")),
    };
    let pattern_of_start = Regex::new(&format!("^(?:{text})"))
        .map_err(|_| pattern.error("is not a regular expression that is supported"))?;
    let matches = |case: &TestCase| {
        let number: usize = case.name.parse().unwrap_or_default();
        pattern_of_start.is_match(&format!("{number:03}"))
    };
    let chosen: Vec<usize> = (0..cases.len()).filter(|k| matches(&cases[*k])).collect();
    match chosen.is_empty() {
        true => Err(pattern
            .error(format!("no test case has a name that matches `{text}`"))
            .remedy("the names are `000`, `001`, ...")),
        false => Ok(chosen),
    }
}

/// The subtasks of `gen/GEN`: `#ST: 20` begins one, every other line that is not a comment is a case.
fn of_generation(tree: &mut Tree, count: usize) -> Result<Option<Vec<Subtask>>, PackageError> {
    let Some(file) = tree.dir.find("gen/GEN")? else {
        return Ok(None);
    };
    let path = tree.root.join("gen/GEN");
    let text = file.text(16 << 20)?;
    let mut subtasks: Vec<Subtask> = Vec::new();
    let mut next = 0;
    for (line, number) in text.lines().zip(1..) {
        let (case, comment) = line.split_once('#').unwrap_or((line, ""));
        let (case, comment) = (case.trim(), comment.trim());
        if let Some(points) = comment.strip_prefix("ST:") {
            let points = points.trim();
            let parsed = points.parse::<f64>().ok();
            let parsed = parsed.filter(|points| points.is_finite() && *points >= 0.0);
            let points = parsed.ok_or_else(|| {
                PackageError::new(&path, format!("`{points}` is not a number of points"))
                    .at(number, 1)
                    .remedy("write `#ST: 20`")
            })?;
            subtasks.push(Subtask {
                points,
                cases: Vec::new(),
            });
        }
        if !case.is_empty() || comment.starts_with("COPY:") {
            if let Some(subtask) = subtasks.last_mut() {
                subtask.cases.push(next);
            }
            next += 1;
        }
    }
    if subtasks.is_empty() {
        return Ok(None);
    }
    if next != count {
        let what = format!("lists {next} test cases, and there are {count}");
        return Err(PackageError::new(path, what).remedy("generate the data again: `cmsMake`"));
    }
    Ok(Some(subtasks))
}

/// The extensions of sources.
const SOURCES: [&str; 7] = ["cpp", "cc", "c", "pas", "py", "java", "rs"];

/// Finds the checker, and the grader that is compiled with submissions.
fn programs(builder: &mut PackageBuilder) -> Result<(), PackageError> {
    let dir = builder.tree.dir.clone();
    let find = |stem: &str| -> Result<Option<PathBuf>, PackageError> {
        let names = SOURCES.iter().map(|end| format!("{stem}.{end}"));
        for name in names.chain([stem.to_owned()]) {
            if let Some(file) = dir.find(&name)? {
                return Ok(Some(file.into_path()));
            }
        }
        Ok(None)
    };
    for stem in ["check/manager", "cor/manager"] {
        if let Some(path) = find(stem)? {
            let what = "tasks of type Communication are not judged: their manager talks through named pipes";
            return Err(PackageError::new(path, what).remedy("judge it with CMS"));
        }
    }
    let staging_dir = builder.staging_dir()?;
    let package = &mut builder.package;
    package.validation = Validator::Builtin(BuiltinChecker::Standard).into();
    let mut stems = ["check/checker", "cor/correttore"].into_iter();
    if let Some(path) = stems.find_map(|stem| find(stem).transpose()).transpose()? {
        let program = staging_dir.program(dir.root(), "checker", &[path], "")?;
        package.validation = cms_checker(program).into();
        package
            .data
            .visit_cases(&mut |case| case.points = Points::Bounded);
    }
    grader(builder, &staging_dir)
}

/// A checker of CMS: it prints a share of the points.
pub fn cms_checker(path: PathBuf) -> Validator {
    let kind = DmojKind::Cms;
    let arguments = kind.arguments(false);
    let protocol = ValidatorProtocol::Dmoj { kind, arguments };
    Validator::Program { path, protocol }
}

/// Stages `sol/grader.*` and the headers beside it.
fn grader(builder: &mut PackageBuilder, staging_dir: &StagingDir) -> Result<(), PackageError> {
    let solutions = builder.tree.root.join("sol");
    if !solutions.is_dir() {
        return Ok(());
    }
    let entries = builder.tree.list(&solutions)?;
    let has_grader = |entry: &&Entry| entry.name.starts_with("grader.");
    for grader in entries.iter().filter(has_grader) {
        let Some(language) = language_of(&grader.path) else {
            continue;
        };
        staging_dir.copy(&grader.path, &format!("include/{language}/{}", grader.name))?;
        for header in entries.iter().filter(|entry| entry.name.ends_with(".h")) {
            staging_dir.copy(&header.path, &format!("include/{language}/{}", header.name))?;
        }
        builder.package.include = Some(staging_dir.path("include"));
    }
    Ok(())
}

/// The code of a source's language, for the directories of files that are compiled with submissions.
pub fn language_of(path: &Path) -> Option<&'static str> {
    Some(match path.extension()?.to_str()? {
        "cpp" | "cc" => "cpp",
        "c" => "c",
        "pas" => "pascal",
        "java" => "java",
        "py" => "python3",
        "rs" => "rust",
        _ => return None,
    })
}

/// Adds the programs in `sol/`. The official one must be accepted; nothing is known of the others.
fn submissions(builder: &mut PackageBuilder) -> Result<(), PackageError> {
    let dir = builder.tree.root.join("sol");
    if !dir.is_dir() {
        return Ok(());
    }
    for entry in builder.tree.list(&dir)? {
        let name = base_name(&entry.path);
        let stem = name
            .rsplit_once('.')
            .map_or(name.as_str(), |(stem, _)| stem);
        let is_source = language_of(&entry.path).is_some();
        if entry.is_dir || !is_source || ["grader", "stub", "manager"].contains(&stem) {
            continue;
        }
        let is_official = ["solution", "soluzione"].contains(&stem);
        let expected = match is_official {
            true => Expectation::accepted(),
            false => Expectation::default(),
        };
        let rule = Rule {
            expected: expected.clone(),
            ..Rule::default()
        };
        builder.package.submissions.push(PackagedSubmission {
            name: format!("{}/{name}", if is_official { "accepted" } else { "sol" }),
            path: entry.path,
            rules: is_official.then_some(rule).into_iter().collect(),
            expected,
            ..PackagedSubmission::default()
        });
    }
    Ok(())
}
