//! Counts verdicts that flip under a load of twice as many threads as cores: a program that uses 80
//! % of its CPU limit must never exceed it, and a program that uses 125 % must always exceed it.
//! `RUNS=1000` sets the number of runs.

mod harness;

use harness::{Acts, Load};
use judge_sandbox::{Limits, Mode, Sandbox};
use std::io;
use std::time::Duration;

const LIMIT: Duration = Duration::from_millis(200);

fn main() -> io::Result<()> {
    let number = std::env::var("RUNS").ok().and_then(|n| n.parse().ok());
    let runs = number.unwrap_or(if harness::is_trial() { 1 } else { 100 });
    let acts = Acts::new()?;
    let mut sandbox = acts.open(Mode::Auto)?;
    let _load = Load::start();
    let (mut low, mut high) = (0, 0);
    for _ in 0..runs {
        low += usize::from(is_over(&acts, &mut *sandbox, LIMIT.mul_f64(0.8))?);
        high += usize::from(!is_over(&acts, &mut *sandbox, LIMIT.mul_f64(1.25))?);
    }
    println!("flips of_80_percent={low} of_125_percent={high} runs={runs}");
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
