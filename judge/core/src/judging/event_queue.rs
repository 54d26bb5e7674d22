//! A bounded queue of events between the workers and the reports.
//!
//! The reader of a report may pause (`judge run | less`) while judging continues: workers queue
//! events in order, and one thread writes them. When the queue is full, workers wait before they
//! start more work, until there is capacity or judging is interrupted. A result of a case is written
//! at once if it is the first for [`FLUSH_INTERVAL`]; otherwise results are batched for that time or
//! until the queue is half full, because each wake-up of the writer disturbs the cores that measure. The
//! listener receives a batch at a time, so that it can write it at once.

use crate::parallel::unpoisoned;
use crate::results::Change;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread::{Builder, scope};
use std::time::{Duration, Instant};

pub trait EventSink: Sync {
    /// Queues events without blocking.
    fn send_all(&self, changes: Vec<Change>);

    /// Queues an event without blocking.
    fn send(&self, change: Change) {
        self.send_all(vec![change]);
    }

    /// Blocks while too many events are unwritten.
    fn wait_for_capacity(&self) {}
}

impl<F: Fn(Change) + Sync> EventSink for F {
    fn send_all(&self, changes: Vec<Change>) {
        changes.into_iter().for_each(self);
    }
}

/// How long results of cases may be batched.
const FLUSH_INTERVAL: Duration = Duration::from_millis(50);
/// Number of unwritten events at which workers start to wait.
const CAPACITY: usize = 4096;
/// How often a waiting worker checks for an interrupt.
const INTERRUPT_POLL: Duration = Duration::from_millis(50);

/// The function that writes the events, a batch at a time.
type Listener<'l> = dyn FnMut(Vec<Change>) + Send + 'l;

pub struct EventQueue<'l> {
    pending: Mutex<Pending>,
    arrived: Condvar,
    written: Condvar,
    /// Number of events in the queue or being written. It changes under the lock of `pending`;
    /// workers read it without.
    unwritten: AtomicUsize,
    has_writer: AtomicBool,
    listener: Mutex<&'l mut Listener<'l>>,
}

#[derive(Default)]
struct Pending {
    queue: Vec<Change>,
    /// The queue has to be written without batching.
    urgent: bool,
    /// When a result of a case was last due without batching.
    last_result: Option<Instant>,
    /// The sender or the listener has ended.
    closed: bool,
}

impl<'l> EventQueue<'l> {
    fn new(listener: &'l mut Listener<'l>) -> Self {
        EventQueue {
            pending: Mutex::default(),
            arrived: Condvar::new(),
            written: Condvar::new(),
            unwritten: AtomicUsize::new(0),
            has_writer: AtomicBool::new(false),
            listener: Mutex::new(listener),
        }
    }

    /// Runs `work` with a queue that another thread writes to `listener`. All events are written
    /// when it returns.
    pub fn during<R>(listener: &'l mut Listener<'l>, work: impl FnOnce(&EventQueue<'l>) -> R) -> R {
        let queue = EventQueue::new(listener);
        let result = scope(|scope| {
            let queue = &queue;
            // If the thread cannot be started, workers write between their cases.
            let writer = Builder::new().spawn_scoped(scope, || queue.write());
            queue.has_writer.store(writer.is_ok(), Ordering::Relaxed);
            let _close = Close(queue);
            work(queue)
        });
        queue.write_queue();
        result
    }

    fn lock(&self) -> MutexGuard<'_, Pending> {
        unpoisoned(self.pending.lock())
    }

    /// Main loop of the writer.
    fn write(&self) {
        // If the listener panics, workers do not wait for it.
        let _close = Close(self);
        loop {
            let mut pending = self.lock();
            while pending.queue.is_empty() && !pending.closed {
                pending = unpoisoned(self.arrived.wait(pending));
            }
            if pending.queue.is_empty() {
                return;
            }
            let waits = |pending: &mut Pending| !pending.urgent && !pending.closed;
            let lingered = self
                .arrived
                .wait_timeout_while(pending, FLUSH_INTERVAL, waits);
            drop(lingered);
            self.write_queue();
        }
    }

    fn write_queue(&self) {
        let mut listener = unpoisoned(self.listener.lock());
        let mut pending = self.lock();
        pending.urgent = false;
        let batch = std::mem::take(&mut pending.queue);
        drop(pending);
        let count = batch.len();
        if count == 0 {
            return;
        }
        listener(batch);
        let pending = self.lock();
        let before = self.unwritten.fetch_sub(count, Ordering::Relaxed);
        drop(pending);
        if before >= CAPACITY {
            self.written.notify_all();
        }
    }

    fn is_full(&self) -> bool {
        self.unwritten.load(Ordering::Relaxed) >= CAPACITY
    }
}

