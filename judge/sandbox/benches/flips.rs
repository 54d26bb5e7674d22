//! Whether a verdict flips: a program that uses 80 % of its CPU limit must never be above it, one that
//! uses 125 % always, while the machine carries twice its cores in load. `RUNS=1000` for more.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use judge_sandbox::{BoxSpec, Input, Job, Limits, Mode, Mount, Sandbox, open, scratch_file};

const LIMIT: Duration = Duration::from_millis(200);

fn main() -> io::Result<()> {
    let runs: usize = std::env::var("RUNS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(100);
    let directory = tempfile::tempdir()?;
    open_to_everybody(directory.path())?;
    let program = compile(directory.path())?;
    let mut sandbox = boxed(&program)?;
    let done = AtomicBool::new(false);
    let flips = std::thread::scope(|scope| {
        for _ in 0..2 * judge_sandbox::cores().len() {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let flips = count(&mut *sandbox, &program, runs);
        done.store(true, Ordering::Relaxed);
        flips
    });
    let (low, high) = flips?;
    println!("flips of_80_percent={low} of_125_percent={high} runs={runs}");
    Ok(())
}

/// How often a run below the limit was found above it, and the other way round.
fn count(sandbox: &mut dyn Sandbox, program: &Path, runs: usize) -> io::Result<(usize, usize)> {
    let (mut low, mut high) = (0, 0);
    for _ in 0..runs {
        low += usize::from(is_over(sandbox, program, LIMIT.mul_f64(0.8))?);
        high += usize::from(!is_over(sandbox, program, LIMIT.mul_f64(1.25))?);
    }
    Ok((low, high))
}

fn is_over(sandbox: &mut dyn Sandbox, program: &Path, burn: Duration) -> io::Result<bool> {
    let args: [OsString; 2] = ["burn".into(), burn.as_millis().to_string().into()];
    let stdin = Input::from_bytes(b"")
        .and_then(|input| input.open())
        .map_err(io::Error::other)?;
    let output = scratch_file().map_err(io::Error::other)?;
    let limits = Limits {
        cpu: Some(LIMIT),
        wall: Duration::from_secs(60),
        ..Limits::default()
    };
    let job = Job {
        program,
        args: &args,
        env: &[],
        stdin: stdin.as_fd(),
        stdout: output.as_fd(),
        stderr: output.as_fd(),
        limits: &limits,
        count_instructions: false,
    };
    let execution = sandbox.run(&job).map_err(io::Error::other)?;
    Ok(execution.usage.cpu.value > LIMIT)
}

fn boxed(program: &Path) -> io::Result<Box<dyn Sandbox>> {
    let host: PathBuf = program.parent().unwrap_or(Path::new("/")).into();
    let mount = Mount {
        host,
        inside: "/programs".into(),
        writable: false,
    };
    let spec = BoxSpec {
        mode: Mode::Auto,
        mounts: vec![mount],
        work_bytes: 1 << 20,
        core: None,
    };
    open(&spec).map_err(io::Error::other)
}

fn compile(directory: &Path) -> io::Result<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/acts.c");
    let program = directory.join("acts");
    let flags = ["-O1", "-w", "-pthread", "-o"];
    let done = Command::new("cc")
        .args(flags)
        .args([&program, &source])
        .status()?;
    if done.success() {
        Ok(program)
    } else {
        Err(io::Error::other("acts.c does not compile"))
    }
}

fn open_to_everybody(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}
