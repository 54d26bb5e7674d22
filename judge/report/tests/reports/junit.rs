//! Checks the JUnit report against the schema of Jenkins' xUnit plugin and GitLab: elements,
//! attributes, children, types of figures, and counts.

use super::runs::{fixed, interrupted, reported};
use judge_report::JUnit;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;

/// Element, allowed children, allowed attributes; a required attribute ends with `!`.
const ELEMENTS: [(&str, &[&str], &[&str]); 10] = [
    (
        "testsuites",
        &["testsuite"],
        &["name", "time", "tests", "failures", "errors"],
    ),
    (
        "testsuite",
        &["properties", "testcase", "system-out", "system-err"],
        &[
            "name!",
            "tests!",
            "failures!",
            "errors!",
            "time",
            "skipped",
            "timestamp",
        ],
    ),
    ("properties", &["property"], &[]),
    ("property", &[], &["name!", "value!"]),
    (
        "testcase",
        &["skipped", "error", "failure", "system-out", "system-err"],
        &["name!", "time", "classname"],
    ),
    ("skipped", &[], &["message", "type"]),
    ("error", &[], &["message", "type"]),
    ("failure", &[], &["message", "type"]),
    ("system-out", &[], &[]),
    ("system-err", &[], &[]),
];

/// Checks a document and returns the number of occurrences of each element.
fn check(xml: &str) -> BTreeMap<String, usize> {
    let mut reader = Reader::from_str(xml);
    let mut open: Vec<String> = Vec::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    // Counts of the suite's children: testcase, failure, error, skipped.
    let mut claimed: Vec<BTreeMap<String, usize>> = Vec::new();
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Start(start) => {
                begin(&start, &open, &mut counts, &mut claimed);
                open.push(name_of(&start));
            }
            Event::Empty(start) => begin(&start, &open, &mut counts, &mut claimed),
            Event::End(_) => {
                open.pop();
            }
            Event::Text(text) => {
                let parent = open.last().map_or("", String::as_str);
                let is_blank = text.iter().all(u8::is_ascii_whitespace);
                let takes_text = ["error", "failure", "system-out", "system-err"].contains(&parent);
                assert!(is_blank || takes_text, "text in {parent}");
            }
            Event::Eof => break,
            _ => {}
        }
    }
    let total = |name: &str| {
        claimed
            .iter()
            .skip(1)
            .map(|suite| suite[name])
            .sum::<usize>()
    };
    for (attribute, element) in [
        ("tests", "testcase"),
        ("failures", "failure"),
        ("errors", "error"),
    ] {
        let found = counts.get(element).copied().unwrap_or(0);
        assert_eq!(total(attribute), found, "{attribute} of the suites");
        assert_eq!(claimed[0][attribute], found, "{attribute} of the document");
    }
    counts
}

fn name_of(start: &BytesStart<'_>) -> String {
    String::from_utf8(start.name().as_ref().to_vec()).expect("ASCII")
}

fn begin(
    start: &BytesStart<'_>,
    open: &[String],
    counts: &mut BTreeMap<String, usize>,
    claimed: &mut Vec<BTreeMap<String, usize>>,
) {
    let name = name_of(start);
    *counts.entry(name.clone()).or_default() += 1;
    let rule = |name: &str| ELEMENTS.iter().find(|rule| rule.0 == name);
    let (_, _, attributes) = rule(&name).unwrap_or_else(|| panic!("unknown element {name}"));
    match open.last().and_then(|parent| rule(parent)) {
        None => assert_eq!(name, "testsuites"),
        Some((parent, children, _)) => {
            assert!(children.contains(&&*name), "{name} in {parent}");
        }
    }
    let mut found = BTreeMap::new();
    for attribute in start.attributes() {
        let attribute = attribute.expect("parse an attribute");
        let key = String::from_utf8(attribute.key.as_ref().to_vec()).expect("ASCII");
        let value = String::from_utf8(attribute.value.to_vec()).expect("UTF-8");
        let is_known = attributes
            .iter()
            .any(|known| known.trim_end_matches('!') == key);
        assert!(is_known, "{name} has {key}");
        let is_figure = match key.as_str() {
            "time" => {
                let digits = value.chars().all(|c| c.is_ascii_digit() || c == '.');
                digits && value.split('.').nth(1).is_none_or(|part| part.len() <= 3)
            }
            "tests" | "failures" | "errors" | "skipped" => value.parse::<usize>().is_ok(),
            _ => true,
        };
        assert!(is_figure, "{key}={value}");
        found.insert(key, value);
    }
    for required in attributes.iter().filter_map(|name| name.strip_suffix('!')) {
        assert!(found.contains_key(required), "{name} lacks {required}");
    }
    if name.starts_with("testsuite") {
        let count = |key: &str| found.get(key).map_or(0, |value| value.parse().unwrap_or(0));
        let keys = ["tests", "failures", "errors"];
        claimed.push(
            keys.into_iter()
                .map(|key| (key.to_owned(), count(key)))
                .collect(),
        );
    }
}

#[test]
fn the_document_conforms_to_the_schema() {
    for events in [fixed(), interrupted()] {
        let counts = check(&reported(&events, |out| Box::new(JUnit::new(out))));
        assert!(
            counts["testcase"] > 2 && counts["failure"] > 1,
            "{counts:?}"
        );
    }
}

#[test]
#[should_panic(expected = "testsuites has colour")]
fn an_unknown_attribute_is_rejected() {
    check("<testsuites colour=\"red\"/>");
}
