//! Tests of failures: an error of the sandbox is a fault that names its cause, never a result of
//! the program; when a judge dies, its processes end.
//!
//! Test group: judge.

mod common;

use std::fs::{self, File};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{forks, limits, program, run, spec};
use judge_sandbox::{
    Canceller, Content, Exit, Job, Limits, Mode, Sandbox, StagedFile, State, open, scratch_file,
};

const MODES: [Mode; 2] = [Mode::None, Mode::Auto];

/// Environment variable that gives a child process of a test its role.
const ROLE: &str = "JUDGE_SANDBOX_TEST_ROLE";

fn acts(mode: Mode) -> Box<dyn Sandbox> {
    open(&spec(mode, &program("acts"))).unwrap()
}

fn runs_successfully(sandbox: &mut dyn Sandbox) -> bool {
    let outcome = run(sandbox, &program("acts"), &["code"], "", &limits());
    outcome.is_ok_and(|o| o.execution.exit == Exit::Code(0))
}

/// Runs the test `name` alone in a child process, with a role.
fn start_child(name: &str, role: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(ROLE, role)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn role() -> Option<String> {
    std::env::var(ROLE).ok()
}

/// Kills the template: the child of this process in its own PID namespace.
fn kill_template() {
    let namespace = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/pid")).ok();
    let mut killed = 0;
    for task in fs::read_dir("/proc/self/task").unwrap() {
        let children = fs::read_to_string(task.unwrap().path().join("children")).unwrap();
        for child in children.split_whitespace() {
            let name = fs::read_to_string(format!("/proc/{child}/comm")).unwrap_or_default();
            if name == "judge-sandbox\n" && namespace(child) == namespace("self") {
                let done = Command::new("kill").args(["-9", child]).status().unwrap();
                killed += usize::from(done.success());
            }
        }
    }
    assert_eq!(killed, 1);
}

#[test]
fn boxes_can_be_opened_after_the_template_is_killed() {
    const NAME: &str = "boxes_can_be_opened_after_the_template_is_killed";
    if role().is_none() {
        // Runs in its own process, because other tests open boxes at the same time.
        assert!(start_child(NAME, "kill").wait().unwrap().success());
        return;
    }
    let mut old = acts(Mode::Auto);
    if !old
        .layers()
        .iter()
        .any(|l| l.name == "pid-namespace" && l.state == State::Present)
    {
        println!("skipped: without a PID namespace the template looks like a box");
        return;
    }
    kill_template();
    assert!(runs_successfully(&mut *old), "an open box still works");
    for _ in 0..2 {
        assert!(runs_successfully(&mut *acts(Mode::Auto)));
    }
}

#[test]
fn a_killed_judge_leaves_no_processes_and_no_directory() {
    if let Some(role) = role() {
        let mode = if role.ends_with("none") {
            Mode::None
        } else {
            Mode::Auto
        };
        let wall = Limits {
            wall: Duration::from_secs(60),
            cpu: None,
            ..limits()
        };
        let _ = run(
            &mut *acts(mode),
            &program("acts"),
            &["family-loops", "3", &role],
            "",
            &wall,
        );
        unreachable!("the judge is killed first");
    }
    for mode in ["none", "auto"] {
        if mode == "auto" && !forks(&*acts(Mode::Auto)) {
            continue;
        }
        let unique = format!("{}-{mode}", std::process::id());
        let mut judge = start_child(
            "a_killed_judge_leaves_no_processes_and_no_directory",
            &unique,
        );
        wait_until("the program and its children run", || {
            processes(&unique).len() == 4
        });
        let pid = judge.id();
        judge.kill().unwrap();
        judge.wait().unwrap();
        wait_until("all processes have ended", || processes(&unique).is_empty());
        let work = std::env::temp_dir().join(format!("judge-scratch-work-{pid}.0"));
        wait_until("its directory is removed", || !work.exists());
    }
}

#[test]
fn running_out_of_descriptors_is_a_fault() {
    if role().is_none() {
        let child =
            start_child("running_out_of_descriptors_is_a_fault", "descriptors").wait_with_output();
        let child = child.unwrap();
        assert!(
            child.status.success(),
            "{}",
            String::from_utf8_lossy(&child.stdout)
        );
        return;
    }
    let mut sandbox = acts(Mode::Auto);
    assert!(runs_successfully(&mut *sandbox));
    let mut descriptors: Vec<OwnedFd> = Vec::new();
    while let Ok(file) = File::open("/dev/null") {
        descriptors.push(file.into());
    }
    let fault = scratch_file().unwrap_err().to_string();
    assert!(fault.contains("Too many open files"), "{fault}");
    let fault = open(&spec(Mode::Auto, Path::new("/usr/x")))
        .err()
        .unwrap()
        .to_string();
    assert!(fault.contains("Too many open files"), "{fault}");
    drop(descriptors);
    assert!(runs_successfully(&mut *sandbox));
    assert!(runs_successfully(&mut *acts(Mode::Auto)));
}

#[test]
fn running_out_of_processes_is_a_fault() {
    if role().is_none() {
        let root =
            fs::metadata("/proc/self").is_ok_and(|m| std::os::unix::fs::MetadataExt::uid(&m) == 0);
        if root {
            eprintln!("skipped: the number of root's processes is not limited");
            return;
        }
        let child = start_child("running_out_of_processes_is_a_fault", "limited");
        assert!(child.wait_with_output().unwrap().status.success());
        return;
    }
    let pid = std::process::id().to_string();
    let limited = Command::new("prlimit")
        .args(["--nproc=1:1", "--pid", &pid])
        .status();
    if !limited.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no prlimit command");
        return;
    }
    let fault = open(&spec(Mode::Auto, Path::new("/usr/x")))
        .err()
        .unwrap()
        .to_string();
    assert!(fault.contains("temporarily unavailable"), "{fault}");
}

