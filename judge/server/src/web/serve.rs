//! Listens, with or without TLS, until a signal stops the server.

use super::connections::{Acceptor, Requests, bound};
use super::listen::{Listen, Tls, identify};
use super::seldom::Seldom;
use super::{LIFE, metrics, router};
use crate::http::App;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::middleware::{Next, from_fn, map_request};
use axum::response::Response;
use axum_server::tls_rustls::RustlsConfig;
use axum_server::{Handle, Server};
use futures_util::StreamExt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tower_http::timeout::TimeoutBody;

/// Requests that are not answered when the server stops get this long. Event feeds and live pages end at
/// once.
const GRACE: Duration = Duration::from_secs(2);

/// Maximum bytes of the head of a request, and of a response that waits for a slow client.
const MAX_BUFFER: usize = 64 << 10;

/// Serves until SIGTERM or SIGINT; calls `ready` with the address.
/// Fails when it cannot listen there, or the certificate cannot be read.
pub async fn serve(
    app: App,
    listen: &Listen,
    ready: impl FnOnce(SocketAddr) + Send + 'static,
) -> io::Result<()> {
    let handle = Handle::new();
    let mut term = signal(SignalKind::terminate())?;
    let mut int = signal(SignalKind::interrupt())?;
    let (stopping, own) = (handle.clone(), app.clone());
    tokio::spawn(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = int.recv() => {}
        }
        own.store.live().close();
        stopping.graceful_shutdown(Some(GRACE));
    });
    let listening = handle.clone();
    tokio::spawn(async move {
        if let Some(address) = listening.listening().await {
            ready(address);
        }
    });
    let (listens, idle) = (listen.clone(), app.idle);
    let life = idle * LIFE;
    let requests = Requests::limited();
    let service = router(app)
        .layer(map_request(move |request: Request| async move {
            with_timeout(request, idle)
        }))
        .layer(from_fn(move |request, next| renewed(life, request, next)))
        .layer(from_fn(metrics::track))
        .layer(from_fn(move |request, next| {
            bound(requests.clone(), request, next)
        }))
        .layer(from_fn(move |request, next| {
            identify(listens.clone(), request, next)
        }))
        .into_make_service_with_connect_info::<SocketAddr>();
    let acceptor = Acceptor::new(listen.behind_proxy, idle);
    match &listen.tls {
        None => {
            let server = axum_server::bind(listen.address).acceptor(acceptor);
            limited(server.handle(handle), idle).serve(service).await
        }
        Some(Tls { cert, key }) => {
            // A second installation fails, and changes nothing.
            let _ = rustls::crypto::ring::default_provider().install_default();
            let unreadable = |e: io::Error| {
                let files = format!("{}, {}: {e}", cert.display(), key.display());
                io::Error::new(e.kind(), files)
            };
            let config = RustlsConfig::from_pem_file(cert, key).await;
            let config = config.map_err(unreadable)?;
            tokio::spawn(reload(config.clone(), cert.clone(), key.clone()));
            let server = axum_server::bind_rustls(listen.address, config);
            let server = server.map(|tls| tls.acceptor(acceptor));
            limited(server.handle(handle), idle).serve(service).await
        }
    }
}

/// Closes connections whose client sends no request for this long, or is gone, so that idle clients do
/// not use up the open files. Responses may take longer: event feeds and live pages have no end.
fn limited<A>(mut server: Server<SocketAddr, A>, idle: Duration) -> Server<SocketAddr, A> {
    let builder = server.http_builder();
    // This also limits the time between two requests.
    builder.http1().header_read_timeout(idle);
    builder.http1().max_buf_size(MAX_BUFFER);
    builder
        .http2()
        .keep_alive_interval(idle)
        .keep_alive_timeout(idle);
    server
        .first_request_timeout(idle)
        .accept_error_handler(log_refused())
}

/// Logs connections that cannot be accepted. The server tries again many times a second, so that most
/// failures are left out.
fn log_refused() -> impl Fn(Option<&SocketAddr>, &io::Error) + Send + Sync {
    let log = Seldom::default();
    move |peer, error| {
        if let Some(peer) = peer {
            tracing::debug!("{peer}: the connection failed: {error}");
            return;
        }
        if log.is_due() {
            tracing::error!(
                "connections cannot be accepted: {error}; if there are too many, raise the limit on open files"
            );
        }
    }
}

/// Ends the stream of a live page after a time. The browser connects again by itself, and is asked again who its user is and
/// what that user may see.
async fn renewed(life: Duration, request: Request, next: Next) -> Response {
    let is_live = request.uri().path().ends_with("/live");
    let response = next.run(request).await;
    match is_live {
        true => response.map(|body| {
            let end = Box::pin(tokio::time::sleep(life));
            Body::from_stream(body.into_data_stream().take_until(end))
        }),
        false => response,
    }
}

/// The request, whose body fails if no piece of it comes for this long.
fn with_timeout(request: Request, idle: Duration) -> Request {
    request.map(|body| match body.is_end_stream() {
        true => body,
        false => Body::new(TimeoutBody::new(idle, body)),
    })
}

/// Reads the certificate again at SIGHUP: it was renewed.
async fn reload(config: RustlsConfig, cert: PathBuf, key: PathBuf) {
    let Ok(mut hangup) = signal(SignalKind::hangup()) else {
        return;
    };
    while hangup.recv().await.is_some() {
        match config.reload_from_pem_file(&cert, &key).await {
            Ok(()) => tracing::info!("the certificate was read again"),
            Err(e) => tracing::error!("{}: {e}; the old certificate stays", cert.display()),
        }
    }
}
