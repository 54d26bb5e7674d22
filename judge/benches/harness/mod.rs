//! Helpers shared by the judging benches: the sandbox's test program in a box, a background load,
//! medians.
#![allow(dead_code)] // each bench uses a part of it

use judge_sandbox::{BoxSpec, Execution, Input, Job, Limits, Mode, Mount, Sandbox};
use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Seek};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;

/// Whether this is a short trial run (`cargo test --benches`).
pub fn is_trial() -> bool {
    !std::env::args().any(|arg| arg == "--bench")
}

/// A temporary directory that programs in boxes may read.
pub fn directory() -> io::Result<TempDir> {
    tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o755))
        .tempdir()
}

/// Compiles a C file.
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

/// The median; NaN without values.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A test program for boxes, whose first argument selects an action.
pub struct Acts {
    directory: TempDir,
    program: PathBuf,
}

impl Acts {
    /// Compiles the sandbox's own test program.
    pub fn new() -> io::Result<Self> {
        Self::compiled("sandbox/tests/programs/acts.c")
    }

    /// Compiles a program of this package.
    pub fn compiled(source: &str) -> io::Result<Self> {
        let directory = directory()?;
        let program = directory.path().join("acts");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
        compile(&source, &program, &["-O1", "-pthread"])?;
        Ok(Acts { directory, program })
    }

    /// The directory of the program, which its boxes show as `/programs`.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Opens a box in which the program is visible.
    pub fn open(&self, mode: Mode) -> io::Result<Box<dyn Sandbox>> {
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

    /// Runs the program in a box of [`open`](Self::open).
    pub fn run(
        &self,
        sandbox: &mut dyn Sandbox,
        args: &[&str],
        limits: &Limits,
        count_instructions: bool,
    ) -> io::Result<Execution> {
        let output = judge_sandbox::scratch_file().map_err(io::Error::other)?;
        self.run_into(&output, sandbox, args, limits, count_instructions)
    }

    /// As [`run`](Self::run); also returns what the program wrote.
    pub fn output(
        &self,
        sandbox: &mut dyn Sandbox,
        args: &[&str],
        limits: &Limits,
    ) -> io::Result<(Execution, String)> {
        let mut output = judge_sandbox::scratch_file().map_err(io::Error::other)?;
        let execution = self.run_into(&output, sandbox, args, limits, false)?;
        let mut text = String::new();
        output.rewind()?;
        output.read_to_string(&mut text)?;
        Ok((execution, text))
    }

    fn run_into(
        &self,
        output: &File,
        sandbox: &mut dyn Sandbox,
        args: &[&str],
        limits: &Limits,
        count_instructions: bool,
    ) -> io::Result<Execution> {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let stdin = Input::from_bytes(b"").map_err(io::Error::other)?;
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

/// Limits that no program of the benches reaches.
pub fn roomy() -> Limits {
    Limits {
        cpu: Some(Duration::from_secs(10)),
        wall: Duration::from_secs(120),
        ..Limits::default()
    }
}

/// A background load: twice as many busy threads as cores, until it is dropped.
pub struct Load {
    done: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    /// Starts the threads.
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

/// Writes a file, and creates its parent directories.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(path, text)
}
