//! Memory accounting of one run: sets the limits of the control group and computes the figure.

use crate::api::{Fault, Job, Measured};
use crate::linux::host::box_process::BoxProcess;
use crate::linux::host::cgroup::Cgroup;
use crate::linux::host::stdio_files::MAX_IN_MEMORY;
use crate::linux::sys;

/// Number of pages below the limit at which the kernel cannot have killed a process for memory. The
/// kernel charges memory in batches of pages per core, so a kill can happen slightly below the
/// limit.
const CHARGE_SLACK: u64 = 256;
/// Upper bound of the output that is allowed in memory files beyond the memory limit. The output is
/// subtracted from the judged figure; this bounds what a program can take from the machine.
const MAX_OUTPUT: u64 = 2 << 30;
/// The same bound if the output is not a memory file: temporary files may be in memory too.
const MAX_OUTPUT_ELSEWHERE: u64 = 64 << 20;
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
#[derive(Default)]
pub struct GroupRun {
    memory_limit: Option<u64>,
    /// Memory in use before the run; it does not belong to the program.
    idle: u64,
    /// The peak and the output at the last sample.
    peak: u64,
    output: u64,
    /// The program's own peak so far.
    own: u64,
    /// Whether the peak was reset during the run. Then it says nothing about the time before.
    peak_was_reset: bool,
    /// Whether the input is a file on a disk. While it is larger than what the machine can cache, the kernel evicts pages and
    /// charges the program for those that it reads again, up to the limit. They are no memory of the program, and the peak
    /// contains them, so that the memory without them is sampled.
    reads_from_disk: bool,
    /// The program's own memory without cached files, the maximum of all samples.
    uncached: u64,
}

impl GroupRun {
    /// Sets the limits and resets the peak.
    pub fn start(process: &mut BoxProcess, job: &Job<'_>) -> Result<Self, Fault> {
        let mut run = GroupRun::default();
        let Ok(group) = &mut process.group else {
            return Ok(run);
        };
        let output = job.limits.output.unwrap_or(0);
        let max = if output > MAX_OUTPUT_ELSEWHERE && writes_to_memory(job) {
            MAX_OUTPUT
        } else {
            MAX_OUTPUT_ELSEWHERE
        };
        let output = output.min(max);
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
        group.reset_peak();
        run.idle = process.idle_memory;
        run.reads_from_disk = sys::regular_file(job.stdin)
            .is_some_and(|file| file.bytes > MAX_IN_MEMORY)
            && !sys::is_in_memory(job.stdin);
        Ok(run)
    }

    /// Whether the memory and the output must be sampled while the program runs.
    pub fn must_be_sampled(&self, job: &Job<'_>) -> bool {
        let writes_much = job.limits.output.is_none_or(|output| output > CREDIT);
        self.memory_limit.is_some()
            && (self.reads_from_disk || writes_much && writes_to_memory(job))
    }

