//! Which cores the workers of a process use: those that no other worker process on this machine has.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// The cores of a process. Dropped when its workers have ended.
pub struct Cores {
    pub numbers: Vec<usize>,
    /// The locked files of those that no other process has.
    _locks: Vec<File>,
}

impl Cores {
    /// Takes `jobs` of the cores `all`: those whose files in `dir` no process has locked, then others.
    pub fn take(dir: &Path, machine: &str, all: &[usize], jobs: usize) -> io::Result<Self> {
        fs::create_dir_all(dir)?;
        let (mut numbers, mut locks, mut taken) = (Vec::new(), Vec::new(), Vec::new());
        for &core in all {
            // The directory may be one of several machines.
            let file = File::create(dir.join(format!("{machine}-{core}")))?;
            if numbers.len() < jobs && file.try_lock().is_ok() {
                numbers.push(core);
                locks.push(file);
            } else {
                taken.push(core);
            }
        }
        let missing = jobs.saturating_sub(numbers.len());
        numbers.extend(taken.into_iter().take(missing));
        Ok(Cores {
            numbers,
            _locks: locks,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_share_cores_only_when_there_are_too_few() {
        let dir = tempfile::tempdir().expect("a directory");
        let take = |jobs| Cores::take(dir.path(), "m", &[0, 2, 3], jobs).expect("they are locked");
        let first = take(1);
        assert_eq!(first.numbers, [0]);
        let second = take(2);
        assert_eq!(second.numbers, [2, 3]);
        assert_eq!(take(2).numbers, [0, 2]);
        drop(second);
        assert_eq!(take(3).numbers, [2, 3, 0]);
    }
}
