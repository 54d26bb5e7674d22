//! The protocol between servers and workers: JSON with a version number, on subjects that contain
//! the sender's name, so that permissions of NATS can bind it.
//!
//! | subject | message |
//! |---|---|
//! | `judge.ask.WORKER.COORDINATOR` | a request: [`Ask`], answered by [`Answer`] |
//! | `judge.results.WORKER.COORDINATOR` | [`crate::worker::Results`], kept by the stream [`RESULTS`] |
//! | `judge.presence.WORKER` | [`crate::worker::Presence`], every two seconds |
//! | `judge.cancel.WORKER` | [`Cancel`] |
//!
//! The name of a coordinator is one token for a server, and two for a command (`NAME.RUN`), whose units
//! end with it.

use super::Connection;
use crate::store::SourceFile;
use crate::worker::{Batch, Judge, Target, Verify};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of the messages. A change that the other side would misread increments it.
pub const VERSION: u32 = 1;
/// The stream of results.
pub const RESULTS: &str = "judge-results";
/// The bucket of packages and large sources.
pub const OBJECTS: &str = "judge-objects";
/// Total size of sources that are part of the answer; larger ones go through the object store.
const INLINE: u64 = 128 << 10;

/// Where a worker asks a coordinator.
pub fn ask_subject(worker: &str, coordinator: &str) -> String {
    format!("judge.ask.{worker}.{coordinator}")
}

/// Where a worker's results for a coordinator go.
pub fn results_subject(worker: &str, coordinator: &str) -> String {
    format!("judge.results.{worker}.{coordinator}")
}

/// Subject of the announcements of a worker.
pub fn presence_subject(worker: &str) -> String {
    format!("judge.presence.{worker}")
}

/// Subject of the messages that cancel cases of a worker.
pub fn cancel_subject(worker: &str) -> String {
    format!("judge.cancel.{worker}")
}

/// The worker of a subject.
pub fn worker_of(subject: &str) -> &str {
    subject.split('.').nth(2).unwrap_or_default()
}

/// Checks the name of a worker or a coordinator, which becomes a part of subjects.
///
/// # Errors
///
/// When it has characters other than letters, digits, `-` and `_`, or more than 64.
pub fn check_name(name: &str) -> Result<(), String> {
    let valid = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    match (1..=64).contains(&name.len()) && name.chars().all(valid) {
        true => Ok(()),
        false => Err(format!(
            "{name:?} cannot be a name on NATS\n  help: use up to 64 letters, digits, - and _"
        )),
    }
}

/// A worker asks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// For the work of a unit, and starts an attempt at it.
    Start(Start),
    /// That a file or package is put into the object store.
    Put(Object),
    /// The worker parked a unit of this coordinator.
    Parked,
    /// Whether other workers have tools that this one lacks: `Ready`, or else `Closed`.
    OthersHave(Needed),
}

/// Tools that a unit needs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Needed {
    /// The class of machines that it needs; `None`: any.
    pub machine_class: Option<String>,
    /// The codes of the languages.
    pub languages: Vec<String>,
}

/// A worker wants to start a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Start {
    /// The unit's payload.
    pub payload: String,
    /// The version of the judge.
    pub judge: String,
    /// The class of the worker's machine; empty: of a judge that knows no classes.
    #[serde(default)]
    pub machine_class: String,
}

/// Cancels cases that a worker judges, because their results are not needed any more. Best effort: if the
/// message is lost, they are judged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cancel {
    /// The coordinator that started the attempt.
    pub coordinator: String,
    /// The attempt.
    pub target: Target,
    /// Numbers of the cases.
    pub cases: Vec<usize>,
}

/// Content by its hash.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Object {
    /// The snapshot of a package, as a tar archive.
    Tree(String),
    /// A source file.
    Source(String),
}

impl Object {
    /// The name in the object store.
    pub fn name(&self) -> String {
        match self {
            Object::Tree(hash) => format!("tree-{hash}"),
            Object::Source(hash) => format!("source-{hash}"),
        }
    }
}

