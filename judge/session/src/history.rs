//! The history of runs: a file of JSON lines, one per judged submission, to which every judge of the
//! user appends.
//!
//! Appending takes a lock on the file and writes the lines at once, so several judges do not mix
//! theirs. A judge that is killed while it writes leaves part of a line: readers skip it, and the
//! next judge begins a new line. Every line has the version of its form; lines of other versions are
//! kept but not shown.

use crate::output::say;
use crate::state_file::state_file;
use judge_core::judging::Plan;
use judge_core::results::{CaseResult, RunResults};
use judge_core::text::hex;
use judge_package::Package;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The version of [`Record`].
const VERSION: u32 = 1;
/// A longer file loses the older half of its lines.
const MAX_BYTES: u64 = 4 << 20;

/// A submission that was judged.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The version of the record's format.
    pub v: u32,
    /// Time of the end: seconds since 1970, in UTC.
    pub ended_s: f64,
    /// The package's id.
    pub package: String,
    /// The package's directory or archive.
    pub package_path: String,
    /// The submission's name.
    pub submission: String,
    pub verdict: String,
    /// Number of cases that were run.
    pub cases: usize,
    /// Number of those that were accepted.
    pub accepted: usize,
    /// Identifies the names of the cases: only runs over the same ones are comparable.
    pub cases_id: String,
    /// CPU seconds of all cases.
    pub cpu_s: f64,
    /// Maximum CPU seconds of a case.
    pub max_cpu_s: f64,
    /// Maximum memory of a case, in bytes.
    pub max_memory_bytes: Option<u64>,
    /// The first case that was not accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

impl Record {
    /// A record without figures.
    pub fn new(package: &str, package_path: &Path, submission: &str) -> Self {
        Record {
            v: VERSION,
            package: package.to_owned(),
            package_path: package_path.display().to_string(),
            submission: submission.to_owned(),
            ..Record::default()
        }
    }
}

/// The user's history; `None` without a home.
pub fn path() -> Option<PathBuf> {
    state_file("history.jsonl")
}

pub fn append(path: &Path, records: &[Record]) -> io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    judge_tempdir::private_directory(dir)?;
    let mut file = lock(path)?;
    let length = file.metadata()?.len();
    let mut lines = Vec::new();
    if length > 0 {
        let mut last = [0];
        file.seek(SeekFrom::Start(length - 1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            lines.push(b'\n');
        }
    }
    for record in records {
        serde_json::to_writer(&mut lines, record)?;
        lines.push(b'\n');
    }
    file.write_all(&lines)?;
    match length > MAX_BYTES {
        true => shorten(path, dir),
        false => Ok(()),
    }
}

/// Opens the file for appending, with an exclusive lock.
fn lock(path: &Path) -> io::Result<File> {
    loop {
        let file = File::options()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        file.lock()?;
        // Another judge may have replaced the file before this one had the lock.
        let is_current = fs::metadata(path).is_ok_and(|now| {
            file.metadata()
                .is_ok_and(|own| judge_os::identity(&own) == judge_os::identity(&now))
        });
        if is_current {
            return Ok(file);
        }
    }
}

/// Replaces the file, which the caller has locked, by its newer half.
fn shorten(path: &Path, dir: &Path) -> io::Result<()> {
    let text = fs::read(path)?;
    let middle = text.len() / 2;
    let from = text[middle..].iter().position(|byte| *byte == b'\n');
    let mut shorter = tempfile::Builder::new()
        .prefix(".judge-")
        .tempfile_in(dir)?;
    shorter.write_all(&text[middle + from.map_or(0, |at| at + 1)..])?;
    shorter.persist(path)?;
    Ok(())
}

/// Reads the records, oldest first, and the number of lines that are not understood.
/// Fails if the file cannot be read. A missing file is an empty history.
pub fn read(path: &Path) -> io::Result<(Vec<Record>, usize)> {
    let bytes = match fs::read(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        bytes => bytes?,
    };
    let mut records = Vec::new();
    let mut strange = 0;
    for line in bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        match serde_json::from_slice::<Record>(line) {
            Ok(record) if record.v == VERSION => records.push(record),
            _ => strange += 1,
        }
    }
    Ok((records, strange))
}

/// The package's directory or archive, by its absolute path.
fn place_of(package: &Package) -> PathBuf {
    let origin = &package.origin;
    origin.canonicalize().unwrap_or_else(|_| origin.clone())
}

/// The case of the package that the submission failed when it was judged last.
pub fn failed_case(package: &Package, submission: &str) -> Option<String> {
    last_failed(package, |record| record.submission == submission)
}

/// The case of the package that failed in the last run over it.
pub fn last_failed_case(package: &Package) -> Option<String> {
    last_failed(package, |_| true)
}

