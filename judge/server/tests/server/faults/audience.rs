//! The audience of a contest: listeners of its feed, open pages, readers of pages, and a jury that announces something now
//! and then. All come back after the server was killed, and then miss nothing.

use super::figures::at;
use super::{Random, number};
use crate::common::until;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use ureq::{Agent, Body};

/// Threads that read pages.
const READERS: u64 = 2;
/// Time between two pages of a reader.
const PAUSE: Duration = Duration::from_millis(100);
/// Time between two announcements.
const ANNOUNCE: Duration = Duration::from_secs(10);
/// Time until a server that is not there is asked again.
const RETRY: Duration = Duration::from_millis(100);
/// Longer than a busy machine takes to send what is new.
const LONG: Duration = Duration::from_secs(60);
/// The token of the jury.
const JURY: &str = "jury";
/// The pages that are read.
const PAGES: [&str; 6] = [
    "/contests/c",
    "/contests/c/scoreboard",
    "/submissions",
    "/contests/c/problems/A",
    "/api/contests/c/scoreboard",
    "/jury/submissions",
];
const FEED: &str = "/api/contests/c/event-feed";

/// All of them.
pub struct Audience {
    site: Arc<Site>,
    /// The events that each listener received, by token.
    feeds: BTreeMap<String, Vec<Arc<Mutex<Seen>>>>,
    /// The number of unread clarifications that the open page of each team shows.
    unread: Vec<Arc<Mutex<u64>>>,
    pages: Arc<Mutex<Pages>>,
}

/// The server that runs now, for all threads.
struct Site {
    address: Arc<Mutex<String>>,
    is_over: AtomicBool,
}

/// The events that a listener received.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Seen {
    token: u64,
    /// Number and hash of the events about submissions.
    events: usize,
    hash: u64,
    /// The last events of other objects: the feed does not repeat earlier ones.
    objects: BTreeMap<(String, String), String>,
}

/// Milliseconds of the answers, by page; and answers that are no page.
#[derive(Default)]
struct Pages {
    times: BTreeMap<&'static str, Vec<f64>>,
    errors: BTreeMap<String, usize>,
}

impl Site {
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// The answer of the server that runs now; `None`: there is none.
    fn get(&self, agent: &Agent, path: &str, token: &str) -> Option<ureq::http::Response<Body>> {
        let address = self.address.lock().expect("no panic").clone();
        let request = agent.get(format!("{address}{path}"));
        request
            .header("Authorization", format!("Bearer {token}"))
            .call()
            .ok()
    }

    fn announce(&self, agent: &Agent) {
        let address = self.address.lock().expect("no panic").clone();
        let request = agent.post(format!("{address}/api/contests/c/clarifications"));
        let request = request.header("Authorization", format!("Bearer {JURY}"));
        let body = json!({"text": "The lunch is ready."}).to_string();
        // The server may be killed before or after it keeps it.
        let _ = request.content_type("application/json").send(body);
    }

    /// Reads lines until the connection or everything ends.
    fn read(&self, body: Body, mut on_line: impl FnMut(&str)) {
        let mut lines = BufReader::new(body.into_reader());
        let mut line = String::new();
        while !self.is_over() {
            line.clear();
            match lines.read_line(&mut line) {
                // A server that is killed may leave a part of a line.
                Ok(_) if line.ends_with('\n') => on_line(line.trim_end()),
                _ => return,
            }
        }
    }

    /// Reads a stream again and again; `path` says from where.
    fn follow(&self, token: &str, path: impl Fn() -> String, mut on_line: impl FnMut(&str)) {
        while !self.is_over() {
            match self.get(&agent(), &path(), token) {
                Some(answer) if answer.status() == 200 => {
                    self.read(answer.into_body(), &mut on_line);
                }
                _ => thread::sleep(RETRY),
            }
        }
    }
}

/// A new client: connections to a server that was killed are of no use.
fn agent() -> Agent {
    let config = Agent::config_builder().http_status_as_error(false);
    config.max_redirects(0).build().into()
}

impl Seen {
    fn add(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        let event: Value = serde_json::from_str(line).expect("an event");
        let token = event["token"].as_str().expect("a token");
        let token = token.parse().expect("a number");
        assert!(
            token > self.token,
            "an event came twice, or too late: {line}"
        );
        self.token = token;
        let kind = event["type"].as_str().expect("a type");
        if ["submissions", "judgements", "runs"].contains(&kind) {
            self.events += 1;
            let mut hasher = DefaultHasher::new();
            (self.hash, line).hash(&mut hasher);
            self.hash = hasher.finish();
        } else {
            let key = (kind.to_owned(), event["id"].to_string());
            self.objects.insert(key, line.to_owned());
        }
    }
}

