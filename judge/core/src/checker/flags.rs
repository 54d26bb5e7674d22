//! The arguments of the default validator.

use super::number;
use crate::error::Reason;
use judge_package::{DEFAULT_VALIDATOR_ARGUMENTS, NumberSyntax};

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
    /// Which tokens are numbers.
    pub numbers: NumberSyntax,
}

impl Flags {
    /// Parses the arguments as the reference does: the last tolerance counts, and a negative one
    /// disables the tolerance.
    ///
    /// # Errors
    ///
    /// An unknown argument, or a tolerance without a number; with a remedy.
    ///
    /// ```
    /// use judge_core::checker::Flags;
    /// let flags = Flags::parse(&["case_sensitive", "float_tolerance", "1e-6"]).unwrap();
    /// assert_eq!(flags.relative, Some(1e-6));
    /// assert!(Flags::parse(&["float_tolerance"]).is_err());
    /// ```
    pub fn parse<S: AsRef<str>>(args: &[S]) -> Result<Flags, Reason> {
        let mut flags = Flags::default();
        let mut args = args.iter().map(AsRef::as_ref);
        while let Some(name) = args.next() {
            match name {
                "case_sensitive" => flags.case_sensitive = true,
                "space_change_sensitive" => flags.space_change_sensitive = true,
                "float_relative_tolerance" | "float_absolute_tolerance" | "float_tolerance" => {
                    let text = args.next().ok_or_else(|| {
                        Reason::new(format!("`{name}` lacks its number, as in `{name} 1e-6`"))
                    })?;
                    let value =
                        number::parse(text.as_bytes(), NumberSyntax::C).ok_or_else(|| {
                            Reason::new(format!(
                                "`{name}` needs a number such as 1e-6, found `{text}`"
                            ))
                        })?;
                    let value = (value >= 0.0).then_some(value);
                    if name != "float_absolute_tolerance" {
                        flags.relative = value;
                    }
                    if name != "float_relative_tolerance" {
                        flags.absolute = value;
                    }
                }
                other => {
                    return Err(Reason::new(format!(
                        "the default validator has no argument `{other}`; it knows {}",
                        DEFAULT_VALIDATOR_ARGUMENTS.join(", ")
                    )));
                }
            }
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
        };
        assert!(fails("float_tolerence 1").contains("no argument `float_tolerence`"));
        assert!(fails("case_sensitive float_tolerance").contains("lacks its number"));
        assert!(fails("float_tolerance x").contains("found `x`"));
        assert!(fails("float_tolerance inf").contains("found `inf`"));
    }
}
