//! Enumerations that are stored as words.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The stored word.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }

            /// The value with this word.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.word() == word)
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.word().into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                let word = value.as_str()?;
                Self::from_word(word)
                    .ok_or_else(|| FromSqlError::Other(format!("unknown word {word:?}").into()))
            }
        }
    )*};
}

words! {
    /// What a user may do; later ones may do more.
    Role {
        /// Reads what is public, practises.
        Public = "public",
        /// Takes part in contests.
        Team = "team",
        /// Sees everything, judges again, answers.
        Jury = "jury",
        /// Also manages users, contests and the server.
        Admin = "admin",
    }

    /// Progress of a judging.
    JudgingState {
        /// It waits for a worker.
        Queued = "queued",
        /// The submission is being compiled.
        Compiling = "compiling",
        /// Cases run.
        Running = "running",
        /// It has a verdict.
        Done = "done",
        /// Its rejudging was dropped before it was judged.
        Dropped = "dropped",
    }

    /// Classes of the queue, most urgent first.
    Priority {
        /// Submissions of a running contest.
        Contest = "contest",
        /// Practice.
        Practice = "practice",
        /// Submissions of the jury.
        Jury = "jury",
        /// Rejudgings.
        Rejudge = "rejudge",
    }

    /// State of a rejudging.
    RejudgingState {
        /// Its judgings exist beside the valid ones.
        Open = "open",
        /// Its judgings became the valid ones.
        Applied = "applied",
        /// Its judgings were discarded.
        Dropped = "dropped",
    }

    /// What a person does in a contest.
    PersonRole {
        /// Takes part.
        Contestant = "contestant",
        /// Looks after teams.
        Coach = "coach",
        /// Organises the contest.
        Staff = "staff",
        /// Something else.
        Other = "other",
    }

    /// What teams see of the results of their own submissions while a contest runs.
    Feedback {
        /// Verdict, score, and the verdict of every case.
        Full = "full",
        /// Verdict and score, and the results of samples.
        Score = "score",
        /// The results of samples; verdicts and scores at the end.
        Samples = "samples",
    }

    /// How a contest is scored.
    Scoring {
        /// By problems solved, then by time with penalties.
        Icpc = "icpc",
        /// By points.
        Points = "points",
    }
}
