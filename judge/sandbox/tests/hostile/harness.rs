//! The programs of the attacks with the allowed outcome of each, and a box in which they run one after the other.

use std::time::Duration;

use super::common::{limits, program, run, spec, state};
use judge_sandbox::{Exit, Limit, Limits, Mode, Sandbox, State, open};

/// The allowed outcome of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expected {
    /// The program exits with 0: the attack was refused, or the program is innocent.
    Fine,
    /// A signal that the program caused itself ends it.
    Dies(i32),
    /// This limit ends the program.
    At(Limit),
    /// The measured memory exceeds the limit, or the program is killed at the limit.
    TooBig,
    /// Any outcome except a successful attack, `Code(1)`.
    Bounded,
}
use Expected::{At, Bounded, Dies, Fine, TooBig};

pub const ATTACKS: &[(&str, Expected)] = &[
    ("fork-bomb", Fine),
    ("fork-tree", At(Limit::Cpu)),
    ("thread-bomb", Fine),
    ("daemon", Fine),
    ("exec-loop", At(Limit::Cpu)),
    ("heap", TooBig),
    ("bss", TooBig),
    ("map-shared", TooBig),
    ("memory-file", At(Limit::Output)),
    ("family-memory", TooBig),
    ("fill-work", Bounded),
    ("system-v", Fine),
    ("shared-quotas", Fine),
    ("flood-out", At(Limit::Output)),
    ("flood-err", At(Limit::Output)),
    ("flood-file", Bounded),
    ("many-files", Fine),
    ("deep-directories", Fine),
    ("leave-files", Fine),
    ("find-files", Fine),
    ("lock-places", Fine),
    ("ordinary-calls", Fine),
    ("label-files", Fine),
    ("read-shadow", Fine),
    ("write-self", Fine),
    ("other-processes", Fine),
    ("zygote-files", Fine),
    ("udp", Fine),
    ("other-sockets", Fine),
    ("kill-parent", Fine),
    ("kill-all", Fine),
    ("kill-group", Dies(9)),
    ("signal-zygote", Bounded),
    ("stop-self", At(Limit::Wall)),
    ("ignore-all", At(Limit::Cpu)),
    ("close-and-sleep", At(Limit::Wall)),
    ("wait-for-input", At(Limit::Wall)),
    ("become-root", Fine),
    ("set-user-id", Fine),
    ("capabilities", Fine),
    ("trace", Fine),
    ("other-memory", Fine),
    ("dangerous-calls", Fine),
    ("clocks", Fine),
    ("raise-limits", Fine),
    ("own-priority", Fine),
    ("other-core", Fine),
    ("32-bit-call", Dies(31)),
    ("x32-call", Dies(31)),
];

pub const INNOCENTS: &[&str] = &[
    "threads",
    "children",
    "ordinary-calls",
    "big-recursion",
    "own-signal-stack",
    "exit-while-writing",
    "socket-pairs",
    "nothing",
];

/// Programs that need a box with namespaces. Without namespaces the box refuses to create
/// processes, its work directory is on the host, and the zygote is not process 1.
const NAMESPACED: &[&str] = &[
    "fork-tree",
    "family-memory",
    "children",
    "many-files",
    "signal-zygote",
];

/// Limits of most programs, with enough wall-clock time for a busy machine.
pub fn tight() -> Limits {
    Limits {
        cpu: Some(Duration::from_millis(300)),
        wall: Duration::from_secs(15),
        processes: Some(32),
        ..limits()
    }
}

/// Limits of programs that wait.
fn short() -> Limits {
    Limits {
        wall: Duration::from_millis(300),
        ..tight()
    }
}

/// Limits of programs that touch a gigabyte or make many files, which is slow.
pub fn patient() -> Limits {
    Limits {
        cpu: Some(Duration::from_secs(5)),
        wall: Duration::from_secs(30),
        ..tight()
    }
}

/// Programs that need the [`patient`] limits.
const LARGE: &[&str] = &["big-recursion", "many-files", "deep-directories"];

pub struct Harness {
    pub sandbox: Box<dyn Sandbox>,
    /// Whether programs may create processes.
    pub forks: bool,
    /// Whether the number of processes is limited.
    counts: bool,
    /// Whether a control group counts memory; without one, memory files are refused.
    memory_files: bool,
}

impl Harness {
    /// Opens a box. On a machine with neither namespaces nor Landlock, prints a reason and returns
    /// `None`.
    pub fn new() -> Option<Self> {
        let sandbox = open(&spec(Mode::Auto, &program("attacks"))).unwrap();
        let present = |name| state(&*sandbox, name) == Some(State::Present);
        let forks = present("pid-namespace");
        if !present("landlock") && !forks {
            eprintln!("skipped: this machine has neither user namespaces nor Landlock");
            return None;
        }
        let counts = present("processes");
        let memory_files = present("memory");
        Some(Harness {
            sandbox,
            forks,
            counts,
            memory_files,
        })
    }

    /// Runs one program. Returns a message if the outcome is not the expected one.
    pub fn trial(&mut self, args: &[&str], expected: Expected) -> Option<String> {
        let refused = !self.forks && NAMESPACED.contains(&args[0]);
        let endless = !self.counts && args[0] == "thread-bomb";
        if refused || endless {
            return None;
        }
        let expected = match args[0] {
            "memory-file" if !self.memory_files => Fine,
            _ => expected,
        };
        let limits = match expected {
            At(Limit::Wall) => short(),
            TooBig => patient(),
            _ if LARGE.contains(&args[0]) => patient(),
            _ => tight(),
        };
        let outcome = match run(&mut *self.sandbox, &program("attacks"), args, "", &limits) {
            Ok(outcome) => outcome,
            Err(fault) => return Some(format!("{args:?}: fault: {fault}")),
        };
        let exit = outcome.exit();
        let memory = outcome.memory().unwrap_or(0);
        let right = match expected {
            Fine => exit == Exit::Code(0),
            Dies(signal) => exit == Exit::Signal(signal),
            At(limit) => exit == Exit::Killed(limit),
            TooBig => exit == Exit::Killed(Limit::Memory) || Some(memory) > limits.memory,
            Bounded => exit != Exit::Code(1),
        };
        (!right).then(|| format!("{args:?} should be {expected:?}: {outcome:?}"))
    }
}
