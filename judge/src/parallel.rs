//! The same work on many items, on all cores.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::{Builder, Scope};

/// Does `work` on each item, `jobs` at once; `open` makes what worker `k` works with. `done` hears of
/// the results in the order of the items. After a failure nothing more is begun.
///
/// # Errors
///
/// The failure at the first item that has one: the same whatever the number of workers.
pub fn each<T: Sync, Context, R: Send, E: Send>(
    jobs: usize,
    items: &[T],
    open: impl Fn(usize) -> Result<Context, E> + Sync,
    work: impl Fn(&mut Context, &T) -> Result<R, E> + Sync,
    mut done: impl FnMut(&T, R),
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    let mut failed: Option<(usize, E)> = None;
    let mut early = BTreeMap::new();
    let mut told = 0;
    std::thread::scope(|scope| {
        start(scope, jobs.min(items.len()), |worker| {
            let (sender, next, open, work) = (sender.clone(), &next, &open, &work);
            move || {
                let mut context = None;
                loop {
                    let k = next.fetch_add(1, Ordering::SeqCst);
                    let Some(item) = items.get(k) else {
                        break;
                    };
                    let result = match context.take().map_or_else(|| open(worker), Ok) {
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
                    while let Some(result) = early.remove(&told) {
                        done(&items[told], result);
                        told += 1;
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

/// Starts what `task` makes for each of so many workers. Where no more threads are to be had, those
/// that there are do all of the work; where there is none, the caller's own does.
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

#[cfg(test)]
mod tests {
    use super::each;
    use crate::error::Failure;

    #[test]
    fn results_and_failures_come_in_order() {
        let items: Vec<u64> = (0..100).collect();
        let mut told = Vec::new();
        let open = |worker: usize| Ok::<_, Failure>(worker);
        let square = |_: &mut usize, n: &u64| Ok(n * n);
        each(7, &items, open, square, |n, square| {
            told.push((*n, square));
        })
        .expect("no failure");
        assert_eq!(told.len(), 100);
        assert!(
            told.iter()
                .enumerate()
                .all(|(k, &(n, s))| n == k as u64 && s == n * n)
        );

        let fail = |_: &mut usize, n: &u64| match n {
            0..20 => Ok(()),
            _ => Err(Failure::usage(n.to_string())),
        };
        let failure = each(7, &items, open, fail, |_, ()| {}).expect_err("a failure");
        assert_eq!(failure.to_string().trim_start_matches("error: "), "20");
    }
}