/// The answer to a question.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Judge this submission.
    Judge {
        /// The submission to judge.
        work: Judge,
        /// Contents of its files in base64; `None`: they are in the object store.
        sources: Option<Vec<String>>,
        /// Has to be part of the results.
        target: Target,
    },
    /// Verify this package.
    Verify {
        /// The package to verify.
        work: Verify,
        /// Has to be part of the results.
        target: Target,
    },
    /// Judge these cases.
    Batch {
        /// The cases to judge.
        work: Box<Batch>,
        /// Contents of its files in base64; `None`: they are in the object store.
        sources: Option<Vec<String>>,
        /// Has to be part of the results.
        target: Target,
    },
    /// Nothing to do: the unit is done or dropped.
    Closed,
    /// The unit can never be started.
    Hopeless(String),
    /// The coordinator failed.
    Failed(String),
    /// The request was carried out.
    Ready,
}

#[derive(Serialize)]
struct Sent<'m, T> {
    version: u32,
    message: &'m T,
}

#[derive(Deserialize)]
struct Head {
    version: u32,
}

#[derive(Deserialize)]
struct Received<T> {
    message: T,
}

/// Writes a message.
///
/// # Errors
///
/// When a figure is not a number.
pub fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>, String> {
    let sent = Sent {
        version: VERSION,
        message,
    };
    serde_json::to_vec(&sent).map_err(|e| e.to_string())
}

/// Reads a message.
///
/// # Errors
///
/// When it has another version, or is malformed.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let malformed = |e: serde_json::Error| format!("malformed message: {e}");
    let head: Head = serde_json::from_slice(bytes).map_err(malformed)?;
    if head.version != VERSION {
        return Err(format!(
            "the message has version {}, judge-server {} reads version {VERSION}\n  help: install the same \
             version of judge-server on all machines",
            head.version,
            env!("CARGO_PKG_VERSION")
        ));
    }
    let received: Received<T> = serde_json::from_slice(bytes).map_err(malformed)?;
    Ok(received.message)
}

/// Sends a message that is not stored; `what` completes "failed to" in the error.
///
/// # Errors
///
/// When NATS fails.
pub fn send(
    connection: &Connection,
    what: &str,
    subject: String,
    message: &impl Serialize,
) -> Result<(), String> {
    let message = encode(message)?;
    let client = connection.client();
    connection.request(what, async {
        client.publish(subject, message.into()).await?;
        // The process may end now.
        client.flush().await?;
        Ok::<_, async_nats::Error>(())
    })?;
    Ok(())
}

