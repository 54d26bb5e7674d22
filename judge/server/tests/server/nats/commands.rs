//! `judge run --nats` and `judge verify --nats`: judged by workers in processes of their own.

use crate::common::{
    Data, NatsServer, Package, Worker, echo, judge, judge_server, of_tests, start_nats,
};
use judge_server::packages::Packages;
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const RIGHT: &str = "print(sum(map(int, input().split())))\n";
/// The validator of 2025-09 that accepts the sum of the input with any number of zeros before it.
const VALIDATOR: &str = "import sys\n\
    want = open(sys.argv[2]).read().strip()\n\
    got = sys.stdin.read().strip()\n\
    if got.lstrip('0') == want.lstrip('0'): sys.exit(42)\n\
    open(sys.argv[3] + '/judgemessage.txt', 'w').write(f'{got} is not {want}')\n\
    sys.exit(43)\n";

pub fn command(nats: &NatsServer, args: &[&str]) -> Command {
    let mut command = judge_server();
    command
        .args(&args[..1])
        .args(["--nats", &nats.url()])
        .args(&args[1..]);
    command
}

/// Runs the command to its end.
pub fn run(nats: &NatsServer, args: &[&str]) -> Output {
    command(nats, args).output().expect("judge-server starts")
}

/// Runs the command with `--format json`; returns its exit status and events.
pub fn events(mut command: Command) -> (Option<i32>, Vec<Value>) {
    let output = command.args(["--format", "json"]).output().expect("starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let events: Vec<Value> = text.lines().map(event).collect();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!events.is_empty(), "{said}");
    (output.status.code(), events)
}

pub fn event(line: &str) -> Value {
    serde_json::from_str(line).expect("JSON")
}

/// The events of one kind without what differs between two runs or machines, sorted.
fn comparable(events: &[Value], kinds: &[&str]) -> Vec<String> {
    const DIFFERENT: [&str; 11] = [
        "cpu_s",
        "wall_s",
        "memory_bytes",
        "max_cpu_s",
        "max_memory_bytes",
        "measured_by",
        "instructions",
        "machine",
        "judge_version",
        "package_hash",
        "repeats_cpu_s",
    ];
    let is_of_kind = |event: &&Value| kinds.iter().any(|kind| event["event"] == **kind);
    let plain = |event: &Value| {
        let mut event = event.clone();
        let fields = event.as_object_mut().expect("an object");
        fields.retain(|name, _| !DIFFERENT.contains(&name.as_str()));
        event.to_string()
    };
    let mut all: Vec<String> = events.iter().filter(is_of_kind).map(plain).collect();
    all.sort();
    all
}

/// Compares the events of a command here and elsewhere; returns those of elsewhere.
fn compare(nats: &NatsServer, args: &[&str], kinds: &[&str]) -> Vec<Value> {
    let mut here = of_tests(judge());
    here.args(args).args(["--jobs", "1"]);
    let (status, expected) = events(here);
    let (found_status, found) = events(command(nats, args));
    assert_eq!(
        comparable(&found, kinds),
        comparable(&expected, kinds),
        "{args:?}"
    );
    assert_eq!(found_status, status, "{args:?}");
    found
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

pub fn of_kind<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    events.iter().filter(|e| e["event"] == kind).collect()
}

/// Writes a program beside the data.
pub fn program(data: &Data, name: &str, source: &str) -> PathBuf {
    let path = data.path().with_file_name(name);
    fs::write(&path, source).expect("it is written");
    path
}

/// A problem whose programs add two numbers; a validator of its own.
fn validated() -> Package {
    Package::new("validated")
        .limit("time_limit: 2")
        .case("sample/1", "1 2\n", "3\n")
        .case("secret/1", "20 22\n", "42\n")
        .case("secret/2", "5 1\n", "6\n")
        .case("secret/3", "7 1\n", "8\n")
        .file("output_validator/validate.py", VALIDATOR)
        .file(
            "submissions/accepted/zeros.py",
            "print('00' + str(sum(map(int, input().split()))))\n",
        )
        .file("submissions/accepted/plain.py", RIGHT)
        .file("submissions/wrong_answer/three.py", "print(3)\n")
        .file("submissions/run_time_error/none.py", "a, b = input()\n")
        .file(
            "submissions/time_limit_exceeded/slow.py",
            "a = input()\nwhile a[0] == '5': pass\nprint(sum(map(int, a.split())))\n",
        )
}

fn interactive() -> Package {
    Package::new("talk")
        .kind("interactive")
        .case("secret/1", "5\n", "")
        .case("secret/2", "6\n", "")
        .file(
            "output_validator/validate.py",
            "import sys\n\
             n = int(open(sys.argv[1]).read())\n\
             print(n, flush=True)\n\
             sys.exit(42 if int(input()) == n + 1 else 43)\n",
        )
        .file(
            "submissions/accepted/plus.py",
            "print(int(input()) + 1, flush=True)\n",
        )
        .file(
            "submissions/wrong_answer/same.py",
            "print(input(), flush=True)\n",
        )
}

/// A legacy package with a grader that adds the points of the accepted cases.
fn graded(below: &Path) -> PathBuf {
    let dir = below.join("graded");
    let files = [
        (
            "problem.yaml",
            "problem_format_version: legacy\nname: Graded\ntype: scoring\nlimits: {time_limit: 5}\n",
        ),
        ("data/testdata.yaml", "on_reject: continue\nrange: 0 20\n"),
        (
            "data/secret/testdata.yaml",
            "on_reject: continue\ngrading: custom\naccept_score: 10\nreject_score: 1\n",
        ),
        ("data/secret/1.in", "1\n"),
        ("data/secret/1.ans", "1\n"),
        ("data/secret/2.in", "2\n"),
        ("data/secret/2.ans", "2\n"),
        (
            "graders/grader.py",
            "import sys\n\
             results = [line.split() for line in sys.stdin]\n\
             accepted = [float(score) for code, score in results if code == 'AC']\n\
             print('AC', sum(accepted))\n",
        ),
        ("submissions/accepted/same.py", "print(input())\n"),
        ("submissions/partially_accepted/one.py", "print(1)\n"),
    ];
    for (name, content) in files {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("it is created");
        fs::write(path, content).expect("it is written");
    }
    dir
}

#[test]
#[ignore = "long: `make test-long` runs it"]
fn the_events_are_those_of_judging_here() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[validated(), interactive()]);
    let graded = graded(&data.path().with_file_name("given"));
    // The first command creates what is shared.
    let no_worker = run(
        &nats,
        &["run", text(&graded), "--nats-wait", "0.1", "--no-history"],
    );
    assert_eq!(no_worker.status.code(), Some(3), "{no_worker:?}");
    let workers = ["w1", "w2"].map(|name| Worker::start(&data, &nats, name));
    let all = [
        "compile_started",
        "compile_finished",
        "case_finished",
        "submission_finished",
    ];
    let (validated, talk) = (data.package("validated"), data.package("talk"));
    let run = |args: &[&str]| {
        let args: Vec<&str> = ["run"].iter().chain(args).copied().collect();
        compare(&nats, &[&args[..], &["--no-history"]].concat(), &all)
    };

    // Three packages at once, with their accepted submissions.
    let events = run(&[text(&validated), text(&talk), text(&graded)]);
    assert_eq!(of_kind(&events, "case_finished").len(), 4 + 4 + 2 + 2);
    let judged = of_kind(&events, "case_finished");
    let names: Vec<&str> = workers.iter().map(|worker| worker.name.as_str()).collect();
    let is_by_worker =
        |case: &&Value| names.contains(&case["machine"].as_str().unwrap_or_default());
    assert!(judged.iter().all(is_by_worker), "{judged:?}");
    let is_by_version = |case: &&Value| case["judge_version"] == env!("CARGO_PKG_VERSION");
    assert!(judged.iter().all(is_by_version), "{judged:?}");
    let compiled = of_kind(&events, "compile_finished");
    let hash_of = |package: &str| {
        let own = compiled.iter().filter(|event| event["package"] == package);
        let hashes: HashSet<&str> = own.filter_map(|e| e["package_hash"].as_str()).collect();
        let [hash] = hashes.into_iter().collect::<Vec<_>>()[..] else {
            panic!("{compiled:?}");
        };
        hash
    };
    let packages = Packages::open(&data.path().with_file_name("kept")).expect("it opens");
    let added = packages.add(&validated).expect("it is added");
    assert_eq!(hash_of("validated"), added.tree);
    assert_ne!(hash_of("talk"), added.tree);

    // Programs of the user: messages, details, points.
    let own = |name: &str, source: &str| program(&data, name, source);
    let wrong = own(
        "wrong.py",
        "a, b = map(int, input().split())\nprint(a + b + (a == 7))\n",
    );
    let broken = own("broken.cpp", "int main() { return }\n");
    let one = own("one.py", "print(1)\n");
    run(&[text(&validated), "-s", text(&wrong), "-s", text(&broken)]);
    run(&[
        text(&validated),
        "-s",
        text(&wrong),
        "--case",
        "secret/[23]",
        "--repeat",
        "2",
    ]);
    run(&[
        text(&validated),
        "-s",
        text(&one),
        "--time-limit",
        "1.5",
        "--memory",
        "64",
        "--sample",
    ]);
    run(&[text(&graded), "-s", text(&one)]);
    let checker = own(
        "checker.py",
        "import sys\nsys.exit(0 if open(sys.argv[2]).read() == '1\\n' else 1)\n",
    );
    run(&[
        text(&validated),
        "-s",
        text(&one),
        "--checker",
        text(&checker),
    ]);
    let files = data.path().with_file_name("files");
    fs::create_dir_all(files.join("inside")).expect("it is created");
    fs::write(files.join("main.py"), "from inside.add import add\nadd()\n").expect("written");
    let add = "def add():\n    print(sum(map(int, input().split())))\n";
    fs::write(files.join("inside/add.py"), add).expect("written");
    run(&[
        text(&validated),
        "-s",
        text(&files),
        "--language",
        "python3",
    ]);

    // All submissions against what is expected. Which cases run depends on the order of events.
    for package in [&validated, &talk, &graded] {
        let events = compare(
            &nats,
            &["verify", text(package)],
            &["submission_finished", "finding"],
        );
        let finished = of_kind(&events, "submission_finished");
        assert!(
            finished.iter().all(|event| event["as_expected"] == true),
            "{finished:?}"
        );
    }
}

