//! Hydro's configuration as typed values; names of files keep their positions.

use super::objective;
use crate::error::PackageError;
use crate::format::common::{FileName, plain_name};
use crate::input::units::{parse_size, parse_time};
use crate::input::yaml::{self, Node};
use crate::model::{Aggregation, BuiltinChecker, Question, ValidatorProtocol};
use std::time::Duration;

const KEYS: [&str; 27] = [
    "type",
    "subType",
    "target",
    "score",
    "time",
    "memory",
    "filename",
    "checker_type",
    "num_processes",
    "user_extra_files",
    "judge_extra_files",
    "detail",
    "answers",
    "redirect",
    "cases",
    "subtasks",
    "langs",
    "multi_pass",
    "checker",
    "interactor",
    "manager",
    "validator",
    "time_limit_rate",
    "memory_limit_rate",
    "key",
    "template",
    "noOutputFile",
];
const SUBTASK_KEYS: [&str; 7] = ["time", "memory", "score", "if", "id", "type", "cases"];
const CASE_KEYS: [&str; 6] = ["input", "output", "time", "memory", "score", "id"];
const CHECKER_TYPES: [&str; 8] = [
    "default", "strict", "testlib", "hustoj", "kattis", "qduoj", "lemon", "syzoj",
];
const TYPES: [&str; 4] = ["default", "interactive", "submit_answer", "objective"];

/// `config.yaml`.
#[derive(Default, Debug)]
pub struct Config<'y> {
    pub interactive: bool,
    pub submit_answer: bool,
    pub limits: Limits,
    /// The number of passes of a multi-pass problem.
    pub passes: Option<u64>,
    pub checker: Checker<'y>,
    /// Files that are next to each program of the package.
    pub judge_files: Vec<FileName<'y>>,
    /// Files that are next to a submission.
    pub user_files: Vec<FileName<'y>>,
    /// The name, without extension, of the files that replace standard input and output.
    pub filename: Option<&'y str>,
    /// The input validator.
    pub validator: Option<FileName<'y>>,
    pub tests: Tests<'y>,
}

/// Limits of the package, a subtask or a case.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits {
    pub time: Option<Duration>,
    pub memory: Option<u64>,
}

/// What decides about an output.
#[derive(Debug)]
pub enum Checker<'y> {
    Builtin(BuiltinChecker),
    Program {
        /// Its role, which names the assembled program.
        role: &'static str,
        file: FileName<'y>,
        protocol: ValidatorProtocol,
    },
}

impl Default for Checker<'_> {
    fn default() -> Self {
        Checker::Builtin(BuiltinChecker::RStripped)
    }
}

/// The test cases.
#[derive(Default, Debug)]
pub enum Tests<'y> {
    /// Pairs of files, which the configuration does not list.
    #[default]
    Pairs,
    Cases(Vec<Case<'y>>),
    Subtasks(Vec<Subtask<'y>>),
    /// The questions of a form, each with its points.
    Form(Vec<(Question, f64)>),
}

#[derive(Debug)]
pub struct Case<'y> {
    pub input: FileName<'y>,
    pub output: Option<FileName<'y>>,
    pub limits: Limits,
    pub score: Option<f64>,
}

#[derive(Debug)]
pub struct Subtask<'y> {
    pub id: u64,
    pub aggregation: Aggregation,
    /// The subtasks that must be accepted before.
    pub requires: Vec<u64>,
    pub limits: Limits,
    pub score: Option<f64>,
    pub cases: Vec<Case<'y>>,
}