/// The contents of sources in base64, if they are small enough to be part of the answer.
///
/// # Errors
///
/// Errors of `content`, which returns the content with a hash.
pub fn inline<'f, C: AsRef<[u8]>, E>(
    files: impl Iterator<Item = &'f SourceFile> + Clone,
    content: impl Fn(&str) -> Result<C, E>,
) -> Result<Option<Vec<String>>, E> {
    let is_small = files.clone().map(|file| file.bytes).sum::<u64>() <= INLINE;
    let contents = || files.map(|file| content(&file.blob).map(|c| BASE64_STANDARD.encode(c)));
    is_small.then(|| contents().collect()).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{
        CaseRow, Finished, JudgingId, Recorded, StepReport, SubmissionId, UploadId, VersionId,
    };
    use crate::worker::{JudgingAttempt, Report, Results};

    fn case() -> CaseRow {
        CaseRow {
            case: 2,
            verdict: "WA".to_owned(),
            cpu_s: Some(0.5),
            wall_s: Some(0.75),
            memory: Some(4096),
            message: Some("row 1".to_owned()),
            ..CaseRow::default()
        }
    }

    /// If this fails, a judge of another version misreads the messages: increment [`VERSION`].
    #[test]
    fn the_form_of_the_messages_is_that_of_version_1() {
        let of = JudgingAttempt {
            judging: JudgingId(7),
            attempt: 2,
            submission: SubmissionId(5),
            version: VersionId(3),
        };
        let target = Target::Judging(of);
        let finished = Finished {
            verdict: "WA".to_owned(),
            max_cpu_s: Some(0.5),
            ..Finished::default()
        };
        let results = Results {
            target,
            reports: vec![
                Report::Result(Recorded::Compiled(None)),
                Report::Result(Recorded::Case(case())),
                Report::TimeLimit(1.5),
                Report::Result(Recorded::Finished(finished)),
            ],
        };
        let step = Results {
            target: Target::Step(UploadId(1), 4),
            reports: vec![Report::Step(StepReport::default())],
        };
        let answer = Answer::Judge {
            work: Judge {
                submission: SubmissionId(5),
                language: "cpp".to_owned(),
                entry_point: None,
                files: vec![SourceFile {
                    name: "a.cpp".to_owned(),
                    blob: "00".to_owned(),
                    bytes: 3,
                }],
                tree: "11".to_owned(),
                time_limit_s: Some(1.0),
                cases: vec!["sample/1".to_owned()],
                first_failure: true,
            },
            sources: Some(vec!["YWJj".to_owned()]),
            target,
        };
        let ask = Ask::Start(Start {
            payload: "7".to_owned(),
            judge: "0.1.0".to_owned(),
            machine_class: "fast".to_owned(),
        });
        check(
            &ask,
            r#"{"start":{"payload":"7","judge":"0.1.0","machine_class":"fast"}}"#,
        );
        check(
            &Ask::Put(Object::Tree("11".to_owned())),
            r#"{"put":{"tree":"11"}}"#,
        );
        check(
            &answer,
            r#"{"judge":{"work":{"submission":5,"language":"cpp","entry_point":null,"files":[{"name":"a.cpp","blob":"00","bytes":3}],"tree":"11","time_limit_s":1.0,"cases":["sample/1"],"first_failure":true},"sources":["YWJj"],"target":{"judging":{"judging":7,"attempt":2,"submission":5,"version":3}}}}"#,
        );
        check(
            &results,
            r#"{"target":{"judging":{"judging":7,"attempt":2,"submission":5,"version":3}},"reports":[{"result":{"compiled":null}},{"result":{"case":{"case":2,"verdict":"WA","cpu_s":0.5,"wall_s":0.75,"memory":4096,"score":null,"message":"row 1","exit_code":null,"signal":null,"diagnosis":null}}},{"time_limit":1.5},{"result":{"finished":{"verdict":"WA","score":null,"max_cpu_s":0.5,"max_memory":null,"time_limit_s":null,"reason":null}}}]}"#,
        );
        check(
            &step,
            r#"{"target":{"step":[1,4]},"reports":[{"step":{"findings":[],"submission":null}}]}"#,
        );
    }

    fn check<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
        message: &T,
        json: &str,
    ) {
        let bytes = encode(message).expect("it is written");
        let text = String::from_utf8(bytes.clone()).expect("text");
        assert_eq!(text, format!("{{\"version\":1,\"message\":{json}}}"));
        assert_eq!(&decode::<T>(&bytes).expect("it is read"), message);
    }

    #[test]
    fn an_unknown_version_is_an_error_with_a_remedy() {
        let newer = br#"{"version":2,"message":{"new":"form"}}"#;
        let error = decode::<Ask>(newer).expect_err("it is newer");
        assert!(
            error.contains("version 2") && error.contains("help: install the same version"),
            "{error}"
        );
        let error = decode::<Ask>(b"[]").expect_err("it is malformed");
        assert!(error.contains("malformed message"), "{error}");
    }

    #[test]
    fn names_are_one_token_of_a_subject() {
        assert_eq!(check_name("judge-2_b"), Ok(()));
        for name in ["", "a.b", "a b", "*", "ü", &"x".repeat(65)] {
            assert!(check_name(name).is_err(), "{name}");
        }
        assert_eq!(worker_of(&results_subject("w1", "c")), "w1");
        assert_eq!(worker_of(&presence_subject("w1")), "w1");
    }
}
