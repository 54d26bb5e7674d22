//! Shared code of the handlers of `pages`, `jury` and `api`: the caller, forms, errors, limits. Handlers
//! ask `access` what the caller may do, call the store through `App::blocking`, and render. Functions that return a
//! `Result` fail when the store fails; a sentence that begins with "Fails" names other reasons.

pub(crate) mod auth;
pub(crate) mod client;
mod download;
pub(crate) mod error;
mod form;
mod health;
pub(crate) mod permit;
pub(crate) mod rate;
pub(crate) mod rights;
pub(crate) mod routes;
pub(crate) mod sse;

pub(crate) use auth::{Caller, SignedIn};
pub(crate) use download::{saved_as, sent_file, streamed, zip};
pub(crate) use error::{
    HttpError, PageResult, Result, bad_request, conflict, forbidden, internal, no_temporary_files,
    not_allowed, not_found, sign_in, too_large,
};
pub use form::SentFile;
pub(crate) use form::{
    ANYBODY_LIMIT, BODY_LIMIT, Fields, Form, MaxUpload, Upload, read_body, read_fields, read_parts,
};
pub use health::Health;
pub(crate) use permit::Jury;
pub use permit::{Of, Rule};
pub use rate::RateLimits;

use crate::blobs::Blobs;
use crate::boards::{Boards, Renderings};
use crate::feed::Hub;
use crate::languages::Languages;
use crate::notices::Notices;
use crate::packages::Packages;
use crate::printing::Printer;
use crate::statement::Texts;
use crate::store::{SqliteQueue, Store};
use crate::work_protocol::Fleet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// Content security policy of images, which are not trusted: an SVG image that is opened as a page must run
/// no script.
pub const IMAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// Shared state of all handlers.
#[derive(Clone)]
pub struct App(Arc<ServerState>);

struct ServerState {
    parts: Parts,
    boards: Boards,
    renderings: Renderings,
    feeds: Hub,
    texts: Texts,
    notices: Notices,
}

pub struct Parts {
    pub store: Arc<Store>,
    pub queue: Arc<SqliteQueue>,
    /// Sources.
    pub blobs: Blobs,
    /// Snapshots of packages.
    pub packages: Arc<Packages>,
    /// Languages to submit in.
    pub languages: Languages,
    /// Workers that share the work through NATS.
    pub fleet: Arc<Fleet>,
    /// The workers of this process, and the disks that they and the store need.
    pub health: Health,
    /// Limits of sign-ins and submissions.
    pub rates: RateLimits,
    /// Prints for teams; `None`: the server does not print.
    pub printer: Option<Printer>,
    /// Cookies are sent over TLS only.
    pub secure: bool,
    /// After this long without the request that a connection is for, or the next piece of its body, the connection is
    /// closed.
    pub idle: Duration,
}

impl std::ops::Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0.parts
    }
}

impl App {
    pub fn new(parts: Parts) -> Self {
        App(Arc::new(ServerState {
            parts,
            boards: Boards::default(),
            renderings: Renderings::default(),
            feeds: Hub::default(),
            texts: Texts::default(),
            notices: Notices::default(),
        }))
    }

    pub(crate) fn boards(&self) -> &Boards {
        &self.0.boards
    }

    pub(crate) fn renderings(&self) -> &Renderings {
        &self.0.renderings
    }

    /// The listeners of the event feeds.
    pub(crate) fn feeds(&self) -> &Hub {
        &self.0.feeds
    }

    pub(crate) fn notices(&self) -> &Notices {
        &self.0.notices
    }

    pub(crate) fn texts(&self) -> &Texts {
        &self.0.texts
    }

    /// Runs what blocks (store, files, hashes of passwords) beside the asynchronous threads.
    pub(crate) fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> Result<T> + Send + 'static,
    ) -> impl Future<Output = Result<T>> + Send {
        let app = self.clone();
        let (send, result) = oneshot::channel();
        let work = Box::new(move || {
            // A caller that is gone needs no result.
            let _ = send.send(work(&app));
        });
        result_of(work, result)
    }
}

/// Runs work beside the asynchronous threads, and receives its result. The work is boxed, so that this and the
/// runtime's code are compiled for each type of results instead of for each handler.
async fn result_of<T>(
    work: Box<dyn FnOnce() + Send>,
    result: oneshot::Receiver<Result<T>>,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(internal)?;
    result.await.map_err(internal)?
}
