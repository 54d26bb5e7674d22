//! Watches whether other programs keep this machine too busy to measure times exactly.

use super::busy::{Busy, INTERVAL};
use super::load::{self, Load};
use crate::threads;
use crate::worker::Control;
use clap::ValueEnum;
use judge_core::error::Reason;
use std::thread::sleep;

/// The behaviour of workers on a busy machine.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhenBusy {
    /// Take no work until it is quiet again.
    Rest,
    /// Only log it.
    Warn,
}

/// Starts a thread that watches the machine until the workers stop; `jobs`: units that they work on at
/// once.
pub fn watch(control: Control, jobs: usize, when_busy: WhenBusy) -> Result<(), Reason> {
    let cores = load::cores().unwrap_or(jobs);
    let (mut busy, mut load) = (Busy::new(cores, jobs), Load::default());
    let run = move || {
        while !control.is_stopping() {
            sleep(INTERVAL);
            let Some(others) = load.others() else {
                continue;
            };
            match busy.note(others) {
                Some(true) => {
                    let reason = format!(
                        "other programs keep {others:.1} of {cores} cores busy, so that times are not exact"
                    );
                    match when_busy {
                        WhenBusy::Rest => {
                            tracing::warn!("{reason}; no work is taken until they are done");
                            control.set_busy(Some(reason));
                        }
                        WhenBusy::Warn => tracing::warn!("{reason}"),
                    }
                }
                Some(false) => {
                    tracing::info!("the machine is quiet again");
                    control.set_busy(None);
                }
                None => {}
            }
        }
    };
    threads::start("load", run).map(drop)
}
