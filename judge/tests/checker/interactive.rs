//! Interactive problems: who failed first.
//!
//! The validator thinks of 5, says 5, and wants to hear 10.

use super::support::{Bench, talk};
use judge::checker::{Decides, Interaction, Judgement};
use judge::package::ValidatorProtocol::Icpc;
use judge_sandbox::{Exit, Limit, Limits};
use std::time::Duration;

const VALIDATOR: &str = r#"
    n=$(cat "$1"); echo $n
    read answer || { echo "no answer" > "$3judgemessage.txt"; exit 43; }
    [ "$answer" = $((2*n)) ] && exit 42
    echo "said $answer" > "$3judgemessage.txt"; exit 43
"#;

fn interact(validator: &str, submission: &str) -> Interaction {
    let bench = Bench::new("5\n", "");
    let checker = bench.checker(Icpc, validator, false);
    let mut worker = bench.worker(&checker);
    let program = bench.script("submission.sh", submission);
    let limits = Limits {
        cpu: Some(Duration::from_millis(500)),
        wall: Duration::from_millis(1500),
        ..Limits::default()
    };
    worker.forget().unwrap();
    worker
        .interact(
            &bench.case,
            &bench.case.input,
            limits.wall,
            &mut |stdin, canceller| talk(&program, &limits, stdin, canceller),
        )
        .expect("the sandbox works")
}

fn judgement(told: &Interaction) -> Judgement {
    told.outcome
        .as_ref()
        .expect("the validator works")
        .judgement
}

fn failed(told: &Interaction) -> bool {
    told.execution.exit != Exit::Code(0)
}

#[test]
fn right_and_wrong_answers() {
    let told = interact(VALIDATOR, "read n; echo $((2*n))");
    assert!(!failed(&told) && judgement(&told) == Judgement::Accepted);
    let told = interact(VALIDATOR, "read n; echo $((3*n))");
    // It may be ended at once: nothing that it does matters any more.
    assert!(matches!(
        told.execution.exit,
        Exit::Code(0) | Exit::Cancelled
    ));
    assert_eq!(judgement(&told), Judgement::Rejected);
    assert_eq!(told.decides(false), Decides::Validator);
    assert_eq!(told.outcome.unwrap().message.as_deref(), Some("said 15"));
}

#[test]
fn a_submission_that_crashes_first_is_not_merely_wrong() {
    for submission in ["exit 3", "read n; exit 3", "kill -SEGV $$"] {
        let told = interact(VALIDATOR, submission);
        assert!(
            failed(&told) && !told.validator_first,
            "{submission}: {told:?}"
        );
        assert_eq!(told.decides(true), Decides::Submission, "{submission}");
    }
}

#[test]
fn a_submission_that_ends_too_early_is_wrong() {
    let told = interact(VALIDATOR, "exit 0");
    assert!(!failed(&told));
    assert_eq!(
        (told.decides(false), judgement(&told)),
        (Decides::Validator, Judgement::Rejected)
    );
}

#[test]
fn a_submission_that_crashes_after_it_was_rejected_is_wrong() {
    // It notices the rejection by the end of its input, and crashes of it.
    let told = interact(VALIDATOR, "read n; echo 0; read more; exit 3");
    assert!(failed(&told) && told.validator_first, "{told:?}");
    assert_eq!(
        (told.decides(true), judgement(&told)),
        (Decides::Validator, Judgement::Rejected)
    );
}

#[test]
fn a_submission_that_crashes_after_it_was_accepted_crashed() {
    let told = interact(VALIDATOR, "read n; echo $((2*n)); read more; exit 3");
    assert!(failed(&told) && told.validator_first, "{told:?}");
    assert_eq!(
        (told.decides(true), judgement(&told)),
        (Decides::Submission, Judgement::Accepted)
    );
}

#[test]
fn writing_after_acceptance_harms_nobody() {
    // Far more than a pipe holds.
    let told = interact(
        VALIDATOR,
        "read n; echo $((2*n)); sleep 0.2; head -c 4000000 /dev/zero || exit 3",
    );
    assert_eq!(
        (told.execution.exit, judgement(&told)),
        (Exit::Code(0), Judgement::Accepted)
    );
}

#[test]
fn writing_to_a_submission_that_has_ended_harms_nobody() {
    let validator = r#"read answer; head -c 4000000 /dev/zero || exit 1; [ "$answer" = 10 ] && exit 42; exit 43"#;
    let told = interact(validator, "echo 10");
    assert_eq!(
        (told.execution.exit, judgement(&told)),
        (Exit::Code(0), Judgement::Accepted)
    );
}

