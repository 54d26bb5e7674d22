//! Parallel work on a list of items; locks.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LockResult, PoisonError, mpsc};
use std::thread::{Builder, Scope};

/// Runs `work` on each item with up to `jobs` workers. `open` creates the context of a worker from the core that the
/// worker has for itself; `None`: there are more workers than cores. `done` receives the results in the order of the
/// items. After a failure no further item is started.
///
/// # Errors
///
/// The failure of the first failing item, independent of the number of workers.
pub fn each<'i, T: Sync, Context, R: Send, E: Send>(
    jobs: usize,
    items: &'i [T],
    open: impl Fn(Option<usize>) -> Result<Context, E> + Sync,
    work: impl Fn(&mut Context, &'i T) -> Result<R, E> + Sync,
    mut done: impl FnMut(&'i T, R),
) -> Result<(), E> {
    let cores = judge_sandbox::cores();
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    let mut failed: Option<(usize, E)> = None;
    let mut early = BTreeMap::new();
    let mut delivered = 0;
    std::thread::scope(|scope| {
        start(scope, jobs.min(items.len()), |worker| {
            let (sender, next, open, work) = (sender.clone(), &next, &open, &work);
            let core = cores.get(worker).copied();
            move || {
                let mut context = None;
                loop {
                    let k = next.fetch_add(1, Ordering::SeqCst);
                    let Some(item) = items.get(k) else {
                        break;
                    };
                    let result = match context.take().map_or_else(|| open(core), Ok) {
                        Ok(mut own) => {
                            let result = work(&mut own, item);
                            context = Some(own);
                            result
                        }
                        Err(failure) => Err(failure),
                    };
                    if result.is_err() {
                        next.store(items.len(), Ordering::SeqCst);
                    }
                    if sender.send((k, result)).is_err() {
                        break;
                    }
                }
            }
        });
        drop(sender);
        for (k, result) in results {
            match result {
                Ok(result) => {
                    early.insert(k, result);
                    while let Some(result) = early.remove(&delivered) {
                        done(&items[delivered], result);
                        delivered += 1;
                    }
                }
                Err(failure) if failed.as_ref().is_none_or(|(first, _)| k < *first) => {
                    failed = Some((k, failure));
                }
                Err(_) => {}
            }
        }
    });
    match failed {
        Some((_, failure)) => Err(failure),
        None => Ok(()),
    }
}

/// Starts `workers` threads, each running `task(worker)`. If fewer threads can be started, those do
/// all of the work; if none can, the calling thread does.
pub fn start<'scope, T: FnOnce() + Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    workers: usize,
    task: impl Fn(usize) -> T,
) {
    let spawn = |worker: &usize| Builder::new().spawn_scoped(scope, task(*worker)).is_ok();
    let started = (0..workers).filter(spawn).count();
    if started == 0 {
        task(0)();
    }
}

/// The guard or value behind a lock, also if a thread panicked while it held the lock: what the
/// other threads found is still reported, and the panic is passed on when the threads are joined.
pub fn unpoisoned<Guard>(result: LockResult<Guard>) -> Guard {
    result.unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::each;
    use crate::error::Failure;

    #[test]
    fn results_and_failures_are_delivered_in_order() {
        let items: Vec<u64> = (0..100).collect();
        let mut results = Vec::new();
        let open = Ok::<Option<usize>, Failure>;
        let square = |_: &mut Option<usize>, n: &u64| Ok(n * n);
        each(7, &items, open, square, |n, square| {
            results.push((*n, square));
        })
        .expect("no failure");
        assert_eq!(results.len(), 100);
        assert!(
            results
                .iter()
                .enumerate()
                .all(|(k, &(n, s))| n == k as u64 && s == n * n)
        );

        let fail = |_: &mut Option<usize>, n: &u64| match n {
            0..20 => Ok(()),
            _ => Err(Failure::usage(n.to_string())),
        };
        let failure = each(7, &items, open, fail, |_, ()| {}).expect_err("a failure");
        assert_eq!(failure.to_string().trim_start_matches("error: "), "20");
    }
}
