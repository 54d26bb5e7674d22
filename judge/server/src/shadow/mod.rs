//! The command `judge serve shadow`: judges the submissions of a contest on another system, the primary, a second time
//! here, and compares the verdicts. It reads both event feeds and submits by the Contest API, as an admin of this server.
//!
//! A submission is recognised by its team, problem and time, so that the command may be ended and started again.

mod contest;
mod feed;

use crate::client::{CallError, Client, plain};
use crate::threads;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use clap::Args;
use contest::{Contest, Key, Submission};
use feed::{Feed, FromFeed};
use judge_core::error::{Failure, Usage};
use judge_core::figures::plural;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How long to wait before a submission that could not be sent is sent again.
const AGAIN: Duration = Duration::from_secs(5);
/// Maximum bytes of an archive of a submission.
const MAX_ARCHIVE: u64 = 16 << 20;

/// Arguments of `judge serve shadow`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Here the contest has the same teams, labels of problems and start. Signs in to the primary with PRIMARY_TOKEN, or \
PRIMARY_USER and PRIMARY_PASSWORD, and to the server with JUDGE_TOKEN, or JUDGE_USER and JUDGE_PASSWORD, or with \
the entries in ~/.netrc. The account of the primary sees all submissions, the one here is an admin's.

Examples:
  judge serve shadow https://domjudge.example.org/api/contests/wf --server http://localhost:8080 --contest wf
  judge serve shadow https://domjudge.example.org/api/contests/wf --contest wf --once --same MLE=RTE

Exit status: 0 all verdicts are the same, 1 some differ, 2 the command failed.")]
pub struct ShadowArgs {
    /// Address of the contest in the primary's Contest API
    #[arg(value_name = "URL")]
    primary: String,
    /// Address of this server
    #[arg(long, value_name = "URL", env = "JUDGE_SERVER")]
    server: String,
    /// The contest's id on this server
    #[arg(short, long, value_name = "ID")]
    contest: String,
    /// Take two verdicts as the same; may be given several times
    #[arg(long, value_name = "A=B", value_parser = pair)]
    same: Vec<(String, String)>,
    /// End when the submissions that the primary has now are judged here
    #[arg(long)]
    once: bool,
    /// Trust the certificates in this PEM file instead of those of public authorities
    #[arg(long, value_name = "FILE", env = "SSL_CERT_FILE")]
    ca: Option<PathBuf>,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=');
    let pair = pair.filter(|(a, b)| !a.is_empty() && !b.is_empty());
    let (a, b) = pair.ok_or("expected two verdicts, such as MLE=RTE")?;
    Ok((a.to_owned(), b.to_owned()))
}

/// The system that something comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Primary,
    Here,
}

