//! What the benches of judging share: the program of many deeds in a box, a load, medians.
#![allow(dead_code)] // each bench uses a part of it

use judge_sandbox::{BoxSpec, Execution, Input, Job, Limits, Mode, Mount, Sandbox};
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;

/// Whether this is only to find out that the bench runs: `cargo test --benches`.
pub fn is_trial() -> bool {
    !std::env::args().any(|arg| arg == "--bench")
}

/// A directory that programs in boxes can see.
pub fn directory() -> io::Result<TempDir> {
    tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o755))
        .tempdir()
}

/// Compiles a file of C.
pub fn compile(source: &Path, program: &Path, flags: &[&str]) -> io::Result<()> {
    let done = Command::new("cc")
        .args(["-w", "-o"])
        .args([program, source])
        .args(flags)
        .status()?;
    if done.success() {
        return Ok(());
    }
    let what = format!("{} does not compile with {flags:?}", source.display());
    Err(io::Error::other(what))
}

/// The middle one.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The sandbox's test program, whose first argument says what it does.
pub struct Acts {
    directory: TempDir,
    program: PathBuf,
}

impl Acts {
    /// Compiles it.
    pub fn new() -> io::Result<Self> {
        let directory = directory()?;
        let program = directory.path().join("acts");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("sandbox/tests/programs/acts.c");
        compile(&source, &program, &["-O1", "-pthread"])?;
        Ok(Acts { directory, program })
    }

    /// A box that shows it.
    pub fn boxed(&self, mode: Mode) -> io::Result<Box<dyn Sandbox>> {
        let spec = BoxSpec {
            mode,
            mounts: vec![Mount {
                host: self.directory.path().into(),
                inside: "/programs".into(),
                writable: false,
            }],
            work_bytes: 16 << 20,
            ..BoxSpec::default()
        };
        judge_sandbox::open(&spec).map_err(io::Error::other)
    }

    /// Runs it in such a box.
    pub fn run(
        &self,
        sandbox: &mut dyn Sandbox,
        args: &[&str],
        limits: &Limits,
        count_instructions: bool,
    ) -> io::Result<Execution> {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let stdin = Input::from_bytes(b"").map_err(io::Error::other)?;
        let output = judge_sandbox::scratch_file().map_err(io::Error::other)?;
        let job = Job {
            program: &self.program,
            args: &args,
            env: &[],
            stdin: stdin.as_fd(),
            stdout: output.as_fd(),
            stderr: output.as_fd(),
            limits,
            count_instructions,
        };
        sandbox.run(&job).map_err(io::Error::other)
    }
}

/// Limits that nothing here reaches.
pub fn roomy() -> Limits {
    Limits {
        cpu: Some(Duration::from_secs(10)),
        wall: Duration::from_secs(120),
        ..Limits::default()
    }
}

/// Twice as many busy threads as there are cores, until it is dropped.
pub struct Load {
    done: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    /// Begins.
    pub fn start() -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let spin = |done: Arc<AtomicBool>| {
            move || {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            }
        };
        let threads = (0..2 * judge_sandbox::cores().len())
            .map(|_| std::thread::spawn(spin(Arc::clone(&done))))
            .collect();
        Load { done, threads }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Writes a file, and the directories above it.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(path, text)
}
