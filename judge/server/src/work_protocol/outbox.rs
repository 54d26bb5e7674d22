//! Delivers the reports of all attempts of this process in one thread, together with those that come
//! within 50 ms. Accepted cases of a batch, except the first (the planner needs its time), are buffered
//! longer: nothing depends on them before the end.

use super::messages::{AttemptId, Report};
use crate::threads;
use judge_core::error::Reason;
use std::collections::{HashMap, HashSet};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How long reports may wait for others.
const FLUSH: Duration = Duration::from_millis(50);
/// How long accepted cases of a batch may wait for other reports.
const FLUSH_ACCEPTED: Duration = Duration::from_millis(500);

/// The coordinator and the target that reports belong to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ReportKey {
    /// The name of the coordinator; empty: this process.
    pub(crate) coordinator: String,
    pub(crate) target: AttemptId,
}

/// The keys with a report that could not be delivered, and the reasons.
pub(crate) type Broken = HashMap<ReportKey, Reason>;

/// Accepts reports from any thread. Another thread delivers them; it ends when the last copy of this is dropped.
#[derive(Clone)]
pub(crate) struct Outbox(Sender<Item>);

/// The outbox for the reports of one attempt.
pub struct Reports {
    outbox: Outbox,
    key: ReportKey,
}

struct Item {
    key: ReportKey,
    /// `None` flushes the earlier reports.
    report: Option<Report>,
    /// Waits until the report and all before it are kept.
    kept: Option<Sender<Result<(), Reason>>>,
}

impl Outbox {
    /// Starts the thread, with this name. `deliver` gets reports in their order.
    pub(crate) fn start(
        name: &str,
        deliver: impl FnMut(Vec<(ReportKey, Report)>) -> Broken + Send + 'static,
    ) -> Result<Self, Reason> {
        let (sender, receiver) = mpsc::channel();
        let mut delivery = Delivery {
            deliver,
            broken: Broken::new(),
            begun: HashSet::new(),
        };
        threads::start(name, move || delivery.run(&receiver))?;
        Ok(Outbox(sender))
    }

    /// The outbox for the reports of the attempt with this key.
    pub(crate) fn reports(&self, key: ReportKey) -> Reports {
        let outbox = self.clone();
        Reports { outbox, key }
    }
}

impl Reports {
    /// The attempt's key.
    pub(crate) fn key(&self) -> &ReportKey {
        &self.key
    }

    /// Hands over a report, which is kept soon.
    pub fn send(&self, report: Report) {
        self.put(Some(report), None);
    }

    /// Returns when all reports are kept.
    pub fn flush(&self) -> Result<(), Reason> {
        self.wait(None)
    }

    /// Hands over a report, and returns when it and all before it are kept.
    pub fn keep(&self, report: Report) -> Result<(), Reason> {
        self.wait(Some(report))
    }

    fn wait(&self, report: Option<Report>) -> Result<(), Reason> {
        let (kept, answer) = mpsc::channel();
        self.put(report, Some(kept));
        let gone = |_| Err(Reason::new("the thread that delivers results ended"));
        answer.recv().unwrap_or_else(gone)
    }

    fn put(&self, report: Option<Report>, kept: Option<Sender<Result<(), Reason>>>) {
        let key = self.key.clone();
        // The receiver lives as long as this sender.
        let _ = self.outbox.0.send(Item { key, report, kept });
    }
}

struct Delivery<D> {
    deliver: D,
    /// Attempts with a report that was dropped: later ones are dropped too, so that no verdict comes
    /// without its cases.
    broken: Broken,
    /// Attempts that reported something, and have not ended.
    begun: HashSet<ReportKey>,
}

impl<D: FnMut(Vec<(ReportKey, Report)>) -> Broken> Delivery<D> {
    fn run(&mut self, items: &Receiver<Item>) {
        while let Ok(first) = items.recv() {
            let mut urgent = first.kept.is_some();
            let mut until = Instant::now() + self.patience(&first);
            let mut batch = vec![first];
            while !urgent {
                match items.recv_timeout(until.saturating_duration_since(Instant::now())) {
                    Ok(item) => {
                        urgent = item.kept.is_some();
                        until = until.min(Instant::now() + self.patience(&item));
                        batch.push(item);
                    }
                    Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
                }
            }
            batch.extend(items.try_iter());
            self.send(batch);
        }
    }

    fn send(&mut self, batch: Vec<Item>) {
        let mut reports = Vec::new();
        let mut waiting = Vec::new();
        for Item { key, report, kept } in batch {
            waiting.extend(kept.map(|kept| (key.clone(), kept)));
            if let Some(report) = report.filter(|_| !self.broken.contains_key(&key)) {
                reports.push((key, report));
            }
        }
        if !reports.is_empty() {
            self.broken.extend((self.deliver)(reports));
        }
        for (key, kept) in waiting {
            // The worker may be gone.
            let _ = kept.send(self.broken.remove(&key).map_or(Ok(()), Err));
        }
    }

    /// How long a report may wait for others.
    fn patience(&mut self, item: &Item) -> Duration {
        if item.kept.is_some() {
            self.begun.remove(&item.key);
            return Duration::ZERO;
        }
        if let Some(Report::Case(_, case)) = &item.report {
            let is_first = self.begun.insert(item.key.clone());
            if case.is_accepted() && !is_first {
                return FLUSH_ACCEPTED;
            }
        }
        FLUSH
    }
}
