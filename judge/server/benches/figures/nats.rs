//! Messages of nats-server, and CPU time of the processes around it.

use super::cpu;
use serde_json::Value;
use std::net::TcpListener;
use ureq::Agent;

pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port()
}

/// The messages that nats-server received and sent so far; `monitor` is its port for figures.
pub fn messages(monitor: &str) -> [f64; 2] {
    let url = format!("http://127.0.0.1:{monitor}/varz");
    let mut answer = Agent::new_with_defaults().get(url).call().expect("figures");
    let text = answer.body_mut().read_to_string().expect("text");
    let figures: Value = serde_json::from_str(&text).expect("JSON");
    ["in_msgs", "out_msgs"].map(|name| figures[name].as_f64().expect("a number"))
}

/// Processes by name.
pub struct Processes<'p>(pub &'p [(&'static str, u32)]);

impl Processes<'_> {
    /// CPU seconds so far of those with the same name, with their children.
    pub fn cpu(&self) -> Vec<(&'static str, f64)> {
        let mut sums: Vec<(&'static str, f64)> = Vec::new();
        for (name, pid) in self.0 {
            let own = cpu::of_tree(*pid);
            match sums.last_mut().filter(|(last, _)| last == name) {
                Some((_, sum)) => *sum += own,
                None => sums.push((name, own)),
            }
        }
        sums
    }
}