    /// Records a sample: the `output` in memory, which the caller has just read, and the peak.
    pub fn sample(&mut self, process: &BoxProcess, output: u64) -> Result<(), Fault> {
        let Ok(group) = &process.group else {
            return Ok(());
        };
        if self.reads_from_disk {
            // In this order, because the kernel may evict many pages between the two.
            let uncached = group
                .cached_files()
                .and_then(|cached| Ok(group.in_use()?.saturating_sub(cached)));
            let uncached = uncached.map_err(|e| Fault::os("read the memory in use", e))?;
            let own = uncached.saturating_sub(self.idle).saturating_sub(output);
            self.uncached = self.uncached.max(own);
        }
        let shrank = self.record(read_peak(group)?, output);
        if shrank && group.reset_peak_again() {
            self.peak = 0;
            self.peak_was_reset = true;
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
    /// `by_sigkill` says whether SIGKILL ended the main process, `resident` is the peak of its largest process.
    ///
    /// The kernel can also kill a process far below the limit, if a group above this one or the
    /// whole machine is out of memory. So the number of kills is read after every SIGKILL, too;
    /// otherwise such a kill would be attributed to a later run in this box.
    pub fn finish(
        mut self,
        process: &mut BoxProcess,
        output: u64,
        by_sigkill: bool,
        resident: u64,
    ) -> Result<(Option<Measured<u64>>, bool), Fault> {
        let Ok(group) = &process.group else {
            return Ok((None, false));
        };
        // The peak is not reset after this last sample, so the figure of the run remains known.
        let last_peak = read_peak(group)?;
        self.record(last_peak, output);
        let peak = self.known_peak();
        let mut killed = false;
        if by_sigkill || self.may_have_reached_limit() {
            let kills = group
                .memory_kills()
                .map_err(|e| Fault::os("read the memory events", e))?;
            killed = kills > process.memory_kills;
            process.memory_kills = kills;
        }
        process.last_peak = (last_peak > 0).then_some(last_peak);
        let own = match self.reads_from_disk {
            true => self.own.min(self.uncached.max(resident)),
            false => self.own,
        };
        let measured = peak.map(|_| Measured {
            value: own,
            by: group.name,
        });
        Ok((measured, killed))
    }

    /// The peak; `None` if the group cannot report it.
    fn known_peak(&self) -> Option<u64> {
        (self.peak > 0).then_some(self.peak)
    }

    /// Whether the kernel can have killed a process at the memory limit of this run.
    fn may_have_reached_limit(&self) -> bool {
        let Some(limit) = self.memory_limit else {
            return false;
        };
        self.peak_was_reset
            || self
                .known_peak()
                .is_none_or(|peak| peak.saturating_add(CHARGE_SLACK * sys::page_size()) >= limit)
    }
}

/// The peak of the group in bytes; 0 if the group cannot report it.
fn read_peak(group: &Cgroup) -> Result<u64, Fault> {
    let peak = group
        .peak()
        .map_err(|e| Fault::os("read the memory peak", e))?;
    Ok(peak.unwrap_or(0))
}

fn writes_to_memory(job: &Job<'_>) -> bool {
    [job.stdout, job.stderr]
        .into_iter()
        .any(|stream| sys::regular_file(stream).is_some() && sys::is_in_memory(stream))
}

#[cfg(test)]
pub use tests::FakeBox;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::BoxSpec;
    use crate::linux::host::cgroup::{Unusable, fake_group, without_reset};
    use crate::linux::protocol::Isolation;
    use std::fs;
    use tempfile::TempDir;

    const MIB: u64 = 1 << 20;

    /// A run with this memory limit, in MiB, in a box whose zygote uses 2 MiB.
    fn group_run(limit: Option<u64>) -> GroupRun {
        GroupRun {
            memory_limit: limit.map(|limit| limit * MIB),
            idle: 2 * MIB,
            ..GroupRun::default()
        }
    }

    /// Computes the figure for a series of samples of peak and output, in MiB.
    fn own(samples: &[(u64, u64)]) -> u64 {
        let mut run = group_run(None);
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

    /// A box whose control group is a directory of ordinary files.
    pub struct FakeBox {
        pub process: BoxProcess,
        /// The real group of the zygote, which must outlive it.
        pub group: Result<Cgroup, Unusable>,
        pub directory: TempDir,
    }

    impl FakeBox {
        pub fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let mut process = BoxProcess::new(&BoxSpec::default(), Isolation::None).unwrap();
            let fake = Ok(fake_group(directory.path()));
            FakeBox {
                group: std::mem::replace(&mut process.group, fake),
                process,
                directory,
            }
        }

        /// Makes the group report this peak, in MiB, and this number of OOM kills.
        fn report(&self, peak: u64, kills: u64) {
            let file = |name| self.directory.path().join(name);
            fs::write(file("memory.peak"), (peak * MIB).to_string()).unwrap();
            fs::write(file("memory.events"), format!("oom_kill {kills}\n")).unwrap();
        }

        /// Makes the group report this use, in MiB.
        pub fn use_memory(&self, mib: u64) {
            let bytes = (mib * MIB).to_string();
            fs::write(self.directory.path().join("memory.current"), bytes).unwrap();
        }

        /// Whether this run is found to have been killed for lack of memory.
        fn is_killed(&mut self, run: GroupRun, by_sigkill: bool) -> bool {
            run.finish(&mut self.process, 0, by_sigkill, 0).unwrap().1
        }
    }

    #[test]
    fn an_oom_kill_is_attributed_to_its_own_run() {
        let mut fake = FakeBox::new();
        let at_limit = || group_run(Some(100));
        fake.report(100, 1);
        assert!(fake.is_killed(at_limit(), false));
        assert!(!fake.is_killed(at_limit(), false), "no further kill");

        // Kills far below the limit: of a group above, or of a run without a limit.
        fake.report(10, 2);
        assert!(fake.is_killed(group_run(None), true));
        fake.report(10, 3);
        assert!(fake.is_killed(at_limit(), true));
        fake.report(100, 3);
        assert!(!fake.is_killed(at_limit(), false), "no further kill");

        // The peak of the kill is unknown, because it was reset afterwards.
        fake.report(10, 4);
        let reset = GroupRun {
            peak_was_reset: true,
            ..at_limit()
        };
        assert!(fake.is_killed(reset, false));
    }

    #[test]
    fn cached_pages_of_a_large_input_are_no_memory_of_the_program() {
        for (files, resident, expected) in [(20, 1, 20), (20, 29, 29), (0, 1, 40), (60, 1, 1)] {
            for names in ["file", "cache"] {
                let mut fake = FakeBox::new();
                fake.report(264, 0);
                fake.use_memory(42);
                // A file in memory counts.
                let text = format!("anon 1\n{names} {}\nshmem {}\n", (files + 5) * MIB, 5 * MIB);
                fs::write(fake.directory.path().join("memory.stat"), text).unwrap();
                let mut run = GroupRun {
                    reads_from_disk: true,
                    ..group_run(Some(264))
                };
                run.sample(&fake.process, 0).unwrap();
                let ended = run.finish(&mut fake.process, 0, false, resident * MIB);
                let (own, killed) = ended.unwrap();
                assert_eq!(own.map(|own| own.value / MIB), Some(expected));
                assert!(!killed);
            }
        }
    }

    #[test]
    fn caches_that_the_group_is_charged_for_are_evicted() {
        let mut fake = FakeBox::new();
        fake.process.idle_memory = 2 * MIB;
        let file = |name| fake.directory.path().join(name);
        let (now, reclaim) = (file("memory.current"), file("memory.reclaim"));
        for (bytes, written) in [(2 * MIB, ""), (3 * MIB, "3145728")] {
            fs::write(&now, bytes.to_string()).unwrap();
            fs::write(&reclaim, "").unwrap();
            fake.process.evict_caches();
            assert_eq!(fs::read_to_string(&reclaim).unwrap(), written);
        }
    }

    #[test]
    fn a_box_whose_peak_cannot_be_reset_is_replaced_after_a_large_run() {
        for resets in [true, false] {
            let mut fake = FakeBox::new();
            fake.report(2, 0);
            fake.process.idle_memory = 2 * MIB;
            let group = fake.process.group.as_mut().unwrap();
            if !resets {
                without_reset(group, fake.directory.path());
            }
            group.reset_peak();
            for (peak, is_replaced) in [(2, false), (5, false), (7, true), (7, true)] {
                fake.report(peak, 0);
                let distorts = fake.process.distorts_memory().unwrap();
                assert_eq!(distorts, is_replaced && !resets, "peak {peak}");
            }
            // The figure of the first run is exact, whether it ends below or above the threshold.
            let (own, _) = group_run(None)
                .finish(&mut fake.process, 0, false, 0)
                .unwrap();
            assert_eq!(
                own.map(|own| (own.value / MIB, own.by)),
                Some((5, "cgroup-v2"))
            );
        }
    }

    #[test]
    fn output_that_shrinks_at_the_end_does_not_hide_the_peak() {
        let mut fake = FakeBox::new();
        let mut run = group_run(None);
        fake.report(202, 0);
        run.sample(&fake.process, 200 * MIB).unwrap();
        fake.report(402, 0);
        let (own, _) = run.finish(&mut fake.process, 0, false, 0).unwrap();
        assert_eq!(own.map(|own| own.value / MIB), Some(400));
    }
}
