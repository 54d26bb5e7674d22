//! Where a worker runs programs: a box that is kept while the same program runs again, and files
//! for what it writes.

use crate::language::Program;
use judge_sandbox::{
    BoxSpec, Canceller, Execution, Fault, Job, Limits, Mode, Mount, Sandbox, scratch_file,
};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::{AsFd, BorrowedFd};

/// Bytes of the work directory that a program may fill.
const WORK_BYTES: u64 = 64 << 20;

/// A box and the files for standard output and standard error.
pub struct Station {
    place: Place,
    /// What the last program wrote to standard output.
    pub stdout: File,
    /// What the last program wrote to standard error.
    pub stderr: File,
}

/// Where boxes are opened, and the one at hand.
struct Place {
    mode: Mode,
    core: Option<usize>,
    room: Option<Room>,
}

/// A box and what it shows.
struct Room {
    mounts: Vec<Mount>,
    sandbox: Box<dyn Sandbox>,
}

/// What varies from run to run of the same program.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Arguments after the program's own.
    pub args: &'a [String],
    /// Standard input.
    pub stdin: BorrowedFd<'a>,
    /// The limits that the sandbox enforces.
    pub limits: &'a Limits,
    /// The memory that the program is told it has; runtimes size their heap by it.
    pub memory: Option<u64>,
    /// What the program may see besides itself.
    pub mounts: &'a [Mount],
    /// Whether to count instructions.
    pub count_instructions: bool,
}

impl Station {
    /// A station on this core.
    ///
    /// # Errors
    ///
    /// When there is no room for its files.
    pub fn new(mode: Mode, core: Option<usize>) -> Result<Self, Fault> {
        let room = None;
        Ok(Station {
            place: Place { mode, core, room },
            stdout: scratch_file()?,
            stderr: scratch_file()?,
        })
    }

    /// The spec of a box, in this station's mode and on its core.
    pub fn spec(&self, spec: &BoxSpec) -> BoxSpec {
        self.place.spec(spec)
    }

    /// Runs `program`; what it writes is in [`Station::stdout`] and [`Station::stderr`].
    ///
    /// # Errors
    ///
    /// When the sandbox fails.
    pub fn run(&mut self, program: &Program, run: &Run<'_>) -> Result<Execution, Fault> {
        empty(&self.stdout)?;
        empty(&self.stderr)?;
        let stdio = [run.stdin, self.stdout.as_fd(), self.stderr.as_fd()];
        self.place.run(program, run, stdio, None)
    }

    /// Runs `program` between two descriptors until it ends or is cancelled; what it writes to
    /// standard error is in [`Station::stderr`].
    ///
    /// # Errors
    ///
    /// When the sandbox fails.
    pub fn run_between(
        &mut self,
        program: &Program,
        run: &Run<'_>,
        stdin: BorrowedFd<'_>,
        stdout: BorrowedFd<'_>,
        canceller: Option<&Canceller>,
    ) -> Result<Execution, Fault> {
        empty(&self.stderr)?;
        let stdio = [stdin, stdout, self.stderr.as_fd()];
        self.place.run(program, run, stdio, canceller)
    }

    /// What the last program wrote to standard output, at most `limit` bytes of it.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn output(&mut self, limit: u64) -> io::Result<Vec<u8>> {
        read_start(&mut self.stdout, limit)
    }
}

impl Place {
    fn spec(&self, spec: &BoxSpec) -> BoxSpec {
        BoxSpec {
            mode: self.mode,
            core: self.core,
            ..spec.clone()
        }
    }

    fn run(
        &mut self,
        program: &Program,
        run: &Run<'_>,
        [stdin, stdout, stderr]: [BorrowedFd<'_>; 3],
        canceller: Option<&Canceller>,
    ) -> Result<Execution, Fault> {
        let args = program.args_for(run.memory, run.args);
        let sandbox = self.open(program, run.mounts)?;
        let job = Job {
            program: &program.executable,
            args: &args,
            env: &program.env,
            stdin,
            stdout,
            stderr,
            limits: run.limits,
            count_instructions: run.count_instructions,
        };
        let result = sandbox.run_until(&job, canceller);
        if result.is_err() {
            // A box that failed once is not used again.
            self.room = None;
        }
        result
    }

    /// The box for this program: the one at hand, if it shows the same.
    fn open(&mut self, program: &Program, more: &[Mount]) -> Result<&mut dyn Sandbox, Fault> {
        let fits = |room: &Room| room.mounts.iter().eq(program.mounts.iter().chain(more));
        if !self.room.as_ref().is_some_and(fits) {
            // The old box goes first: two at once would need twice the room.
            self.room = None;
            let mounts: Vec<Mount> = program.mounts.iter().chain(more).cloned().collect();
            let sandbox = judge_sandbox::open(&self.spec(&BoxSpec {
                mounts: mounts.clone(),
                work_bytes: WORK_BYTES,
                ..BoxSpec::default()
            }))?;
            self.room = Some(Room { mounts, sandbox });
        }
        match &mut self.room {
            Some(room) => Ok(room.sandbox.as_mut()),
            None => Err(Fault::os("keep the box", io::Error::other("it is gone"))),
        }
    }
}

/// The first `limit` bytes of a file.
pub fn read_start(file: &mut File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn empty(mut file: &File) -> Result<(), Fault> {
    file.set_len(0)
        .and_then(|()| file.rewind())
        .map_err(|e| Fault::os("empty the output file", e))
}
