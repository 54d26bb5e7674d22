//! Runs programs in boxes: submissions, validators, generators. A box is reused while the same
//! program runs, or a few programs alternate, and by a later runner that shares idle boxes.

mod idle;
mod open_box;

pub use idle::Idle;
pub use open_box::OpenBox;

use crate::language::Program;
use crate::text::read_range;
use judge_sandbox::{
    AsStream, Canceller, Content, Execution, Exit, Fault, Input, InputCopier, Job, Limits,
    MemoryFault, MemoryGauge, Mode, Mount, Sandbox, StagedFile, Stream, errno, scratch_file,
};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use walkdir::WalkDir;

/// Maximum number of boxes that one runner keeps.
const MAX_BOXES: usize = 4;

/// The boxes of a worker.
pub struct ProgramRunner {
    mode: Mode,
    core: Option<usize>,
    /// The most recently used one is last.
    open: Vec<OpenBox>,
    /// Maximum number of open boxes.
    capacity: usize,
    /// Boxes of earlier runners of this core.
    idle: Option<Arc<Idle<OpenBox>>>,
    runs_submissions: bool,
    inputs: InputCopier,
    /// Shows the memory of the running program, except in a box that an earlier runner opened.
    pub gauge: MemoryGauge,
}

/// A run that ended. Every run has files of its own, so that a program cannot affect the streams of
/// the next one.
#[derive(Debug)]
pub struct Ran {
    /// The facts of the run.
    pub execution: Execution,
    /// Its standard output, or the file that replaces it.
    pub stdout: File,
    /// Its standard error.
    pub stderr: File,
    /// The files that it wrote, by their path in the work directory.
    pub written: Vec<(PathBuf, File)>,
}

impl Ran {
    /// At most `limit` bytes of the standard output.
    pub fn output(&self, limit: u64) -> io::Result<Vec<u8>> {
        read_range(&self.stdout, 0, limit)
    }
}

/// Parameters of one run of a program.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a, Arg = String> {
    /// Arguments after the program's own.
    pub args: &'a [Arg],
    /// Source of standard input.
    pub stdin: Stdin<'a>,
    /// Limits that the sandbox enforces.
    pub limits: &'a Limits,
    /// The memory size that the program is started with; runtimes size their heap by it.
    pub memory: Option<u64>,
    /// The mounts of the program besides its own.
    pub mounts: &'a [Mount],
    /// Files of the work directory besides the program's own, which have lower precedence.
    pub files: &'a [WorkFile],
    /// Whether the program may only read in its work directory.
    pub work_is_read_only: bool,
    /// Whether to count instructions.
    pub count_instructions: bool,
    /// Can end the run, and receives the standard output if it holds one.
    pub canceller: Option<&'a Canceller>,
}

/// Source of standard input.
#[derive(Clone, Copy, Debug)]
pub enum Stdin<'a> {
    /// Empty input.
    Empty,
    /// A copy of this file.
    File(&'a Path),
    /// A file that no other run shares, or a pipe.
    Open(Stream<'a>),
}

/// A file of the work directory at the start of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkFile {
    /// Its path in the work directory.
    pub name: PathBuf,
    /// Its content.
    pub content: WorkContent,
}

/// The content of a file of the work directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkContent {
    /// A copy of this file.
    Copy(PathBuf),
    /// A symbolic link to this file, which lies in one of the mounts.
    Link(PathBuf),
    /// An empty file that replaces standard output, unless the program leaves it empty.
    Output,
    /// An empty file; what the program writes to it is in [`Ran::written`].
    Written,
}

impl WorkFile {
    /// A copy of `from`.
    pub fn copy(name: impl Into<PathBuf>, from: impl Into<PathBuf>) -> Self {
        WorkFile {
            name: name.into(),
            content: WorkContent::Copy(from.into()),
        }
    }

