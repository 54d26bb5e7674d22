//! Comparisons of output and answer, and a program in C++ for formats that have no such comparison.

use crate::program::Sources;
use judge_package::{BuiltinChecker, FloatMode, NumberSyntax, TestlibChecker, Validator};
use std::fmt::Write;

/// How output and answer are compared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Comparison {
    Tokens(Tokens),
    /// Line by line; white space at the ends of lines is ignored.
    Lines(Lines),
    /// Byte for byte.
    Exact,
    /// The same tokens, or lines, in any order.
    Sorted {
        /// Whether whole lines are sorted.
        lines: bool,
    },
    /// The characters without white space, in any letter case.
    Easy,
    /// DMOJ's `standard`: the same tokens in the same lines; empty lines do not count.
    TokensOfLines,
}

#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Tokens {
    /// Whether upper and lower case differ.
    pub case_sensitive: bool,
    /// Whether white space must be the same.
    pub space_sensitive: bool,
    /// The permitted absolute error of numbers.
    pub absolute: Option<f64>,
    /// The permitted relative error of numbers.
    pub relative: Option<f64>,
    /// Whether hexadecimal numbers are numbers, too.
    pub has_c_numbers: bool,
}

/// Which white space a comparison of lines ignores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lines {
    /// At the ends of lines, and empty lines at the end (Luogu; Hydro's `default`).
    Stripped,
    /// Carriage returns at the ends of lines (Hydro's `strict`; testlib's `fcmp`).
    Records,
    /// At the ends of lines; all lines count (DMOJ's `rstripped`).
    Every,
    /// At the ends of lines; empty lines do not count (DMOJ's `rstripped` with `filter_new_line`).
    Full,
}

impl Default for Comparison {
    fn default() -> Self {
        Comparison::Tokens(Tokens {
            case_sensitive: true,
            ..Tokens::default()
        })
    }
}

impl Comparison {
    /// The comparison of a validator with these arguments; `None` if it is a program or a form. What
    /// differs is added to `losses`.
    pub fn of(validator: &Validator, args: &[String], losses: &mut Vec<String>) -> Option<Self> {
        Some(match validator {
            Validator::Program { .. } | Validator::Question(_) => return None,
            Validator::Exact => Comparison::Exact,
            Validator::Default(syntax) => {
                let mut tokens = Tokens::with_arguments(args);
                tokens.has_c_numbers = *syntax == NumberSyntax::C;
                Comparison::Tokens(tokens)
            }
            Validator::Builtin(checker) => of_builtin(*checker, losses),
            Validator::Testlib(checker) => of_testlib(*checker, losses),
        })
    }

    /// The arguments of the ICPC format's default validator; `None` if it compares in another way.
    pub fn default_arguments(&self) -> Option<Vec<String>> {
        let Comparison::Tokens(tokens) = self else {
            return None;
        };
        let mut args = Vec::new();
        for (is_set, name) in [
            (tokens.case_sensitive, "case_sensitive"),
            (tokens.space_sensitive, "space_change_sensitive"),
        ] {
            if is_set {
                args.push(name.to_owned());
            }
        }
        let mut tolerance = |name: &str, value: f64| {
            args.push(name.to_owned());
            args.push(format!("{value:e}"));
        };
        match (tokens.absolute, tokens.relative) {
            (Some(absolute), Some(relative)) if absolute == relative => {
                tolerance("float_tolerance", absolute);
            }
            (absolute, relative) => {
                if let Some(absolute) = absolute {
                    tolerance("float_absolute_tolerance", absolute);
                }
                if let Some(relative) = relative {
                    tolerance("float_relative_tolerance", relative);
                }
            }
        }
        Some(args)
    }

    /// The largest permitted error, if tokens are compared with letter case and with one tolerance for
    /// both errors, or without any.
    pub fn tolerance(&self) -> Option<Option<f64>> {
        let Comparison::Tokens(tokens) = self else {
            return None;
        };
        let simple = tokens.case_sensitive && !tokens.space_sensitive;
        (simple && tokens.absolute == tokens.relative).then_some(tokens.absolute)
    }

    /// A checker `CHECKER INPUT OUTPUT ANSWER` that compares in this way: exit status 0 or 1.
    pub fn checker(&self) -> Sources {
        let mut source = String::new();
        let mode = match self {
            Comparison::Tokens(_) => "TOKENS",
            Comparison::Lines(Lines::Stripped) => "STRIPPED",
            Comparison::Lines(Lines::Records) => "RECORDS",
            Comparison::Lines(Lines::Every) => "EVERY",
            Comparison::Lines(Lines::Full) => "FULL",
            Comparison::Exact => "EXACT",
            Comparison::Sorted { lines: true } => "SORTED_LINES",
            Comparison::Sorted { lines: false } => "SORTED_TOKENS",
            Comparison::Easy => "EASY",
            Comparison::TokensOfLines => "TOKENS_OF_LINES",
        };
        let tokens = match self {
            Comparison::Tokens(tokens) => *tokens,
            _ => Tokens::default(),
        };
        let error =
            |error: Option<f64>| error.map_or("-1".to_owned(), |error| format!("{error:e}"));
        let _ = write!(
            source,
            "// Compares an output with the answer: CHECKER INPUT OUTPUT ANSWER; exits with 0 or 1.\n\
             #define MODE_{mode}\n\
             static const bool CASE_SENSITIVE = {};\n\
             static const bool SPACE_SENSITIVE = {};\n\
             static const bool C_NUMBERS = {};\n\
             static const double ABSOLUTE = {}, RELATIVE = {};\n\n",
            tokens.case_sensitive,
            tokens.space_sensitive,
            tokens.has_c_numbers,
            error(tokens.absolute),
            error(tokens.relative),
        );
        source.push_str(include_str!("comparison/compare.cpp"));
        Sources::generated("checker.cpp", source)
    }
}

