//! Asks systemd for a group: a transient scope with delegation, also as an ordinary user.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time after which systemd is asked whether it is still about to move this process.
const ASK_AFTER: Duration = Duration::from_secs(2);
/// Timeout of the wait until systemd has moved this process. On a busy machine it takes seconds.
const MOVE_TIMEOUT: Duration = Duration::from_secs(30);

/// Whether systemd manages this system (`sd_booted`).
pub fn has_systemd() -> bool {
    Path::new("/run/systemd/system").is_dir()
}

/// Moves this process into a new delegated scope.
pub fn enter() -> io::Result<()> {
    if !has_systemd() {
        return Err(io::Error::other("not running"));
    }
    let own = || std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let before = own();
    let done = command().stdin(Stdio::null()).output()?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        // Drops the advice in parentheses, which does not apply here.
        let said = said.trim().split(" (consider").next().unwrap_or_default();
        return Err(io::Error::other(said.to_owned()));
    }
    // The reply means only that the job is queued; a process is not notified that it was moved.
    let start = Instant::now();
    let mut ask_at = start + ASK_AFTER;
    while own() == before {
        let now = Instant::now();
        if now > start + MOVE_TIMEOUT {
            return Err(io::ErrorKind::TimedOut.into());
        }
        if now > ask_at {
            let state = state_command().stdin(Stdio::null()).output()?;
            if !may_start(&String::from_utf8_lossy(&state.stdout)) && own() == before {
                return Err(io::Error::other("it did not start the scope"));
            }
            ask_at = Instant::now() + ASK_AFTER;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

/// Whether a unit in this state, as `busctl` prints it, has started or may still start. While the
/// job waits, the unit is inactive; afterwards one that could not start has failed.
fn may_start(state: &str) -> bool {
    let states = ["inactive", "activating", "active"];
    states
        .iter()
        .any(|word| state.trim() == format!("s \"{word}\""))
}

fn name() -> String {
    format!("judge-{}.scope", std::process::id())
}

/// Like `systemd-run --scope -p Delegate=yes`, for this process instead of a new one.
fn command() -> Command {
    let pid = std::process::id().to_string();
    let mut command = busctl();
    command.args([
        "call",
        "org.freedesktop.systemd1",
        "/org/freedesktop/systemd1",
        "org.freedesktop.systemd1.Manager",
        "StartTransientUnit",
        "ssa(sv)a(sa(sv))",
    ]);
    command.args([&name(), "fail"]);
    command.args(["2", "PIDs", "au", "1", &pid, "Delegate", "b", "true", "0"]);
    command
}

/// Prints the state of the scope.
fn state_command() -> Command {
    // The path of a unit has `_` and two digits for every character that is no letter or digit.
    let path = name().replace('-', "_2d").replace('.', "_2e");
    let mut command = busctl();
    command.args(["get-property", "org.freedesktop.systemd1"]);
    command.arg(format!("/org/freedesktop/systemd1/unit/{path}"));
    command.args(["org.freedesktop.systemd1.Unit", "ActiveState"]);
    command
}

/// A command to systemd: for root the one of the machine, otherwise the one of the user.
fn busctl() -> Command {
    let manager = if crate::linux::sys::is_root() {
        "--system"
    } else {
        "--user"
    };
    let mut command = Command::new("busctl");
    command.arg(manager);
    // `su`, `sudo -u` and cron do not set the address of the user's systemd.
    let address = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"].map(std::env::var_os);
    let usual = format!("/run/user/{}", crate::linux::sys::ids().0);
    if address == [None, None] && Path::new(&usual).exists() {
        command.env("XDG_RUNTIME_DIR", usual);
    }
    command
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_call_has_two_properties_and_our_pid() {
        let command = super::command();
        let args: Vec<_> = command.get_args().map(|a| a.to_str().unwrap()).collect();
        let pid = std::process::id().to_string();
        let tail = ["2", "PIDs", "au", "1", &pid, "Delegate", "b", "true", "0"];
        assert!(args.ends_with(&tail), "{args:?}");
        assert!(args.contains(&format!("judge-{pid}.scope").as_str()));
    }

    #[test]
    fn the_wait_ends_when_the_scope_has_failed() {
        let command = super::state_command();
        let path = format!(
            "/org/freedesktop/systemd1/unit/judge_2d{}_2escope",
            std::process::id()
        );
        assert!(command.get_args().any(|arg| arg == path.as_str()));
        for (state, may_start) in [
            ("s \"activating\"\n", true),
            ("s \"active\"\n", true),
            ("s \"failed\"\n", false),
            ("s \"inactive\"\n", true),
            ("", false),
        ] {
            assert_eq!(super::may_start(state), may_start, "{state}");
        }
    }
}
