//! Runs a compiler in a box, under limits.

use super::plan::{DIR, Plan};
use super::program::read_only;
use crate::text::{printable, read_range};
use judge_sandbox::{
    AsStream, BoxSpec, Execution, Exit, Fault, Job, Limit, Limits, Mount, Sandbox, make_plain,
    unlocked_tree_bytes,
};
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

/// Remedy for a full disk below the cache.
pub const MAKE_ROOM: &str = "make room there, or set XDG_CACHE_HOME to a directory on another disk";
/// Size of the box's working directory, for temporary files.
const WORK_BYTES: u64 = 1 << 30;
/// Bytes a compiler may write to one file.
const OUTPUT_BYTES: u64 = 1 << 30;
/// Size limit of a program's directory unless the user gives another; while compiling, twice as much may
/// be in use.
pub const PROGRAM_BYTES: u64 = 256 << 20;
/// How long a compiler may wait, in total, besides its CPU time.
const WAITING: Duration = Duration::from_secs(30);
/// A compiler that uses no CPU time for this long is considered hung.
const IDLE: Duration = Duration::from_secs(5);
/// How much of a compiler's message is shown. The start is kept: the first error comes first.
const SHOWN_LINES: usize = 40;
const SHOWN_BYTES: u64 = 8 << 10;
/// With less free disk space than this, a compiler's failure is attributed to the disk: some
/// compilers crash then, and most remove their partial output.
const LITTLE_ROOM: u64 = 64 << 20;

/// Opens a box.
pub type Opener = dyn Fn(&BoxSpec) -> Result<Box<dyn Sandbox>, Fault> + Send + Sync;

#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    pub time: Duration,
    /// Memory, in bytes.
    pub memory: u64,
    /// Size of the program's directory, in bytes.
    pub program: u64,
}

pub enum Compiled {
    /// The program was compiled.
    Done,
    /// The compiler rejected the program or exceeded its limits: the message.
    Refused(String),
    /// The compiler waited for too long: the program's fault.
    Hung(String),
}

/// Compiles the sources in `dir`.
pub fn run(
    plan: &Plan,
    dir: &Path,
    mounts: &[Mount],
    allowance: &Allowance,
    open: &Opener,
) -> Result<Compiled, Fault> {
    // A command has at least one word, which the table of languages guarantees.
    let words = plan.compile.iter().flat_map(|words| Plan::at(words, dir));
    let words: Vec<_> = words.collect();
    let Some((program, args)) = words.split_first() else {
        return finish(plan, dir, allowance);
    };
    let program = Path::new(program);
    let broken = |e: io::Error| Fault::os("store the compiler's message", e);
    let said = tempfile::tempfile().map_err(no_temporary_file)?;
    let nothing = judge_os::null().map_err(broken)?;
    let execution = open_box(mounts, dir, open)?.run(&Job {
        program,
        args,
        env: &plan.env_at(dir),
        stdin: nothing.as_stream(),
        stdout: said.as_stream(),
        stderr: said.as_stream(),
        limits: &limits(allowance),
        count_instructions: false,
    })?;
    if execution.exit == Exit::Code(0) {
        return finish(plan, dir, allowance);
    }
    let ended = ending(&execution, program, allowance)?;
    let text = shortened(&said, dir).map_err(broken)?;
    let message = match (execution.exit, text.is_empty()) {
        (_, true) => ended,
        (Exit::Code(_), false) => text,
        (_, false) => format!("{ended}\n{text}"),
    };
    match execution.exit {
        Exit::Killed(Limit::Wall | Limit::Idle) => Ok(Compiled::Hung(message)),
        _ => refused(message, dir),
    }
}

/// Opens a box in which the compiler may write to the program's directory.
fn open_box(mounts: &[Mount], dir: &Path, open: &Opener) -> Result<Box<dyn Sandbox>, Fault> {
    let own = Mount {
        writable: true,
        ..read_only(dir)
    };
    open(&BoxSpec {
        mounts: mounts.iter().cloned().chain([own]).collect(),
        work_bytes: WORK_BYTES,
        finite_devices: true,
        ..BoxSpec::default()
    })
}

fn limits(allowance: &Allowance) -> Limits {
    Limits {
        cpu: Some(allowance.time),
        // The sandbox adds the time for which the machine does not run the compiler.
        wall: allowance.time + WAITING,
        memory: Some(allowance.memory),
        output: Some(OUTPUT_BYTES.max(allowance.program)),
        processes: Some(512),
        idle: Some(IDLE),
        disk: Some(2 * allowance.program),
        ..Limits::default()
    }
}

/// Makes the tree of a compiled program plain, and checks its size and that the product is there.
fn finish(plan: &Plan, dir: &Path, allowance: &Allowance) -> Result<Compiled, Fault> {
    if unlocked_tree_bytes(dir, allowance.program) > allowance.program {
        return refused(too_large(allowance), dir);
    }
    // A compile step can leave anything: unreadable and setuid files, pipes, links.
    make_plain(dir)
        .map_err(|e| Fault::os(format!("make the files in {} plain", dir.display()), e))?;
    match missing_product(plan, dir) {
        Some(message) => refused(message, dir),
        None => Ok(Compiled::Done),
    }
}

