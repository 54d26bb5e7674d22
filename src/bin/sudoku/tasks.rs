//! The tasks of the command, each for puzzles of one side.

use crate::convert::{Form, push_line};
use crate::formats::Problem;
use crate::order::{Done, Ordered};
use std::any::Any;
use std::io::Write;
use std::time::{Duration, Instant};
use sudoku::engine::nine::Batch;
use sudoku::rate::Rater;
use sudoku::rules::HouseKind;
use sudoku::{Answer, Grid, Rules, Solver};

/// The number of solutions at which `count` stops unless another limit is given.
pub const DEFAULT_LIMIT: u64 = 1_000_000;

/// The task to run for each puzzle.
pub enum Task {
    /// A solution, or one and how many there are.
    Solve { count: bool },
    /// All solutions.
    SolveAll,
    /// The number of solutions, up to a limit.
    Count(Option<u64>),
    /// Whether there is one solution.
    Check,
    /// How hard the puzzle is, and on the scale of Sudoku Explainer where it is wanted.
    Rate { explainer: bool },
    /// The steps of a person's solution.
    Explain,
    /// Another notation.
    Convert(Form),
}

impl Task {
    /// Whether a classic 9x9 puzzle takes a few microseconds at most.
    pub fn is_fast(&self) -> bool {
        match self {
            Task::Solve { .. } | Task::Check | Task::Convert(_) => true,
            Task::Count(limit) => limit.is_some_and(|limit| limit <= 2),
            Task::SolveAll | Task::Rate { .. } | Task::Explain => false,
        }
    }

    /// Whether lines of 81 characters are worked on as text.
    pub fn takes_lines(&self) -> bool {
        matches!(
            self,
            Task::Solve { count: false } | Task::Check | Task::Count(_)
        )
    }

    /// The number of solutions that are counted.
    pub fn limit(&self) -> u64 {
        match self {
            Task::Count(limit) => limit.unwrap_or(DEFAULT_LIMIT),
            _ => 2,
        }
    }

    /// Writes the result of counting.
    pub fn put_count<const N: usize>(
        &self,
        puzzle: &Grid<N>,
        line: usize,
        count: u64,
        part: &mut Part<'_, '_>,
    ) {
        let out = &mut part.done.text;
        if let Task::Count(limit) = self {
            let _ = writeln!(out, "{count}");
            if limit.is_none() && count == DEFAULT_LIMIT {
                let text =
                    format!("stopped at {DEFAULT_LIMIT} solutions: pass --limit to count more");
                part.message(line, &Problem::text(text));
            }
            return;
        }
        push_line(puzzle, out);
        out.extend_from_slice(match count {
            0 => b"\tnone\n",
            1 => b"\tunique\n",
            _ => b"\tseveral\n",
        });
        part.is_bad |= count != 1;
    }
}

/// The results of a chunk.
pub struct Part<'o, 's> {
    ordered: &'o Ordered<'s>,
    number: u64,
    pub done: Done,
    /// Whether a line was skipped or an answer was not as wanted.
    pub is_bad: bool,
    /// Whether the work goes on.
    pub is_open: bool,
    /// When solutions were last written.
    written: Option<Instant>,
}

impl<'o, 's> Part<'o, 's> {
    pub fn new(ordered: &'o Ordered<'s>, number: u64) -> Self {
        let done = Done {
            text: ordered.buffer(),
            ..Done::default()
        };
        Part {
            ordered,
            number,
            done,
            is_bad: false,
            is_open: true,
            written: None,
        }
    }

    /// Whether the chunk is the first of its file.
    pub fn is_first(&self) -> bool {
        self.number == 0
    }

    /// Passes on the results; returns whether the work goes on.
    pub fn finish(mut self) -> bool {
        // Puzzles are solved together, after other lines of the chunk were skipped.
        self.done.messages.sort_by_key(|(line, _)| *line);
        self.ordered
            .finish(self.number, std::mem::take(&mut self.done))
    }

    /// A message about a line of the chunk, from 0.
    pub fn message(&mut self, line: usize, problem: &Problem) {
        let text = match problem.column {
            None => format!(": {problem}"),
            Some(column) => format!(":{}: {problem}", column + 1),
        };
        self.done.messages.push((line, text));
    }

    /// A message about a line that is skipped.
    pub fn skip(&mut self, line: usize, problem: &Problem) {
        self.is_bad = true;
        let text = format!("{problem}; skipped");
        self.message(line, &Problem { text, ..*problem });
    }

    /// A message about a puzzle without a solution.
    pub fn no_solution<const N: usize>(&mut self, line: usize, puzzle: &Grid<N>, rules: &Rules<N>) {
        self.is_bad = true;
        let why = clash(rules, puzzle).map_or(String::new(), |why| format!(": {why}"));
        self.message(line, &Problem::text(format!("no solution{why}")));
    }

