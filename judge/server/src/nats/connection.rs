//! A connection to NATS for threads that block.

use super::options::{Options, REQUEST, addresses, configure, without_secrets};
use async_nats::jetstream::{self, context::ContextBuilder};
use async_nats::{Client, Event, Message, ServerError};
use futures_util::StreamExt;
use judge_core::error::{Failure, Reason};
use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::watch;

/// Publications whose acknowledgement may be outstanding.
const IN_FLIGHT: usize = 1024;
/// How often a request that waits notices that the process is to stop.
const LOOK: Duration = Duration::from_millis(100);
/// How long a request, with its repetitions, may take when the process stops.
pub(super) const STOPPING: Duration = Duration::from_millis(500);

/// A request to NATS failed.
#[derive(Clone, thiserror::Error, Debug)]
#[error("NATS at {url}: {message}")]
pub struct Error {
    /// The servers, without passwords.
    url: String,
    /// The failed operation, and the reason.
    message: Reason,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::usage(error.to_string())
    }
}

/// The result of a request to NATS.
pub type Result<T> = std::result::Result<T, Error>;

/// State of the connection.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Session {
    /// How often the connection was established.
    pub number: u64,
    /// Whether it is established now.
    pub connected: bool,
}

/// A connection that is established again whenever it is lost. Its requests block, each for at most
/// [`REQUEST`]; they may come from any thread that is not one of an async runtime's own.
pub struct Connection {
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    client: Client,
    jetstream: jetstream::Context,
    session: watch::Receiver<Session>,
    /// The server's last refusal of a subject.
    refusal: watch::Receiver<Option<String>>,
    url: String,
}

impl Connection {
    /// Connects.
    pub fn open(options: &Options) -> Result<Self> {
        let url = without_secrets(&options.url);
        let fail = |message: Reason| Error {
            url: url.clone(),
            message,
        };
        let servers = addresses(&options.url).map_err(&fail)?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("nats")
            .enable_all()
            .build()
            .map_err(|e| fail(Reason::new(format!("failed to start a thread: {e}"))))?;
        let (sender, session) = watch::channel(Session::default());
        let (refuse, refusal) = watch::channel(None);
        let connect = configure(options).map_err(&fail)?;
        let logged = url.clone();
        let connect = connect.event_callback(move |event| {
            note(&sender, &logged, &event);
            if let Event::ServerError(ServerError::Other(why)) = &event
                && why.to_lowercase().contains("permissions violation")
            {
                refuse.send_replace(Some(why.clone()));
            }
            async {}
        });
        let client = runtime.block_on(async {
            let client = connect.connect(servers).await?;
            // The event of the first connection may still be on its way.
            let connected = |session: &Session| session.number > 0;
            let _ = session.clone().wait_for(connected).await;
            Ok(client)
        });
        let client = client.map_err(|e: async_nats::ConnectError| {
            fail(Reason::new(format!(
                "failed to connect: {e}\n  help: check that nats-server runs there, and the files of keys and certificates"
            )))
        })?;
        let jetstream = {
            let _inside = runtime.enter();
            ContextBuilder::new()
                .timeout(REQUEST)
                .ack_timeout(REQUEST)
                .max_ack_inflight(IN_FLIGHT)
                .backpressure_on_inflight(true)
                .build(client.clone())
        };
        Ok(Connection {
            runtime: Some(runtime),
            client,
            jetstream,
            session,
            refusal,
            url,
        })
    }

    /// The servers' addresses, without passwords.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The client, for messages that are not stored.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// JetStream. Publications wait while 1024 acknowledgements are outstanding.
    pub fn jetstream(&self) -> &jetstream::Context {
        &self.jetstream
    }

    /// Follows the state of the connection.
    pub fn session(&self) -> watch::Receiver<Session> {
        self.session.clone()
    }

    /// Waits until the connection is established, for at most `most`, and only for a moment once the process is to stop.
    /// Returns whether it is established.
    pub(crate) fn wait_connected(&self, most: Duration) -> bool {
        let mut session = self.session();
        self.runtime().block_on(async {
            tokio::select! {
                connected = session.wait_for(|session| session.connected) => connected.is_ok(),
                _ = patience(most) => false,
            }
        })
    }

    /// The runtime of this connection, for tasks beside the requests. It ends with the connection.
    pub fn runtime(&self) -> &Handle {
        self.runtime.as_ref().expect("it is not dropped").handle()
    }

    /// An error about these servers.
    pub(crate) fn error(&self, message: impl fmt::Display) -> Error {
        Error {
            url: self.url.clone(),
            message: Reason::new(message),
        }
    }

    /// Runs a request for at most [`REQUEST`]; `what` completes "failed to" in the error. Without a
    /// connection it fails at once: the client would keep the message, and deliver it too late.
    pub fn request<T, E: fmt::Display>(
        &self,
        what: &str,
        future: impl Future<Output = std::result::Result<T, E>>,
    ) -> Result<T> {
        self.request_within(REQUEST, what, future)
    }

