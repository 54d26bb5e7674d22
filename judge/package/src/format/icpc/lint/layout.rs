//! Checks names, links and directories.

use super::{PackageError, Report, language_code};
use crate::format::icpc::Version;
use crate::input::package_dir::{leads_nowhere, leaves_package};
use crate::input::staging_dir::base_name;
use crate::input::tree::{MAX_ENTRIES, forbidden_name, is_valid_name};
use crate::input::yaml::advice;
use crate::statement::describes_solution;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Larger files cause a warning.
const LARGE: u64 = 100 << 20;

/// The codes in the format's table of languages.
pub const LANGUAGES: [&str; 48] = [
    "ada",
    "algol68",
    "apl",
    "bash",
    "c",
    "cgmp",
    "cobol",
    "cpp",
    "cppgmp",
    "crystal",
    "csharp",
    "d",
    "dart",
    "elixir",
    "erlang",
    "forth",
    "fortran",
    "fsharp",
    "gerbil",
    "go",
    "haskell",
    "java",
    "javaalgs4",
    "javascript",
    "julia",
    "kotlin",
    "lisp",
    "lua",
    "modula2",
    "nim",
    "objectivec",
    "ocaml",
    "octave",
    "odin",
    "pascal",
    "perl",
    "php",
    "prolog",
    "python2",
    "python3",
    "python3numpy",
    "racket",
    "ruby",
    "rust",
    "scala",
    "swift",
    "typescript",
    "zig",
];
/// Codes in that table for rarely used languages.
const RARE_LANGUAGES: [&str; 4] = ["simula", "smalltalk", "snobol", "visualbasic"];

const DIRECTORIES_2025: [&str; 13] = [
    "statement",
    "attachments",
    "solution",
    "data",
    "generators",
    "include",
    "submissions",
    "input_validators",
    "static_validator",
    "output_validator",
    "input_visualizer",
    "output_visualizer",
    "answer_validators",
];
const DIRECTORIES_LEGACY: [&str; 11] = [
    "problem_statement",
    "attachments",
    "data",
    "include",
    "submissions",
    "input_validators",
    "input_format_validators",
    "output_validators",
    "graders",
    "generators",
    "solution",
];

/// Checks names, links and directories.
pub fn check(report: &mut Report<'_>) {
    let id = &report.package.id;
    let mut letters = id.bytes();
    if id.is_empty() || !letters.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) {
        let what = "the package's name has more than lower-case letters and digits";
        // Its directory may be temporary, if it comes from an archive.
        report.error(PackageError::new(id, what).remedy("rename the directory or archive"));
    }
    walk(report);
    directories(report);
    statements(report);
    attachments(report);
    language_directories(report, "include");
    include_of_other_languages(report);
    solution(report);
}

fn walk(report: &mut Report<'_>) {
    let root = report.package.root.clone();
    let real_root = root.canonicalize().unwrap_or_else(|_| root.clone());
    let hidden = |name: &str| name.starts_with(['.', '-']);
    let entries = WalkDir::new(&root)
        .min_depth(1)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || !hidden(&entry.file_name().to_string_lossy()));
    for entry in entries.flatten().take(MAX_ENTRIES) {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy();
        let relative = path.strip_prefix(&root).unwrap_or(path);
        // The content of these was checked by the reader.
        let read_before = ["data", "submissions"]
            .iter()
            .any(|dir| relative.starts_with(dir));
        let mut findings = report.findings.iter();
        let has_finding = findings.any(|finding| finding.error.path == path);
        if !is_valid_name(&name) && !read_before && !has_finding {
            report.warning(forbidden_name(path, "; judges leave it out"));
        }
        if entry.path_is_symlink() && !read_before && !has_finding {
            match path.canonicalize() {
                Ok(target) if target.starts_with(&real_root) => {}
                Ok(target) => report.error(leaves_package(path, &target)),
                Err(e) => report.error(leads_nowhere(path, &e)),
            }
        }
        let is_large = |entry: &DirEntry| entry.metadata().is_ok_and(|m| m.len() > LARGE);
        if entry.file_type().is_file() && is_large(&entry) {
            report.warning(PackageError::new(path, "is larger than 100 MiB"));
        }
    }
}

fn directories(report: &mut Report<'_>) {
    let new = report.is_new();
    let known = match new {
        true => &DIRECTORIES_2025[..],
        false => &DIRECTORIES_LEGACY,
    };
    for path in entries(&report.package.root) {
        let name = base_name(&path);
        if !path.is_dir() || name.starts_with(['.', '-']) || known.contains(&name.as_str()) {
            continue;
        }
        let (other, renamed) = match name.as_str() {
            "problem_statement" => (new, "statement"),
            "output_validators" => (new, "output_validator"),
            "input_format_validators" => (new, "input_validators"),
            "statement" => (!new, "problem_statement"),
            "output_validator" => (!new, "output_validators"),
            "graders" => (new, ""),
            _ => (false, ""),
        };
        if other {
            let remedy = match renamed {
                "" => "remove it".to_owned(),
                name if new => format!("rename it to `{name}`"),
                name => format!(
                    "write `problem_format_version: 2025-09` in `problem.yaml` if the package is of \
                     that version, otherwise rename it to `{name}`"
                ),
            };
            let what = "is a directory of another version of the format";
            // The draft changed its names during its lifetime.
            let is_final = report.version != Version::Draft2023;
            report.error_if(is_final, PackageError::new(path, what).remedy(remedy));
        } else {
            report.warning(
                PackageError::new(path, "is not a directory of the format")
                    .remedy(advice(&name, known)),
            );
        }
    }
}

