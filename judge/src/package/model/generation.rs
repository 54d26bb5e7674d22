//! Test data that a package does not bring, but makes: which program makes which case.

use std::path::PathBuf;
use std::time::Duration;

/// How the cases without files come about.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Generation {
    /// One for each such case; [`crate::package::TestCase::input`] and `answer` are then names in the
    /// directory that the data are made in.
    pub recipes: Vec<Recipe>,
    /// The program that makes answers of inputs, where a recipe asks for it.
    pub solution: Option<PathBuf>,
    /// `hash.json`: SHA-256 of the files that are to come out.
    pub hashes: Option<PathBuf>,
}

/// How one case comes about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The name of the case.
    pub case: String,
    /// Where the input comes from.
    pub input: InputOf,
    /// Where the answer comes from.
    pub answer: AnswerOf,
    /// Whether the answer's line ends are made `\n`, and its last line gets one.
    pub normalize: bool,
    /// What each run of a program for it may use.
    pub limits: GeneratorLimits,
}

/// What a run of a generator may use, where the package says so.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GeneratorLimits {
    /// CPU time.
    pub time: Option<Duration>,
    /// Memory in bytes.
    pub memory: Option<u64>,
}

/// Where an input comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputOf {
    /// A file that is there.
    File(PathBuf),
    /// What a program writes to standard output.
    Program {
        /// Its source: a file or a directory.
        path: PathBuf,
        /// Its arguments.
        args: Vec<String>,
        /// Its standard input; `None`: empty.
        stdin: Option<PathBuf>,
    },
}

/// Where an answer comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnswerOf {
    /// A file that is there.
    File(PathBuf),
    /// What the program that made the input wrote to standard error.
    Stderr,
    /// What [`Generation::solution`] makes of the input.
    Solution,
}

impl Recipe {
    /// What the input is called in the directory that data are made in.
    pub fn input_name(index: usize) -> PathBuf {
        format!("{index:05}.in").into()
    }

    /// The same for the answer.
    pub fn answer_name(index: usize) -> PathBuf {
        format!("{index:05}.ans").into()
    }
}
