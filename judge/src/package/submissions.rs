//! The example submissions, and what is expected of each: by its directory, by
//! `submissions.yaml`, or by a comment in its source.

use super::annotation;
use super::error::PackageError;
use super::expectation::{Expectation, PackagedSubmission, Rule, TimeLimitUse};
use super::files::{Entry, Tree};
use super::glob::matches_path_or_parent;
use super::model::{Dialect, Kind};
use super::programs;
use super::yaml::{Node, Value};
use crate::verdict::Verdict::{
    self, Accepted, CompileError, OutputLimitExceeded, PartiallyAccepted, RunTimeError,
    TimeLimitExceeded, WrongAnswer,
};
use std::fs::File;
use std::io::Read;

const CODES: [(&str, Verdict); 4] = [
    ("AC", Accepted),
    ("WA", WrongAnswer),
    ("TLE", TimeLimitExceeded),
    ("RTE", RunTimeError),
];

/// The keys of a rule that may stand below a group or test case pattern too.
const RULE_KEYS: [&str; 5] = [
    "permitted",
    "required",
    "score",
    "message",
    "use_for_time_limit",
];
const SUBMISSION_KEYS: [&str; 4] = ["language", "entrypoint", "authors", "model_solution"];

/// One entry of `submissions.yaml`, or one of the defaults.
#[derive(Clone, Default)]
struct Demand {
    pattern: String,
    language: Option<String>,
    entry_point: Option<String>,
    rules: Vec<Rule>,
}

/// The submissions below `submissions/`, in order.
pub fn read(
    tree: &mut Tree,
    dialect: Dialect,
    kind: Kind,
) -> Result<Vec<PackagedSubmission>, PackageError> {
    let dir = tree.root.join("submissions");
    if !dir.is_dir() {
        return Ok(Vec::new());
    }
    let mut demands = defaults(dialect, kind);
    let mut given = Vec::new();
    let file = dir.join("submissions.yaml");
    if file.is_file() {
        for (pattern, node) in tree.yaml(&file)?.entries()? {
            let demand = demand(pattern, node, kind, tree)?;
            // A bare directory name replaces that directory's default, key by key.
            match demands.iter_mut().find(|own| own.pattern == demand.pattern) {
                Some(own) => replace(own, demand, node),
                None => given.push((demand, pattern.clone())),
            }
        }
    }
    let mut found = Vec::new();
    for group in tree.list(&dir)? {
        if !group.is_dir {
            if group.name != "submissions.yaml" && !group.name.starts_with("README") {
                tree.warning(
                    PackageError::new(&group.path, "is no submission: it stands in no directory")
                        .remedy("move it into `submissions/accepted` or another directory"),
                );
            }
            continue;
        }
        for entry in tree.list(&group.path)? {
            if entry.name == "__pycache__"
                || entry.name.starts_with("README")
                || programs::is_set_aside(&entry.name)
            {
                continue;
            }
            if is_compiled(&entry) {
                tree.warning(
                    PackageError::new(&entry.path, "is a compiled program, and is left out")
                        .remedy("remove it, or put its source there"),
                );
                continue;
            }
            let name = format!("{}/{}", group.name, entry.name);
            let mut submission = PackagedSubmission {
                path: entry.path.clone(),
                name,
                ..PackagedSubmission::default()
            };
            let matching = demands.iter().chain(given.iter().map(|(demand, _)| demand));
            for demand in matching {
                if matches_path_or_parent(&demand.pattern, &submission.name) {
                    apply(&mut submission, demand);
                }
            }
            by_comment(&mut submission, &entry, dialect, &group, tree)?;
            submission.expected = summary(&submission.rules);
            found.push(submission);
        }
    }
    entry_points_of_domjudge(tree, &mut found)?;
    unused_patterns(tree, &given, &found);
    Ok(found)
}

/// Whether a file is what a compiler left there: it runs on the machine of its author only.
fn is_compiled(entry: &Entry) -> bool {
    // ELF, a Java class, Windows and Mono.
    const STARTS: [&[u8]; 3] = [b"\x7fELF", b"\xca\xfe\xba\xbe", b"MZ"];
    let mut start = [0; 4];
    !entry.is_dir
        && entry.path.is_file()
        && File::open(&entry.path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok())
        && STARTS.iter().any(|known| start.starts_with(known))
}

