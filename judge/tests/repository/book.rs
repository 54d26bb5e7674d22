//! Checks the book, whose source is `docs/`: every page is in SUMMARY.md, and every relative link and
//! anchor of the documents resolves. The table of languages is that of `languages.toml`, the sizes of
//! bundles are those of the files, and the unit of systemd is that of the packages.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The documents at the root, and the pages of the book, by their path from the root.
fn documents() -> BTreeMap<String, String> {
    let in_directory = |dir: &str| {
        let entries = fs::read_dir(root().join(dir)).expect("list the documents");
        let paths = entries.map(|entry| entry.expect("read an entry").path());
        let pages =
            paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
        let named = pages.map(|path| {
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            let text = fs::read_to_string(path).expect("read a document");
            (format!("{dir}{name}"), text)
        });
        named.collect::<Vec<_>>()
    };
    let all = in_directory("").into_iter().chain(in_directory("docs/"));
    all.collect()
}

/// The text outside of fenced blocks.
fn prose(text: &str) -> String {
    format!("\n{text}")
        .split("\n```")
        .step_by(2)
        .collect::<Vec<_>>()
        .join("\n")
}

/// The anchors of the headings, as GitHub and mdbook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let text = prose(text);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text
            .chars()
            .filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

/// The targets of all links outside of fenced blocks and code.
fn links(text: &str) -> Vec<String> {
    let code = Regex::new(r"`[^`\n]*`").expect("a valid pattern");
    let link = Regex::new(r"\]\(([^)\s]+)\)").expect("a valid pattern");
    let text = prose(text);
    let text = code.replace_all(&text, "");
    link.captures_iter(&text)
        .map(|found| found[1].to_owned())
        .collect()
}

