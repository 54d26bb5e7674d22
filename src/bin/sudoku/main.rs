//! `sudoku`: solves, counts, checks, makes, rates, explains and converts puzzles, over files or pipes of
//! any size.
#![forbid(unsafe_code)]

mod convert;
mod formats;
mod generate;
mod input;
mod order;
mod report;
mod run;
mod tasks;
mod worker;

use clap::{Parser, Subcommand, ValueEnum};
use convert::Form;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use sudoku::Rules;
use tasks::Task;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Solves Sudoku of side 4 to 10, 12, 14 to 16, 18, 20, 24, 25, 30 or 36.
///
/// The form of a file is recognised from its first lines: one puzzle per line, in any column (CSV and the like; a column of
/// solutions is ignored); rows of cells, with or without blanks and borders; lists as in JSON and Python; packed with gzip.
/// Symbols are 1 to 9, then letters from A on, or letters alone, or 0 to 9 and A to F, or numbers; an empty cell is one of
/// . 0 - _ * ? x or a blank. Lines that hold no puzzle are reported on standard error and make the exit status 1. The order of the
/// output is that of the input. docs/sudoku.md lists every form.
#[derive(Parser)]
#[command(name = "sudoku", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a solution of each puzzle, or dots where there is none; the exit status is then 1
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
        /// Count up to this many; 1000000 if it is not given
        #[arg(long)]
        limit: Option<u64>,
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
        /// Write the rating on the scale of Sudoku Explainer, after a tab; the hardest puzzles take minutes
        #[arg(long)]
        explainer: bool,
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
    /// The form of the files, instead of what their first lines suggest
    #[arg(long, value_enum)]
    from: Option<formats::Format>,
    /// The column of the puzzles: its number from 1, or its name in the first line
    #[arg(long)]
    column: Option<formats::Column>,
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

/// Whether every line was a puzzle, and every answer what was asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Good,
    Bad,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Solve { input, all, count } => {
            let task = if all {
                Task::SolveAll
            } else {
                Task::Solve { count }
            };
            run::run(&input, &task)
        }
        Command::Count { input, limit } => run::run(&input, &Task::Count(limit)),
        Command::Check { input } => run::run(&input, &Task::Check),
        Command::Rate { input, explainer } => run::run(&input, &Task::Rate { explainer }),
        Command::Explain { input } => run::run(&input, &Task::Explain),
        Command::Convert { input, to } => run::run(&input, &Task::Convert(to)),
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
