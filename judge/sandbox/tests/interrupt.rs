//! Interrupting is for good, so it is tested in a process of its own.

mod common;

use std::time::{Duration, Instant};

use common::{limits, program, run, spec};
use judge_sandbox::{Mode, interrupt, interrupted, open};

#[test]
fn an_interrupt_ends_this_run_and_all_later_ones() {
    let acts = program("acts");
    let mut sandbox = open(&spec(Mode::None, &acts)).unwrap();
    let other = std::thread::spawn(|| {
        std::thread::sleep(Duration::from_millis(100));
        interrupt();
        Instant::now()
    });
    let fault = run(&mut *sandbox, &acts, &["family-loops"], "", &limits()).unwrap_err();
    let ended = Instant::now();
    assert!(fault.interrupted);
    assert!(ended - other.join().unwrap() < Duration::from_secs(1));
    assert!(interrupted());

    let fault = run(&mut *sandbox, &acts, &["code"], "", &limits()).unwrap_err();
    assert!(fault.interrupted);
}
