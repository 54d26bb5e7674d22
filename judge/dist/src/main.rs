//! Writes the shell completions and man pages of the command `judge`, generated from its argument
//! definitions. `judge-dist DIR` writes below `DIR/share`, in the layout of a prefix such as `/usr`
//! or `~/.local`.
#![forbid(unsafe_code)]

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use judge::args::Cli;
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The supported shells, and the paths of their completions below a prefix.
const COMPLETIONS: [(Shell, &str); 3] = [
    (Shell::Bash, "share/bash-completion/completions/judge"),
    (Shell::Zsh, "share/zsh/site-functions/_judge"),
    (Shell::Fish, "share/fish/vendor_completions.d/judge.fish"),
];

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let (Some(dir), None) = (args.next(), args.next()) else {
        eprintln!("usage: judge-dist DIR");
        return ExitCode::from(2);
    };
    match write(&PathBuf::from(dir)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}

/// Writes all files below `dir`.
fn write(dir: &Path) -> Result<(), Box<dyn Error>> {
    for (shell, path) in COMPLETIONS {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut Cli::command(), "judge", &mut text);
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap_or(dir))?;
        fs::write(path, text)?;
    }
    let man = dir.join("share/man/man1");
    fs::create_dir_all(&man)?;
    let mut judge = Cli::command().disable_help_subcommand(true);
    judge.build();
    for command in judge.get_subcommands().chain([&judge]) {
        write_page(command.clone(), &man)?;
    }
    Ok(())
}

