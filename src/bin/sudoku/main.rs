//! `sudoku`: solves, counts, checks, makes, rates, explains and converts puzzles, over files or pipes of
//! any size.
#![forbid(unsafe_code)]

mod generate;
mod lines;
mod run;
mod tasks;

use clap::{Parser, Subcommand, ValueEnum};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use sudoku::Rules;
use tasks::Task;

/// Solves Sudoku: one puzzle per line, of side 4 to 10, 12, 14, 15, 16, 18, 20 or 25.
///
/// A line holds the cells row by row, digits (letters from side 10 on, A for 1) and one of . 0 - * ? for
/// an empty cell; more columns may follow after a blank, a tab, a comma or a semicolon. Blank lines, lines
/// that begin with #, and names of columns or a number of puzzles in the first line of a file are skipped;
/// other lines that hold no puzzle of these sides are reported on standard error and make the exit status
/// 1. The order of the output is that of the input.
#[derive(Parser)]
#[command(name = "sudoku", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a solution of each puzzle, or dots where there is none
    Solve {
        #[command(flatten)]
        input: Input,
        /// Write every solution, in lexicographic order
        #[arg(long)]
        all: bool,
        /// Write the number of solutions, counted up to 2, after a tab
        #[arg(long, conflicts_with = "all")]
        count: bool,
    },
    /// Write the number of solutions of each puzzle
    Count {
        #[command(flatten)]
        input: Input,
        /// Count up to this many
        #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
        limit: u64,
    },
    /// Say of each puzzle whether it has no solution, one or several; the exit status is 1 unless all
    /// have one
    Check {
        #[command(flatten)]
        input: Input,
    },
    /// Write each puzzle, the hardest technique that it needs, and the guesses of a search
    Rate {
        #[command(flatten)]
        input: Input,
    },
    /// Solve each puzzle as a person would, step by step
    Explain {
        #[command(flatten)]
        input: Input,
    },
    /// Write each puzzle in another notation
    Convert {
        #[command(flatten)]
        input: Input,
        /// The notation
        #[arg(long, value_enum)]
        to: Form,
    },
    /// Make puzzles
    Generate(generate::Options),
}

/// Where puzzles come from, and how they are worked on.
#[derive(clap::Args)]
struct Input {
    /// Files of puzzles; standard input where there is none
    files: Vec<PathBuf>,
    /// The rules
    #[arg(long, value_enum, default_value_t = Variant::Classic)]
    rules: Variant,
    /// Threads; by default one for each processor
    #[arg(short = 'j', long)]
    threads: Option<usize>,
}

/// The rules that have a name.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Variant {
    /// Rows, columns and boxes
    Classic,
    /// Rows and columns
    Latin,
    /// Classic, and both diagonals
    Diagonal,
}

impl Variant {
    fn rules<const N: usize>(self) -> Rules<N> {
        match self {
            Variant::Classic => Rules::classic(),
            Variant::Latin => Rules::latin(),
            Variant::Diagonal => Rules::diagonal(),
        }
    }
}

/// The notations that can be written.
#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// One line of symbols
    Line,
    /// Rows of symbols
    Rows,
    /// Rows of symbols, - for an empty cell
    Dashes,
    /// Numbers with blanks between
    Spaced,
    /// Rows in brackets
    Brackets,
    /// A board with borders
    Pretty,
}

/// Whether every line was a puzzle, and every answer what was asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Good,
    Bad,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Solve { input, all, count } => run::solve(&input, all, count),
        Command::Count { input, limit } => run::each(&input, &Task::Count(limit)),
        Command::Check { input } => run::each(&input, &Task::Check),
        Command::Rate { input } => run::each(&input, &Task::Rate),
        Command::Explain { input } => run::each(&input, &Task::Explain),
        Command::Convert { input, to } => run::each(&input, &Task::Convert(to)),
        Command::Generate(options) => generate::run(&options),
    };
    match done {
        Ok(Outcome::Good) => ExitCode::SUCCESS,
        Ok(Outcome::Bad) => ExitCode::FAILURE,
        // The reader closed the pipe, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
