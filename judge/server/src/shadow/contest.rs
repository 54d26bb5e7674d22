//! Submissions and judgements of a contest, read from its event feed: of version 2022-07 and later, where an event has
//! the whole object or nothing, and of 2020-03, where it has an operation.

use crate::contest_api::Time;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// Submissions and judgements of a contest.
#[derive(Default, Debug)]
pub struct Contest {
    /// Of the problems, by id.
    labels: HashMap<String, String>,
    pub submissions: BTreeMap<String, Submission>,
    /// By the ids of their submission and of themselves.
    judgements: BTreeMap<(String, String), Judgement>,
    ids: HashMap<Key, String>,
    /// Whether nothing will change any more.
    pub has_ended: bool,
}

#[derive(Clone, Debug)]
pub struct Submission {
    pub team: String,
    pub problem: String,
    pub language: String,
    pub entry_point: Option<String>,
    pub time: Time,
    /// The address of the archive of its files.
    pub files: Option<String>,
}

#[derive(Debug)]
struct Judgement {
    start: String,
    verdict: Option<String>,
    counts: bool,
}

/// Identifies a submission on both systems, which give it ids of their own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    pub time: Time,
    pub team: String,
    pub label: String,
}

impl Contest {
    /// Takes an event; returns the id of the submission that it concerns.
    pub fn apply(&mut self, event: &Value) -> Option<String> {
        let kind = event["type"].as_str()?;
        let data = &event["data"];
        // In 2020-03 an event has an id of its own.
        let id = text(data, "id").or_else(|| text(event, "id"));
        let is_deleted = data.is_null() || event["op"] == "delete";
        match (kind, id) {
            ("state", _) => {
                self.has_ended = !data["end_of_updates"].is_null();
                None
            }
            (_, Some(id)) if is_deleted => self.remove(kind, &id),
            (_, Some(id)) => self.put(kind, id, data),
            // A whole collection.
            (_, None) => {
                for object in data.as_array()? {
                    self.put(kind, text(object, "id")?, object);
                }
                None
            }
        }
    }

    fn put(&mut self, kind: &str, id: String, data: &Value) -> Option<String> {
        match kind {
            "problems" => {
                self.labels.insert(id, text(data, "label")?);
                None
            }
            "submissions" => {
                let submission = Submission {
                    team: text(data, "team_id")?,
                    problem: text(data, "problem_id")?,
                    language: text(data, "language_id")?,
                    entry_point: text(data, "entry_point"),
                    time: data["time"].as_str()?.parse().ok()?,
                    files: text(&data["files"][0], "href"),
                };
                self.ids.insert(self.key(&submission), id.clone());
                self.submissions.insert(id.clone(), submission);
                Some(id)
            }
            "judgements" => {
                let submission = text(data, "submission_id")?;
                let judgement = Judgement {
                    start: text(data, "start_contest_time").unwrap_or_default(),
                    verdict: text(data, "judgement_type_id"),
                    // Both names have been used for what a rejudging replaced.
                    counts: data["valid"] != false && data["current"] != false,
                };
                self.judgements.insert((submission.clone(), id), judgement);
                Some(submission)
            }
            _ => None,
        }
    }

    fn remove(&mut self, kind: &str, id: &str) -> Option<String> {
        match kind {
            "submissions" => {
                let removed = self.submissions.remove(id)?;
                self.ids.remove(&self.key(&removed));
                Some(id.to_owned())
            }
            "judgements" => {
                let mut keys = self.judgements.keys();
                let key = keys.find(|(_, judgement)| judgement == id)?.clone();
                self.judgements.remove(&key);
                Some(key.0)
            }
            _ => None,
        }
    }

    pub fn key(&self, submission: &Submission) -> Key {
        let label = self.labels.get(&submission.problem);
        Key {
            time: submission.time,
            team: submission.team.clone(),
            label: label.unwrap_or(&submission.problem).clone(),
        }
    }

    /// The id of the submission.
    pub fn id(&self, key: &Key) -> Option<&String> {
        self.ids.get(key)
    }

    /// Whether the contest has the submission.
    pub fn has(&self, key: &Key) -> bool {
        self.id(key).is_some()
    }

