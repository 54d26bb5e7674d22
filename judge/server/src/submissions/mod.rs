//! Submissions: accepting them, and showing their results as far as a viewer may see them, now and as they change.

mod accept;
mod archive;
mod follow;
mod seen;

pub(crate) use accept::{OnBehalf, submit_as};
pub use accept::{SentSubmission, submit};
pub(crate) use archive::source_archive;
pub(crate) use follow::{Update, follow};
pub use seen::{PRACTICE_DATA, practice_data_is_open};
pub(crate) use seen::{SeenSubmission, is_final, load, shown_judging, shown_judging_in};