    /// Listens to a subject on the runtime of this connection, until `on_message` returns false. `what`
    /// completes "failed to" in the error.
    pub(crate) fn listen(
        &self,
        what: &str,
        subject: String,
        mut on_message: impl FnMut(Message) -> bool + Send + 'static,
    ) -> Result<()> {
        let mut messages = self.request(what, self.client.subscribe(subject))?;
        self.runtime().spawn(async move {
            while let Some(message) = messages.next().await
                && on_message(message)
            {}
        });
        Ok(())
    }

    /// Runs several requests in the given time; else like [`Connection::request`].
    pub(crate) fn request_within<T, E: fmt::Display>(
        &self,
        most: Duration,
        what: &str,
        future: impl Future<Output = std::result::Result<T, E>>,
    ) -> Result<T> {
        let mut answer = Ok(None);
        self.run_within(
            most,
            what,
            pin!(async {
                answer = future.await.map(Some).map_err(|e| self.failed(what, &e));
            }),
        )?;
        Ok(answer?.expect("the request ended"))
    }

    /// Runs a future of any type as [`Connection::request_within`] does; its result is the caller's to keep. Not
    /// generic, so that the runtime's code is compiled once instead of for each request.
    fn run_within(
        &self,
        most: Duration,
        what: &str,
        request: Pin<&mut dyn Future<Output = ()>>,
    ) -> Result<()> {
        let mut session = self.session();
        let start = *session.borrow_and_update();
        if !start.connected {
            return Err(self.failed(what, &"not connected"));
        }
        self.runtime().block_on(async {
            tokio::select! {
                () = request => Ok(()),
                _ = session.wait_for(|now| *now != start) => {
                    Err(self.failed(what, &"the connection was lost"))
                }
                waited = patience(most) => {
                    Err(self.failed(what, &format_args!("no answer in {:.1} s", waited.as_secs_f64())))
                }
            }
        })
    }

    fn failed(&self, what: &str, why: &dyn fmt::Display) -> Error {
        self.error(format_args!("failed to {what}: {why}"))
    }

    /// The first requests of a process: like [`Connection::request_within`], and fails as soon as the server
    /// refuses a subject. NATS does not say which request a refusal belongs to; an answer to this one
    /// would never come.
    pub(crate) fn first_request<T, E: fmt::Display>(
        &self,
        most: Duration,
        what: &str,
        future: impl Future<Output = std::result::Result<T, E>>,
    ) -> Result<T> {
        let mut refusal = self.refusal.clone();
        self.request_within(most, what, async {
            tokio::select! {
                done = future => done.map_err(|e| e.to_string()),
                why = refusal.wait_for(Option::is_some) => Err(format!(
                    "{}\n  help: check the permissions of this user, and that --nats-name is theirs",
                    why.ok().and_then(|why| why.clone()).unwrap_or_default(),
                )),
            }
        })
    }
}

/// Waits for this long, or until shortly after an interrupt of the process. Returns the time that passed.
async fn patience(most: Duration) -> Duration {
    let start = Instant::now();
    let mut end = start + most;
    let mut stops = false;
    while let left = end.saturating_duration_since(Instant::now())
        && !left.is_zero()
    {
        tokio::time::sleep(left.min(LOOK)).await;
        if judge_sandbox::interrupted() && !stops {
            stops = true;
            end = end.min(Instant::now() + STOPPING);
        }
    }
    start.elapsed()
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Does not block, so that it may be dropped on any thread.
            runtime.shutdown_background();
        }
    }
}

/// Keeps the state of the connection, and logs what happens to it.
fn note(session: &watch::Sender<Session>, url: &str, event: &Event) {
    match event {
        Event::Connected => {
            session.send_modify(|session| {
                session.number += 1;
                session.connected = true;
            });
            if session.borrow().number > 1 {
                tracing::info!("NATS at {url}: connected again");
            }
        }
        Event::Disconnected => {
            session.send_modify(|session| session.connected = false);
            tracing::warn!("NATS at {url}: the connection is lost");
        }
        Event::ServerError(error) => tracing::error!("NATS at {url}: {error}"),
        // It repeats that the server is not reached.
        Event::ClientError(error) => tracing::debug!("NATS at {url}: {error}"),
        event => tracing::info!("NATS at {url}: {event}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_that_cannot_be_made_says_where_and_what_to_do() {
        let at = |url: &str| {
            Connection::open(&Options {
                url: url.to_owned(),
                ..Options::default()
            })
        };
        let error = at("nats://127.0.0.1:1")
            .err()
            .expect("a free port")
            .to_string();
        assert!(
            error.contains("NATS at nats://127.0.0.1:1: failed to connect"),
            "{error}"
        );
        assert!(error.contains("help: "), "{error}");
        let error = at("http://127.0.0.1:1")
            .err()
            .expect("a scheme")
            .to_string();
        assert!(error.contains("write nats://"), "{error}");
        let missing = Options {
            url: "nats://127.0.0.1:1".to_owned(),
            nkey: Some("/nonexistent/seed".into()),
            ..Options::default()
        };
        let error = Connection::open(&missing)
            .err()
            .expect("no file")
            .to_string();
        assert!(
            error.contains("failed to read /nonexistent/seed"),
            "{error}"
        );
    }
}
