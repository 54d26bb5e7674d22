//! Enumerations that are stored as words.

use crate::word_enums::word_enums;

word_enums! {
    /// The rights of a user; later roles have more.
    #[derive(Default)]
    Role {
        /// Sees public pages and practises.
        #[default]
        Public = "public",
        /// Takes part in contests.
        Team = "team",
        /// Sees everything, starts rejudgings, answers questions.
        Jury = "jury",
        /// Also manages users, contests and the server.
        Admin = "admin",
    }

    /// The rights of an account in one contest, beside those of its [`Role`]; later ones have more of the contest's data.
    ContestRole {
        /// Sees the contest, even if it is not public.
        Spectator = "spectator",
        /// Also brings balloons.
        Balloons = "balloons",
        /// Sees everything of the contest, changes nothing.
        Analyst = "analyst",
        /// Is of the jury in this contest.
        Jury = "jury",
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

    /// Progress of a print.
    PrintState {
        /// It waits for the prints before it.
        Waiting = "waiting",
        /// The command runs.
        Printing = "printing",
        /// The command ended with success.
        Printed = "printed",
        /// The command failed.
        Failed = "failed",
    }

    RejudgingState {
        /// Its judgings exist beside the valid ones.
        Open = "open",
        /// Its judgings became the valid ones.
        Applied = "applied",
        /// Its judgings were discarded.
        Dropped = "dropped",
    }

    /// The results of their own submissions that teams see while a contest runs.
    Feedback {
        /// Verdict, score, and the verdict of every case.
        Full = "full",
        /// Verdict and score, and the results of samples.
        Score = "score",
        /// The results of samples; verdicts and scores at the end.
        Samples = "samples",
    }

    /// How a contest is scored.
    #[derive(Default)]
    Scoring {
        /// By problems solved, then by time with penalties.
        #[default]
        Icpc = "icpc",
        Points = "points",
    }
}
