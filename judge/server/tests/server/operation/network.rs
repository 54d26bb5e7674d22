//! TLS, and the headers of a reverse proxy.

use super::{agent, get};
use crate::common::{CERTIFICATE, Data, PRIVATE_KEY, Server, judge_server, sum};
use ureq::http::Response;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};
use ureq::{Agent, Body};

/// Signs in by the link; returns the cookie and the header that makes browsers use TLS.
fn sign_in(
    server: &Server<'_>,
    agent: &Agent,
    headers: &[(&str, &str)],
) -> (String, Option<String>) {
    let mut request = agent.post(format!("{}{}", server.address, server.link));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answer = request.send_empty().expect("an answer");
    assert_eq!(answer.status(), 303);
    let text = |name: &str| {
        let value = answer.headers().get(name)?;
        Some(value.to_str().expect("text").to_owned())
    };
    (
        text("set-cookie").expect("a cookie"),
        text("strict-transport-security"),
    )
}

#[test]
fn tls_with_given_files() {
    // A second installation fails, and changes nothing.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let data = Data::new(&[sum("sum")]);
    let files = tempfile::tempdir().expect("a directory");
    let (cert, key) = (files.path().join("cert.pem"), files.path().join("key.pem"));
    std::fs::write(&cert, CERTIFICATE).expect("it is written");
    std::fs::write(&key, PRIVATE_KEY).expect("it is written");
    let (cert, key) = (cert.to_string_lossy(), key.to_string_lossy());
    let server = data.serve_with(&["--tls-cert", &cert, "--tls-key", &key]);
    assert!(server.address.starts_with("https://"), "{}", server.address);
    let root = Certificate::from_pem(CERTIFICATE.as_bytes()).expect("a certificate");
    let tls = TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .root_certs(RootCerts::new_with_certs(&[root]))
        .build();
    let config = Agent::config_builder().max_redirects(0).tls_config(tls);
    let (cookie, hsts) = sign_in(&server, &config.build().into(), &[]);
    assert!(cookie.contains("; Secure"), "{cookie}");
    assert!(hsts.is_some());
    let plain = server.address.replace("https", "http");
    assert!(agent().get(format!("{plain}/healthz")).call().is_err());
    // The command trusts the certificate if its file is named, and then has no account.
    let program = files.path().join("sum.py");
    std::fs::write(&program, "print(0)").expect("it is written");
    let submit = |ca: &[&str]| {
        let mut command = judge_server();
        command.arg("submit").arg(&program).args(ca);
        command.args(["--server", &server.address]);
        command
            .env_remove("SSL_CERT_FILE")
            .env("HOME", files.path());
        let output = command.output().expect("it runs");
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).expect("text")
    };
    let untrusted = submit(&[]);
    assert!(untrusted.contains("help: name the file of the authority's certificate: --ca FILE"));
    let no_account = submit(&["--ca", &cert]);
    assert!(no_account.contains("help: set JUDGE_TOKEN"), "{no_account}");
    let no_certificate = submit(&["--ca", &key]);
    assert!(no_certificate.contains("key.pem: has no certificate"));
    // Without a server, the message names the way to other sites.
    let mut command = judge_server();
    command
        .arg("submit")
        .arg(&program)
        .env_remove("JUDGE_SERVER");
    let said = String::from_utf8(command.output().expect("it runs").stderr).expect("text");
    assert!(said.contains("judge submit --open <PROGRAM>"), "{said}");
    drop(server);

    let mut refused = data.command();
    let refused = refused.args(["--tls-cert", &key, "--tls-key", &key]);
    let output = refused.output().expect("it runs");
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(
        !output.status.success() && text.contains("key.pem"),
        "{text}"
    );
}

#[test]
fn headers_of_a_proxy_count_only_if_asked() {
    let forwarded = [
        ("X-Forwarded-For", "10.1.2.3"),
        ("X-Forwarded-Proto", "https"),
    ];
    let data = Data::new(&[]);
    for (args, secure) in [(&[][..], false), (&["--behind-proxy"], true)] {
        let server = data.serve_with(args);
        let (cookie, hsts) = sign_in(&server, &agent(), &forwarded);
        assert_eq!(cookie.contains("; Secure"), secure, "{cookie}");
        assert_eq!(hsts.is_some(), secure);
    }
}

/// The page of a problem shows its PDF in a frame, which the policies of both allow.
#[test]
fn a_pdf_is_shown_beside_its_link() {
    let package = sum("doc").file("statement/problem.en.pdf", "%PDF-1.4");
    let data = Data::new(&[package]);
    data.user_with_token("ann", judge_server::store::Role::Public, None);
    let server = data.serve();
    let policy = |answer: &Response<Body>| {
        let policy = answer.headers()["content-security-policy"].to_str();
        policy.expect("text").to_owned()
    };
    let mut page = agent()
        .get(format!("{}/problems/doc", server.address))
        .header("Authorization", "Bearer ann")
        .header("Accept", "text/html")
        .call()
        .expect("an answer");
    assert!(
        policy(&page).contains("frame-src 'self'"),
        "{}",
        policy(&page)
    );
    let html = page.body_mut().read_to_string().expect("text");
    let source = "/problems/doc/statement/en";
    assert!(
        html.contains(&format!("<iframe class=\"pdf\" src=\"{source}\"")),
        "{html}"
    );
    assert!(html.contains(&format!("<a href=\"{source}\"")), "{html}");
    let document = get(&server.address, source, "ann");
    assert_eq!(document.headers()["content-type"], "application/pdf");
    assert_eq!(policy(&document), "frame-ancestors 'self'");
}
