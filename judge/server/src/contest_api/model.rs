//! Metadata and configuration of a contest.

use super::{Id, RelTime, Time};
use crate::word_enums::word_enums;
use serde::{Deserialize, Serialize};

word_enums! {
    /// A type of objects, as notifications and access name it.
    ObjectType {
        Contest = "contest",
        JudgementTypes = "judgement-types",
        Languages = "languages",
        Problems = "problems",
        Groups = "groups",
        Organizations = "organizations",
        Teams = "teams",
        Persons = "persons",
        Accounts = "accounts",
        State = "state",
        Submissions = "submissions",
        Judgements = "judgements",
        Runs = "runs",
        Clarifications = "clarifications",
        Awards = "awards",
        Commentary = "commentary",
        Scoreboard = "scoreboard",
        EventFeed = "event-feed",
    }

    /// The function of a person in a contest.
    #[derive(Default)]
    PersonRole {
        /// Takes part.
        #[default]
        Contestant = "contestant",
        /// Looks after teams.
        Coach = "coach",
        /// Organises the contest.
        Staff = "staff",
        /// Something else.
        Other = "other",
    }
}

/// Something that a client may do besides reading.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    ContestStart,
    ContestThaw,
    TeamSubmit,
    PostClar,
    PostComment,
    ProxySubmit,
    ProxyClar,
    AdminSubmit,
    AdminClar,
}

/// How the teams of a contest are scored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScoreboardType {
    /// By the number of solved problems, then by penalty time.
    PassFail,
    /// By points.
    Score,
}

objects! {
    /// Information about the API (`GET` of the base address).
    ApiInformation {
        version: String,
        /// Address of the documentation of the version.
        version_url: String,
        /// The program that provides the data.
        provider: Option<Provider>,
    }

    /// The program that provides the data.
    Provider {
        name: String,
        version: Option<String>,
    }

    /// Rights of the client in a contest.
    Access {
        /// Changes that the client may make.
        capabilities: Vec<Capability>,
        /// Objects and properties that the client may see.
        endpoints: Vec<AccessEndpoint>,
    }

    /// The properties of an endpoint that a client may see.
    AccessEndpoint {
        r#type: ObjectType,
        /// Names of properties; a sub-property as `property.sub`. Not empty.
        properties: Vec<String>,
    }

    /// A reference to a file.
    File {
        /// Address, absolute or relative to the API's base.
        href: String,
        /// Name, unique in the object.
        filename: String,
        mime: String,
    }

    /// A reference to an image.
    ImageFile {
        /// Address, absolute or relative to the API's base.
        href: String,
        /// Name, unique in the object.
        filename: String,
        mime: String,
        /// In pixels.
        width: u32,
        height: u32,
    }

    Contest {
        id: Id,
        /// Short name for display.
        name: String,
        /// Full name; by default `name`.
        formal_name: Option<String>,
        /// Scheduled start; `None` if unknown or the countdown is paused.
        start_time: Option<Time>,
        /// Time left when the countdown was paused.
        countdown_pause_time: Option<RelTime>,
        duration: RelTime,
        /// How long before the end the scoreboard is frozen; by default 0.
        scoreboard_freeze_duration: Option<RelTime>,
        /// Scheduled end of the freeze.
        scoreboard_thaw_time: Option<Time>,
        /// How teams are scored.
        scoreboard_type: ScoreboardType,
        /// Penalty for a rejected submission; required for `pass-fail`.
        penalty_time: Option<RelTime>,
    }

    /// A possible verdict.
    JudgementType {
        /// Identifier: `AC`, `WA`, ...
        id: Id,
        name: String,
        /// Whether it causes penalty time; required if the contest has `penalty_time`.
        penalty: Option<bool>,
        /// Whether the problem is solved.
        solved: bool,
    }

    Language {
        /// Identifier: `cpp`, `python3`, ...
        id: Id,
        name: String,
        /// Whether a submission must name its entry point.
        entry_point_required: bool,
        /// The kind of entry point, such as `Main class`; present if required.
        entry_point_name: Option<String>,
        /// File extensions without dot.
        extensions: Vec<String>,
        /// The command that compiles submissions.
        compiler: Option<Command>,
        /// The command that runs them, unless they run by themselves.
        runner: Option<Command>,
    }

    /// A command of a language, for information.
    Command {
        command: String,
        /// Its arguments; `{files}` stands for the source files.
        args: Option<String>,
    }

    Problem {
        id: Id,
        /// Label on the scoreboard, such as `A`.
        label: String,
        name: String,
        /// Position among the problems.
        ordinal: i64,
        /// Colour as `#rgb` or `#rrggbb`.
        rgb: Option<String>,
        /// Name of the colour.
        color: Option<String>,
        /// Seconds per test case, a multiple of 0.001.
        time_limit: Option<f64>,
        /// MiB.
        memory_limit: Option<u64>,
        /// KiB.
        code_limit: Option<u64>,
        /// Number of test cases.
        test_data_count: u64,
        /// Maximum score; required if the contest is scored by points.
        max_score: Option<f64>,
        /// The statement as PDF.
        statement: Option<Vec<File>>,
        /// Other files for the teams.
        attachments: Option<Vec<File>>,
    }
}
