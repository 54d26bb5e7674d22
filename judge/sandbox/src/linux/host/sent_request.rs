//! The last request that a zygote received: an equal one need not be sent again.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::api::{Job, Limits};

/// The last request without its streams. Usually only the streams differ between cases.
pub struct SentRequest {
    program: PathBuf,
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    limits: Limits,
}

impl SentRequest {
    pub fn of(job: &Job<'_>) -> Self {
        SentRequest {
            program: job.program.to_path_buf(),
            args: job.args.to_vec(),
            env: job.env.to_vec(),
            limits: job.limits.clone(),
        }
    }

    /// Whether `job` differs from this request at most in its streams.
    pub fn matches(&self, job: &Job<'_>) -> bool {
        self.program.as_os_str() == job.program.as_os_str()
            && self.args == job.args
            && self.env == job.env
            && self.limits == *job.limits
    }
}