/// What the names of the directories mean.
fn defaults(dialect: Dialect, kind: Kind) -> Vec<Demand> {
    let of =
        |pattern: &str, permitted: &[Verdict], required: &[Verdict], outcome: &[Verdict]| Demand {
            pattern: pattern.to_owned(),
            rules: vec![Rule {
                expected: Expectation {
                    permitted: permitted.to_vec(),
                    required: required.to_vec(),
                    outcome: outcome.to_vec(),
                    score: None,
                },
                ..Rule::default()
            }],
            ..Demand::default()
        };
    if matches!(dialect, Dialect::V2025) {
        return vec![
            of("accepted", &[Accepted], &[], &[]),
            of(
                "rejected",
                &[],
                &[RunTimeError, TimeLimitExceeded, WrongAnswer],
                &[],
            ),
            of(
                "wrong_answer",
                &[Accepted, WrongAnswer],
                &[WrongAnswer],
                &[],
            ),
            of(
                "time_limit_exceeded",
                &[Accepted, TimeLimitExceeded],
                &[TimeLimitExceeded],
                &[],
            ),
            of(
                "run_time_error",
                &[Accepted, RunTimeError],
                &[RunTimeError],
                &[],
            ),
            of(
                "brute_force",
                &[Accepted, RunTimeError, TimeLimitExceeded],
                &[RunTimeError, TimeLimitExceeded],
                &[],
            ),
        ];
    }
    // Legacy speaks of test cases, and every tool for it looks at the verdict of the whole
    // submission (at the first case that is not accepted): either will do.
    let mut found = vec![
        of("accepted", &[Accepted], &[Accepted], &[Accepted]),
        of(
            "wrong_answer",
            &[Accepted, WrongAnswer],
            &[WrongAnswer],
            &[WrongAnswer],
        ),
        of(
            "time_limit_exceeded",
            &[Accepted, WrongAnswer, TimeLimitExceeded],
            &[TimeLimitExceeded],
            &[TimeLimitExceeded],
        ),
        of("run_time_error", &[], &[RunTimeError], &[RunTimeError]),
        of("compiler_error", &[], &[], &[CompileError]),
        of("no_output", &[], &[], &[WrongAnswer]),
        of("output_limit", &[], &[], &[OutputLimitExceeded]),
        of(
            "rejected",
            &[],
            &[RunTimeError, TimeLimitExceeded, WrongAnswer],
            &[],
        ),
        of(
            "brute_force",
            &[Accepted, RunTimeError, TimeLimitExceeded],
            &[RunTimeError, TimeLimitExceeded],
            &[RunTimeError, TimeLimitExceeded],
        ),
    ];
    if kind.scoring {
        found.push(of(
            "partially_accepted",
            &[],
            &[],
            &[Accepted, PartiallyAccepted],
        ));
    }
    found
}

fn demand(
    pattern: &Node,
    node: &Node,
    kind: Kind,
    tree: &mut Tree,
) -> Result<Demand, PackageError> {
    let mut demand = Demand {
        pattern: pattern.text()?.trim_matches('/').to_owned(),
        ..Demand::default()
    };
    let mut own = Vec::new();
    for (key, value) in node.entries()? {
        match key.text()? {
            "language" => demand.language = Some(value.text()?.to_owned()),
            "entrypoint" => demand.entry_point = Some(value.text()?.to_owned()),
            "model_solution" => {
                value.bool()?;
            }
            "authors" => {}
            name if RULE_KEYS.contains(&name) => own.push((key.clone(), value.clone())),
            // What is left is a pattern over cases: `sample`, `secret/*-hard`.
            name if is_case_pattern(name) => {
                value.only(&RULE_KEYS)?;
                let rule = rule(value, Some(name.to_owned()), kind, tree)?;
                demand.rules.push(rule);
            }
            _ => {
                let mut known = [&SUBMISSION_KEYS[..], &RULE_KEYS].concat();
                known.extend(["sample", "secret"]);
                return Err(key.unknown_key(&known));
            }
        }
    }
    if !own.is_empty() {
        let mut all = node.clone();
        all.value = Value::Map(own);
        demand.rules.insert(0, rule(&all, None, kind, tree)?);
    }
    Ok(demand)
}

fn is_case_pattern(name: &str) -> bool {
    ["sample", "secret", "*", "{"]
        .iter()
        .any(|start| name.starts_with(start))
}

fn rule(
    node: &Node,
    scope: Option<String>,
    kind: Kind,
    tree: &mut Tree,
) -> Result<Rule, PackageError> {
    let mut rule = Rule {
        scope,
        ..Rule::default()
    };
    if let Some(permitted) = node.get("permitted") {
        rule.expected.permitted = verdicts(permitted)?;
    }
    if let Some(required) = node.get("required") {
        rule.expected.required = verdicts(required)?;
    }
    if let Some(score) = node.get("score") {
        rule.expected.score = Some(match score.one_or_more() {
            [exact] => (exact.number()?, exact.number()?),
            [least, most] if least.number()? <= most.number()? => (least.number()?, most.number()?),
            _ => {
                return Err(score
                    .error("`score` must be a number, or the least and the most of a range")
                    .remedy("write `score: 50` or `score: [40, 60]`"));
            }
        });
        if !kind.scoring {
            tree.error(score.error("`score` is only for problems of type `scoring`"));
        }
    }
    if let Some(message) = node.get("message") {
        rule.message = Some(message.text()?.to_owned());
    }
    if let Some(flag) = node.get("use_for_time_limit") {
        rule.time_limit_use = match flag.scalar() {
            Some("lower") => Some(TimeLimitUse::Lower),
            Some("upper") => Some(TimeLimitUse::Upper),
            _ => match flag.bool() {
                Ok(false) => Some(TimeLimitUse::No),
                Ok(true) => None,
                Err(e) => return Err(e.remedy("use `true`, `false`, `lower` or `upper`")),
            },
        };
    }
    Ok(rule)
}

