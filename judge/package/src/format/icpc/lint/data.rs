//! Checks test data: existence, encoding, and which files belong together.

use super::layout::entries;
use super::{PackageError, Report};
use crate::format::common::last;
use crate::format::icpc::Version;
use crate::format::icpc::data::{RawCase, RawDir, scan};
use crate::input::staging_dir::base_name;
use crate::input::tree::Tree;
use crate::input::yaml::advice;
use crate::model::{AnswersAreOutputs, Validator};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub fn check(report: &mut Report<'_>) {
    let package = report.package;
    let samples = package.cases().iter().filter(|case| case.sample).count();
    if samples == 0 {
        report.warning(
            PackageError::new(report.path("data/sample"), "there are no samples")
                .remedy("add some as `data/sample/NAME.in` and `.ans`"),
        );
    }
    if samples == package.cases().len() {
        let remedy = match report.path("generators/generators.yaml").is_file() {
            true => "`judge gen` makes them as `generators/generators.yaml` says",
            false => "add some as `data/secret/NAME.in` and `.ans`",
        };
        report.error(
            PackageError::new(report.path("data/secret"), "there are no secret test cases")
                .remedy(remedy),
        );
    }
    let scanned = Tree::new(&package.root)
        .and_then(|mut tree| scan(&mut tree, &report.path("data"), "", report.version));
    if let Ok(data) = scanned {
        directories(report, &data);
        walk(report, &data);
    }
    encodings(report);
    answers_fit(report);
    files_of_validators(report);
}

/// Reports a file in `.files` with the name of one of an input validator, which finds both in its directory.
fn files_of_validators(report: &mut Report<'_>) {
    let package = report.package;
    if report.version != Version::V2025 {
        return;
    }
    let validators = package.input_validators.iter();
    let own: BTreeSet<String> = validators
        .flat_map(|validator| match validator.path.is_dir() {
            true => entries(&validator.path),
            false => vec![validator.path.clone()],
        })
        .map(|path| base_name(&path))
        .collect();
    for dir in package
        .cases()
        .iter()
        .filter_map(|case| case.files.as_ref())
    {
        for path in entries(dir)
            .iter()
            .filter(|path| own.contains(&base_name(path)))
        {
            let what = "has the name of a file of an input validator";
            report.error(PackageError::new(path, what).remedy("rename one of the two"));
        }
    }
}

/// Warns of the directories in `data` that no tool reads. With legacy's `testdata.yaml`, also in the
/// draft, they are test groups.
fn directories(report: &mut Report<'_>, data: &RawDir) {
    const KNOWN: [&str; 5] = [
        "sample",
        "secret",
        "invalid_input",
        "invalid_output",
        "valid_output",
    ];
    let unknown = |dir: &&RawDir| !KNOWN.contains(&dir.name.as_str());
    let is_draft = report.version == Version::Draft2023;
    let are_groups = !report.is_new() || is_draft && data.has_testdata_yaml();
    for dir in data.dirs.iter().filter(unknown) {
        if !are_groups {
            let what = "is not a directory of the format; its cases are left out";
            report.warning(PackageError::new(&dir.path, what).remedy(advice(&dir.name, &KNOWN)));
        }
    }
}

/// Checks that a program may print the answers: the output limit stops one that prints more. Like
/// problemtools, warns from half of the limit. Answers of an interactive problem are not outputs,
/// and those for a validator of the package need not be.
fn answers_fit(report: &mut Report<'_>) {
    let package = report.package;
    if package.kind.interactive || package.kind.multi_pass || package.kind.submit_answer {
        return;
    }
    const MIB: u64 = 1 << 20;
    let limit = package.limits.output;
    let by_default = package
        .validation
        .validators()
        .iter()
        .any(|validator| matches!(validator, Validator::Default(_)));
    let all_are_outputs = by_default || package.policy.answers == AnswersAreOutputs::Always;
    for case in package.cases() {
        let Some(path) = &case.answer else { continue };
        let size = path.metadata().map_or(0, |metadata| metadata.len());
        if size <= limit / 2 {
            continue;
        }
        let compared = match size > limit {
            true => "larger than",
            false => "more than half of",
        };
        let what = format!(
            "has {:.1} MiB, which is {compared} the output limit of {} MiB",
            size as f64 / MIB as f64,
            limit / MIB,
        );
        let enough = size.saturating_mul(2).div_ceil(MIB);
        let error = PackageError::new(&**path, what)
            .remedy(format!("set `limits: output`, for example to {enough}"));
        report.error_if(size > limit && (all_are_outputs || case.sample), error);
    }
}

