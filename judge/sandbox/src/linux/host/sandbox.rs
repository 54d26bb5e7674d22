//! The box: one zygote for many runs, replaced after a failure.

use std::fs;
use std::sync::{Arc, Weak};

use crate::api::{
    BoxSpec, Canceller, Execution, Exit, Fault, Job, Layer, MemoryFault, Sandbox, StagedFile,
    interrupt,
};
use crate::linux::host::box_process::BoxProcess;
use crate::linux::host::cgroup::Cgroup;
use crate::linux::host::fault_tracer::FaultTracer;
use crate::linux::host::memory_meter::MemoryMeter;
use crate::linux::host::{run, stage_files};
use crate::linux::protocol::Isolation;

/// A box with its specification and layers.
pub struct ZygoteSandbox {
    spec: BoxSpec,
    isolation: Isolation,
    layers: Vec<Layer>,
    process: Option<BoxProcess>,
    /// The groups of replaced zygotes. A group that is removed leaves what it was charged for to the
    /// group above, from which it cannot be evicted.
    replaced: Vec<Cgroup>,
}

/// Maximum number of groups of replaced zygotes. A program whose system files are not in memory yet
/// needs one: their pages stay in memory until its last run.
const MAX_REPLACED: usize = 2;

impl ZygoteSandbox {
    /// A box around a running zygote.
    pub fn new(spec: &BoxSpec, process: BoxProcess, layers: Vec<Layer>) -> Self {
        ZygoteSandbox {
            spec: spec.clone(),
            isolation: process.isolation,
            layers,
            process: Some(process),
            replaced: Vec::new(),
        }
    }

    /// The zygote, or a new one if there is none or its control group would distort the memory
    /// figure of the next run.
    ///
    /// The kernel caches the names that a program looked up (dentries) and charges them to the
    /// group. Subtracting them from the peak of the next run, which may evict them, would hide
    /// memory use of that run. A peak that cannot be reset (before Linux 6.12) would be reported
    /// for smaller runs, too.
    fn take_process(&mut self) -> Result<BoxProcess, Fault> {
        match self.process.take() {
            Some(process) if process.has_staged_files || !process.distorts_memory()? => Ok(process),
            replaced => {
                self.replaced
                    .extend(replaced.and_then(BoxProcess::into_group));
                if self.replaced.len() > MAX_REPLACED {
                    let _ = self.replaced.remove(0).reclaim();
                }
                BoxProcess::new(&self.spec, self.isolation)
            }
        }
    }
}

impl Sandbox for ZygoteSandbox {
    fn run_until(
        &mut self,
        job: &Job<'_>,
        canceller: Option<&Canceller>,
    ) -> Result<Execution, Fault> {
        if interrupt::interrupted() {
            return Err(interrupt::fault());
        }
        // On any error below, the next run starts a new zygote.
        let mut process = self.take_process()?;
        process.has_staged_files = false;
        if let Some(gauge) = &self.spec.gauge {
            let meter: Weak<MemoryMeter> = Arc::downgrade(&process.memory);
            gauge.show(meter);
        }
        let (execution, reusable) = run::run_program(&mut process, job, canceller)?;
        if reusable {
            self.process = Some(process);
        } else {
            self.replaced.extend(process.into_group());
        }
        Ok(execution)
    }

    fn find_memory_fault(
        &mut self,
        job: &Job<'_>,
        canceller: Option<&Canceller>,
    ) -> Result<Option<MemoryFault>, Fault> {
        if interrupt::interrupted() {
            return Err(interrupt::fault());
        }
        // A traced zygote is not used again.
        let mut process = self.take_process()?;
        let Ok(tracer) = FaultTracer::attach(process.spawned.pid) else {
            return Ok(None);
        };
        let (execution, _) = run::run_program(&mut process, job, canceller)?;
        let fault = match execution.exit {
            Exit::Signal(libc::SIGSEGV | libc::SIGBUS) => tracer.last_fault(),
            _ => None,
        };
        self.replaced.extend(process.into_group());
        Ok(fault)
    }

    fn stage_files(&mut self, files: &[StagedFile<'_>]) -> Result<Vec<fs::File>, Fault> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        // After an error the partly staged box is discarded.
        let mut process = self.take_process()?;
        process.has_staged_files = true;
        let (bytes, kept) = stage_files::stage_files(&process, files)?;
        process.staged_bytes += bytes;
        self.process = Some(process);
        Ok(kept)
    }

    fn evict_caches(&mut self) {
        for group in self.replaced.drain(..) {
            let _ = group.reclaim();
        }
        if let Some(process) = &mut self.process {
            process.evict_caches();
        }
    }

    fn layers(&self) -> &[Layer] {
        &self.layers
    }
}
