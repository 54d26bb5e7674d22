//! Checks the keys of `problem.yaml` that do not affect judging.

use super::layout::{LANGUAGES, is_language};
use super::{PackageError, Report, language_code};
use crate::format::icpc::Version;
use crate::input::yaml::{self, Node, Value, advice};

const LICENSES: [&str; 7] = [
    "unknown",
    "public domain",
    "cc0",
    "cc by",
    "cc by-sa",
    "educational",
    "permission",
];
const CREDITS: [&str; 6] = [
    "authors",
    "contributors",
    "testers",
    "translators",
    "packagers",
    "acknowledgements",
];

/// Checks the metadata; unreadable files are errors of the reader.
pub fn check(report: &mut Report<'_>) {
    let file = report.path("problem.yaml");
    // The reader has already reported duplicate keys.
    let Ok((yaml, _)) = yaml::read_leniently(&file) else {
        return;
    };
    if report.is_new() {
        required(report, &yaml);
        statement_languages(report, &yaml);
        let credits = yaml.optional("credits", credits);
        let source = yaml.optional("source", source);
        for error in [credits, source].into_iter().filter_map(Result::err) {
            report.error(error);
        }
        let languages = yaml.get("languages").filter(|node| !node.is("all"));
        if let Some(node) = languages.filter(|node| node.items().is_err()) {
            let error = node.error("`languages` must be `all` or a list");
            report.error(error.remedy("write `languages: [cpp, java]`"));
        }
        for node in languages.map_or(&[][..], Node::one_or_more) {
            let code = node.scalar().unwrap_or_default();
            if !is_language(code) {
                let what = format!("`languages` names `{code}`, which is not a language code");
                report.error(node.error(what).remedy(advice(code, &LANGUAGES)));
            }
        }
        let embargo = yaml.get("embargo_until");
        if let Some(node) = embargo.filter(|node| !node.scalar().is_some_and(is_date)) {
            let error = node.error("`embargo_until` is not a date");
            report.error(error.remedy("write `2026-01-31` or `2026-01-31T12:00:00Z`"));
        }
        let keywords = yaml.get("keywords");
        if let Some(node) = keywords.filter(|node| node.texts().is_err()) {
            let error = node.error("`keywords` must be a list of texts");
            report.error(error.remedy("write `keywords: [graphs, greedy]`"));
        }
        let limits = yaml.get("limits");
        if let Some(passes) = limits.and_then(|limits| limits.get("validation_passes"))
            && !report.package.kind.multi_pass
        {
            report.error(passes.error("`validation_passes` is only for type `multi-pass`"));
        }
    } else if let Some(url) = yaml.get("source_url")
        && yaml.get("source").is_none()
    {
        let error = url.error("`source_url` without `source`");
        report.error(error.remedy("add `source`"));
    }
    let name = yaml.get("name").into_iter();
    let names = name.flat_map(|name| match &name.value {
        Value::Map(entries) => entries.iter().map(|(_, text)| text).collect(),
        _ => vec![name],
    });
    for name in names.filter(|name| name.scalar().is_some_and(|text| text.trim().is_empty())) {
        let error = name.error("`name` is empty");
        report.error(error.remedy("write the problem's title"));
    }
    let uuid = yaml.get("uuid");
    if let Some(node) = uuid.filter(|node| !node.scalar().is_some_and(is_uuid)) {
        const REMEDY: &str = "make one with `uuidgen`: 8, 4, 4, 4 and 12 hexadecimal digits";
        report.error(node.error("`uuid` is not a UUID").remedy(REMEDY));
    }
    license(report, &yaml);
}

fn required(report: &mut Report<'_>, yaml: &Node) {
    for (key, remedy) in [
        ("name", "add `name: The Problem's Title`"),
        ("uuid", "make one with `uuidgen`"),
    ] {
        if yaml.get(key).is_none() {
            let what = format!("the key `{key}` is missing");
            let complaint = PackageError::new(report.path("problem.yaml"), what).remedy(remedy);
            report.error_if(report.version != Version::Draft2023, complaint);
        }
    }
}

