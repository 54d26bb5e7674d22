//! Problems and the versions of their packages.

use super::query::{Json, Queries, json, optional_json, record};
use super::{Error, ProblemId, Result, Store, VersionId, now_ms};
use rusqlite::{Connection, params};

record! { |row|
    /// A problem with the version that new judgings use.
    #[derive(Clone, PartialEq, Debug)]
    pub struct Problem {
        pub id: ProblemId = row.get("problem")?,
        /// The id of its package.
        pub ext: String,
        /// Whether users may practise it.
        pub practice: bool,
        pub version: Version = Version::from_row(row)?,
    }
}

record! { |row|
    #[derive(Clone, PartialEq, Debug)]
    pub struct Version {
        pub id: VersionId = row.get("version_id")?,
        pub(crate) problem: ProblemId,
        /// The hash of the snapshot; [`crate::packages::Packages`] has it.
        pub tree: String,
        pub name: String,
        /// The package's format.
        pub(crate) format: String,
        /// CPU seconds per case; `None`: derived, and not known yet.
        pub time_limit_s: Option<f64> = match row.get("set_time_limit_s")? {
            Some(set) => Some(set),
            None => row.get("time_limit_s")?,
        },
        /// Bytes.
        pub(crate) memory_limit: u64 = match row.get("set_memory_limit")? {
            Some(set) => set,
            None => row.get("memory_limit")?,
        },
        /// The limits that the jury set in place of those of the package.
        pub(crate) set_limits: SetLimits = SetLimits {
            time_s: row.get("set_time_limit_s")?,
            memory: row.get("set_memory_limit")?,
        },
        /// Bytes of source code.
        pub(crate) code_limit: Option<u64>,
        /// Whether submissions get points.
        pub(crate) scoring: bool,
        /// Allowed languages; `None`: all.
        pub(crate) languages: Option<Vec<String>> = optional_json(row, "languages")?,
        /// Names of the cases in judging order.
        pub(crate) cases: Vec<String> = json(row, "cases")?,
        /// Indices of the samples in `cases`; `None`: not known, because an older server added the version.
        pub samples: Option<Vec<usize>> = optional_json(row, "samples")?,
        /// The name of the group of each case; `None` as for `samples`.
        pub(crate) groups: Option<Vec<String>> = optional_json(row, "groups")?,
        /// When it was added.
        pub(crate) added_ms: i64,
    }
}

/// Limits that replace those of a package.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct SetLimits {
    /// CPU seconds per case.
    pub(crate) time_s: Option<f64>,
    /// Bytes.
    pub(crate) memory: Option<u64>,
}

#[derive(Clone, Debug)]
pub struct NewVersion {
    /// The id of the package.
    pub(crate) ext: String,
    /// See [`Version`] for the others.
    pub tree: String,
    pub(crate) name: String,
    /// The package's format.
    pub(crate) format: String,
    /// CPU seconds per case, unless derived.
    pub(crate) time_limit_s: Option<f64>,
    /// Bytes.
    pub(crate) memory_limit: u64,
    /// Bytes of source code.
    pub(crate) code_limit: Option<u64>,
    /// Whether submissions get points.
    pub(crate) scoring: bool,
    /// Allowed languages; `None`: all.
    pub(crate) languages: Option<Vec<String>>,
    /// Names of the cases in judging order.
    pub(crate) cases: Vec<String>,
    /// Indices of the samples in `cases`.
    pub(crate) samples: Vec<usize>,
    /// The name of the group of each case.
    pub(crate) groups: Vec<String>,
}

impl Version {
    /// Whether a case is a sample: public data of the package.
    pub(crate) fn is_sample(&self, case: usize) -> bool {
        let samples = self.samples.as_ref();
        samples.is_some_and(|samples| samples.contains(&case))
    }
}

const PROBLEM: &str = "SELECT problems.ext, problems.practice, v.*, v.id AS version_id
    FROM problems JOIN current_versions c ON c.problem = problems.id
    JOIN package_versions v ON v.id = c.version";

pub(super) fn by_id(connection: &Connection, id: ProblemId) -> Result<Problem> {
    connection.numbered("problem", &format!("{PROBLEM} WHERE problems.id = ?1"), id)
}

pub(super) fn version_by_id(connection: &Connection, id: VersionId) -> Result<Version> {
    connection.one(
        "SELECT *, id AS version_id FROM package_versions WHERE id = ?1",
        [id],
    )
}

/// Converts a limit of a package to an integer of SQLite; larger values are clamped.
fn stored(limit: u64) -> u64 {
    limit.min(i64::MAX as u64)
}

