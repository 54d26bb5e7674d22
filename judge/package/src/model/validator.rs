//! Output validators: the default one, those of other judges, and programs.

use super::TestlibChecker;
use std::path::PathBuf;

/// The arguments of the default validator.
pub const DEFAULT_VALIDATOR_ARGUMENTS: [&str; 5] = [
    "case_sensitive",
    "space_change_sensitive",
    "float_relative_tolerance",
    "float_absolute_tolerance",
    "float_tolerance",
];

/// The output validators of a package.
#[derive(Clone, PartialEq, Debug)]
pub enum Validation {
    /// All of them must accept an output; there is at least one.
    All(Vec<Validator>),
    /// Each case has the one with the index [`crate::TestCase::validator`].
    PerCase(Vec<Validator>),
}

impl Validation {
    /// All validators.
    pub fn validators(&self) -> &[Validator] {
        match self {
            Validation::All(validators) | Validation::PerCase(validators) => validators,
        }
    }

    /// All validators, for changing them.
    pub fn validators_mut(&mut self) -> &mut [Validator] {
        match self {
            Validation::All(validators) | Validation::PerCase(validators) => validators,
        }
    }

    /// The paths of the validators that are programs.
    pub fn programs(&self) -> impl Iterator<Item = &PathBuf> {
        self.validators()
            .iter()
            .filter_map(|validator| match validator {
                Validator::Program { path, .. } => Some(path),
                _ => None,
            })
    }
}

impl Default for Validation {
    fn default() -> Self {
        Validator::Default(NumberSyntax::C).into()
    }
}

impl From<Validator> for Validation {
    fn from(validator: Validator) -> Self {
        Validation::All(vec![validator])
    }
}

/// Decides whether an output is correct.
#[derive(Clone, PartialEq, Debug)]
pub enum Validator {
    /// The default validator of the ICPC formats with its arguments (`case_sensitive`, ...). A
    /// group or a case may have other arguments.
    Default(NumberSyntax),
    /// The output must be byte-identical to the answer.
    Exact,
    /// A program of the package: a source file, a directory of sources, or an executable.
    Program {
        /// The path of the program.
        path: PathBuf,
        /// How it is called and how it reports its decision.
        protocol: ValidatorProtocol,
    },
    /// A question of Hydro's `objective` problems, whose output is a YAML form.
    Question(Question),
    /// A comparison that another judge has built in.
    Builtin(BuiltinChecker),
    /// A standard checker of testlib.
    Testlib(TestlibChecker),
}

/// Which tokens are numbers if the default validator has a tolerance.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum NumberSyntax {
    /// The numbers that `scanf` of C reads, also hexadecimal ones and `1e` (legacy).
    #[default]
    C,
    /// Decimal numbers; an exponent has digits (2025-09).
    Decimal,
}

/// A question of a form.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    /// Its key in the form.
    pub key: String,
    /// The correct answers.
    pub answers: CorrectAnswers,
}

/// The correct answers to a question.
#[derive(Clone, PartialEq, Debug)]
pub enum CorrectAnswers {
    /// This one.
    One(String),
    /// All of these; some of them without a wrong one give half of the points.
    All {
        /// The answers.
        answers: Vec<String>,
        /// The points for all of them.
        points: f64,
    },
    /// Each of these gives its points.
    Points(Vec<(String, f64)>),
}

/// Comparisons that other judges have built in; none of them takes further arguments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum BuiltinChecker {
    /// DMOJ `standard`: the same tokens, and line breaks in the same places; blank lines and
    /// the amount of white space do not matter.
    Standard,
    /// DMOJ `easy`: ignores white space and letter case.
    Easy,
    /// DMOJ `floats`, `floatsabs`, `floatsrel`: line by line; tokens of the answer that are
    /// numbers are compared within `tolerance`, others as text.
    Floats {
        /// The maximum error.
        tolerance: f64,
        /// Whether the error is absolute or relative.
        mode: FloatMode,
    },
    /// DMOJ `identical`: byte for byte; if `presentation` is set, an output that differs only in
    /// white space is a presentation error (still not accepted).
    Identical {
        /// Whether wrong white space is reported as a presentation error.
        presentation: bool,
    },
    /// DMOJ `linecount`: as many lines as the answer (ignoring blank lines); each correct line
    /// gives its share of the points.
    Linecount,
    /// The rule of Luogu: lines are equal except for trailing white space; trailing empty
    /// lines are ignored.
    RStripped,
    /// DMOJ `rstripped`: as many line breaks as the answer, and each line equal except for trailing
    /// white space. Without `blank`, empty lines are ignored.
    EveryLine {
        /// Whether empty lines count.
        blank: bool,
    },
    /// Hydro: the same lines.
    HydroLines {
        /// Whether only carriage returns are ignored at the end of a line (`strict`). Otherwise blanks
        /// and tabs are, too, and empty lines at the end, but not lines of blanks (`default`).
        strict: bool,
    },
    /// DMOJ `sorted`: the same lines in any order (`lines`), or the same tokens in any order.
    Sorted {
        /// Whether whole lines are sorted instead of tokens.
        lines: bool,
    },
    /// DMOJ `unordered`: the tokens of the whole output in any order.
    Unordered,
}

