//! The interface between workers and the coordinator that they work for.

use super::messages::Work;
use super::outbox::Reports;
use super::outcome::Outcome;
use crate::queue::{Lease, Unit};
use crate::store::SourceFile;
use judge_core::error::{Failure, Reason};
use judge_core::judging::{Part, Settings, Toolchain};
use judge_package::Package;
use std::sync::Arc;

/// The server whose units a worker judges: it knows what is to be judged, and keeps the results.
pub trait Coordinator: Send + Sync {
    /// Starts an attempt at a leased unit: results of an earlier one are refused from now on. Otherwise returns how
    /// the unit ends without work: [`Outcome::Done`] if it is closed.
    fn start(&self, lease: &Lease) -> Result<Assignment<'_>, Outcome>;

    /// The unit is parked in the queue: ends its judging with JE and this reason.
    fn give_up(&self, unit: &Unit, reason: &str) -> Result<(), Reason>;
}

/// The work of a unit, and the receiver of the results of this attempt.
pub struct Assignment<'c> {
    /// The work of the unit.
    pub work: Work,
    /// Receives the results.
    pub attempt: Box<dyn Attempt + 'c>,
}

/// An attempt at a unit that this worker started.
pub trait Attempt: Send + Sync {
    /// The outbox for the reports of this attempt.
    fn reports(&self) -> &Reports;

    /// Cancels cases of this attempt: of its batch, those whose results are not needed any more.
    fn part(&self) -> Arc<Part> {
        Arc::default()
    }

    /// Whether another machine that is known to work, and may lease this unit, has the tools of all these
    /// languages, which are given by their codes.
    fn others_have(&self, _languages: &[String]) -> bool {
        false
    }

    /// The content of a source file.
    fn source(&self, file: &SourceFile) -> Result<Vec<u8>, Reason>;

    /// The package, if this process has it in memory.
    fn loaded_package(&self, tree: &str) -> Option<Arc<Package>>;

    /// A package by its snapshot, with the test data that it generates.
    /// Fails when the snapshot cannot be fetched or is damaged, which is no defect of the package; or when
    /// generating fails.
    fn package(
        &self,
        tree: &str,
        settings: &Settings,
        toolchain: &Toolchain,
    ) -> Result<Arc<Package>, Failure>;
}
