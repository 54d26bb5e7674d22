//! `judge new --into DIR`: problems as plain folders, without a workspace.

use super::args::NewArgs;
use super::listen::listen;
use crate::scaffold::{self, Draft, Folder, Problem};
use judge_core::error::{Failure, exit_status};
use judge_core::figures::{plural, seconds};
use judge_core::text::shell_word;
use judge_package::SETTINGS_FILE;
use judge_session::folder;
use judge_session::output::print;
use std::path::{Path, PathBuf};

/// Creates a folder for the problem of the samples, or for each that the browser sends.
pub fn new(args: &NewArgs, into: &Path) -> Result<u8, Failure> {
    let template = template(args, into)?;
    if let Some(port) = args.listen {
        return listen(args, port, &mut |problem: Problem| {
            create(args, into, template.as_deref(), &problem.draft)
        });
    }
    let draft = Draft {
        url: args.url.clone(),
        samples: scaffold::samples(&args.samples)?,
        ..Draft::default()
    };
    create(args, into, template.as_deref(), &draft)?;
    Ok(exit_status::AS_EXPECTED)
}

/// The program that new folders begin with: the user's choice, or `template.*` beside them.
fn template(args: &NewArgs, into: &Path) -> Result<Option<PathBuf>, Failure> {
    match &args.template {
        Some(file) if !file.is_file() => Err(Failure::usage(format!(
            "--template: {} is not a file",
            file.display()
        ))
        .help("name a source file, or leave out --template")),
        Some(file) => Ok(Some(file.clone())),
        None => {
            let named = |dir: &Path| folder::source_named(dir, None, &["template"], None);
            let beside = if into.is_dir() { named(into)? } else { None };
            match beside {
                None => named(Path::new(".")),
                beside => Ok(beside),
            }
        }
    }
}

fn create(
    args: &NewArgs,
    into: &Path,
    template: Option<&Path>,
    draft: &Draft,
) -> Result<(), Failure> {
    let suggested = || scaffold::folder_name(draft);
    let Some(name) = args.id.clone().or_else(suggested) else {
        return Err(
            Failure::usage("the problem has no name, and its address suggests none")
                .help("judge new ID"),
        );
    };
    let name = match args.id.is_some() {
        true => name,
        false => free(into, name, draft),
    };
    let created = scaffold::create_folder(into, &name, template, draft)?;
    print(&step(&created, draft))
}

/// Another name if there is such a folder of another problem, such as `A` of another contest: the one that its address
/// suggests, or else one with a number.
fn free(into: &Path, name: String, draft: &Draft) -> String {
    let is_free = |name: &String| into.join(name).symlink_metadata().is_err();
    let is_same = |name: &String| {
        let settings = std::fs::read_to_string(into.join(name).join(SETTINGS_FILE));
        let is_it = |line: &str| {
            let url = draft.url.as_deref();
            url.is_some_and(|url| line.trim_end_matches(['"', '\'']).ends_with(url))
        };
        settings.is_ok_and(|text| text.lines().any(is_it))
    };
    let suggested = scaffold::suggested_id(draft.url.as_deref(), draft.name.as_deref());
    let numbered = (2..).map(|k| format!("{name}{k}"));
    let mut names = [name.clone()].into_iter().chain(suggested).chain(numbered);
    let found = names.find(|name| is_free(name) || is_same(name));
    found.unwrap_or(name)
}

/// Prints the created files and the command that judges them.
fn step(created: &Folder, draft: &Draft) -> String {
    let mut known = vec![plural(draft.samples.len(), "sample")];
    let program = created.program.as_deref();
    let program = program.map_or_else(|| created.dir.join("PROGRAM"), Path::to_owned);
    let command = format!("judge run {}", shell_word(&program.to_string_lossy()));
    known.extend(draft.time_limit_ms.map(|ms| seconds(ms as f64 / 1000.0)));
    known.extend(draft.memory.map(|mib| format!("{mib} MiB")));
    known.extend(draft.input.clone());
    if draft.is_interactive {
        known.push(format!(
            "its interactor is missing: name it in {SETTINGS_FILE}"
        ));
    }
    let dir = created.dir.display();
    format!("{dir}: {}; {command}\n", known.join(", "))
}
