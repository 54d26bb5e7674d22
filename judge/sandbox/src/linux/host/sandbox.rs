//! The box: one zygote for many runs, replaced after a failure.

use std::collections::VecDeque;
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
    /// Zygotes whose control groups would distort the next figure, the oldest first. The kernel frees
    /// what belonged to a process some time after its end, later on a machine with many cores.
    resting: VecDeque<BoxProcess>,
    /// The groups of replaced zygotes. A group that is removed leaves what it was charged for to the
    /// group above, from which it cannot be evicted.
    replaced: Vec<Cgroup>,
}

/// Maximum number of groups of replaced zygotes. A program whose system files are not in memory yet
/// needs one: their pages stay in memory until its last run.
const MAX_REPLACED: usize = 2;

/// Maximum number of resting zygotes. On 16 cores a zygote ran 80 to 110 programs before it had to rest,
/// and with two others at rest few new ones were necessary.
const MAX_RESTING: usize = 3;

impl ZygoteSandbox {
    /// A box around a running zygote.
    pub fn new(spec: &BoxSpec, process: BoxProcess, layers: Vec<Layer>) -> Self {
        ZygoteSandbox {
            spec: spec.clone(),
            isolation: process.isolation,
            layers,
            process: Some(process),
            resting: VecDeque::new(),
            replaced: Vec::new(),
        }
    }

    /// The zygote, or another one if there is none or its control group would distort the memory
    /// figure of the next run: the one that rested longest, or a new one.
    ///
    /// The kernel caches the names that a program looked up (dentries) and charges them to the
    /// group. Subtracting them from the peak of the next run, which may evict them, would hide
    /// memory use of that run. A peak that cannot be reset (before Linux 6.12) would be reported
    /// for smaller runs, too.
    fn take_process(&mut self) -> Result<BoxProcess, Fault> {
        if let Some(process) = self.process.take() {
            if process.has_staged_files || !process.distorts_memory()? {
                return Ok(process);
            }
            self.resting.push_back(process);
        }
        if let Some(longest) = self.resting.pop_front() {
            if !longest.distorts_memory()? {
                return Ok(longest);
            }
            match self.resting.len() < MAX_RESTING {
                true => self.resting.push_front(longest),
                false => self.replace(longest),
            }
        }
        BoxProcess::new(&self.spec, self.isolation)
    }

    /// Ends a zygote and keeps its group; of too many, evicts the oldest one's caches and removes it.
    fn replace(&mut self, process: BoxProcess) {
        self.replaced.extend(process.into_group());
        if self.replaced.len() > MAX_REPLACED {
            let _ = self.replaced.remove(0).reclaim();
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
            self.replace(process);
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
        self.replace(process);
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
        let resting = self.resting.drain(..).filter_map(BoxProcess::into_group);
        for group in self.replaced.drain(..).chain(resting) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::host::memory_accounting::FakeBox;

    #[test]
    fn a_zygote_rests_while_its_group_is_charged_for_ended_processes() {
        let [first, second] = [FakeBox::new(), FakeBox::new()];
        let (of_first, of_second) = (first.process.spawned.pid, second.process.spawned.pid);
        first.use_memory(20);
        second.use_memory(20);
        let spec = BoxSpec::default();
        let mut sandbox = ZygoteSandbox::new(&spec, first.process, Vec::new());
        let third = sandbox.take_process().unwrap();
        assert_ne!(third.spawned.pid, of_first);

        sandbox.process = Some(second.process);
        fs::write(first.directory.path().join("memory.current"), "0").unwrap();
        assert_eq!(sandbox.take_process().unwrap().spawned.pid, of_first);
        // The second one rests.
        let fourth = sandbox.take_process().unwrap();
        assert!(![of_first, of_second].contains(&fourth.spawned.pid));
        assert_eq!(sandbox.resting.len(), 1);
    }

    #[test]
    fn the_number_of_resting_zygotes_is_bounded() {
        // Groups are removed after the sandbox has ended their processes.
        let mut kept = Vec::new();
        let mut process = || {
            let fake = FakeBox::new();
            fake.use_memory(20);
            kept.push((fake.group, fake.directory));
            fake.process
        };
        let spec = BoxSpec::default();
        let mut sandbox = ZygoteSandbox::new(&spec, process(), Vec::new());
        for _ in 0..2 * MAX_RESTING {
            sandbox.take_process().unwrap();
            sandbox.process = Some(process());
        }
        assert_eq!(sandbox.resting.len(), MAX_RESTING);
        assert!(sandbox.replaced.len() <= MAX_REPLACED);
    }
}
