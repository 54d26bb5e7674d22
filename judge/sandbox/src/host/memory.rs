//! The memory of one run: what its control group is told before, and what it knows afterwards.

use crate::api::{Fault, Job, Measured};
use crate::host::box_process::BoxProcess;
use crate::sys;

/// What the kernel counts memory in.
const PAGE: u64 = 4096;
/// The kernel charges memory in batches, per core: below the limit by this much nobody was killed.
const CHARGE_SLACK: u64 = 1 << 20;
/// More output than this in memory files is not allowed for beyond the memory limit. It is taken off
/// the figure that is judged; this bounds what a program can take of the machine.
const MOST_OUTPUT: u64 = 2 << 30;
/// The same where the output goes elsewhere: temporary files may lie in memory.
const MOST_ELSEWHERE: u64 = 64 << 20;
/// Output that is taken off the peak though nothing shows that it was written before the peak: so
/// much a program can use beyond its limit, if it writes as much afterwards. It is the output limit
/// that most packages have.
const CREDIT: u64 = 8 << 20;

/// What the control group knows of one run.
///
/// The kernel charges what a program writes into a memory file to the program. That is no memory that
/// it computes with, so it is taken off the peak: but only what was written *before* the peak, or a
/// program could use too much, free it, and write its way out of the figure. So while a program runs
/// that may write more than [`CREDIT`], its output and the peak are read again and again; where the
/// peak has risen since the last look, at least what had been written by then is part of it.
pub struct GroupRun {
    memory_limit: Option<u64>,
    /// What of the peak is not the program's.
    idle: u64,
    /// The peak and the output at the last look.
    peak: u64,
    output: u64,
    /// The program's own peak so far.
    own: u64,
}

impl GroupRun {
    /// Sets the limits, and lets the peak begin anew.
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
        // What goes into memory files is charged to the program that writes it; it is taken off
        // the figure afterwards, so it must fit in before.
        run.memory_limit = job.limits.memory.map(|limit| {
            limit
                .saturating_add(process.idle_memory)
                .saturating_add(output)
                .saturating_add(PAGE - 1)
                / PAGE
                * PAGE
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

    /// Whether the output must be looked at while the program runs.
    pub fn must_sample_output(&self, job: &Job<'_>) -> bool {
        self.memory_limit.is_some()
            && job.limits.output.is_none_or(|output| output > CREDIT)
            && writes_to_memory(job)
    }

    /// Notes how much output is in memory now, which was read before this call, and what the peak is.
    pub fn look(&mut self, process: &BoxProcess, output: u64) -> Result<(), Fault> {
        let Ok(group) = &process.group else {
            return Ok(());
        };
        let peak = group
            .peak()
            .map_err(|e| Fault::os("read the memory peak", e))?;
        self.note(peak.unwrap_or(0), output);
        Ok(())
    }

    fn note(&mut self, peak: u64, output: u64) {
        if peak > self.peak {
            let before = output.min(self.output.saturating_add(CREDIT));
            let own = peak.saturating_sub(self.idle).saturating_sub(before);
            self.own = self.own.max(own);
            self.peak = peak;
        }
        self.output = output;
    }

    /// The program's own peak, and whether the kernel killed for want of memory.
    pub fn finish(
        mut self,
        process: &mut BoxProcess,
        output: u64,
    ) -> Result<(Option<Measured<u64>>, bool), Fault> {
        self.look(process, output)?;
        let Ok(group) = &process.group else {
            return Ok((None, false));
        };
        // No peak was read: the group does not know it.
        let peak = (self.peak > 0).then_some(self.peak);
        let far_below = match (peak, self.memory_limit) {
            (Some(peak), Some(limit)) => peak.saturating_add(CHARGE_SLACK) < limit,
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

    /// The figure for what was seen at each look: the peak and the output, in MiB.
    fn own(looks: &[(u64, u64)]) -> u64 {
        let mut run = GroupRun {
            memory_limit: None,
            idle: 2 * MIB,
            peak: 0,
            output: 0,
            own: 0,
        };
        for &(peak, output) in looks {
            run.note(peak * MIB, output * MIB);
        }
        run.own / MIB
    }

    #[test]
    fn only_output_from_before_the_peak_is_taken_off_it() {
        // A short run that writes no more than most packages allow.
        assert_eq!(own(&[(102, 8)]), 92);
        // Much output, beside memory that was there before, while it runs.
        assert_eq!(own(&[(102, 0), (152, 50), (202, 100), (252, 150)]), 142);
        // Too much memory, which is free again before the output is written.
        assert_eq!(own(&[(482, 0), (482, 200), (482, 400)]), 480);
        assert_eq!(own(&[(482, 400)]), 472);
        // Output that is there, taken away for the peak, and written again.
        assert_eq!(own(&[(202, 200), (402, 0), (402, 200)]), 400);
    }
}