/// Writes the man page of a command. Usage and options come from its definition; the text after its
/// help becomes sections with unchanged line breaks: a paragraph `Heading: text` each.
fn write_page(mut command: Command, dir: &Path) -> io::Result<()> {
    let usage = command.render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage).to_owned();
    let last = command.get_after_help().map(ToString::to_string);
    let man = Man::new(command.override_usage(usage))
        // Not empty: an empty field would be dropped, and the next one would move into its place.
        .date(" ")
        .source(concat!("judge ", env!("CARGO_PKG_VERSION")))
        .manual("Judge");
    let mut page = fs::File::create(dir.join(man.get_filename()))?;
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if man.get_filename() == "judge.1" {
        man.render_subcommands_section(&mut page)?;
    }
    let mut end = Roff::new();
    let paragraphs = last.iter().flat_map(|last| last.split("\n\n"));
    for (heading, text) in paragraphs.filter_map(|paragraph| paragraph.split_once(':')) {
        end.control("SH", [heading.to_uppercase().as_str()]);
        end.control("nf", []);
        for line in text.trim_matches('\n').lines() {
            end.text([roman(line.trim_start_matches("  "))]);
        }
        end.control("fi", []);
    }
    end.to_writer(&mut page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Command, Output};

    /// Writes the files, and a command `judge`: fish completes only commands that exist.
    fn write_all() -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("make a directory");
        write(dir.path()).expect("write the files");
        let bin = dir.path().join("bin");
        fs::create_dir_all(&bin).expect("make a directory");
        fs::write(bin.join("judge"), "#!/bin/sh\n").expect("write a file");
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(bin.join("judge"), executable).expect("set the mode");
        dir
    }

    /// Runs a program with `dir` as the user's home and prefix; `None` if it is not installed.
    fn run(dir: &Path, program: &str, args: &[&str]) -> Option<Output> {
        let bin = dir.join("bin");
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new(program)
            .args(args)
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("HOME", dir)
            .env("XDG_DATA_HOME", dir.join("share"))
            .env("MANPATH", dir.join("share/man"))
            .env("MANWIDTH", "100")
            .env("MANPAGER", "cat")
            .env("TERM", "dumb")
            .output();
        match output {
            Ok(output) => Some(output),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                eprintln!("skipped: {program} is not installed");
                None
            }
            Err(e) => panic!("{program}: {e}"),
        }
    }

    fn text(output: &[u8]) -> String {
        String::from_utf8_lossy(output).into_owned()
    }

    #[test]
    fn every_command_has_a_man_page_with_its_examples() {
        let dir = write_all();
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            let page = dir.path().join(format!("share/man/man1/judge-{name}.1"));
            let page = fs::read_to_string(page).expect("read the page");
            assert!(
                page.contains("\n.SH EXAMPLES\n.nf\njudge ") && page.contains("\n.SH OPTIONS\n"),
                "{name}"
            );
        }
    }

    #[test]
    fn man_displays_the_pages() {
        let dir = write_all();
        let Some(shown) = run(dir.path(), "man", &["judge-run"]) else {
            return;
        };
        let shown = text(&shown.stdout);
        let usage = "judge run [OPTIONS] [PACKAGE|PROGRAM]...";
        let example = "judge run luogup1784                   a package of the workspace";
        for expected in [usage, example, concat!("judge ", env!("CARGO_PKG_VERSION"))] {
            assert!(shown.contains(expected), "{expected}: {shown}");
        }
        let main = run(dir.path(), "man", &["judge"]).map(|output| text(&output.stdout));
        let main = main.unwrap_or_default();
        assert!(
            main.contains("EXIT STATUS") && main.contains("judge-verify(1)"),
            "{main}"
        );
    }

    #[test]
    fn mandoc_accepts_the_pages() {
        let dir = write_all();
        for page in fs::read_dir(dir.path().join("share/man/man1")).expect("list the pages") {
            let page = page.expect("read an entry").path();
            let args = ["-T", "lint", "-W", "warning", page.to_str().expect("UTF-8")];
            let Some(output) = run(dir.path(), "mandoc", &args) else {
                return;
            };
            // Known findings: the pages have no date, and a list of values has a surplus empty
            // line.
            let known = ["cannot parse date", "skipping paragraph macro"];
            let found = text(&output.stdout);
            let found: Vec<_> = found
                .lines()
                .filter(|line| !known.iter().any(|known| line.contains(known)))
                .collect();
            assert!(found.is_empty(), "{found:?}");
        }
    }

    /// Bash completes with the file, as after the tab key.
    #[test]
    fn bash_completes_commands_and_options() {
        let dir = write_all();
        let file = dir.path().join(COMPLETIONS[0].1);
        let complete = |words: &str| {
            let script = format!(
                "source '{}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); \
                 _judge judge \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; \
                 echo \"${{COMPREPLY[@]}}\"",
                file.display()
            );
            let output = run(dir.path(), "bash", &["-c", &script]).expect("bash is installed");
            text(&output.stdout)
        };
        assert_eq!(complete("judge str").trim(), "stress");
        assert_eq!(complete("judge run --keep").trim(), "--keep");
        assert_eq!(complete("judge run --format j").trim(), "json");
    }

    /// The package bash-completion finds the file by the command's name.
    #[test]
    fn bash_completion_finds_the_file() {
        const LOADER: &str = "/usr/share/bash-completion/bash_completion";
        if !Path::new(LOADER).exists() {
            eprintln!("skipped: bash-completion is not installed");
            return;
        }
        let dir = write_all();
        let script = format!(
            "source {LOADER}; if declare -F _comp_load > /dev/null; then _comp_load judge; \
             else _completion_loader judge; fi; complete -p judge"
        );
        let output = run(dir.path(), "bash", &["-c", &script]).expect("bash is installed");
        assert!(text(&output.stdout).contains("-F _judge"), "{output:?}");
    }

    /// An interactive zsh completes after the tab key, with the directory in its `fpath`.
    #[test]
    fn zsh_completes_commands_and_options() {
        let dir = write_all();
        fs::write(
            dir.path().join(".zshrc"),
            "fpath=(~/share/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u\nPS1='> '\n",
        )
        .expect("write a file");
        let script = r#"
            zmodload zsh/zpty
            zpty shell zsh -i
            zpty -w shell "$1"$'\t'
            zpty -r -m shell line "*$2*" && print -r -- seen
            zpty -d shell
        "#;
        for (typed, completed) in [
            ("judge str", "judge stress"),
            ("judge run --kee", "judge run --keep"),
            ("judge run --format js", "judge run --format json"),
        ] {
            let args = ["-f", "-c", script, "zsh", typed, completed];
            let Some(output) = run(dir.path(), "zsh", &args) else {
                return;
            };
            assert_eq!(text(&output.stdout).trim(), "seen", "{typed}: {output:?}");
        }
    }

    /// Fish finds the file below the user's data directory.
    #[test]
    fn fish_completes_commands_and_options() {
        let dir = write_all();
        for (typed, completed) in [
            ("judge str", "stress\t"),
            ("judge run --kee", "--keep\t"),
            ("judge run --format js", "json\t"),
        ] {
            let Some(output) = run(dir.path(), "fish", &["-c", "complete -C $argv[1]", typed])
            else {
                return;
            };
            assert!(
                text(&output.stdout).starts_with(completed),
                "{typed}: {output:?}"
            );
        }
    }
}
