//! Reads the example submissions and the expected result of each: from its directory, from
//! `submissions.yaml`, or from a comment in its source.

mod expectation_rule;

pub use self::expectation_rule::directories_2025;
use self::expectation_rule::{ExpectationRule, defaults, implied, replace};
use super::annotation::{self, Annotation};
use super::programs;
use crate::error::PackageError;
use crate::format::icpc::Version;
use crate::input::executable::first_bytes;
use crate::input::tree::{Entry, Tree, forbidden_name, is_valid_name};
use crate::input::yaml::{Node, nearest};
use crate::model::glob::matches_path_or_parent;
use crate::model::{Expectation, Package, PackagedSubmission, Rule};

/// The submissions in `submissions/`, sorted. `partial` are the scores of a partially accepted one, if
/// they are known.
pub fn read(
    tree: &mut Tree,
    version: Version,
    package: &Package,
    partial: Option<(f64, f64)>,
) -> Result<Vec<PackagedSubmission>, PackageError> {
    let dir = tree.root.join("submissions");
    if !dir.is_dir() {
        return Ok(Vec::new());
    }
    let mut rules = defaults(version, package.kind, partial);
    let known: Vec<String> = rules.iter().map(|rule| rule.pattern.clone()).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let mut given = Vec::new();
    let file = dir.join("submissions.yaml");
    if file.is_file() {
        for (pattern, node) in tree.yaml(&file)?.entries()? {
            let entry = expectation_rule::read(pattern, node, package, tree)?;
            // The entry of a directory overrides that directory's default, key by key.
            match rules.iter_mut().find(|own| own.pattern == entry.pattern) {
                Some(own) => replace(own, entry, node),
                None => given.push((entry, pattern.clone())),
            }
        }
    }
    let mut found = Vec::new();
    for group in tree.list(&dir)? {
        if is_forbidden(&group, version, tree) {
            continue;
        }
        if !group.is_dir {
            if group.name != "submissions.yaml" && !group.name.starts_with("README") {
                tree.warning(
                    PackageError::new(&group.path, "is not a submission: it is in no directory")
                        .remedy("move it into `submissions/accepted` or another directory"),
                );
            }
            continue;
        }
        for entry in tree.list(&group.path)? {
            if entry.name == "__pycache__"
                || entry.name.starts_with("README")
                || programs::is_set_aside(&entry.name)
                || is_forbidden(&entry, version, tree)
            {
                continue;
            }
            if is_compiled(&entry) {
                tree.warning(
                    PackageError::new(&entry.path, "is a compiled program and is left out")
                        .remedy("remove it, or put its source there"),
                );
                continue;
            }
            let mut submission = PackagedSubmission {
                path: entry.path.clone(),
                name: format!("{}/{}", group.name, entry.name),
                ..PackagedSubmission::default()
            };
            let matching = rules.iter().chain(given.iter().map(|(entry, _)| entry));
            for entry in matching {
                if matches_path_or_parent(&entry.pattern, &submission.name) {
                    apply(&mut submission, entry);
                }
            }
            by_comment(&mut submission, &entry, version, &group, &known, tree)?;
            submission.expected = summary(&submission.rules);
            found.push(submission);
        }
    }
    entry_points_of_domjudge(tree, &mut found)?;
    unused_patterns(tree, &given, &found);
    Ok(found)
}

/// Whether the version leaves out a file because of its name; reports it.
fn is_forbidden(entry: &Entry, version: Version, tree: &mut Tree) -> bool {
    let is_forbidden = !version.is_legacy() && !is_valid_name(&entry.name);
    if is_forbidden {
        tree.error(forbidden_name(&entry.path, "; it does not count"));
    }
    is_forbidden
}

/// Whether a file is the output of a compiler, which only runs on its author's machine.
fn is_compiled(entry: &Entry) -> bool {
    // ELF; a Java class, or macOS for several processors; Windows and Mono; macOS.
    const STARTS: [&[u8]; 5] = [
        b"\x7fELF",
        b"\xca\xfe\xba\xbe",
        b"MZ",
        b"\xcf\xfa\xed\xfe",
        b"\xce\xfa\xed\xfe",
    ];
    let start = first_bytes(&entry.path);
    start.is_some_and(|start| STARTS.iter().any(|known| start.starts_with(known)))
}

