//! Test data that the package does not contain: the program and arguments that generate each case.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// How the cases without files are generated.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Generation {
    /// One recipe per generated case; [`crate::TestCase::input`] and `answer` are then
    /// names in the directory of generated data.
    pub recipes: Vec<Recipe>,
    /// The program that computes answers from inputs, for recipes that use it.
    pub solution: Option<PathBuf>,
    /// `hash.json`: the expected SHA-256 of the generated files.
    pub hashes: Option<PathBuf>,
}

impl Generation {
    /// The paths of the programs that generate inputs and answers; one may occur more than once.
    pub fn programs(&self) -> impl Iterator<Item = &Path> {
        let generators = self
            .recipes
            .iter()
            .filter_map(|recipe| match &recipe.input {
                InputOf::Program { path, .. } => Some(path.as_path()),
                InputOf::File(_) => None,
            });
        generators.chain(self.solution.as_deref())
    }
}

/// How one case is generated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The name of the case.
    pub case: String,
    /// The source of the input.
    pub input: InputOf,
    /// The source of the answer.
    pub answer: AnswerOf,
    /// Whether line ends of the answer become `\n`, including one after the last line.
    pub normalize: bool,
    /// The limits of each run of a generating program.
    pub limits: GeneratorLimits,
}

/// The limits of a generator that the package specifies.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GeneratorLimits {
    /// CPU time.
    pub time: Option<Duration>,
    /// Memory in bytes.
    pub memory: Option<u64>,
}

/// The source of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputOf {
    /// An existing file.
    File(PathBuf),
    /// The standard output of a program.
    Program {
        /// Its source: a file or a directory.
        path: PathBuf,
        /// Its arguments.
        args: Vec<String>,
        /// Its standard input; `None`: empty.
        stdin: Option<PathBuf>,
    },
}

/// The source of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnswerOf {
    /// An existing file.
    File(PathBuf),
    /// The standard error of the program that generated the input.
    Stderr,
    /// The output of [`Generation::solution`] for the input.
    Solution,
}

impl Recipe {
    /// The name of the input in the directory of generated data.
    pub fn input_name(index: usize) -> PathBuf {
        format!("{index:05}.in").into()
    }

    /// The name of the answer in the directory of generated data.
    pub fn answer_name(index: usize) -> PathBuf {
        format!("{index:05}.ans").into()
    }
}
