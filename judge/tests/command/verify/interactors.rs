//! `judge verify` connects interactors and multi-pass validators to submissions that do not take part.

use super::worthless::Verified;

const YAML: &str = "problem_format_version: 2025-09\nname: Double\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n\
    license: cc0\nrights_owner: Jo\nlimits: {time_limit: 1, validation_time: 1}\n";

/// Verifies the sound package with this program as its interactor.
fn interactive(judges: &str) -> Verified {
    let yaml = format!("{YAML}type: interactive\n");
    let start = "import sys\nn = int(open(sys.argv[1]).read())\nprint(n, flush=True)\n";
    let interactor = format!("{start}{judges}");
    let changes = [
        ("problem.yaml", &yaml[..]),
        ("output_validator/o.py", &interactor),
    ];
    Verified::with(&changes, &[])
}

#[test]
fn a_sound_interactor_refuses_all_junk() {
    let verified = interactive(
        "reply = sys.stdin.buffer.readline(9)\nsys.exit(42 if reply.strip() == b'%d' % (2 * n) else 43)\n",
    );
    let findings = verified.findings();
    let of_interactor = |finding: &&String| finding.contains("interactor");
    assert_eq!(findings.iter().find(of_interactor), None);
}

#[test]
fn an_interactor_that_crashes_is_an_error() {
    interactive("reply = int(sys.stdin.readline())\nsys.exit(42 if reply == 2 * n else 43)\n").finds(
        1,
        &[
            "error output_validator/o.py: the interactor fails with a submission that ends at once, or closes its \
             output and reads on, or writes binary data and ends, or writes random text and ends, or writes 10 MB",
            "the validator exited with code 1",
            "gets a judge error",
        ],
    );
}

#[test]
fn an_interactor_that_accepts_everything_is_an_error() {
    interactive("sys.stdin.buffer.read()\nsys.exit(42)\n").finds(
        1,
        &[
            "error output_validator/o.py: the interactor accepts a submission that ends at once, or ",
            "it checks nothing",
        ],
    );
    interactive("sys.exit(43 if sys.stdin.buffer.read(1) else 42)\n").finds(
        1,
        &[
            "warning output_validator/o.py: the interactor accepts a submission that ends at once, or closes its \
             output and reads on (",
        ],
    );
}

#[test]
fn an_interactor_that_waits_for_ever_is_stopped_once() {
    interactive("while not sys.stdin.buffer.readline():\n    pass\nsys.exit(43)\n").finds(
        1,
        &[
            "error output_validator/o.py: the interactor fails with a submission that ends at once: the validator took \
             more than its 1 s",
        ],
    );
}

#[test]
fn a_multi_pass_validator_gets_junk_in_the_first_pass() {
    let yaml = format!("{YAML}type: multi-pass\n");
    let verify = |read: &str| {
        let validator = format!(
            "import os, sys\nseen = sys.argv[3] + 'seen'\n{read}\nif os.path.exists(seen):\n    sys.exit(42)\n\
             open(seen, 'w')\nopen(sys.argv[3] + 'nextpass.in', 'w').write('1\\n')\nsys.exit(42)\n"
        );
        let changes = [
            ("problem.yaml", &yaml[..]),
            ("output_validator/o.py", &validator),
        ];
        Verified::with(&changes, &[])
    };
    verify("int(sys.stdin.read())").finds(
        1,
        &["error output_validator/o.py: the output validator fails on an output with an empty file, binary data"],
    );
    // Another pass is no decision.
    let findings = verify("").findings();
    let is_about = |finding: &&String| finding.contains("output validator");
    assert_eq!(findings.iter().find(is_about), None);
}

#[test]
fn a_package_without_a_licence_is_a_warning() {
    let yaml = YAML.replace("license: cc0\n", "");
    Verified::with(&[("problem.yaml", &yaml)], &[]).finds(
        0,
        &["warning problem.yaml: the key `license` is missing, which means `unknown`"],
    );
}