    /// Copies of all files below `dir`.
    pub fn copies_of(dir: &Path) -> Result<Vec<Self>, Fault> {
        let mut files = Vec::new();
        for entry in WalkDir::new(dir)
            .follow_links(true)
            .min_depth(1)
            .sort_by_file_name()
        {
            let entry =
                entry.map_err(|e| Fault::os(format!("read {}", dir.display()), e.into()))?;
            if entry.file_type().is_file()
                && let Ok(name) = entry.path().strip_prefix(dir)
            {
                files.push(WorkFile::copy(name, entry.path()));
            }
        }
        Ok(files)
    }

    /// Whether the program writes it.
    fn is_kept(&self) -> bool {
        matches!(self.content, WorkContent::Output | WorkContent::Written)
    }

    fn staged(&self) -> StagedFile<'_> {
        StagedFile {
            name: &self.name,
            content: match &self.content {
                WorkContent::Copy(from) => Content::Copy(from),
                WorkContent::Link(to) => Content::Link(to),
                WorkContent::Output | WorkContent::Written => Content::Kept,
            },
        }
    }
}

impl<'a, Arg> Run<'a, Arg> {
    /// A run of a helper program: its memory size is the limit, and it has no further mounts.
    pub fn helper(args: &'a [Arg], stdin: Stdin<'a>, limits: &'a Limits) -> Self {
        Run {
            args,
            stdin,
            limits,
            memory: limits.memory,
            mounts: &[],
            files: &[],
            work_is_read_only: false,
            count_instructions: false,
            canceller: None,
        }
    }
}

impl ProgramRunner {
    /// Creates a runner on `core`.
    pub fn new(mode: Mode, core: Option<usize>) -> Self {
        ProgramRunner {
            mode,
            core,
            open: Vec::new(),
            capacity: 1,
            idle: None,
            runs_submissions: false,
            inputs: InputCopier::default(),
            gauge: MemoryGauge::default(),
        }
    }

    /// Keeps the boxes of `count` programs that alternate.
    #[must_use]
    pub fn for_programs(mut self, count: usize) -> Self {
        self.capacity = count.clamp(1, MAX_BOXES);
        self
    }

    /// Runs submissions, which must not leave messages for each other.
    #[must_use]
    pub fn for_submissions(mut self) -> Self {
        self.runs_submissions = true;
        self
    }

    /// Takes boxes of earlier runners of the same mode and core, and leaves its own to later ones.
    #[must_use]
    pub fn sharing(mut self, idle: Option<Arc<Idle<OpenBox>>>) -> Self {
        self.idle = idle;
        self
    }

    /// Closes boxes that a later user must not use.
    pub fn close_stale(&mut self) {
        self.open.retain(OpenBox::is_current);
    }

    /// Runs `program`.
    ///
    /// # Errors
    ///
    /// When the sandbox fails, the program's interpreter cannot be executed, or the machine does not
    /// run the program. That the program's own file cannot be executed, or the arguments are too
    /// long, is a result.
    pub fn run<Arg: AsRef<OsStr>>(
        &mut self,
        program: &Program,
        run: &Run<'_, Arg>,
    ) -> Result<Ran, Fault> {
        let (mut stdout, stderr) = (scratch_file()?, scratch_file()?);
        let (execution, kept) = self.in_box(program, run, [&stdout, &stderr], |sandbox, job| {
            sandbox.run_until(job, run.canceller)
        })?;
        if let Exit::NotExecuted(number) = execution.exit
            && ![errno::E2BIG, errno::EINVAL].contains(&number)
            && !program.starts_own_file()
        {
            return Err(Fault::not_executed(&program.executable, number));
        }
        if execution.was_starved() {
            return Err(Fault::starved(&execution));
        }
        let failed = |e| Fault::os("read a file that the program wrote", e);
        let mut files = Vec::new();
        let names = run.files.iter().filter(|file| file.is_kept());
        for (file, mut written) in names.zip(kept) {
            if written.metadata().map_err(failed)?.len() == 0 {
                continue;
            }
            match file.content {
                WorkContent::Output => replace(&mut stdout, &mut written).map_err(failed)?,
                _ => files.push((file.name.clone(), written)),
            }
        }
        Ok(Ran {
            execution,
            stdout,
            stderr,
            written: files,
        })
    }

