//! Speed of comparing outputs, exactly and token by token, against `cmp` and a token comparer in
//! C++. Rounds are interleaved; each figure is the median CPU time (user and system).
//!
//! `cargo bench -p judge --bench compare`; `COMPARE_MIB` sets the size (1024), `COMPARE_ROUNDS` the
//! rounds (5). Rows whose two files differ use a quarter of that size. The files need 3.5 times the
//! size in the temporary directory.

use judge_core::checker::{Flags, default, exact};
use judge_sandbox::{BoxSpec, Exit, Job, Limits, Mode, Sandbox};
use rustix::time::{ClockId, clock_gettime};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

type Measure<'a> = Box<dyn FnMut() -> Duration + 'a>;

struct Row<'a> {
    name: &'static str,
    measure: Measure<'a>,
    bytes: u64,
    times: Vec<Duration>,
}

fn main() {
    // `cargo bench` passes `--bench`; `cargo test --benches` only checks that the bench runs.
    let trial = !std::env::args().any(|arg| arg == "--bench");
    let number = |name: &str, usual: u64| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(usual)
    };
    let mib = number("COMPARE_MIB", if trial { 1 } else { 1024 });
    let rounds = number("COMPARE_ROUNDS", if trial { 1 } else { 5 });
    let dir = tempfile::tempdir().expect("a temporary directory");
    let files = Files::make(dir.path(), mib << 20).expect("write the files");
    let rival = compile(dir.path());

    let plain = Flags::default();
    let tolerant = Flags {
        relative: Some(1e-9),
        ..plain
    };
    let ours = |output: &'static str, flags: Flags| -> Measure<'_> {
        let (output, answer) = (files.open(output), files.open(answer_of(output)));
        Box::new(move || {
            let start = cpu();
            let mismatch = default::compare(&output, &answer, &flags).expect("files can be read");
            assert_eq!(mismatch, None, "the outputs are right");
            cpu() - start
        })
    };
    let (a, b) = (files.open("copy"), files.open("lf"));
    let exact: Measure<'_> = Box::new(move || {
        let start = cpu();
        assert_eq!(exact::compare(&a, &b).expect("files can be read"), None);
        cpu() - start
    });
    let (whole, part) = (mib << 20, mib << 18);
    let cmp = Path::new("/usr/bin/cmp");
    let mut rows = vec![
        row("exact, the same", whole, exact),
        row("tokens, the same", whole, ours("copy", plain)),
        row("tokens, CRLF for LF", part, ours("crlf", plain)),
        row("tokens, other case", part, ours("upper", plain)),
        row("tokens, a line each", part, ours("lines", plain)),
        row("numbers, the same", whole, ours("copy", tolerant)),
        row("numbers, one digit more", part, ours("digits", tolerant)),
        row("cmp, the same", whole, other(cmp, &files, "copy")),
    ];
    if let Some(rival) = &rival {
        let rows_of_rival = [
            row("C++ tokens, the same", whole, other(rival, &files, "copy")),
            row(
                "C++ tokens, CRLF for LF",
                part,
                other(rival, &files, "crlf"),
            ),
        ];
        rows.extend(rows_of_rival);
    }
    for _ in 0..rounds {
        for row in &mut rows {
            let time = (row.measure)();
            row.times.push(time);
        }
    }

    // Seconds per GiB, so that rows of different size compare.
    let median = |row: &Row<'_>| {
        let mut times = row.times.clone();
        times.sort();
        let gib = row.bytes as f64 / (1 << 30) as f64;
        times[times.len() / 2].as_secs_f64().max(1e-9) / gib
    };
    let cmp = rows
        .iter()
        .find(|row| row.name.starts_with("cmp"))
        .map_or(1.0, median);
    println!("{mib} MiB of tokens, median CPU time of {rounds} rounds");
    println!(
        "{:24} {:>9} {:>9} {:>12}",
        "comparison", "s/GiB", "GB/s", "times cmp's"
    );
    for row in &rows {
        let time = median(row);
        let speed = (1 << 30) as f64 / time / 1e9;
        println!("{:24} {time:9.3} {speed:9.2} {:12.2}", row.name, time / cmp);
    }
}

