//! Judges submissions over test cases, on all cores, and reports events.
//!
//! The inputs are a plan (what to judge) and settings (how). Events come out in order, through a
//! bounded queue that one thread writes. The order of submissions is that of the plan, not that in
//! which workers finish.

mod case_result;
mod data_hashes;
mod derived_limit;
mod diagnosis;
mod equal_cases;
mod event_queue;
mod expected;
mod generated_data;
mod grading;
mod host_load;
mod hosting;
mod judge_plan;
mod keep;
mod limits;
mod package_programs;
mod prebuild;
mod run_case;
mod sandbox_runner;
mod scheduler;
mod toolchain;
mod try_language;
mod verify;

pub use derived_limit::rounded_up;
pub use diagnosis::excerpts::KEPT_OUTPUT;
pub use diagnosis::explain::of_run as describe;
pub use diagnosis::memory_fault;
pub use generated_data::{generate_data, output_of_generator, run_generator, whole_output};
pub use grading::{CaseOutcome, of_submission as grade};
pub use hosting::elsewhere::{Elsewhere, Runs};
pub use hosting::gate::Gate;
pub use hosting::part::{Part, RunningCases};
pub use hosting::seat::{IdleBoxes, Seat, open_ahead};
pub use judge_plan::{LayersProbe, layers, run};
pub use keep::Keep;
pub use limits::{Clock, INSTRUCTIONS_PER_SECOND, Overrides, RunLimits, for_generator, for_run};
pub use prebuild::{broken_programs, missing_languages, missing_of_generators, prebuild};
pub use run_case::{OUTPUTS_KEPT, is_unchecked};
pub use sandbox_runner::prepare_checker;
pub use scheduler::{CaseEnd, PrepareResult, SubmissionRef, Summary};
pub use toolchain::Toolchain;
pub use try_language::try_language;
pub use verify::data::{CheckedData, Depth, check_data};
pub use verify::input_validators::{InputValidators, Refusal};
pub use verify::margins::margin_warnings;
pub use verify::submissions::result_warnings;

pub use crate::language::Prepared;

use crate::language::PreprocessorOptions;
use crate::submission::Submission;
use judge_package::{Package, TestCase};
use judge_sandbox::Mode;
use std::sync::Arc;

/// Packages, each with the submissions to judge over it.
#[derive(Debug, Default)]
pub struct Plan {
    /// In the order of the report.
    pub entries: Vec<PlanEntry>,
}

/// A package and its submissions.
#[derive(Debug)]
pub struct PlanEntry {
    /// The package.
    pub package: Package,
    /// The cases to judge, a selection of the package's, in judging order.
    pub cases: Vec<TestCase>,
    /// The submissions to judge.
    pub submissions: Vec<PlanSubmission>,
}

impl PlanEntry {
    /// An entry for submissions that are built before they run over these cases.
    pub fn new(
        package: Package,
        cases: Vec<TestCase>,
        submissions: impl IntoIterator<Item = Submission>,
    ) -> Self {
        let planned = |submission| PlanSubmission {
            submission,
            prepared: None,
        };
        PlanEntry {
            package,
            cases,
            submissions: submissions.into_iter().map(planned).collect(),
        }
    }

    /// The number of runs: each submission on each case.
    pub fn runs(&self) -> usize {
        self.cases.len() * self.submissions.len()
    }
}

/// A submission to judge.
#[derive(Debug)]
pub struct PlanSubmission {
    /// The submission.
    pub submission: Submission,
    /// The program, if it exists already: an executable, or a target that cargo built.
    pub prepared: Option<Prepared>,
}

/// Which cases of a submission run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All of them.
    Everything,
    /// The cases that decide the verdict: those after the one that ends judging run only if the
    /// expectation is not met without them.
    Decisive,
}

/// Settings of a run of the judge.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Number of cases that run in parallel.
    pub jobs: usize,
    /// The isolation mode.
    pub mode: Mode,
    /// Stop a submission at its first case that is not accepted.
    pub fail_fast: bool,
    /// Which cases of a submission run.
    pub extent: Extent,
    /// Limits that override the package's.
    pub overrides: Overrides,
    /// Size limit of a compiled program, instead of the usual one, in bytes.
    pub program_bytes: Option<u64>,
    /// The user's options for submissions in C and C++.
    pub preprocessor: PreprocessorOptions,
    /// The clock that the time limit applies to.
    pub clock: Clock,
    /// Repeat failed interactive cases, a few per submission, to show what was written.
    pub shows_dialogues: bool,
    /// Read and draw images of the cases that are not accepted, a few per submission.
    pub shows_images: bool,
    /// Keep the outputs of the first cases that are not accepted in their details, up to a size.
    pub keeps_outputs: bool,
}

/// Handles that a run of the judge shares with its surroundings; by default none.
#[derive(Clone, Default, Debug)]
pub struct Host {
    /// The directory for the files of the cases that are not accepted.
    pub keep: Option<Arc<Keep>>,
    /// The place among other runs in this process that judge at the same time, if there are any.
    pub seat: Option<Seat>,
    /// Where workers list the cases that they run, if there is a display that shows their memory.
    pub running: Option<Arc<RunningCases>>,
    /// Where submissions are compiled and run, if not here.
    pub elsewhere: Option<Arc<dyn Elsewhere>>,
    /// The cases are a part of a submission's, which another process grades.
    pub part: Option<Arc<Part>>,
}

impl Host {
    /// Whether submissions are compiled and run on other machines.
    pub fn is_elsewhere(&self) -> bool {
        self.elsewhere.is_some()
    }
}

impl Settings {
    /// The package's limits on the CPU clock, and all cases of every submission.
    pub fn new(jobs: usize, mode: Mode) -> Self {
        Settings {
            jobs,
            mode,
            fail_fast: false,
            extent: Extent::Everything,
            overrides: Overrides::default(),
            program_bytes: None,
            preprocessor: PreprocessorOptions::default(),
            clock: Clock::Cpu,
            shows_dialogues: false,
            shows_images: false,
            keeps_outputs: false,
        }
    }

    /// Whether instructions are counted, because the time limit applies to them.
    pub fn counts_instructions(&self) -> bool {
        matches!(self.clock, Clock::Instructions { .. })
    }
}