impl Audience {
    /// Starts it; a team's token is its name.
    pub fn start(address: Arc<Mutex<String>>, teams: &[String]) -> Self {
        let site = Arc::new(Site {
            address,
            is_over: AtomicBool::new(false),
        });
        let token = |k: usize| match k % 4 {
            0 => JURY.to_owned(),
            own => teams[own % teams.len()].clone(),
        };
        let mut feeds: BTreeMap<String, Vec<_>> = BTreeMap::new();
        let listeners = number("LISTENERS").unwrap_or(100) as usize;
        for token in (0..listeners).map(token) {
            let seen = Arc::default();
            start_listener(&site, token.clone(), Arc::clone(&seen));
            feeds.entry(token).or_default().push(seen);
        }
        let open_page = |team: &String| {
            let unread = Arc::default();
            start_page(&site, team.clone(), Arc::clone(&unread));
            unread
        };
        let audience = Audience {
            feeds,
            unread: teams.iter().map(open_page).collect(),
            pages: Arc::default(),
            site,
        };
        for k in 0..READERS {
            let (site, pages) = (audience.site.clone(), audience.pages.clone());
            let teams = teams.to_vec();
            thread::spawn(move || read_pages(&site, &pages, &teams, Random(k + 1)));
        }
        let site = audience.site.clone();
        thread::spawn(move || {
            while !site.is_over() {
                site.announce(&agent());
                thread::sleep(ANNOUNCE);
            }
        });
        audience
    }

    /// Compares what was followed with what the server has now, and prints how long pages took.
    pub fn check(self) {
        let agent = agent();
        for (token, listeners) in &self.feeds {
            // New events may still come.
            let soon = Instant::now() + LONG;
            loop {
                let whole = self.feed(&agent, token);
                let mut others = listeners.iter().map(|seen| seen.lock().expect("no panic"));
                let Some(other) = others.find(|seen| **seen != whole) else {
                    break;
                };
                assert!(Instant::now() < soon, "{other:?} is not {whole:?}");
                thread::sleep(RETRY);
            }
        }
        until("all open pages count the announcements", || {
            let path = "/api/contests/c/clarifications";
            let mut all = self.site.get(&agent, path, JURY).expect("an answer");
            let all: Value = serde_json::from_str(&all.body_mut().read_to_string().expect("text"))
                .expect("JSON");
            let count = all.as_array().expect("a list").len() as u64;
            let mut pages = self.unread.iter();
            pages.all(|unread| *unread.lock().expect("no panic") == count)
        });
        let pages = std::mem::take(&mut *self.pages.lock().expect("no panic"));
        let errors = pages.errors;
        assert!(errors.is_empty(), "{errors:#?}");
        for (path, mut times) in pages.times {
            let [p50, p99, most] = [0.5, 0.99, 1.0].map(|share| at(&mut times, share));
            let count = times.len();
            println!(
                "{path}: {count} times, {p50:.1} ms (median), {p99:.1} ms (p99), {most:.0} ms (maximum)"
            );
        }
    }

    /// The whole feed now.
    fn feed(&self, agent: &Agent, token: &str) -> Seen {
        let path = format!("{FEED}?stream=false");
        let answer = self.site.get(agent, &path, token).expect("an answer");
        let mut seen = Seen::default();
        self.site.read(answer.into_body(), |line| seen.add(line));
        seen
    }
}

impl Drop for Audience {
    fn drop(&mut self) {
        self.site.is_over.store(true, Ordering::SeqCst);
    }
}

fn start_listener(site: &Arc<Site>, token: String, seen: Arc<Mutex<Seen>>) {
    let site = site.clone();
    thread::spawn(move || {
        let path = || {
            let seen = seen.lock().expect("no panic");
            match seen.token {
                0 => FEED.to_owned(),
                _ => format!("{FEED}?since_token={}", seen.token),
            }
        };
        site.follow(&token, path, |line| {
            seen.lock().expect("no panic").add(line);
        });
    });
}

/// The page of a team that is open all the time.
fn start_page(site: &Arc<Site>, token: String, unread: Arc<Mutex<u64>>) {
    let site = site.clone();
    thread::spawn(move || {
        let mut kind = String::new();
        let path = || "/live".to_owned();
        site.follow(&token, path, |line| match line.split_once(": ") {
            Some(("event", own)) => own.clone_into(&mut kind),
            Some(("data", data)) if kind == "unread" => {
                let count: Value = serde_json::from_str(data).expect("JSON");
                *unread.lock().expect("no panic") = count["count"].as_u64().expect("a count");
            }
            _ => {}
        });
    });
}

fn read_pages(site: &Site, pages: &Mutex<Pages>, teams: &[String], mut random: Random) {
    let mut agent = agent();
    while !site.is_over() {
        thread::sleep(PAUSE);
        let path = PAGES[random.below(PAGES.len() as u64) as usize];
        let token = match path.starts_with("/jury") {
            true => JURY,
            false => &teams[random.below(teams.len() as u64) as usize],
        };
        let start = Instant::now();
        let answer = site.get(&agent, path, token);
        let read = answer.and_then(|mut answer| {
            let body = answer.body_mut().read_to_string().ok()?;
            Some((answer.status(), body))
        });
        let ms = start.elapsed().as_secs_f64() * 1e3;
        let mut pages = pages.lock().expect("no panic");
        match read {
            Some((status, _)) if status == 200 => pages.times.entry(path).or_default().push(ms),
            Some((status, body)) => {
                let error = format!("{path}: {status}: {body}");
                *pages.errors.entry(error).or_default() += 1;
            }
            None => agent = self::agent(),
        }
    }
}