#[test]
fn a_derived_limit_and_a_plain_folder() {
    let Some(nats) = start_nats() else { return };
    let derived = Package::new("derived")
        .derived_limit()
        .case("secret/1", "20 22\n", "42\n")
        .file("submissions/accepted/a.py", RIGHT);
    let data = Data::new(&[derived]);
    let _worker = Worker::start(&data, &nats, "w1");
    let package = data.package("derived");
    let kinds = ["case_finished", "submission_finished"];
    compare(&nats, &["run", text(&package), "--no-history"], &kinds);
    // A folder has other files beside its cases, which are not sent.
    let folder = data.path().with_file_name("folder");
    fs::create_dir_all(folder.join("private")).expect("it is created");
    for (name, content) in [
        ("1.in", "1 2\n"),
        ("1.out", "3\n"),
        ("private/diary", "..."),
    ] {
        fs::write(folder.join(name), content).expect("it is written");
    }
    let own = folder.join("own.py");
    fs::write(&own, RIGHT).expect("it is written");
    compare(&nats, &["run", text(&own), "--no-history"], &kinds);
    let cache = data.path().with_file_name("cache");
    let copied = walkdir::WalkDir::new(cache).into_iter().flatten();
    let names: Vec<_> = copied.map(|entry| entry.file_name().to_owned()).collect();
    assert!(names.iter().any(|name| name == "1.out"), "{names:?}");
    assert!(
        !names.iter().any(|name| name == "diary" || name == "own.py"),
        "{names:?}"
    );
}

#[test]
fn options_that_need_the_local_machine_are_refused() {
    let data = Data::new(&[echo(1)]);
    let package = data.package("echo");
    let refused = |args: &[&str]| {
        // No server is there: options are checked before.
        let output = judge_server()
            .args(["run", "--nats", "nats://127.0.0.1:1"])
            .arg(&package)
            .args(args)
            .output()
            .expect("judge-server starts");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for option in [
        &["--keep", "x"][..],
        &["--debug"],
        &["--gdb"],
        &["--bins"],
        &["--jobs", "2"],
        &["--sandbox", "none"],
        &["--languages", "x"],
    ] {
        let said = refused(option);
        let expected = format!("error: {} cannot be used with --nats\n  help: ", option[0]);
        assert!(said.contains(&expected), "{said}");
    }
    let said = refused(&["--checker", "/bin/cat"]);
    assert!(said.contains("help: name its source file"), "{said}");
    assert!(refused(&[]).contains("failed to connect"));
}

#[test]
fn a_program_that_is_built_already_is_refused() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[echo(1)]);
    let package = data.package("echo");
    let output = run(
        &nats,
        &["run", text(&package), "-s", "/bin/cat", "--no-history"],
    );
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("help: name its source file"), "{said}");
}
