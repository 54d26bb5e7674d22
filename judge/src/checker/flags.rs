//! The arguments of the default validator.

use super::number;
use judge_package::DEFAULT_VALIDATOR_ARGUMENTS;
use std::fmt;

/// Settings of the default validator.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Flags {
    /// Compare letters with case.
    pub case_sensitive: bool,
    /// Compare white space byte by byte.
    pub space_change_sensitive: bool,
    /// Relative tolerance of numbers.
    pub relative: Option<f64>,
    /// Absolute tolerance of numbers.
    pub absolute: Option<f64>,
}

/// An invalid argument of the default validator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlagError {
    /// Index of the argument, from 0.
    pub index: usize,
    /// What is wrong with it, with a remedy.
    pub what: String,
}

impl fmt::Display for FlagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for FlagError {}

impl Flags {
    /// Parses the arguments as the reference does: the last tolerance counts, and a negative one
    /// disables the tolerance.
    ///
    /// # Errors
    ///
    /// An unknown argument, or a tolerance without a number.
    ///
    /// ```
    /// use judge::checker::Flags;
    /// let flags = Flags::parse(&["case_sensitive", "float_tolerance", "1e-6"]).unwrap();
    /// assert_eq!(flags.relative, Some(1e-6));
    /// assert!(Flags::parse(&["float_tolerance"]).is_err());
    /// ```
    pub fn parse<S: AsRef<str>>(args: &[S]) -> Result<Flags, FlagError> {
        Self::read(args, false)
    }

    /// Parses the arguments as format 2025-09 requires: no tolerance twice, `float_tolerance` not
    /// together with the other two, none negative.
    ///
    /// # Errors
    ///
    /// Errors of [`Flags::parse`], and violations of these rules.
    pub fn parse_strict<S: AsRef<str>>(args: &[S]) -> Result<Flags, FlagError> {
        Self::read(args, true)
    }

    fn read<S: AsRef<str>>(args: &[S], strict: bool) -> Result<Flags, FlagError> {
        let mut flags = Flags::default();
        let mut index = 0;
        while let Some(name) = args.get(index).map(AsRef::as_ref) {
            let fail = |index, what| Err(FlagError { index, what });
            match name {
                "case_sensitive" => flags.case_sensitive = true,
                "space_change_sensitive" => flags.space_change_sensitive = true,
                "float_relative_tolerance" | "float_absolute_tolerance" | "float_tolerance" => {
                    let Some(text) = args.get(index + 1).map(AsRef::as_ref) else {
                        return fail(
                            index,
                            format!("`{name}` lacks its number, as in `{name} 1e-6`"),
                        );
                    };
                    let Some(value) = number::parse(text.as_bytes()) else {
                        return fail(
                            index + 1,
                            format!("`{name}` needs a number such as 1e-6, found `{text}`"),
                        );
                    };
                    if strict && value < 0.0 {
                        return fail(index + 1, format!("the tolerance {text} is negative"));
                    }
                    let value = (value >= 0.0).then_some(value);
                    let (relative, absolute) = (
                        name != "float_absolute_tolerance",
                        name != "float_relative_tolerance",
                    );
                    if strict
                        && (relative && flags.relative.is_some()
                            || absolute && flags.absolute.is_some())
                    {
                        return fail(
                            index,
                            format!(
                                "`{name}` sets a tolerance that is set already: give each once, and \
                                 `float_tolerance` alone"
                            ),
                        );
                    }
                    if relative {
                        flags.relative = value;
                    }
                    if absolute {
                        flags.absolute = value;
                    }
                    index += 1;
                }
                other => {
                    let what = format!(
                        "the default validator has no argument `{other}`; it knows {}",
                        DEFAULT_VALIDATOR_ARGUMENTS.join(", ")
                    );
                    return fail(index, what);
                }
            }
            index += 1;
        }
        Ok(flags)
    }

    /// Whether numbers are compared as numbers.
    pub fn compares_numbers(&self) -> bool {
        self.relative.is_some() || self.absolute.is_some()
    }

    /// Whether `found` is within the tolerance of `expected`.
    pub fn is_near(&self, expected: f64, found: f64) -> bool {
        let difference = (expected - found).abs();
        self.absolute.is_some_and(|limit| difference <= limit)
            || self
                .relative
                .is_some_and(|limit| difference <= limit * expected.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_arguments() {
        let parse = |line: &str| {
            Flags::parse(&line.split_whitespace().collect::<Vec<_>>()).expect("the flags are good")
        };
        assert_eq!(parse(""), Flags::default());
        assert!(parse("case_sensitive").case_sensitive);
        assert!(parse("space_change_sensitive").space_change_sensitive);
        let both = parse("float_relative_tolerance 1e-6 float_absolute_tolerance 0.5");
        assert_eq!((both.relative, both.absolute), (Some(1e-6), Some(0.5)));
        let both = parse("float_tolerance 0");
        assert_eq!((both.relative, both.absolute), (Some(0.0), Some(0.0)));
        assert!(both.compares_numbers());
        assert_eq!(
            parse("float_tolerance 1 float_tolerance 2").absolute,
            Some(2.0)
        );
        assert!(!parse("float_tolerance -1").compares_numbers());
    }

    #[test]
    fn bad_arguments() {
        let fails = |line: &str| {
            Flags::parse(&line.split_whitespace().collect::<Vec<_>>())
                .expect_err("the flags are bad")
                .to_string()
        };
        assert!(fails("float_tolerence 1").contains("no argument `float_tolerence`"));
        assert!(fails("case_sensitive float_tolerance").contains("lacks its number"));
        assert!(fails("float_tolerance x").contains("found `x`"));
        assert!(fails("float_tolerance inf").contains("found `inf`"));
        let strict = |line: &str| Flags::parse_strict(&line.split_whitespace().collect::<Vec<_>>());
        assert!(strict("float_relative_tolerance 1 float_absolute_tolerance 1").is_ok());
        for line in [
            "float_tolerance 1 float_tolerance 1",
            "float_tolerance 1 float_relative_tolerance 1",
            "float_absolute_tolerance 1 float_tolerance 1",
            "float_tolerance -1",
        ] {
            assert!(strict(line).is_err(), "{line}");
        }
    }
}
