//! Metadata and configuration of a contest.
//!
//! A property that is `None` is left out of the JSON; where the specification requires a property
//! to be present, `null` is written. Unknown properties are ignored when reading.

use super::{Id, RelTime, Time};
use serde::{Deserialize, Serialize};

/// A type of objects, as notifications and access name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum ObjectType {
    Contest,
    JudgementTypes,
    Languages,
    Problems,
    Groups,
    Organizations,
    Teams,
    Persons,
    Accounts,
    State,
    Submissions,
    Judgements,
    Runs,
    Clarifications,
    Awards,
    Commentary,
    Scoreboard,
    EventFeed,
}

impl ObjectType {
    /// The type's name in JSON and in addresses.
    pub fn word(self) -> String {
        let name = serde_json::to_value(self).ok();
        name.and_then(|name| name.as_str().map(str::to_owned))
            .unwrap_or_default()
    }

    /// The type with this name.
    pub fn from_word(word: &str) -> Option<Self> {
        serde_json::from_value(word.into()).ok()
    }
}

/// Something that a client may do besides reading.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
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

/// Information about the API (`GET` of the base address).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ApiInformation {
    /// Version of the API: [`super::VERSION`].
    pub version: String,
    /// Address of the documentation of the version.
    pub version_url: String,
    /// The program that provides the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<Provider>,
}

/// The program that provides the data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Provider {
    /// Its name.
    pub name: String,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its logo, in several sizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logo: Option<Vec<File>>,
}

/// Rights of the client in a contest.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Access {
    /// Changes that the client may make.
    pub capabilities: Vec<Capability>,
    /// Objects and properties that the client may see.
    pub endpoints: Vec<AccessEndpoint>,
}

/// The properties of an endpoint that a client may see.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AccessEndpoint {
    /// The type of its objects.
    #[serde(rename = "type")]
    pub kind: ObjectType,
    /// Names of properties; a sub-property as `property.sub`. Not empty.
    pub properties: Vec<String>,
}

/// A reference to a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct File {
    /// Address, absolute or relative to the API's base; optional in packages only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// Name, unique in the object.
    pub filename: String,
    /// MD5 of the content, hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// MIME type.
    pub mime: String,
    /// Width of an image, in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Height of an image, in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// Hints about the use, such as `light` or `dark`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<Vec<String>>,
}

/// A place on Earth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Location {
    /// Degrees from -90 to 90.
    pub latitude: f64,
    /// Degrees from -180 to 180.
    pub longitude: f64,
}

/// A contest.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contest {
    /// Identifier.
    pub id: Id,
    /// Short name for display.
    pub name: String,
    /// Full name; by default `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formal_name: Option<String>,
    /// Scheduled start; `None` if unknown or the countdown is paused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_time: Option<Time>,
    /// Time left when the countdown was paused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub countdown_pause_time: Option<RelTime>,
    /// Length.
    pub duration: RelTime,
    /// How long before the end the scoreboard is frozen; by default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scoreboard_freeze_duration: Option<RelTime>,
    /// Scheduled end of the freeze.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scoreboard_thaw_time: Option<Time>,
    /// How teams are scored.
    pub scoreboard_type: ScoreboardType,
    /// Group on the main scoreboard; by default all teams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main_scoreboard_group_id: Option<Id>,
    /// Penalty for a rejected submission; required for `pass-fail`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty_time: Option<RelTime>,
    /// Wide image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub banner: Option<Vec<File>>,
    /// Square image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logo: Option<Vec<File>>,
    /// Where it takes place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
}

/// A possible verdict.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JudgementType {
    /// Identifier: `AC`, `WA`, ...
    pub id: Id,
    /// Name for display.
    pub name: String,
    /// Whether it causes penalty time; required if the contest has `penalty_time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty: Option<bool>,
    /// Whether the problem is solved.
    pub solved: bool,
    /// The verdict that it is simplified to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simplified_judgement_type_id: Option<Id>,
}

/// A programming language.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Language {
    /// Identifier: `cpp`, `python3`, ...
    pub id: Id,
    /// Name for display.
    pub name: String,
    /// Whether a submission must name its entry point.
    pub entry_point_required: bool,
    /// The kind of entry point, such as `Main class`; present if required.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry_point_name: Option<String>,
    /// File extensions without dot.
    pub extensions: Vec<String>,
    /// How submissions are compiled, for information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiler: Option<Command>,
    /// How submissions are run, for information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner: Option<Command>,
}

/// How a compiler or an interpreter is called.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Command {
    /// The program.
    pub command: String,
    /// Arguments; `{files}` stands for the sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub args: Option<String>,
    /// Output of the version command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The call that prints the version; by default `COMMAND --version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version_command: Option<String>,
}

/// A problem of the contest.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Problem {
    /// Identifier.
    pub id: Id,
    /// UUID in the problem package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// Label on the scoreboard, such as `A`.
    pub label: String,
    /// Title.
    pub name: String,
    /// Position among the problems.
    pub ordinal: i64,
    /// Colour as `#rgb` or `#rrggbb`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rgb: Option<String>,
    /// Name of the colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Seconds per test case, a multiple of 0.001.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<f64>,
    /// MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit: Option<u64>,
    /// MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_limit: Option<u64>,
    /// KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code_limit: Option<u64>,
    /// Number of test cases.
    pub test_data_count: u64,
    /// Maximum score; required if the contest is scored by points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_score: Option<f64>,
    /// The problem package, one ZIP archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<Vec<File>>,
    /// The statement as PDF.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<Vec<File>>,
    /// Other files for the teams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachments: Option<Vec<File>>,
}
