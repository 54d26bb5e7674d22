//! Where the judge keeps its files about a user: in the directory for states of the XDG base directories.

use etcetera::base_strategy::{BaseStrategy, Xdg};
use std::path::PathBuf;

/// The file of the judge with this name; `None` without a home.
pub fn state_file(name: &str) -> Option<PathBuf> {
    let state = Xdg::new().ok()?.state_dir()?;
    Some(state.join("judge").join(name))
}
