//! Helpers shared by the tests: compile test programs and run them.
#![allow(dead_code)]

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use judge_sandbox::{
    BoxSpec, Execution, Exit, Fault, Input, Job, Limits, Mode, Mount, Sandbox, State,
};

/// Compiles `tests/programs/<name>.c` once, into a directory that everyone may read.
pub fn program(name: &str) -> PathBuf {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    let directory = MADE.get_or_init(|| {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
        fs::create_dir_all(&directory).unwrap();
        directory
    });
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.c"));
    let made = directory.join(name);
    let date = |path: &Path| fs::metadata(path).and_then(|m| m.modified()).ok();
    if date(&made) < date(&source) {
        // Tests run in parallel, also in two processes, so each compiles its own copy; the last rename wins.
        let (process, thread) = (std::process::id(), std::thread::current().id());
        let own = directory.join(format!("{name}.{process}.{thread:?}"));
        let done = Command::new("cc")
            .args(["-O1", "-w", "-pthread", "-o"])
            .arg(&own)
            .arg(&source)
            .status()
            .expect("run the C compiler `cc`");
        assert!(done.success(), "{} does not compile", source.display());
        fs::rename(&own, &made).unwrap();
    }
    made
}

/// The specification of a box in which `program` is visible.
pub fn spec(mode: Mode, program: &Path) -> BoxSpec {
    let directory = program.parent().unwrap().to_path_buf();
    let mount = Mount {
        host: directory,
        inside: "/programs".into(),
        writable: false,
    };
    BoxSpec {
        mode,
        mounts: vec![mount],
        work_bytes: 16 << 20,
        ..BoxSpec::default()
    }
}

/// The state of a layer, if the box has heard of it.
pub fn state(sandbox: &dyn Sandbox, name: &str) -> Option<State> {
    let layers = sandbox.layers();
    let found = layers.iter().find(|layer| layer.name == name);
    found.map(|layer| layer.state)
}

/// Whether programs may create processes in this box. With Landlock alone they may not.
pub fn forks(sandbox: &dyn Sandbox) -> bool {
    let absent = |name| state(sandbox, name) == Some(State::Absent);
    let refused = absent("pid-namespace") && !absent("seccomp");
    if refused {
        println!("skipped: programs in this box may not create processes");
    }
    !refused
}

/// Limits that an ordinary program does not reach.
pub fn limits() -> Limits {
    Limits {
        cpu: Some(Duration::from_secs(2)),
        wall: Duration::from_secs(4),
        memory: Some(256 << 20),
        output: Some(16 << 20),
        ..Limits::default()
    }
}

/// The result of a run and its output.
#[derive(Debug)]
pub struct Outcome {
    pub execution: Execution,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    /// How the program ended.
    pub fn exit(&self) -> Exit {
        self.execution.exit
    }

    /// The measured memory, if it is measured.
    pub fn memory(&self) -> Option<u64> {
        self.execution.usage.memory.map(|memory| memory.value)
    }
}

/// Runs `program` with `args` and `input` on its standard input.
pub fn run(
    sandbox: &mut dyn Sandbox,
    program: &Path,
    args: &[&str],
    input: &str,
    limits: &Limits,
) -> Result<Outcome, Fault> {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let stdin = Input::from_bytes(input.as_bytes())?;
    let (stdout, stderr) = (
        judge_sandbox::scratch_file()?,
        judge_sandbox::scratch_file()?,
    );
    let job = Job {
        program,
        args: &args,
        env: &[],
        stdin: stdin.as_fd(),
        stdout: stdout.as_fd(),
        stderr: stderr.as_fd(),
        limits,
        count_instructions: false,
    };
    let execution = sandbox.run(&job)?;
    Ok(Outcome {
        execution,
        stdout: text(stdout),
        stderr: text(stderr),
    })
}

/// The first kilobyte of a file.
fn text(mut file: File) -> String {
    let mut bytes = Vec::new();
    file.rewind().unwrap();
    file.take(1024).read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}
