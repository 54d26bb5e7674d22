//! Tests of interactive problems: which of two failures decides.
//!
//! The validator's secret number is 5: it writes 5 and expects 10.

use super::support::{Bench, run_with_output};
use judge_core::checker::{About, Interaction, Judgement};
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
    let mut session = bench.session(&checker);
    let program = bench.script("submission.sh", submission);
    let limits = Limits {
        cpu: Some(Duration::from_millis(500)),
        wall: Duration::from_millis(1500),
        ..Limits::default()
    };
    session.forget().unwrap();
    session
        .interact(
            &bench.case,
            &bench.case.input,
            &About::default(),
            limits.wall,
            &mut |stdin, canceller| run_with_output(&program, &limits, stdin, canceller),
            None,
        )
        .expect("run the submission")
}

fn judgement(interaction: &Interaction) -> Judgement {
    interaction
        .outcome
        .as_ref()
        .expect("run the validator")
        .judgement
}

fn failed(interaction: &Interaction) -> bool {
    interaction.execution.exit != Exit::Code(0)
}

/// The submission ends well, and the validator accepts.
fn accepted(validator: &str, submission: &str) {
    let interaction = interact(validator, submission);
    assert_eq!(
        (interaction.execution.exit, judgement(&interaction)),
        (Exit::Code(0), Judgement::Accepted)
    );
}

/// The submission fails after the validator has ended: whether that decides, and the validator's
/// judgement.
fn failed_second(submission: &str) -> (bool, Judgement) {
    let interaction = interact(VALIDATOR, submission);
    assert!(
        failed(&interaction) && interaction.validator_first,
        "{interaction:?}"
    );
    (
        interaction.is_decided_by_submission(true),
        judgement(&interaction),
    )
}

#[test]
fn the_validator_decides_about_an_answer() {
    let interaction = interact(VALIDATOR, "read n; echo $((2*n))");
    assert!(!failed(&interaction) && judgement(&interaction) == Judgement::Accepted);
    let interaction = interact(VALIDATOR, "read n; echo $((3*n))");
    // The submission may be cancelled immediately, because it can no longer change the result.
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
fn a_submission_that_crashes_first_gets_a_run_time_error() {
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
fn a_submission_that_crashes_after_rejection_is_wrong() {
    // The submission reads the end of its input after the rejection, and crashes because of it.
    let found = failed_second("read n; echo 0; read more; exit 3");
    assert_eq!(found, (false, Judgement::Rejected));
}

#[test]
fn a_submission_that_crashes_after_acceptance_gets_a_run_time_error() {
    let found = failed_second("read n; echo $((2*n)); read more; exit 3");
    assert_eq!(found, (true, Judgement::Accepted));
}

#[test]
fn writing_after_acceptance_has_no_effect() {
    // Writes far more than the capacity of a pipe.
    accepted(
        VALIDATOR,
        "read n; echo $((2*n)); sleep 0.2; head -c 4000000 /dev/zero || exit 3",
    );
}

#[test]
fn a_validator_can_write_to_a_submission_that_has_ended() {
    let validator = r#"read answer; head -c 4000000 /dev/zero || exit 1; [ "$answer" = 10 ] && exit 42; exit 43"#;
    accepted(validator, "echo 10");
}

#[test]
fn closing_the_output_ends_the_peers_input() {
    // The validator waits for the submission, which waits for the end of its input.
    let validator = "cat \"$1\"; exec >&-; read answer; [ \"$answer\" = 1 ] && exit 42; exit 43";
    accepted(validator, "n=0; while read x; do n=$((n+1)); done; echo $n");
    // The same with the roles reversed.
    let validator = "read x; [ \"$x\" = 7 ] || exit 43; read y && exit 43; echo bye; exit 42";
    accepted(
        validator,
        "echo 7; exec >&-; read x; [ \"$x\" = bye ] || exit 3",
    );
}

#[test]
fn the_first_program_to_close_its_output_failed_first() {
    // The submission gets only an end of file: it crashes while the validator sleeps.
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

/// The validator gets an end of file and rejects; the submission's exit status still counts.
#[test]
fn the_exit_status_counts_after_the_output_is_closed() {
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
fn an_endless_loop_exceeds_the_time_limit() {
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
    // If the submission ended normally, the validator's failure decides.
    assert!(!interaction.is_decided_by_submission(false));
}

#[test]
fn flags_set_by_a_submission_do_not_affect_the_judges_pipe_end() {
    // The judge drains the submission's pipe after the submission ended, because the validator may
    // still write. A flag that the submission set on its end must not interrupt that.
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

#[test]
fn a_validator_that_waits_for_ever_ends_soon_after_the_submission() {
    let interaction = interact("exec sleep 100000", "while :; do :; done");
    assert_eq!(interaction.execution.exit, Exit::Killed(Limit::Cpu));
    assert!(interaction.is_decided_by_submission(true));
    let fault = interaction.outcome.expect_err("it has not decided");
    assert!(!fault.is_timeout(), "it ran to its own limit: {fault}");
}