/// Checks that the languages of `name` are those of the statements.
fn statement_languages(report: &mut Report<'_>, yaml: &Node) {
    let Some(name) = yaml.get("name") else {
        return;
    };
    let mut named = match &name.value {
        Value::Map(entries) => entries
            .iter()
            .filter_map(|(key, _)| key.scalar().map(str::to_owned))
            .collect(),
        _ => vec!["en".to_owned()],
    };
    let mut written = super::layout::statement_languages(report);
    named.sort();
    written.sort();
    written.dedup();
    if !written.is_empty() && named != written {
        report.error(
            name.error(format!(
                "the names are in {}, but the statements in {}",
                named.join(", "),
                written.join(", ")
            ))
            .remedy("give a name for each language with a statement, and no other"),
        );
    }
}

fn license(report: &mut Report<'_>, yaml: &Node) {
    let license = yaml.get("license");
    if license.is_none() && report.version == Version::V2025 {
        let what =
            "the key `license` is missing, which means `unknown`: others may not use the problem";
        let remedy = "add `license: cc by-sa` and `rights_owner`, or another license of the format; \
                      `license: unknown` says that it is meant so";
        report.warning(PackageError::new(report.path("problem.yaml"), what).remedy(remedy));
    }
    let text = license.and_then(Node::scalar).unwrap_or("unknown");
    if let Some(node) = license
        && !LICENSES.contains(&text)
    {
        report.error(node.is_not("a license of the format", text, &LICENSES));
        return;
    }
    let owner = yaml.get("rights_owner");
    if text == "public domain" {
        if let Some(owner) = owner {
            report.error(
                owner
                    .error("what is in the public domain has no rights owner")
                    .remedy("remove `rights_owner`, or name another license"),
            );
        }
    } else if text != "unknown" {
        let credits = yaml.get("credits");
        let authors = credits
            .is_some_and(|credits| credits.scalar().is_some() || credits.get("authors").is_some());
        let others = owner.or(yaml.get("author")).or(yaml.get("source"));
        let known = authors || others.is_some();
        if let Some(node) = license
            && !known
        {
            report.error(
                node.error(format!("license `{text}` needs a rights owner"))
                    .remedy("add `rights_owner`, authors in `credits`, or `source`"),
            );
        }
    }
}

fn credits(node: &Node) -> Result<(), PackageError> {
    if node.scalar().is_some() {
        return node.text().map(|_| ());
    }
    node.only(&CREDITS)?;
    for (key, value) in node.entries()? {
        if key.is("translators") {
            for (language, persons) in value.entries()? {
                if let Some(remedy) = language_code::complaint(language.text()?) {
                    let error = language.error("is not the code of a language");
                    return Err(error.remedy(remedy));
                }
                people(persons)?;
            }
        } else {
            people(value)?;
        }
    }
    Ok(())
}

fn people(node: &Node) -> Result<(), PackageError> {
    if node.one_or_more().is_empty() {
        return Err(node.error("expected a person, or a list of persons, found nothing"));
    }
    for person in node.one_or_more() {
        if let Value::Map(_) = &person.value {
            person.only(&["name", "email", "orcid", "kattis"])?;
            if person.optional("name", Node::text)?.is_none() {
                return Err(person.error("the person has no `name`"));
            }
        } else {
            person.text()?;
        }
    }
    Ok(())
}

fn source(node: &Node) -> Result<(), PackageError> {
    for item in node.one_or_more() {
        if let Value::Map(_) = &item.value {
            item.only(&["name", "url"])?;
            if item.get("name").is_none() {
                return Err(item.error("the source has no `name`"));
            }
        } else {
            item.text()?;
        }
    }
    Ok(())
}

fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && text.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

/// Matches `2026-01-31`, optionally followed by `T12:00:00Z`.
fn is_date(text: &str) -> bool {
    let fits = |text: &str, pattern: &str| {
        text.len() == pattern.len()
            && text.bytes().zip(pattern.bytes()).all(|(c, p)| match p {
                b'0' => c.is_ascii_digit(),
                _ => c == p,
            })
    };
    let Some(date) = text.get(..10) else {
        return false;
    };
    let number = |range: std::ops::Range<usize>| date[range].parse::<u32>().unwrap_or(0);
    fits(date, "0000-00-00")
        && (1..=12).contains(&number(5..7))
        && (1..=31).contains(&number(8..10))
        && (text.len() == 10 || fits(&text[10..], "T00:00:00Z"))
}