fn walk(report: &mut Report<'_>, dir: &RawDir) {
    for case in &dir.cases {
        shown(report, case);
        if case.name.ends_with("/test_group") {
            let what = "has a name that is kept for a group's settings";
            report
                .error(PackageError::new(&case.files[".in"], what).remedy("rename the test case"));
        }
    }
    for inner in &dir.dirs {
        walk(report, inner);
    }
}

/// Checks that each file shown in statements is given at most once.
fn shown(report: &mut Report<'_>, case: &RawCase) {
    let has = |ending: &str| case.files.contains_key(ending);
    for (what, endings) in [
        (
            "the input for the statement",
            &[".in.statement", ".interaction"][..],
        ),
        (
            "the output for the statement",
            &[".out", ".ans.statement", ".interaction"],
        ),
        ("the output for download", &[".out", ".ans.download"]),
        ("illustrations", &[".png", ".jpg", ".jpeg", ".svg"]),
    ] {
        let given: Vec<&str> = endings.iter().copied().filter(|end| has(end)).collect();
        if let [_, second, ..] = given[..] {
            let what = format!("{what} is given twice: `{}`", given.join("` and `"));
            report.error(
                PackageError::new(&case.files[second], what).remedy("remove one of the two"),
            );
        }
    }
    if let Some(path) = case.files.get(".interaction") {
        interaction(report, path);
    }
    for (ending, key) in [(".desc", "description"), (".hint", "hint")] {
        if let Some(path) = case.files.get(ending).filter(|_| report.is_new()) {
            let what = "is a file of version `legacy`, which other judges leave out";
            let remedy = format!("write its text as `{key}:` into {}.yaml", last(&case.name));
            report.warning(PackageError::new(path, what).remedy(remedy));
        }
    }
    if !report.is_new() || !case.name.starts_with("sample/") {
        return;
    }
    for file in [".in", ".ans"] {
        let shown = has(&format!("{file}.statement")) || has(".interaction");
        let downloaded = has(&format!("{file}.download"));
        if shown != downloaded && !(file == ".ans" && has(".out")) {
            let missing = if shown { "download" } else { "statement" };
            let what = format!("`{file}` is replaced for one use, but not for `{file}.{missing}`");
            report.error(
                PackageError::new(&case.files[".in"], what)
                    .remedy(format!("add `{file}.{missing}`; it may be a link")),
            );
        }
    }
}

/// Checks that each line of an interaction says who speaks, or separates two passes.
fn interaction(report: &mut Report<'_>, path: &Path) {
    const MOST: u64 = 1 << 20;
    let mut text = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST).read_to_end(&mut text));
    let text = String::from_utf8_lossy(&text);
    let is_known = |line: &str| line.starts_with(['<', '>']) || line.trim_end() == "---";
    let wrong = text
        .lines()
        .position(|line| !line.is_empty() && !is_known(line));
    if let (Ok(_), Some(line)) = (read, wrong) {
        let what = format!("line {} begins with neither `<` nor `>`", line + 1);
        report.error(PackageError::new(path, what).remedy(
            "write `<` before what the judge writes, `>` before what the submission writes, and `---` between passes",
        ));
    }
}

/// The defects of a text file.
#[derive(Default)]
struct Text {
    bom: bool,
    carriage_return: Option<usize>,
    not_utf8: bool,
    no_final_newline: bool,
}

