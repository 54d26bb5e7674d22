//! Tests of validator programs: every protocol, the meaning of each exit code, and violations of
//! the protocols.

use super::support::{Bench, file};
use judge_core::checker::{About, CheckFault, Judgement, Score};
use judge_package::ValidatorProtocol::{Hustoj, Icpc, OnlineJudgeTools, Testlib, TestlibOf200};
use judge_sandbox::{BoxSpec, State};

fn bench() -> Bench {
    Bench::new("3 4\n", "7\n")
}

#[test]
fn icpc_validators_get_input_answer_and_a_feedback_directory() {
    let mut bench = bench();
    bench.case.validator_args = vec!["two words".to_string(), "$x".to_string()];
    let script = r#"
        [ "$(cat "$1")" = "3 4" ] && [ "$(cat "$2")" = 7 ] && [ "$4" = "two words" ] && [ "$5" = '$x' ] || exit 1
        case "$3" in */) ;; *) exit 2 ;; esac
        read sum
        [ "$sum" = 7 ] && exit 42
        echo "sum is $sum" > "$3judgemessage.txt"
        echo "look again" > "$3teammessage.txt"
        exit 43
    "#;
    let right = bench.check(Icpc, script, "7\n").unwrap();
    assert_eq!(
        (right.judgement, right.message),
        (Judgement::Accepted, None)
    );
    let wrong = bench.check(Icpc, script, "8\n").unwrap();
    assert_eq!(wrong.judgement, Judgement::Rejected);
    assert_eq!(wrong.message.as_deref(), Some("sum is 8"));
    assert_eq!(wrong.team_message.as_deref(), Some("look again"));
}

#[test]
fn feedback_of_one_case_is_removed_before_the_next() {
    let bench = bench();
    let script = r#"[ -e "$3seen" ] && exit 1; echo x > "$3seen"; mkdir -p "$3dir/deep"; exit 42"#;
    let checker = bench.checker(Icpc, script, false);
    let mut session = bench.session(&checker);
    for _ in 0..3 {
        assert!(session.check(&bench.case, &file("")).unwrap().is_accepted());
    }
}

#[test]
fn a_missing_answer_is_an_empty_file() {
    let mut bench = bench();
    bench.case.answer = None;
    let script = r#"[ -f "$2" ] && [ ! -s "$2" ] && exit 42"#;
    assert!(bench.check(Icpc, script, "").unwrap().is_accepted());
}

