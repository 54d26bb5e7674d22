//! Reconciles the units of a server with its judgings: ends a judging whose unit is parked, and enqueues what has none.

use super::Shared;
use crate::queue::{Queue, QueueError, Unit};
use crate::store::Judging;
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

    /// Ends judgings and batches whose unit is parked. If it `is_due`, also enqueues judgings and steps of
    /// verification that have no unit. `missing`: units that were missing the last time, with the attempt
    /// of their judging. A unit that was finished just now may have results on their way, so it is
    /// enqueued again only if nothing came since.
    fn reconcile(
        &self,
        is_due: bool,
        missing: &mut HashSet<(String, i64)>,
    ) -> Result<(), QueueError> {
        let Shared { batches, data, .. } = self;
        let (mut open, mut steps) = match is_due {
            true => (
                data.store.unfinished_judgings()?,
                worker::unverified_units(&data.store)?,
            ),
            false => (Vec::new(), Vec::new()),
        };
        if is_due && open.is_empty() && steps.is_empty() {
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
        steps.retain(|step| !known.contains(step.id.as_str()));
        let key = |judging: &Judging| (worker::unit_id(judging.id), judging.attempt);
        let key_of_step = |step: &Unit| (step.id.clone(), 0);
        let now = open.iter().map(key).chain(steps.iter().map(key_of_step));
        let before = mem::replace(missing, now.collect());
        open.retain(|judging| before.contains(&key(judging)));
        steps.retain(|step| before.contains(&key_of_step(step)));
        if !open.is_empty() {
            tracing::warn!("{} judgings had no unit, and are enqueued", open.len());
            worker::enqueue(&data.store, batches.queue.as_ref(), &open)?;
        }
        if !steps.is_empty() {
            let count = steps.len();
            tracing::warn!("{count} steps of verification had no unit, and are enqueued");
            batches.queue.enqueue(&steps)?;
        }
        Ok(())
    }
}
