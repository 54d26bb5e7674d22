//! Routes of handlers that block: most of them read the store and render.

use super::error::AppState;
use super::{App, Result};
use axum::Router;
use axum::extract::{FromRequest, State};
use axum::handler::Handler;
use axum::response::IntoResponse;
use axum::routing::{self, MethodRouter};

/// Routes, and their addresses for the tests that ask all of them.
#[derive(Default)]
pub(crate) struct Routes {
    pub(crate) router: Router<App>,
    /// Each address with a method that it has.
    pub(crate) addresses: Vec<(String, &'static str)>,
}

impl Routes {
    /// Adds a handler of `GET`, with its extractor or a tuple of them.
    pub(crate) fn get<X, R, M>(self, path: &str, handler: fn(&App, X) -> Result<R>) -> Self
    where
        X: FromRequest<App, M> + Send + 'static,
        R: IntoResponse + Send + 'static,
        M: 'static,
    {
        self.add("GET", path, routing::get(blocking(handler)))
    }

    /// Adds a handler of `POST`, with its extractor or a tuple of them.
    pub(crate) fn post<X, R, M>(self, path: &str, handler: fn(&App, X) -> Result<R>) -> Self
    where
        X: FromRequest<App, M> + Send + 'static,
        R: IntoResponse + Send + 'static,
        M: 'static,
    {
        self.add("POST", path, routing::post(blocking(handler)))
    }

    /// Adds handlers of one method.
    pub(crate) fn add(
        mut self,
        method: &'static str,
        path: &str,
        handler: MethodRouter<App>,
    ) -> Self {
        self.router = self.router.route(path, handler);
        self.addresses.push((path.to_owned(), method));
        self
    }
}

/// Runs a handler beside the asynchronous threads.
pub(crate) fn blocking<X, R, M>(
    handler: fn(&App, X) -> Result<R>,
) -> impl Handler<(M, AppState, X), App>
where
    X: FromRequest<App, M> + Send + 'static,
    R: IntoResponse + Send + 'static,
    M: 'static,
{
    move |State(app): AppState, given: X| async move {
        app.blocking(move |app| Ok(handler(app, given)?.into_response()))
            .await
    }
}