impl<'y> Config<'y> {
    /// Reads the configuration.
    ///
    /// # Errors
    ///
    /// An unknown key, an invalid value, or a type of problem that is not judged.
    pub fn parse(yaml: &'y Node) -> Result<Self, PackageError> {
        yaml.only(&KEYS)?;
        let mut config = Config::default();
        if let Some(kind) = yaml.get("type") {
            match kind.text()? {
                "default" => {}
                "interactive" => config.interactive = true,
                "submit_answer" => config.submit_answer = true,
                "objective" => {
                    // The other keys are not used.
                    config.submit_answer = true;
                    config.tests = Tests::Form(objective::questions(yaml)?);
                    return Ok(config);
                }
                other => return Err(not_judged(kind, other)),
            }
        }
        config.limits = Limits::parse(yaml)?;
        config.passes = yaml.get("multi_pass").map(|n| n.integer(1)).transpose()?;
        config.checker = checker(yaml, config.interactive)?;
        config.judge_files = file_names(yaml.get("judge_extra_files"))?;
        config.user_files = file_names(yaml.get("user_extra_files"))?;
        let filename = yaml.get("filename").filter(|_| !config.submit_answer);
        config.filename = filename.map(plain_name).transpose()?;
        config.validator = yaml.get("validator").map(file_name).transpose()?;
        if let Some(list) = yaml.get("cases") {
            let cases = cases(list)?;
            if !cases.is_empty() {
                config.tests = Tests::Cases(cases);
            }
        } else if let Some(list) = yaml.get("subtasks") {
            let subtasks = list.items()?.iter().zip(1..).map(subtask);
            let subtasks = subtasks.collect::<Result<Vec<_>, _>>()?;
            if subtasks.iter().any(|subtask| !subtask.cases.is_empty()) {
                config.tests = Tests::Subtasks(subtasks);
            }
        }
        Ok(config)
    }
}

fn not_judged(kind: &Node, name: &str) -> PackageError {
    let why = match name {
        "communication" => "its manager talks to several processes of the submission",
        "remote_judge" => "another site judges it",
        _ => {
            return kind
                .error(format!("`{name}` is not a problem type"))
                .remedy(yaml::advice(name, &TYPES));
        }
    };
    kind.error(format!("problems of type `{name}` are not judged: {why}"))
        .remedy("use type `default`, `interactive` or `submit_answer`")
}

impl Limits {
    fn parse(node: &Node) -> Result<Self, PackageError> {
        let time = |time: &Node| {
            parse_time(time.text()?)
                .ok_or_else(|| time.error("is not a time").remedy("write `1s` or `500ms`"))
        };
        let memory = |memory: &Node| {
            parse_size(memory.text()?, 1 << 20)
                .ok_or_else(|| memory.error("is not a size").remedy("write `256m` or `1g`"))
        };
        Ok(Limits {
            time: node.get("time").map(time).transpose()?,
            memory: node.get("memory").map(memory).transpose()?,
        })
    }
}

fn checker(yaml: &Node, interactive: bool) -> Result<Checker<'_>, PackageError> {
    if interactive {
        let interactor = yaml.get("interactor").ok_or_else(|| {
            yaml.error("an interactive problem needs an `interactor`")
                .remedy("add `interactor: interactor.cpp`")
        })?;
        return Ok(Checker::Program {
            role: "interactor",
            file: file_name(interactor)?,
            protocol: ValidatorProtocol::Testlib,
        });
    }
    let checker = yaml.get("checker");
    let kind = match (yaml.get("checker_type"), checker) {
        (Some(kind), _) => kind.text()?,
        (None, Some(_)) => "testlib",
        (None, None) => "default",
    };
    let protocol = match kind {
        "default" => return Ok(Checker::default()),
        "strict" => return Ok(Checker::Builtin(BuiltinChecker::CrlfInsensitive)),
        "testlib" => ValidatorProtocol::Testlib,
        "hustoj" => ValidatorProtocol::Hustoj,
        "kattis" => ValidatorProtocol::Icpc,
        "qduoj" => ValidatorProtocol::Qduoj,
        "lemon" => ValidatorProtocol::Lemon,
        "syzoj" => ValidatorProtocol::Syzoj,
        other => {
            let place = yaml.get("checker_type").unwrap_or(yaml);
            return Err(place
                .error(format!("`{other}` is not a checker type"))
                .remedy(yaml::advice(other, &CHECKER_TYPES)));
        }
    };
    let checker = checker.ok_or_else(|| {
        yaml.error(format!("`checker_type: {kind}` needs a `checker`"))
            .remedy("add `checker: checker.cpp`")
    })?;
    // A name without extension is one of testlib's standard checkers; a built-in comparison
    // replaces it.
    Ok(match (checker.scalar(), &protocol) {
        (Some("wcmp" | "ncmp" | "icmp" | "hcmp"), ValidatorProtocol::Testlib) => {
            Checker::Builtin(BuiltinChecker::Tokens)
        }
        (Some("lcmp"), ValidatorProtocol::Testlib) => Checker::Builtin(BuiltinChecker::Standard),
        (Some("fcmp"), ValidatorProtocol::Testlib) => {
            Checker::Builtin(BuiltinChecker::CrlfInsensitive)
        }
        _ => Checker::Program {
            role: "checker",
            file: file_name(checker)?,
            protocol,
        },
    })
}

