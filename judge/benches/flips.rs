//! Counts verdicts that flip under a load of twice as many threads as cores: a program that uses 80
//! % of its CPU limit must never exceed it, and a program that uses 125 % must always exceed it.
//! Then, without that load, measures a program that reads much memory, in turn alone and beside a
//! box that writes memory all the time: what concurrent jobs cost it, and `-j 1` saves. Needs an idle
//! machine with two cores. `RUNS=1000` sets the number of runs.

mod harness;

use harness::{Acts, Load, median};
use judge_sandbox::{Limits, Mode, Sandbox};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const LIMIT: Duration = Duration::from_millis(200);

fn main() -> io::Result<()> {
    let number = std::env::var("RUNS").ok().and_then(|n| n.parse().ok());
    let runs = number.unwrap_or(if harness::is_trial() { 1 } else { 100 });
    let acts = Acts::new()?;
    let mut sandbox = acts.open(Mode::Auto)?;
    let load = Load::start();
    let (mut low, mut high) = (0, 0);
    for _ in 0..runs {
        low += usize::from(is_over(&acts, &mut *sandbox, LIMIT.mul_f64(0.8))?);
        high += usize::from(!is_over(&acts, &mut *sandbox, LIMIT.mul_f64(1.25))?);
    }
    println!("flips of_80_percent={low} of_125_percent={high} runs={runs}");
    drop(load);
    beside_a_neighbour(&acts, &mut *sandbox, runs)
}

/// Prints the CPU time of a program beside a hostile neighbour, relative to its time alone.
fn beside_a_neighbour(acts: &Acts, sandbox: &mut dyn Sandbox, runs: usize) -> io::Result<()> {
    let mut victim = || {
        let read = ["read-memory", "64", "2000000"];
        let execution = acts.run(sandbox, &read, &harness::roomy(), false)?;
        io::Result::Ok(execution.usage.cpu.value.as_secs_f64())
    };
    let mut neighbour = acts.open(Mode::Auto)?;
    victim()?;
    let mut ratios = Vec::new();
    for _ in 0..runs {
        let alone = victim()?;
        let done = AtomicBool::new(false);
        let beside = std::thread::scope(|scope| {
            let disturb = || -> io::Result<()> {
                while !done.load(Ordering::Relaxed) {
                    acts.run(
                        &mut *neighbour,
                        &["disturb", "100"],
                        &harness::roomy(),
                        false,
                    )?;
                }
                Ok(())
            };
            let disturbing = scope.spawn(disturb);
            // The neighbour has its memory by then.
            std::thread::sleep(Duration::from_millis(50));
            let beside = victim();
            done.store(true, Ordering::Relaxed);
            disturbing
                .join()
                .map_err(|_| io::Error::other("the neighbour panicked"))??;
            beside
        })?;
        ratios.push(beside / alone);
    }
    let most = ratios.iter().copied().fold(0.0, f64::max);
    let median = median(ratios);
    println!("beside_a_neighbour median={median:.3} most={most:.3} runs={runs}");
    Ok(())
}

fn is_over(acts: &Acts, sandbox: &mut dyn Sandbox, burn: Duration) -> io::Result<bool> {
    let limits = Limits {
        cpu: Some(LIMIT),
        ..harness::roomy()
    };
    let burn = burn.as_millis().to_string();
    let execution = acts.run(sandbox, &["burn", &burn], &limits, false)?;
    Ok(execution.usage.cpu.value > LIMIT)
}