#[test]
fn executing_a_program_that_is_open_for_writing_is_retried() {
    let directory = tempfile::tempdir().unwrap();
    let busy = directory.path().join("busy");
    fs::copy(program("acts"), &busy).unwrap();
    make_readable_for_all(directory.path());
    let mut sandbox = open(&spec(Mode::Auto, &busy)).unwrap();
    let writer = fs::OpenOptions::new().append(true).open(&busy).unwrap();
    let closer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        drop(writer);
    });
    let outcome = run(&mut *sandbox, &busy, &["code", "7"], "", &limits()).unwrap();
    assert_eq!(outcome.execution.exit, Exit::Code(7));
    closer.join().unwrap();
}

#[test]
fn a_fault_does_not_affect_later_runs() {
    for mode in MODES {
        let mut sandbox = acts(mode);
        let missing = StagedFile {
            name: Path::new("input"),
            content: Content::Copy(Path::new("/no/such")),
        };
        let fault = sandbox.stage_files(&[missing]).expect_err("a fault");
        assert!(fault.to_string().contains("/no/such"));
        assert!(runs_successfully(&mut *sandbox));

        let nul = run(&mut *sandbox, &program("acts"), &["a\0b"], "", &limits());
        let exit = nul.unwrap().execution.exit;
        assert_eq!(exit, Exit::NotExecuted(libc::EINVAL));
        assert!(runs_successfully(&mut *sandbox));
    }
}

/// An executable without loader, with its header changed at these offsets.
fn refused_files(directory: &Path) -> Vec<(PathBuf, i32)> {
    let source = directory.join("plain.c");
    fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let plain = directory.join("plain");
    let mut compiler = Command::new("cc");
    compiler.arg("-o").arg(&plain).arg(&source);
    assert!(compiler.status().unwrap().success());
    let bytes = fs::read(&plain).unwrap();
    let changed = |name: &str, text: &[u8], errno| {
        let path = directory.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        (path, errno)
    };
    let loader = bytes
        .windows(5)
        .position(|part| part == b"/lib6" || part == b"/lib/")
        .unwrap();
    let with = |name: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[loader..loader + name.len()].copy_from_slice(name);
        bytes
    };
    let end = loader + bytes[loader..].iter().position(|byte| *byte == 0).unwrap();
    let mut without_end = bytes.clone();
    without_end[end] = b'x';
    let mut foreign = bytes.clone();
    foreign[18] = 8;
    vec![
        changed("empty", b"", libc::ENOEXEC),
        changed("text", b"no executable\n", libc::ENOEXEC),
        changed("script", b"#!/no/such\n", libc::ENOENT),
        changed("foreign", &foreign, libc::ENOEXEC),
        changed("cut", &bytes[..40], libc::ENOEXEC),
        changed("without_end", &without_end, libc::ENOEXEC),
        changed("missing", &with(b"/no/"), libc::ENOENT),
        changed("device", &with(b"/dev/null\0"), libc::EACCES),
        changed("directory", &with(b"/usr\0"), libc::EACCES),
        (directory.to_path_buf(), libc::EACCES),
        (directory.join("nothing"), libc::ENOENT),
    ]
}

