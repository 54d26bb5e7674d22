//! Uploaded packages before their publication, and the reports of their verification.

use super::query::{Json, Queries, columns, record};
use super::{ProblemId, Result, Store, UnitId, UploadId, UserId, VersionId, now_ms, queue};
use judge_core::verdict::Verdict;
use rusqlite::params;
use serde::{Deserialize, Serialize};

record! { |row|
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct PackageUpload {
        pub(crate) id: UploadId,
        /// The hash of its snapshot.
        pub(crate) tree: String,
        /// The id of the package.
        pub(crate) ext: String,
        /// The name of the file.
        pub(crate) file: String,
        /// When it was uploaded.
        pub(crate) added_ms: i64,
        /// Steps of verifying it: one for its files and data, one for each of its submissions.
        pub(crate) steps: usize,
        /// When it was published.
        pub(crate) published_ms: Option<i64>,
    }
}

/// The findings of a step of verifying.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StepReport {
    /// Defects: `error` or `warning`, and the text.
    pub findings: Vec<(String, String)>,
    /// The submission that was judged.
    pub submission: Option<VerifiedSubmission>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VerifiedSubmission {
    pub name: String,
    /// `None`: its compiler is missing here.
    pub verdict: Option<Verdict>,
    pub(crate) expected: Option<String>,
    /// Whether the verdict is expected.
    pub as_expected: bool,
    /// Maximum CPU seconds of a case.
    pub(crate) max_cpu_s: Option<f64>,
    /// The CPU-time limit that applied, in seconds.
    pub(crate) time_limit_s: Option<f64>,
    /// The reason, if it failed.
    pub(crate) message: Option<String>,
}

impl Store {
    /// Adds an upload. The caller enqueues its steps; a step that is not enqueued, because the queue
    /// failed or the server was killed, is found by [`Store::unverified_steps`].
    pub(crate) fn add_upload(
        &self,
        tree: &str,
        ext: &str,
        file: &str,
        steps: usize,
        by: UserId,
    ) -> Result<UploadId> {
        self.write(|tx| {
            tx.uploads = true;
            let columns = columns! {
                tree: tree,
                ext: ext,
                file: file,
                steps: steps,
                added_by: by,
                added_ms: now_ms(),
            };
            tx.insert("uploads", columns)
        })
    }

    pub(crate) fn upload(&self, id: UploadId) -> Result<PackageUpload> {
        self.read(|connection| {
            connection.numbered("upload", "SELECT * FROM uploads WHERE id = ?1", id)
        })
    }

    /// All uploads, the latest first.
    pub fn uploads(&self) -> Result<Vec<PackageUpload>> {
        self.all("SELECT * FROM uploads ORDER BY id DESC", [])
    }

    /// Records the report of a step. The report of a repeated step replaces the earlier one.
    pub fn record_step(&self, id: UploadId, step: usize, report: &StepReport) -> Result<()> {
        self.write(|tx| {
            tx.uploads = true;
            tx.run(
                "INSERT OR REPLACE INTO upload_steps (upload, step, report) VALUES (?1, ?2, ?3)",
                params![id, step, Json(report)],
            )?;
            queue::discard(tx, &UnitId::Step(id, step).to_string())
        })
    }

    /// Whether a step of an upload has a report.
    pub(crate) fn has_step(&self, id: UploadId, step: usize) -> Result<bool> {
        self.any(
            "SELECT 1 FROM upload_steps WHERE upload = ?1 AND step = ?2",
            params![id, step],
        )
    }

    /// The steps of all uploads that have no report.
    pub(crate) fn unverified_steps(&self) -> Result<Vec<(UploadId, usize)>> {
        self.all(
            "WITH RECURSIVE wanted (upload, step, steps) AS (
                SELECT id, 0, steps FROM uploads WHERE steps > 0
                UNION ALL SELECT upload, step + 1, steps FROM wanted WHERE step + 1 < steps
             )
             SELECT upload, step FROM wanted WHERE NOT EXISTS (
                SELECT 1 FROM upload_steps own
                WHERE own.upload = wanted.upload AND own.step = wanted.step
             ) ORDER BY upload, step",
            [],
        )
    }

    /// The reports of the finished steps, in order.
    pub fn upload_reports(&self, id: UploadId) -> Result<Vec<StepReport>> {
        let reports = self.all(
            "SELECT report FROM upload_steps WHERE upload = ?1 ORDER BY step",
            [id],
        )?;
        Ok(reports.into_iter().map(|Json(report)| report).collect())
    }

    /// Records that an upload was published.
    pub(crate) fn set_published(&self, id: UploadId) -> Result<()> {
        self.run(
            "UPDATE uploads SET published_ms = ?2 WHERE id = ?1",
            params![id, now_ms()],
        )
    }

    /// The versions of a problem, the latest first, each with the number of judgings that used it.
    pub fn versions_of(&self, problem: ProblemId) -> Result<Vec<(VersionId, usize)>> {
        self.all(
            "SELECT id, (SELECT COUNT(*) FROM judgings WHERE version = package_versions.id)
             FROM package_versions WHERE problem = ?1 ORDER BY id DESC",
            [problem],
        )
    }
}
