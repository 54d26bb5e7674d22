//! The judge's side: opens boxes, sends programs to run, watches them, reads figures.

mod accounting;
mod box_process;
mod cgroup;
mod counter;
mod cpu_sampler;
mod disk_usage;
mod exec_request;
mod fault_tracer;
mod layers;
mod memory;
mod memory_meter;
mod mounts;
mod open;
mod progress;
mod resident;
mod run;
mod run_delay;
mod sandbox;
mod scratch;
pub mod spawn;
mod stage_files;
mod watchdog;

pub use disk_usage::{bytes as tree_bytes, unlocked_bytes as unlocked_tree_bytes};
pub use mounts::{SYSTEM_DIRECTORIES, hide};
pub use open::{open, probe};
pub use resident::make_resident;
pub use scratch::{Input, InputCopier, scratch_file};
