//! Converts a package's limits to those of one run.

use crate::language::Program;
use judge_package::{PackageLimits, TestCase};
use judge_sandbox::{Execution, Exit, Limit, Limits};
use std::sync::LazyLock;
use std::time::Duration;

/// Limits that override the package's.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Overrides {
    /// CPU time per case.
    pub time: Option<Duration>,
    /// Memory, in bytes.
    pub memory: Option<u64>,
}

/// The clock that the time limit applies to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Clock {
    /// CPU time.
    Cpu,
    /// Instructions, converted to seconds.
    Instructions {
        /// Number of instructions per second.
        per_second: f64,
    },
}

/// The rate of `--clock instructions`: two instructions per cycle at 2 GHz. It is fixed and not
/// measured on this machine, so that a program gets the same verdict everywhere. Compared with the
/// CPU clock of a fast machine, compute-bound programs get less time, memory-bound programs more.
pub const INSTRUCTIONS_PER_SECOND: f64 = 4.0e9;

/// Limits of a program that generates data: generous, because its author is trusted and inputs can
/// be large.
pub fn for_generator(program: &Program) -> Limits {
    Limits {
        cpu: Some(Duration::from_secs(60)),
        wall: Duration::from_secs(150),
        memory: Some(2 << 30),
        output: Some(1 << 30),
        processes: Some(64 + program.runtime_threads),
        ..Limits::default()
    }
}

/// Limits of a run: those for the verdict, and those at which the sandbox kills it.
#[derive(Clone, PartialEq, Debug)]
pub struct RunLimits {
    /// Limits that the measured figures are compared with.
    pub judged: Limits,
    /// Limits that the sandbox enforces: slightly more time, so that a run just over its limit is
    /// measured and an endless loop still ends soon.
    pub enforced: Limits,
}

/// A run that exceeds its time limit by at most this share of it is repeated alone.
pub const NEAR: f64 = 0.10;

/// CPU time at which a run with this time limit is killed.
pub fn kill_at(time: Duration) -> Duration {
    time + (time / 8).max(Duration::from_millis(30))
}

/// The time and memory limits of a submission's program in `case`, which the whole submission judges with
/// `time` of CPU time.
pub fn of_program(
    package: &PackageLimits,
    case: &TestCase,
    time: Duration,
    overrides: Overrides,
    program: &Program,
) -> (Duration, u64) {
    let time = case.time_limit.unwrap_or(time);
    let memory = case.memory_limit.unwrap_or(package.memory);
    let code = program.language_code.as_deref().unwrap_or_default();
    let (time, memory) = package.of_language(code, time, memory);
    (
        overrides.time.unwrap_or(time),
        overrides.memory.unwrap_or(memory),
    )
}

/// Limits of a run of `program` in `case` with `time` of CPU time.
pub fn for_run(
    package: &PackageLimits,
    case: &TestCase,
    time: Duration,
    overrides: Overrides,
    clock: Clock,
    program: &Program,
) -> RunLimits {
    let (time, memory) = of_program(package, case, time, overrides, program);
    let kill_at = kill_at(time);
    let mut judged = Limits {
        cpu: Some(time),
        // Sleeping uses no CPU time: the wall clock only ends runs that would never end.
        wall: 3 * kill_at + Duration::from_secs(3),
        memory: Some(memory),
        stack: Some(stack(memory)),
        output: Some(package.output),
        processes: Some(64 + program.runtime_threads),
        ..Limits::default()
    };
    let mut enforced = Limits {
        cpu: Some(kill_at),
        ..judged.clone()
    };
    if let Clock::Instructions { per_second } = clock {
        // The instruction limit decides; CPU time, which depends on the machine's load, is only a
        // guard.
        let budget = |time: Duration| Some((time.as_secs_f64() * per_second) as u64);
        judged.cpu = None;
        judged.instructions = budget(time);
        enforced.cpu = Some(4 * kill_at);
        enforced.wall = 8 * kill_at + Duration::from_secs(1);
        judged.wall = enforced.wall;
        enforced.instructions = budget(kill_at);
    }
    RunLimits { judged, enforced }
}

/// Stack limit under a memory limit: equal to it, as in contests. Every thread reserves as much
/// address space as the main one may use, and the kernel refuses a reservation larger than the
/// machine's memory.
fn stack(memory: u64) -> u64 {
    static HALF_OF_ALL: LazyLock<u64> =
        LazyLock::new(|| judge_os::total_memory().unwrap_or(u64::MAX) / 2);
    memory.min(*HALF_OF_ALL)
}

impl RunLimits {
    /// Whether the load of the machine may be why this run exceeded its time limit: the CPU time is
    /// near the limit, or the wall clock ended a program that was computing or was not run.
    pub fn is_doubtful(&self, run: &Execution) -> bool {
        let usage = &run.usage;
        let (cpu, wall) = (usage.cpu.value, usage.wall.value);
        let near = self
            .judged
            .cpu
            .is_some_and(|limit| cpu.as_secs_f64() <= limit.as_secs_f64() * (1.0 + NEAR));
        let by_wall = run.exit == Exit::Killed(Limit::Wall);
        match by_wall {
            true => (cpu + usage.run_delay) * 10 > wall,
            false => near,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_is_as_large_as_the_memory_limit_but_smaller_than_the_machine() {
        assert_eq!(stack(1 << 20), 1 << 20);
        assert!((16 << 20..1 << 60).contains(&stack(1 << 60)));
    }

    #[test]
    fn an_endless_loop_is_not_near_its_limit() {
        for ms in [1, 50, 1000, 10_000] {
            let time = Duration::from_millis(ms);
            assert!(kill_at(time).as_secs_f64() / time.as_secs_f64() > 1.0 + NEAR);
        }
    }
}
