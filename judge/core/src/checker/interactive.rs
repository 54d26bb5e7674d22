//! Interactive problems: submission and validator run at the same time, connected by two pipes,
//! each in its own box, both measured.
//!
//! ```text
//! submission stdout ──pipe──> validator stdin
//! submission stdin  <──pipe── validator stdout
//! ```
//!
//! Which program ended first must not be a race. The judge keeps an end of every pipe open until it
//! has recorded that the program at that end closed it or ended (`pipe_guard.rs`); only then the
//! other program can read the end of its input. After a program ended well, the judge drains what
//! is still written to it, so that the other one neither blocks on a full pipe nor gets SIGPIPE.
//! When the result is certain (the validator has rejected, or a box failed), the other program is
//! cancelled; a validator some seconds after the submission was stopped at a limit.
//!
//! To record a dialogue, a thread of the judge relays each direction between two pipes.

use super::dialogue::{Dialogue, Speaker};
use super::outcome::{CheckFault, Outcome};
use super::pipe_guard::PipeGuard;
use super::program::ProgramChecker;
use super::request::CheckRequest;
use super::validator_box::{Ended, ValidatorBox};
use crate::program_runner::{Run, Stdin};
use judge_os::reopen_reader;
use judge_sandbox::{AsStream, Canceller, Execution, Exit, Fault, Limits, Stream};
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read, Write, pipe};
use std::sync::atomic::AtomicU32;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, Scope};
use std::time::{Duration, Instant};

/// The largest pipe that an unprivileged user may create. With a smaller one a program that writes
/// much before it reads would block where other judges let it continue.
const PIPE_BYTES: usize = 1 << 20;

/// The size of a new pipe on Linux, on which the programs of every judge rely.
const DEFAULT_PIPE_BYTES: usize = 64 << 10;

/// How long to wait for a pipe of that size, longer than the time limit of nearly every problem.
const PATIENCE: Duration = Duration::from_secs(30);

/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(10);

/// How long a validator may run on after the submission was stopped at a limit, to write its message.
const GRACE: Duration = Duration::from_secs(5);

/// Runs the submission with this standard input until it ends or is cancelled; the canceller holds
/// its standard output.
pub type RunSubmission<'a> =
    dyn FnMut(Stream<'_>, &Canceller) -> Result<Execution, Fault> + Send + 'a;

/// Result of an interaction between a submission and a validator.
#[derive(Debug)]
pub struct Interaction {
    /// The facts of the submission's run.
    pub execution: Execution,
    /// Whether the validator ended, or closed its end, before the submission.
    pub validator_first: bool,
    /// The validator's outcome.
    pub outcome: Result<Outcome, CheckFault>,
    /// The time for which the machine did not run the validator: the submission waited for it.
    pub validator_delay: Duration,
}

impl Interaction {
    /// Whether the submission decides, which failed by itself, and not the validator.
    /// `submission_failed`: whether the facts of the submission's run give a verdict.
    ///
    /// A validator that rejects or fails, and ends first, decides: the submission's failure may be
    /// a consequence. After a validator that accepts first, the submission must still end well. A
    /// submission that fails first decides: the validator's result may be a consequence.
    pub fn is_decided_by_submission(&self, submission_failed: bool) -> bool {
        let accepted = self.outcome.as_ref().is_ok_and(Outcome::is_accepted);
        submission_failed && (accepted || !self.validator_first)
    }
}

/// Runs the submission with `run` and the validator, connected to each other. `wall` is the
/// submission's wall-clock limit; the validator's is longer, so that in a deadlock the submission
/// exceeds its limit. Both are recorded in `dialogue`.
pub fn interact(
    checker: &ProgramChecker,
    validator_box: &mut ValidatorBox,
    request: &CheckRequest<'_>,
    wall: Duration,
    run: &mut RunSubmission<'_>,
    dialogue: Option<&Dialogue>,
) -> Result<Interaction, CheckFault> {
    let broken = CheckFault::io("the pipes between submission and validator");
    let (mut to_submission_read, to_submission_write) = big_pipe().map_err(&broken)?;
    let (mut to_validator_read, to_validator_write) = big_pipe().map_err(&broken)?;
    let relays = match dialogue {
        Some(dialogue) => Some([
            Relay::insert(&mut to_validator_read, dialogue, Speaker::Submission)
                .map_err(&broken)?,
            Relay::insert(&mut to_submission_read, dialogue, Speaker::Validator)
                .map_err(&broken)?,
        ]),
        None => None,
    };
    let to_submission = Readers::of(to_submission_read).map_err(&broken)?;
    let to_validator = Readers::of(to_validator_read).map_err(&broken)?;
    let order = AtomicU32::new(0);
    let guards = Guards {
        to_validator: PipeGuard::new(to_validator_write, &order).map_err(&broken)?,
        to_submission: PipeGuard::new(to_submission_write, &order).map_err(&broken)?,
    };
    let validator = ValidatorRun {
        checker,
        request,
        limits: Limits {
            wall: checker.limits.wall + wall,
            ..checker.limits.clone()
        },
    };
    let (validator_ended, ended) = channel();

    let (submission, (validator_place, validator_run)) = std::thread::scope(|scope| {
        for relay in relays.into_iter().flatten() {
            // Best effort: without this thread the programs see closed pipes, and end.
            let _ = Builder::new().spawn_scoped(scope, || relay.run());
        }
        let spawned = Builder::new().spawn_scoped(scope, || {
            run_submission(scope, &guards, to_submission, ended, run)
        });
        let submission = spawned.inspect_err(|_| {
            // The relays end with their input.
            guards
                .both()
                .into_iter()
                .for_each(|guard| _ = guard.release());
        })?;
        for guard in guards.both() {
            // Best effort: without this thread only the end of a run is noticed.
            let _ = Builder::new().spawn_scoped(scope, || guard.wait());
        }
        let validator = validator.run(validator_box, &guards, to_validator, validator_ended);
        io::Result::Ok((submission.join(), validator))
    })
    .map_err(&broken)?;
    let Ok((submission_place, execution)) = submission else {
        return Err(broken(io::Error::other("the submission's thread died")));
    };
    let execution = execution?;
    let delay = |ended: &Ended<'_>| ended.execution().usage.run_delay;
    let validator_delay = validator_run.as_ref().map(delay).unwrap_or_default();
    let outcome = match validator_run {
        Ok(mut ended) => checker.judge(&mut ended, request),
        // A sandbox failure applies to both programs.
        Err(CheckFault::Sandbox(fault)) => return Err(CheckFault::Sandbox(fault)),
        Err(fault) => Err(fault),
    };
    Ok(Interaction {
        execution,
        validator_first: validator_place < submission_place,
        outcome,
        validator_delay,
    })
}

/// The guards of the write ends of both pipes.
struct Guards<'o> {
    to_validator: PipeGuard<'o>,
    to_submission: PipeGuard<'o>,
}

