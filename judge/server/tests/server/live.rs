//! The stream of a viewer for all open pages: questions, answers, announcements, the start of a contest, judging, uploads.

use crate::common::{Client, Data, Server, sum};
use judge_server::store::{Role, now_ms};
use serde_json::Value;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// The events of a viewer, received by a thread: kind and data.
struct Events(Receiver<(String, String)>);

impl Events {
    /// Listens from now on: returns after the first event, the count.
    fn of(client: Client) -> Self {
        let (sender, receiver) = channel();
        thread::spawn(move || {
            for event in client.events("/live") {
                if sender.send((event.kind, event.data)).is_err() {
                    return;
                }
            }
        });
        let events = Events(receiver);
        assert_eq!(events.next().0, "unread");
        events
    }

    /// The next event; waits for it as long as the server is there.
    fn next(&self) -> (String, String) {
        self.0.recv().expect("the server sends an event")
    }

    /// Waits for an event of this kind that fits.
    fn wait(&self, kind: &str, fits: impl Fn(&str) -> bool) -> String {
        loop {
            let (own, data) = self.next();
            if own == kind && fits(&data) {
                return data;
            }
        }
    }

    fn json(&self, kind: &str) -> Value {
        serde_json::from_str(&self.wait(kind, |_| true)).expect("JSON")
    }
}

fn started(data: &Data) -> Server<'_> {
    let (_, team) = data.contest();
    data.user("ada", Role::Team, Some(team));
    data.user("judge", Role::Jury, None);
    data.serve()
}

#[test]
fn questions_answers_and_announcements_reach_those_they_are_for() {
    let data = Data::new(&[sum("sum"), sum("sum-again")]);
    let server = started(&data);
    let (ada, judge) = (server.sign_in("ada"), server.sign_in("judge"));
    let of_ada = Events::of(server.sign_in("ada"));
    let of_judge = Events::of(server.sign_in("judge"));
    let spectator = Events::of(Client::new(&server.address));

    let page = "/contests/c/clarifications";
    let asked = ada.post(page, &[("about", "problem A"), ("text", "Is 0 allowed?")]);
    assert_eq!(asked.status, 303, "{}", asked.body);
    let notice = of_judge.json("notice");
    assert_eq!(notice["text"], "Is 0 allowed?");
    let count = of_judge.json("unread");
    assert_eq!(
        (&count["count"], &count["href"]),
        (&1.into(), &"/jury/clarifications/c".into())
    );

    let answered = judge.post(
        "/jury/clarifications/c/1/answer",
        &[("text", "Yes."), ("to", "team")],
    );
    assert_eq!(answered.status, 303, "{}", answered.body);
    // The first notice of the team is the answer, not its own question.
    let notice = of_ada.json("notice");
    assert_eq!(
        (&notice["title"], &notice["text"]),
        (&"Answer of the jury".into(), &"Yes.".into())
    );
    assert_eq!(of_ada.json("unread")["count"], 1);
    assert_eq!(of_judge.json("unread")["count"], 0, "it is answered");

    let said = judge.post(
        "/jury/clarifications/c",
        &[("text", "Lunch is ready."), ("problem", "")],
    );
    assert_eq!(said.status, 303, "{}", said.body);
    assert_eq!(of_ada.json("unread")["count"], 2);
    // A spectator gets the announcement only.
    assert_eq!(spectator.json("notice")["text"], "Lunch is ready.");

    // Without a script the page of the contest has the count, and the list marks what is new; both are read then.
    let overview = ada.page("/contests/c");
    assert!(overview.contains("2 new"), "{overview}");
    // A page that is loaded again in the background reads nothing; this one does.
    let list = ada.page(page);
    assert_eq!(list.matches(">new<").count(), 2, "{list}");
    assert_eq!(of_ada.json("unread")["count"], 0);
    assert!(!ada.page("/contests/c").contains("2 new"));
}

#[test]
fn a_team_gets_a_notice_of_a_verdict_on_every_page() {
    let data = Data::new(&[sum("sum"), sum("sum-again")]);
    let server = started(&data);
    let ada = server.sign_in("ada");
    let of_ada = Events::of(server.sign_in("ada"));
    let spectator = Events::of(Client::new(&server.address));
    let source = "a, b = map(int, input().split())\nprint(a - b)\n";
    let fields = [("language", "python3"), ("source", source)];
    let sent = ada.upload("/contests/c/problems/A/submit", &fields, &[]);
    assert_eq!(sent.status, 303, "{sent:?}");
    let notice = of_ada.json("notice");
    assert_eq!(
        (&notice["title"], &notice["text"], &notice["href"]),
        (
            &"Submission 1".into(),
            &"Problem A: Wrong answer".into(),
            &"/submissions/1".into()
        )
    );
    // A page that is opened then has it, too; the script shows it once.
    let next = Events::of(server.sign_in("ada"));
    assert_eq!(next.json("notice")["key"], notice["key"]);

    // It is for the team alone.
    let judge = server.sign_in("judge");
    let fields = [("text", "Lunch is ready."), ("problem", "")];
    let said = judge.post("/jury/clarifications/c", &fields);
    assert_eq!(said.status, 303, "{}", said.body);
    assert_eq!(spectator.json("notice")["text"], "Lunch is ready.");
}

#[test]
fn the_start_of_a_contest_and_judging_are_announced() {
    let data = Data::new(&[sum("sum"), sum("sum-again")]);
    let server = started(&data);
    let admin = Client::new(&server.address);
    admin.use_link(&server.link);
    let of_judge = Events::of(server.sign_in("judge"));
    let spectator = Events::of(Client::new(&server.address));

    // A submission: the jury's lists change, nothing that a spectator would load again.
    let ada = server.sign_in("ada");
    let source = "a, b = map(int, input().split())\nprint(a + b)\n";
    let fields = [("language", "python3"), ("source", source)];
    let sent = ada.upload("/contests/c/problems/A/submit", &fields, &[]);
    assert_eq!(sent.status, 303, "{sent:?}");
    of_judge.wait("changed", |part| part == "judging");

    // A contest that starts by itself; the server sets the time mark when the start is saved.
    let start = now_ms() + 3000;
    let time = chrono::DateTime::from_timestamp_millis(start).expect("a time");
    let time = time.format("%Y-%m-%dT%H:%M:%SZ").to_string();
    let fields = [
        ("id", "next"),
        ("name", "Next"),
        ("start", &*time),
        ("duration", "5 h"),
        ("public", "1"),
    ];
    let added = admin.post("/jury/contests", &fields);
    assert_eq!(added.status, 303, "{}", added.body);
    spectator.wait("changed", |part| part == "contest");
    let started = || {
        let state = admin.json("/api/contests/next/state");
        state["started"].is_string()
    };
    while !started() {
        spectator.wait("changed", |part| part == "contest");
    }
}