fn encodings(report: &mut Report<'_>) {
    let package = report.package;
    let own = &package.validator_cases;
    let cases = package.cases().into_iter().chain(&own.valid_output);
    let mut files: Vec<(PathBuf, bool)> = Vec::new();
    for case in cases {
        let data = std::iter::once(&case.input).chain(&case.answer);
        files.extend(data.map(|file| (file.to_path_buf(), true)));
        files.extend(case.output.clone().map(|file| (file, true)));
    }
    files.push((report.path("problem.yaml"), false));
    files.push((report.path("submissions/submissions.yaml"), false));
    for dir in ["statement", "problem_statement"] {
        for path in entries(&report.path(dir)) {
            let name = base_name(&path);
            if name.ends_with(".tex") || name.ends_with(".md") {
                files.push((path, false));
            }
        }
    }
    for (path, is_data) in files {
        let Ok(found) = text_of(&path) else {
            continue;
        };
        // The format requires UTF-8 without a byte-order mark; other defects are only unusual.
        if found.bom {
            let finding = PackageError::new(&path, "begins with a byte-order mark");
            report.error_if(is_data, finding.remedy("save it as UTF-8 without the mark"));
        }
        if found.not_utf8 {
            let finding = PackageError::new(&path, "is not UTF-8");
            report.error_if(is_data, finding.remedy("save it as UTF-8"));
        }
        if let Some(line) = found.carriage_return {
            let what = format!("has Windows line ends, first in line {line}");
            report.warning(PackageError::new(&path, what).remedy("convert it with `dos2unix`"));
        }
        if found.no_final_newline {
            report.warning(
                PackageError::new(&path, "does not end with a newline")
                    .remedy("add a newline at the end"),
            );
        }
    }
}

/// Examines a file of any size in pieces.
fn text_of(path: &Path) -> io::Result<Text> {
    if !path.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut file = File::open(path)?;
    let mut found = Text::default();
    let mut buffer = vec![0; 1 << 16];
    // The length of a character that was cut off at the end of the previous piece.
    let mut begun = 0;
    let (mut lines, mut first, mut last) = (0, true, b'\n');
    loop {
        let read = file.read(&mut buffer[begun..])?;
        let piece = &buffer[..begun + read];
        if read == 0 {
            found.not_utf8 |= begun > 0;
            break;
        }
        if first && piece.starts_with(b"\xef\xbb\xbf") {
            found.bom = true;
        }
        first = false;
        let fresh = &piece[begun..];
        if found.carriage_return.is_none() {
            let at = fresh.iter().position(|&byte| byte == b'\r');
            let before = &fresh[..at.unwrap_or(fresh.len())];
            lines += before.iter().filter(|&&byte| byte == b'\n').count();
            found.carriage_return = at.map(|_| lines + 1);
        }
        last = fresh[fresh.len() - 1];
        let rest = match std::str::from_utf8(piece) {
            Ok(_) => piece.len(),
            Err(e) if e.error_len().is_none() => e.valid_up_to(),
            Err(_) => {
                found.not_utf8 = true;
                piece.len()
            }
        };
        let end = piece.len();
        buffer.copy_within(rest..end, 0);
        begun = end - rest;
    }
    found.no_final_newline = last != b'\n';
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::text_of;

    #[test]
    fn texts_are_read_in_pieces() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("text");
        // A two-byte character that crosses the boundary of the first piece.
        let long = format!("{}é\n", "x".repeat((1 << 16) - 1));
        for (content, bom, line, not_utf8, cut) in [
            (b"".to_vec(), false, None, false, false),
            (b"a\nb\n".to_vec(), false, None, false, false),
            (b"a".to_vec(), false, None, false, true),
            (b"\xef\xbb\xbfa\n".to_vec(), true, None, false, false),
            (b"a\nb\r\nc\r\n".to_vec(), false, Some(2), false, false),
            (b"a\xff\n".to_vec(), false, None, true, false),
            (b"a\n\xc3".to_vec(), false, None, true, true),
            (long.into_bytes(), false, None, false, false),
        ] {
            std::fs::write(&path, &content).unwrap();
            let found = text_of(&path).unwrap();
            let facts = (
                found.bom,
                found.carriage_return,
                found.not_utf8,
                found.no_final_newline,
            );
            assert_eq!(
                facts,
                (bom, line, not_utf8, cut),
                "{:?}",
                &content[..content.len().min(9)]
            );
        }
    }
}
