//! Checkers decide whether an output is right.
//!
//! [`Checker::prepare`] prepares the checker of a package once. [`Checker::session`] creates what
//! one thread needs to use it (a box, if the checker is a program). [`Session::check`] checks an
//! output. An [`Outcome`] is about the submission, a [`CheckFault`] about the judge or the package.
//!
//! ```
//! use judge_core::checker::{Checker, Judgement};
//! use judge_package::{PackageLimits, TestCase, Validation};
//! use judge_core::language::Program;
//! use std::io::Write;
//! use std::path::Path;
//!
//! let limits = PackageLimits::default();
//! // A validator program would be compiled by the closure; the default validator needs none.
//! let mut build = |_: &Path| -> Result<Program, std::convert::Infallible> { unreachable!() };
//! let validation = Validation::default();
//! let checker = Checker::prepare(&validation, &limits, false, &mut build)?;
//! // One worker per thread.
//! let mut worker = checker.session(&[], judge_sandbox::Mode::Auto, None)?;
//!
//! let dir = tempfile::tempdir()?;
//! std::fs::write(dir.path().join("1.ans"), "12 34\n56 78\n")?;
//! let case = TestCase { answer: Some(dir.path().join("1.ans").into()), ..TestCase::default() };
//! let mut output = tempfile::tempfile()?;
//! output.write_all(b"12 34\n56 79\n")?;
//!
//! let outcome = worker.check(&case, &output)?;
//! assert_eq!(outcome.judgement, Judgement::Rejected);
//! assert_eq!(
//!     outcome.message.unwrap(),
//!     r#"line 2, column 5 (row 2, column 2): expected "78", found "79""#,
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

//!
//! **Interactive** problems: [`Session::interact`] runs submission and validator at the same time;
//! the caller runs the submission with the two descriptors that it receives, and
//! [`Interaction::is_decided_by_submission`] returns which of the two decides.
//!
//! **Multi-pass** problems: call [`Session::forget`]. For each pass run the submission on the pass's
//! input and call [`Session::check_pass`] (or [`Session::interact`]) with it, until
//! [`Outcome::next_pass`] is `None` (that outcome counts), an outcome is not accepted, or the
//! package's `validation_passes` are used up (a judge error).
//!
//! **Submit-answer** problems: [`submitted_output`] finds the file to check.

pub mod builtin;
pub mod default;
mod dialogue;
mod diff;
mod dmoj;
pub mod exact;
mod exit_protocol;
mod flags;
mod grader;
mod interactive;
mod matching;
#[doc(hidden)]
pub mod number;
mod objective;
mod outcome;
mod pipe_guard;
mod program;
mod request;
mod session;
mod source;
mod submit_answer;
pub mod testlib;
mod unordered;
mod validator_box;
mod visualizer;

pub use dialogue::{Dialogue, Speaker};
pub use diff::{escape, locate};
pub use flags::Flags;
pub use grader::Grader;
pub use interactive::{Interaction, RunSubmission};
pub use outcome::{Cell, CheckFault, Difference, Judgement, Outcome, Score};
pub use program::ProgramChecker;
pub use request::{About, RunUsage};
pub use session::{Checker, Session, validator_limits};
pub use source::Source;
pub use submit_answer::submitted_output;
pub use validator_box::ValidatorBox;
pub use visualizer::{Images, Visualizers};