/// A file given by its name or as `{file: NAME, lang: ...}`.
fn file_name(node: &Node) -> Result<FileName<'_>, PackageError> {
    FileName::parse(node.get("file").unwrap_or(node))
}

fn file_names(node: Option<&Node>) -> Result<Vec<FileName<'_>>, PackageError> {
    let nodes = node.map_or(&[][..], Node::one_or_more);
    nodes.iter().map(file_name).collect()
}

fn subtask((node, position): (&Node, u64)) -> Result<Subtask<'_>, PackageError> {
    node.only(&SUBTASK_KEYS)?;
    let kinds = [
        ("min", Aggregation::Min),
        ("max", Aggregation::Max),
        ("sum", Aggregation::Sum),
    ];
    let kind = node.get("type").map(|kind| kind.choice(&kinds));
    let id = node.get("id").map(|id| id.integer(0));
    let required = node.get("if").map_or(&[][..], Node::one_or_more);
    let required = required.iter().map(|id| id.integer(0));
    Ok(Subtask {
        id: id.transpose()?.unwrap_or(position),
        aggregation: kind.transpose()?.unwrap_or(Aggregation::Min),
        requires: required.collect::<Result<_, _>>()?,
        limits: Limits::parse(node)?,
        score: node.get("score").map(Node::number).transpose()?,
        cases: node.get("cases").map_or(Ok(Vec::new()), cases)?,
    })
}

fn cases(node: &Node) -> Result<Vec<Case<'_>>, PackageError> {
    node.items()?.iter().map(case).collect()
}

fn case(node: &Node) -> Result<Case<'_>, PackageError> {
    node.only(&CASE_KEYS)?;
    let input = node.get("input").ok_or_else(|| {
        node.error("the case has no `input`")
            .remedy("add `input: 1.in`")
    })?;
    let output = node.get("output").filter(|output| !output.is("/dev/null"));
    Ok(Case {
        input: file_name(input)?,
        output: output.map(file_name).transpose()?,
        limits: Limits::parse(node)?,
        score: node.get("score").map(Node::number).transpose()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_configuration_becomes_typed_values() {
        let text = "time: 2s\nmemory: 64m\nchecker: {file: c.cpp, lang: cc}\n\
                    checker_type: kattis\nsubtasks:\n- if: [1]\n  time: 500ms\n  type: sum\n  \
                    cases:\n  - {input: 1.in, output: /dev/null, score: 3}\n";
        let yaml = yaml::parse(Path::new("config.yaml"), text).unwrap();
        let config = Config::parse(&yaml).unwrap();
        assert_eq!(config.limits.time, Some(Duration::from_secs(2)));
        assert_eq!(config.limits.memory, Some(64 << 20));
        assert!(matches!(
            config.checker,
            Checker::Program { role: "checker", file, protocol: ValidatorProtocol::Icpc }
                if file.text == "c.cpp"
        ));
        let Tests::Subtasks(subtasks) = &config.tests else {
            panic!("{config:?}");
        };
        let [subtask] = subtasks.as_slice() else {
            panic!("{subtasks:?}");
        };
        assert_eq!((subtask.id, subtask.requires.as_slice()), (1, &[1][..]));
        assert_eq!(subtask.aggregation, Aggregation::Sum);
        let case = &subtask.cases[0];
        assert_eq!((case.input.text, case.score), ("1.in", Some(3.0)));
        assert!(case.output.is_none());
        assert_eq!(case.limits.time, None);
        assert_eq!(subtask.limits.time, Some(Duration::from_millis(500)));
    }
}