fn verdicts(node: &Node) -> Result<Vec<Verdict>, PackageError> {
    if node.one_or_more().is_empty() {
        return Err(node.error("an empty list of verdicts can never be met"));
    }
    node.one_or_more()
        .iter()
        .map(|item| item.choice(&CODES))
        .collect()
}

/// A directory's own entry in `submissions.yaml`: the keys it has hold instead of the default's.
fn replace(own: &mut Demand, given: Demand, node: &Node) {
    own.language = given.language;
    own.entry_point = given.entry_point;
    for rule in given.rules {
        if rule.scope.is_some() {
            own.rules.push(rule);
            continue;
        }
        let Some(default) = own.rules.first_mut() else {
            continue;
        };
        if node.get("permitted").is_some() {
            default.expected.permitted = rule.expected.permitted;
            default.expected.outcome.clear();
        }
        if node.get("required").is_some() {
            default.expected.required = rule.expected.required;
            default.expected.outcome.clear();
        }
        default.expected.score = rule.expected.score.or(default.expected.score);
        default.message = rule.message.or(default.message.take());
        default.time_limit_use = rule.time_limit_use.or(default.time_limit_use);
    }
}

fn apply(submission: &mut PackagedSubmission, demand: &Demand) {
    if demand.language.is_some() {
        submission.language.clone_from(&demand.language);
    }
    if demand.entry_point.is_some() {
        submission.entry_point.clone_from(&demand.entry_point);
    }
    submission.rules.extend(demand.rules.iter().cloned());
}

/// `@EXPECTED_RESULTS@` in the source; not where the directory says it already.
fn by_comment(
    submission: &mut PackagedSubmission,
    entry: &Entry,
    dialect: Dialect,
    group: &Entry,
    tree: &mut Tree,
) -> Result<(), PackageError> {
    const OFFICIAL: [&str; 4] = [
        "accepted",
        "wrong_answer",
        "time_limit_exceeded",
        "run_time_error",
    ];
    let by_directory = OFFICIAL.contains(&group.name.as_str())
        || dialect == Dialect::V2025 && !submission.rules.is_empty();
    if by_directory {
        return Ok(());
    }
    match annotation::of(entry, tree)? {
        Some(expected) => {
            submission.rules = vec![Rule {
                expected,
                ..Rule::default()
            }];
        }
        None if submission.rules.is_empty() => tree.warning(
            PackageError::new(&submission.path, "nothing says what it should get")
                .remedy("move it to a directory like `accepted`, or add it to `submissions.yaml`"),
        ),
        None => {}
    }
    Ok(())
}

/// What all rules over the whole submission say together.
fn summary(rules: &[Rule]) -> Expectation {
    let mut whole = Expectation::default();
    for rule in rules.iter().filter(|rule| rule.scope.is_none()) {
        let expected = &rule.expected;
        if whole.permitted.is_empty() {
            whole.permitted.clone_from(&expected.permitted);
        } else if !expected.permitted.is_empty() {
            whole
                .permitted
                .retain(|verdict| expected.permitted.contains(verdict));
        }
        // Of two demands only the rules tell the whole; the narrower is the better summary.
        if whole.required.is_empty()
            || !expected.required.is_empty() && expected.required.len() < whole.required.len()
        {
            whole.required.clone_from(&expected.required);
        }
        if whole.outcome.is_empty() {
            whole.outcome.clone_from(&expected.outcome);
        }
        whole.score = expected.score.or(whole.score);
    }
    whole
}

/// DOMjudge's `submissions.json`: `{"submissions/accepted/x/": {"entry_point": "main.py"}}`.
fn entry_points_of_domjudge(
    tree: &mut Tree,
    found: &mut [PackagedSubmission],
) -> Result<(), PackageError> {
    let Some(path) = tree.existing("submissions.json") else {
        return Ok(());
    };
    // JSON is YAML.
    for (key, node) in tree.yaml(&path)?.entries()? {
        let name = key.text()?.trim_start_matches("submissions/");
        let name = name.trim_end_matches('/');
        if let Some(submission) = found.iter_mut().find(|one| one.name == name) {
            if let Some(entry_point) = node.get("entry_point") {
                submission.entry_point = Some(entry_point.text()?.to_owned());
            }
            if let Some(language) = node.get("langid") {
                submission.language = Some(language.text()?.to_owned());
            }
        }
    }
    Ok(())
}

fn unused_patterns(tree: &mut Tree, given: &[(Demand, Node)], found: &[PackagedSubmission]) {
    for (demand, key) in given {
        if !found
            .iter()
            .any(|submission| matches_path_or_parent(&demand.pattern, &submission.name))
        {
            let what = format!("`{}` matches no submission", demand.pattern);
            tree.warning(key.error(what));
        }
    }
}
