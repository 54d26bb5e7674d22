//! Every engine on every set of puzzles: `cargo bench --bench engines`.
//!
//! Prints two lines per engine and set, for the first solution and (as `engine/2`) for counting to two,
//! `engine<TAB>set<TAB>us_mean<TAB>us_p99<TAB>us_worst<TAB>guesses<TAB>puzzles_per_s`, times in
//! microseconds and guesses per puzzle, having checked every solution. Options go after `--`:
//!
//! - `--sets DIR`: the sets, one grid per line, instead of `benches/puzzles` and the generated ones (`sets.rs`), which the
//!   first run writes to `target/tmp/sets`
//! - `--engines A,B`: these engines only
//! - `--limit N`: only count up to `N` solutions (1 is finding the first)
//! - `--seconds S`: how long to measure an engine on a set; puzzles that it has not begun by then are
//!   not measured (a note on standard error says so), and after four times as long it is stopped
//!
//! `batch`, `stream` and `stream-2` are not in the registry: `batch` gets all puzzles at once,
//! `stream` gets them as text and writes the solutions as text;
//! `stream-2` does so with two threads, and its mean is by the clock. The three take turns in one
//! process, so that the cost of reading and writing shows. They have no times of single
//! puzzles.
//!
//! `Grid::solution` and `Grid::solve` take turns with the engine that they call on classic
//! 9x9 puzzles, as `engine-first` and `engine-solve`; `main-interface` is the ratio of their times, which
//! is to stay below 1.1.
//!
//! Each engine runs on each set in a process of its own, so that one that does not come to an end
//! can be stopped. The mean is the processor time of the fastest of several rounds; the other times
//! are by the clock, for each puzzle the shortest of the rounds.

mod many;
mod sets;

use many::{MAIN_INTERFACE, measure_main_interface, measure_many};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use sudoku::engine::{Engine, Method, Statistics, by_name, registry, stop_if};
use sudoku::{Grid, Rules};

const USAGE: &str = "usage: engines [--sets DIR] [--engines A,B] [--limit N] [--seconds S]";

/// The maximum number of rounds that are measured.
const ROUNDS: usize = 7;

struct Options {
    sets: Option<PathBuf>,
    engines: Option<Vec<String>>,
    limit: Option<u64>,
    seconds: f64,
    /// Set in a process that measures: the file.
    only: Option<PathBuf>,
}