impl<'o> Guards<'o> {
    fn both(&self) -> [&PipeGuard<'o>; 2] {
        [&self.to_validator, &self.to_submission]
    }

    /// Cancels the submission, which writes to the validator.
    fn end_submission(&self) -> &Canceller {
        self.to_validator.canceller()
    }

    /// Cancels the validator, which writes to the submission.
    fn end_validator(&self) -> &Canceller {
        self.to_submission.canceller()
    }
}

/// The read ends of a pipe. The judge's has a description of its own, so that it is not affected by flags that the
/// program sets on its end, such as `O_NONBLOCK`.
struct Readers {
    /// The program's standard input.
    program: File,
    judge: PipeReader,
}

impl Readers {
    fn of(judge: PipeReader) -> io::Result<Self> {
        let program = reopen_reader(&judge)?;
        Ok(Readers { program, judge })
    }
}

/// Runs the submission. Returns its place in the order in which the programs closed their ends, and the facts of the run.
fn run_submission<'s>(
    scope: &'s Scope<'s, '_>,
    guards: &'s Guards<'_>,
    input: Readers,
    validator_ended: Receiver<()>,
    run: &mut RunSubmission<'_>,
) -> (u32, Result<Execution, Fault>) {
    let result = run(input.program.as_stream(), guards.end_submission());
    drop(input.program);
    match &result {
        Ok(execution) if matches!(execution.exit, Exit::Killed(_)) => {
            // The verdict is certain. Best effort: without this thread the validator runs to its limits.
            let _ = Builder::new().spawn_scoped(scope, move || {
                if validator_ended.recv_timeout(GRACE) == Err(RecvTimeoutError::Timeout) {
                    guards.end_validator().cancel();
                }
            });
        }
        Ok(_) => {}
        Err(_) => guards.end_validator().cancel(),
    }
    let place = guards.to_validator.release();
    read_all(input.judge, |_| {});
    (place, result)
}

/// The validator's side of an interaction.
struct ValidatorRun<'a> {
    checker: &'a ProgramChecker,
    request: &'a CheckRequest<'a>,
    limits: Limits,
}

impl ValidatorRun<'_> {
    /// Runs the validator, and cancels the submission if it can no longer change the result. Returns the validator's place in the
    /// order in which the programs closed their ends, and its end. `ended` is dropped when it has ended.
    fn run<'b>(
        &self,
        validator_box: &'b mut ValidatorBox,
        guards: &Guards<'_>,
        input: Readers,
        ended: Sender<()>,
    ) -> (u32, Result<Ended<'b>, CheckFault>) {
        let checker = self.checker;
        let args = checker.args(
            validator_box,
            self.request,
            Some(validator_box.transcript()),
        );
        let files = checker.files(validator_box, self.request, None);
        let run = Run {
            files: &files,
            canceller: Some(guards.end_validator()),
            ..Run::helper(&args, Stdin::Open(input.program.as_stream()), &self.limits)
        };
        let result = validator_box.run(&checker.program, &run);
        drop(ended);
        drop(input.program);
        let place = guards.to_submission.release();
        let accepted = result
            .as_ref()
            .is_ok_and(|ended| match ended.execution().exit {
                Exit::Code(code) => checker.accepts(ended, code),
                _ => false,
            });
        // The submission closed its end first: its own end counts more than the validator's
        // judgement.
        let closed = guards.to_validator.place();
        let submission_first = closed.is_some_and(|closed| closed < place);
        if accepted || result.is_ok() && submission_first {
            read_all(input.judge, |_| {});
        } else {
            // The submission can no longer change the result.
            drop(input.judge);
            guards.end_submission().cancel();
        }
        (place, result)
    }
}

