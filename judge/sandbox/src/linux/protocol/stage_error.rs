//! The error of the processes in a box: which stage failed, and the system's error number.

use std::io;

use libc::c_int;

use super::Reply;

/// A failed stage of the setup of a box or of a run.
pub struct StageError {
    pub stage: String,
    pub errno: c_int,
}

impl From<StageError> for Reply {
    fn from(error: StageError) -> Self {
        Reply::Failed {
            stage: error.stage,
            errno: error.errno,
        }
    }
}

/// Adds the name of the stage to a system error.
pub trait At<T> {
    fn at(self, stage: impl Into<String>) -> Result<T, StageError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, stage: impl Into<String>) -> Result<T, StageError> {
        self.map_err(|e| StageError {
            stage: stage.into(),
            errno: e.raw_os_error().unwrap_or(libc::EIO),
        })
    }
}
