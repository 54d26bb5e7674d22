//! Listens, with or without TLS, until a signal stops the server.

use super::{metrics, router};
use crate::http::App;
use crate::http::client::{self, Listen, Tls};
use axum::middleware::from_fn;
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

/// Requests that are not answered when the server stops get this long.
const GRACE: Duration = Duration::from_secs(5);

/// Serves until SIGTERM or SIGINT; calls `ready` with the address.
///
/// # Errors
///
/// When it cannot listen there, or the certificate cannot be read.
pub async fn serve(
    app: App,
    listen: &Listen,
    ready: impl FnOnce(SocketAddr) + Send + 'static,
) -> io::Result<()> {
    let handle = Handle::new();
    let mut term = signal(SignalKind::terminate())?;
    let mut int = signal(SignalKind::interrupt())?;
    let stopping = handle.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = int.recv() => {}
        }
        stopping.graceful_shutdown(Some(GRACE));
    });
    let listening = handle.clone();
    tokio::spawn(async move {
        if let Some(address) = listening.listening().await {
            ready(address);
        }
    });
    let listens = listen.clone();
    let service = router(app)
        .layer(from_fn(metrics::track))
        .layer(from_fn(move |request, next| {
            client::identify(listens.clone(), request, next)
        }))
        .into_make_service_with_connect_info::<SocketAddr>();
    match &listen.tls {
        None => {
            let server = axum_server::bind(listen.address).handle(handle);
            server.serve(service).await
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
            let server = axum_server::bind_rustls(listen.address, config).handle(handle);
            server.serve(service).await
        }
    }
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
