//! Remembers that the user saw the warning about an incomplete sandbox today: it is the same in every run.

use etcetera::base_strategy::{BaseStrategy, Xdg};
use judge_core::results::{LayerState, RunResults};
use std::fs;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

fn path() -> Option<PathBuf> {
    let state = Xdg::new().ok()?.state_dir()?;
    Some(state.join("judge/sandbox-warning"))
}

/// The day and the layers that are not complete.
fn stamp(results: &RunResults) -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let day = since.map_or(0, |since| since.as_secs() / 86_400);
    let layers = results.started.sandbox.iter();
    let incomplete = layers.filter(|(_, state)| **state != LayerState::Present);
    let names: Vec<&str> = incomplete.map(|(name, _)| name.as_str()).collect();
    format!("{day} {}", names.join(","))
}

/// Whether the warning about this sandbox was shown today.
pub fn is_seen(results: &RunResults) -> bool {
    let text = path().and_then(|path| fs::read_to_string(path).ok());
    text.is_some_and(|text| text == stamp(results))
}

/// Records that the warning was shown. A failure only shows it again.
pub fn record(results: &RunResults) {
    let Some(path) = path() else { return };
    if let Some(dir) = path.parent() {
        let _ = judge_tempdir::private_directory(dir);
    }
    let _ = fs::write(path, stamp(results));
}
