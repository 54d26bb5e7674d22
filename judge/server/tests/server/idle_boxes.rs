//! Boxes that a judging leaves to the next one on the same core.

use crate::common::{Client, Data, Package, Server, Worker, start_nats};

/// Shows the id of its process in the box and that of the program: both count from 2 in a new box.
const VALIDATOR: &str = "import os, sys\n\
    program = sys.stdin.read()\n\
    with open(sys.argv[3] + '/judgemessage.txt', 'w') as message:\n\
    \x20   message.write(f'{os.getpid()} {program}')\n\
    sys.exit(43)\n";
const PROGRAM: &str = "import os\nprint(os.getpid())\n";

/// The ids of the validator and of the program in the cases of a new judging, in their order.
fn processes(server: &Server<'_>, admin: &Client, source: &str) -> Vec<(u32, u32)> {
    let judging = server.judged(admin.submit("pids", "a.py", source));
    let rows = server.data.store().case_results(judging.id);
    let ids = rows.expect("results").into_iter().map(|row| {
        let message = row.message.unwrap_or_else(|| panic!("{judging:?}"));
        let mut ids = message.split_whitespace().map(str::parse);
        let mut next = || ids.next().expect("two").expect("a number");
        (next(), next())
    });
    ids.collect()
}

#[test]
fn the_same_program_runs_again_in_its_box_and_another_one_in_a_new_one() {
    let Some(nats) = start_nats() else { return };
    let package = Package::new("pids")
        .case("secret/1", "1\n", "1\n")
        .case("secret/2", "2\n", "2\n")
        .file("output_validator/validate.py", VALIDATOR);
    let data = Data::new(&[package]);
    let server = data.serve_on(&nats);
    let _worker = Worker::start(&data, &nats, "w1");
    let admin = server.admin();
    let first = processes(&server, &admin, PROGRAM);
    assert!(first[0] < first[1] && first.len() == 2, "{first:?}");
    let goes_on = |(validator, program): (u32, u32)| {
        let again = processes(&server, &admin, PROGRAM);
        again[0].0 > validator && again[0].1 > program
    };
    // On a busy machine a box may have become too old.
    assert!((0..10).any(|_| goes_on(first[1])));

    let other = processes(&server, &admin, &format!("# other\n{PROGRAM}"));
    assert_eq!(other[0].1, first[0].1, "nothing ran in its box before");
    assert!(other[0].0 > first[1].0, "the validator's box is the same");
}
