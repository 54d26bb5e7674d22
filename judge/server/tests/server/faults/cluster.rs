//! A cluster of three nats-servers with three copies of everything: the loss of one stops nothing.

use crate::common::{Data, NatsServer, Worker, sum};
use judge_core::verdict::Verdict;
use judge_server::nats::{Connection, Options, REQUEST};
use std::net::TcpListener;
use std::thread::sleep;
use std::time::Duration;

const RIGHT: &str = "print(sum(map(int, input().split())))\n";

/// Ports without a listener.
fn free_ports() -> [u16; 3] {
    let listeners = [0; 3].map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port"));
    listeners.map(|listener| listener.local_addr().expect("an address").port())
}

fn start() -> Option<Vec<NatsServer>> {
    let cluster: Vec<NatsServer> = members().map(|member| member()).collect::<Option<_>>()?;
    // They choose a leader first; one that joins later does not log it.
    while !cluster
        .iter()
        .any(|one| one.log().contains("metadata leader"))
    {
        sleep(Duration::from_millis(20));
    }
    Some(cluster)
}

/// Each starts a server of one cluster.
fn members() -> impl Iterator<Item = impl Fn() -> Option<NatsServer>> {
    let ports = free_ports();
    let routes: Vec<String> = ports
        .iter()
        .map(|p| format!("nats://127.0.0.1:{p}"))
        .collect();
    (0..3).map(move |k| {
        let routes = routes.clone();
        move || {
            NatsServer::start_with(&[
                "--name",
                &format!("n{k}"),
                "--cluster_name",
                "judge",
                "--cluster",
                &routes[k],
                "--routes",
                &routes.join(","),
            ])
        }
    })
}

/// The number of the server that leads the stream.
fn leader(url: &str, stream: &str) -> usize {
    let options = Options {
        url: url.to_owned(),
        ..Options::default()
    };
    let connection = Connection::open(&options).expect("it connects");
    let found = connection.request("find it", connection.jetstream().get_stream(stream));
    let cluster = found.expect("an answer").cached_info().cluster.clone();
    let name = cluster
        .and_then(|cluster| cluster.leader)
        .expect("a leader");
    name.trim_start_matches('n').parse().expect("a number")
}

#[test]
#[ignore = "long: `make test-long` runs it"]
fn the_loss_of_the_leader_stops_nothing() {
    let Some(mut cluster) = start() else { return };
    let urls: Vec<String> = cluster.iter().map(NatsServer::url).collect();
    let url = urls.join(",");
    let data = Data::new(&[sum("sum")]);
    let server = data.serve_with(&["--nats", &url, "--jobs", "0", "--nats-replicas", "3"]);
    // On a busy machine it takes seconds until there is another leader, and leases that end meanwhile count.
    let lease = Duration::from_secs(10);
    let command = Worker::command_with_lease(&data, &url, "w", lease);
    let _worker = Worker::start_by(&data, "w", command);
    let admin = server.admin();
    let mut all = Vec::new();
    for (round, stream) in ["OBJ_judge-objects", "judge-results"].iter().enumerate() {
        for k in 0..6 {
            all.push(admin.submit("sum", "a.py", &format!("# {round} {k}\n{RIGHT}")));
            if k == 2 {
                let leader = leader(&url, stream);
                cluster[leader].kill();
                println!("n{leader} led {stream}, and is killed");
            }
        }
        for id in &all {
            let judging = server.judged(*id);
            assert_eq!(judging.verdict, Some(Verdict::Accepted), "{judging:?}");
        }
        for server in &mut cluster {
            if !server.runs() {
                server.restart();
            }
        }
    }
    for id in all {
        let judgings = data.store().judgings_of(id).expect("read");
        assert_eq!(judgings.len(), 1, "{judgings:?}");
    }
}

#[test]
fn a_server_waits_for_a_cluster_that_starts() {
    let mut members = members();
    let mut start = || members.next().expect("a member")();
    let Some(first) = start() else { return };
    let url = first.url();
    let data = Data::new(&[sum("sum")]);
    std::thread::scope(|scope| {
        let waiting = scope
            .spawn(|| data.serve_with(&["--nats", &url, "--jobs", "0", "--nats-replicas", "3"]));
        // More than a request may take.
        sleep(REQUEST + Duration::from_secs(1));
        assert!(!waiting.is_finished());
        let _others = [start(), start()];
        drop(waiting.join().expect("it serves"));
    });
}
