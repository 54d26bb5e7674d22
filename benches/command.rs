//! The command `sudoku` by threads: `cargo bench --features cli --bench command`.
//!
//! Prints one line per command, input and number of threads (the powers of two up to the number of cores),
//! `command<TAB>input<TAB>threads<TAB>million_puzzles_per_s<TAB>speedup<TAB>efficiency`: the speed-up over one thread, and what
//! share of as many threads it is. `solve` with one thread is also compared with the library's stream, in turns. Options go after
//! `--`: `--puzzles N` for the size of the file, `--rounds N` for the rounds, the fastest of which counts.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use sudoku::engine::nine::Stream;

const SET: &str = include_str!("puzzles/9x9-minimal.txt");

/// A command, how many times less of the file it gets because it takes longer, and whether it reads a pipe, too.
const COMMANDS: [(&[&str], usize, bool); 6] = [
    (&["solve"], 1, true),
    (&["check"], 1, false),
    (&["count", "--limit", "2"], 1, false),
    (&["solve", "--count"], 1, false),
    (&["rate"], 100, false),
    (&["convert", "--to", "line"], 1, false),
];

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    let (mut puzzles, mut rounds) = (2_000_000, 5);
    while let Some(name) = arguments.next() {
        let value = arguments.next().and_then(|value| value.parse().ok());
        match (name.as_str(), value) {
            ("--puzzles", Some(value)) => puzzles = value,
            ("--rounds", Some(value)) => rounds = value,
            _ => panic!("usage: command [--puzzles N] [--rounds N]"),
        }
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let model = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model
        .lines()
        .find_map(|line| line.strip_prefix("model name\t: "));
    println!(
        "# {}, {cores} cores, {puzzles} puzzles",
        model.unwrap_or("unknown processor")
    );
    println!("command\tinput\tthreads\tmillion_puzzles_per_s\tspeedup\tefficiency");
    let threads: Vec<usize> = (0..)
        .map(|power| 1 << power)
        .take_while(|&threads| threads <= cores)
        .collect();
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (command, less, has_pipe) in COMMANDS {
        let count = (puzzles / less).max(1000);
        let file = directory.join(format!("command-{count}.txt"));
        let text: String = SET
            .lines()
            .cycle()
            .take(count)
            .flat_map(|line| [line, "\n"])
            .collect();
        std::fs::write(&file, &text).expect("room for the puzzles");
        let inputs = if has_pipe {
            &["file", "pipe"][..]
        } else {
            &["file"]
        };
        for &input in inputs {
            let mut best = vec![f64::INFINITY; threads.len()];
            let mut library = f64::INFINITY;
            for _ in 0..rounds {
                if command == ["solve"] {
                    library = library.min(seconds_of_library(&text));
                }
                for (best, &threads) in best.iter_mut().zip(&threads) {
                    *best = best.min(seconds(command, threads, &file, input == "pipe"));
                }
            }
            for (&time, &threads) in best.iter().zip(&threads) {
                let speedup = best[0] / time;
                println!(
                    "{}\t{input}\t{threads}\t{:.3}\t{speedup:.2}\t{:.2}",
                    command.join(" "),
                    count as f64 / time / 1e6,
                    speedup / threads as f64
                );
            }
            if command == ["solve"] {
                println!(
                    "library's stream\t{input}\t1\t{:.3}\tone thread of the command: {:.2} of it",
                    count as f64 / library / 1e6,
                    library / best[0]
                );
            }
        }
        let _ = std::fs::remove_file(&file);
    }
    for &threads in &threads {
        let count = (puzzles / 100).max(1000);
        let begin = Instant::now();
        let status = sudoku()
            .args([
                "generate",
                "--seed",
                "1",
                "-j",
                &threads.to_string(),
                "--count",
                &count.to_string(),
            ])
            .status();
        assert!(status.expect("the command starts").success());
        println!(
            "generate\t-\t{threads}\t{:.3}",
            count as f64 / begin.elapsed().as_secs_f64() / 1e6
        );
    }
}

fn sudoku() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku"));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The time of a run over the file.
fn seconds(command: &[&str], threads: usize, file: &Path, is_pipe: bool) -> f64 {
    let mut run = sudoku();
    run.args(command).args(["-j", &threads.to_string()]);
    let begin = Instant::now();
    if is_pipe {
        let mut child = run
            .stdin(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let mut file = File::open(file).expect("the file");
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = file.read(&mut buffer).expect("the file");
            if read == 0 {
                break;
            }
            stdin.write_all(&buffer[..read]).expect("the command reads");
        }
        drop(stdin);
        assert!(child.wait().expect("the command ends").success());
    } else {
        let status = run.arg(file).status().expect("the command starts");
        assert!(status.success());
    }
    begin.elapsed().as_secs_f64()
}

fn seconds_of_library(text: &str) -> f64 {
    let begin = Instant::now();
    let solved = Stream::new(1).solve_text(text.as_bytes(), std::io::sink(), 1);
    solved.expect("puzzles");
    begin.elapsed().as_secs_f64()
}