/// How a compiler ended that did not succeed.
fn ending(execution: &Execution, program: &Path, allowance: &Allowance) -> Result<String, Fault> {
    Ok(match execution.exit {
        Exit::Code(code) => format!("the compiler exited with code {code}"),
        Exit::Signal(signal) => format!("the compiler was killed by signal {signal}"),
        Exit::Killed(Limit::Memory) => {
            let mib = allowance.memory >> 20;
            format!("the compiler used more than {mib} MiB of memory")
        }
        Exit::Killed(Limit::Output) => "the compiler wrote more than 1 GiB".to_string(),
        Exit::Killed(Limit::Disk) => too_large(allowance),
        Exit::Killed(Limit::Idle) => format!(
            "the compiler waited for {} s without using any CPU time: remove what it waits for, \
             such as a pipe that the source includes",
            IDLE.as_secs()
        ),
        Exit::Killed(Limit::Wall) if execution.was_starved() => {
            return Err(Fault::starved(execution));
        }
        Exit::Killed(Limit::Wall) => format!(
            "compiling took more than {} s by the wall clock ({:.1} s of CPU time): remove what the \
             compiler waits for",
            limits(allowance).wall.as_secs_f64(),
            execution.usage.cpu.value.as_secs_f64()
        ),
        Exit::NotExecuted(errno) if errno == judge_sandbox::errno::E2BIG => {
            "there are too many source files for the compiler's command line".to_string()
        }
        Exit::Cancelled => "the compiler was cancelled".to_string(),
        Exit::NotExecuted(errno) => return Err(Fault::not_executed(program, errno)),
        Exit::Killed(_) => {
            let seconds = allowance.time.as_secs_f64();
            format!("compiling took more than {seconds} s")
        }
    })
}

/// The fault of a machine that has no place for temporary files.
pub fn no_temporary_file(e: io::Error) -> Fault {
    let place = std::env::temp_dir();
    Fault {
        remedy: Some("set TMPDIR to a directory with room".to_owned()),
        ..Fault::os(
            format!("create a temporary file in {} (TMPDIR)", place.display()),
            e,
        )
    }
}

fn too_large(allowance: &Allowance) -> String {
    format!(
        "the compiled program and the files beside it take more than {} MiB, or there are too many \
         of them: write less, or allow more with --program-size",
        allowance.program >> 20
    )
}

/// The result of a failed compiler: the program's fault, unless the disk is almost full, even
/// without the files that this compiler wrote.
fn refused(message: String, dir: &Path) -> Result<Compiled, Fault> {
    let room = judge_os::free_bytes(dir)
        .map(|free| free.saturating_add(unlocked_tree_bytes(dir, LITTLE_ROOM)));
    match room {
        Ok(room) if room < LITTLE_ROOM => {
            let first = message.lines().next().unwrap_or_default();
            let source = io::Error::other(format!(
                "only {} KiB are left on its disk, and the compiler says: {first}",
                room >> 10
            ));
            Err(Fault {
                remedy: Some(MAKE_ROOM.to_owned()),
                ..Fault::os(format!("compile in {}", dir.display()), source)
            })
        }
        _ => Ok(Compiled::Refused(message)),
    }
}

/// The message if the compiler exited with 0 but its product cannot be started.
fn missing_product(plan: &Plan, dir: &Path) -> Option<String> {
    let product = plan.product.as_ref()?;
    let path = dir.join(product);
    let of_product = |what: &str| {
        Some(format!(
            "the compiler's output `{}` {what}",
            product.display()
        ))
    };
    // The compiler may leave a link: to a file of the host, or to itself.
    let real = path.canonicalize();
    let is_own = real.is_ok_and(|real| dir.canonicalize().is_ok_and(|dir| real.starts_with(dir)));
    let metadata = match path.metadata() {
        Ok(metadata) if is_own => metadata,
        Ok(_) => return of_product("is a link that leads out of its directory"),
        Err(_) => {
            let hint = match product == Path::new("run") {
                true => "",
                false => ": is the source a library, without a main program?",
            };
            let product = product.display();
            return Some(format!("the compiler wrote no file `{product}`{hint}"));
        }
    };
    if !metadata.is_file() {
        return of_product("is not a file");
    }
    if metadata.len() == 0 {
        return of_product("is empty");
    }
    // A jar is started by another program; a product that is started itself must be executable. (Go
    // writes a library for a package other than `main`.)
    let itself = format!("{DIR}/{}", product.display());
    let started = plan.run.first() == Some(&itself) || product == Path::new("run");
    let executable = judge_os::mode(&metadata) & 0o111 != 0;
    match started && !executable {
        true => of_product(
            "is not executable: is the source a library, without a main program (in Go `package main`)?",
        ),
        false => None,
    }
}