/// Compares until the primary's contest has ended; returns the exit status.
/// Fails with a message with a remedy, when one of the systems refuses.
pub fn shadow(args: &ShadowArgs) -> Result<u8, Failure> {
    let (primary, id) = primary(args)?;
    let base = format!("{}/api", args.server.trim_end_matches('/'));
    let server = Arc::new(Client::new(&base, args.ca.as_deref(), "JUDGE")?);
    let mut shadow = Shadow {
        primary: primary.clone(),
        server: server.clone(),
        contest: args.contest.clone(),
        same: args.same.iter().cloned().collect(),
        there: Contest::default(),
        here: Contest::default(),
        waiting: BTreeSet::new(),
        refused: BTreeSet::new(),
        differing: BTreeSet::new(),
    };
    // What was submitted before is not submitted again.
    let mut own = Feed::new(&server, &args.contest);
    let read = own.read(false, |event| {
        shadow.here.apply(&event);
        true
    });
    read?;
    let (send, events) = channel();
    let (there, to_here, once) = (Feed::new(&primary, id), send.clone(), args.once);
    threads::start("primary", move || {
        there.follow(Side::Primary, once, &send);
    })?;
    threads::start("here", move || own.follow(Side::Here, false, &to_here))?;
    let mut was_read = false;
    while !((was_read || shadow.there.has_ended) && shadow.is_complete()) {
        match events.recv_timeout(AGAIN) {
            Ok((side, FromFeed::Event(event))) => shadow.take(side, &event),
            Ok((_, FromFeed::End)) => was_read = true,
            Ok((_, FromFeed::Broken(why))) => eprintln!("note: {}", plain(&why)),
            Ok((_, FromFeed::Refused(error))) => return Err(error.into()),
            Err(RecvTimeoutError::Timeout) => shadow.submit_waiting(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(shadow.print_result())
}

/// The primary, and the contest's id there.
fn primary(args: &ShadowArgs) -> Result<(Arc<Client>, &str), Failure> {
    let address = args.primary.trim_end_matches('/');
    let (base, id) = address.rsplit_once("/contests/").ok_or_else(|| {
        Failure::usage(format!(
            "{:?} is not the address of a contest",
            args.primary
        ))
        .help("it is as https://HOST/api/contests/ID")
    })?;
    let client = Client::new(base, args.ca.as_deref(), "PRIMARY")?;
    Ok((Arc::new(client), id))
}

/// Both systems, and what is known of them.
struct Shadow {
    primary: Arc<Client>,
    server: Arc<Client>,
    /// The contest's id on the server.
    contest: String,
    /// Verdicts that are the same as another.
    same: HashMap<String, String>,
    there: Contest,
    here: Contest,
    /// Ids on the primary of submissions to send.
    waiting: BTreeSet<String>,
    /// Ids of those that the server refused.
    refused: BTreeSet<String>,
    /// Ids of those whose difference was printed.
    differing: BTreeSet<String>,
}

impl Shadow {
    fn take(&mut self, side: Side, event: &Value) {
        let contest = match side {
            Side::Primary => &mut self.there,
            Side::Here => &mut self.here,
        };
        let Some(id) = contest.apply(event) else {
            return;
        };
        let Some(key) = contest.submissions.get(&id).map(|own| contest.key(own)) else {
            return;
        };
        if side == Side::Primary && !self.here.has(&key) && !self.refused.contains(&id) {
            self.waiting.insert(id);
            self.submit_waiting();
        }
        self.print_change(&key);
    }

    /// Sends what waits, until the first one that fails for now.
    fn submit_waiting(&mut self) {
        while let Some(id) = self.waiting.first().cloned() {
            let submission = self.there.submissions.get(&id).cloned();
            let sent = submission.map_or(Ok(Value::Null), |submission| self.submit(&submission));
            match sent {
                // The feed has it later, and the primary may announce a change of it before.
                Ok(data) => {
                    let event = json!({"type": "submissions", "data": data});
                    self.here.apply(&event);
                }
                Err(e) if e.is_lasting() => {
                    println!("{}", plain(&format!("not judged  submission {id}: {e}")));
                    self.refused.insert(id.clone());
                }
                Err(e) => {
                    eprintln!("{}", plain(&format!("note: submission {id} waits: {e}")));
                    return;
                }
            }
            self.waiting.remove(&id);
        }
    }

    /// Submits here what a team submitted there; returns the submission as the server has it.
    fn submit(&self, submission: &Submission) -> Result<Value, CallError> {
        let refused = |why: &str| CallError::Refused {
            status: 400,
            why: Usage {
                what: why.to_owned(),
                remedy: None,
            },
        };
        let href = submission.files.as_deref();
        let href = href.ok_or_else(|| refused("the primary shows no files of it"))?;
        let address = address(&self.primary.base, href)
            .ok_or_else(|| refused("its files are on another server"))?;
        let mut archive = Vec::new();
        let response = self.primary.get(&address)?.into_body().into_reader();
        let read = response.take(MAX_ARCHIVE + 1).read_to_end(&mut archive);
        read.map_err(|e| CallError::failed(format!("{address}: {e}"), None))?;
        if archive.len() as u64 > MAX_ARCHIVE {
            return Err(refused("the archive of its files is larger than 16 MiB"));
        }
        let mut body = json!({
            "problem_id": self.there.key(submission).label,
            "language_id": submission.language,
            "team_id": submission.team,
            "time": submission.time,
            "files": [{"data": BASE64_STANDARD.encode(archive), "mime": "application/zip"}],
        });
        if let Some(entry_point) = &submission.entry_point {
            body["entry_point"] = json!(entry_point);
        }
        let path = format!("/contests/{}/submissions", self.contest);
        self.server.post(&path, &body)
    }

    /// The verdicts there and here, if both systems have judged the submission.
    fn verdicts(&self, key: &Key) -> Option<(&str, &str)> {
        self.there.verdict(key).zip(self.here.verdict(key))
    }

    fn differ(&self, key: &Key) -> bool {
        let normal = |verdict| self.same.get(verdict).map_or(verdict, String::as_str);
        let verdicts = self.verdicts(key);
        verdicts.is_some_and(|(there, here)| normal(there) != normal(here))
    }

    /// Prints that the verdicts of a submission begin or cease to differ.
    fn print_change(&mut self, key: &Key) {
        let Some(id) = self.there.id(key).cloned() else {
            return;
        };
        let differs = self.differ(key);
        if self.verdicts(key).is_none() || differs == self.differing.contains(&id) {
            return;
        }
        println!("{}", self.line(&id, key));
        match differs {
            true => self.differing.insert(id),
            false => self.differing.remove(&id),
        };
    }

    fn line(&self, id: &str, key: &Key) -> String {
        let word = if self.differ(key) { "differ" } else { "agree" };
        let (there, here) = self.verdicts(key).unwrap_or_default();
        let (team, label, time) = (&key.team, &key.label, key.time);
        plain(&format!(
            "{word:<6}  there {there}, here {here}: submission {id} of team {team}, problem {label}, {time}"
        ))
    }

    /// Whether all that the primary has judged is judged here, or cannot be.
    fn is_complete(&self) -> bool {
        let is_judged = |(id, submission): (&String, &Submission)| {
            let key = self.there.key(submission);
            let nothing_to_compare =
                self.there.verdict(&key).is_none() || self.refused.contains(id);
            nothing_to_compare || self.here.verdict(&key).is_some()
        };
        self.waiting.is_empty() && self.there.submissions.iter().all(is_judged)
    }

    /// Prints the submissions that differ and the counts; returns the exit status.
    fn print_result(&self) -> u8 {
        let (mut differing, mut equal, mut not_here, mut not_there) = (0, 0, 0, 0);
        println!();
        for (id, submission) in &self.there.submissions {
            let key = self.there.key(submission);
            match self.verdicts(&key) {
                Some(_) if self.differ(&key) => {
                    differing += 1;
                    println!("{}", self.line(id, &key));
                }
                Some(_) => equal += 1,
                None if self.refused.contains(id) => not_here += 1,
                None => not_there += 1,
            }
        }
        let all = self.there.submissions.len();
        println!(
            "{}: {equal} with the same verdict, {differing} with another, {not_here} not judged here, \
             {not_there} not judged there",
            plural(all, "submission"),
        );
        u8::from(differing > 0 || not_here > 0)
    }
}

/// The address of a file: relative to the API, to its host, or a whole one on the same host, since the credentials are
/// sent there.
fn address(base: &str, href: &str) -> Option<String> {
    let scheme = base.find("://")? + 3;
    let host = base[scheme..]
        .find('/')
        .map_or(base, |end| &base[..scheme + end]);
    match href {
        _ if href.starts_with('/') => Some(format!("{host}{href}")),
        _ if href.contains("://") => {
            let rest = href.strip_prefix(host)?;
            rest.starts_with('/').then(|| href.to_owned())
        }
        _ => Some(format!("{base}/{href}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_fetched_from_the_primary_only() {
        let base = "https://a.org/judge/api";
        for (href, expected) in [
            ("contests/c/f", Some("https://a.org/judge/api/contests/c/f")),
            ("/judge/api/f", Some("https://a.org/judge/api/f")),
            ("https://a.org/f", Some("https://a.org/f")),
            ("https://a.org.evil.com/f", None),
            ("http://a.org/f", None),
        ] {
            assert_eq!(address(base, href).as_deref(), expected, "{href}");
        }
    }
}