fn last_failed(package: &Package, is_meant: impl Fn(&Record) -> bool) -> Option<String> {
    let (records, _) = read(&path()?).ok()?;
    let place = place_of(package).display().to_string();
    let mut last = records.into_iter().rev();
    last.find(|record| record.package_path == place && is_meant(record))?
        .failed
}

/// Appends the finished submissions of a run to the history. A failure costs only the history: it is a
/// warning, and none where the home is read-only, as in many containers.
pub fn record(plan: &Plan, results: &RunResults) {
    let records = records(plan, results);
    let Some(path) = path().filter(|_| !records.is_empty()) else {
        return;
    };
    match append(&path, &records) {
        Ok(()) => {}
        Err(e)
            if matches!(
                e.kind(),
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
            ) => {}
        Err(e) => {
            let path = path.display();
            say(&format!(
                "warning: the run is not in the history: failed to write {path}: {e}"
            ));
        }
    }
}

fn records(plan: &Plan, results: &RunResults) -> Vec<Record> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let ended_s = now.map_or(0.0, |now| now.as_secs_f64().round());
    let mut records = Vec::new();
    for (entry, package) in plan.entries.iter().zip(&results.packages) {
        let path = place_of(&entry.package);
        for (of, finished) in package.finished() {
            let judged = package.judged(of);
            // A skipped submission has no verdict, one that does not compile no case.
            let (Some(verdict), false) = (finished.verdict, judged.is_empty()) else {
                continue;
            };
            let cases = || judged.iter().map(|(_, case)| *case);
            let names = judged.iter().map(|(name, _)| name.raw()).collect();
            let (id, name) = (package.about.id.raw(), of.planned.name.raw());
            records.push(Record {
                ended_s,
                verdict: verdict.code().to_owned(),
                cases: judged.len(),
                accepted: cases().filter(|case| case.is_accepted()).count(),
                cases_id: id_of(names),
                // A sum of nothing is -0.0.
                cpu_s: cases()
                    .filter_map(|case: &CaseResult| case.cpu_s)
                    .sum::<f64>()
                    + 0.0,
                max_cpu_s: finished.max_cpu_s.unwrap_or_default(),
                max_memory_bytes: finished.max_memory_bytes,
                failed: judged
                    .iter()
                    .find(|(_, case)| !case.is_accepted())
                    .map(|(name, _)| name.raw().to_owned()),
                ..Record::new(id, &path, name)
            });
        }
    }
    records
}

/// Identifies cases by their names, in any order.
fn id_of(mut names: Vec<&str>) -> String {
    names.sort_unstable();
    hex(&Sha256::digest(names.join("\0"))[..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(submission: &str) -> Record {
        Record::new("p", Path::new("/p"), submission)
    }

    fn names(path: &Path) -> (Vec<String>, usize) {
        let (records, strange) = read(path).expect("it is readable");
        (records.into_iter().map(|r| r.submission).collect(), strange)
    }

    #[test]
    fn a_line_that_was_cut_costs_only_itself() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("judge/history.jsonl");
        assert_eq!(names(&path), (vec![], 0));
        append(&path, &[record("a"), record("b")]).expect("it is written");
        let mut file = File::options().append(true).open(&path).expect("it exists");
        file.write_all(b"{\"v\":1,\"ended").expect("it is written");
        append(&path, &[record("c")]).expect("it is written");
        assert_eq!(names(&path), (vec!["a".into(), "b".into(), "c".into()], 1));
        // A later version is kept and not shown.
        let newer = fs::read_to_string(&path)
            .expect("text")
            .replace("\"v\":1", "\"v\":2");
        fs::write(&path, newer).expect("it is written");
        assert_eq!(names(&path), (vec![], 4));
    }

    #[test]
    fn judges_that_append_at_once_lose_nothing() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("history.jsonl");
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    for k in 0..50 {
                        append(path, &[record(&format!("{thread}-{k}"))]).expect("it is written");
                    }
                });
            }
        });
        let (mut found, strange) = names(&path);
        found.sort();
        found.dedup();
        assert_eq!((found.len(), strange), (400, 0));
    }

    #[test]
    fn a_long_file_keeps_its_newer_half() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("history.jsonl");
        let line = serde_json::to_string(&record("old")).expect("JSON") + "\n";
        fs::write(&path, line.repeat(MAX_BYTES as usize / line.len() + 2)).expect("it is written");
        append(&path, &[record("new")]).expect("it is written");
        let (found, strange) = names(&path);
        assert!(fs::metadata(&path).expect("it exists").len() < MAX_BYTES * 6 / 10);
        assert_eq!(found.last().map(String::as_str), Some("new"));
        assert_eq!(strange, 0);
    }
}