/// The first lines of a compiler's message, without the build directory in file names.
fn shortened(message: &File, dir: &Path) -> io::Result<String> {
    let bytes = read_range(message, 0, SHOWN_BYTES)?;
    let dir = dir.display().to_string();
    let text = printable(&bytes)
        // From the box's working directory, as tsc writes it.
        .replace(&format!("..{dir}/"), "")
        .replace(&format!("{dir}/"), "")
        .replace(&dir, ".");
    let lines: Vec<&str> = text.lines().take(SHOWN_LINES).collect();
    let left_out = count_lines(message)?.saturating_sub(lines.len());
    Ok(match left_out {
        0 => lines.join("\n"),
        _ => format!("{}\n… {left_out} more lines", lines.join("\n")),
    })
}

/// The number of lines of a file, without blank ones at both ends.
fn count_lines(file: &File) -> io::Result<usize> {
    let (mut line, mut first, mut last) = (0_usize, None, 0);
    let mut buffer = vec![0; 64 << 10];
    let mut offset = 0;
    loop {
        let n = judge_os::read_at(file, &mut buffer, offset)?;
        if n == 0 {
            return Ok(first.map_or(0, |first| last - first + 1));
        }
        offset += n as u64;
        for byte in &buffer[..n] {
            if *byte == b'\n' {
                line += 1;
            } else if !byte.is_ascii_whitespace() {
                first.get_or_insert(line);
                last = line;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_sandbox::fake::{FakeSandbox, ended};
    use std::io::Write;
    use std::os::unix::fs::symlink;

    fn plan(product: &str) -> Plan {
        Plan {
            compile: Some(vec!["/usr/bin/compiler".to_owned()]),
            run: vec![format!("{DIR}/{product}")],
            env: Vec::new(),
            product: Some(product.into()),
        }
    }

    /// Compiles with a compiler that ends so.
    fn compiled(dir: &Path, exit: Exit) -> Result<Compiled, Fault> {
        let allowance = Allowance {
            program: PROGRAM_BYTES,
            time: Duration::from_secs(1),
            memory: 1 << 30,
        };
        let open = move |_: &BoxSpec| -> Result<Box<dyn Sandbox>, Fault> {
            Ok(Box::new(FakeSandbox::new(move |_| Ok(ended(exit)))))
        };
        run(&plan("program"), dir, &[], &allowance, &open)
    }

    #[test]
    fn however_a_compiler_ends_the_program_is_at_fault() {
        let dir = tempfile::tempdir().expect("a directory");
        let limits = [
            Limit::Cpu,
            Limit::Wall,
            Limit::Memory,
            Limit::Output,
            Limit::Idle,
            Limit::Disk,
        ];
        let killed = limits.map(Exit::Killed);
        let too_big = Exit::NotExecuted(judge_sandbox::errno::E2BIG);
        let others = [Exit::Code(1), Exit::Signal(11), too_big, Exit::Code(0)];
        for exit in killed.into_iter().chain(others) {
            let compiled = compiled(dir.path(), exit).expect("no fault");
            let refused = matches!(compiled, Compiled::Refused(_) | Compiled::Hung(_));
            assert!(refused, "{exit:?}");
        }
        let missing = Exit::NotExecuted(judge_sandbox::errno::ENOENT);
        assert!(compiled(dir.path(), missing).is_err());
    }

    #[test]
    fn a_product_is_a_file_of_the_program() {
        let dir = tempfile::tempdir().expect("a directory");
        let product = dir.path().join("program");
        let wrong = || missing_product(&plan("program"), dir.path()).unwrap_or_default();
        assert!(wrong().contains("wrote no file"));
        symlink("/bin/sh", &product).expect("a link");
        assert!(wrong().contains("leads out of"));
        std::fs::remove_file(&product).expect("it is there");
        symlink("program", &product).expect("a link");
        assert!(wrong().contains("wrote no file"));
        std::fs::remove_file(&product).expect("it is there");
        std::fs::create_dir(&product).expect("a directory");
        assert!(wrong().contains("is not a file"));
        std::fs::remove_dir(&product).expect("it is there");
        std::fs::write(&product, "").expect("a file");
        assert!(wrong().contains("is empty"));
        std::fs::write(&product, "x").expect("a file");
        assert!(wrong().contains("is not executable"));
    }

    #[test]
    fn all_lines_that_are_left_out_are_counted() {
        let dir = Path::new("/build");
        for (count, shown, left_out) in [(3, 3, 0), (41, 40, 1), (100_000, 40, 99_960)] {
            let mut file = tempfile::tempfile().expect("a file");
            let text =
                "../build/a.c:1:1: error: a b c\n/build/a.c:1:1: error: a b c\n".repeat(count);
            let text: String = text.split_inclusive('\n').take(count).collect();
            file.write_all(b"\n").expect("it is written");
            file.write_all(text.as_bytes()).expect("it is written");
            let mut expected = vec!["a.c:1:1: error: a b c".to_owned(); shown];
            expected.extend((left_out > 0).then(|| format!("… {left_out} more lines")));
            let found = shortened(&file, dir).expect("it is read");
            assert_eq!(found, expected.join("\n"));
        }
    }
}
