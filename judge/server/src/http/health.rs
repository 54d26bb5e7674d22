//! Whether the server can keep and judge submissions.

use crate::disk::full;
use crate::worker::Control;
use std::path::PathBuf;

/// The parts of this process that may fail while pages are served.
#[derive(Default)]
pub struct Health {
    /// The workers of this process; `None`: there are none.
    pub workers: Option<Control>,
    pub data: PathBuf,
}

impl Health {
    /// The reason why nothing is judged, with a remedy; `None`: no reason is known. Failures of the workers count only if
    /// there is `work`.
    pub(crate) fn standstill(&self, work: bool) -> Option<String> {
        let data = full(&self.data, "the data");
        let temporary = || full(&std::env::temp_dir(), "temporary files");
        let workers = || self.workers.as_ref().filter(|_| work)?.standstill();
        data.or_else(temporary).or_else(workers)
    }
}
