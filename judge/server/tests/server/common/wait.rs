//! Waiting for what happens in other processes, and how often a random test repeats its steps.

use super::Server;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longer than anything takes on a busy machine.
const LONG: Duration = Duration::from_secs(120);

/// How often a random test does something: `few` times, or `many` with `THOROUGH=1`.
pub fn repeats(few: usize, many: usize) -> usize {
    match std::env::var_os("THOROUGH") {
        None => few,
        Some(_) => many,
    }
}

/// Waits until the condition holds; `what` names it if it never does.
pub fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < LONG, "still waiting: {what}");
        sleep(Duration::from_millis(20));
    }
}

/// Waits until the server's queue has no unit.
pub fn until_empty(server: &Server<'_>) {
    let client = server.client();
    until("the queue is empty", || {
        let health = client.json("/healthz");
        ["waiting", "leased", "parked"]
            .iter()
            .all(|phase| health[phase] == 0)
    });
}
