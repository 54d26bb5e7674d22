//! The time of a whole process for a single puzzle, against the least that a program can do:
//! `cargo bench --bench start` (`-- --rounds N` for other than 500 runs of each).
//!
//! Each problem's program is built twice, by a plain `cargo build --release` and by `make static`,
//! and runs in turn with `floor.c` (`cc -O2 -static`), which reads the same input and writes the
//! same bytes. Prints a line for each,
//! `start<TAB>problem<TAB>build<TAB>cpu_us<TAB>clock_us<TAB>cpu_ratio<TAB>clock_ratio`: medians, the
//! ratios those of each round to its floor. `run.c` starts the programs and measures them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use sudoku::Grid;
use sudoku::notation::Notation;

const USAGE: &str = "usage: start [--rounds N]";

/// Each is measured with its first sample; `uva1309`, whose sample takes longer to solve than a
/// process to start, with the first puzzle of a set that needs no guess.
const PROBLEMS: [&str; 4] = ["luogup1784", "nowcodernc47", "sudokuall", "uva1309"];

type Result<T> = std::result::Result<T, String>;

fn main() -> ExitCode {
    match rounds().and_then(measure_all) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("start: {message}");
            ExitCode::FAILURE
        }
    }
}

fn rounds() -> Result<u32> {
    let mut rounds = 500;
    let mut arguments = std::env::args().skip(1).filter(|name| name != "--bench");
    while let Some(name) = arguments.next() {
        let value = arguments
            .next()
            .filter(|_| name == "--rounds")
            .ok_or(USAGE)?;
        rounds = value.parse().map_err(|_| USAGE)?;
    }
    if rounds == 0 {
        Err(USAGE.into())
    } else {
        Ok(rounds)
    }
}

fn measure_all(rounds: u32) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = root.join("benches/start");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("start");
    std::fs::create_dir_all(&scratch).map_err(|e| failed("create", &scratch, &e))?;
    let target = root.join("target");
    let mut build = Command::new(env!("CARGO"));
    build
        .args(["build", "-q", "--release", "--target-dir"])
        .arg(&target);
    for problem in PROBLEMS {
        build.args(["-p", problem, "--bin", problem]);
    }
    finish(build.current_dir(root))?;
    finish(
        Command::new("make")
            .args(["-s", "static"])
            .current_dir(root),
    )?;
    let run = scratch.join("run");
    finish(
        Command::new("cc")
            .args(["-O2", "-o"])
            .arg(&run)
            .arg(sources.join("run.c")),
    )?;
    println!("start\tproblem\tbuild\tcpu_us\tclock_us\tcpu_ratio\tclock_ratio");
    for problem in PROBLEMS {
        let (input, answer) = case(root, problem)?;
        let file = scratch.join(problem).with_extension("in");
        std::fs::write(&file, input).map_err(|e| failed("write", &file, &e))?;
        let programs = [
            target.join("release").join(problem),
            root.join("target/static/release").join(problem),
        ];
        let answer = checked_output(&programs, &file, &answer)?;
        let floor = floor(&sources, &scratch.join(problem), &answer)?;
        let mut command = Command::new(&run);
        command
            .arg(rounds.to_string())
            .arg(&file)
            .arg(&floor)
            .args(&programs);
        let times = finish(&mut command)?;
        let times = String::from_utf8(times).map_err(|e| e.to_string())?;
        for (i, build) in ["floor", "plain", "static"].into_iter().enumerate() {
            let [cpu, clock, cpu_ratio, clock_ratio] = medians(&times, i)?;
            println!(
                "start\t{problem}\t{build}\t{cpu:.0}\t{clock:.0}\t{cpu_ratio:.3}\t{clock_ratio:.3}"
            );
        }
    }
    Ok(())
}

/// An input and its answer.
fn case(root: &Path, problem: &str) -> Result<(String, String)> {
    let read =
        |file: PathBuf| std::fs::read_to_string(&file).map_err(|e| failed("read", &file, &e));
    if problem == "uva1309" {
        let set = read(root.join("benches/puzzles/16x16-givens130.txt"))?;
        let puzzle = set.lines().next().ok_or("the set is empty")?;
        let puzzle: Grid<16> = Notation::LINE.parse(puzzle).map_err(|e| e.to_string())?;
        let solution = puzzle
            .solution()
            .ok_or("the set's first puzzle has no solution")?;
        let rows = |grid| Notation::DASHED_ROWS.format(grid);
        return Ok((rows(&puzzle), rows(&solution)));
    }
    let sample = root.join("testdata").join(problem).join("data/sample/1.in");
    Ok((read(sample.clone())?, read(sample.with_extension("ans"))?))
}

/// The output of all programs: the answer but for blanks.
fn checked_output(programs: &[PathBuf], input: &Path, answer: &str) -> Result<Vec<u8>> {
    let mut output = Vec::new();
    for program in programs {
        let input = std::fs::File::open(input).map_err(|e| failed("open", input, &e))?;
        output = finish(Command::new(program).stdin(input))?;
        let text = String::from_utf8_lossy(&output);
        if !text.split_whitespace().eq(answer.split_whitespace()) {
            return Err(format!("the answer of {} is wrong", program.display()));
        }
    }
    Ok(output)
}

/// Compiles the program that writes this answer.
fn floor(sources: &Path, directory: &Path, answer: &[u8]) -> Result<PathBuf> {
    let mut header = String::from("static const char answer[] = {");
    for byte in answer {
        write!(header, "{byte},").map_err(|e| e.to_string())?;
    }
    header.push_str("};\n");
    std::fs::create_dir_all(directory).map_err(|e| failed("create", directory, &e))?;
    let file = directory.join("answer.h");
    std::fs::write(&file, header).map_err(|e| failed("write", &file, &e))?;
    let program = directory.join("floor");
    let mut compile = Command::new("cc");
    compile
        .args(["-O2", "-static", "-I"])
        .arg(directory)
        .arg("-o")
        .arg(&program);
    finish(compile.arg(sources.join("floor.c")))?;
    Ok(program)
}

/// Of the `i`th program in the lines of `run`: processor time and time by the clock, in
/// microseconds, and the ratios to the first program's.
fn medians(times: &str, i: usize) -> Result<[f64; 4]> {
    let mut columns = [const { Vec::new() }; 4];
    for line in times.lines() {
        let numbers: std::result::Result<Vec<f64>, _> = line.split(' ').map(str::parse).collect();
        let numbers = numbers.map_err(|e| format!("from run: {line}: {e}"))?;
        let [cpu, clock] = [numbers[2 * i], numbers[2 * i + 1]];
        let row = [cpu, clock, cpu / numbers[0], clock / numbers[1]];
        for (column, number) in columns.iter_mut().zip(row) {
            column.push(number);
        }
    }
    Ok(columns.map(|mut column| {
        column.sort_by(f64::total_cmp);
        column[column.len() / 2]
    }))
}

/// Runs a command to its end; what it wrote to standard output.
fn finish(command: &mut Command) -> Result<Vec<u8>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("failed to start {name}: {e}"))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("{name} failed: {}", output.status))
    }
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> String {
    format!("failed to {what} {}: {error}", path.display())
}
