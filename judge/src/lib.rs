//! The judge: problem packages in, verdicts out.
#![forbid(unsafe_code)]
