//! Meters of the memory that the program in a box uses now: its control group, or samples of its
//! processes.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use libc::pid_t;
use rustix::fs::{CWD, OFlags};

use crate::api::CurrentMemory;
use crate::linux::sys::process::{descendants, text_of};
use crate::linux::sys::{file_system_usage, open_at, read_number};

/// The tmpfs of a box: `/work`, `/tmp` and `/dev/shm`.
pub struct BoxTmpfs {
    directory: OwnedFd,
    when_empty: u64,
}

impl BoxTmpfs {
    /// The tmpfs of an empty box; `work` is the zygote's descriptor of its work directory.
    pub fn of(zygote: pid_t, work: i32) -> io::Result<Self> {
        let place = format!("/proc/{zygote}/fd/{work}");
        let directory = open_at(CWD, place, OFlags::PATH | OFlags::DIRECTORY)?;
        Ok(BoxTmpfs {
            when_empty: file_system_usage(directory.as_fd())?.bytes,
            directory,
        })
    }

    /// Bytes that programs have written to the tmpfs.
    fn bytes(&self) -> u64 {
        let now = file_system_usage(self.directory.as_fd()).map_or(0, |usage| usage.bytes);
        now.saturating_sub(self.when_empty)
    }
}

/// Samples the memory of the live processes below a zygote and of the files in its box, where no
/// control group counts memory.
pub struct MemorySampler {
    pub zygote: pid_t,
    pub files: Option<BoxTmpfs>,
}

impl MemorySampler {
    /// Bytes in use. If `exact`, a lower bound; otherwise pages that two processes share after a
    /// fork count twice, and pages of mapped files count as well.
    pub fn read(&self, exact: bool) -> u64 {
        let pids = descendants(self.zygote as u32);
        let files = self.files.as_ref().map_or(0, BoxTmpfs::bytes);
        let each = |&pid: &u32| memory_of(pid, exact).unwrap_or(0);
        pids.iter().map(each).sum::<u64>() + files
    }
}

/// Meter of the current memory use of the program in a box.
pub enum MemoryMeter {
    /// The file of a control group with the bytes in use, and the zygote's share of them.
    Group { now: Arc<File>, idle: u64 },
    /// Samples of the processes, where there is no control group.
    Processes(MemorySampler),
}

impl MemoryMeter {
    /// The sampler, if there is no control group.
    pub fn sampler(&self) -> Option<&MemorySampler> {
        match self {
            MemoryMeter::Group { .. } => None,
            MemoryMeter::Processes(sampler) => Some(sampler),
        }
    }
}

impl CurrentMemory for MemoryMeter {
    fn current(&self) -> Option<u64> {
        match self {
            MemoryMeter::Group { now, idle } => Some(read_number(now).ok()?.saturating_sub(*idle)),
            MemoryMeter::Processes(sampler) => Some(sampler.read(false)),
        }
    }
}

/// Memory of a process in bytes: its pages, resident or swapped out, and its page tables. A program
/// can have many page tables without a page of its own.
pub fn memory_of(pid: u32, exact: bool) -> Option<u64> {
    let of_thread = |thread: u32| {
        let status = text_of(thread, "status")?;
        let tables = kibibytes(&status, "VmPTE")?;
        let proportional = || {
            let shares = text_of(thread, "smaps_rollup")?;
            Some(kibibytes(&shares, "Pss")? + kibibytes(&shares, "SwapPss")?)
        };
        let pages = match exact.then(proportional).flatten() {
            Some(pages) => pages,
            None => kibibytes(&status, "VmRSS")? + kibibytes(&status, "VmSwap")?,
        };
        Some((pages + tables) * 1024)
    };
    // If the main thread has ended before the others, it shows no memory.
    let threads = || fs::read_dir(format!("/proc/{pid}/task")).ok();
    let id = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    of_thread(pid).or_else(|| threads()?.flatten().filter_map(id).find_map(of_thread))
}

/// The most memory that a live process has used so far, in bytes.
pub fn peak_of(pid: u32) -> Option<u64> {
    let status = text_of(pid, "status")?;
    Some((kibibytes(&status, "VmHWM")? + kibibytes(&status, "VmPTE")?) * 1024)
}

/// The figure of a line `name:  123 kB`.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let figure = |line: &str| {
        line.strip_prefix(name)?
            .strip_prefix(':')?
            .trim()
            .strip_suffix(" kB")?
            .parse()
            .ok()
    };
    text.lines().find_map(figure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_process_includes_its_pages() {
        for exact in [false, true] {
            assert!(memory_of(std::process::id(), exact).unwrap() > 100_000);
        }
    }
}