fn main() -> ExitCode {
    let result = options().and_then(|options| match &options.only {
        Some(file) => measure_file(&options, file),
        None => run_all(&options),
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("engines: {message}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        sets: None,
        engines: None,
        limit: None,
        seconds: 1.0,
        only: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        if name == "--bench" {
            continue; // from cargo
        }
        let value = arguments.next().ok_or(USAGE)?;
        match name.as_str() {
            "--sets" => options.sets = Some(value.into()),
            "--engines" => options.engines = Some(value.split(',').map(String::from).collect()),
            "--limit" => options.limit = Some(value.parse().map_err(|_| USAGE)?),
            "--seconds" => options.seconds = value.parse().map_err(|_| USAGE)?,
            "--only" => options.only = Some(value.into()),
            _ => return Err(USAGE.into()),
        }
    }
    Ok(options)
}

/// Measures every engine on every set, each in a process of its own.
fn run_all(options: &Options) -> Result<(), String> {
    check_names(options)?;
    let directories = match &options.sets {
        Some(directory) => vec![directory.clone()],
        None => {
            let generated = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sets");
            sets::write(&generated)
                .map_err(|e| format!("failed to write {}: {e}", generated.display()))?;
            let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/puzzles");
            vec![kept, generated]
        }
    };
    let mut files = Vec::new();
    for directory in directories {
        let unreadable = |e| format!("failed to read {}: {e}", directory.display());
        for entry in std::fs::read_dir(&directory).map_err(unreadable)? {
            files.push(entry.map_err(unreadable)?.path());
        }
    }
    files.sort();
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    println!("engine\tset\tus_mean\tus_p99\tus_worst\tguesses\tpuzzles_per_s");
    for file in files.iter().filter(|file| file.is_file()) {
        let lines = read_lines(file)?;
        for engine in engines(lines[0].len()) {
            if let Some(wanted) = &options.engines
                && !wanted
                    .iter()
                    .any(|name| engine.split(',').any(|e| e == name))
            {
                continue;
            }
            let limits = options.limit.map_or(vec![1, 2], |limit| vec![limit]);
            for limit in limits {
                if engine == MAIN_INTERFACE && limit != 1 {
                    continue; // it counts to two itself
                }
                run_child(&program, options, file, engine, limit)?;
            }
        }
    }
    Ok(())
}

/// Measures an engine on a set in a process of its own.
fn run_child(
    program: &Path,
    options: &Options,
    file: &Path,
    engine: &str,
    limit: u64,
) -> Result<(), String> {
    let mut child = Command::new(program)
        .arg("--only")
        .arg(file)
        .args(["--engines", engine])
        .args(["--limit", &limit.to_string()])
        .args(["--seconds", &options.seconds.to_string()])
        .stdin(Stdio::null())
        .spawn()
        .map_err(|e| format!("failed to start a process: {e}"))?;
    let deadline = Instant::now() + Duration::from_secs_f64(4.0 * options.seconds + 1.0);
    loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) if status.success() => break,
            Some(_) => return Err(format!("{engine} failed on {}", file.display())),
            None if Instant::now() > deadline => {
                child.kill().map_err(|e| e.to_string())?;
                child.wait().map_err(|e| e.to_string())?;
                eprintln!("{engine}\t{}\tstopped: too slow", set_name(file));
                break;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
    Ok(())
}

impl Options {
    /// The number of solutions that are counted.
    fn limit(&self) -> u64 {
        self.limit.unwrap_or(1)
    }

    /// An engine's name in the output: that of counting ends with the limit.
    fn label(&self, name: &str) -> String {
        match self.limit() {
            1 => name.to_owned(),
            limit => format!("{name}/{limit}"),
        }
    }
}

/// The lines of a set, all as long as the first.
fn read_lines(file: &Path) -> Result<Vec<Vec<u8>>, String> {
    let text =
        std::fs::read(file).map_err(|e| format!("failed to read {}: {e}", file.display()))?;
    let lines: Vec<Vec<u8>> = text
        .split(|&byte| byte == b'\n')
        .map(|line| line.trim_ascii_end().to_vec())
        .filter(|line| !line.is_empty() && line[0] != b'#')
        .collect();
    let Some(first) = lines.first() else {
        return Err(format!("{} has no puzzle", file.display()));
    };
    match lines.iter().position(|line| line.len() != first.len()) {
        Some(line) => Err(format!(
            "{}: grid {} has {} cells, the first has {}",
            file.display(),
            line + 1,
            lines[line].len(),
            first.len()
        )),
        None => Ok(lines),
    }
}

fn set_name(file: &Path) -> String {
    file.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The engines that take many puzzles, measured in one process.
const BATCH_ENGINES: &str = "batch,stream,stream-2";

/// The engines for grids with this number of cells; those separated by commas take turns.
fn engines(cells: usize) -> Vec<&'static str> {
    fn names<const N: usize>() -> Vec<&'static str> {
        registry::<N>()
            .iter()
            .filter(|entry| entry.sides.contains(&N))
            .map(|entry| entry.name)
            .collect()
    }
    match cells {
        16 => names::<4>(),
        81 => [names::<9>(), vec![BATCH_ENGINES, MAIN_INTERFACE]].concat(),
        256 => names::<16>(),
        625 => names::<25>(),
        _ => Vec::new(),
    }
}

/// Refuses names of engines that are measured on no grid.
fn check_names(options: &Options) -> Result<(), String> {
    let mut known: Vec<&str> = [16, 81, 256, 625]
        .into_iter()
        .flat_map(engines)
        .flat_map(|names| names.split(','))
        .collect();
    known.sort_unstable();
    known.dedup();
    let wanted = options.engines.iter().flatten();
    let mut unknown = wanted.filter(|name| !known.contains(&name.as_str()));
    match unknown.next() {
        Some(name) => Err(format!(
            "there is no engine {name}: choose among {}",
            known.join(", ")
        )),
        None => Ok(()),
    }
}

fn measure_file(options: &Options, file: &Path) -> Result<(), String> {
    let lines = read_lines(file)?;
    let names = options.engines.as_ref().ok_or(USAGE)?;
    let engine = names.first().ok_or(USAGE)?;
    let set = set_name(file);
    match (lines[0].len(), engine.as_str()) {
        (81, "batch") => measure_many(options, names, &set, &lines),
        (81, "engine-first") => measure_main_interface(options, &set, &lines),
        (16, _) => measure::<4>(options, engine, &set, &lines),
        (81, _) => measure::<9>(options, engine, &set, &lines),
        (256, _) => measure::<16>(options, engine, &set, &lines),
        (625, _) => measure::<25>(options, engine, &set, &lines),
        (cells, _) => Err(format!("{set}: no grid of {cells} cells is measured here")),
    }
}

/// A grid from one character per cell: `.`, `-` or `0` for an empty one; digits from `1` on and
/// then letters from `A`, or letters alone.
fn parse<const N: usize>(line: &[u8]) -> Result<Grid<N>, String> {
    let letters_alone = !line.iter().any(|byte| (b'1'..=b'9').contains(byte));
    let mut rows = [[0; N]; N];
    for (i, &byte) in line.iter().enumerate() {
        rows[i / N][i % N] = match byte {
            b'.' | b'-' | b'0' => 0,
            b'1'..=b'9' => byte - b'0',
            _ if letters_alone => byte.to_ascii_uppercase().wrapping_sub(b'A' - 1),
            _ => byte.to_ascii_uppercase().wrapping_sub(b'A' - 10),
        };
    }
    Grid::from_rows(&rows).map_err(|e| e.to_string())
}

/// Measures an engine of the registry, puzzle by puzzle.
fn measure<const N: usize>(
    options: &Options,
    name: &str,
    set: &str,
    lines: &[Vec<u8>],
) -> Result<(), String> {
    let puzzles: Vec<Grid<N>> = lines
        .iter()
        .map(|line| parse(line))
        .collect::<Result<_, _>>()?;
    let rules = Rules::classic();
    let entry = by_name::<N>(name).ok_or_else(|| format!("there is no engine {name}"))?;
    let mut engine = entry.engine(&rules).map_err(|e| e.to_string())?;

    let start = Instant::now();
    let enough = Duration::from_secs_f64(options.seconds);
    let mut shortest: Vec<f64> = Vec::new();
    let mut guesses = 0;
    for (i, puzzle) in puzzles.iter().enumerate() {
        let begin = Instant::now();
        let (cost, found) = solve(engine.as_mut(), puzzle, options.limit());
        shortest.push(begin.elapsed().as_secs_f64());
        guesses += cost.guesses;
        check(&rules, puzzle, found.as_ref()).map_err(|e| format!("puzzle {}: {e}", i + 1))?;
        if start.elapsed() > enough {
            break;
        }
    }
    let count = shortest.len();
    if count < puzzles.len() {
        eprintln!("{name}\t{set}\tonly {count} of {} puzzles", puzzles.len());
    }
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let begin = thread_time();
        for puzzle in &puzzles[..count] {
            std::hint::black_box(solve(engine.as_mut(), puzzle, options.limit()));
        }
        best = best.min(thread_time() - begin);
        if start.elapsed() > enough {
            break;
        }
        for (puzzle, shortest) in puzzles.iter().zip(&mut shortest) {
            let begin = Instant::now();
            std::hint::black_box(solve(engine.as_mut(), puzzle, options.limit()));
            *shortest = shortest.min(begin.elapsed().as_secs_f64());
        }
    }
    shortest.sort_by(f64::total_cmp);
    let mean = best / count as f64;
    println!(
        "{}\t{set}\t{:.3}\t{:.3}\t{:.3}\t{:.3}\t{:.0}",
        options.label(name),
        mean * 1e6,
        shortest[(count * 99).div_ceil(100) - 1] * 1e6,
        shortest[count - 1] * 1e6,
        guesses as f64 / count as f64,
        1.0 / mean
    );
    Ok(())
}

