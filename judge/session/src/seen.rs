//! Remembers that the user saw the warning about an incomplete sandbox today: it is the same in every run.

use super::state_file::state_file;
use judge_core::results::RunResults;
use judge_report::lacking;
use std::fs;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

fn path() -> Option<PathBuf> {
    state_file("sandbox-warning")
}

/// The day and the layers that are not complete; `None` if all are.
fn stamp(results: &RunResults) -> Option<String> {
    let lacking = lacking(&results.started)?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let day = since.map_or(0, |since| since.as_secs() / 86_400);
    Some(format!("{day} {lacking}"))
}

/// Whether the warning about this sandbox was shown today.
pub fn is_seen(results: &RunResults) -> bool {
    let text = path().and_then(|path| fs::read_to_string(path).ok());
    text.is_some() && text == stamp(results)
}

/// Records that the warning was shown, if it was. A failure only shows it again.
pub fn record(results: &RunResults) {
    if is_seen(results) {
        return;
    }
    let (Some(path), Some(stamp)) = (path(), stamp(results)) else {
        return;
    };
    if let Some(dir) = path.parent() {
        let _ = judge_tempdir::private_directory(dir);
    }
    let _ = fs::write(path, stamp);
}
