//! The sample configuration of nats-server in the documentation: it lets a worker work, and no more.

use super::results::messages;
use crate::common::{
    CERTIFICATE, Data, NatsServer, PRIVATE_KEY, Server, Worker, judge_server, sum,
};
use futures_util::StreamExt;
use judge_core::verdict::Verdict;
use judge_server::nats::{Connection, Options};
use nkeys::KeyPair;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

const SAMPLE: &str = include_str!("../../../../../docs/nats-server.conf");
/// Longer than a message takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// The files of a site.
struct Site {
    dir: TempDir,
}

impl Site {
    /// Makes the users' keys, and puts certificate and keys them into the sample.
    fn new() -> Self {
        let site = Site {
            dir: tempfile::tempdir().expect("a directory"),
        };
        site.write("cert.pem", CERTIFICATE);
        site.write("key.pem", PRIVATE_KEY);
        let mut config = SAMPLE.to_owned();
        let mut put = |old: &str, new: &str| {
            assert_eq!(config.matches(old).count(), 1, "{old}");
            config = config.replace(old, new);
        };
        put(
            "/etc/nats/cert.pem",
            &site.path("cert.pem").to_string_lossy(),
        );
        put("/var/lib/nats", &site.path("jetstream").to_string_lossy());
        put("/etc/nats/key.pem", &site.path("key.pem").to_string_lossy());
        for (name, place) in [
            ("server", "SERVER_PUBLIC_KEY"),
            ("second", "SECOND_PUBLIC_KEY"),
            ("jury", "JURY_PUBLIC_KEY"),
        ] {
            let key = KeyPair::new_user();
            site.write(&format!("{name}.nk"), &key.seed().expect("it has one"));
            put(place, &key.public_key());
        }
        site.write("nats.conf", &config);
        site
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.path(name), content).expect("it is written");
    }

    fn start(&self) -> Option<NatsServer> {
        NatsServer::start_with(&["--config", &self.path("nats.conf").to_string_lossy()])
    }

    /// Arguments for keys and certificates of a user.
    fn access(&self, name: &str) -> [String; 4] {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        [
            "--nkey".to_owned(),
            text(&self.path(&format!("{name}.nk"))),
            "--ca".to_owned(),
            text(&self.path("cert.pem")),
        ]
    }

    fn connect(&self, nats: &NatsServer, name: &str) -> Connection {
        let options = Options {
            url: nats.url(),
            name: Some(name.to_owned()),
            nkey: Some(self.path(&format!("{name}.nk"))),
            ca: Some(self.path("cert.pem")),
            ..Options::default()
        };
        Connection::open(&options).expect("it connects")
    }

    /// A server without workers of its own.
    fn serve<'d>(&self, data: &'d Data, nats: &NatsServer) -> Server<'d> {
        let (url, access) = (nats.url(), self.access("server"));
        let mut args = vec!["--nats", &url, "--jobs", "0"];
        args.extend(access.iter().map(String::as_str));
        data.serve_with(&args)
    }

    /// The second machine.
    fn worker(&self, data: &Data, nats: &NatsServer) -> Worker {
        let access = self.access("second");
        Worker::start_with(data, nats, "second", &access.each_ref().map(String::as_str))
    }
}

#[test]
fn a_worker_with_its_key_judges() {
    let site = Site::new();
    let Some(nats) = site.start() else { return };
    let data = Data::new(&[sum("sum")]);
    let server = site.serve(&data, &nats);
    let worker = site.worker(&data, &nats);
    // Larger than what is sent with the work: it is read from the object store.
    let source = format!(
        "# {}\nprint(sum(map(int, input().split())))\n",
        "x".repeat(200_000)
    );
    let id = server.admin().submit("sum", "a.py", &source);
    let judging = server.judged(id);
    assert_eq!(judging.verdict, Some(Verdict::Accepted), "{judging:?}");
    assert_eq!(judging.machine.as_deref(), Some("second"));
    let log = worker.log();
    assert!(!log.to_lowercase().contains("violation"), "{log}");
}

#[test]
fn a_command_with_its_key_has_submissions_judged() {
    let site = Site::new();
    let Some(nats) = site.start() else { return };
    let data = Data::new(&[sum("sum")]);
    let _server = site.serve(&data, &nats);
    let worker = site.worker(&data, &nats);
    let url = nats.url();
    // Larger than what is sent with the work: it goes through the object store.
    let source = format!(
        "# {}\nprint(sum(map(int, input().split())))\n",
        "x".repeat(200_000)
    );
    site.write("a.py", &source);
    let run = |name: &str| {
        let mut command = judge_server();
        command
            .args([
                "run",
                "--nats",
                &url,
                "--nats-name",
                name,
                "--no-history",
                "-s",
            ])
            .arg(site.path("a.py"))
            .arg(data.package("sum"))
            .args(site.access("jury"))
            .env("JUDGE_LOG", "info");
        command.output().expect("judge-server starts")
    };
    let output = run("jury");
    let said = String::from_utf8_lossy(&output.stderr).to_lowercase();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let log = worker.log().to_lowercase();
    assert!(
        !said.contains("violation") && !log.contains("violation"),
        "{said}{log}"
    );
    let connection = site.connect(&nats, "server");
    assert_eq!(messages(&connection), 0, "its results are gone");
    // The name of another user.
    let output = run("second");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.to_lowercase().contains("permissions violation"),
        "{said}"
    );
    assert!(said.contains("--nats-name is theirs"), "{said}");
}

