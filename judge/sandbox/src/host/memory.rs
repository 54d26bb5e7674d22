//! Memory accounting of one run: sets the limits of the control group and computes the figure.

use crate::api::{Fault, Job, Measured};
use crate::host::box_process::BoxProcess;
use crate::sys;

/// Number of pages below the limit at which the kernel cannot have killed a process for memory. The
/// kernel charges memory in batches of pages per core, so a kill can happen slightly below the
/// limit.
const CHARGE_SLACK: u64 = 256;
/// Upper bound of the output that is allowed in memory files beyond the memory limit. The output is
/// subtracted from the judged figure; this bounds what a program can take from the machine.
const MOST_OUTPUT: u64 = 2 << 30;
/// The same bound if the output is not a memory file: temporary files may be in memory too.
const MOST_ELSEWHERE: u64 = 64 << 20;
/// Output that is subtracted from the peak without proof that it was written before the peak. A
/// program that writes this much afterwards can exceed its limit by as much. It equals the output
/// limit of most packages.
const CREDIT: u64 = 8 << 20;

/// The memory of one run, measured by its control group.
///
/// The kernel charges pages of a memory file to the program that writes them. They are output, not
/// working memory, so they are subtracted from the peak. Only output written *before* the peak is
/// subtracted; otherwise a program could use too much memory, free it, and hide it by writing
/// output. Therefore, for a program that may write more than [`CREDIT`], the output and the peak
/// are sampled while it runs: if the peak rose since the last sample, at least the output of that
/// sample is part of it.
pub struct GroupRun {
    memory_limit: Option<u64>,
    /// Memory in use before the run; it does not belong to the program.
    idle: u64,
    /// The peak and the output at the last sample.
    peak: u64,
    output: u64,
    /// The program's own peak so far.
    own: u64,
}

impl GroupRun {
    /// Sets the limits and resets the peak.
    pub fn start(process: &mut BoxProcess, job: &Job<'_>) -> Result<Self, Fault> {
        let mut run = GroupRun {
            memory_limit: None,
            idle: 0,
            peak: 0,
            output: 0,
            own: 0,
        };
        let Ok(group) = &mut process.group else {
            return Ok(run);
        };
        let output = job.limits.output.unwrap_or(0);
        let most = if output > MOST_ELSEWHERE && writes_to_memory(job) {
            MOST_OUTPUT
        } else {
            MOST_ELSEWHERE
        };
        let output = output.min(most);
        // The kernel's limit is raised by the allowed output: output in memory files is charged to
        // the program and subtracted afterwards.
        let page = sys::page_size();
        run.memory_limit = job.limits.memory.map(|limit| {
            // The kernel rounds a limit down to whole pages: 4 KiB, on some ARM machines 64 KiB.
            limit
                .saturating_add(process.idle_memory)
                .saturating_add(output)
                .saturating_add(page - 1)
                / page
                * page
        });
        let processes = job.limits.processes.map(|n| n.saturating_add(1));
        let os = |stage: &'static str| move |e| Fault::os(stage, e);
        group
            .limit(run.memory_limit, processes)
            .map_err(os("set the limits of the control group"))?;
        group.reset_peak().map_err(os("reset the memory peak"))?;
        run.idle = process.idle_memory;
        Ok(run)
    }

    /// Whether the output must be sampled while the program runs.
    pub fn must_sample_output(&self, job: &Job<'_>) -> bool {
        self.memory_limit.is_some()
            && job.limits.output.is_none_or(|output| output > CREDIT)
            && writes_to_memory(job)
    }

    /// Records a sample: the `output` in memory, which the caller has just read, and the peak.
    pub fn sample(&mut self, process: &BoxProcess, output: u64) -> Result<(), Fault> {
        let Ok(group) = &process.group else {
            return Ok(());
        };
        let peak = group
            .peak()
            .map_err(|e| Fault::os("read the memory peak", e))?;
        let shrank = self.record(peak.unwrap_or(0), output);
        if shrank && group.reset_peak_again() {
            self.peak = 0;
        }
        Ok(())
    }

    /// Records a sample. Returns whether the output shrank: then later memory use can stay below
    /// the old peak, so the peak must be reset.
    fn record(&mut self, peak: u64, output: u64) -> bool {
        let shrank = output < self.output;
        if peak > self.peak {
            let before = output.min(self.output.saturating_add(CREDIT));
            let own = peak.saturating_sub(self.idle).saturating_sub(before);
            self.own = self.own.max(own);
            self.peak = peak;
        }
        self.output = output;
        shrank
    }

    /// Returns the program's own peak, and whether the kernel killed a process for lack of memory.
    pub fn finish(
        mut self,
        process: &mut BoxProcess,
        output: u64,
    ) -> Result<(Option<Measured<u64>>, bool), Fault> {
        self.sample(process, output)?;
        let Ok(group) = &process.group else {
            return Ok((None, false));
        };
        // A peak of 0 means that the group cannot report it.
        let peak = (self.peak > 0).then_some(self.peak);
        let far_below = match (peak, self.memory_limit) {
            (Some(peak), Some(limit)) => {
                peak.saturating_add(CHARGE_SLACK * sys::page_size()) < limit
            }
            (_, None) => true,
            (None, _) => false,
        };
        let mut killed = false;
        if !far_below {
            let kills = group
                .memory_kills()
                .map_err(|e| Fault::os("read the memory events", e))?;
            killed = kills > process.memory_kills;
            process.memory_kills = kills;
        }
        let measured = peak.map(|_| Measured {
            value: self.own,
            by: group.name,
        });
        Ok((measured, killed))
    }
}

fn writes_to_memory(job: &Job<'_>) -> bool {
    [job.stdout, job.stderr]
        .into_iter()
        .any(|stream| sys::regular_file(stream).is_some() && sys::is_in_memory(stream))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// Computes the figure for a series of samples of peak and output, in MiB.
    fn own(samples: &[(u64, u64)]) -> u64 {
        let mut run = GroupRun {
            memory_limit: None,
            idle: 2 * MIB,
            peak: 0,
            output: 0,
            own: 0,
        };
        for &(peak, output) in samples {
            if run.record(peak * MIB, output * MIB) {
                run.peak = 0;
            }
        }
        run.own / MIB
    }

    #[test]
    fn only_output_before_the_peak_is_subtracted() {
        // A short run whose output is within the credit.
        assert_eq!(own(&[(102, 8)]), 92);
        // Much output during the run, and memory that was in use before the output.
        assert_eq!(own(&[(102, 0), (152, 50), (202, 100), (252, 150)]), 142);
        // Too much memory, freed before the output is written.
        assert_eq!(own(&[(482, 0), (482, 200), (482, 400)]), 480);
        assert_eq!(own(&[(482, 400)]), 472);
        // Output that is removed and replaced by memory.
        assert_eq!(own(&[(252, 250), (502, 500), (502, 0), (482, 0)]), 480);
        // Output that is removed at the peak and written again later.
        assert_eq!(own(&[(202, 200), (402, 0), (402, 200)]), 400);
    }
}
