//! The coordinator of workers in the server's own process: the store and its files.

use super::attempts::{give_up, record, start_attempt};
use crate::blobs::Blobs;
use crate::packages::Packages;
use crate::queue::{Lease, Unit};
use crate::store::{SourceFile, Starter, Store};
use crate::work_protocol::{
    Assignment, Attempt, AttemptId, Broken, Coordinator, Outbox, Outcome, Report, ReportKey,
    Reports, Results,
};
use judge_core::error::{Failure, Reason};
use judge_core::judging::{Settings, Toolchain};
use judge_package::Package;
use std::sync::Arc;

/// The class of machines that name none.
pub const DEFAULT_CLASS: &str = "default";

/// The server of this process.
pub struct Embedded {
    pub(crate) store: Arc<Store>,
    pub(crate) blobs: Blobs,
    pub(crate) packages: Arc<Packages>,
    /// The name of this machine.
    machine: String,
    outbox: Outbox,
}

impl Embedded {
    /// Starts the thread that writes results.
    pub fn start(
        store: Arc<Store>,
        blobs: Blobs,
        packages: Arc<Packages>,
        machine: &str,
    ) -> Result<Self, Reason> {
        let (own, worker) = (store.clone(), machine.to_owned());
        let outbox = Outbox::start("recorder", move |reports| write(&own, &worker, reports))?;
        Ok(Embedded {
            store,
            blobs,
            packages,
            machine: machine.to_owned(),
            outbox,
        })
    }

    /// Returns the outbox of a started attempt.
    pub(crate) fn reports(&self, target: AttemptId) -> Reports {
        let coordinator = String::new();
        self.outbox.reports(ReportKey {
            coordinator,
            target,
        })
    }
}

/// Writes reports of this process.
fn write(store: &Store, worker: &str, reports: Vec<(ReportKey, Report)>) -> Broken {
    let keys: Vec<ReportKey> = reports.iter().map(|(key, _)| key.clone()).collect();
    let results = reports
        .into_iter()
        .map(|(ReportKey { target, .. }, report)| {
            let reports = vec![report];
            (worker.to_owned(), Results { target, reports })
        });
    let Err(why) = record(store, results) else {
        return Broken::new();
    };
    tracing::error!("failed to write results: {why}");
    keys.into_iter().map(|key| (key, why.clone())).collect()
}

impl Coordinator for Embedded {
    fn start(&self, lease: &Lease) -> Result<Assignment<'_>, Outcome> {
        let by = Starter {
            machine: &self.machine,
            machine_class: DEFAULT_CLASS,
            judge: env!("CARGO_PKG_VERSION"),
        };
        let (work, target) = start_attempt(&self.store, &lease.unit.id, &by)?;
        let reports = self.reports(target);
        let attempt = Box::new(Own {
            server: self,
            reports,
        });
        Ok(Assignment { work, attempt })
    }

    fn give_up(&self, unit: &Unit, reason: &str) -> Result<(), Reason> {
        give_up(&self.store, &unit.id, reason)
    }
}

/// An attempt of a worker in this process.
struct Own<'s> {
    server: &'s Embedded,
    reports: Reports,
}

impl Attempt for Own<'_> {
    fn reports(&self) -> &Reports {
        &self.reports
    }

    fn source(&self, file: &SourceFile) -> Result<Vec<u8>, Reason> {
        let content = self.server.blobs.get(&file.blob);
        content.map_err(Reason::from)
    }

    fn loaded_package(&self, tree: &str) -> Option<Arc<Package>> {
        self.server.packages.loaded_tree(tree)
    }

    fn package(
        &self,
        tree: &str,
        settings: &Settings,
        toolchain: &Toolchain,
    ) -> Result<Arc<Package>, Failure> {
        self.server.packages.get_tree(tree, settings, toolchain)
    }
}
