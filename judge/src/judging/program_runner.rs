//! Where a worker runs programs: a box that is kept while the same program runs again (or a few, where
//! a few programs take turns), and files for what they write.

use crate::language::Program;
use judge_sandbox::{
    BoxSpec, Canceller, Content, Execution, Fault, Input, InputCopier, Job, Limits, Mode, Mount,
    Sandbox, StagedFile, scratch_file,
};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Bytes of the work directory that a program may fill.
const WORK_BYTES: u64 = 64 << 20;
/// Boxes that one station keeps.
const MAX_BOXES: usize = 4;

/// A box, and the standard streams of its runs: every run has its own, so that nothing a program
/// does to them reaches the next one.
pub struct ProgramRunner {
    boxes: Boxes,
    inputs: InputCopier,
    /// A directory whose files are copied into the work directory before every run.
    pub files: Option<PathBuf>,
    /// A file that stands for standard input: its name in the work directory, and what it is.
    pub input_file: Option<(PathBuf, PathBuf)>,
    /// The name there of a file that stands for standard output, where it is not left empty.
    pub output_file: Option<PathBuf>,
    /// What the last program wrote to standard output.
    pub stdout: File,
    /// What the last program wrote to standard error.
    pub stderr: File,
}

/// Where boxes are opened, and those at hand.
struct Boxes {
    mode: Mode,
    core: Option<usize>,
    read_only: bool,
    /// The one used last is the last.
    open: Vec<OpenBox>,
    /// How many may be kept.
    capacity: usize,
}

/// A box and what it shows.
struct OpenBox {
    mounts: Vec<Mount>,
    read_only: bool,
    sandbox: Box<dyn Sandbox>,
}

/// What varies from run to run of the same program.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Arguments after the program's own.
    pub args: &'a [String],
    /// Standard input.
    pub stdin: Stdin<'a>,
    /// The limits that the sandbox enforces.
    pub limits: &'a Limits,
    /// The memory that the program is told it has; runtimes size their heap by it.
    pub memory: Option<u64>,
    /// What the program may see besides itself.
    pub mounts: &'a [Mount],
    /// Whether to count instructions.
    pub count_instructions: bool,
}

/// Where standard input comes from.
#[derive(Clone, Copy, Debug)]
pub enum Stdin<'a> {
    /// It is empty.
    Empty,
    /// A copy of this file.
    File(&'a Path),
}

impl<'a> Run<'a> {
    /// A run of a program that is no submission: it knows its limits, and sees nothing more.
    pub fn helper(args: &'a [String], stdin: Stdin<'a>, limits: &'a Limits) -> Self {
        Run {
            args,
            stdin,
            limits,
            memory: limits.memory,
            mounts: &[],
            count_instructions: false,
        }
    }
}

impl ProgramRunner {
    /// A station on this core.
    ///
    /// # Errors
    ///
    /// When there is no room for its files.
    pub fn new(mode: Mode, core: Option<usize>) -> Result<Self, Fault> {
        Ok(ProgramRunner {
            boxes: Boxes {
                mode,
                core,
                read_only: false,
                open: Vec::new(),
                capacity: 1,
            },
            inputs: InputCopier::default(),
            files: None,
            input_file: None,
            output_file: None,
            stdout: scratch_file()?,
            stderr: scratch_file()?,
        })
    }

    /// The same station, for this many programs that take turns: the box of each is kept.
    #[must_use]
    pub fn for_programs(mut self, count: usize) -> Self {
        self.boxes.capacity = count.clamp(1, MAX_BOXES);
        self
    }

    /// The spec of a box, in this station's mode and on its core.
    pub fn spec(&self, spec: &BoxSpec) -> BoxSpec {
        self.boxes.spec(spec)
    }

    /// Whether programs may only read where they work; at first they may write.
    pub fn work_is_read_only(&mut self, read_only: bool) {
        self.boxes.read_only = read_only;
    }

    /// Runs `program`; what it writes is in [`ProgramRunner::stdout`] and [`ProgramRunner::stderr`].
    ///
    /// # Errors
    ///
    /// When the sandbox fails.
    pub fn run(&mut self, program: &Program, run: &Run<'_>) -> Result<Execution, Fault> {
        self.run_until(program, run, None)
    }

    /// The same, unless the canceller ends it before.
    ///
    /// # Errors
    ///
    /// When the sandbox fails.
    pub fn run_until(
        &mut self,
        program: &Program,
        run: &Run<'_>,
        canceller: Option<&Canceller>,
    ) -> Result<Execution, Fault> {
        let input = match run.stdin {
            Stdin::Empty => Input::from_bytes(b"")?,
            Stdin::File(path) => self.inputs.copy(path)?,
        };
        self.stdout = scratch_file()?;
        self.stderr = scratch_file()?;
        let files = self.work_files(program)?;
        let stdio = [input.as_fd(), self.stdout.as_fd(), self.stderr.as_fd()];
        let (execution, mut kept) = self.boxes.run(program, run, stdio, &files, canceller)?;
        if let Some(mut written) = kept.pop() {
            self.take_output(&mut written)?;
        }
        Ok(execution)
    }