    /// Writes the text so far if it is much, or if none was written lately.
    fn pass_on(&mut self) {
        let is_due = self.written.is_none_or(|written| written.elapsed() > PAUSE);
        let is_much = self.done.text.len() > MAX_TEXT;
        if is_much || (is_due && self.ordered.is_turn(self.number)) {
            self.is_open = self.ordered.write_part(self.number, &mut self.done.text);
            self.written = Some(Instant::now());
        }
    }
}

/// Without this, the other threads would wait for the chunk of a thread that panicked.
impl Drop for Part<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.ordered
                .fail(std::io::Error::other("a thread panicked"));
        }
    }
}

/// The text of a chunk that is kept back, and for how long while solutions of one puzzle are written.
const MAX_TEXT: usize = 1 << 16;
const PAUSE: Duration = Duration::from_millis(10);

/// The first house that holds a digit twice, in words.
fn clash<const N: usize>(rules: &Rules<N>, puzzle: &Grid<N>) -> Option<String> {
    let mut numbers = [0; 5];
    for house in rules.houses() {
        let (kind, name) = match house.kind {
            HouseKind::Row => (0, "row"),
            HouseKind::Column => (1, "column"),
            HouseKind::Box => (2, "box"),
            HouseKind::Diagonal => (3, "diagonal"),
            _ => (4, "extra house"),
        };
        numbers[kind] += 1;
        let mut seen = 0_u64;
        for digit in house.cells.iter().filter_map(|&cell| puzzle[cell]) {
            if seen >> digit.value() & 1 != 0 {
                return Some(format!("{name} {} contains {digit} twice", numbers[kind]));
            }
            seen |= 1 << digit.value();
        }
    }
    None
}

/// The memory of a thread for puzzles of one side.
pub struct Side<const N: usize> {
    puzzles: Vec<Grid<N>>,
    rules: Rules<N>,
    solver: Solver<N>,
    rater: Option<Rater<N>>,
    solutions: Vec<Option<Grid<N>>>,
    counts: Vec<u64>,
    /// The engine for many 9x9 puzzles.
    batch: Option<Batch>,
}

impl<const N: usize> Side<N> {
    pub fn new(rules: Rules<N>) -> Self {
        Side {
            puzzles: Vec::new(),
            solver: Solver::with_rules(&rules),
            rater: None,
            solutions: Vec::new(),
            counts: Vec::new(),
            batch: (N == 9 && rules.is_classic()).then(Batch::new),
            rules,
        }
    }

    /// Runs the task for the puzzles with these values, which come from these lines.
    pub fn run(&mut self, values: &[u8], lines: &[usize], task: &Task, part: &mut Part<'_, '_>) {
        self.puzzles.clear();
        for values in values.chunks_exact(N * N) {
            match Grid::from_values(values) {
                Ok(puzzle) => self.puzzles.push(puzzle),
                Err(error) => unreachable!("the values of a puzzle: {error}"),
            }
        }
        part.done.puzzles += lines.len();
        match task {
            Task::Solve { count } => self.solve(lines, *count, part),
            Task::Count(_) | Task::Check => {
                self.count(task.limit());
                for ((puzzle, &line), &count) in self.puzzles.iter().zip(lines).zip(&self.counts) {
                    task.put_count(puzzle, line, count, part);
                }
            }
            Task::SolveAll => {
                for (puzzle, &line) in self.puzzles.iter().zip(lines) {
                    // A puzzle can have more solutions than memory holds.
                    let mut is_solved = false;
                    for solution in self.solver.solutions(puzzle) {
                        is_solved = true;
                        push_line(&solution, &mut part.done.text);
                        part.done.text.push(b'\n');
                        part.pass_on();
                        if !part.is_open {
                            return;
                        }
                    }
                    if !is_solved {
                        part.no_solution(line, puzzle, &self.rules);
                    }
                }
            }
            Task::Rate { explainer } => {
                for puzzle in &self.puzzles {
                    let rater = self.rater.get_or_insert_with(|| Rater::new(&self.rules));
                    push_line(puzzle, &mut part.done.text);
                    let out = &mut part.done.text;
                    if let Some(rating) = rater.rate(puzzle) {
                        let _ = write!(out, "\t{}\t{}", rating.technique, rating.guesses);
                        if *explainer {
                            let difficulty = rater.difficulty(puzzle);
                            let difficulty = difficulty.map(|difficulty| difficulty.to_string());
                            let _ = write!(out, "\t{}", difficulty.as_deref().unwrap_or("beyond"));
                        }
                        out.push(b'\n');
                    } else {
                        let several = self.solver.first(puzzle).is_some();
                        let _ = writeln!(
                            out,
                            "\t{}\t",
                            if several {
                                "several solutions"
                            } else {
                                "no solution"
                            }
                        );
                        part.is_bad = true;
                    }
                }
            }
            Task::Explain => {
                for puzzle in &self.puzzles {
                    let rater = self.rater.get_or_insert_with(|| Rater::new(&self.rules));
                    part.is_bad |= !explain(
                        rater,
                        &mut self.solver,
                        &self.rules,
                        puzzle,
                        &mut part.done.text,
                    );
                }
            }
            Task::Convert(form) => {
                for puzzle in &self.puzzles {
                    form.put(puzzle, &mut part.done.text);
                }
            }
        }
    }

