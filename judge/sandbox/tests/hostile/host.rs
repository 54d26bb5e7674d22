//! Tests that the host's files, shared memory, sockets and input files are out of reach of a box.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::fd::AsFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::Path;
use std::process::Command;

use judge_sandbox::{Exit, Job};

use super::common::program;
use super::harness::{Expected::Fine, Harness, tight};

#[test]
fn files_of_the_host_are_out_of_reach() {
    let Some(mut harness) = Harness::new() else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    set_mode(directory.path(), 0o777);
    let answer = directory.path().join("1.ans");
    fs::write(&answer, "42").unwrap();
    let socket = directory.path().join("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    let datagrams = directory.path().join("datagrams");
    let receiver = UnixDatagram::bind(&datagrams).unwrap();
    receiver.set_nonblocking(true).unwrap();
    for path in [&answer, &socket, &datagrams] {
        set_mode(path, 0o666);
    }
    let home = std::env::var("HOME").unwrap_or_default();
    let judge = std::process::id().to_string();
    let attacks = [
        ("read-file", answer.to_str().unwrap()),
        ("link-out", answer.to_str().unwrap()),
        ("write-outside", directory.path().to_str().unwrap()),
        ("write-outside", &home),
        ("unix", socket.to_str().unwrap()),
        ("datagram-out", datagrams.to_str().unwrap()),
        ("environment-of-others", &judge),
        ("kill-judge", &judge),
    ];
    let wrong: Vec<String> = attacks
        .iter()
        .filter_map(|(attack, target)| harness.trial(&[attack, target], Fine))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
    assert!(
        receiver.recv(&mut [0; 8]).is_err(),
        "a datagram left the box"
    );
}

/// A System V shared memory segment of the host, with mode 0666; removed on drop.
struct Segment(String);

impl Segment {
    fn new() -> Option<Self> {
        let made = Command::new("ipcmk")
            .args(["-M", "4096", "-p", "0666"])
            .output()
            .ok()?;
        let said = String::from_utf8_lossy(&made.stdout).into_owned();
        Some(Segment(said.trim().rsplit(' ').next()?.to_owned()))
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        let _ = Command::new("ipcrm").args(["-m", &self.0]).status();
    }
}

#[test]
fn shared_memory_of_the_host_is_out_of_reach() {
    let (Some(mut harness), Some(segment)) = (Harness::new(), Segment::new()) else {
        eprintln!("skipped: no isolation, or no ipcmk command");
        return;
    };
    assert_eq!(
        harness.trial(&["system-v-by-number", &segment.0], Fine),
        None
    );
}

#[test]
fn the_network_is_out_of_reach() {
    let Some(mut harness) = Harness::new() else {
        return;
    };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let name = format!("judge-sandbox-test-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let _abstract = UnixListener::bind_addr(&address).unwrap();
    assert_eq!(harness.trial(&["tcp", &port], Fine), None);
    assert_eq!(harness.trial(&["abstract", &name], Fine), None);
}

/// A read-only descriptor of a file must not be reopened for writing.
#[test]
fn the_judges_input_file_cannot_be_written() {
    let Some(mut harness) = Harness::new() else {
        return;
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "input").unwrap();
    let args = ["write-input".into()];
    let (limits, attacks) = (tight(), program("attacks"));
    let stdin = File::open(file.path()).unwrap();
    let (stdout, stderr) = (
        judge_sandbox::scratch_file().unwrap(),
        judge_sandbox::scratch_file().unwrap(),
    );
    let job = Job {
        program: &attacks,
        args: &args,
        env: &[],
        stdin: stdin.as_fd(),
        stdout: stdout.as_fd(),
        stderr: stderr.as_fd(),
        limits: &limits,
        count_instructions: false,
    };
    assert_eq!(harness.sandbox.run(&job).unwrap().exit, Exit::Code(0));
    assert_eq!(fs::read_to_string(file.path()).unwrap(), "input");
}

fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}