impl Store {
    /// Adds a version of a package, with its problem if that is new, and makes it the present version. If the
    /// problem already has a version with this tree, that one becomes the present version.
    pub fn put_version(&self, new: &NewVersion) -> Result<(ProblemId, VersionId)> {
        self.write(|tx| {
            tx.configuration = true;
            let problem: ProblemId = tx.one(
                "INSERT INTO problems (ext) VALUES (?1) ON CONFLICT (ext) DO UPDATE SET ext = ext
                 RETURNING id",
                [&new.ext],
            )?;
            let version: VersionId = tx.one(
                "INSERT INTO package_versions (problem, tree, name, format, time_limit_s,
                 memory_limit, code_limit, scoring, languages, cases, samples, groups, added_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
                 ON CONFLICT (problem, tree) DO UPDATE SET name = excluded.name,
                 cases = excluded.cases, samples = excluded.samples, groups = excluded.groups
                 RETURNING id",
                params![
                    problem,
                    new.tree,
                    new.name,
                    new.format,
                    new.time_limit_s,
                    stored(new.memory_limit),
                    new.code_limit.map(stored),
                    new.scoring,
                    new.languages.as_ref().map(Json),
                    Json(&new.cases),
                    Json(&new.samples),
                    Json(&new.groups),
                    now_ms()
                ],
            )?;
            tx.run(
                "INSERT INTO current_versions (problem, version) VALUES (?1, ?2)
                 ON CONFLICT (problem) DO UPDATE SET version = excluded.version",
                params![problem, version],
            )?;
            Ok((problem, version))
        })
    }

    /// The versions whose samples are not known.
    pub(crate) fn versions_without_samples(&self) -> Result<Vec<Version>> {
        self.all(
            "SELECT *, id AS version_id FROM package_versions WHERE samples IS NULL",
            [],
        )
    }

    /// Sets the samples and groups of a version.
    pub(crate) fn set_samples(
        &self,
        version: VersionId,
        samples: &[usize],
        groups: &[String],
    ) -> Result<()> {
        self.run(
            "UPDATE package_versions SET samples = ?2, groups = ?3 WHERE id = ?1",
            params![version, Json(samples), Json(groups)],
        )
    }

    /// The snapshot of the package at this path, if the package had this stamp when it was added.
    pub(crate) fn stamped_package(&self, path: &str, stamp: &str) -> Result<Option<String>> {
        self.optional(
            "SELECT tree FROM package_stamps WHERE path = ?1 AND stamp = ?2",
            [path, stamp],
        )
    }

    /// Records the stamp and the snapshot of the package at this path, and forgets those of other
    /// packages for the same problem. `None`: the package has no stamp.
    pub(crate) fn stamp_package(&self, path: &str, stamp: Option<&str>, tree: &str) -> Result<()> {
        self.write(|tx| {
            tx.run(
                "DELETE FROM package_stamps WHERE path = ?1 OR tree IN (
                 SELECT tree FROM package_versions WHERE problem IN (
                 SELECT problem FROM package_versions WHERE tree = ?2))",
                [path, tree],
            )?;
            if let Some(stamp) = stamp {
                tx.run(
                    "INSERT INTO package_stamps (path, stamp, tree) VALUES (?1, ?2, ?3)",
                    [path, stamp, tree],
                )?;
            }
            Ok(())
        })
    }

    /// Sets the time limit that was derived for a version.
    pub(crate) fn set_time_limit(&self, version: VersionId, seconds: f64) -> Result<()> {
        self.write(|tx| {
            tx.configuration = true;
            tx.run(
                "UPDATE package_versions SET time_limit_s = ?2 WHERE id = ?1",
                params![version, seconds],
            )?;
            Ok(())
        })
    }

    /// Sets the limits that replace those of the package, for new judgings.
    pub(crate) fn set_limits(&self, version: VersionId, limits: SetLimits) -> Result<()> {
        self.write(|tx| {
            tx.configuration = true;
            tx.run(
                "UPDATE package_versions SET set_time_limit_s = ?2, set_memory_limit = ?3 WHERE id = ?1",
                params![version, limits.time_s, limits.memory.map(stored)],
            )?;
            Ok(())
        })
    }

    /// Makes another version of a problem the present one.
    /// Fails when the problem has no such version.
    pub(crate) fn use_version(&self, problem: ProblemId, version: VersionId) -> Result<()> {
        self.write(|tx| {
            tx.configuration = true;
            let changed = tx.run(
                "UPDATE current_versions SET version = ?2 WHERE problem = ?1
                 AND EXISTS (SELECT 1 FROM package_versions WHERE id = ?2 AND problem = ?1)",
                params![problem, version],
            )?;
            match changed {
                0 => Err(Error::NotFound(format!("no version {version}"))),
                _ => Ok(()),
            }
        })
    }

    /// Opens or closes a problem for practice.
    pub fn set_practice(&self, problem: ProblemId, practice: bool) -> Result<()> {
        self.run(
            "UPDATE problems SET practice = ?2 WHERE id = ?1",
            params![problem, practice],
        )
    }

    pub fn problem(&self, id: ProblemId) -> Result<Problem> {
        self.read(|connection| by_id(connection, id))
    }

    /// The problem whose package has this id.
    pub fn problem_by_ext(&self, ext: &str) -> Result<Option<Problem>> {
        self.optional(&format!("{PROBLEM} WHERE problems.ext = ?1"), [ext])
    }

    /// All problems, sorted by the ids of their packages.
    pub fn problems(&self) -> Result<Vec<Problem>> {
        self.all(&format!("{PROBLEM} ORDER BY problems.ext"), [])
    }

    pub(crate) fn version(&self, id: VersionId) -> Result<Version> {
        self.read(|connection| version_by_id(connection, id))
    }

    /// The ids of the contests that have the problem, with their numbers.
    pub(crate) fn contests_with(&self, problem: ProblemId) -> Result<Vec<super::ContestId>> {
        self.all(
            "SELECT contest FROM contest_problems WHERE problem = ?1",
            [problem],
        )
    }
}
