//! The box of a validator, a directory that it may write, and files for its messages.

use super::outcome::CheckFault;
use crate::language::{Program, read_only};
use crate::text::printable;
use judge_sandbox::{
    BoxSpec, Canceller, Execution, Exit, Fault, Job, Limit, Limits, Mount, Sandbox, StagedFile,
    TempDirectory, empty_directory, give_to_boxes, scratch_file, unlocked_tree_bytes,
};
use rustix::fs::OFlags;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Size limit of what is read of a message file or of standard error.
const MESSAGE_BYTES: u64 = 16 << 10;

/// Opens a box: `judge_sandbox::open`, or a fake in tests.
pub type Open<'a> = dyn FnMut(&BoxSpec) -> Result<Box<dyn Sandbox>, Fault> + 'a;

/// A box for one validator and the directories that it sees.
///
/// Only `feedback` is writable. With a writable parent directory, the validator could replace the
/// files that the judge writes, empties and reads by links.
pub struct ValidatorBox {
    sandbox: Box<dyn Sandbox>,
    /// Contains all files below; removed on drop.
    dir: TempDirectory,
    /// Output of the last run; every run gets new files.
    stdout: File,
    stderr: File,
    /// Number of inputs of further passes.
    passes: usize,
}

impl ValidatorBox {
    /// Opens a box for `program`, which may also read `mounts`.
    pub fn open(
        program: &Program,
        mounts: &[Mount],
        open: &mut Open<'_>,
    ) -> Result<Self, CheckFault> {
        let broken = |source| CheckFault::Io {
            what: "the validator's work directory".to_string(),
            source,
        };
        let dir = TempDirectory::new("validator")?;
        let feedback = dir.path().join("feedback");
        fs::create_dir(&feedback).map_err(broken)?;
        give_to_boxes(&feedback)?;
        fs::write(dir.path().join("empty"), "").map_err(broken)?;
        let mut all = program.mounts.clone();
        all.extend_from_slice(mounts);
        all.push(read_only(dir.path()));
        all.push(Mount {
            writable: true,
            ..read_only(&feedback)
        });
        let sandbox = open(&BoxSpec {
            mounts: all,
            work_bytes: 64 << 20,
            ..BoxSpec::default()
        })?;
        Ok(ValidatorBox {
            sandbox,
            dir,
            stdout: scratch_file()?,
            stderr: scratch_file()?,
            passes: 0,
        })
    }

    /// The directory for the validator's messages.
    pub fn feedback(&self) -> PathBuf {
        self.dir.path().join("feedback")
    }

    /// The path of a file of the box's directory.
    pub fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// An empty file, in place of a missing answer.
    pub fn empty_file(&self) -> PathBuf {
        self.file("empty")
    }

