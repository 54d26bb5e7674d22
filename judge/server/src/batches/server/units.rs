//! Reconciles the units of a server with its judgings: ends a judging whose unit is parked, and enqueues one that has none.

use super::Shared;
use crate::queue::QueueError;
use crate::store::{Judging, JudgingId};
use crate::worker;
use std::collections::HashSet;
use std::mem;

impl Shared {
    /// Plans batches and reconciles all units, until the end.
    pub(super) fn plan(&self) {
        let mut missing = HashSet::new();
        let reconcile = |is_due| self.reconcile(is_due, &mut missing);
        self.batches.plan(|_| {}, reconcile);
    }

    /// Ends judgings and batches whose unit is parked. If it `is_due`, also enqueues judgings that have no
    /// unit. `missing`: attempts that had none the last time. A unit that was finished just now may have
    /// results on their way, so a judging is enqueued again only if nothing came since.
    fn reconcile(
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
        batches.reconcile(&units, is_due);
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
