//! Asks systemd for a group: a transient scope with delegation, also as an ordinary user.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Timeout of the wait until systemd has moved this process.
const MOVE_TIMEOUT: Duration = Duration::from_secs(2);

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
    while own() == before {
        if start.elapsed() > MOVE_TIMEOUT {
            return Err(io::ErrorKind::TimedOut.into());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

/// Like `systemd-run --scope -p Delegate=yes`, for this process instead of a new one.
fn command() -> Command {
    let pid = std::process::id().to_string();
    let manager = if crate::sys::is_root() {
        "--system"
    } else {
        "--user"
    };
    let mut command = Command::new("busctl");
    command.args([
        manager,
        "call",
        "org.freedesktop.systemd1",
        "/org/freedesktop/systemd1",
        "org.freedesktop.systemd1.Manager",
        "StartTransientUnit",
        "ssa(sv)a(sa(sv))",
    ]);
    command.args([&format!("judge-{pid}.scope"), "fail"]);
    command.args(["2", "PIDs", "au", "1", &pid, "Delegate", "b", "true", "0"]);
    // `su`, `sudo -u` and cron do not set the address of the user's systemd.
    let address = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"].map(std::env::var_os);
    let usual = format!("/run/user/{}", crate::sys::ids().0);
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
}