/// Creates a pipe of [`PIPE_BYTES`], or of [`DEFAULT_PIPE_BYTES`] if the system allows no more.
///
/// While an ordinary user has more than about a thousand pipes (`fs.pipe-user-pages-soft`), new ones
/// hold 4 to 8 KiB, and a program that writes before it reads would block in them. Another box may
/// have them all, so the judge waits until it is killed.
/// Fails when the user still has too many pipes after [`PATIENCE`].
fn big_pipe() -> io::Result<(PipeReader, PipeWriter)> {
    let start = Instant::now();
    loop {
        let (reader, writer) = pipe()?;
        if judge_os::enlarge_pipe(&writer, PIPE_BYTES)? >= DEFAULT_PIPE_BYTES {
            return Ok((reader, writer));
        }
        if start.elapsed() > PATIENCE {
            return Err(io::Error::other(
                "this user has too many pipes: end other programs, or raise the limit: \
                 sysctl fs.pipe-user-pages-soft=65536",
            ));
        }
        drop((reader, writer));
        std::thread::sleep(PAUSE);
    }
}

/// One direction of a recorded dialogue.
struct Relay<'d> {
    from: PipeReader,
    to: PipeWriter,
    dialogue: &'d Dialogue,
    speaker: Speaker,
}

impl<'d> Relay<'d> {
    /// Puts a second pipe behind the one of `reader`, which becomes the end of the second one.
    fn insert(
        reader: &mut PipeReader,
        dialogue: &'d Dialogue,
        speaker: Speaker,
    ) -> io::Result<Self> {
        let (relayed, to) = big_pipe()?;
        Ok(Relay {
            from: std::mem::replace(reader, relayed),
            to,
            dialogue,
            speaker,
        })
    }

    /// Copies and records to the end. After the reader closed its end, data are only recorded.
    fn run(self) {
        let mut to = Some(self.to);
        read_all(self.from, |bytes| {
            self.dialogue.add(self.speaker, bytes);
            if to.as_mut().is_some_and(|to| to.write_all(bytes).is_err()) {
                to = None;
            }
        });
    }
}

/// Reads to the end and calls `each` with the data.
fn read_all(mut pipe: PipeReader, mut each: impl FnMut(&[u8])) {
    let mut buffer = [0; 16 << 10];
    loop {
        match pipe.read(&mut buffer) {
            Ok(0) => return,
            Ok(n) => each(&buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::pipe::fcntl_getpipe_size;
    use rustix::process::{Resource, getrlimit, setrlimit};
    use std::process::Command;

    /// Runs itself again as an ordinary user of a new namespace, whose pipes the quota counts.
    #[test]
    fn pipes_are_not_short_because_another_program_has_many() {
        const MARK: &str = "JUDGE_TEST_PIPES_OF_A_USER";
        if std::env::var_os(MARK).is_none() {
            let test =
                "checker::interactive::tests::pipes_are_not_short_because_another_program_has_many";
            let inner = Command::new("unshare")
                .args(["--user", "--map-root-user"])
                .arg(std::env::current_exe().unwrap())
                .args(["--exact", test])
                .env(MARK, "1")
                .output();
            let Ok(inner) = inner else {
                eprintln!("skipped: no unshare command");
                return;
            };
            let said = String::from_utf8_lossy(&inner.stdout).into_owned()
                + &String::from_utf8_lossy(&inner.stderr);
            if said.contains("unshare failed") {
                eprintln!("skipped: {said}");
                return;
            }
            assert!(inner.status.success(), "{said}");
            return;
        }
        let mut files = getrlimit(Resource::Nofile);
        files.current = Some(files.maximum.unwrap_or(u64::MAX).min(20_000));
        setrlimit(Resource::Nofile, files).unwrap();
        let mut pipes = Vec::new();
        loop {
            // No file is left where the quota is higher than the limit on open files.
            let Ok(next) = pipe() else {
                eprintln!("skipped: {} pipes are not too many", pipes.len());
                return;
            };
            let short = fcntl_getpipe_size(&next.1).unwrap() < DEFAULT_PIPE_BYTES;
            pipes.push(next);
            if short {
                break;
            }
        }
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            drop(pipes);
        });
        let (_reader, writer) = big_pipe().unwrap();
        assert!(fcntl_getpipe_size(&writer).unwrap() >= DEFAULT_PIPE_BYTES);
        other.join().unwrap();
    }
}
