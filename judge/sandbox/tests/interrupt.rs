//! Test of the interrupt, in its own process because an interrupt is permanent.
//!
//! Test group: judge.

mod common;

use std::time::{Duration, Instant};

use common::{limits, program, run, spec};
use judge_sandbox::{Limits, Mode, interrupt, interrupted, open};

#[test]
fn an_interrupt_ends_all_current_and_later_runs() {
    let acts = program("acts");
    let endless = Limits {
        cpu: None,
        wall: Duration::from_secs(60),
        ..limits()
    };
    let runs = [Mode::None, Mode::Auto].map(|mode| {
        let (acts, endless) = (acts.clone(), endless.clone());
        std::thread::spawn(move || {
            let mut sandbox = open(&spec(mode, &acts)).unwrap();
            let fault = run(&mut *sandbox, &acts, &["family-loops"], "", &endless).unwrap_err();
            assert!(fault.interrupted);
            Instant::now()
        })
    });
    std::thread::sleep(Duration::from_millis(300));
    interrupt();
    let start = Instant::now();
    for run in runs {
        let end = run.join().unwrap();
        // Not a speed claim: without the interrupt it would take a minute.
        assert!(end.saturating_duration_since(start) < Duration::from_secs(30));
    }
    assert!(interrupted());

    let mut sandbox = open(&spec(Mode::Auto, &acts)).unwrap();
    let fault = run(&mut *sandbox, &acts, &["code"], "", &limits()).unwrap_err();
    assert!(fault.interrupted);
}