impl Pending {
    /// Whether the event is to be written without batching.
    fn is_due(&mut self, change: &Change, now: Instant) -> bool {
        match change {
            Change::CaseStarted(_) => false,
            Change::CaseFinished(..) => {
                let is_due = self
                    .last_result
                    .is_none_or(|last| now.saturating_duration_since(last) >= FLUSH_INTERVAL);
                if is_due {
                    self.last_result = Some(now);
                }
                is_due
            }
            _ => true,
        }
    }
}

/// Closes the queue, also on panic.
struct Close<'o, 'l>(&'o EventQueue<'l>);

impl Drop for Close<'_, '_> {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.arrived.notify_all();
        self.0.written.notify_all();
    }
}

impl EventSink for EventQueue<'_> {
    fn send_all(&self, mut changes: Vec<Change>) {
        if changes.is_empty() {
            return;
        }
        let now = Instant::now();
        let mut pending = self.lock();
        let mut is_due = false;
        for change in &changes {
            is_due |= pending.is_due(change, now);
        }
        let was_empty = pending.queue.is_empty();
        self.unwritten.fetch_add(changes.len(), Ordering::Relaxed);
        pending.queue.append(&mut changes);
        // Many cores fill the queue before the interval ends.
        is_due |= pending.queue.len() >= CAPACITY / 2;
        let urgent = is_due && !pending.urgent;
        pending.urgent |= urgent;
        drop(pending);
        if was_empty || urgent {
            self.arrived.notify_one();
        }
    }

    fn wait_for_capacity(&self) {
        if !self.has_writer.load(Ordering::Relaxed) {
            return self.write_queue();
        }
        if !self.is_full() {
            return;
        }
        let mut pending = self.lock();
        while self.is_full() && !pending.closed && !judge_sandbox::interrupted() {
            let waited = self.written.wait_timeout(pending, INTERRUPT_POLL);
            pending = unpoisoned(waited).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{CaseKey, CaseResult, SubmissionKey, SubmissionResult};
    use crate::verdict::Verdict;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Barrier};

    fn started(case: usize) -> Change {
        Change::CaseStarted(CaseKey {
            case,
            ..CaseKey::default()
        })
    }

    #[test]
    fn events_are_written_in_order_while_the_reader_pauses() {
        let resume = Barrier::new(2);
        let (mut written, mut batches) = (Vec::new(), 0);
        let mut listener = |changes: Vec<Change>| {
            batches += 1;
            if written.is_empty() {
                // The reader pauses until all events are queued.
                resume.wait();
            }
            written.extend(changes);
        };
        EventQueue::during(&mut listener, |queue| {
            for k in 0..1000 {
                queue.send(started(k));
                queue.wait_for_capacity();
            }
            resume.wait();
        });
        let expected: Vec<Change> = (0..1000).map(started).collect();
        assert_eq!(written, expected);
        assert!(
            batches <= 2,
            "{batches}: the events of the pause are one batch"
        );
    }

    #[test]
    fn workers_do_not_wait_for_a_listener_that_panics() {
        let mut listener = |_: Vec<Change>| panic!("the listener fails");
        let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            EventQueue::during(&mut listener, |queue| {
                for _ in 0..2 * CAPACITY {
                    queue.send(started(0));
                    queue.wait_for_capacity();
                }
            });
        }));
        assert!(judged.is_err());
    }

    #[test]
    fn the_first_result_of_an_interval_is_written_at_once() {
        let result = Arc::new(CaseResult::new(Verdict::Accepted));
        let result = Change::CaseFinished(CaseKey::default(), result);
        let mut pending = Pending::default();
        let start = Instant::now();
        let due: Vec<u64> = (0..200)
            .filter(|&ms| {
                let now = start + Duration::from_millis(ms);
                assert!(!pending.is_due(&started(0), now));
                ms % 20 == 0 && pending.is_due(&result, now)
            })
            .collect();
        assert_eq!(due, [0, 60, 120, 180]);
        let end = Arc::new(SubmissionResult::default());
        let end = Change::SubmissionFinished(SubmissionKey::default(), end);
        assert!(pending.is_due(&end, start));
    }

    #[test]
    fn a_half_full_queue_is_written_without_batching() {
        let listener: &mut Listener<'_> = &mut |_| ();
        let queue = EventQueue::new(listener);
        queue.send_all((1..CAPACITY / 2).map(started).collect());
        assert!(!queue.lock().urgent);
        queue.send(started(0));
        assert!(queue.lock().urgent);
    }

    #[test]
    fn senders_wait_while_the_queue_is_full() {
        let mut most = 0;
        let sent = AtomicUsize::new(0);
        let mut written = 0;
        let mut listener = |changes: Vec<Change>| {
            most = most.max(sent.load(Ordering::SeqCst) - written);
            written += changes.len();
        };
        EventQueue::during(&mut listener, |queue| {
            for k in 0..4 * CAPACITY {
                queue.wait_for_capacity();
                sent.store(k + 1, Ordering::SeqCst);
                queue.send(started(0));
            }
        });
        assert_eq!(written, 4 * CAPACITY);
        assert!(most <= CAPACITY, "{most}");
    }
}
