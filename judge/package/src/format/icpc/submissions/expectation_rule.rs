//! Expected results of submissions, from directory names and from `submissions.yaml`.

use crate::error::PackageError;
use crate::format::icpc::Version;
use crate::input::tree::Tree;
use crate::input::yaml::Node;
use crate::model::glob::matches_path_or_parent;
use crate::model::{Expectation, Kind, Package, Rule, TimeLimitUse};
use crate::verdict::Verdict;

const CODES: [(&str, Verdict); 4] = [
    ("AC", Verdict::Accepted),
    ("WA", Verdict::WrongAnswer),
    ("TLE", Verdict::TimeLimitExceeded),
    ("RTE", Verdict::RunTimeError),
];

/// The keys of a rule, which may also appear below a pattern of groups or test cases.
const RULE_KEYS: [&str; 5] = [
    "permitted",
    "required",
    "score",
    "message",
    "use_for_time_limit",
];
const SUBMISSION_KEYS: [&str; 4] = ["language", "entrypoint", "authors", "model_solution"];

/// An entry of `submissions.yaml`, or a default.
#[derive(Clone, Default)]
pub struct ExpectationRule {
    /// A glob over paths below `submissions/`.
    pub pattern: String,
    /// The language, if given.
    pub language: Option<String>,
    /// The file or class to start, if given.
    pub entry_point: Option<String>,
    /// The expected results.
    pub rules: Vec<Rule>,
}

/// A directory's name, the verdicts that every case may get, those that at least one case must get, and those of
/// the whole submission.
type Directory = (&'static str, &'static str, &'static str, &'static str);

const DIRECTORIES_2025: [Directory; 6] = [
    ("accepted", "AC", "", ""),
    ("rejected", "", "RTE TLE WA", ""),
    ("wrong_answer", "AC WA", "WA", ""),
    ("time_limit_exceeded", "AC TLE", "TLE", ""),
    ("run_time_error", "AC RTE", "RTE", ""),
    ("brute_force", "AC RTE TLE", "RTE TLE", ""),
];

/// Legacy defines expectations of test cases, but its tools compare the verdict of the whole
/// submission (that of the first rejected case): either one is accepted.
const DIRECTORIES_LEGACY: [Directory; 9] = [
    ("accepted", "AC", "AC", "AC"),
    ("wrong_answer", "AC WA", "WA", "WA"),
    ("time_limit_exceeded", "AC WA TLE", "TLE", "TLE"),
    ("run_time_error", "", "RTE", "RTE"),
    ("compiler_error", "", "", "CE"),
    ("no_output", "", "", "WA"),
    ("output_limit", "", "", "OLE"),
    ("rejected", "", "RTE TLE WA", ""),
    ("brute_force", "AC RTE TLE", "RTE TLE", "RTE TLE"),
];

/// Accepted with fewer than the maximum points.
const PARTIALLY_ACCEPTED: Directory = ("partially_accepted", "", "", "AC");

/// The meaning of the directory names. `partial` are the scores of a partially accepted submission, if
/// they are known.
pub fn defaults(version: Version, kind: Kind, partial: Option<(f64, f64)>) -> Vec<ExpectationRule> {
    let verdicts = |codes: &str| codes.split(' ').filter_map(Verdict::from_code).collect();
    let rule = |&(pattern, permitted, required, outcome): &Directory| ExpectationRule {
        pattern: pattern.to_owned(),
        rules: vec![Rule {
            expected: Expectation {
                permitted: verdicts(permitted),
                required: verdicts(required),
                outcome: verdicts(outcome),
                score: None,
            },
            // Legacy derives the limit from the accepted submissions alone.
            time_limit_use: (version.is_legacy() && pattern == "wrong_answer")
                .then_some(TimeLimitUse::No),
            ..Rule::default()
        }],
        ..ExpectationRule::default()
    };
    let directories = match version.is_legacy() {
        true => &DIRECTORIES_LEGACY[..],
        false => &DIRECTORIES_2025,
    };
    let mut rules: Vec<_> = directories.iter().map(rule).collect();
    // Early versions of the draft had this directory too.
    if kind.scoring && version != Version::V2025 {
        let mut entry = rule(&PARTIALLY_ACCEPTED);
        entry.rules[0].expected.score = partial;
        rules.push(entry);
    }
    rules
}

