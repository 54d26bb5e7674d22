//! The limits of a run, and its result.

use std::time::Duration;

/// The limits of one run. `None` means unlimited; `wall` always applies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// CPU time, user + system, of the program and all its children.
    pub cpu: Option<Duration>,
    /// Wall-clock time. The time for which the machine does not run the program is added, up to nine
    /// times the limit.
    pub wall: Duration,
    /// Memory of the whole tree, in bytes: heap, stacks, tmpfs files, page tables.
    pub memory: Option<u64>,
    /// Stack of the main thread, in bytes; `None` means as large as `memory`.
    pub stack: Option<u64>,
    /// Bytes written to standard output, standard error and files, together.
    pub output: Option<u64>,
    /// Processes and threads alive at once.
    pub processes: Option<u32>,
    /// Instructions retired in user mode by the whole tree; only where they can be counted.
    pub instructions: Option<u64>,
    /// Wall-clock time, in whole seconds, in which every process of the tree sleeps and uses hardly
    /// any CPU time. A process that is ready to run or waits for a disk is not idle.
    pub idle: Option<Duration>,
    /// Bytes of all files below the writable mounts. Checked four times a second, so a shorter run
    /// is not checked.
    pub disk: Option<u64>,
}

impl Default for Limits {
    /// Ten seconds of wall-clock time and 64 processes, without any other limit.
    fn default() -> Self {
        Limits {
            cpu: None,
            wall: Duration::from_secs(10),
            memory: None,
            stack: None,
            output: None,
            processes: Some(64),
            instructions: None,
            idle: None,
            disk: None,
        }
    }
}

/// The limit that ended a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// CPU time.
    Cpu,
    /// Wall-clock time.
    Wall,
    /// Memory.
    Memory,
    /// Bytes written.
    Output,
    /// Instructions.
    Instructions,
    /// Time without progress.
    Idle,
    /// Bytes below the writable mounts.
    Disk,
}

/// How the main process ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Exit {
    /// The process exited with this code.
    Code(i32),
    /// A signal ended the process; the sandbox did not send it. Its number is that of Linux
    /// ([`signal`](crate::signal)); on Windows an exception of the same meaning ended the process.
    Signal(i32),
    /// The sandbox, or the kernel on its behalf, killed the process at this limit.
    Killed(Limit),
    /// A [`Canceller`](crate::Canceller) ended the run.
    Cancelled,
    /// The kernel refused to execute the program's file, with this error number: it is no
    /// executable, it is damaged, or the loader or interpreter that it names is missing. `E2BIG`: the
    /// arguments are too long; `EINVAL` also: an argument has a NUL byte.
    NotExecuted(i32),
}

/// A figure and how it was measured (`cgroup-v2`, `rusage`, `perf`, ...).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measured<T> {
    /// The figure.
    pub value: T,
    /// The method of measurement.
    pub by: &'static str,
}

/// The resources that a run used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Usage {
    /// CPU time, user + system, of the whole tree.
    pub cpu: Measured<Duration>,
    /// Wall-clock time from exec to the end.
    pub wall: Measured<Duration>,
    /// Peak memory of the whole tree, in bytes; `None` if it could not be measured.
    pub memory: Option<Measured<u64>>,
    /// Instructions retired in user mode by the whole tree, if requested and available.
    pub instructions: Option<Measured<u64>>,
    /// Wall-clock time for which the program was ready to run and the machine did not run it: other
    /// programs had its core, or a CPU quota was used up. A lower bound, sampled twice a second.
    pub run_delay: Duration,
}

/// The facts of one run, without a verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// How the main process ended.
    pub exit: Exit,
    /// Resources used.
    pub usage: Usage,
}

impl Execution {
    /// The run of a program that was not started, for this error of the system.
    pub(crate) fn not_started(errno: i32) -> Self {
        let nothing = Measured {
            value: Duration::ZERO,
            by: "request",
        };
        Execution {
            exit: Exit::NotExecuted(errno),
            usage: Usage {
                cpu: nothing,
                wall: nothing,
                memory: None,
                instructions: None,
                run_delay: Duration::ZERO,
            },
        }
    }

    /// Whether the run ended at the wall-clock limit because the machine did not run the program for
    /// most of the time. Threads that wait for each other use CPU time meanwhile, so a program does
    /// not come to this by itself while its CPU time has a much lower limit.
    pub fn was_starved(&self) -> bool {
        self.exit == Exit::Killed(Limit::Wall) && self.usage.run_delay * 2 > self.usage.wall.value
    }
}

/// The cause of a SIGSEGV or SIGBUS.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemoryFault {
    /// An access below the end of a stack.
    StackOverflow {
        /// The address.
        address: u64,
        /// The distance to the lowest byte of the stack.
        below: u64,
    },
    /// An access to an address that is not mapped, or not mapped for this kind of access.
    Address(u64),
    /// An access to an address that no pointer can have (not canonical); the processor does not
    /// report it.
    NoAddress,
    /// A process sent the signal.
    Sent,
}
