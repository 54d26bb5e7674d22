//! What a run in a box costs, against the floor: vfork + exec + wait4 of the same program, with
//! its standard streams on files.
//!
//! Everything is interleaved in one process, so that a busy machine disturbs all alike; medians of
//! many rounds. Prints, tab-separated, microseconds a run and the ratios to the floor.

#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use judge_sandbox::{BoxSpec, Exit, Input, Job, Limits, Mode, Mount, Sandbox, open, scratch_file};

/// Runs the program once; gives the CPU time used in a box, which no clock of ours shows.
type Runner = Box<dyn FnMut() -> io::Result<Duration>>;

const ROUNDS: usize = 41;
const RUNS: usize = 50;

const SOURCE: &str = "#include <stdio.h>
int main(void) { long a, b; scanf(\"%ld %ld\", &a, &b); printf(\"%ld\\n\", a + b); return 0; }
";

fn main() -> io::Result<()> {
    let cores = judge_sandbox::cores();
    let core = *cores.last().unwrap_or(&0);
    judge_sandbox::pin(core).map_err(io::Error::other)?;
    let directory = tempfile::tempdir()?;
    open_to_everybody(directory.path())?;
    println!("program\trunner\tcpu_us\twall_us\tcpu_ratio\twall_ratio");
    let mut last = None;
    for (name, flags) in [("static", &["-static"][..]), ("dynamic", &[])] {
        match compile(directory.path(), name, flags) {
            Ok(program) => {
                let ratios = compare(name, &program, core)?;
                last = last.or(Some(ratios));
            }
            Err(e) => eprintln!("{name}: {e}"),
        }
    }
    let (cpu, wall) = last.ok_or(io::Error::other("nothing could be compiled"))?;
    println!("overhead cpu={cpu:.3} wall={wall:.3}");
    Ok(())
}

fn compile(directory: &Path, name: &str, flags: &[&str]) -> io::Result<PathBuf> {
    let (source, program) = (directory.join("sum.c"), directory.join(name));
    std::fs::write(&source, SOURCE)?;
    let done = Command::new("cc")
        .args(flags)
        .args(["-O2", "-o"])
        .args([&program, &source])
        .status()?;
    if !done.success() {
        return Err(io::Error::other("cannot be compiled here"));
    }
    Ok(program)
}

/// Prints a line for each runner; gives the isolated box's ratios of CPU and wall time.
fn compare(name: &str, program: &Path, core: usize) -> io::Result<(f64, f64)> {
    let mut runners: Vec<(&str, Runner)> = vec![
        ("floor", floor(program)?),
        ("none", boxed(program, core, Mode::None)?),
        ("isolated", boxed(program, core, Mode::Auto)?),
    ];
    let mut times: Vec<Vec<(Duration, Duration)>> = vec![Vec::new(); runners.len()];
    for round in 0..ROUNDS + 1 {
        for i in 0..runners.len() {
            let which = (i + round) % runners.len();
            let (cpu, wall) = (cpu_of_everybody(), Instant::now());
            let mut in_boxes = Duration::ZERO;
            for _ in 0..RUNS {
                in_boxes += runners[which].1()?;
            }
            let wall = wall.elapsed();
            // The first round warms up.
            if round > 0 {
                times[which].push((cpu_of_everybody() - cpu + in_boxes, wall));
            }
        }
    }
    let micros = |d: Duration| d.as_secs_f64() * 1e6 / RUNS as f64;
    let medians: Vec<(f64, f64)> = times
        .iter()
        .map(|t| {
            (
                median(t.iter().map(|t| micros(t.0))),
                median(t.iter().map(|t| micros(t.1))),
            )
        })
        .collect();
    let mut ratios = (0.0, 0.0);
    // Ratios within a round, and the median of those: what disturbs a round disturbs all of it.
    for (which, (runner, _)) in runners.iter().enumerate() {
        let rounds = || times[which].iter().zip(&times[0]);
        let cpu_ratio = median(rounds().map(|(t, floor)| micros(t.0) / micros(floor.0)));
        let wall_ratio = median(rounds().map(|(t, floor)| micros(t.1) / micros(floor.1)));
        let (cpu, wall) = medians[which];
        println!("{name}\t{runner}\t{cpu:.0}\t{wall:.0}\t{cpu_ratio:.3}\t{wall_ratio:.3}");
        ratios = (cpu_ratio, wall_ratio);
    }
    Ok(ratios)
}

/// The least that starts a program: `posix_spawn` is vfork and exec; then wait4.
fn floor(program: &Path) -> io::Result<Runner> {
    let program = CString::new(program.as_os_str().as_bytes())?;
    let input = Input::from_bytes(b"2 3\n").map_err(io::Error::other)?;
    let mut output = scratch_file().map_err(io::Error::other)?;
    Ok(Box::new(move || {
        empty(&mut output)?;
        let stdin = input.open().map_err(io::Error::other)?;
        let status = spawn_and_wait(&program, stdin.as_raw_fd(), output.as_raw_fd())?;
        check(status == 0, &output)?;
        Ok(Duration::ZERO)
    }))
}

fn spawn_and_wait(program: &CStr, stdin: i32, stdout: i32) -> io::Result<i32> {
    let argv = [program.as_ptr().cast_mut(), std::ptr::null_mut()];
    let envp = [std::ptr::null_mut()];
    let (mut pid, mut status) = (0, 0);
    // SAFETY: the actions are made before and destroyed after their use; the strings end in NUL,
    // the lists in null; status and usage are writable.
    unsafe {
        let mut actions: libc::posix_spawn_file_actions_t = std::mem::zeroed();
        libc::posix_spawn_file_actions_init(&mut actions);
        libc::posix_spawn_file_actions_adddup2(&mut actions, stdin, 0);
        libc::posix_spawn_file_actions_adddup2(&mut actions, stdout, 1);
        let no = std::ptr::null();
        let failed = libc::posix_spawn(
            &mut pid,
            program.as_ptr(),
            &actions,
            no,
            argv.as_ptr(),
            envp.as_ptr(),
        );
        libc::posix_spawn_file_actions_destroy(&mut actions);
        if failed != 0 {
            return Err(io::Error::from_raw_os_error(failed));
        }
        let mut usage: libc::rusage = std::mem::zeroed();
        if libc::wait4(pid, &mut status, 0, &mut usage) < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(status)
}

fn boxed(program: &Path, core: usize, mode: Mode) -> io::Result<Runner> {
    let host = program.parent().unwrap_or(Path::new("/")).to_path_buf();
    let mount = Mount {
        host,
        inside: "/programs".into(),
        writable: false,
    };
    let spec = BoxSpec {
        mode,
        mounts: vec![mount],
        work_bytes: 64 << 20,
        core: Some(core),
    };
    let mut sandbox: Box<dyn Sandbox> = open(&spec).map_err(io::Error::other)?;
    let program = program.to_path_buf();
    let input = Input::from_bytes(b"2 3\n").map_err(io::Error::other)?;
    let (mut stdout, mut stderr) = (
        scratch_file().map_err(io::Error::other)?,
        scratch_file().map_err(io::Error::other)?,
    );
    let limits = Limits {
        cpu: Some(Duration::from_secs(1)),
        memory: Some(256 << 20),
        output: Some(8 << 20),
        ..Limits::default()
    };
    Ok(Box::new(move || {
        empty(&mut stdout)?;
        empty(&mut stderr)?;
        let stdin = input.open().map_err(io::Error::other)?;
        let job = Job {
            program: &program,
            args: &[],
            env: &[],
            stdin: stdin.as_fd(),
            stdout: stdout.as_fd(),
            stderr: stderr.as_fd(),
            limits: &limits,
            count_instructions: false,
        };
        let execution = sandbox.run(&job).map_err(io::Error::other)?;
        check(execution.exit == Exit::Code(0), &stdout)?;
        Ok(execution.usage.cpu.value)
    }))
}

fn empty(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()
}

/// A fast wrong answer is worth nothing.
fn check(ended_well: bool, output: &File) -> io::Result<()> {
    use std::os::unix::fs::FileExt;
    let mut text = [0; 16];
    let n = output.read_at(&mut text, 0)?;
    if ended_well && &text[..n] == b"5\n" {
        return Ok(());
    }
    writeln!(
        io::stderr(),
        "ended well: {ended_well}, printed {:?}",
        &text[..n]
    )?;
    Err(io::Error::other("the program did not do its work"))
}

/// CPU time of this process, of the children it waited for, and of the zygotes, which are children
/// that live on. What runs in boxes is not in it: the zygotes wait for that, and its
/// [`Usage`](judge_sandbox::Usage) tells.
fn cpu_of_everybody() -> Duration {
    // SAFETY: all zeroes is a value, and the usage is writable.
    let waited_for = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    let time = |t: libc::timeval| {
        Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64)
    };
    let zygotes = children().into_iter().map(|pid| {
        let mut its_clock = 0;
        // SAFETY: the clock's number is writable.
        unsafe { libc::clock_getcpuclockid(pid, &mut its_clock) };
        clock(its_clock)
    });
    clock(libc::CLOCK_PROCESS_CPUTIME_ID)
        + time(waited_for.ru_utime)
        + time(waited_for.ru_stime)
        + zygotes.sum::<Duration>()
}

fn clock(clock: libc::clockid_t) -> Duration {
    let mut t = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the time is writable.
    unsafe { libc::clock_gettime(clock, &mut t) };
    Duration::new(t.tv_sec as u64, t.tv_nsec as u32)
}

fn children() -> Vec<i32> {
    let threads = std::fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let lists = threads.filter_map(|t| std::fs::read_to_string(t.path().join("children")).ok());
    lists
        .flat_map(|l| {
            l.split_whitespace()
                .filter_map(|p| p.parse().ok())
                .collect::<Vec<_>>()
        })
        .collect()
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn open_to_everybody(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}