    fn solve(&mut self, lines: &[usize], count: bool, part: &mut Part<'_, '_>) {
        self.solutions.clear();
        self.solutions.resize(self.puzzles.len(), None);
        let any: (&dyn Any, &mut dyn Any) = (&self.puzzles, &mut self.solutions);
        match (
            &mut self.batch,
            any.0.downcast_ref::<Vec<Grid<9>>>(),
            any.1.downcast_mut::<Vec<Option<Grid<9>>>>(),
        ) {
            (Some(batch), Some(puzzles), Some(solutions)) => {
                batch.first(puzzles, solutions);
            }
            _ => {
                for (puzzle, solution) in self.puzzles.iter().zip(&mut self.solutions) {
                    *solution = self.solver.first(puzzle);
                }
            }
        }
        if count {
            self.count(2);
        }
        for (index, (puzzle, solution)) in self.puzzles.iter().zip(&self.solutions).enumerate() {
            push_line(&solution.unwrap_or_default(), &mut part.done.text);
            if count {
                let _ = write!(part.done.text, "\t{}", self.counts[index]);
            }
            part.done.text.push(b'\n');
            if solution.is_none() {
                part.no_solution(lines[index], puzzle, &self.rules);
            }
        }
    }

    /// Counts the solutions of the puzzles.
    fn count(&mut self, limit: u64) {
        self.counts.clear();
        self.counts.resize(self.puzzles.len(), 0);
        let puzzles: &dyn Any = &self.puzzles;
        match (&mut self.batch, puzzles.downcast_ref::<Vec<Grid<9>>>()) {
            (Some(batch), Some(puzzles)) => {
                batch.count(puzzles, &mut self.counts, limit);
            }
            _ => {
                for (puzzle, count) in self.puzzles.iter().zip(&mut self.counts) {
                    *count = self.solver.count(puzzle, limit);
                }
            }
        }
    }
}

/// Writes the steps of a person's solution; where no technique leads on, a guess. Returns whether there is one solution.
fn explain<const N: usize>(
    rater: &Rater<N>,
    solver: &mut Solver<N>,
    rules: &Rules<N>,
    puzzle: &Grid<N>,
    out: &mut Vec<u8>,
) -> bool {
    let _ = writeln!(out, "{}", puzzle.pretty());
    let solution = match solver.solve(puzzle) {
        Answer::Unique(solution) => solution,
        Answer::None => {
            let why = clash(rules, puzzle).map_or(String::new(), |why| format!(": {why}"));
            let _ = writeln!(out, "the puzzle has no solution{why}\n");
            return false;
        }
        Answer::Several(one, two) => {
            let cell = sudoku::Cell::all().find(|&cell| one[cell] != two[cell]);
            if let Some(cell) = cell
                && let (Some(first), Some(second)) = (one[cell], two[cell])
            {
                let _ = writeln!(
                    out,
                    "the puzzle has several solutions: {cell} can be {first} or {second}\n"
                );
            }
            return false;
        }
    };
    let mut steps = rater.steps(puzzle);
    for number in 1.. {
        if let Some(step) = steps.next() {
            let _ = writeln!(out, "{number:>4}. {step}");
            continue;
        }
        // The open cell with the fewest candidates, whose wrong ones a search refutes.
        let open = sudoku::Cell::all().filter(|&cell| steps.grid()[cell].is_none());
        let Some(cell) = open.min_by_key(|&cell| steps.candidates(cell).count()) else {
            break;
        };
        let Some(digit) = solution[cell] else { break };
        let others: Vec<String> = steps
            .candidates(cell)
            .filter(|&other| other != digit)
            .map(|other| other.to_string())
            .collect();
        let others = others.join(" or ");
        let _ = writeln!(
            out,
            "{number:>4}. guess: {cell} is {digit}, because {others} leads to a contradiction"
        );
        steps.place(cell, digit);
    }
    let _ = writeln!(out, "\n{}", steps.grid().pretty());
    true
}