#[test]
fn a_file_that_cannot_be_executed_is_a_result() {
    for mode in MODES {
        let directory = tempfile::tempdir().unwrap();
        let files = refused_files(directory.path());
        make_readable_for_all(directory.path());
        let mut sandbox = open(&spec(mode, &files[0].0)).unwrap();
        let mut exit = |path: &Path, args: &[&str]| {
            let outcome = run(&mut *sandbox, path, args, "", &limits());
            outcome.expect("no fault").execution.exit
        };
        for (path, errno) in &files {
            assert_eq!(exit(path, &[]), Exit::NotExecuted(*errno), "{path:?}");
        }
        // Longer than one argument may be, and than the message to the box.
        for bytes in [150 << 10, 1 << 20] {
            let long = "x".repeat(bytes);
            let plain = directory.path().join("plain");
            assert_eq!(exit(&plain, &[&long]), Exit::NotExecuted(libc::E2BIG));
            assert_eq!(exit(&plain, &[]), Exit::Code(0), "the box is usable");
        }
    }
}

#[test]
fn a_run_is_cancelled_from_another_thread() {
    let endless = Limits {
        cpu: None,
        wall: Duration::from_secs(60),
        ..limits()
    };
    let acts_path = program("acts");
    for mode in MODES {
        let mut sandbox = acts(mode);
        let canceller = Canceller::new().unwrap();
        let other = canceller.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            other.cancel();
        });
        let args = ["family-loops".into()];
        let (null, out) = (File::open("/dev/null").unwrap(), scratch_file().unwrap());
        let job = Job {
            program: &acts_path,
            args: &args,
            env: &[],
            stdin: null.as_fd(),
            stdout: out.as_fd(),
            stderr: out.as_fd(),
            limits: &endless,
            count_instructions: false,
        };
        let execution = sandbox.run_until(&job, Some(&canceller)).unwrap();
        assert_eq!(execution.exit, Exit::Cancelled, "{execution:?}");
        thread.join().unwrap();
        // A used canceller ends the next run at once; a run without one is normal.
        let execution = sandbox.run_until(&job, Some(&canceller)).unwrap();
        assert_eq!(execution.exit, Exit::Cancelled, "{execution:?}");
        assert!(runs_successfully(&mut *sandbox));
    }
}

#[test]
fn a_box_outlives_the_thread_that_opened_it() {
    for mode in MODES {
        let mut sandbox = std::thread::spawn(move || acts(mode)).join().unwrap();
        std::thread::sleep(Duration::from_millis(20));
        assert!(runs_successfully(&mut *sandbox));
    }
}

#[test]
fn boxes_work_in_parallel() {
    let workers: Vec<_> = (0..4)
        .map(|i| {
            std::thread::spawn(move || {
                let mut sandbox = acts(Mode::Auto);
                for _ in 0..10 {
                    let code = ["code", &i.to_string()];
                    let outcome =
                        run(&mut *sandbox, &program("acts"), &code, "", &limits()).unwrap();
                    assert_eq!(outcome.execution.exit, Exit::Code(i));
                }
            })
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "not in time: {what}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The processes that have `word` as an argument, without zombies.
fn processes(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if line.split(|&b| b == 0).any(|arg| arg == word.as_bytes()) {
            found.push(entry.path().display().to_string());
        }
    }
    found
}

fn make_readable_for_all(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}
