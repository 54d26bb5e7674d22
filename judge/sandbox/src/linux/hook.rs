//! The hook before `main` that turns a judge's executable into a template.
#![allow(unsafe_code)]

use crate::linux::{guest, host};

/// Runs before `main` in every program that links this crate.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = before_main;

extern "C" fn before_main() {
    init();
}

/// Becomes a template if this process was started as one; otherwise returns at once.
///
/// This function runs automatically before `main` (through `.init_array`). If a linker drops that
/// hook, [`open()`](crate::open()) fails with a [`Fault`](crate::Fault) that says so; then call
/// this first in `main`.
pub fn init() {
    host::spawn::hook_has_run();
    guest::template::serve_if_started_as_one();
}