impl Tokens {
    /// The comparison that these arguments of the default validator specify.
    pub fn with_arguments(args: &[String]) -> Self {
        let mut tokens = Tokens::default();
        let mut args = args.iter();
        while let Some(name) = args.next() {
            let mut value = || args.next().and_then(|value| value.parse().ok());
            match name.as_str() {
                "case_sensitive" => tokens.case_sensitive = true,
                "space_change_sensitive" => tokens.space_sensitive = true,
                "float_absolute_tolerance" => tokens.absolute = value(),
                "float_relative_tolerance" => tokens.relative = value(),
                "float_tolerance" => {
                    tokens.absolute = value();
                    tokens.relative = tokens.absolute;
                }
                _ => {}
            }
        }
        tokens
    }
}

/// Token by token with this error.
fn numbers(absolute: Option<f64>, relative: Option<f64>) -> Comparison {
    Comparison::Tokens(Tokens {
        case_sensitive: true,
        absolute,
        relative,
        ..Tokens::default()
    })
}

fn of_builtin(checker: BuiltinChecker, losses: &mut Vec<String>) -> Comparison {
    match checker {
        BuiltinChecker::Standard => Comparison::TokensOfLines,
        BuiltinChecker::Easy => Comparison::Easy,
        BuiltinChecker::Floats { tolerance, mode } => {
            losses.push("line breaks count for `floats`, and not for its replacement".to_owned());
            match mode {
                FloatMode::Either => numbers(Some(tolerance), Some(tolerance)),
                FloatMode::Absolute => numbers(Some(tolerance), None),
                FloatMode::Relative => numbers(None, Some(tolerance)),
            }
        }
        BuiltinChecker::Identical { presentation } => {
            if presentation {
                losses.push("PE for wrong white space is WA".to_owned());
            }
            Comparison::Exact
        }
        BuiltinChecker::Linecount => {
            losses.push("points for single lines (`linecount`)".to_owned());
            Comparison::TokensOfLines
        }
        BuiltinChecker::RStripped => Comparison::Lines(Lines::Stripped),
        BuiltinChecker::EveryLine { blank: true } => Comparison::Lines(Lines::Every),
        BuiltinChecker::EveryLine { blank: false } => Comparison::Lines(Lines::Full),
        BuiltinChecker::HydroLines { strict: true } => Comparison::Lines(Lines::Records),
        BuiltinChecker::HydroLines { strict: false } => Comparison::Lines(Lines::Stripped),
        BuiltinChecker::Sorted { lines } => Comparison::Sorted { lines },
        BuiltinChecker::Unordered => Comparison::Sorted { lines: false },
    }
}

fn of_testlib(checker: TestlibChecker, losses: &mut Vec<String>) -> Comparison {
    use TestlibChecker::{
        Acmp, Dcmp, Fcmp, Hcmp, Icmp, Lcmp, Ncmp, Nyesno, Rcmp, Rcmp4, Rcmp6, Rcmp9, Rncmp, Uncmp,
        Wcmp, Yesno,
    };
    let mut names = TestlibChecker::ALL.iter();
    let name = names.find(|(_, known)| *known == checker);
    let name = name.map_or("", |(name, _)| name);
    let exact = match checker {
        Wcmp => return Comparison::default(),
        Fcmp => return Comparison::Lines(Lines::Records),
        Lcmp => return Comparison::TokensOfLines,
        Icmp | Ncmp | Hcmp => Comparison::default(),
        Uncmp => Comparison::Sorted { lines: false },
        Yesno | Nyesno => Comparison::Tokens(Tokens::default()),
        Acmp | Rcmp => numbers(Some(1.5e-6), None),
        Rncmp => numbers(Some(1.5e-5), None),
        Rcmp4 => numbers(Some(1e-4), Some(1e-4)),
        Dcmp | Rcmp6 => numbers(Some(1e-6), Some(1e-6)),
        Rcmp9 => numbers(Some(1e-9), Some(1e-9)),
        _ => {
            losses.push(format!("the checker `{name}`: the tokens are compared"));
            return Comparison::default();
        }
    };
    losses.push(format!(
        "the form of numbers and words that `{name}` requires"
    ));
    exact
}
