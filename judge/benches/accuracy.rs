//! Accuracy of the figures: programs that burn a known CPU time in several ways, and endless loops
//! that are killed at their limit. Each runs on an idle machine and under a load of twice as many
//! threads as cores.
//!
//! Prints, tab-separated, the burned time and the reported figure with the largest error, then the
//! overrun of the endless loops. The last line has the maxima: the error of the CPU time as a
//! fraction of the burned time (for the program that sleeps: of the time that the others burn), the
//! overrun of endless loops, and the spread of the instruction counts of equal runs (`absent` if
//! the machine has no such counter).

mod harness;

use harness::{Acts, Load};
use judge_sandbox::{Exit, Limit, Limits, Mode, Sandbox};
use std::io;
use std::time::Duration;

/// CPU time that each program burns, in milliseconds; `sleep` sleeps for as long.
const BURNED: f64 = 500.0;
const ACTIONS: [&str; 7] = [
    "burn",
    "child-burns",
    "unwaited-burns",
    "ignored-burns",
    "orphan-burns",
    "threads-burn",
    "sleep",
];

/// The largest errors.
#[derive(Default)]
struct Worst {
    /// Difference between reported and burned time, as a fraction of the burned time.
    error: f64,
    late: Duration,
}

fn main() -> io::Result<()> {
    let repeat = if harness::is_trial() { 1 } else { 5 };
    let acts = Acts::new()?;
    let mut worst = Worst::default();
    let mut spread = None;
    println!("mode\tload\taction\tburned_ms\treported_ms\tby");
    for (mode, name) in [(Mode::None, "none"), (Mode::Auto, "isolated")] {
        let mut sandbox = acts.open(mode)?;
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
    for action in ACTIONS {
        let burned = if action == "sleep" { 0.0 } else { BURNED };
        let (mut farthest, mut by) = (burned, "");
        for _ in 0..repeat {
            let args = [action, &BURNED.to_string()];
            let run = acts.run(sandbox, &args, &harness::roomy(), false)?;
            if run.exit != Exit::Code(0) {
                return Err(io::Error::other(format!(
                    "{action} ended by {:?}",
                    run.exit
                )));
            }
            let reported = run.usage.cpu.value.as_secs_f64() * 1e3;
            by = run.usage.cpu.by;
            if (reported - burned).abs() >= (farthest - burned).abs() {
                farthest = reported;
            }
        }
        worst.error = worst.error.max((farthest - burned).abs() / BURNED);
        println!("{setting}\t{action}\t{burned}\t{farthest:.2}\t{by}");
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
        for action in ["loop", "family-loops"] {
            let run = acts.run(sandbox, &[action], &limits, false)?;
            if run.exit != Exit::Killed(Limit::Cpu) {
                return Err(io::Error::other(format!(
                    "{action} ended by {:?}",
                    run.exit
                )));
            }
            let late = run.usage.cpu.value.saturating_sub(limit);
            worst.late = worst.late.max(late);
            println!("{setting}\t{action} at {limit:?}\t\t{late:.1?} late");
        }
    }
    Ok(())
}

/// The relative spread of the instruction counts of equal runs; `None` without a counter.
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
