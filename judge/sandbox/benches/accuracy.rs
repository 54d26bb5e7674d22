//! How true the figures are: CPU time burned in every way there is, kills at the limit.
//!
//! Prints, tab-separated, what was burned and what was reported; then how late endless loops ended.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use judge_sandbox::{
    BoxSpec, Execution, Input, Job, Limits, Mode, Mount, Sandbox, open, scratch_file,
};

/// CPU time that each deed burns, in milliseconds.
const BURNED: u64 = 500;
const REPEAT: usize = 5;
const DEEDS: [&str; 6] = [
    "burn",
    "child-burns",
    "unwaited-burns",
    "ignored-burns",
    "orphan-burns",
    "threads-burn",
];

/// The worst that was seen.
#[derive(Default)]
struct Worst {
    /// Beyond what was burned, as a fraction of it.
    error: f64,
    late: Duration,
}

fn main() -> io::Result<()> {
    let directory = tempfile::tempdir()?;
    open_to_everybody(directory.path())?;
    let program = compile(directory.path())?;
    let mut worst = Worst::default();
    let mut spread = None;
    println!("mode\tdeed\tburned_ms\treported_ms\tby");
    for (name, mode) in [("none", Mode::None), ("isolated", Mode::Auto)] {
        let mut sandbox = boxed(&program, mode)?;
        burn(&mut *sandbox, &program, name, &mut worst)?;
        end_loops(&mut *sandbox, &program, name, &mut worst)?;
        spread = instructions_spread(&mut *sandbox, &program)?;
    }
    let spread = spread.map_or("none".to_owned(), |s| format!("{s:.6}"));
    println!(
        "accuracy worst_cpu_error={:.4} worst_overrun_ms={:.1} instructions_spread={spread}",
        worst.error,
        worst.late.as_secs_f64() * 1e3
    );
    Ok(())
}

fn roomy() -> Limits {
    let (cpu, wall) = (Some(Duration::from_secs(10)), Duration::from_secs(60));
    Limits {
        cpu,
        wall,
        ..Limits::default()
    }
}

fn burn(
    sandbox: &mut dyn Sandbox,
    program: &Path,
    mode: &str,
    worst: &mut Worst,
) -> io::Result<()> {
    for deed in DEEDS.into_iter().chain(["sleep"]) {
        let burned = if deed == "sleep" { 0.0 } else { BURNED as f64 };
        let (mut most, mut by) = (0.0_f64, "");
        for _ in 0..REPEAT {
            let run = run(sandbox, program, &[deed, &BURNED.to_string()], &roomy())?;
            let reported = run.usage.cpu.value.as_secs_f64() * 1e3;
            by = run.usage.cpu.by;
            if (reported - burned).abs() >= (most - burned).abs() || most == 0.0 {
                most = reported;
            }
            worst.error = worst.error.max((reported - burned).abs() / BURNED as f64);
        }
        println!("{mode}\t{deed}\t{burned}\t{most:.2}\t{by}");
    }
    Ok(())
}

fn end_loops(
    sandbox: &mut dyn Sandbox,
    program: &Path,
    mode: &str,
    worst: &mut Worst,
) -> io::Result<()> {
    for limit in [100, 500, 2000].map(Duration::from_millis) {
        for deed in ["loop", "family-loops"] {
            let run = run(
                sandbox,
                program,
                &[deed],
                &Limits {
                    cpu: Some(limit),
                    ..roomy()
                },
            )?;
            let late = run.usage.cpu.value.saturating_sub(limit);
            worst.late = worst.late.max(late);
            println!(
                "{mode}\t{deed} at {limit:?}\t\t{:?} {late:?} late",
                run.exit
            );
        }
    }
    Ok(())
}

/// How far apart the counts of equal runs lie, as a fraction; `None` where nothing counts.
fn instructions_spread(sandbox: &mut dyn Sandbox, program: &Path) -> io::Result<Option<f64>> {
    let mut counts = Vec::new();
    for _ in 0..50 {
        let run = run(sandbox, program, &["steps", "10000000"], &roomy())?;
        let Some(count) = run.usage.instructions else {
            return Ok(None);
        };
        counts.push(count.value as f64);
    }
    let (low, high) = counts
        .iter()
        .fold((f64::MAX, 0.0_f64), |(l, h), &c| (l.min(c), h.max(c)));
    Ok(Some((high - low) / low))
}

fn boxed(program: &Path, mode: Mode) -> io::Result<Box<dyn Sandbox>> {
    let host: PathBuf = program.parent().unwrap_or(Path::new("/")).into();
    let mount = Mount {
        host,
        inside: "/programs".into(),
        writable: false,
    };
    let spec = BoxSpec {
        mode,
        mounts: vec![mount],
        work_bytes: 16 << 20,
        core: None,
    };
    open(&spec).map_err(io::Error::other)
}

fn run(
    sandbox: &mut dyn Sandbox,
    program: &Path,
    args: &[&str],
    limits: &Limits,
) -> io::Result<Execution> {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let stdin = Input::from_bytes(b"")
        .and_then(|input| input.open())
        .map_err(io::Error::other)?;
    let output = scratch_file().map_err(io::Error::other)?;
    let job = Job {
        program,
        args: &args,
        env: &[],
        stdin: stdin.as_fd(),
        stdout: output.as_fd(),
        stderr: output.as_fd(),
        limits,
        count_instructions: args[0] == "steps",
    };
    sandbox.run(&job).map_err(io::Error::other)
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
