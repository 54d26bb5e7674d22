//! What the programs for `sudokuall` share: the form of its files, solutions in order from any
//! engine, and how a program ends.
//!
//! A file holds one grid: 9 rows of 9 numbers with blanks between, 0 for an empty cell. The output
//! is every solution in lexicographic order, each as 9 rows of 9 digits with blanks between and an
//! empty line after it, and at last the number of solutions on a line of its own.
#![forbid(unsafe_code)]

mod in_order;

pub use in_order::for_each_in_order;

use std::error::Error;
use std::io::{self, Read, StdinLock, StdoutLock, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use sudoku::engine::{Entry, by_name};
use sudoku::notation::{Input, Notation, Output};
use sudoku::{Grid, Rules};

/// What a step of a program gives.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Reads the puzzle, which is all that `input` may hold.
///
/// # Errors
///
/// When `input` fails, or holds something else: with its line and column.
pub fn read(input: impl Read) -> Result<Grid<9>> {
    let mut input = Input::new(input);
    let puzzle = input.expect_grid(Notation::SPACED)?;
    input.end()?;
    Ok(puzzle)
}

/// The solutions of one run, written as they come.
pub struct Solutions<W: Write> {
    output: Output<W>,
    count: u64,
    failure: Option<io::Error>,
}

impl<W: Write> Solutions<W> {
    /// Writes to `output`, which needs no buffer.
    pub fn new(output: W) -> Self {
        Solutions {
            output: Output::new(output),
            count: 0,
            failure: None,
        }
    }

    /// Writes one more solution; breaks when the output fails.
    pub fn write(&mut self, solution: &Grid<9>) -> ControlFlow<()> {
        self.count += 1;
        let written = self.output.grid(Notation::SPACED, solution);
        match written.and_then(|()| self.output.text("\n")) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Writes the number of solutions.
    ///
    /// # Errors
    ///
    /// When the output fails, or has failed.
    pub fn finish(mut self) -> Result<()> {
        if let Some(error) = self.failure.take() {
            return Err(error.into());
        }
        self.output.text(&format!("{}\n", self.count))?;
        Ok(self.output.finish()?)
    }
}

/// Reads, solves with the engine of this name, and writes: a whole program.
pub fn run_engine(name: &str) -> ExitCode {
    run(|input, output| {
        let puzzle = read(input)?;
        let entry: Entry<9> = by_name(name).ok_or_else(|| format!("there is no engine {name}"))?;
        let mut engine = entry.engine(&Rules::classic())?;
        let mut solutions = Solutions::new(output);
        if entry.lexicographic {
            engine.for_each(&puzzle, &mut |solution| solutions.write(solution));
        } else {
            // Whether it ended early is kept in `solutions`.
            let _ = for_each_in_order(&mut *engine, &puzzle, &mut |s| solutions.write(s));
        }
        solutions.finish()
    })
}

/// Runs `program` on standard input and output; an error goes to standard error.
pub fn run(program: impl FnOnce(StdinLock, StdoutLock) -> Result<()>) -> ExitCode {
    match program(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sudokuall: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the reader of the output has closed it, like `head`.
fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
