//! The sandbox of Linux. `host` runs in the judge, `guest` in the template, the zygotes and the
//! programs' start, and both know only `protocol` (messages and shared constants) and `sys` (system
//! calls).

mod guest;
mod hook;
pub mod host;
mod protocol;
pub mod sys;

pub use hook::init;
pub use host::{
    Input, InputCopier, SYSTEM_DIRECTORIES, hide, make_resident, open, probe, required_profile,
    scratch_file,
};
pub use sys::event::Event;
pub use sys::plain_tree::make_plain;
pub use sys::scheduler::{allowed_cores as cores, pin, unpin};
