//! The judge's side: opens boxes, sends programs to run, watches them, reads figures.

mod accounting;
mod box_process;
mod cgroup;
mod counter;
mod cpu_meter;
mod cpu_sampler;
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

pub use cpu_meter::cpu_clock_of;
pub use idle_detector::threads_sleep;
pub use layers::required_profile;
pub use memory_meter::{memory_of, peak_of};
pub use mounts::{SYSTEM_DIRECTORIES, hide};
pub use open::{open, probe};
pub use resident::make_resident;
pub use run_delay::RunDelay;
pub use stdio_files::{Input, InputCopier, scratch_file};
