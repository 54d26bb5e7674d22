//! Looks after the units of a server: those that are parked, and judgings that have none.

use super::Shared;
use crate::queue::QueueError;
use crate::store::{Judging, JudgingId};
use crate::worker;
use std::collections::HashSet;
use std::mem;

impl Shared {
    /// Plans batches and looks after all units, until the end.
    pub(super) fn plan(&self) {
        let mut missing = HashSet::new();
        let look_after = |is_due| self.look_after(is_due, &mut missing);
        self.batches.plan(|_| {}, look_after);
    }

    /// Ends judgings and batches whose unit is parked. If it `is_due`, also enqueues judgings that have no
    /// unit. `missing`: attempts that had none the last time. A unit that was finished just now may have
    /// results on their way, so a judging is enqueued again only if nothing came since.
    fn look_after(
        &self,
        is_due: bool,
        missing: &mut HashSet<(JudgingId, i64)>,
    ) -> Result<(), QueueError> {
        let Shared { batches, data, .. } = self;
        let mut open = match is_due {
            true => data.store.unfinished_judgings()?,
            false => Vec::new(),
        };
        if is_due && open.is_empty() {
            missing.clear();
            return Ok(());
        }
        let units = batches.units()?;
        batches.look_after(&units, is_due);
        worker::give_up_parked(&data.store, &units)?;
        if !is_due {
            return Ok(());
        }
        let known: HashSet<&str> = units.iter().map(|unit| unit.unit.id.as_str()).collect();
        open.retain(|judging| {
            let has_unit = known.contains(worker::unit_id(judging.id).as_str());
            !has_unit && !self.is_judging(judging.id)
        });
        let key = |judging: &Judging| (judging.id, judging.attempt);
        let before = mem::replace(missing, open.iter().map(key).collect());
        open.retain(|judging| before.contains(&key(judging)));
        if !open.is_empty() {
            tracing::warn!("{} judgings had no unit, and are enqueued", open.len());
            worker::enqueue(&data.store, batches.queue.as_ref(), &open)?;
        }
        Ok(())
    }
}
