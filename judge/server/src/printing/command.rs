//! Runs the operator's command for one text.

use judge_core::error::Reason;
use judge_tempdir::TempDirectory;
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How often the thread looks whether the command has ended.
const LOOK: Duration = Duration::from_millis(20);
/// Maximum characters of its errors that are kept.
const MAX_ERRORS: usize = 500;

/// Runs a command with these variables and this standard input. No shell is involved, and names of teams and files are only in
/// variables, so that they cannot become commands.
/// Fails when it cannot be started, does not end in time (it is then killed with its children), or fails: why.
pub(super) fn run(
    command: &[String],
    variables: &[(&str, String)],
    input: &[u8],
    limit: Duration,
) -> Result<(), Reason> {
    let failed = |e: io::Error| Reason::new(format!("{}: {e}", command[0]));
    let dir = TempDirectory::new("print")?;
    let (text, errors) = (dir.path().join("text"), dir.path().join("errors"));
    fs::write(&text, input).map_err(failed)?;
    let child = Command::new(&command[0])
        .args(&command[1..])
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .current_dir(dir.path())
        .stdin(File::open(&text).map_err(failed)?)
        .stdout(Stdio::null())
        .stderr(File::create(&errors).map_err(failed)?)
        // A process group of its own, which is killed after the time limit.
        .process_group(0)
        .spawn();
    let status = wait(&mut child.map_err(failed)?, limit).map_err(failed)?;
    match status {
        None => Err(Reason::new(format!(
            "{} took more than {} s",
            command[0],
            limit.as_secs()
        ))),
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(Reason::new(format!(
            "{}: {status}{}",
            command[0],
            shown(&errors)
        ))),
    }
}

/// Waits for the end; `None`: the time was over.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= limit {
            // The group may have ended since.
            let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
            child.wait()?;
            return Ok(None);
        }
        sleep(LOOK);
    }
}

/// The beginning of what the command wrote to its standard error.
fn shown(errors: &Path) -> String {
    let text = fs::read(errors).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let text: String = text.trim().chars().take(MAX_ERRORS).collect();
    match text.is_empty() {
        true => String::new(),
        false => format!(": {text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &[&str]) -> Vec<String> {
        command.iter().map(|&word| word.to_owned()).collect()
    }

    fn ran(command: &[&str], limit: Duration) -> Result<(), Reason> {
        let variables = [("JUDGE_PRINT_TEAM", "$(touch /tmp/x); A".to_owned())];
        run(&words(command), &variables, b"text", limit)
    }

    #[test]
    fn the_command_gets_the_text_and_names_in_variables() {
        let check = r#"[ "$(cat)" = text ] && [ "$JUDGE_PRINT_TEAM" = '$(touch /tmp/x); A' ]"#;
        assert_eq!(ran(&["sh", "-c", check], Duration::from_secs(60)), Ok(()));
    }

    #[test]
    fn failures_say_why() {
        let limit = Duration::from_secs(60);
        let failed = ran(&["sh", "-c", "echo no paper >&2; exit 3"], limit);
        assert_eq!(failed, Err(Reason::new("sh: exit status: 3: no paper")));
        let missing = ran(&["no-such-program"], limit).expect_err("it is missing");
        assert!(missing.starts_with("no-such-program: "), "{missing}");
    }

    /// A child of the command that holds its files does not outlive it.
    #[test]
    fn a_command_that_hangs_is_killed() {
        let limit = Duration::from_millis(50);
        let hangs = ran(&["sh", "-c", "sleep 600 & wait"], limit);
        assert_eq!(hangs, Err(Reason::new("sh took more than 0 s")));
    }
}
