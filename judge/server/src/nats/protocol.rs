//! The protocol between coordinators and workers: JSON with a version number, on subjects that contain
//! the sender's name, so that permissions of NATS can bind it. A coordinator is a server or a command
//! (`judge run --nats`); each has a queue in its own store.
//!
//! | subject | message |
//! |---|---|
//! | `judge.wait.WORKER` | [`Wait`], to all coordinators; each answers with [`Ready`] when it has units |
//! | `judge.ask.WORKER.COORDINATOR` | a request: [`Ask`], answered by [`Answer`] |
//! | `judge.results.WORKER.COORDINATOR` | [`crate::work_protocol::Results`], kept by the stream [`RESULTS`] |
//! | `judge.presence.WORKER` | [`crate::work_protocol::Presence`], every two seconds |
//! | `judge.cancel.WORKER` | [`Cancel`] |
//!
//! The name of a coordinator is one token for a server, and two for a command (`NAME.RUN`). The units of a command
//! are dropped when it ends.
//!
//! The life of a unit:
//!
//! 1. An idle worker process sends `Wait`, and again every half a second. A coordinator that has units for it, or gets
//!    some, answers with their number and the class of the most urgent one.
//! 2. The worker asks the coordinator with the most urgent units, in turn among equals, for a lease. The answer has the
//!    whole work: the coordinator has leased the unit in its queue and started the attempt. Work that needs no worker
//!    any more is skipped there. A request whose answer was lost is repeated with its token and gets the same unit.
//! 3. The worker extends the lease every few seconds, sends results into the stream, and settles the lease. A unit that
//!    it finished leaves the queue when the coordinator has its results; if they are lost, the lease ends, and the unit
//!    is delivered again.
//!
//! Times of leases are those of the coordinator's clock. Leases begin again when its connection does.

use super::Connection;
use crate::queue::{Priority, Settlement, Unit};
use crate::store::SourceFile;
use crate::work_protocol::{AttemptId, Work};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use judge_core::error::Reason;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of the messages. A change that the other side would misread increments it.
pub const VERSION: u32 = 2;
/// The stream of results.
pub const RESULTS: &str = "judge-results";
/// The bucket of packages and large sources.
pub const OBJECTS: &str = "judge-objects";
/// Total size of sources that are part of an order; larger ones go through the object store.
const INLINE: u64 = 128 << 10;

/// Where a worker says that it waits for units.
pub fn wait_subject(worker: &str) -> String {
    format!("judge.wait.{worker}")
}

/// Subject of a worker's questions to a coordinator.
pub fn ask_subject(worker: &str, coordinator: &str) -> String {
    format!("judge.ask.{worker}.{coordinator}")
}

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

pub fn worker_of(subject: &str) -> &str {
    subject.split('.').nth(2).unwrap_or_default()
}

/// Checks the name of a worker or a coordinator, which becomes a part of subjects.
pub fn check_name(name: &str) -> Result<(), Reason> {
    let valid = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    match (1..=64).contains(&name.len()) && name.chars().all(valid) {
        true => Ok(()),
        false => Err(Reason::new(format!(
            "{name:?} cannot be a name on NATS\n  help: use up to 64 letters, digits, - and _"
        ))),
    }
}

/// A worker waits for units. Best effort: it is repeated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Wait {
    pub machine_class: String,
    /// It wants an answer also if there are no units, and waits no longer.
    pub at_once: bool,
}

/// Units that a coordinator has for a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Units {
    /// The priority of the most urgent unit.
    pub priority: Priority,
    /// Their number; larger ones are not counted.
    pub count: usize,
}

/// The answer to a worker that waits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ready {
    /// The name of the coordinator.
    pub coordinator: String,
    /// Its units for this worker.
    pub units: Option<Units>,
}

/// A worker asks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// For a unit: [`Answer::Leased`] or [`Answer::Nothing`].
    Lease(LeaseRequest),
    /// To extend a lease: whether it is held.
    Extend(Held, u64),
    /// To end a lease: whether it was held.
    Settle(Held, Settlement),
    /// That a file or package is put into the object store.
    Put(Object),
    /// Whether other workers have tools that this one lacks.
    OthersHave(Needed),
    /// Whether there is a coordinator of this name.
    Hello,
}

/// A worker wants to lease and start a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LeaseRequest {
    /// The name of the thread, which begins with that of the worker.
    pub thread: String,
    pub token: String,
    /// The answer to the same request was lost.
    pub is_repeated: bool,
    /// Milliseconds of the lease.
    pub lease_ms: u64,
    pub machine_class: String,
    /// The version of the judge.
    pub judge: String,
}

/// A lease that a worker holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Held {
    /// The id of the unit.
    pub unit: String,
    /// The token of the lease.
    pub token: String,
}

/// Tools that a unit needs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Needed {
    /// The class of machines that it needs; `None`: any.
    pub machine_class: Option<String>,
    /// The codes of the languages.
    pub languages: Vec<String>,
}

/// Cancels cases that a worker judges, because their results are not needed any more. Best effort: if the
/// message is lost, they are judged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cancel {
    /// The coordinator that started the attempt.
    pub coordinator: String,
    pub target: AttemptId,
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
    /// The worker has this unit.
    Leased(Box<Leased>),
    /// There is no unit for it.
    Nothing,
    /// The answer to a request that asks for yes or no.
    Is(bool),
    /// The coordinator failed.
    Failed(Reason),
}

