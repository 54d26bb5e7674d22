//! Fuzzes the sandbox through the judge: runs programs that make random system calls, each followed
//! by innocent programs, which stay within every limit and must be accepted with plausible figures.
//!
//! `SECONDS=3600` sets the duration, `SEED=7` the first seed, and `MODE=user` the modes (`as-is`,
//! `user`, `landlock`; separated by commas). A seed determines every input; a finding names its
//! seed. Without `SECONDS` and `SEED` the seeds are fixed.
//!
//! Test group: judge.

#[path = "common/leftovers.rs"]
mod leftovers;
#[path = "common/mode.rs"]
mod mode;
#[path = "fuzz_sandbox/package.rs"]
mod package;
#[path = "fuzz_sandbox/reduce.rs"]
mod reduce;
#[path = "common/search_path.rs"]
mod search_path;
#[path = "fuzz_sandbox/trees.rs"]
mod trees;
#[path = "fuzz_sandbox/watch.rs"]
mod watch;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use mode::{Mode, Place};
use package::{Case, Dice, Plan, Role};
use watch::Finding;

/// Rounds of one run of the judge: a hostile program and the innocent ones after it.
const ROUNDS: usize = 40;
/// Maximum number of calls in a round.
const CALLS: u64 = 600;
/// The seeds if neither `SECONDS` nor `SEED` is given. They are the same in every run, so that the
/// change under test is the cause of a failure.
const FIXED_SEEDS: std::ops::RangeInclusive<u64> = 1..=1;
/// The seeds of the long test.
const MORE_SEEDS: std::ops::RangeInclusive<u64> = 2..=8;
/// Duration of the test per mode, in seconds, if only `SEED` is given.
const SECONDS: u64 = 20;

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{variable}={text} is not a number")))
}

/// Draws the plan of one run of the judge: with one box or two, over files or with an interactor.
fn plan(seed: u64, layers: &watch::Layers) -> Plan {
    let mut dice = Dice(seed);
    let (jobs, interactive) = (1 + dice.below(2) as usize, dice.below(3) == 0);
    let mut cases = Vec::new();
    for _ in 0..ROUNDS {
        let calls = dice.below(CALLS);
        let role = match dice.below(20) {
            0..16 => Role::Calls(calls),
            16 => Role::Greedy("cpu", calls / 16),
            17 => Role::Greedy("output", calls / 16),
            // Without a control group only the pages of the largest process are measured.
            _ if layers.memory && dice.below(2) == 0 => Role::Greedy("memory", calls / 16),
            _ => Role::Greedy("pages", calls / 16),
        };
        cases.push(Case::new(role, &mut dice));
        cases.push(Case::new(package::innocent(&mut dice), &mut dice));
        cases.push(Case::new(Role::Innocent("clean"), &mut dice));
    }
    // Output into a pipe is not limited, and a pipe cannot be read a second time.
    let fits = |role: &Role| match role {
        Role::Greedy("output", _) | Role::Innocent("device") => !interactive,
        Role::Innocent("forks") => layers.forks,
        _ => true,
    };
    cases.retain(|case| fits(&case.role));
    Plan {
        cases,
        jobs,
        interactive,
    }
}

/// Makes a directory with the judge and the program for all roles; returns the reason if the mode
/// is not supported.
fn prepare(mode: Mode) -> Result<Place, String> {
    let place = Place::new(mode)?;
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz_sandbox/program");
    let files = [
        "main.c",
        "calls.c",
        "innocent.c",
        "greedy.c",
        "shared_files.c",
    ];
    let status = Command::new("cc")
        .args(["-O1", "-pthread", "-w", "-o"])
        .arg(program(&place))
        .args(files.map(|name| sources.join(name)))
        .status()
        .expect("run the C compiler `cc`");
    assert!(status.success(), "the fuzzer's program does not compile");
    Ok(place)
}

fn program(place: &Place) -> PathBuf {
    place.path("fuzz_program")
}

/// Counters of the runs in one mode.
#[derive(Default)]
struct Tally {
    runs: usize,
    rounds: usize,
    calls: u64,
    accepted: usize,
    /// Runs whose findings the machine may have caused, and no repetition confirmed.
    disturbed: usize,
}

/// The seeds to try in a mode.
enum Seeds {
    /// A fixed range.
    Fixed(std::ops::RangeInclusive<u64>),
    /// Consecutive seeds from `seed`, or from a random one, for the duration `time`.
    From { seed: Option<u64>, time: Duration },
}