/// The reference of a tolerance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatMode {
    /// Within the absolute or the relative tolerance.
    Either,
    /// `|a - b| <= tolerance`.
    Absolute,
    /// `|a - b| <= tolerance * |a|`.
    Relative,
}

/// How a validator program is called and how it reports its decision.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ValidatorProtocol {
    /// `validator INPUT ANSWER FEEDBACK_DIR [args] < output`; 42 accepts, 43 rejects.
    Icpc,
    /// `checker INPUT OUTPUT ANSWER [report]`; 0 accepts, 1 rejects, 2 presentation, 7 points.
    ///
    /// `partially correct (n)` on standard error gives n % of the points.
    Testlib,
    /// Like `Testlib`, but n is out of 200 (Luogu).
    TestlibOf200,
    /// `checker INPUT ACTUAL EXPECTED`; 0 accepts, any other status rejects.
    OnlineJudgeTools,
    /// `checker INPUT ANSWER OUTPUT`; 0 accepts, any other status rejects (HUSTOJ).
    Hustoj,
    /// `checker INPUT OUTPUT`; 0 accepts, any other status rejects (QDUOJ).
    Qduoj,
    /// `checker INPUT OUTPUT ANSWER FULL_SCORE SCORE_FILE MESSAGE_FILE`; the points are written to
    /// SCORE_FILE (Lemon).
    Lemon,
    /// `checker` in a directory with the files `input`, `user_out` and `answer`; it prints 0 to 100
    /// (SYZOJ).
    Syzoj,
    /// `checker INPUT OUTPUT ANSWER`; it prints `OK` or another word, a message, and the percentage of the
    /// points, each on a line (SIO2).
    Sio2,
    /// DMOJ's checkers and graders in Python, started by a runner: like `Icpc`, with facts about
    /// the submission's run as an additional last argument in JSON, and its source next to the
    /// runner.
    DmojPython,
    /// DMOJ's bridged programs.
    Dmoj {
        /// How it reports its decision.
        kind: DmojKind,
        /// Its arguments.
        arguments: Vec<BridgedArgument>,
    },
}

/// How a bridged program of DMOJ reports its decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DmojKind {
    /// 0 accepts, 1 rejects.
    Default,
    /// 0 accepts, 1 and 2 reject, 7 with `points X` on standard error gives points.
    Testlib,
    /// Like `Testlib`, with `partial X/Y`.
    Coci,
    /// 0 accepts, 1 rejects; two numbers on separate lines are a fraction of the points.
    Peg,
    /// Like `Testlib`, but `points X` is a percentage (VNOJ).
    TestlibPercent,
    /// The first number on standard output is a fraction of the points (VNOJ, like CMS).
    Cms,
    /// It reads the directories of the data and of the output; the last line that it prints is a
    /// fraction of the points (VNOJ, like Themis).
    Themis,
}

impl DmojKind {
    /// The default arguments of such a program.
    pub fn arguments(self, interactive: bool) -> Vec<BridgedArgument> {
        use BridgedArgument::{Answer, Input, Output};
        match (self, interactive) {
            (DmojKind::Peg, _) => vec![Answer, Output, Input],
            (DmojKind::Cms, false) => vec![Input, Answer, Output],
            (DmojKind::Themis, _) => Vec::new(),
            (DmojKind::Default | DmojKind::Coci, true) => vec![Input, Answer],
            _ => vec![Input, Output, Answer],
        }
    }
}

/// An argument of a bridged program of DMOJ.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum BridgedArgument {
    /// The input.
    Input,
    /// The output; for interactors a file that they may write to.
    Output,
    /// The answer.
    Answer,
    /// The same word for every case.
    Word(String),
}
