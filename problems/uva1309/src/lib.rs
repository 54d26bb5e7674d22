//! What the programs for UVa 1309 share: the form of the judge's files, and how a program ends.
//!
//! A file holds any number of grids until its end: 16 rows of 16 characters `A` to `P`, or `-` for
//! an empty cell, and one empty line between two grids. The output is in the same form, and has no
//! empty line after the last grid.
#![forbid(unsafe_code)]

use std::error::Error;
use std::io::{self, Read, StdinLock, StdoutLock, Write};
use std::process::ExitCode;
use sudoku::Grid;
use sudoku::notation::{Input, Notation, Output};

/// What a step of a program gives.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The grids of one run: puzzles come in, solutions go out, in constant memory.
pub struct Grids<R, W: Write> {
    input: Input<R>,
    output: Output<W>,
    read: u64,
    written: u64,
}

impl<R: Read, W: Write> Grids<R, W> {
    /// Reads from `input` and writes to `output`, neither of which needs a buffer.
    pub fn new(input: R, output: W) -> Self {
        Grids {
            input: Input::new(input),
            output: Output::new(output),
            read: 0,
            written: 0,
        }
    }

    /// The next puzzle, or `None` after the last.
    ///
    /// # Errors
    ///
    /// When the input fails or holds something else: with its line and column.
    pub fn read(&mut self) -> Result<Option<Grid<16>>> {
        let puzzle = self.input.grid(Notation::DASHED_ROWS)?;
        self.read += 1;
        Ok(puzzle)
    }

    /// Writes a solution; `None` is an error, since the problem has no words for it.
    ///
    /// # Errors
    ///
    /// When there is no solution, or the output fails.
    pub fn write(&mut self, solution: Option<Grid<16>>) -> Result<()> {
        let solution = solution
            .ok_or_else(|| format!("grid {} has no solution: check its letters", self.read))?;
        if self.written > 0 {
            self.output.text("\n")?;
        }
        self.written += 1;
        Ok(self.output.grid(Notation::DASHED_ROWS, &solution)?)
    }

    /// Ends the output.
    ///
    /// # Errors
    ///
    /// The output's.
    pub fn finish(self) -> Result<()> {
        Ok(self.output.finish()?)
    }
}

/// Runs `program` on standard input and output; an error goes to standard error.
pub fn run(program: impl FnOnce(StdinLock, StdoutLock) -> Result<()>) -> ExitCode {
    match program(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("uva1309: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether whoever reads the output has read enough of it, like `head`.
fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
