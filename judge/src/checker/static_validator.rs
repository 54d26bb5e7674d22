//! Static validators: programs that check the source of a submission, not its output.
//!
//! ```text
//! static_validator LANGUAGE ENTRY_POINT FEEDBACK_DIR/ [args]     (42 accepts, 43 rejects)
//! ```
//!
//! It works in a directory with the submission's files, and answers like an output validator.
//!
//! Source: Kattis problem package format, version 2025-09, "Static validator".

use super::outcome::{CheckFault, Outcome};
use super::program::ProgramChecker;
use super::request::{About, CheckRequest};
use super::validator_box::ValidatorBox;
use crate::language::Described;
use crate::program_runner::{Run, Stdin, WorkFile};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

impl ProgramChecker {
    /// Runs the program as a static validator.
    ///
    /// # Errors
    ///
    /// When the judge or the package failed.
    pub fn check_source(
        &self,
        validator_box: &mut ValidatorBox,
        source: &Described,
        args: &[String],
    ) -> Result<Outcome, CheckFault> {
        let copy = |(name, from): &(PathBuf, PathBuf)| WorkFile::copy(name, from);
        let files: Vec<WorkFile> = source.files.iter().map(copy).collect();
        let mut feedback = validator_box.feedback().into_os_string();
        feedback.push("/");
        let mut words = vec![
            OsString::from(&source.language),
            OsString::from(&source.entry_point),
            feedback,
        ];
        words.extend(args.iter().map(OsString::from));
        let run = Run {
            files: &files,
            ..Run::helper(&words, Stdin::Empty, &self.limits)
        };
        let execution = validator_box.run(&self.program, &run)?;
        let request = CheckRequest {
            input: Path::new(""),
            answer: None,
            args,
            multi_pass: false,
            about: &About::default(),
        };
        self.judge(validator_box, &request, &execution)
    }
}
