//! `judge clean`: removes the user's caches, and the history of runs if requested.

use super::args::CleanArgs;
use judge_core::error::{Failure, exit_status};
use judge_core::figures::{bytes, plural};
use judge_core::files::machine_failed;
use judge_core::language::Cache;
use judge_sandbox::tree_bytes;
use judge_session::history;
use judge_session::output::print;
use judge_tempdir::remove_tree;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Removes the caches and prints what was removed.
pub fn clean(args: &CleanArgs) -> Result<u8, Failure> {
    let cache = Cache::user_directory().ok_or_else(|| {
        Failure::usage("no directory for the cache").help("set HOME or XDG_CACHE_HOME")
    })?;
    let mut text = String::new();
    for (worker, is_used) in workers(&cache) {
        if is_used {
            text.push_str(&format!("kept {}: a worker uses it\n", worker.display()));
            continue;
        }
        let size = bytes(tree_bytes(&worker, u64::MAX));
        remove(&worker)?;
        text.push_str(&format!("removed {}: {size}\n", worker.display()));
    }
    let cleared = Cache::clear(&cache);
    text.push_str(&format!(
        "removed {}: {}, {}\n",
        cache.display(),
        plural(cleared.removed, "program"),
        bytes(cleared.bytes)
    ));
    if cleared.in_use > 0 {
        text.push_str(&format!(
            "kept {} there: in use, or not removable\n",
            plural(cleared.in_use, "program")
        ));
    }
    let state = history::path().filter(|_| args.history);
    if let Some(state) = state.as_deref().and_then(Path::parent)
        && state.exists()
    {
        remove(state)?;
        text.push_str(&format!("removed {}: the history\n", state.display()));
    }
    print(&text)?;
    Ok(exit_status::AS_EXPECTED)
}

/// The directories of workers in the cache, `worker`, `worker.2` and so on, each with whether a running
/// worker uses it.
fn workers(cache: &Path) -> Vec<(PathBuf, bool)> {
    let entries = fs::read_dir(cache).into_iter().flatten().flatten();
    let directories = entries
        .map(|entry| entry.path())
        .filter(|path| path.file_stem().is_some_and(|stem| stem == "worker") && path.is_dir());
    let mut workers: Vec<(PathBuf, bool)> = directories
        .map(|path| {
            let lock = File::open(path.join("lock"));
            let is_used = lock.is_ok_and(|lock| lock.try_lock().is_err());
            (path, is_used)
        })
        .collect();
    workers.sort();
    workers
}

fn remove(directory: &Path) -> Result<(), Failure> {
    remove_tree(directory).map_err(machine_failed("remove", directory))
}