/// Counts solutions up to `limit` and keeps the first.
fn solve<const N: usize>(
    engine: &mut dyn Method<N>,
    puzzle: &Grid<N>,
    limit: u64,
) -> (Statistics, Option<Grid<N>>) {
    let mut first = None;
    let mut count = 0;
    let cost = engine.for_each(puzzle, |solution| {
        if count == 0 {
            first = Some(*solution);
        }
        count += 1;
        stop_if(count >= limit)
    });
    (cost, first)
}

/// Whether the grid found solves the puzzle or, if none was found, the puzzle has no solution.
fn check<const N: usize>(
    rules: &Rules<N>,
    puzzle: &Grid<N>,
    found: Option<&Grid<N>>,
) -> Result<(), String> {
    let right = match found {
        Some(solution) => {
            rules.is_solved_by(solution)
                && puzzle
                    .givens()
                    .all(|(cell, digit)| solution.get(cell) == Some(digit))
        }
        None => {
            let judge = by_name::<N>("houses").ok_or("there is no engine houses")?;
            let mut judge = judge.engine(rules).map_err(|e| e.to_string())?;
            judge.first(puzzle).is_none()
        }
    };
    if right {
        Ok(())
    } else {
        Err(format!("a wrong answer: {found:?}"))
    }
}

/// The processor time of this thread, in seconds.
fn thread_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