/// The directories of submissions in version 2025-09, by their names, with their expectations.
pub fn directories_2025() -> impl Iterator<Item = (&'static str, Expectation)> {
    let names = DIRECTORIES_2025.iter().map(|directory| directory.0);
    let rules = defaults(Version::V2025, Kind::default(), None).into_iter();
    names.zip(rules.filter_map(|mut rule| Some(rule.rules.pop()?.expected)))
}

/// Reads the entry of `pattern` in `submissions.yaml`.
pub fn read(
    pattern: &Node,
    node: &Node,
    package: &Package,
    tree: &mut Tree,
) -> Result<ExpectationRule, PackageError> {
    let kind = package.kind;
    let mut entry = ExpectationRule {
        pattern: pattern.text()?.trim_matches('/').to_owned(),
        ..ExpectationRule::default()
    };
    warn_of_other_patterns(pattern, &entry.pattern, tree);
    let mut has_own_rule = false;
    for (key, value) in node.entries()? {
        match key.text()? {
            "language" => entry.language = Some(value.text()?.to_owned()),
            "entrypoint" => entry.entry_point = Some(value.text()?.to_owned()),
            "model_solution" => {
                value.bool()?;
            }
            "authors" => {}
            name if RULE_KEYS.contains(&name) => has_own_rule = true,
            // Any other key is a pattern of cases: `sample`, `secret/*-hard`.
            name if is_case_pattern(name) => {
                value.only(&RULE_KEYS)?;
                warn_of_other_patterns(key, name, tree);
                let mut cases = package.judged_cases().into_iter();
                if !cases.any(|case| matches_path_or_parent(name, &case.name)) {
                    let what = format!("`{name}` matches no group and no test case");
                    tree.warning(key.error(what));
                }
                let rule = rule(value, Some(name.to_owned()), kind, tree)?;
                entry.rules.push(rule);
            }
            _ => {
                let mut known = [&SUBMISSION_KEYS[..], &RULE_KEYS].concat();
                known.extend(["sample", "secret"]);
                return Err(key.unknown_key(&known));
            }
        }
    }
    if has_own_rule {
        entry.rules.insert(0, rule(node, None, kind, tree)?);
    }
    Ok(entry)
}

/// Reports what shells read as part of a pattern and the format does not.
fn warn_of_other_patterns(key: &Node, pattern: &str, tree: &mut Tree) {
    let other = ["**", "[", "?"]
        .into_iter()
        .find(|part| pattern.contains(part));
    if let Some(part) = other {
        tree.warning(
            key.error(format!("patterns have no `{part}`: `{pattern}`"))
                .remedy("use `*`, which stands for a part of one name, or choices such as `{a,b}`"),
        );
    }
}

fn is_case_pattern(name: &str) -> bool {
    let starts = ["sample", "secret", "*", "{"];
    starts.iter().any(|start| name.starts_with(start))
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
    for list in ["permitted", "required"].map(|name| node.get(name)) {
        if let Some((list, verdict)) = list.and_then(|list| Some((list, list.scalar()?))) {
            tree.error(
                list.error("verdicts must be a list")
                    .remedy(format!("write `[{verdict}]`")),
            );
        }
    }
    node.set("permitted", &mut rule.expected.permitted, verdicts)?;
    node.set("required", &mut rule.expected.required, verdicts)?;
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
            let error = score.error("`score` is only for problems of type `scoring`");
            tree.error(
                error.remedy("write `type: scoring` into `problem.yaml`, or remove the key"),
            );
        }
    }
    let message = node.optional("message", Node::text)?;
    rule.message = message.map(str::to_owned);
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
    let items = node.one_or_more();
    if items.is_empty() {
        return Err(node.error("an empty list of verdicts can never be met"));
    }
    items.iter().map(|item| item.choice(&CODES)).collect()
}

/// Overrides the default of a directory, key by key, with its own entry in `submissions.yaml`.
pub fn replace(own: &mut ExpectationRule, given: ExpectationRule, node: &Node) {
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

/// The constraint that an explicit `use_for_time_limit` is equivalent to.
pub fn implied(rule: &Rule) -> Option<Rule> {
    let mut expected = Expectation::default();
    match rule.time_limit_use? {
        TimeLimitUse::No => return None,
        TimeLimitUse::Lower => {
            expected.permitted = vec![
                Verdict::Accepted,
                Verdict::WrongAnswer,
                Verdict::RunTimeError,
            ];
        }
        TimeLimitUse::Upper => expected.required = vec![Verdict::TimeLimitExceeded],
    }
    Some(Rule {
        scope: rule.scope.clone(),
        expected,
        ..Rule::default()
    })
}