/// A unit that a worker has.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Leased {
    pub unit: Unit,
    /// How often it was delivered, from 1.
    pub delivery: u32,
    /// The work.
    pub order: Order,
    /// More units for this worker.
    pub left: Option<Units>,
}

/// The work of a started attempt.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Order {
    pub work: Work,
    /// Contents of its files in base64; `None`: they are in the object store.
    pub sources: Option<Vec<String>>,
    /// The target that the worker's results must name.
    pub target: AttemptId,
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
pub fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>, Reason> {
    let sent = Sent {
        version: VERSION,
        message,
    };
    serde_json::to_vec(&sent).map_err(Reason::from)
}

/// Reads a message.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Reason> {
    let malformed = |e: serde_json::Error| Reason::new(format!("malformed message: {e}"));
    let head: Head = serde_json::from_slice(bytes).map_err(malformed)?;
    if head.version != VERSION {
        return Err(Reason::new(format!(
            "the message has version {}, judge-server {} reads version {VERSION}\n  help: install the same \
             version of judge-server on all machines",
            head.version,
            env!("CARGO_PKG_VERSION")
        )));
    }
    let received: Received<T> = serde_json::from_slice(bytes).map_err(malformed)?;
    Ok(received.message)
}

/// Sends a message that is not stored; `what` completes "failed to" in the error.
pub fn send(
    connection: &Connection,
    what: &str,
    subject: String,
    message: &impl Serialize,
) -> Result<(), Reason> {
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

/// The contents of sources in base64, if they are small enough to be part of an order.
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
    use crate::work_protocol::{Judge, JudgingAttempt, Report, Results, SentOverrides};
    use judge_core::verdict::Verdict;

    fn case() -> CaseRow {
        CaseRow {
            cpu_s: Some(0.5),
            wall_s: Some(0.75),
            memory: Some(4096),
            message: Some("row 1".to_owned()),
            ..CaseRow::new(2, Verdict::WrongAnswer)
        }
    }

    /// If this fails, a judge of another version misreads the messages: increment [`VERSION`].
    #[test]
    fn the_form_of_the_messages_is_that_of_version_2() {
        let of = JudgingAttempt {
            judging: JudgingId(7),
            attempt: 2,
            submission: SubmissionId(5),
            version: VersionId(3),
        };
        let target = AttemptId::Judging(of);
        let finished = Finished {
            max_cpu_s: Some(0.5),
            ..Finished::new(Verdict::WrongAnswer)
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
            target: AttemptId::Step(UploadId(1), 4),
            reports: vec![Report::Step(StepReport::default())],
        };
        let work = Judge {
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
            overrides: SentOverrides::default(),
            cases: vec!["sample/1".to_owned()],
            first_failure: true,
        };
        let leased = Leased {
            unit: Unit {
                id: "judging-7".to_owned(),
                priority: Priority::Contest,
                share: "team 1".to_owned(),
                machine_class: None,
            },
            delivery: 1,
            order: Order {
                work: Work::Judge(work),
                sources: Some(vec!["YWJj".to_owned()]),
                target,
            },
            left: Some(Units {
                priority: Priority::Practice,
                count: 3,
            }),
        };
        let held = Held {
            unit: "judging-7".to_owned(),
            token: "t-1".to_owned(),
        };
        let request = LeaseRequest {
            thread: "w/0".to_owned(),
            token: "t-1".to_owned(),
            is_repeated: false,
            lease_ms: 30_000,
            machine_class: "fast".to_owned(),
            judge: "0.1.0".to_owned(),
        };
        check(
            &Ask::Lease(request),
            r#"{"lease":{"thread":"w/0","token":"t-1","is_repeated":false,"lease_ms":30000,"machine_class":"fast","judge":"0.1.0"}}"#,
        );
        check(
            &Ask::Extend(held.clone(), 30_000),
            r#"{"extend":[{"unit":"judging-7","token":"t-1"},30000]}"#,
        );
        check(
            &Ask::Settle(held, Settlement::Parked("why".to_owned())),
            r#"{"settle":[{"unit":"judging-7","token":"t-1"},{"parked":"why"}]}"#,
        );
        check(
            &Ask::Put(Object::Tree("11".to_owned())),
            r#"{"put":{"tree":"11"}}"#,
        );
        check(
            &Answer::Leased(Box::new(leased)),
            r#"{"leased":{"unit":{"id":"judging-7","priority":"contest","share":"team 1"},"delivery":1,"order":{"work":{"judge":{"submission":5,"language":"cpp","entry_point":null,"files":[{"name":"a.cpp","blob":"00","bytes":3}],"tree":"11","time_limit_s":1.0,"cases":["sample/1"],"first_failure":true}},"sources":["YWJj"],"target":{"judging":{"judging":7,"attempt":2,"submission":5,"version":3}}},"left":{"priority":"practice","count":3}}}"#,
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
        assert_eq!(text, format!("{{\"version\":2,\"message\":{json}}}"));
        assert_eq!(&decode::<T>(&bytes).expect("it is read"), message);
    }

    #[test]
    fn an_unknown_version_is_an_error_with_a_remedy() {
        let newer = br#"{"version":3,"message":{"new":"form"}}"#;
        let error = decode::<Ask>(newer).expect_err("it is newer");
        assert!(
            error.contains("version 3") && error.contains("help: install the same version"),
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
