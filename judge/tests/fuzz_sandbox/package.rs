//! Writes the cases of one run of the judge as a package on the disk.

use std::fs;
use std::path::Path;

/// A pseudo-random generator whose sequence depends on its seed only (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    /// The next number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.roll() % n.max(1)
    }
}

/// The limits of the package; the program defines the same figures.
pub const CPU_LIMIT: f64 = 0.3;
pub const MEMORY_LIMIT: u64 = 64 << 20;
const OUTPUT_LIMIT_MIB: u64 = 1;

/// Innocent roles that take a millisecond or two.
const QUICK: [&str; 6] = ["read", "device", "forks", "threads", "files", "output"];

/// Draws an innocent role, mostly a quick one.
pub fn innocent(dice: &mut Dice) -> Role {
    Role::Innocent(match dice.below(24) {
        0 => "cpu",
        1 | 2 => "memory",
        k => QUICK[k as usize % QUICK.len()],
    })
}

/// The action of the program in a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// Makes this many random calls; any verdict except a judge error is correct.
    Calls(u64),
    /// Exceeds a limit, among random calls, and prints the answer: it must not be accepted.
    Greedy(&'static str, u64),
    /// Runs a stressor of stress-ng for a second.
    Stress(String),
    /// Stays within every limit and prints the answer: it must be accepted.
    Innocent(&'static str),
}

/// A case of the package.
#[derive(Clone, Debug)]
pub struct Case {
    pub role: Role,
    /// Seed of the program's random calls.
    pub seed: u64,
    /// Number of digits after the first line of the input.
    padding: usize,
}

impl Case {
    /// A case with a random seed and a random input length.
    pub fn new(role: Role, dice: &mut Dice) -> Self {
        let padding = [0, 0, 100, 5000, 70_000][dice.below(5) as usize];
        Case {
            role,
            seed: dice.roll() >> 1,
            padding,
        }
    }

    /// Whether the case must be accepted.
    pub fn is_innocent(&self) -> bool {
        matches!(self.role, Role::Innocent(_))
    }

    /// The number of random calls in the case.
    pub fn calls(&self) -> u64 {
        match self.role {
            Role::Calls(calls) | Role::Greedy(_, calls) => calls,
            _ => 0,
        }
    }

    /// The same case with fewer calls.
    pub fn with_calls(&self, calls: u64) -> Self {
        let role = match &self.role {
            Role::Calls(_) => Role::Calls(calls),
            Role::Greedy(limit, _) => Role::Greedy(limit, calls),
            other => other.clone(),
        };
        Case {
            role,
            ..self.clone()
        }
    }

    /// The first line of the input.
    pub fn line(&self) -> String {
        match &self.role {
            Role::Calls(calls) => format!("calls {} {calls}", self.seed),
            Role::Greedy(limit, calls) => format!("greedy-{limit} {} {calls}", self.seed),
            Role::Stress(name) => format!("stress {name} {}", self.seed),
            Role::Innocent(name) => format!("{name} {} {}", self.seed, niceness()),
        }
    }

    fn input(&self) -> String {
        format!("{}\n{}\n", self.line(), "7".repeat(self.padding))
    }
}

/// The answer to an input, which is its FNV-1a hash.
fn answer(input: &str) -> u32 {
    input.bytes().fold(2_166_136_261, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(16_777_619)
    })
}

/// The priority that programs in a box inherit.
fn niceness() -> i32 {
    rustix::process::getpriority_process(None).expect("get the priority")
}

/// The plan of one run of the judge.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cases, in their order.
    pub cases: Vec<Case>,
    /// Number of concurrent boxes.
    pub jobs: usize,
    /// Whether the program communicates with an interactor, over pipes that the judge holds as
    /// well.
    pub interactive: bool,
}

impl Plan {
    /// A plan that runs the cases one after the other, over files.
    pub fn one_box(cases: Vec<Case>) -> Self {
        Plan {
            cases,
            jobs: 1,
            interactive: false,
        }
    }

    /// Writes the package into `directory`, replacing the previous one.
    pub fn write(&self, directory: &Path) {
        let data = directory.join("data/secret");
        let validator = directory.join("output_validator");
        for old in ["data", "output_validator"] {
            let _ = fs::remove_dir_all(directory.join(old));
        }
        fs::create_dir_all(&data).expect("a directory");
        let mut kind = "pass-fail";
        if self.interactive {
            kind = "interactive";
            fs::create_dir_all(&validator).expect("a directory");
            let source = "tests/fuzz_sandbox/program/interactor.c";
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
            fs::copy(source, validator.join("interactor.c")).expect("a file");
        }
        // A stressor runs for a second, and most need more memory than the fuzzed programs.
        let stress = |case: &Case| matches!(case.role, Role::Stress(_));
        let (time_limit, memory) = if self.cases.iter().any(stress) {
            (2.0, 4 * MEMORY_LIMIT)
        } else {
            (CPU_LIMIT, MEMORY_LIMIT)
        };
        let yaml = format!(
            "problem_format_version: 2025-09\nname: Random calls\nuuid: 94c8a1a5-6c5b-4b62-8f4e-0c5c1b0f2d11\n\
             license: cc0\ntype: {kind}\nallow_file_writing: true\n\
             limits: {{time_limit: {time_limit}, memory: {}, output: {OUTPUT_LIMIT_MIB}}}\n",
            memory >> 20
        );
        fs::write(directory.join("problem.yaml"), yaml).expect("a file");
        for (k, case) in self.cases.iter().enumerate() {
            let input = case.input();
            let answer = format!("{}\n", answer(&input));
            fs::write(data.join(format!("{k:04}.in")), &input).expect("a file");
            fs::write(data.join(format!("{k:04}.ans")), answer).expect("a file");
        }
    }
}
