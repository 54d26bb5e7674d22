//! The header comment of a bundle: what it is and where it comes from.

use super::Target;
use super::manifest::Plan;
use super::settings::TargetSettings;
use std::path::Path;
use std::process::{Command, Stdio};

/// The start of the line with the commit, the only line in which equal bundles may differ.
pub const COMMIT: &str = "Made by `judge bundle";

/// The header comment of a bundle.
pub fn header(plan: &Plan, target: Target, settings: &TargetSettings) -> String {
    let language = settings.language.as_ref();
    let commit = commit(plan).map_or(String::new(), |commit| format!(" from commit {commit}"));
    let lines = [
        plan.description.clone().or(Some(plan.package.clone())),
        settings.url.clone(),
        language.map(|name| format!("Language: {name}")),
        Some(format!("{COMMIT} {} --to {target}`{commit}", plan.package)),
        plan.license.as_ref().map(|name| format!("Licence: {name}")),
    ];
    comment(lines.iter().flatten().map(String::as_str))
}

/// These lines as a comment.
pub fn comment<'l>(lines: impl IntoIterator<Item = &'l str>) -> String {
    let lines = lines.into_iter();
    lines.map(|line| format!("// {line}\n")).collect()
}

/// The last commit that changed the crates of the plan.
fn commit(plan: &Plan) -> Option<String> {
    let dirs: Vec<&Path> = plan
        .crates
        .iter()
        .filter_map(|krate| krate.root.parent())
        .collect();
    let git = |args: &[&str]| {
        let output = Command::new("git")
            .current_dir(dirs.first()?)
            .args(args)
            .arg("--")
            .args(&dirs)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let commit = git(&["log", "-1", "--format=%h"]).filter(|commit| !commit.is_empty())?;
    let changed = !git(&["status", "--porcelain"])?.is_empty();
    Some(if changed {
        format!("{commit}, with changes")
    } else {
        commit
    })
}