    /// Runs `program` with its standard input from the pipe `stdin` until it ends or is cancelled;
    /// the canceller brings its standard output. What it writes to standard error is in
    /// [`ProgramRunner::stderr`].
    ///
    /// # Errors
    ///
    /// When the sandbox fails.
    pub fn run_between(
        &mut self,
        program: &Program,
        run: &Run<'_>,
        stdin: BorrowedFd<'_>,
        canceller: &Canceller,
    ) -> Result<Execution, Fault> {
        self.stderr = scratch_file()?;
        let files = self.work_files(program)?;
        let stdio = [stdin, stdin, self.stderr.as_fd()];
        let (execution, _) = self
            .boxes
            .run(program, run, stdio, &files, Some(canceller))?;
        Ok(execution)
    }

    /// What the program finds where it works.
    fn work_files(&self, program: &Program) -> Result<Vec<WorkFile>, Fault> {
        let mut files = work_files(program, self.files.as_deref())?;
        let input = self.input_file.iter().map(|(name, from)| WorkFile {
            name: name.clone(),
            what: What::Copy(from.clone()),
        });
        let output = self.output_file.iter().map(|name| WorkFile {
            name: name.clone(),
            what: What::Kept,
        });
        files.extend(input.chain(output));
        Ok(files)
    }

    /// What the program wrote into a file of its own is its output, if there is anything.
    fn take_output(&mut self, written: &mut File) -> Result<(), Fault> {
        let mut take = || -> io::Result<()> {
            if written.metadata()?.len() > 0 {
                self.stdout.set_len(0)?;
                self.stdout.seek(SeekFrom::Start(0))?;
                written.seek(SeekFrom::Start(0))?;
                io::copy(written, &mut self.stdout)?;
            }
            Ok(())
        };
        take().map_err(|e| Fault::os("read the program's output file", e))
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

impl Boxes {
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
        files: &[WorkFile],
        canceller: Option<&Canceller>,
    ) -> Result<(Execution, Vec<File>), Fault> {
        let args = program.args_for(run.memory, run.args);
        let sandbox = self.open(program, run.mounts)?;
        let furnishing: Vec<StagedFile<'_>> = files.iter().map(WorkFile::furnishing).collect();
        let kept = sandbox.stage_files(&furnishing)?;
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
            self.open.pop();
        }
        Ok((result?, kept))
    }

    /// The box for this program: the one at hand, if it shows the same.
    fn open(&mut self, program: &Program, more: &[Mount]) -> Result<&mut dyn Sandbox, Fault> {
        let read_only = self.read_only;
        let fits = |open_box: &OpenBox| {
            open_box.read_only == read_only
                && open_box.mounts.iter().eq(program.mounts.iter().chain(more))
        };
        if let Some(k) = self.open.iter().position(fits) {
            let open_box = self.open.remove(k);
            self.open.push(open_box);
        } else {
            // The oldest box goes first: one more would need more room.
            if self.open.len() >= self.capacity {
                self.open.remove(0);
            }
            let mounts: Vec<Mount> = program.mounts.iter().chain(more).cloned().collect();
            let sandbox = judge_sandbox::open(&self.spec(&BoxSpec {
                mounts: mounts.clone(),
                work_bytes: WORK_BYTES,
                work_read_only: read_only,
                ..BoxSpec::default()
            }))?;
            self.open.push(OpenBox {
                mounts,
                read_only,
                sandbox,
            });
        }
        match self.open.last_mut() {
            Some(open_box) => Ok(open_box.sandbox.as_mut()),
            None => Err(Fault::os("keep the box", io::Error::other("it is gone"))),
        }
    }
}

/// A file for the work directory.
struct WorkFile {
    name: PathBuf,
    what: What,
}

enum What {
    Copy(PathBuf),
    Link(PathBuf),
    Kept,
}

impl WorkFile {
    fn furnishing(&self) -> StagedFile<'_> {
        StagedFile {
            name: &self.name,
            content: match &self.what {
                What::Copy(from) => Content::Copy(from),
                What::Link(to) => Content::Link(to),
                What::Kept => Content::Kept,
            },
        }
    }
}

/// What a program finds where it works: links to its own data files, and copies of the files of
/// the case, which go before.
fn work_files(program: &Program, case: Option<&Path>) -> Result<Vec<WorkFile>, Fault> {
    let mut files = Vec::new();
    if let Some(dir) = case {
        for entry in WalkDir::new(dir).follow_links(true).min_depth(1) {
            let entry = entry.map_err(|e| {
                let stage = format!("read {}", dir.display());
                Fault::os(stage, e.into())
            })?;
            if entry.file_type().is_file()
                && let Ok(name) = entry.path().strip_prefix(dir)
            {
                files.push(WorkFile {
                    name: name.to_owned(),
                    what: What::Copy(entry.path().to_owned()),
                });
            }
        }
    }
    for (name, from) in &program.beside {
        if !files.iter().any(|file| &file.name == name) {
            files.push(WorkFile {
                name: name.clone(),
                what: What::Link(from.clone()),
            });
        }
    }
    Ok(files)
}

/// The first `limit` bytes of a file.
pub fn read_start(file: &mut File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
