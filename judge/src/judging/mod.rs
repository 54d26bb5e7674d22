//! Judging: submissions over test cases, on all cores, told as events.
//!
//! A plan (what to judge) and settings (how) go in; events come out, in order, through a bounded
//! queue that one thread writes. Submissions come in an order that does not depend on which worker
//! was faster.

mod build;
mod case_result;
mod data_hashes;
mod dedup;
mod derive;
mod event_queue;
mod explain;
mod generated_data;
mod grading;
mod host_load;
mod input_validators;
mod limits;
mod margins;
mod package_programs;
mod prebuild;
mod program_runner;
mod run;
mod run_case;
mod run_generator;
mod scheduler;
mod short_circuit;
mod validate;
mod worker;

pub use build::Toolchain;
pub use explain::of_run as describe;
pub use generated_data::generate_data;
pub use grading::expected_text;
pub use input_validators::{InputValidators, Refusal};
pub use limits::{Clock, INSTRUCTIONS_PER_SECOND, Overrides, RunLimits, for_generator, for_run};
pub use margins::warnings as margin_warnings;
pub use prebuild::build as prebuild;
pub use program_runner::{ProgramRunner, Run, Stdin, read_start};
pub use run::{layers, run};
pub use run_generator::run_generator;
pub use scheduler::Summary;
pub use validate::check_data;
pub use worker::prepare_checker;

use crate::language::Program;
use crate::package::{Package, TestCase};
use crate::submission::Submission;
use judge_sandbox::Mode;
use std::sync::Arc;

/// Packages, each with the submissions to judge over it.
#[derive(Debug, Default)]
pub struct Plan {
    /// In the order in which they are told.
    pub entries: Vec<PlanEntry>,
}

/// A package and its submissions.
#[derive(Debug)]
pub struct PlanEntry {
    /// The package.
    pub package: Package,
    /// The cases to judge, a selection of the package's, in judging order.
    pub cases: Vec<TestCase>,
    /// The submissions, each with what became of its compilation.
    pub submissions: Vec<PlanSubmission>,
}

/// A submission and how to get a program out of it.
#[derive(Debug)]
pub struct PlanSubmission {
    /// The submission.
    pub submission: Submission,
    /// The program where it is there already: an executable, a target that cargo built.
    pub prepared: Option<Prepared>,
}

/// What became of a compilation.
#[derive(Clone, Debug)]
pub enum Prepared {
    /// A program to run.
    Ready(Arc<Program>),
    /// It does not compile: the compiler's message.
    CompileError(String),
    /// This machine lacks what it takes: a compiler, an interpreter.
    Skipped(String),
    /// The judge failed to build it.
    Failed(String),
}

/// Which cases of a submission run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All of them.
    Everything,
    /// Those that decide: the cases behind the one at which the package ends judging run only
    /// when the submission is not as expected without them.
    Decisive,
}

/// How to judge.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many cases run at once.
    pub jobs: usize,
    /// How much isolation.
    pub mode: Mode,
    /// Stop a submission at its first case that is not accepted.
    pub fail_fast: bool,
    /// Which cases of a submission run.
    pub extent: Extent,
    /// Limits that replace the package's.
    pub overrides: Overrides,
    /// What the time limit is measured with.
    pub clock: Clock,
}

impl Settings {
    /// Whether instructions are to be counted: they rule.
    pub fn counts_instructions(&self) -> bool {
        matches!(self.clock, Clock::Instructions { .. })
    }
}