#[test]
fn a_worker_is_refused_on_all_other_subjects() {
    let site = Site::new();
    let Some(nats) = site.start() else { return };
    let server = site.connect(&nats, "server");
    let worker = site.connect(&nats, "second");
    // A subscription that is dropped starts a task.
    let _inside = server.runtime().enter();
    let run = |connection: &Connection, what: &str, subjects: &[&str]| {
        let sent = async {
            for subject in subjects {
                let subject = (*subject).to_owned();
                connection
                    .client()
                    .publish(subject, what.to_owned().into())
                    .await?;
            }
            connection.client().flush().await?;
            Ok::<_, async_nats::Error>(())
        };
        connection.request("publish", sent).expect("it is sent");
    };
    let listen = |connection: &Connection, subject: &str| {
        let listen = connection.client().subscribe(subject.to_owned());
        connection.request("listen", listen).expect("it listens")
    };
    let next = |connection: &Connection, subscription: &mut async_nats::Subscriber| {
        let next = async { tokio::time::timeout(LONG, subscription.next()).await };
        let message = connection.runtime().block_on(next).expect("in time");
        message.expect("a message").subject.to_string()
    };

    let mut all = listen(&server, ">");
    // Messages of one connection keep their order: when this one arrives, nats-server has the
    // subscription.
    run(&server, "first", &["judge.first"]);
    assert_eq!(next(&server, &mut all), "judge.first");
    let refused = [
        "judge.ask.third.server",
        "judge.results.third.server",
        "judge.presence.third",
        "judge.wait.third",
        "judge.cancel.second",
        "judge.queue.unit",
        "_INBOX_third.1",
        "$JS.API.INFO",
        "$JS.API.STREAM.CREATE.other",
        "$JS.API.STREAM.UPDATE.judge-results",
        "$JS.API.STREAM.DELETE.judge-results",
        "$JS.API.STREAM.PURGE.judge-results",
        "$JS.API.STREAM.MSG.DELETE.judge-results",
        "$JS.API.STREAM.INFO.judge-results",
        "$JS.API.STREAM.MSG.GET.judge-results",
        "$JS.API.CONSUMER.CREATE.judge-results",
        "$JS.API.STREAM.PURGE.OBJ_judge-objects",
        "$O.judge-objects.M.name",
    ];
    run(&worker, "refused", &refused);
    let allowed = [
        "judge.presence.second",
        "judge.wait.second",
        "$JS.API.STREAM.INFO.OBJ_judge-objects",
    ];
    run(&worker, "allowed", &allowed);
    for subject in allowed {
        assert_eq!(next(&server, &mut all), subject);
    }

    let subjects = [
        "judge.>",
        "judge.cancel.third",
        "_INBOX_third.>",
        "$JS.>",
        "$O.>",
    ];
    let heard: Vec<_> = subjects.iter().map(|s| listen(&worker, s)).collect();
    let mut own = listen(&worker, "_INBOX_second.>");
    // The answer shows that nats-server has the subscriptions; `own` hears it, too.
    let answer = worker.jetstream().get_stream("OBJ_judge-objects");
    let _ = worker.request("ask for the stream", answer);
    next(&worker, &mut own);
    let sent = [
        "judge.results.second.server",
        "judge.cancel.third",
        "_INBOX_third.1",
        "$JS.EVENT",
        "$O.judge-objects.M.name",
        "_INBOX_second.1",
    ];
    run(&server, "secret", &sent);
    assert_eq!(next(&worker, &mut own), "_INBOX_second.1");
    for mut subscription in heard {
        let waiting =
            async { tokio::time::timeout(Duration::from_millis(50), subscription.next()).await };
        let found = worker.runtime().block_on(waiting);
        assert!(!matches!(found, Ok(Some(_))), "{found:?}");
    }
}

#[test]
fn without_a_key_or_with_an_unknown_one_there_is_no_connection() {
    let site = Site::new();
    let Some(nats) = site.start() else { return };
    let stranger = KeyPair::new_user();
    site.write("stranger.nk", &stranger.seed().expect("it has one"));
    for nkey in [None, Some(site.path("stranger.nk"))] {
        let options = Options {
            url: nats.url(),
            nkey,
            ca: Some(site.path("cert.pem")),
            ..Options::default()
        };
        let refused = Connection::open(&options).map(drop).expect_err("refused");
        let message = refused.to_string().to_lowercase();
        assert!(message.contains("authorization violation"), "{message}");
    }
    // Nor with a server whose certificate is not trusted.
    let options = Options {
        url: nats.url(),
        nkey: Some(site.path("second.nk")),
        ..Options::default()
    };
    Connection::open(&options)
        .map(drop)
        .expect_err("not trusted");
}
