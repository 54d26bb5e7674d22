//! Where the server listens; adds the client to each request.

use crate::http::client::Client;
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Files of a certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tls {
    /// The certificate chain, PEM.
    pub cert: PathBuf,
    /// The key, PEM.
    pub key: PathBuf,
}

/// Where to listen.
#[derive(Clone, Debug)]
pub struct Listen {
    /// The address; port 0 takes a free one.
    pub address: SocketAddr,
    pub tls: Option<Tls>,
    /// A proxy passes the requests on, and says in `X-Forwarded-For` and `X-Forwarded-Proto` whose.
    pub behind_proxy: bool,
}

/// Adds [`Client`] to the request. Over TLS, cookies become `Secure`, and browsers come back over TLS.
pub async fn identify(listen: Listen, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let Some(ConnectInfo(peer)) = peer.copied() else {
        return next.run(request).await;
    };
    let client = Client::new(
        peer.ip(),
        request.headers(),
        listen.tls.is_some(),
        listen.behind_proxy,
    );
    request.extensions_mut().insert(client);
    let mut response = next.run(request).await;
    if client.https {
        secure(response.headers_mut());
    }
    response
}

fn secure(headers: &mut HeaderMap) {
    let cookies = headers
        .iter_mut()
        .filter(|(name, _)| *name == header::SET_COOKIE);
    for (_, cookie) in cookies {
        let plain = cookie.to_str().ok();
        let plain = plain.filter(|text| !text.contains("; Secure"));
        let secure = plain.map(|text| HeaderValue::from_str(&format!("{text}; Secure")));
        if let Some(Ok(secure)) = secure {
            *cookie = secure;
        }
    }
    headers
        .entry(header::STRICT_TRANSPORT_SECURITY)
        .or_insert(HeaderValue::from_static("max-age=31536000"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_become_secure_once() {
        let mut headers = HeaderMap::new();
        for cookie in ["a=1; HttpOnly", "b=2; Secure"] {
            headers.append(header::SET_COOKIE, HeaderValue::from_static(cookie));
        }
        secure(&mut headers);
        let cookies: Vec<_> = headers.get_all(header::SET_COOKIE).iter().collect();
        assert_eq!(cookies, ["a=1; HttpOnly; Secure", "b=2; Secure"]);
    }
}
