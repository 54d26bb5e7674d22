//! The ids of units of work, which say what the work is.

use super::{JudgingId, UploadId};
use judge_core::error::Reason;
use std::fmt;
use std::str::FromStr;

/// The id of a unit in the queue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnitId {
    /// A judging: `judging-7`.
    Judging(JudgingId),
    /// A step of verifying an upload: `verify-3-1`.
    Step(UploadId, usize),
    /// A batch of cases of a judging, `judging-7-batch-5`, or of a command, `batch-5`.
    Batch(Option<JudgingId>, u64),
}

impl UnitId {
    /// The judging that the unit judges, or a part of it.
    pub fn judging(self) -> Option<JudgingId> {
        match self {
            UnitId::Judging(id) => Some(id),
            UnitId::Batch(of, _) => of,
            UnitId::Step(..) => None,
        }
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitId::Judging(id) => write!(f, "judging-{id}"),
            UnitId::Step(upload, step) => write!(f, "verify-{upload}-{step}"),
            UnitId::Batch(Some(id), batch) => write!(f, "judging-{id}-batch-{batch}"),
            UnitId::Batch(None, batch) => write!(f, "batch-{batch}"),
        }
    }
}

impl FromStr for UnitId {
    type Err = Reason;

    fn from_str(text: &str) -> Result<Self, Reason> {
        let parsed = || match text.split('-').collect::<Vec<_>>()[..] {
            ["judging", id] => Some(UnitId::Judging(id.parse().ok()?)),
            ["verify", upload, step] => {
                Some(UnitId::Step(upload.parse().ok()?, step.parse().ok()?))
            }
            ["judging", id, "batch", batch] => {
                Some(UnitId::Batch(Some(id.parse().ok()?), batch.parse().ok()?))
            }
            ["batch", batch] => Some(UnitId::Batch(None, batch.parse().ok()?)),
            _ => None,
        };
        // One form for each id: no signs and no leading zeros.
        let id = parsed().filter(|id| id.to_string() == text);
        id.ok_or_else(|| Reason::new(format!("unit {text:?} is no judging, step or batch")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_one_form() {
        let judging = JudgingId(7);
        for (id, text) in [
            (UnitId::Judging(judging), "judging-7"),
            (UnitId::Step(UploadId(3), 1), "verify-3-1"),
            (UnitId::Batch(Some(judging), 5), "judging-7-batch-5"),
            (UnitId::Batch(None, u64::MAX), "batch-18446744073709551615"),
        ] {
            assert_eq!(id.to_string(), text);
            assert_eq!(text.parse(), Ok(id));
        }
        for text in [
            "",
            "judging",
            "judging-",
            "judging-07",
            "judging-+7",
            "verify-1",
            "batch--1",
            "batch-1-",
            "7",
        ] {
            assert!(text.parse::<UnitId>().is_err(), "{text}");
        }
    }
}