    /// Stages files in the work directory of the next run.
    pub fn furnish(&mut self, files: &[StagedFile<'_>]) -> Result<(), CheckFault> {
        self.sandbox.stage_files(files)?;
        Ok(())
    }

    /// Empties the feedback directory.
    pub fn clear_feedback(&mut self) -> Result<(), CheckFault> {
        let dir = self.feedback();
        // The validator may have removed permissions of the directory or its files.
        let mode = fs::Permissions::from_mode(0o755);
        empty_directory(&dir)
            .and_then(|_| fs::set_permissions(&dir, mode))
            .map_err(|source| CheckFault::Io {
                what: dir.display().to_string(),
                source,
            })
    }

    /// Copies `output` to a file that the validator can open by path.
    pub fn put_output(&self, output: &File) -> Result<PathBuf, CheckFault> {
        let path = self.file("output");
        let copy = || -> io::Result<()> {
            let mut from = output;
            from.seek(SeekFrom::Start(0))?;
            let mut to = File::create(&path)?;
            io::copy(&mut from, &mut to)?;
            to.set_permissions(fs::Permissions::from_mode(0o644))
        };
        copy().map_err(|source| CheckFault::Io {
            what: "the output".to_string(),
            source,
        })?;
        Ok(path)
    }

    /// Runs the validator with `stdin`, which no other run shares; its standard output is kept.
    pub fn run(
        &mut self,
        program: &Program,
        args: &[OsString],
        stdin: BorrowedFd<'_>,
        limits: &Limits,
    ) -> Result<Execution, CheckFault> {
        let stdout = scratch_file()?;
        let execution = self.start(program, args, [stdin, stdout.as_fd()], limits, None);
        self.stdout = stdout;
        execution
    }

    /// Runs the validator with this standard input until it ends or is cancelled; the canceller
    /// holds its standard output.
    pub fn run_to(
        &mut self,
        program: &Program,
        args: &[OsString],
        stdin: BorrowedFd<'_>,
        limits: &Limits,
        canceller: &Canceller,
    ) -> Result<Execution, CheckFault> {
        self.start(program, args, [stdin, stdin], limits, Some(canceller))
    }

    fn start(
        &mut self,
        program: &Program,
        args: &[OsString],
        [stdin, stdout]: [BorrowedFd<'_>; 2],
        limits: &Limits,
        canceller: Option<&Canceller>,
    ) -> Result<Execution, CheckFault> {
        self.stderr = scratch_file()?;
        let job = Job {
            program: &program.executable,
            args,
            env: &program.env,
            stdin,
            stdout,
            stderr: self.stderr.as_fd(),
            limits,
            count_instructions: false,
        };
        let mut execution = self.sandbox.run_until(&job, canceller)?;
        // A short run ends before the first periodic check.
        if let Some(most) = limits.disk
            && unlocked_tree_bytes(&self.feedback(), most) > most
        {
            execution.exit = Exit::Killed(Limit::Disk);
        }
        Ok(execution)
    }

    /// The start of the last run's standard error.
    pub fn stderr(&self) -> String {
        read_text(&self.stderr)
    }

    /// The start of the last run's standard output.
    pub fn stdout(&self) -> String {
        read_text(&self.stdout)
    }

    /// The start of a file of the feedback directory; `None` if it does not exist or is empty.
    pub fn message(&self, name: &str) -> Option<String> {
        let path = self.feedback().join(name);
        // A validator could create a symbolic link or a pipe there: neither is followed.
        let file = open_plain(&path).ok().flatten()?;
        Some(read_text(&file)).filter(|text| !text.is_empty())
    }

    /// Whether the validator created a file of this name.
    pub fn has_message(&self, name: &str) -> bool {
        matches!(open_plain(&self.feedback().join(name)), Ok(Some(_)))
    }

    /// Moves the input of the next pass out of the feedback directory; returns its path.
    pub fn take_next_pass(&mut self) -> Result<PathBuf, CheckFault> {
        // Two alternating names: the pass in progress uses the other one.
        self.passes += 1;
        let to = self.file(["even-pass.in", "odd-pass.in"][self.passes % 2]);
        fs::rename(self.feedback().join("nextpass.in"), &to).map_err(|source| CheckFault::Io {
            what: "nextpass.in".to_string(),
            source,
        })?;
        Ok(to)
    }

    /// The box, for its layers of isolation.
    pub fn sandbox(&self) -> &dyn Sandbox {
        self.sandbox.as_ref()
    }
}

/// Opens a regular file; `None` for anything else.
pub fn open_plain(path: &Path) -> io::Result<Option<File>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    let file = File::options()
        .read(true)
        .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32)
        .open(path)?;
    Ok(Some(file))
}

fn read_text(mut file: &File) -> String {
    let mut bytes = Vec::new();
    // An unreadable message is skipped.
    let _ = file
        .seek(SeekFrom::Start(0))
        .and_then(|_| file.take(MESSAGE_BYTES + 1).read_to_end(&mut bytes));
    let cut = bytes.len() as u64 > MESSAGE_BYTES;
    bytes.truncate(MESSAGE_BYTES as usize);
    let mut text = printable(&bytes);
    if cut {
        text.push_str(" …");
    }
    text
}
