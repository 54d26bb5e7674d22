//! Interactive problems: which program failed first.
//!
//! The validator's secret is 5: it writes 5 and expects 10.

use super::support::{Bench, talk};
use judge::checker::{Interaction, Judgement};
use judge_package::ValidatorProtocol::Icpc;
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

fn judgement(interaction: &Interaction) -> Judgement {
    interaction
        .outcome
        .as_ref()
        .expect("the validator works")
        .judgement
}

fn failed(interaction: &Interaction) -> bool {
    interaction.execution.exit != Exit::Code(0)
}

#[test]
fn right_and_wrong_answers() {
    let interaction = interact(VALIDATOR, "read n; echo $((2*n))");
    assert!(!failed(&interaction) && judgement(&interaction) == Judgement::Accepted);
    let interaction = interact(VALIDATOR, "read n; echo $((3*n))");
    // It may be cancelled at once, because it can no longer change the result.
    assert!(matches!(
        interaction.execution.exit,
        Exit::Code(0) | Exit::Cancelled
    ));
    assert_eq!(judgement(&interaction), Judgement::Rejected);
    assert!(!interaction.is_decided_by_submission(false));
    assert_eq!(
        interaction.outcome.unwrap().message.as_deref(),
        Some("said 15")
    );
}

#[test]
fn a_submission_that_crashes_first_is_not_merely_wrong() {
    for submission in ["exit 3", "read n; exit 3", "kill -SEGV $$"] {
        let interaction = interact(VALIDATOR, submission);
        assert!(
            failed(&interaction) && !interaction.validator_first,
            "{submission}: {interaction:?}"
        );
        assert!(interaction.is_decided_by_submission(true), "{submission}");
    }
}

#[test]
fn a_submission_that_ends_too_early_is_wrong() {
    let interaction = interact(VALIDATOR, "exit 0");
    assert!(!failed(&interaction));
    assert_eq!(
        (
            interaction.is_decided_by_submission(false),
            judgement(&interaction)
        ),
        (false, Judgement::Rejected)
    );
}

#[test]
fn a_submission_that_crashes_after_it_was_rejected_is_wrong() {
    // It sees the end of its input after the rejection, and crashes because of it.
    let interaction = interact(VALIDATOR, "read n; echo 0; read more; exit 3");
    assert!(
        failed(&interaction) && interaction.validator_first,
        "{interaction:?}"
    );
    assert_eq!(
        (
            interaction.is_decided_by_submission(true),
            judgement(&interaction)
        ),
        (false, Judgement::Rejected)
    );
}

#[test]
fn a_submission_that_crashes_after_it_was_accepted_crashed() {
    let interaction = interact(VALIDATOR, "read n; echo $((2*n)); read more; exit 3");
    assert!(
        failed(&interaction) && interaction.validator_first,
        "{interaction:?}"
    );
    assert_eq!(
        (
            interaction.is_decided_by_submission(true),
            judgement(&interaction)
        ),
        (true, Judgement::Accepted)
    );
}

#[test]
fn writing_after_acceptance_has_no_effect() {
    // Far more than a pipe's capacity.
    let interaction = interact(
        VALIDATOR,
        "read n; echo $((2*n)); sleep 0.2; head -c 4000000 /dev/zero || exit 3",
    );
    assert_eq!(
        (interaction.execution.exit, judgement(&interaction)),
        (Exit::Code(0), Judgement::Accepted)
    );
}

#[test]
fn a_validator_can_write_to_a_submission_that_has_ended() {
    let validator = r#"read answer; head -c 4000000 /dev/zero || exit 1; [ "$answer" = 10 ] && exit 42; exit 43"#;
    let interaction = interact(validator, "echo 10");
    assert_eq!(
        (interaction.execution.exit, judgement(&interaction)),
        (Exit::Code(0), Judgement::Accepted)
    );
}