    /// The verdict that counts: that of the judgement that began last.
    pub fn verdict(&self, key: &Key) -> Option<&str> {
        let id = self.ids.get(key)?;
        let all = self.judgements.range((id.clone(), String::new())..);
        let own = all.take_while(|((submission, _), _)| submission == id);
        let counting = own.filter(|(_, judgement)| judgement.counts && judgement.verdict.is_some());
        let last = counting.max_by_key(|((_, id), judgement)| (&judgement.start, id))?;
        last.1.verdict.as_deref()
    }
}

/// A text of an object; `None` if it is missing or empty.
fn text(object: &Value, name: &str) -> Option<String> {
    let text = object[name].as_str()?;
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn submission() -> Value {
        json!({
            "id": "s1", "team_id": "t", "problem_id": "sum", "language_id": "cpp",
            "time": "2026-01-01T10:00:01.500Z",
            "files": [{"href": "contests/c/submissions/s1/files", "mime": "application/zip"}],
        })
    }

    fn judgement(id: &str, verdict: Option<&str>, start: &str) -> Value {
        json!({
            "id": id, "submission_id": "s1", "judgement_type_id": verdict,
            "start_contest_time": start,
        })
    }

    fn event(kind: &str, data: &Value) -> Value {
        json!({"type": kind, "id": data["id"], "data": data})
    }

    fn contest() -> (Contest, Key) {
        let mut contest = Contest::default();
        contest.apply(&event("problems", &json!({"id": "sum", "label": "A"})));
        let id = contest.apply(&event("submissions", &submission()));
        let key = contest.key(&contest.submissions[&id.expect("a submission")]);
        (contest, key)
    }

    #[test]
    fn the_last_judgement_that_counts_is_the_result() {
        let (mut contest, key) = contest();
        assert_eq!(key.label, "A");
        assert_eq!(contest.verdict(&key), None);
        let first = judgement("9", Some("WA"), "0:00:02.000");
        assert_eq!(
            contest.apply(&event("judgements", &first)).as_deref(),
            Some("s1")
        );
        assert_eq!(contest.verdict(&key), Some("WA"));
        // A rejudging counts once it is over.
        contest.apply(&event("judgements", &judgement("10", None, "0:30:00.000")));
        assert_eq!(contest.verdict(&key), Some("WA"));
        contest.apply(&event(
            "judgements",
            &judgement("10", Some("AC"), "0:30:00.000"),
        ));
        assert_eq!(contest.verdict(&key), Some("AC"));
        contest.apply(&json!({"type": "judgements", "id": "10", "data": null}));
        assert_eq!(contest.verdict(&key), Some("WA"));
        let mut replaced = judgement("9", Some("WA"), "0:00:02.000");
        replaced["current"] = json!(false);
        contest.apply(&event("judgements", &replaced));
        assert_eq!(contest.verdict(&key), None);
    }

    #[test]
    fn submissions_and_the_end_may_be_withdrawn() {
        let (mut contest, key) = contest();
        assert!(contest.has(&key) && !contest.has_ended);
        contest.apply(&json!({"type": "submissions", "id": "s1", "data": null}));
        assert!(!contest.has(&key));
        contest
            .apply(&json!({"type": "state", "data": {"end_of_updates": "2026-01-01T16:00:00Z"}}));
        assert!(contest.has_ended);
        contest.apply(&json!({"type": "state", "data": {"end_of_updates": null}}));
        assert!(!contest.has_ended);
    }

    #[test]
    fn older_feeds_and_whole_collections_are_read() {
        let mut contest = Contest::default();
        let problems = json!([{"id": "sum", "label": "A"}, {"id": "b", "label": "B"}]);
        contest.apply(&json!({"type": "problems", "id": null, "data": problems}));
        let created =
            json!({"type": "submissions", "op": "create", "id": "e7", "data": submission()});
        let id = contest.apply(&created).expect("a submission");
        assert_eq!(id, "s1");
        let key = contest.key(&contest.submissions[&id]);
        assert_eq!(key.label, "A");
        let deleted =
            json!({"type": "submissions", "op": "delete", "id": "e8", "data": {"id": "s1"}});
        contest.apply(&deleted);
        assert!(!contest.has(&key));
    }
}