#[test]
fn who_closes_its_output_and_goes_on_has_said_all() {
    // The validator waits for the submission, which waits for the end of its input.
    let validator = "cat \"$1\"; exec >&-; read answer; [ \"$answer\" = 1 ] && exit 42; exit 43";
    let told = interact(validator, "n=0; while read x; do n=$((n+1)); done; echo $n");
    assert_eq!(
        (told.execution.exit, judgement(&told)),
        (Exit::Code(0), Judgement::Accepted)
    );
    // The same the other way round.
    let validator = "read x; [ \"$x\" = 7 ] || exit 43; read y && exit 43; echo bye; exit 42";
    let told = interact(
        validator,
        "echo 7; exec >&-; read x; [ \"$x\" = bye ] || exit 3",
    );
    assert_eq!(
        (told.execution.exit, judgement(&told)),
        (Exit::Code(0), Judgement::Accepted)
    );
}

#[test]
fn who_closes_its_output_first_was_first_whoever_ends_first() {
    // The end of its input is all that the submission hears: it crashes while the validator sleeps.
    let validator = "cat \"$1\"; exec >&-; sleep 0.6; exit 43";
    let told = interact(validator, "while read x; do :; done; exit 3");
    assert!(failed(&told) && told.validator_first, "{told:?}");
    assert_eq!(told.decides(true), Decides::Validator);
    // The same the other way round.
    let told = interact(
        "read x; read y; exit 43",
        "echo 7; exec >&-; sleep 0.6; exit 3",
    );
    assert!(!told.validator_first, "{told:?}");
}

/// The validator is told at once, and rejects; how the submission ends counts all the same.
#[test]
fn what_a_submission_does_after_closing_its_output_counts() {
    for (pause, submission) in [("", "exit 3"), ("sleep 0.3;", "exit 3"), ("", "sleep 100")] {
        let told = interact(
            VALIDATOR,
            &format!("read n; exec >&-; {pause} {submission}"),
        );
        assert!(failed(&told) && !told.validator_first, "{told:?}");
        assert_ne!(told.execution.exit, Exit::Cancelled);
        assert_eq!(told.decides(true), Decides::Submission);
    }
    let told = interact(VALIDATOR, "read n; exec >&-; sleep 0.3; exit 0");
    assert!(!failed(&told) && judgement(&told) == Judgement::Rejected);
}

#[test]
fn of_two_who_wait_for_each_other_the_submission_is_late() {
    let told = interact(VALIDATOR, "read n; sleep 100");
    assert_eq!(told.execution.exit, Exit::Killed(Limit::Wall));
    assert!(!told.validator_first, "{told:?}");
    assert_eq!(told.decides(true), Decides::Submission);
}

#[test]
fn an_endless_loop_is_too_slow() {
    let told = interact(VALIDATOR, "read n; while :; do :; done");
    // On a busy machine the wall clock may be first.
    assert!(
        matches!(told.execution.exit, Exit::Killed(Limit::Cpu | Limit::Wall)),
        "{told:?}"
    );
    assert_eq!(told.decides(true), Decides::Submission);
}

#[test]
fn a_validator_that_breaks_down_first_is_a_judge_error() {
    let told = interact("exit 1", "read n; exit 3");
    assert!(told.validator_first && told.outcome.is_err());
    assert_eq!(told.decides(true), Decides::Validator);
    // One that breaks down because the submission crashed is not.
    let told = interact("read x || exit 1; exit 42", "exit 3");
    assert!(!told.validator_first && told.outcome.is_err());
    assert_eq!(told.decides(true), Decides::Submission);
    // If the submission ended well, the validator has no excuse.
    assert_eq!(told.decides(false), Decides::Validator);
}

#[test]
fn flags_on_an_end_of_a_pipe_do_not_reach_the_judges_end() {
    // The judge reads from the submission's pipe when the submission has ended: the validator may
    // still write. A flag that the submission set there must not end that.
    let validator = r#"
        cat "$1"; read answer; cat > /dev/null; i=0
        while [ $i -lt 3000 ]; do echo more; i=$((i+1)); done
        echo "said $answer" > "$3judgemessage.txt"; exit 43
    "#;
    let submission = "read n; echo 0; exec python3 -c 'import fcntl, os
for fd in (0, 1): fcntl.fcntl(fd, fcntl.F_SETFL, os.O_NONBLOCK)'";
    let told = interact(validator, submission);
    assert!(!failed(&told), "{told:?}");
    assert_eq!(judgement(&told), Judgement::Rejected);
}
