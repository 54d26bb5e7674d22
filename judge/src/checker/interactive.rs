//! Interactive problems: submission and validator run at once, each reading what the other
//! writes, each in its own box, both measured.
//!
//! ```text
//! submission stdout ──pipe──> validator stdin
//! submission stdin  <──pipe── validator stdout
//! ```
//!
//! Who ended first must not be a race. So the judge keeps an end of every pipe open until it has
//! noted that the program whose end it is has closed it, or ended (`hold.rs`): only then can the
//! other one see the end of its input. What is still written to a program that has
//! ended well is read and thrown away: nobody blocks on a full pipe, and nobody dies writing to one.
//! When there is nothing more to find out (the validator has rejected, or a box is broken) the other
//! one is ended at once.

use super::outcome::{CheckFault, Outcome};
use super::pipe_guard::PipeGuard;
use super::program::{CheckRequest, ProgramChecker};
use super::validator_box::ValidatorBox;
use judge_sandbox::{Canceller, Execution, Exit, Fault};
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read, pipe};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::sync::Mutex;
use std::sync::atomic::AtomicU32;
use std::thread::Builder;
use std::time::Duration;

/// What an ordinary user may make of a pipe; less than this, and a program that writes much before
/// it reads would block where real judges let it go on.
const PIPE_BYTES: usize = 1 << 20;

/// Runs the submission with this standard input, until it ends or is cancelled; the canceller brings
/// its standard output.
pub type RunSubmission<'a> =
    dyn FnMut(BorrowedFd<'_>, &Canceller) -> Result<Execution, Fault> + Send + 'a;

/// What came of a submission and a validator talking to each other.
#[derive(Debug)]
pub struct Interaction {
    /// The facts of the submission's run.
    pub execution: Execution,
    /// Whether the validator ended, or closed its end, before the submission did.
    pub validator_first: bool,
    /// What the validator says.
    pub outcome: Result<Outcome, CheckFault>,
}

/// Whose word decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decides {
    /// The submission failed by itself: too slow, crashed, ...
    Submission,
    /// The validator, whatever it says.
    Validator,
}

impl Interaction {
    /// Whose word decides; `submission_failed` is whether the facts of the submission's run speak
    /// against it.
    ///
    /// A validator that rejects or breaks down, and ends first, is right: what the submission
    /// does afterwards is a consequence. One that accepts first leaves the submission to end well
    /// by itself. A submission that fails first cannot blame the validator for what follows.
    pub fn decides(&self, submission_failed: bool) -> Decides {
        let accepted = self.outcome.as_ref().is_ok_and(Outcome::is_accepted);
        if submission_failed && (accepted || !self.validator_first) {
            Decides::Submission
        } else {
            Decides::Validator
        }
    }
}

/// Lets `run` (the submission) and the validator talk to each other. `wall` is how long the
/// submission may run: the validator gets longer, so that of two who wait for each other the
/// submission is the one that is late.
pub fn interact(
    checker: &ProgramChecker,
    validator_box: &mut ValidatorBox,
    request: &CheckRequest<'_>,
    wall: Duration,
    run: &mut RunSubmission<'_>,
) -> Result<Interaction, CheckFault> {
    let broken = |source| CheckFault::Io {
        what: "the pipes between submission and validator".to_string(),
        source,
    };
    let (to_submission_read, to_submission_write) = big_pipe().map_err(broken)?;
    let (to_validator_read, to_validator_write) = big_pipe().map_err(broken)?;
    // The judge reads from these pipes as well: flags that a program sets on its end, such as
    // `O_NONBLOCK`, must not be on the judge's.
    let submission_stdin = reopened(&to_submission_read).map_err(broken)?;
    let validator_stdin = reopened(&to_validator_read).map_err(broken)?;
    let mut limits = checker.limits.clone();
    limits.wall += wall;
    // What testlib's interactors write there is for a checker; nobody reads it.
    let args = checker.args(
        validator_box,
        request,
        Some(validator_box.feedback().join("transcript")),
    );
    let order = AtomicU32::new(0);
    let to_validator = PipeGuard::new(to_validator_write, &order).map_err(broken)?;
    let to_submission = PipeGuard::new(to_submission_write, &order).map_err(broken)?;
    let (end_submission, end_validator) = (to_validator.canceller(), to_submission.canceller());

    let submission: Mutex<Option<(u32, Result<Execution, Fault>)>> = Mutex::new(None);
    let (validator_place, validator_run) = std::thread::scope(|scope| {
        let submission_side = Builder::new().spawn_scoped(scope, || {
            let result = run(submission_stdin.as_fd(), end_submission);
            drop(submission_stdin);
            if result.is_err() {
                end_validator.cancel();
            }
            let place = to_validator.release();
            *submission
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner) = Some((place, result));
            throw_away(to_submission_read);
        });
        submission_side?;
        for guard in [&to_validator, &to_submission] {
            // Without it only the end of a run tells.
            let _ = Builder::new().spawn_scoped(scope, || guard.wait());
        }
        let stdin = validator_stdin.as_fd();
        let result = validator_box.run_to(&checker.program, &args, stdin, &limits, end_validator);
        drop(validator_stdin);
        let place = to_submission.release();
        let accepted = result.as_ref().is_ok_and(|execution| match execution.exit {
            Exit::Code(code) => checker.accepts(validator_box, code),
            _ => false,
        });
        // It had closed its end before: then how it goes on counts more than what is said of that.
        let submission_first = to_validator.place().is_some_and(|closed| closed < place);
        if accepted || result.is_ok() && submission_first {
            throw_away(to_validator_read);
        } else {
            // Whatever the submission still does makes no difference.
            drop(to_validator_read);
            end_submission.cancel();
        }
        io::Result::Ok((place, result))
    })
    .map_err(broken)?;
    let submission = submission
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let Some((submission_place, execution)) = submission else {
        return Err(broken(io::Error::other("the submission's thread died")));
    };
    let execution = execution?;
    let outcome = match validator_run {
        Ok(ended) => checker.judge(validator_box, request, &ended),
        // A broken sandbox is broken for both.
        Err(CheckFault::Sandbox(fault)) => return Err(CheckFault::Sandbox(fault)),
        Err(fault) => Err(fault),
    };
    Ok(Interaction {
        execution,
        validator_first: validator_place < submission_place,
        outcome,
    })
}

fn big_pipe() -> io::Result<(PipeReader, PipeWriter)> {
    let (reader, writer) = pipe()?;
    // Where the system allows less, the usual size has to do.
    let _ = rustix::pipe::fcntl_setpipe_size(&writer, PIPE_BYTES);
    Ok((reader, writer))
}

/// Another open file description of the same end.
fn reopened(reader: &PipeReader) -> io::Result<File> {
    File::open(format!("/proc/self/fd/{}", reader.as_raw_fd()))
}

/// Reads to the end.
fn throw_away(mut pipe: PipeReader) {
    let mut buffer = [0; 16 << 10];
    loop {
        match pipe.read(&mut buffer) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
