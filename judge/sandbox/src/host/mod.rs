//! The judge's side: opens boxes, sends programs to run, watches them, reads figures.

mod accounting;
mod box_process;
mod cgroup;
mod counter;
mod cpu_meter;
mod cpu_sampler;
mod disk_usage;
mod exec_request;
mod fault_tracer;
mod idle_detector;
mod layers;
mod memory_accounting;
mod memory_meter;
mod mounts;
mod open;
mod resident;
mod run;
mod run_delay;
mod sandbox;
mod sent_request;
pub mod spawn;
mod stage_files;
mod stdio_files;
mod watchdog;

pub use disk_usage::{tree_bytes, unlocked_tree_bytes};
pub use mounts::{SYSTEM_DIRECTORIES, hide};
pub use open::{open, probe};
pub use resident::make_resident;
pub use stdio_files::{Input, InputCopier, scratch_file};
