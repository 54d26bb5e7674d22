//! How true the figures are: CPU time burned in every way there is, kills at the limit; idle, and
//! while the machine carries twice its cores in load.
//!
//! Prints, tab-separated, what was burned and the figure farthest from it; then how late endless
//! loops ended. The last line holds the worst of all: the error of the CPU time as a fraction of
//! what is burned (for the one that sleeps: of what the others burn), how far endless loops went
//! beyond their limit, and how far apart the instruction counts of equal runs lie (`absent` where
//! the machine has no such counter).

mod harness;

use harness::{Acts, Load};
use judge_sandbox::{Exit, Limit, Limits, Mode, Sandbox};
use std::io;
use std::time::Duration;

/// CPU time that each deed burns, in milliseconds; `sleep` sleeps as long.
const BURNED: f64 = 500.0;
const DEEDS: [&str; 7] = [
    "burn",
    "child-burns",
    "unwaited-burns",
    "ignored-burns",
    "orphan-burns",
    "threads-burn",
    "sleep",
];

/// The worst that was seen.
#[derive(Default)]
struct Worst {
    /// Beyond what was burned, as a fraction of it.
    error: f64,
    late: Duration,
}

fn main() -> io::Result<()> {
    let repeat = if harness::is_trial() { 1 } else { 5 };
    let acts = Acts::new()?;
    let mut worst = Worst::default();
    let mut spread = None;
    println!("mode\tload\tdeed\tburned_ms\treported_ms\tby");
    for (mode, name) in [(Mode::None, "none"), (Mode::Auto, "isolated")] {
        let mut sandbox = acts.boxed(mode)?;
        for load in ["idle", "busy"] {
            let _load = (load == "busy").then(Load::start);
            let setting = format!("{name}\t{load}");
            burn(&acts, &mut *sandbox, &setting, repeat, &mut worst)?;
            end_loops(&acts, &mut *sandbox, &setting, &mut worst)?;
        }
        spread = instructions_spread(&acts, &mut *sandbox)?;
    }
    let spread = spread.map_or("absent".to_owned(), |s| format!("{s:.6}"));
    println!(
        "accuracy worst_cpu_error={:.4} worst_overrun_ms={:.1} instructions_spread={spread}",
        worst.error,
        worst.late.as_secs_f64() * 1e3
    );
    Ok(())
}

fn burn(
    acts: &Acts,
    sandbox: &mut dyn Sandbox,
    setting: &str,
    repeat: usize,
    worst: &mut Worst,
) -> io::Result<()> {
    for deed in DEEDS {
        let burned = if deed == "sleep" { 0.0 } else { BURNED };
        let (mut farthest, mut by) = (burned, "");
        for _ in 0..repeat {
            let args = [deed, &BURNED.to_string()];
            let run = acts.run(sandbox, &args, &harness::roomy(), false)?;
            if run.exit != Exit::Code(0) {
                return Err(io::Error::other(format!("{deed} ended by {:?}", run.exit)));
            }
            let reported = run.usage.cpu.value.as_secs_f64() * 1e3;
            by = run.usage.cpu.by;
            if (reported - burned).abs() >= (farthest - burned).abs() {
                farthest = reported;
            }
        }
        worst.error = worst.error.max((farthest - burned).abs() / BURNED);
        println!("{setting}\t{deed}\t{burned}\t{farthest:.2}\t{by}");
    }
    Ok(())
}

fn end_loops(
    acts: &Acts,
    sandbox: &mut dyn Sandbox,
    setting: &str,
    worst: &mut Worst,
) -> io::Result<()> {
    for limit in [100, 500, 2000].map(Duration::from_millis) {
        let limits = Limits {
            cpu: Some(limit),
            ..harness::roomy()
        };
        for deed in ["loop", "family-loops"] {
            let run = acts.run(sandbox, &[deed], &limits, false)?;
            if run.exit != Exit::Killed(Limit::Cpu) {
                return Err(io::Error::other(format!("{deed} ended by {:?}", run.exit)));
            }
            let late = run.usage.cpu.value.saturating_sub(limit);
            worst.late = worst.late.max(late);
            println!("{setting}\t{deed} at {limit:?}\t\t{late:.1?} late");
        }
    }
    Ok(())
}

/// How far apart the counts of equal runs lie, as a fraction; `None` where nothing counts.
fn instructions_spread(acts: &Acts, sandbox: &mut dyn Sandbox) -> io::Result<Option<f64>> {
    let mut counts = Vec::new();
    for _ in 0..50 {
        let run = acts.run(sandbox, &["steps", "10000000"], &harness::roomy(), true)?;
        let Some(count) = run.usage.instructions else {
            return Ok(None);
        };
        counts.push(count.value as f64);
    }
    let low = counts.iter().copied().fold(f64::MAX, f64::min);
    let high = counts.iter().copied().fold(0.0, f64::max);
    Ok(Some((high - low) / low))
}