    /// Repeats a run that ended by an invalid memory access to learn its address.
    pub fn find_memory_fault<Arg: AsRef<OsStr>>(
        &mut self,
        program: &Program,
        run: &Run<'_, Arg>,
    ) -> Result<Option<MemoryFault>, Fault> {
        let (stdout, stderr) = (scratch_file()?, scratch_file()?);
        let find = |sandbox: &mut dyn Sandbox, job: &Job<'_>| {
            sandbox.find_memory_fault(job, run.canceller)
        };
        Ok(self.in_box(program, run, [&stdout, &stderr], find)?.0)
    }

    /// Calls `start` with the box of `program` and the run as a job. Also returns the files that
    /// replace the output.
    fn in_box<Arg: AsRef<OsStr>, R>(
        &mut self,
        program: &Program,
        run: &Run<'_, Arg>,
        [stdout, stderr]: [&File; 2],
        start: impl FnOnce(&mut dyn Sandbox, &Job<'_>) -> Result<R, Fault>,
    ) -> Result<(R, Vec<File>), Fault> {
        let input;
        let stdin = match run.stdin {
            Stdin::Open(stdin) => stdin,
            Stdin::File(path) => {
                input = self.inputs.copy(path)?;
                input.as_stream()
            }
            Stdin::Empty => {
                input = Input::from_bytes(b"")?;
                input.as_stream()
            }
        };
        let mut open_box = self.take_box(program, run.mounts, run.work_is_read_only)?;
        let own = program.beside.iter();
        // A directory of the author's files can have the name of the input file, and the other way
        // round.
        let is_taken = |name: &Path| {
            let contradicts =
                |file: &WorkFile| name.starts_with(&file.name) || file.name.starts_with(name);
            run.files.iter().any(contradicts)
        };
        let own = own.filter(|(name, _)| !is_taken(name));
        let own = own.map(|(name, to)| StagedFile {
            name,
            content: Content::Link(to),
        });
        let files: Vec<_> = run.files.iter().map(WorkFile::staged).chain(own).collect();
        let kept = open_box.sandbox.stage_files(&files)?;
        let job = Job {
            program: &program.executable,
            args: &program.args_for(run.memory, run.args),
            env: &program.env,
            stdin,
            stdout: stdout.as_stream(),
            stderr: stderr.as_stream(),
            limits: run.limits,
            count_instructions: run.count_instructions,
        };
        // A box that failed is not reused.
        let result = start(&mut *open_box.sandbox, &job)?;
        self.open.push(open_box);
        Ok((result, kept))
    }

    /// Takes a box with the mounts of this program out of the open ones, or opens one.
    fn take_box(
        &mut self,
        program: &Program,
        more: &[Mount],
        read_only: bool,
    ) -> Result<OpenBox, Fault> {
        let fits = |open_box: &OpenBox| open_box.is_for(program, more, read_only);
        if let Some(k) = self.open.iter().position(fits) {
            return Ok(self.open.remove(k));
        }
        // Drops the least recently used box first: boxes share the machine's memory.
        if self.open.len() >= self.capacity {
            let last = self.open.remove(0);
            self.leave(last);
        }
        let idle = self.idle.as_ref();
        let kept = idle.and_then(|idle| idle.take(|open| fits(open) && open.is_current()));
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let gauge = Some(self.gauge.clone());
        OpenBox::open(self.mode, self.core, program, more, read_only, gauge)
    }

    /// Leaves a box to a later runner, or closes it.
    fn leave(&self, mut left: OpenBox) {
        if self.runs_submissions {
            left.sandbox.evict_caches();
        }
        if let Some(idle) = &self.idle {
            idle.put([left]);
        }
    }
}

/// Replaces the program's output by that of its own output file.
fn replace(stdout: &mut File, written: &mut File) -> io::Result<()> {
    stdout.set_len(0)?;
    stdout.seek(SeekFrom::Start(0))?;
    written.seek(SeekFrom::Start(0))?;
    io::copy(written, stdout)?;
    Ok(())
}

impl Drop for ProgramRunner {
    fn drop(&mut self) {
        for left in std::mem::take(&mut self.open) {
            self.leave(left);
        }
    }
}