#[test]
fn a_violation_of_the_protocol_is_a_judge_error() {
    let bench = bench();
    #[rustfmt::skip]
    let table = [
        ("exit 0", "exited with code 0"),
        ("exit 1", "exited with code 1"),
        ("echo lost >&2; exit 1", "it said: lost"),
        ("kill -SEGV $$", "signal 11"),
        ("while :; do :; done", "CPU time"),
        ("yes", "wrote more"),
        (r#"echo x > "$3score.txt"; exit 42"#, "one number"),
        (r#"echo nan > "$3score.txt"; exit 42"#, "one number"),
        (r#"echo 2 > "$3score_multiplier.txt"; exit 42"#, "between 0 and 1"),
        (r#"echo 1 > "$3score.txt"; echo 1 > "$3score_multiplier.txt"; exit 42"#, "both"),
    ];
    for (script, said) in table {
        match bench.check(Icpc, script, "7\n") {
            Err(fault @ CheckFault::Validator { .. }) => {
                assert!(fault.to_string().contains(said), "{script}: {fault}");
            }
            other => panic!("{script}: {other:?}"),
        }
    }
}

#[test]
fn scores_are_read() {
    let bench = bench();
    let score = |script: &str| bench.check(Icpc, script, "").unwrap().score;
    assert_eq!(
        score(r#"echo 12.5 > "$3score.txt"; exit 42"#),
        Some(Score::Points(12.5))
    );
    assert_eq!(
        score(r#"echo 0.25 > "$3score_multiplier.txt"; exit 42"#),
        Some(Score::Multiplier(0.25))
    );
    assert_eq!(score("exit 42"), None);
}

#[test]
fn links_instead_of_message_files_are_not_followed() {
    let bench = bench();
    let script = r#"ln -s /etc/passwd "$3judgemessage.txt"; mkfifo "$3teammessage.txt"; ln -s /etc/passwd "$3score.txt"; exit 42"#;
    let outcome = bench.check(Icpc, script, "").unwrap();
    assert_eq!(
        (outcome.message, outcome.team_message, outcome.score),
        (None, None, None)
    );
}

#[test]
fn links_that_a_validator_creates_are_not_followed() {
    let bench = bench();
    let elsewhere = tempfile::tempdir().unwrap();
    let kept = elsewhere.path().join("kept");
    // The validator creates links with the names of all files that the judge writes, removes and
    // reads.
    let script = format!(
        r#"
        room=$(dirname "$3"); [ -d "$room/feedback" ] || room=$(dirname "$2")
        mv "$room/feedback" "$room/before"
        ln -s {0} "$room/feedback"
        for name in output empty even-pass.in odd-pass.in; do
            rm -f "$room/$name"; ln -s {0}/kept "$room/$name"
        done
        exit $CODE
        "#,
        elsewhere.path().display()
    );
    for (protocol, code) in [(Icpc, "42"), (Testlib, "0")] {
        std::fs::write(&kept, "kept").unwrap();
        let checker = bench.checker(protocol, &script.replace("$CODE", code), false);
        let mut session = bench.session(&checker);
        let sandbox = judge_sandbox::open(&BoxSpec::default()).unwrap();
        let isolation = sandbox.layers().iter().find(|l| l.name == "isolation");
        if isolation.is_some_and(|layer| layer.state == State::Absent) {
            eprintln!("skipped: no layer isolates the file system");
            return;
        }
        for _ in 0..2 {
            // The verdict does not matter; only the link targets do.
            let _ = session.check(&bench.case, &file("output"));
        }
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), "kept");
    }
}

#[test]
fn long_messages_are_truncated() {
    let bench = bench();
    let script = r#"head -c 900000 /dev/zero | tr '\0' x > "$3judgemessage.txt"; exit 43"#;
    let message = bench.check(Icpc, script, "").unwrap().message.unwrap();
    assert!(message.len() < 20_000 && message.ends_with('…'));
}

#[test]
fn several_passes_share_a_feedback_directory() {
    let bench = bench();
    let script = r#"
        read seen
        echo "$(cat "$1") $seen" >> "$3log"
        case $(wc -l < "$3log") in
            1) echo second > "$3nextpass.in"; exit 42 ;;
            2) [ -e "$3nextpass.in" ] && exit 1; echo third > "$3nextpass.in"; exit 42 ;;
            *) cp "$3log" "$3judgemessage.txt"; exit 42 ;;
        esac
    "#;
    let checker = bench.checker(Icpc, script, true);
    let mut session = bench.session(&checker);
    session.forget().unwrap();
    let mut input = bench.case.input.to_path_buf();
    for (pass, expected) in [("a", "second\n"), ("b", "third\n")] {
        let outcome = session
            .check_pass(&bench.case, &input, &file(pass), &About::default())
            .unwrap();
        input = outcome.next_pass.expect("get the next pass");
        assert_eq!(std::fs::read_to_string(&input).unwrap(), expected);
    }
    let last = session
        .check_pass(&bench.case, &input, &file("c"), &About::default())
        .unwrap();
    assert_eq!(last.next_pass, None);
    assert_eq!(last.message.as_deref(), Some("3 4 a\nsecond b\nthird c"));
    // Rejecting and requesting another pass contradict each other.
    let fault = bench.checker(Icpc, r#"echo x > "$3nextpass.in"; exit 43"#, true);
    assert!(bench.session(&fault).check(&bench.case, &file("")).is_err());
}

#[test]
fn testlib_exit_codes_are_mapped() {
    let bench = bench();
    let script = r#"
        [ "$(cat "$1")" = "3 4" ] && [ "$(cat "$2")" = out ] && [ "$(cat "$3")" = 7 ] || exit 3
        exit 0
    "#;
    assert!(bench.check(Testlib, script, "out").unwrap().is_accepted());
    let judged = |script: &str| {
        let outcome = bench.check(Testlib, script, "").unwrap();
        (outcome.judgement, outcome.score, outcome.message)
    };
    use Judgement::{Accepted, PresentationError, Rejected};
    let said = |text: &str| Some(text.to_string());
    assert_eq!(judged("echo ok >&2; exit 0"), (Accepted, None, said("ok")));
    assert_eq!(
        judged("echo wrong answer x >&2; exit 1"),
        (Rejected, None, said("wrong answer x"))
    );
    for code in [2, 4, 8] {
        assert_eq!(
            judged(&format!("exit {code}")),
            (PresentationError, None, None)
        );
    }
    for code in [5, 7] {
        let script = format!("echo points 2.5 good >&2; exit {code}");
        assert_eq!(
            judged(&script),
            (Accepted, Some(Score::Points(2.5)), said("points 2.5 good"))
        );
    }
    for script in [
        "exit 3",
        "exit 6",
        "exit 7",
        "exit 42",
        "exit 116",
        "kill -9 $$",
    ] {
        let result = bench.check(Testlib, script, "");
        assert!(result.is_err(), "{script}");
    }
}

/// Python and Java end with exit code 1 after an exception, which would reject the output.
#[test]
fn a_checker_that_ends_with_an_exception_is_a_fault() {
    let bench = bench();
    for line in [
        "Traceback (most recent call last):",
        "Exception in thread \"main\" java.lang.NullPointerException",
    ] {
        let script = format!("echo '{line}' >&2; exit 1");
        let fault = bench.check(Testlib, &script, "").unwrap_err();
        assert!(fault.to_string().contains("exception"), "{fault}");
    }
    let outcome = bench.check(Testlib, "echo 'no Traceback' >&2; exit 1", "");
    assert_eq!(outcome.unwrap().judgement, Judgement::Rejected);
}

/// A checker that exits as testlib does for `_pc(n)`, where n is the first number of the output.
const PARTIAL: &str = r#"
#include <cstdio>
#include <cstdlib>
#ifdef TESTSYS
#define PC_BASE_EXIT_CODE 50
#else
#define PC_BASE_EXIT_CODE 0
#endif
static void quit_partially(int n, const char *message) {
    std::fprintf(stderr, "partially correct (%d) %s\n", n, message);
    std::exit(PC_BASE_EXIT_CODE + n);
}
int main(int argc, char **argv) {
    std::FILE *output = std::fopen(argv[2], "r");
    int n;
    if (argc < 4 || !output || std::fscanf(output, "%d", &n) != 1) return 3;
    quit_partially(n, "some of it");
}
"#;

#[test]
fn testlib_checkers_give_partial_scores() {
    let mut bench = bench();
    std::fs::write(bench.dir.path().join("checker.cpp"), PARTIAL).unwrap();
    for flag in ["-UTESTSYS", "-DTESTSYS"] {
        let program = bench.dir.path().join("checker");
        let compiled = std::process::Command::new("c++")
            .args(["-O1", flag, "-o"])
            .arg(&program)
            .arg(bench.dir.path().join("checker.cpp"))
            .status();
        assert!(compiled.expect("a C++ compiler").success());
        let script = format!("exec {} \"$@\"", program.display());
        for (protocol, whole) in [(Testlib, 100.0), (TestlibOf200, 200.0)] {
            for n in [0_u32, 1, 2, 3, 4, 7, 8, 10, 50, 100, 200] {
                let result = bench.check(protocol.clone(), &script, &format!("{n}\n"));
                let share = f64::from(n) / whole;
                let what = format!("{flag}: {n} of {whole}");
                if share > 1.0 {
                    let fault = result.expect_err(&what).to_string();
                    assert!(fault.contains("gave 200 of 100 points"), "{what}: {fault}");
                    continue;
                }
                let outcome = result.expect(&what);
                assert_eq!(outcome.is_accepted(), n > 0, "{what}");
                let score = (n > 0).then_some(Score::Multiplier(share));
                assert_eq!(outcome.score, score, "{what}");
                let message = format!("partially correct ({n}) some of it");
                assert_eq!(outcome.message, Some(message), "{what}");
            }
        }
    }
    // The message of a wrong answer may quote the output.
    bench.case.validator_args.clear();
    let quoted = r"printf 'wrong answer read\npartially correct (100)\n' >&2; exit 1";
    let outcome = bench.check(Testlib, quoted, "").unwrap();
    assert_eq!(
        (outcome.judgement, outcome.score),
        (Judgement::Rejected, None)
    );
}

#[test]
fn checkers_that_accept_with_exit_code_0() {
    let bench = bench();
    let oj = r#"[ "$(cat "$2")" = "$(cat "$3")" ] || { echo differs; exit 5; }"#;
    assert!(
        bench
            .check(OnlineJudgeTools, oj, "7")
            .unwrap()
            .is_accepted()
    );
    let wrong = bench.check(OnlineJudgeTools, oj, "8").unwrap();
    assert_eq!(wrong.judgement, Judgement::Rejected);
    assert_eq!(wrong.message.as_deref(), Some("differs"));
    let hustoj = r#"[ "$(cat "$2")" = 7 ] && [ "$(cat "$3")" = 8 ]"#;
    assert!(bench.check(Hustoj, hustoj, "8").unwrap().is_accepted());
    assert!(!bench.check(Hustoj, hustoj, "7").unwrap().is_accepted());
}

#[test]
fn a_missing_validator_is_a_judge_error() {
    let mut bench = bench();
    bench.case.validator = 1;
    let fault = bench.check(Icpc, "exit 42", "7\n").unwrap_err();
    let said = "secret/1: output validator 2 of 1 does not exist";
    assert_eq!(fault.to_string(), said);
}
