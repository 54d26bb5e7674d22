//! Measures how many bits a run can leave for the next run of its program through what the kernel
//! keeps in memory: pages of files, and names that were looked up. Both runs may only read the
//! files, and the second receives the message by the duration of its system calls
//! (`programs/residency.c`).
//!
//! Prints a line for each channel: the bits sent, the fraction that arrived, the capacity in bits (of
//! a binary symmetric channel with that error), and the CPU and wall time of the slower run in
//! milliseconds. Then the same with an eviction between the two runs, as between two submissions. `own` is a file that was made resident before the first run, as the files of a
//! program are; `pages` is a file of 256 MiB that is not in memory, which stands for unused
//! files of the system; `names` are names that do not exist, in `/usr/lib`.

mod harness;

use harness::{Acts, is_trial, roomy};
use judge_sandbox::{Execution, Limits, Mode, Sandbox, make_resident};
use rustix::fs::{Advice, fadvise};
use std::fs::File;
use std::io::{self, Write};
use std::time::Duration;

/// Size of the file. A page of every 16 KiB stands for a bit.
const FILE: usize = 256 << 20;
const PAGE_BITS: usize = 15_000;
const NAME_BITS: usize = 100_000;
/// Where a box shows the file.
const SHOWN: &str = "/programs/large";

fn main() -> io::Result<()> {
    let acts = Acts::compiled("benches/programs/residency.c")?;
    let large = acts.directory().join("large");
    let mut file = File::create_new(&large)?;
    let bits = |bits| if is_trial() { bits / 100 } else { bits };
    let block = vec![1; 1 << 20];
    for _ in 0..FILE / block.len() {
        file.write_all(&block)?;
    }
    file.sync_all()?;

    let mut channel = Channel {
        sandbox: acts.open(Mode::Auto)?,
        acts: &acts,
        evicts: false,
        seed: std::process::id() << 8,
    };
    make_resident(&large);
    channel.measure("own", ["pages", SHOWN], bits(PAGE_BITS))?;
    for evicts in [false, true] {
        fadvise(&file, 0, None, Advice::DontNeed)?;
        channel.evicts = evicts;
        channel.seed += 1;
        channel.measure("pages", ["pages", SHOWN], bits(PAGE_BITS))?;
        channel.measure("names", ["names", "/usr/lib"], bits(NAME_BITS))?;
    }
    Ok(())
}

struct Channel<'a> {
    acts: &'a Acts,
    sandbox: Box<dyn Sandbox>,
    /// Whether caches are evicted before the second run.
    evicts: bool,
    /// Makes the names new.
    seed: u32,
}

impl Channel<'_> {
    fn measure(&mut self, name: &str, what: [&str; 2], bits: usize) -> io::Result<()> {
        let (sent, _) = self.run("send", what, bits)?;
        if self.evicts {
            self.sandbox.evict_caches();
        }
        let (received, text) = self.run("receive", what, bits)?;
        let right: f64 = text.trim().parse().map_err(io::Error::other)?;
        let right = right / bits as f64;
        let slower =
            |time: fn(&Execution) -> Duration| 1e3 * time(&sent).max(time(&received)).as_secs_f64();
        println!(
            "{name} evicts={} bits={bits} right={right:.3} capacity={:.0} cpu_ms={:.0} wall_ms={:.0}",
            self.evicts,
            bits as f64 * capacity(right),
            slower(|run| run.usage.cpu.value),
            slower(|run| run.usage.wall.value),
        );
        Ok(())
    }

    fn run(
        &mut self,
        action: &str,
        [kind, place]: [&str; 2],
        bits: usize,
    ) -> io::Result<(Execution, String)> {
        let (seed, bits) = (self.seed.to_string(), bits.to_string());
        let args = [action, kind, place, &seed, &bits];
        let limits: Limits = roomy();
        self.acts.output(&mut *self.sandbox, &args, &limits)
    }
}

/// The capacity of a bit that arrives with this probability.
fn capacity(right: f64) -> f64 {
    let entropy = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
    1.0 - entropy(right) - entropy(1.0 - right)
}
