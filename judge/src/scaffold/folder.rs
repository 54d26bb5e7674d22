//! Creates plain folders: samples in `test/`, and a program copied from the user's template.

use super::address::suggested_id;
use super::package::write_samples;
use super::{Draft, put};
use judge_core::error::Failure;
use judge_core::files::failed;
use judge_package::SETTINGS_FILE;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

#[derive(Debug)]
pub struct Folder {
    pub dir: PathBuf,
    /// The program, if there is a template.
    pub program: Option<PathBuf>,
}

/// Creates the folder `name` below `into`, which is created as well if it is missing.
/// Fails when the name is not that of a folder, or in use, or a file cannot be read or written. Nothing is created
/// then.
pub fn create_folder(
    into: &Path,
    name: &str,
    template: Option<&Path>,
    draft: &Draft,
) -> Result<Folder, Failure> {
    let mut parts = Path::new(name).components();
    if !matches!(
        (parts.next(), parts.next()),
        (Some(Component::Normal(_)), None)
    ) {
        return Err(
            Failure::usage(format!("{name:?} cannot be the name of a folder"))
                .help("use letters and digits"),
        );
    }
    let dir = into.join(name);
    if dir.symlink_metadata().is_ok() {
        return Err(Failure::usage(format!("{} already exists", dir.display()))
            .help("remove it, or choose another ID or --into"));
    }
    fs::create_dir_all(into).map_err(failed("create", into))?;
    let staging = tempfile::Builder::new()
        .prefix(".judge-new-")
        .tempdir_in(into)
        .map_err(failed("make a directory in", into))?;
    let staged = staging.path().join(name);
    write_samples(&staged.join("test"), &draft.samples)?;
    if let Some(text) = settings(draft) {
        let file = staged.join(SETTINGS_FILE);
        fs::write(&file, text).map_err(failed("write", &file))?;
    }
    let program = match template {
        Some(template) => {
            let mut name = OsString::from("main");
            if let Some(extension) = template.extension() {
                name.push(".");
                name.push(extension);
            }
            fs::copy(template, staged.join(&name)).map_err(failed("copy", template))?;
            Some(dir.join(name))
        }
        None => None,
    };
    put(&staged, &dir)?;
    Ok(Folder { dir, program })
}

/// The settings of a folder; `None` if nothing is known.
fn settings(draft: &Draft) -> Option<String> {
    // JSON strings are valid YAML.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let text = |text: &Option<String>| text.as_deref().map(quoted);
    let seconds = draft
        .time_limit_ms
        .map(|ms| (ms as f64 / 1000.0).to_string());
    let lines = [
        ("name", text(&draft.name)),
        ("url", text(&draft.url)),
        (
            "time_limit",
            seconds.map(|limit| format!("{limit} # seconds")),
        ),
        (
            "memory_limit",
            draft.memory.map(|mib| format!("{mib} # MiB")),
        ),
        ("input", text(&draft.input)),
        ("output", text(&draft.output)),
        (
            "interactive",
            draft.is_interactive.then(|| INTERACTIVE.to_owned()),
        ),
    ];
    let lines = lines.into_iter();
    let lines = lines.filter_map(|(key, value)| Some(format!("{key}: {}\n", value?)));
    let text: String = lines.collect();
    (!text.is_empty()).then_some(text)
}

/// The value of `interactive`, and what is missing.
const INTERACTIVE: &str =
    "true\n# interactor: interactor.cpp # missing: called as INTERACTOR INPUT OUTPUT ANSWER";

/// The name of a problem's folder: its letter in a contest (`A. Sum`, `B1 - Frogs`), or else its
/// [`suggested_id`].
pub fn folder_name(draft: &Draft) -> Option<String> {
    let title = draft.name.as_deref().unwrap_or_default();
    let title = title.strip_prefix("Problem ").unwrap_or(title).trim_start();
    let letters = title.find(|c: char| !c.is_ascii_alphanumeric());
    let (label, rest) = title.split_at(letters.unwrap_or(title.len()));
    let (letter, number) = label.split_at(label.len().min(1));
    let is_label = letter.chars().all(|c| c.is_ascii_uppercase())
        && number.len() <= 2
        && number.chars().all(|c| c.is_ascii_digit())
        && rest.trim_start().starts_with(['.', ':', ')', '-', '–'])
        && !label.is_empty();
    match is_label {
        true => Some(label.to_owned()),
        false => suggested_id(draft.url.as_deref(), draft.name.as_deref()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_after_the_letter_or_the_address() {
        let url = "https://www.luogu.com.cn/problem/P1001";
        for (title, expected) in [
            ("A. Watermelon", "A"),
            ("B1. Easy Version", "B1"),
            ("C - Vacation", "C"),
            ("Problem D: Cubes", "D"),
            ("A+B Problem", "luogup1001"),
            ("../x. Title", "luogup1001"),
            ("Sum", "luogup1001"),
            ("", "luogup1001"),
        ] {
            let draft = Draft {
                name: Some(title.to_owned()),
                url: Some(url.to_owned()),
                ..Draft::default()
            };
            assert_eq!(folder_name(&draft).as_deref(), Some(expected), "{title}");
        }
        assert_eq!(folder_name(&Draft::default()), None);
        for (title, expected) in [("Сумма двух", "problem"), ("Two Sums", "twosums")] {
            let draft = Draft {
                name: Some(title.to_owned()),
                ..Draft::default()
            };
            assert_eq!(folder_name(&draft).as_deref(), Some(expected));
        }
    }
}
