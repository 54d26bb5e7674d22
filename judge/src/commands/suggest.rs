//! Commands and options of other tools: adds ours to the error about an unknown one.

use super::args::Cli;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue};
use judge_core::text::shell_word;
use judge_package::yaml::nearest;
use std::path::Path;

/// Commands of other tools, each with ours.
const COMMANDS: [(&[&str], &str); 10] = [
    (
        &["test", "t", "r", "exec", "sample", "samples", "case"],
        "run",
    ),
    (&["init", "create"], "new"),
    (
        &["download", "dl", "d", "parse", "fetch", "clone"],
        "new --listen",
    ),
    (&["validate", "check"], "verify"),
    (&["convert"], "export"),
    (&["debug", "gdb"], "run --debug"),
    (&["expand", "compile", "build"], "bundle"),
    (&["brute", "hack", "fuzz", "random"], "stress"),
    (&["s", "open"], "submit --open"),
    (&["generate", "generate-input", "generate-output"], "gen"),
];

/// Options of other tools, each with ours as it is written.
const OPTIONS: [(&[&str], &str); 15] = [
    (
        &["--tle", "--tl", "--timeout", "--timelimit", "--time", "-t"],
        "--time-limit 2",
    ),
    (
        &[
            "--mle",
            "--ml",
            "--memory-limit",
            "--memorylimit",
            "--mem",
            "-m",
        ],
        "--memory 256",
    ),
    (
        &[
            "-e",
            "--error",
            "--eps",
            "--epsilon",
            "--precision",
            "--float",
            "--abs",
            "--rel",
        ],
        "--tolerance 1e-6",
    ),
    (
        &["-c", "--command", "--cmd", "--exec"],
        "the program itself: judge run sol.cpp",
    ),
    (
        &[
            "-d",
            "--directory",
            "--dir",
            "--tests",
            "--test-dir",
            "--cases",
            "-f",
            "--format-in",
        ],
        "the directory itself: judge run tests sol.cpp",
    ),
    (
        &["--only", "--test", "-n", "-i", "--input", "--id"],
        "--case 1",
    ),
    (&["--std", "--lang", "-l", "-x"], "--language cpp17"),
    (
        &["-O", "-W", "--flags", "--cflags", "--cxxflags"],
        "a profile of languages.toml",
    ),
    (
        &[
            "-g",
            "--sanitize",
            "--sanitizer",
            "--asan",
            "--ubsan",
            "--valgrind",
        ],
        "--debug",
    ),
    (&["--threads", "--parallel", "-p"], "-j 2"),
    (&["--quiet", "--silent", "-q"], "--format lines"),
    (
        &["--print-input", "--display-mode", "--diff", "-a", "--all"],
        "-v",
    ),
    (&["--no-sandbox", "--unsafe"], "--sandbox none"),
    (
        &[
            "--judge-command",
            "--judge",
            "--validator",
            "--spj",
            "--special",
        ],
        "--checker chk.cpp",
    ),
    (&["--stop", "--bail", "--exit-first"], "--fail-fast"),
];

/// Replaces the suggestion of an error about an unknown command or option, where clap's is none or of another kind.
pub fn suggest(error: &mut clap::Error) {
    if let Some(found) = text(error, ContextKind::InvalidSubcommand) {
        suggest_command(error, &found);
    } else if let Some(found) = text(error, ContextKind::InvalidArg) {
        suggest_option(error, &found);
    }
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    }
}

/// Our name for one of another tool.
fn ours(table: &[(&[&str], &'static str)], found: &str) -> Option<&'static str> {
    let row = table.iter().find(|(names, _)| names.contains(&found));
    row.map(|(_, ours)| *ours)
}

/// Adds the nearest command; clap itself misses swapped letters.
fn suggest_command(error: &mut clap::Error, found: &str) {
    let cli = Cli::command();
    let known: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    if let Some(near) = ours(&COMMANDS, found).or_else(|| nearest(found, &known)) {
        let near = ContextValue::Strings(vec![near.to_owned()]);
        error.insert(ContextKind::SuggestedSubcommand, near);
    } else if Path::new(found).exists() {
        tip(
            error,
            &format!("to judge a program: judge run {}", shell_word(found)),
        );
    }
}

/// Names the option, and removes suggestions that are not like what was written.
fn suggest_option(error: &mut clap::Error, found: &str) {
    let is_like = |near: String| nearest(found, &[&near]).is_some();
    let command = std::env::args().nth(1).unwrap_or_default();
    let judges = ["run", "watch"].contains(&command.as_str());
    if let Some(ours) = ours(&OPTIONS, found).filter(|_| judges) {
        remove_suggestion(error, &command);
        tip(error, &format!("here it is {ours}"));
    } else if !text(error, ContextKind::SuggestedArg).is_none_or(is_like) {
        remove_suggestion(error, &command);
    }
}

/// Removes the suggested option, which is in the usage, too.
fn remove_suggestion(error: &mut clap::Error, command: &str) {
    error.remove(ContextKind::SuggestedArg);
    error.remove(ContextKind::Suggested);
    let mut cli = Cli::command();
    cli.build();
    if let Some(command) = cli.find_subcommand_mut(command) {
        let usage = ContextValue::StyledStr(command.render_usage());
        error.insert(ContextKind::Usage, usage);
    }
}

fn tip(error: &mut clap::Error, tip: &str) {
    let tip = ContextValue::StyledStrs(vec![tip.to_owned().into()]);
    error.insert(ContextKind::Suggested, tip);
}