fn apply(submission: &mut PackagedSubmission, entry: &ExpectationRule) {
    let language = submission.language.take();
    submission.language = entry.language.clone().or(language);
    let entry_point = submission.entry_point.take();
    submission.entry_point = entry.entry_point.clone().or(entry_point);
    for rule in &entry.rules {
        submission.rules.push(rule.clone());
        submission.rules.extend(implied(rule));
    }
}

/// Applies `@EXPECTED_RESULTS@` in the source, unless the directory already determines the result.
fn by_comment(
    submission: &mut PackagedSubmission,
    entry: &Entry,
    version: Version,
    group: &Entry,
    known: &[&str],
    tree: &mut Tree,
) -> Result<(), PackageError> {
    const OFFICIAL: [&str; 4] = [
        "accepted",
        "wrong_answer",
        "time_limit_exceeded",
        "run_time_error",
    ];
    let by_directory = OFFICIAL.contains(&group.name.as_str())
        || !version.is_legacy() && !submission.rules.is_empty();
    let annotation = annotation::of(entry, tree)?;
    if let Some(annotation) = &annotation {
        check_annotation(annotation, submission, by_directory, &group.name, tree);
    }
    if by_directory {
        return Ok(());
    }
    match annotation {
        Some(annotation) => {
            submission.rules = vec![Rule {
                expected: annotation.expected,
                ..Rule::default()
            }];
        }
        None if submission.rules.is_empty() => {
            let error = PackageError::new(&submission.path, "has no expected result");
            match nearest(&group.name, known) {
                Some(near) => tree.error(error.remedy(format!("did you mean `{near}/`?"))),
                None => tree.warning(error.remedy(
                    "move it to a directory like `accepted`, or add it to `submissions.yaml`",
                )),
            }
        }
        None => {}
    }
    Ok(())
}

/// Reports names in `@EXPECTED_RESULTS@` that are no verdicts, and a list that contradicts the directory.
fn check_annotation(
    annotation: &Annotation,
    submission: &PackagedSubmission,
    by_directory: bool,
    directory: &str,
    tree: &mut Tree,
) {
    let error = |what: String| PackageError::new(&annotation.path, what);
    if !annotation.unknown.is_empty() {
        let what = format!(
            "`@EXPECTED_RESULTS@` names `{}`, which is no verdict",
            annotation.unknown.join("`, `")
        );
        let remedy = "use CORRECT, WRONG-ANSWER, TIMELIMIT, RUN-ERROR, MEMORY-LIMIT, OUTPUT-LIMIT, \
                      NO-OUTPUT or COMPILER-ERROR";
        tree.warning(error(what).remedy(remedy));
    }
    let outcome = &annotation.expected.outcome;
    let expected = summary(&submission.rules);
    if by_directory
        && !outcome.is_empty()
        && !outcome.iter().any(|verdict| expected.is_met_by(*verdict))
    {
        let codes: Vec<&str> = outcome.iter().map(|verdict| verdict.code()).collect();
        let what = format!(
            "`@EXPECTED_RESULTS@` expects {}, which contradicts its directory `{directory}`",
            codes.join(" or ")
        );
        tree.error(error(what).remedy("move the submission, or remove the comment"));
    }
}

/// Combines all rules about the whole submission.
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
        // If two rules apply, the narrower one is the better summary.
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
    let Some(path) = tree.existing("submissions.json")? else {
        return Ok(());
    };
    // JSON is YAML.
    for (key, node) in tree.yaml(&path)?.entries()? {
        let name = key.text()?.trim_start_matches("submissions/");
        let name = name.trim_end_matches('/');
        if let Some(submission) = found.iter_mut().find(|one| one.name == name) {
            let text = |node: &Node| Ok(Some(node.text()?.to_owned()));
            node.set("entry_point", &mut submission.entry_point, text)?;
            node.set("langid", &mut submission.language, text)?;
        }
    }
    Ok(())
}

fn unused_patterns(
    tree: &mut Tree,
    given: &[(ExpectationRule, Node)],
    found: &[PackagedSubmission],
) {
    for (entry, key) in given {
        let mut names = found.iter().map(|submission| &submission.name);
        if !names.any(|name| matches_path_or_parent(&entry.pattern, name)) {
            let what = format!("`{}` matches no submission", entry.pattern);
            tree.warning(key.error(what));
        }
    }
}
