//! Checkers: is this output right? The default validator, exact comparison, validator programs.
