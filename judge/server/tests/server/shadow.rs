//! `judge-server shadow`: the submissions of another system are judged here too, and the verdicts compared.

use crate::common::{Data, Entry, Package, Server, judge_server, sum};
use judge_server::store::{Role, SubmissionId};
use std::process::Output;

/// Runs the command over the Contest API of the primary at this address.
fn shadow(there: &Server<'_>, api: &str, here: &Server<'_>, options: &[&str]) -> Output {
    let mut command = judge_server();
    command
        .args(["serve", "shadow"])
        .arg(format!("{}{api}/contests/c", there.address))
        .args(["--server", &here.address, "--contest", "c", "--once"])
        .args(options)
        .env("PRIMARY_TOKEN", "admin")
        .env("JUDGE_TOKEN", "admin");
    command.output().expect("the command starts")
}

fn data(package: Package, teams: &[&str]) -> Data {
    let data = Data::new(&[package]);
    let names: Vec<String> = teams.iter().map(|&name| name.to_owned()).collect();
    let (_, ids) = data.contest_of(&names);
    for (name, id) in teams.iter().zip(ids) {
        data.user_with_token(name, Role::Team, Some(id));
    }
    data.user_with_token("admin", Role::Admin, None);
    data
}

#[test]
fn verdicts_of_another_system_are_compared() {
    let there = data(sum("sum"), &["t", "u"]);
    // Other data, and a team less.
    let here = data(sum("plus").case("secret/3", "5 5\n", "11\n"), &["t"]);
    let (there, here) = (there.serve(), here.serve());
    let right = "print(sum(map(int, input().split())))\n";
    for (user, source) in [("t", right), ("t", "print(0)\n"), ("u", right)] {
        let entry = Entry {
            user,
            problem: "sum",
            language: "python3",
            file: "a.py",
            source,
        };
        let sent = entry.submit(&ureq::agent(), &there.address);
        there.judged(SubmissionId(sent.expect("acknowledged")));
    }

    let same = &["--same", "AC=WA"][..];
    for (api, options) in [
        ("/api/2020-03", &[][..]),
        ("/api/2022-07", same),
        ("/api/2023-06", same),
        ("/api", same),
    ] {
        let output = shadow(&there, api, &here, options);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{api}: {output:?}");
        let differs = "there AC, here WA: submission 1 of team t, problem A";
        let differing = options.is_empty();
        let counts = match differing {
            true => "1 with the same verdict, 1 with another, 1 not judged here",
            false => "2 with the same verdict, 0 with another, 1 not judged here",
        };
        assert_eq!(text.contains(differs), differing, "{text}");
        for part in ["3 submissions: ", counts, "not judged  submission 3: "] {
            assert!(text.contains(part), "{part} is missing in:\n{text}");
        }
        // Later runs find those of the first.
        let submissions = here.data.store().submissions(&Default::default(), 9);
        assert_eq!(submissions.expect("read").len(), 2);
    }
}

#[test]
fn a_system_that_refuses_is_named() {
    let data = data(sum("sum"), &["t"]);
    let server = data.serve();
    let ended = |primary: &str, token: &str| {
        let mut command = judge_server();
        command
            .args(["serve", "shadow", primary, "--server", &server.address])
            .args(["--contest", "c"])
            .env("PRIMARY_TOKEN", token)
            .env("JUDGE_TOKEN", "admin");
        let output = command.output().expect("the command starts");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let text = ended(&server.address, "admin");
    assert!(text.contains("is not the address of a contest"), "{text}");
    let address = format!("{}/api/contests/nothing", server.address);
    let text = ended(&address, "admin");
    assert!(text.contains("nothing"), "{text}");
    let address = format!("{}/api/contests/c", server.address);
    let text = ended(&address, "wrong");
    assert!(text.contains("token is wrong"), "{text}");
}
