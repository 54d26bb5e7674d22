//! Runs programs in boxes. A box is reused while the same program runs, or a few programs
//! alternate.

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

/// Size limit of the work directory in bytes.
const WORK_BYTES: u64 = 64 << 20;
/// Maximum number of boxes that one runner keeps.
const MAX_BOXES: usize = 4;

/// The boxes of a worker, and the standard streams of the last run. Every run gets new files, so
/// that a program cannot affect the streams of the next one.
pub struct ProgramRunner {
    boxes: Boxes,
    inputs: InputCopier,
    /// Directory whose files are copied into the work directory before every run.
    pub files: Option<PathBuf>,
    /// A file that replaces standard input: its name in the work directory, and its source.
    pub input_file: Option<(PathBuf, PathBuf)>,
    /// Name of a file in the work directory that replaces standard output, unless it is left empty.
    pub output_file: Option<PathBuf>,
    /// Standard output of the last run.
    pub stdout: File,
    /// Standard error of the last run.
    pub stderr: File,
}

/// The open boxes.
struct Boxes {
    mode: Mode,
    core: Option<usize>,
    read_only: bool,
    /// The most recently used one is last.
    open: Vec<OpenBox>,
    /// Maximum number of open boxes.
    capacity: usize,
}

/// A box and its mounts.
struct OpenBox {
    mounts: Vec<Mount>,
    read_only: bool,
    sandbox: Box<dyn Sandbox>,
}

/// Parameters of one run of a program.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Arguments after the program's own.
    pub args: &'a [String],
    /// Source of standard input.
    pub stdin: Stdin<'a>,
    /// Limits that the sandbox enforces.
    pub limits: &'a Limits,
    /// The memory size that the program is started with; runtimes size their heap by it.
    pub memory: Option<u64>,
    /// What the program may see besides its own mounts.
    pub mounts: &'a [Mount],
    /// Whether to count instructions.
    pub count_instructions: bool,
}

/// Source of standard input.
#[derive(Clone, Copy, Debug)]
pub enum Stdin<'a> {
    /// Empty input.
    Empty,
    /// A copy of this file.
    File(&'a Path),
}

impl<'a> Run<'a> {
    /// A run of a helper program: its memory size is the limit, and it has no further mounts.
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
    /// Creates a runner on `core`.
    ///
    /// # Errors
    ///
    /// When its temporary files cannot be created.
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

    /// Keeps the boxes of `count` programs that alternate.
    #[must_use]
    pub fn for_programs(mut self, count: usize) -> Self {
        self.boxes.capacity = count.clamp(1, MAX_BOXES);
        self
    }

    /// Completes the specification of a box with this runner's mode and core.
    pub fn spec(&self, spec: &BoxSpec) -> BoxSpec {
        self.boxes.spec(spec)
    }

    /// Whether the work directory of the following runs is read-only; by default it is writable.
    pub fn work_is_read_only(&mut self, read_only: bool) {
        self.boxes.read_only = read_only;
    }

    /// Runs `program`; its output is in [`ProgramRunner::stdout`] and [`ProgramRunner::stderr`].
    ///
    /// # Errors
    ///
    /// When the sandbox fails.
    pub fn run(&mut self, program: &Program, run: &Run<'_>) -> Result<Execution, Fault> {
        self.run_until(program, run, None)
    }

    /// Like [`ProgramRunner::run`], but the canceller can end it.
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

    /// Runs `program` with the pipe `stdin` as standard input until it ends or is cancelled. The
    /// canceller holds its standard output; its standard error is in [`ProgramRunner::stderr`].
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

    /// The files of the work directory at the start of a run.
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

    /// If the program wrote to its own output file, that is its output.
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

    /// Returns at most `limit` bytes of the last program's standard output.
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
            // A box that failed is not reused.
            self.open.pop();
        }
        Ok((result?, kept))
    }

    /// Returns a box with the mounts of this program: an open one, or a new one.
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
            // Drops the least recently used box first: boxes share the machine's memory.
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

/// A file of the work directory.
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

/// The files of the work directory: copies of the case's files, and links to the program's data
/// files, unless the case has a file of that name.
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

/// Reads the first `limit` bytes of a file.
pub fn read_start(file: &mut File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
