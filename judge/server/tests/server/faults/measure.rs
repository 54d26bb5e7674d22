//! Resources that processes use: CPU time and disk space.

use std::fs;
use std::path::Path;

/// Name and CPU seconds of each process that this one started and that still runs.
pub fn cpu_of_children() -> Vec<(String, f64)> {
    let own = std::process::id().to_string();
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let child = |entry: fs::DirEntry| {
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let (head, fields) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let ticks = |k: usize| fields[k].parse::<f64>().ok();
        // Linux counts 100 ticks a second on all supported architectures.
        let seconds = (ticks(11)? + ticks(12)?) / 100.0;
        (fields[1] == own).then(|| (head.split('(').nth(1).unwrap_or("").to_owned(), seconds))
    };
    all.filter_map(child).collect()
}

/// Bytes of the files below a directory.
pub fn size(dir: &Path) -> u64 {
    let files = walkdir::WalkDir::new(dir).into_iter().flatten();
    let sizes = files.filter_map(|file| file.metadata().ok());
    sizes.filter(fs::Metadata::is_file).map(|m| m.len()).sum()
}