/// The languages of the problem statements.
pub fn statement_languages(report: &Report<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for dir in ["statement", "problem_statement"] {
        let names = entries(&report.path(dir)).into_iter();
        found.extend(names.filter_map(|path| statement_language(&base_name(&path))));
    }
    found
}

/// The language of `problem.LANGUAGE.tex`; English for a name without language.
fn statement_language(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split('.').collect();
    match parts.as_slice() {
        ["problem", "tex" | "md" | "pdf"] => Some("en".to_owned()),
        ["problem", language, "tex" | "md" | "pdf"] => Some((*language).to_owned()),
        _ => None,
    }
}

fn statements(report: &mut Report<'_>) {
    let found = statement_languages(report);
    let dir = match report.is_new() {
        true => "statement",
        false => "problem_statement",
    };
    if found.is_empty() {
        // Packages for DOMjudge have it next to `problem.yaml`.
        let beside = ["problem.pdf", "problem.html", "problem.txt"];
        let beside = beside.iter().find(|name| report.path(name).is_file());
        let remedy = format!("add `{dir}/problem.en.tex`, `.md` or `.pdf`");
        let complaint = match beside {
            Some(name) => PackageError::new(
                report.path(name),
                format!("is the only statement, where only DOMjudge reads it: not in `{dir}`"),
            ),
            None => PackageError::new(report.path(dir), "there is no problem statement"),
        };
        report.error_if(beside.is_none(), complaint.remedy(remedy));
    }
    for language in found.iter().collect::<BTreeSet<_>>() {
        if let Some(remedy) = language_code::complaint(language) {
            let what = format!("`{language}` in the name of a statement is not a language code");
            report.error(PackageError::new(report.path(dir), what).remedy(remedy));
        }
        let count = found.iter().filter(|own| own == &language).count();
        if count > 1 && report.version == Version::V2025 {
            let what = format!("has {count} statements in `{language}`: judges show one of them");
            report.warning(PackageError::new(report.path(dir), what).remedy("remove the others"));
        }
    }
    if report.version == Version::V2025 {
        for end in ["tex", "md", "pdf"] {
            let path = report.path(&format!("statement/problem.{end}"));
            if path.is_file() {
                report.error(
                    PackageError::new(&path, "has no language in its name")
                        .remedy(format!("rename it to `problem.en.{end}`")),
                );
            }
        }
    }
}

fn attachments(report: &mut Report<'_>) {
    if !report.is_new() {
        return;
    }
    for path in entries(&report.path("attachments")) {
        if path.is_dir() && base_name(&path) != "templates" {
            report.error(
                PackageError::new(path, "is a directory in `attachments`")
                    .remedy("pack it as a zip file, or move its files up"),
            );
        }
    }
    language_directories(report, "attachments/templates");
}

/// Checks a directory that contains one directory per language.
fn language_directories(report: &mut Report<'_>, name: &str) {
    for path in entries(&report.path(name)) {
        let code = base_name(&path);
        if code.starts_with('.') || code.starts_with("README") {
            continue;
        }
        if !path.is_dir() {
            let what = format!("is directly in `{name}` and is left out");
            report.error(
                PackageError::new(&path, what)
                    .remedy(format!("move it to `{name}/default` or `{name}/LANGUAGE`")),
            );
        } else if code != "default" && !is_language(&code) {
            report.error(
                PackageError::new(&path, format!("`{code}` is not a language code"))
                    .remedy(advice(&code, &LANGUAGES)),
            );
        } else if std::fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_none()) {
            report.error(PackageError::new(&path, "is empty").remedy("remove it"));
        }
    }
}

/// Reports files for submissions in a language that the package does not allow.
fn include_of_other_languages(report: &mut Report<'_>) {
    let Some(allowed) = &report.package.languages else {
        return;
    };
    for path in entries(&report.path("include")) {
        let code = base_name(&path);
        if path.is_dir() && is_language(&code) && !allowed.contains(&code) {
            let what =
                format!("is for `{code}`, which `languages` in `problem.yaml` does not allow");
            let error = PackageError::new(&path, what);
            report.error_if(
                report.version == Version::V2025,
                error.remedy("add the language there, or remove the directory"),
            );
        }
    }
}

/// Warns if no file in `solution` is found as the description of the solution.
fn solution(report: &mut Report<'_>) {
    let dir = report.path("solution");
    let is_found = |path: &PathBuf| describes_solution(&base_name(path));
    if report.version == Version::V2025 && dir.is_dir() && !entries(&dir).iter().any(is_found) {
        let what = "has no `solution.LANGUAGE.tex`, `.md` or `.pdf`";
        report
            .warning(PackageError::new(dir, what).remedy("rename the description of the solution"));
    }
}

/// Whether the format's table contains this code.
pub fn is_language(code: &str) -> bool {
    LANGUAGES.contains(&code) || RARE_LANGUAGES.contains(&code)
}

/// The entries of a directory, sorted by file name; none if it cannot be read.
pub fn entries(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
