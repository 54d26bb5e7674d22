//! The source of a submission as an archive.

use crate::http::{App, Result, internal, zip};
use crate::store::SubmissionId;

/// A zip archive of the files of a submission. Blocks.
pub(crate) fn source_archive(app: &App, id: SubmissionId) -> Result<Vec<u8>> {
    let files = app.store.submission_files(id)?.into_iter();
    let files = files.map(|file| Ok((file.name, app.blobs.get(&file.blob)?)));
    zip(&files.collect::<Result<Vec<_>>>()?).map_err(internal)
}