/// Why a link from `from` is broken, if it is.
fn broken(documents: &BTreeMap<String, String>, from: &str, link: &str) -> Option<String> {
    // The last one is the page of the repository's releases, where GitHub shows a document of the root.
    if link.contains("://") || (link == "../../releases" && !from.contains('/')) {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let is_page = from.starts_with("docs/");
    let target = match path {
        "" => from.to_owned(),
        path if is_page => format!("docs/{path}"),
        path => path.to_owned(),
    };
    if is_page && path.contains('/') && !path.starts_with("figures/") {
        return Some("leaves the book".to_owned());
    }
    if !root().join(&target).exists() {
        return Some(format!("{target} does not exist"));
    }
    let text = documents.get(&target);
    let has_anchor = anchor.is_empty() || text.is_some_and(|text| anchors(text).contains(anchor));
    (!has_anchor).then(|| format!("{target} has no heading for #{anchor}"))
}

#[test]
fn every_link_of_the_documents_resolves() {
    let documents = documents();
    let all = documents.iter().flat_map(|(from, text)| {
        links(text)
            .into_iter()
            .map(move |link| (from.as_str(), link))
    });
    let all: Vec<_> = all.collect();
    assert!(all.len() > 100, "{} links", all.len());
    let wrong = all.iter().filter_map(|(from, link)| {
        broken(&documents, from, link).map(|why| format!("{from}: {link}: {why}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_page_is_in_the_summary_once() {
    let documents = documents();
    let mut listed = links(&documents["docs/SUMMARY.md"]);
    listed.sort();
    let pages = documents
        .keys()
        .filter_map(|path| path.strip_prefix("docs/"));
    let pages: Vec<&str> = pages.filter(|name| *name != "SUMMARY.md").collect();
    assert_eq!(listed, pages);
}

#[test]
fn a_broken_link_is_found() {
    let text = "# A b\n[a](#a-b) [c](x.md) ```\n".to_owned();
    let documents = BTreeMap::from([
        ("docs/folders.md".to_owned(), text),
        ("docs/bundle.md".to_owned(), "# It's C++: `x`\n".to_owned()),
    ]);
    for link in [
        "#a-b",
        "folders.md#a-b",
        "bundle.md#its-c-x",
        "https://x.org/#y",
    ] {
        assert_eq!(broken(&documents, "docs/folders.md", link), None, "{link}");
    }
    for link in ["#b", "absent.md", "bundle.md#x", "../README.md"] {
        assert!(
            broken(&documents, "docs/folders.md", link).is_some(),
            "{link}"
        );
    }
    let links = links("[a](b.md)\n```\n[c](d.md)\n```\n`[e](f.md)` [g](h.md#i)\n");
    assert_eq!(links, ["b.md", "h.md#i"]);
}

/// The rows of the table of languages, from the table of commands.
fn language_rows() -> Vec<String> {
    let file = root().join("judge/core/src/language/languages.toml");
    let text = fs::read_to_string(file).expect("read the table");
    let languages: toml::Table = text.parse().expect("a table");
    let mut rows: Vec<(String, String)> = Vec::new();
    for (code, language) in &languages {
        let name = language["name"].as_str().expect("a name");
        let extensions = language["extensions"].as_array().expect("a list").iter();
        let extensions = extensions.map(|e| format!("`.{}`", e.as_str().expect("text")));
        let mut programs: Vec<String> = Vec::new();
        for profile in language["with"].as_array().expect("a list") {
            let command = profile.get("compile").unwrap_or_else(|| &profile["run"]);
            let mut words = command.as_str().expect("a command").split_whitespace();
            let program = format!("`{}`", words.next().expect("a program"));
            if !programs.contains(&program) {
                programs.push(program);
            }
        }
        let row = format!(
            "| {name} | `{code}` | {} | {} | {} |",
            extensions.collect::<Vec<_>>().join(" "),
            programs.join(", "),
            language["install"].as_str().expect("text"),
        );
        rows.push((name.to_lowercase(), row));
    }
    rows.sort();
    rows.into_iter().map(|(_, row)| row).collect()
}

#[test]
fn the_table_of_languages_is_complete() {
    let page = &documents()["docs/languages.md"];
    let shown: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("| "))
        .skip(1)
        .collect();
    assert_eq!(
        shown,
        language_rows(),
        "update the table in docs/languages.md"
    );
}

/// A source file that a page about the structure or the isolation names exists.
#[test]
fn named_source_files_exist() {
    let is_ours =
        |entry: &DirEntry| !["target", ".git"].contains(&&*entry.file_name().to_string_lossy());
    let files = WalkDir::new(root()).into_iter().filter_entry(is_ours);
    // Other tests may remove a file of theirs at this moment.
    let files = files.filter_map(|entry| Some(entry.ok()?.into_path()));
    let files: Vec<PathBuf> = files.collect();
    let name = Regex::new(r"`(\w[\w./-]*\.(?:rs|c|pl))`").expect("a valid pattern");
    let mut wrong = Vec::new();
    let mut named = 0;
    for page in [
        "isolation",
        "sandbox",
        "fairness",
        "faults",
        "platforms",
        "articles",
        "engines",
        "large-grids",
    ] {
        for found in name.captures_iter(&documents()[&format!("docs/{page}.md")]) {
            named += 1;
            if !files.iter().any(|file| file.ends_with(&found[1])) {
                wrong.push(format!("docs/{page}.md: {}", &found[1]));
            }
        }
    }
    assert!(wrong.is_empty() && named > 50, "{named} names: {wrong:?}");
}

/// The bundles that are files of the packages have the sizes of the page, in thousands of bytes.
#[test]
fn the_sizes_of_bundles_are_those_of_the_files() {
    let page = &documents()["docs/bundle.md"];
    let row = Regex::new(r"(?m)^\| `(\w+)` (Rust|C\+\+) \| (\d+) \|").expect("a valid pattern");
    let mut compared = 0;
    for found in row.captures_iter(page) {
        let (id, shown) = (&found[1], found[3].parse::<u64>().expect("a number"));
        let end = match &found[2] {
            "Rust" => "rust.rs",
            _ => "cpp.cpp",
        };
        let file = format!("testdata/{id}/submissions/accepted/{id}-{end}");
        let bytes = fs::metadata(root().join(&file)).expect("a bundle").len();
        assert_eq!(shown, (bytes + 500) / 1000, "{file}: update docs/bundle.md");
        compared += 1;
    }
    assert!(compared >= 8, "{compared} bundles");
}

#[test]
fn the_unit_of_the_documentation_is_that_of_the_packages() {
    let unit = root().join("packaging/judge-server.service");
    let unit = fs::read_to_string(unit).expect("read the unit");
    let installed = unit.replace("@bindir@", "/usr/local/bin");
    assert_ne!(unit, installed, "the path of the program is filled in");
    let page = &documents()["docs/serve.md"];
    assert!(
        page.contains(&format!("```ini\n{installed}```\n")),
        "copy packaging/judge-server.service to docs/serve.md, with /usr/local/bin"
    );
}
