//! Accepted and rejected `generators.yaml` files.

use super::{MAX_CASES, read};
use judge_package::yaml;
use std::path::Path;

fn complaint(text: &str) -> String {
    let node = yaml::parse(Path::new("generators.yaml"), text).expect("YAML");
    read(&node, &[], None)
        .map(|spec| format!("{} cases", spec.cases.len()))
        .unwrap_or_else(|e| e.to_string())
}

#[test]
fn settings_of_the_root_directory() {
    let text = "visualizer: /v.py\ngitignore_generated: true\n\
                test_group.yaml: {output_validator_args: [case_sensitive]}\n\
                data: {secret: {test_group.yaml: {max_score: 5}, data: {a: g 1}}}\n";
    let node = yaml::parse(Path::new("generators.yaml"), text).expect("YAML");
    let files = read(&node, &[], None).expect("rules").group_files;
    let paths: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(paths, ["secret/test_group.yaml", "test_group.yaml"]);
    assert!(files["test_group.yaml"].text.contains("case_sensitive"));
}

#[test]
fn files_of_other_versions_and_tools() {
    let secret = "data: {secret: {data: {a: g 1}}}\n";
    assert_eq!(complaint(&format!("unknown_key: 1\n{secret}")), "1 cases");
    assert!(complaint(&format!("retrys: 1\n{secret}")).contains("did you mean `retries`?"));
    // A group may be a case with a misspelt key.
    let group = |keys: &str| complaint(&format!("data: {{secret: {{data: {{w: {{{keys}}}}}}}}}\n"));
    assert!(group("difficulty: 3, data: {a: g 1}").contains("unknown key `difficulty`"));
    assert!(group("retrys: 3, data: {a: g 1}").contains("did you mean `retries`?"));
    assert!(group("generat: tree 1 4").contains("did you mean `generate`?"));
    assert!(group("difficulty: 3").contains("unknown key `difficulty`"));
    let old = complaint("data: {invalid_inputs: {data: {a: g 1}}}\n");
    assert!(old.contains("call it `invalid_input`"), "{old}");
    assert_eq!(
        complaint("data: {secret: {type: directory, data: {a: g 1}}}\n"),
        "1 cases"
    );
    assert_eq!(complaint("data: {fuzz: {data: {a: g 1}}}\n"), "1 cases");
}

#[test]
fn roots_are_included_and_a_case_once() {
    let text = "data:\n  invalid_input: {include: [b]}\n  secret:\n    include: [both, sample]\n  sample:\n    data:\n      \
                both:\n        data: {x: {include: ['a']}, y: {include: ['a']}}\n      b: {in: 2, match: '(?=2)'}\n";
    let text = text.replace("      both:", "      a: {in: 1}\n      both:");
    let node = yaml::parse(Path::new("generators.yaml"), &text).expect("YAML");
    let spec = read(&node, &[], None).expect("rules");
    let paths: Vec<&str> = spec.cases.iter().map(|case| case.path.as_str()).collect();
    let expected = [
        "sample/a",
        "sample/b",
        "sample/both/x/a",
        "sample/both/y/a",
        "secret/a",
        "secret/b",
        "invalid_input/b",
    ];
    assert_eq!(paths, expected);
    assert!(
        spec.warnings[0].contains("is skipped"),
        "{:?}",
        spec.warnings
    );
}

/// The names are those that `bt generate` of BAPCtools 2026.10 gives these cases.
#[test]
fn numbers_are_those_of_bapctools() {
    let text = "data:\n  fuzz: {data: ['': g 9]}\n  testing_tool_test: {data: ['': g 8]}\n  secret:\n    data:\n      \
                small: {data: [x: g 1, y: {data: [z: g 2]}, '': {data: [v: g 3]}]}\n      \
                large: {data: [w: {generate: 'g {count}', count: 2}]}\n      case: g 5\n";
    let node = yaml::parse(Path::new("generators.yaml"), text).expect("YAML");
    let spec = read(&node, &[], None).expect("rules");
    let paths: Vec<&str> = spec.cases.iter().map(|case| case.path.as_str()).collect();
    let expected = [
        "secret/case",
        "secret/large/1-w-1",
        "secret/large/2-w-2",
        "secret/small/3-x",
        "secret/small/1-y/4-z",
        "secret/small/2/5-v",
        "testing_tool_test/6",
        "fuzz/7",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn links_are_restricted_to_files_of_the_same_kind() {
    let linked = |links: &str| {
        complaint(&format!(
            "data: {{sample: {{data: {{a: {{in: x, {links}}}}}}}}}\n"
        ))
    };
    assert_eq!(linked("in.download: {link: in}"), "1 cases");
    assert_eq!(
        linked("in.statement: y, in.download: {link: in.statement}"),
        "1 cases"
    );
    let crossed = linked("in.download: {link: ans}");
    assert!(crossed.contains("`in.statement`"), "{crossed}");
    let chain = linked("in.statement: {link: in}, in.download: {link: in.statement}");
    assert!(chain.contains("`in.statement` is a link itself"), "{chain}");
    let input = linked("ans: {link: in}");
    assert!(input.contains("expected text, found a map"), "{input}");
    let shown = complaint("data: {sample: {data: {a: {in.statement: x}}}}\n");
    assert!(
        shown.contains("no `.in.statement` without `.in`"),
        "{shown}"
    );
}

#[test]
fn hostile_rules_are_bounded() {
    let counted = |count: &str| {
        complaint(&format!(
            "data: {{secret: {{data: [a: {{generate: g, count: {count}}}]}}}}"
        ))
    };
    assert_eq!(counted("[1, -3]"), "2 cases");
    let extremes = "[-9223372036854775808, 9223372036854775807]";
    assert!(counted(extremes).contains("not an integer below 2^40"));
    assert!(counted("-9223372036854775808..=1").contains("expected a range"));
    let many = "expected 1 to 100 counts, each once\n  help: continue in another case";
    assert!(counted("1000000").contains(many));
    assert!(counted("0").ends_with("expected 1 to 100 counts, each once"));

    // A thousand groups, each with the thousand cases of the first.
    let mut text = "data:\n  secret:\n    data:\n      - g:\n          data:\n".to_owned();
    for case in 0..1000 {
        text.push_str(&format!("            c{case}: x\n"));
    }
    for group in 0..1000 {
        text.push_str(&format!("      - h{group}: {{include: [g]}}\n"));
    }
    assert!(complaint(&text).contains(&format!("more than {MAX_CASES} cases\n  help: reduce")));
}
