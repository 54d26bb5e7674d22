//! Writes the shell completions and man pages of the command `judge`, from its own definitions:
//! `judge-dist DIR` fills `DIR/share` as a prefix such as `/usr` or `~/.local` has it.
#![forbid(unsafe_code)]

use clap::CommandFactory;
use clap_complete::Shell;
use judge::cli::args::Cli;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The shells, and where a prefix has their completions.
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
    clap_mangen::generate_to(Cli::command().disable_help_subcommand(true), &man)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn written() -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a directory");
        write(dir.path()).expect("the files are written");
        dir
    }

    #[test]
    fn every_command_has_a_man_page_with_its_examples() {
        let dir = written();
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            let page = dir.path().join(format!("share/man/man1/judge-{name}.1"));
            let text = fs::read_to_string(page).expect("a page");
            assert!(
                text.contains("Examples:") && text.contains(".SH OPTIONS"),
                "{name}"
            );
        }
        assert!(dir.path().join("share/man/man1/judge.1").is_file());
    }

    /// Bash itself completes with the file, as after a tab.
    #[test]
    fn bash_completes_commands_and_options() {
        let dir = written();
        let file = dir.path().join(COMPLETIONS[0].1);
        let complete = |words: &str| {
            let script = format!(
                "source '{}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); \
                 _judge judge \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; \
                 echo \"${{COMPREPLY[@]}}\"",
                file.display()
            );
            let output = Command::new("bash").args(["-c", &script]).output();
            String::from_utf8(output.expect("bash runs").stdout).expect("text")
        };
        assert_eq!(complete("judge str").trim(), "stress");
        assert_eq!(complete("judge run --keep").trim(), "--keep");
        assert_eq!(complete("judge run --format j").trim(), "json");
    }
}