fn fuzz(mode: Mode, seeds: &Seeds) -> Vec<Finding> {
    let place = match prepare(mode) {
        Ok(place) => place,
        Err(why) => {
            println!("SKIPPED: {}: {why}", mode.name());
            return Vec::new();
        }
    };
    let layers = watch::layers(&place);
    if !layers.fenced {
        println!("SKIPPED: {}: this machine offers no isolation", mode.name());
        return Vec::new();
    }
    let first = match seeds {
        Seeds::Fixed(seeds) => *seeds.start(),
        Seeds::From { seed, .. } => seed.unwrap_or_else(mode::entropy),
    };
    println!("{}: SEED={first}", mode.name());
    let (start, mut tally) = (Instant::now(), Tally::default());
    loop {
        let seed = first.wrapping_add(tally.runs as u64);
        let ended = match seeds {
            Seeds::Fixed(seeds) => !seeds.contains(&seed),
            Seeds::From { time, .. } => start.elapsed() >= *time && tally.runs > 0,
        };
        if ended {
            break;
        }
        let plan = plan(seed, &layers);
        let mut outcome = watch::judge(&place, &plan);
        if is_disturbed(&outcome) {
            let mut again = (0..REPETITIONS).map(|_| watch::judge(&place, &plan));
            match again.find(|repetition| !repetition.findings.is_empty()) {
                Some(repetition) => outcome = repetition,
                None => {
                    tally.disturbed += 1;
                    outcome.findings.clear();
                }
            }
        }
        tally.runs += 1;
        tally.rounds += ROUNDS;
        tally.calls += outcome.calls;
        tally.accepted += plan.cases.iter().filter(|case| case.is_innocent()).count();
        if !outcome.findings.is_empty() {
            println!("{}: found with SEED={seed}", mode.name());
            return reduce::explain(&place, &plan, outcome.findings);
        }
        if let Some(what) = trees::judge(&place, seed) {
            return vec![Finding::general(what)];
        }
    }
    println!(
        "{}: {} runs of the judge, {} hostile programs with at least {} calls, {} innocent ones, \
         {} runs disturbed by the machine, {:.0} s",
        mode.name(),
        tally.runs,
        tally.rounds,
        tally.calls,
        tally.accepted,
        tally.disturbed,
        start.elapsed().as_secs_f64()
    );
    Vec::new()
}

/// Number of repetitions of a run whose findings the machine may have caused.
const REPETITIONS: usize = 3;

/// Whether the machine can explain all findings.
fn is_disturbed(outcome: &watch::Outcome) -> bool {
    let findings = &outcome.findings;
    !findings.is_empty() && findings.iter().all(|finding| finding.may_be_machine)
}

fn fuzz_all_modes(seeds: &Seeds) {
    let findings: Vec<Finding> = mode::asked_for()
        .into_iter()
        .flat_map(|mode| fuzz(mode, seeds))
        .collect();
    assert!(findings.is_empty(), "{}", watch::list(&findings));
}

#[test]
fn random_calls_do_not_affect_later_programs() {
    let seeds = match (number("SECONDS"), number("SEED")) {
        (None, None) => Seeds::Fixed(FIXED_SEEDS),
        (seconds, seed) => Seeds::From {
            seed,
            time: Duration::from_secs(seconds.unwrap_or(SECONDS)),
        },
    };
    fuzz_all_modes(&seeds);
}

#[test]
#[ignore = "long: `make test-long` runs it"]
fn more_random_calls_do_not_affect_later_programs() {
    fuzz_all_modes(&Seeds::Fixed(MORE_SEEDS));
}

/// The names of stress-ng's stressors; `None` if it is not installed.
fn stressors() -> Option<Vec<String>> {
    let output = Command::new("stress-ng").arg("--stressors").output().ok()?;
    let text = String::from_utf8(output.stdout).expect("names are text");
    Some(text.split_whitespace().map(str::to_owned).collect())
}

/// Number of stressors per run of the judge.
const STRESSORS: usize = 8;

#[test]
#[ignore = "300 stressors take minutes: `make stress-ng` runs it"]
fn stressors_do_not_affect_later_programs() {
    let Some(stressors) = stressors() else {
        println!("SKIPPED: stress-ng is not installed: apt install stress-ng");
        return;
    };
    let mut findings = Vec::new();
    for mode in mode::asked_for() {
        let place = match prepare(mode) {
            Ok(place) => place,
            Err(why) => {
                println!("SKIPPED: {}: {why}", mode.name());
                continue;
            }
        };
        let layers = watch::layers(&place);
        let (start, before) = (Instant::now(), findings.len());
        for (k, names) in stressors.chunks(STRESSORS).enumerate() {
            let mut dice = Dice(k as u64);
            let mut cases = Vec::new();
            for name in names {
                cases.push(Case::new(Role::Stress(name.clone()), &mut dice));
                for innocent in ["read", "device", "forks", "clean"] {
                    if layers.forks || innocent != "forks" {
                        cases.push(Case::new(Role::Innocent(innocent), &mut dice));
                    }
                }
            }
            findings.extend(watch::judge(&place, &Plan::one_box(cases)).findings);
        }
        println!(
            "{}: {} stressors, {} findings, {:.0} s",
            mode.name(),
            stressors.len(),
            findings.len() - before,
            start.elapsed().as_secs_f64()
        );
    }
    assert!(findings.is_empty(), "{}", watch::list(&findings));
}
