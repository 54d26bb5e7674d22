//! The header comment of a bundle: what it is and where it comes from.

use super::Target;
use super::manifest::Plan;
use super::settings::TargetSettings;
use std::path::Path;
use std::process::{Command, Stdio};

/// The header comment of a bundle.
pub struct Header {
    lines: Vec<String>,
}

/// The start of the line with the commit, the only line in which equal bundles may differ.
pub const COMMIT: &str = "Made by `judge bundle";

impl Header {
    /// The header of a bundle.
    pub fn new(plan: &Plan, target: Target, settings: &TargetSettings) -> Self {
        let title = plan.description.as_ref().unwrap_or(&plan.package).clone();
        let mut lines = vec![title];
        lines.extend(settings.url.clone());
        lines.extend(
            settings
                .language
                .as_ref()
                .map(|name| format!("Language: {name}")),
        );
        let commit = commit(plan).map(|commit| format!(" from commit {commit}"));
        lines.push(format!(
            "{COMMIT} {} --to {target}`{}",
            plan.package,
            commit.unwrap_or_default()
        ));
        lines.extend(
            plan.license
                .as_ref()
                .map(|license| format!("Licence: {license}")),
        );
        Header { lines }
    }

    /// The lines without comment markers.
    pub fn lines(&self) -> Vec<String> {
        self.lines.clone()
    }

    /// The text with the header before it.
    pub fn prepend_to(&self, text: &str) -> String {
        let mut out = String::new();
        for line in &self.lines {
            out.push_str("// ");
            out.push_str(line);
            out.push('\n');
        }
        out.push_str(text);
        out
    }
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
