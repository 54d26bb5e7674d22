//! The web server: the only asynchronous part. Handlers ask `access` what the caller may do, call the
//! store through [`App::blocking`], and render.

pub mod auth;
mod client;
pub mod error;
mod health;
mod metrics;
mod rate;
mod security;
mod serve;
pub mod submissions;
pub mod submit;

pub use auth::{Admin, Caller, Jury, SignedIn};
pub use error::{HttpError, Result};
pub use rate::RateLimits;
pub use serve::{Listen, Tls, serve};

use crate::api::{self, Hub};
use crate::blobs::Blobs;
use crate::languages::Languages;
use crate::packages::Packages;
use crate::pages;
use crate::queue::Queue;
use crate::store::Store;
use crate::worker::Fleet;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::get;
use std::sync::Arc;

/// What every handler has.
#[derive(Clone)]
pub struct App(Arc<Parts>, Arc<Hub>, Arc<pages::Cache>);

/// The parts of [`App`].
pub struct Parts {
    /// The state.
    pub store: Arc<Store>,
    /// The work.
    pub queue: Arc<dyn Queue>,
    /// Sources.
    pub blobs: Blobs,
    /// Snapshots of packages.
    pub packages: Arc<Packages>,
    /// Languages to submit in.
    pub languages: Languages,
    /// Workers that share the work through NATS.
    pub fleet: Arc<Fleet>,
    /// Limits of sign-ins and submissions.
    pub rates: RateLimits,
    /// Cookies are sent over TLS only.
    pub secure: bool,
}

impl std::ops::Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl App {
    /// Shares the parts.
    pub fn new(parts: Parts) -> Self {
        App(Arc::new(parts), Arc::default(), Arc::default())
    }

    /// The senders of new events, per contest.
    pub fn hub(&self) -> &Hub {
        &self.1
    }

    /// What pages keep between requests.
    pub(crate) fn cache(&self) -> &pages::Cache {
        &self.2
    }

    /// Runs what blocks (store, files, hashes of passwords) beside the asynchronous threads.
    ///
    /// # Errors
    ///
    /// That of `work`; an internal one if it panics.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let app = self.clone();
        let joined = tokio::task::spawn_blocking(move || work(&app)).await;
        joined.map_err(|e| HttpError::Internal(e.to_string()))?
    }
}

/// The largest request; uploads of packages have their own limit.
pub const BODY_LIMIT: usize = 2 << 20;

/// All routes. Has to be called in a runtime, where it starts the tasks of the event feed.
pub fn router(app: App) -> Router {
    api::start(&app);
    let routes = Router::new()
        .route("/healthz", get(health::health))
        .route("/metrics", get(metrics::show))
        .merge(pages::routes())
        .merge(crate::jury::routes())
        .merge(api::routes())
        .fallback(|| async { HttpError::NotFound("there is no such page".to_owned()) })
        .method_not_allowed_fallback(|| async { HttpError::NotAllowed })
        .layer(DefaultBodyLimit::max(BODY_LIMIT));
    security::layers(routes, &app).with_state(app)
}
