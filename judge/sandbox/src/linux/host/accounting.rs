//! The figures of one run, from the readings of the meters: CPU time, instructions, output. Memory
//! is in `memory_accounting`.

use std::time::Duration;

use crate::api::{Fault, Job, Limits, Measured};
use crate::linux::host::box_process::{BoxProcess, CpuReading};
use crate::linux::host::counter::{Event, PerfCounter, RunCounter};
use crate::linux::host::cpu_sampler::CpuSampler;
use crate::linux::host::watchdog::MAX_INSTRUCTIONS_PER_SECOND;
use crate::linux::protocol::RunResult;
use crate::linux::sys;

/// Tolerance between two clocks of the same processes.
const CLOCKS_DIFFER: Duration = Duration::from_millis(2);

/// The reading of the CPU meter before a run. A meter of the whole tree need not be read again:
/// since the last reading only the zygote has used CPU time, and its share is subtracted.
pub fn cpu_before(process: &BoxProcess) -> Result<CpuReading, Fault> {
    if process.cpu.covers_tree() {
        return Ok(process.cpu_reading);
    }
    Ok(CpuReading {
        all: read_cpu(process)?,
        ..CpuReading::default()
    })
}

fn read_cpu(process: &BoxProcess) -> Result<Duration, Fault> {
    process
        .cpu
        .read()
        .map_err(|e| Fault::os("read the CPU time", e))
}

/// The CPU time of a run, from the meter of the box or from `wait`.
pub fn measure_cpu(
    process: &mut BoxProcess,
    before: CpuReading,
    ended: &RunResult,
) -> Result<Measured<Duration>, Fault> {
    let metered = if process.cpu.covers_tree() {
        let after = CpuReading {
            all: read_cpu(process)?,
            own: ended.own_cpu,
        };
        process.cpu_reading = after;
        let zygote = after.own.saturating_sub(before.own);
        after.all.saturating_sub(before.all).saturating_sub(zygote)
    } else {
        ended.cpu
    };
    // Each clock can only miss time, so the larger figure is correct.
    let disputed = metered + metered / 20 + CLOCKS_DIFFER;
    let is_missing_time = process.cpu.may_miss_time() && ended.cpu > disputed;
    Ok(if is_missing_time {
        Measured {
            value: ended.cpu,
            by: "rusage",
        }
    } else {
        Measured {
            value: metered,
            by: process.cpu.by(),
        }
    })
}

/// The CPU time of a run, or the sampled time if the run hid much of it from the other meters.
pub fn with_hidden(
    cpu: Measured<Duration>,
    samples: Option<&mut CpuSampler>,
) -> Measured<Duration> {
    let sampled = samples.and_then(|samples| {
        samples.finish();
        samples.more_than(cpu.value)
    });
    match sampled {
        Some(value) => Measured {
            value,
            by: "samples",
        },
        None => cpu,
    }
}

/// Starts to count the events of the program that is executed next, if the job asks for it.
pub fn count_instructions(
    event: Event,
    process: &BoxProcess,
    job: &Job<'_>,
) -> Result<Option<RunCounter>, Fault> {
    if !job.count_instructions && job.limits.instructions.is_none() {
        return Ok(None);
    }
    match PerfCounter::from_exec(process.spawned.pid, event) {
        Ok(counter) => Ok(Some(counter)),
        Err(_) if job.limits.instructions.is_none() => Ok(None),
        Err(e) => Err(Fault {
            remedy: Some("limit the CPU time instead".into()),
            ..Fault::os("count instructions", e)
        }),
    }
}

/// The instruction count of a run that used `cpu` time. If the counter did not run all the time,
/// returns `None`, or a fault if instructions are limited.
pub fn whole_count(
    counter: &RunCounter,
    limits: &Limits,
    cpu: Duration,
) -> Result<Option<u64>, Fault> {
    let count = counter
        .read()
        .map_err(|e| Fault::os("read the instruction counter", e))?;
    if !count.whole && limits.instructions.is_some() {
        return Err(Fault {
            stage: "count all instructions: the counter did not run all the time".into(),
            source: None,
            remedy: Some(
                "stop other users of counters (a profiler), choose one kind of core with `taskset` \
                 if the processor has two, or limit the CPU time instead"
                    .into(),
            ),
            interrupted: false,
        });
    }
    Ok(count
        .whole
        .then(|| count.value.saturating_add(missed(count.time, cpu))))
}

/// Upper bound of the instructions in the part of `cpu` time that the counter missed. A program
/// that executes a file without read permission detaches its counters; it must not evade the limit
/// by that, nor make the judge fail.
fn missed(counted: Duration, cpu: Duration) -> u64 {
    /// The counter starts with exec; `cpu` includes the kernel's work before and after it.
    const SLACK: Duration = Duration::from_millis(20);
    let missed = cpu.saturating_sub(counted);
    if missed <= SLACK + cpu / 20 {
        return 0;
    }
    (missed.as_secs_f64() * MAX_INSTRUCTIONS_PER_SECOND) as u64
}

/// Bytes in the files of standard output and error.
#[derive(Default)]
pub struct Written {
    pub total: u64,
    pub in_memory: u64,
}

pub fn written(job: &Job<'_>) -> Written {
    let (out, err) = (sys::regular_file(job.stdout), sys::regular_file(job.stderr));
    // Both may be the same file.
    let same = match (&out, &err) {
        (Some(a), Some(b)) => (a.device, a.inode) == (b.device, b.inode),
        _ => false,
    };
    let mut written = Written::default();
    let files = [(job.stdout, out), (job.stderr, err.filter(|_| !same))];
    for (stream, file) in files {
        let Some(file) = file else { continue };
        written.total = written.total.saturating_add(file.bytes);
        if file.allocated > 0 && sys::is_in_memory(stream) {
            written.in_memory = written.in_memory.saturating_add(file.allocated);
        }
    }
    written
}

/// Bytes that the program wrote to standard output, standard error and files.
pub fn all_written(
    streams: &Written,
    ended: &RunResult,
    staged_bytes: u64,
    group_peak: Option<Measured<u64>>,
) -> u64 {
    let left = ended.left_bytes.saturating_sub(staged_bytes);
    let written = streams.total.saturating_add(left);
    if !ended.was_ended_by(libc::SIGXFSZ) {
        return written;
    }
    // An unlinked file shows only in the memory figure. A program that sent itself the signal has
    // neither a large file nor a large memory figure.
    written.max(group_peak.map_or(0, |peak| peak.value + MEMORY_MARGIN))
}

/// Bytes that a memory figure can be too low by: the memory of the idle zygote is subtracted from
/// it, and the zygote may have released some of that; the kernel charges a group in batches of 64
/// pages for each core.
const MEMORY_MARGIN: u64 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_missed_by_the_counter_is_charged() {
        let ms = Duration::from_millis;
        for (counted, cpu, expected) in [
            (1000, 1000, 0),
            (1010, 1000, 0),
            (0, 15, 0),
            (1000, 1060, 0),
            (1, 1001, 10_000_000_000),
            (500, 1000, 5_000_000_000),
        ] {
            assert_eq!(missed(ms(counted), ms(cpu)), expected, "{counted} of {cpu}");
        }
    }
}