#[test]
fn a_closed_output_is_the_end_of_input_while_its_writer_runs() {
    // The validator waits for the submission, which waits for the end of its input.
    let validator = "cat \"$1\"; exec >&-; read answer; [ \"$answer\" = 1 ] && exit 42; exit 43";
    let interaction = interact(validator, "n=0; while read x; do n=$((n+1)); done; echo $n");
    assert_eq!(
        (interaction.execution.exit, judgement(&interaction)),
        (Exit::Code(0), Judgement::Accepted)
    );
    // The same with the roles reversed.
    let validator = "read x; [ \"$x\" = 7 ] || exit 43; read y && exit 43; echo bye; exit 42";
    let interaction = interact(
        validator,
        "echo 7; exec >&-; read x; [ \"$x\" = bye ] || exit 3",
    );
    assert_eq!(
        (interaction.execution.exit, judgement(&interaction)),
        (Exit::Code(0), Judgement::Accepted)
    );
}

#[test]
fn the_first_to_close_its_output_counts_as_first() {
    // The submission sees only the end of its input: it crashes while the validator sleeps.
    let validator = "cat \"$1\"; exec >&-; sleep 0.6; exit 43";
    let interaction = interact(validator, "while read x; do :; done; exit 3");
    assert!(
        failed(&interaction) && interaction.validator_first,
        "{interaction:?}"
    );
    assert!(!interaction.is_decided_by_submission(true));
    // The same with the roles reversed.
    let interaction = interact(
        "read x; read y; exit 43",
        "echo 7; exec >&-; sleep 0.6; exit 3",
    );
    assert!(!interaction.validator_first, "{interaction:?}");
}

/// The validator sees the end of its input at once, and rejects; how the submission ends still
/// counts.
#[test]
fn how_a_submission_ends_after_closing_its_output_counts() {
    for (pause, submission) in [("", "exit 3"), ("sleep 0.3;", "exit 3"), ("", "sleep 100")] {
        let interaction = interact(
            VALIDATOR,
            &format!("read n; exec >&-; {pause} {submission}"),
        );
        assert!(
            failed(&interaction) && !interaction.validator_first,
            "{interaction:?}"
        );
        assert_ne!(interaction.execution.exit, Exit::Cancelled);
        assert!(interaction.is_decided_by_submission(true));
    }
    let interaction = interact(VALIDATOR, "read n; exec >&-; sleep 0.3; exit 0");
    assert!(!failed(&interaction) && judgement(&interaction) == Judgement::Rejected);
}

#[test]
fn in_a_deadlock_the_submission_exceeds_its_limit() {
    let interaction = interact(VALIDATOR, "read n; sleep 100");
    assert_eq!(interaction.execution.exit, Exit::Killed(Limit::Wall));
    assert!(!interaction.validator_first, "{interaction:?}");
    assert!(interaction.is_decided_by_submission(true));
}

#[test]
fn an_endless_loop_is_too_slow() {
    let interaction = interact(VALIDATOR, "read n; while :; do :; done");
    // On a busy machine the wall-clock limit may be exceeded first.
    assert!(
        matches!(
            interaction.execution.exit,
            Exit::Killed(Limit::Cpu | Limit::Wall)
        ),
        "{interaction:?}"
    );
    assert!(interaction.is_decided_by_submission(true));
}

#[test]
fn a_validator_that_fails_first_is_a_judge_error() {
    let interaction = interact("exit 1", "read n; exit 3");
    assert!(interaction.validator_first && interaction.outcome.is_err());
    assert!(!interaction.is_decided_by_submission(true));
    // A failure of the validator after the submission crashed is not a judge error.
    let interaction = interact("read x || exit 1; exit 42", "exit 3");
    assert!(!interaction.validator_first && interaction.outcome.is_err());
    assert!(interaction.is_decided_by_submission(true));
    // If the submission ended well, the failure is the validator's own.
    assert!(!interaction.is_decided_by_submission(false));
}

#[test]
fn flags_on_an_end_of_a_pipe_do_not_reach_the_judges_end() {
    // The judge drains the submission's pipe after the submission ended, because the validator may
    // still write. A flag that the submission set on its end must not end that.
    let validator = r#"
        cat "$1"; read answer; cat > /dev/null; i=0
        while [ $i -lt 3000 ]; do echo more; i=$((i+1)); done
        echo "said $answer" > "$3judgemessage.txt"; exit 43
    "#;
    let submission = "read n; echo 0; exec python3 -c 'import fcntl, os
for fd in (0, 1): fcntl.fcntl(fd, fcntl.F_SETFL, os.O_NONBLOCK)'";
    let interaction = interact(validator, submission);
    assert!(!failed(&interaction), "{interaction:?}");
    assert_eq!(judgement(&interaction), Judgement::Rejected);
}