fn row<'a>(name: &'static str, bytes: u64, measure: Measure<'a>) -> Row<'a> {
    Row {
        name,
        measure,
        bytes,
        times: Vec::new(),
    }
}

/// The answer that an output is compared with.
fn answer_of(output: &str) -> &'static str {
    if output == "copy" { "lf" } else { "part" }
}

/// CPU time of this thread.
fn cpu() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Files with the same tokens in several notations.
struct Files(PathBuf);

impl Files {
    fn make(dir: &Path, bytes: u64) -> io::Result<Self> {
        let create = |name: &str| {
            File::create(dir.join(name)).map(|file| BufWriter::with_capacity(1 << 20, file))
        };
        let (mut lf, mut copy, mut part) = (create("lf")?, create("copy")?, create("part")?);
        let (mut crlf, mut upper) = (create("crlf")?, create("upper")?);
        let (mut lines, mut digits) = (create("lines")?, create("digits")?);
        let (mut written, mut state) = (0, 1_u64);
        while written < bytes {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let (word, whole, fraction) = (state >> 60, state >> 40 & 0xfff, state >> 33 & 0x7f);
            let line = format!("case{word} {whole}.{fraction} {}\n", state >> 50);
            lf.write_all(line.as_bytes())?;
            copy.write_all(line.as_bytes())?;
            if written < bytes / 4 {
                part.write_all(line.as_bytes())?;
                crlf.write_all(line.replace('\n', "\r\n").as_bytes())?;
                upper.write_all(line.to_uppercase().as_bytes())?;
                lines.write_all(line.replace(' ', "\n").as_bytes())?;
                digits.write_all(
                    format!("case{word} {whole}.{fraction}0 {}\n", state >> 50).as_bytes(),
                )?;
            }
            written += line.len() as u64;
        }
        for file in [
            &mut lf,
            &mut copy,
            &mut part,
            &mut crlf,
            &mut upper,
            &mut lines,
            &mut digits,
        ] {
            file.flush()?;
        }
        Ok(Files(dir.to_path_buf()))
    }

    fn open(&self, name: &str) -> File {
        File::open(self.0.join(name)).expect("open the file")
    }
}

/// Another program that compares two files named on its command line.
fn other<'a>(program: &'a Path, files: &'a Files, output: &'static str) -> Measure<'a> {
    let spec = BoxSpec {
        mode: Mode::None,
        ..BoxSpec::default()
    };
    let mut sandbox: Box<dyn Sandbox> =
        judge_sandbox::open(&spec).expect("open a box without isolation");
    let args: Vec<OsString> = [answer_of(output), output]
        .map(|name| files.0.join(name).into_os_string())
        .to_vec();
    let null = File::options()
        .read(true)
        .write(true)
        .open("/dev/null")
        .expect("find the program in PATH");
    let limits = Limits {
        wall: Duration::from_secs(600),
        ..Limits::default()
    };
    Box::new(move || {
        let execution = sandbox
            .run(&Job {
                program,
                args: &args,
                env: &[],
                stdin: null.as_fd(),
                stdout: null.as_fd(),
                stderr: null.as_fd(),
                limits: &limits,
                count_instructions: false,
            })
            .expect("run the program");
        assert_eq!(
            execution.exit,
            Exit::Code(0),
            "{} finds no difference",
            program.display()
        );
        execution.usage.cpu.value
    })
}

fn compile(dir: &Path) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/tokens.cpp");
    let binary = dir.join("tokens");
    let status = Command::new("c++")
        .arg("-O2")
        .arg("-o")
        .arg(&binary)
        .arg(source)
        .status();
    match status {
        Ok(status) if status.success() => Some(binary),
        _ => {
            println!("skipped: no C++ compiler for the rival");
            None
        }
    }
}
