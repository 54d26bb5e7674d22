//! The place of a run of the judge among others in the same process, and the boxes that it leaves to
//! the next run there.

use super::{Gate, Plan, Settings, Toolchain};
use crate::checker::ValidatorBox;
use crate::program_runner::{Idle, OpenBox};
use std::sync::Arc;

/// The place of a run of the judge among others in the same process.
#[derive(Clone, Debug)]
pub struct Seat {
    /// Its core; the run has one worker, there.
    pub core: usize,
    /// Shared by all of them.
    pub gate: Arc<Gate>,
    /// Boxes of this core, shared by the runs there.
    pub boxes: Arc<IdleBoxes>,
}

/// Boxes on one core that no run uses at the moment. All runs that share them have the same mode.
#[derive(Default, Debug)]
pub struct IdleBoxes {
    /// Those of submissions.
    pub(super) programs: Arc<Idle<OpenBox>>,
    /// Those of validators and graders.
    pub(super) validators: Idle<ValidatorBox>,
}

impl IdleBoxes {
    /// Closes boxes if there are too many, and those that waited for a minute. For a moment at which
    /// nothing waits for this thread, and often enough: runs close none of them.
    pub fn trim(&self) {
        self.programs.trim();
        self.validators.trim();
    }

    /// Closes all.
    pub fn clear(&self) {
        self.programs.clear();
        self.validators.clear();
    }
}

/// Opens the box of a plan's first submission on its seat, if its program is in the cache, so that
/// [`run`](super::run) finds it open. For a thread that waits for the core.
pub fn open_ahead(plan: &Plan, settings: &Settings, toolchain: &Toolchain) {
    let Some((seat, entry)) = settings.seat.as_ref().zip(plan.entries.first()) else {
        return;
    };
    let package = &entry.package;
    let program = entry.submissions.first();
    let program = program.and_then(|planned| toolchain.built(package, planned));
    let Some(program) = program.filter(|_| !package.kind.submit_answer) else {
        return;
    };
    let read_only = !package.allow_file_writing;
    let boxes = &seat.boxes.programs;
    if boxes.has(|open| open.is_for(&program, &[], read_only)) {
        return;
    }
    // What runs alone is not disturbed.
    let Some(_inside) = seat.gate.try_enter() else {
        return;
    };
    let core = Some(seat.core);
    // The run reports why, if it does not succeed either.
    boxes.put(OpenBox::open(settings.mode, core, &program, &[], read_only, None).ok());
}
