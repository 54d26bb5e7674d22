//! A browser without a screen: cookies, forms with their secret, events.

use super::form::{multipart, urlencoded};
use judge_server::store::SubmissionId;
use std::io::{BufRead, BufReader};
use std::sync::Mutex;
use std::time::Duration;
use ureq::http::Response;
use ureq::{Agent, Body};

/// A client of one server. Redirects are not followed.
pub struct Client {
    agent: Agent,
    address: String,
    /// The secret of forms, once signed in.
    csrf: Mutex<String>,
}

/// An answer of the server.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Where a redirect leads.
    pub location: String,
    pub body: String,
}

/// A server-sent event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Event {
    pub kind: String,
    pub data: String,
}

fn answer(mut response: Response<Body>) -> Answer {
    let location = response.headers().get("location");
    Answer {
        status: response.status().as_u16(),
        location: location
            .map(|value| value.to_str().expect("text").to_owned())
            .unwrap_or_default(),
        body: response.body_mut().read_to_string().expect("text"),
    }
}

impl Client {
    /// Not signed in.
    pub fn new(address: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(Duration::from_secs(300)))
            .build();
        Client {
            agent: config.into(),
            address: address.to_owned(),
            csrf: Mutex::default(),
        }
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// As a browser asks for a page.
    pub fn get(&self, path: &str) -> Answer {
        let request = self.agent.get(self.url(path));
        answer(
            request
                .header("accept", "text/html")
                .call()
                .expect("an answer"),
        )
    }

    /// The body of a page that exists.
    pub fn page(&self, path: &str) -> String {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    }

    /// JSON that exists.
    pub fn json(&self, path: &str) -> serde_json::Value {
        let request = self.agent.get(self.url(path));
        let answer = answer(
            request
                .header("accept", "application/json")
                .call()
                .expect("an answer"),
        );
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        serde_json::from_str(&answer.body).expect("JSON")
    }

    fn csrf(&self) -> String {
        self.csrf.lock().expect("no panic").clone()
    }

    /// Sends a form with its secret.
    pub fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let csrf = self.csrf();
        let all = [&[("csrf", csrf.as_str())], fields].concat();
        let request = self
            .agent
            .post(self.url(path))
            .header("accept", "text/html");
        let request = request.content_type("application/x-www-form-urlencoded");
        answer(request.send(urlencoded(&all)).expect("an answer"))
    }

    /// Sends a form with its secret; returns the file of the answer.
    pub fn download(&self, path: &str, fields: &[(&str, &str)]) -> Vec<u8> {
        let csrf = self.csrf();
        let all = [&[("csrf", csrf.as_str())], fields].concat();
        let request = self.agent.post(self.url(path));
        let request = request.content_type("application/x-www-form-urlencoded");
        let mut response = request.send(urlencoded(&all)).expect("an answer");
        assert_eq!(response.status().as_u16(), 200, "{path}");
        response.body_mut().read_to_vec().expect("a file")
    }

    /// Sends a form with files: field, name and content of each.
    pub fn upload(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        files: &[(&str, &str, &[u8])],
    ) -> Answer {
        let csrf = self.csrf();
        let all = [&[("csrf", csrf.as_str())], fields].concat();
        let (kind, body) = multipart(&all, files);
        let request = self
            .agent
            .post(self.url(path))
            .header("accept", "text/html");
        answer(request.content_type(kind).send(&body).expect("an answer"))
    }

    /// Reads the secret of forms from a page; every page has the form to sign out.
    fn signed_in(&self, answer: &Answer) {
        assert_eq!(answer.status, 303, "{}", answer.body);
        let page = self.page("/problems");
        let (_, rest) = page.split_once("name=\"csrf\" value=\"").expect("a form");
        let (csrf, _) = rest.split_once('"').expect("a value");
        csrf.clone_into(&mut self.csrf.lock().expect("no panic"));
    }

    /// Uses a link that signs in.
    pub fn use_link(&self, path: &str) {
        self.signed_in(&self.post(path, &[]));
    }

    /// Signs in by password.
    pub fn sign_in(&self, name: &str, password: &str) {
        let fields = [("name", name), ("password", password)];
        self.signed_in(&self.post("/sign-in", &fields));
    }

    /// Sends a program for practice; the language is that of the file's name.
    pub fn try_submit(&self, problem: &str, file: &str, source: &str) -> Answer {
        let path = format!("/problems/{problem}/submit");
        let files = [("file", file, source.as_bytes())];
        self.upload(&path, &[("language", "")], &files)
    }

    /// Submits a program for practice, which is accepted for judging.
    pub fn submit(&self, problem: &str, file: &str, source: &str) -> SubmissionId {
        let answer = self.try_submit(problem, file, source);
        assert_eq!(answer.status, 303, "{}", answer.body);
        let (_, id) = answer.location.rsplit_once('/').expect("an address");
        SubmissionId(id.parse().expect("a number"))
    }

    /// Listens to server-sent events until the server ends them.
    pub fn events(&self, path: &str) -> impl Iterator<Item = Event> + use<> {
        let request = self.agent.get(self.url(path));
        let response = request
            .header("accept", "text/event-stream")
            .call()
            .expect("an answer");
        assert_eq!(response.status().as_u16(), 200);
        let mut lines = BufReader::new(response.into_body().into_reader()).lines();
        std::iter::from_fn(move || {
            let mut event = Event::default();
            let mut data: Vec<String> = Vec::new();
            loop {
                let line = lines.next()?.expect("the connection stands");
                match line.split_once(':') {
                    None if line.is_empty() && !event.kind.is_empty() => {
                        event.data = data.join("\n");
                        return Some(event);
                    }
                    Some(("event", kind)) => kind.trim().clone_into(&mut event.kind),
                    Some(("data", text)) => {
                        data.push(text.strip_prefix(' ').unwrap_or(text).to_owned());
                    }
                    // Comments keep the connection open.
                    _ => {}
                }
            }
        })
    }
}
