//! Where a validator works: a box, a directory it may write, and files for what it says.

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

/// How much of a message file or of standard error is read.
const MESSAGE_BYTES: u64 = 16 << 10;

/// Opens boxes: `judge_sandbox::open`, or a fake one in tests.
pub type Open<'a> = dyn FnMut(&BoxSpec) -> Result<Box<dyn Sandbox>, Fault> + 'a;

/// A box for one validator and the directories it sees.
///
/// It may write into `feedback` alone. Were the directory around it writable too, it could leave
/// links there in the place of what the judge writes, empties and reads.
pub struct ValidatorBox {
    sandbox: Box<dyn Sandbox>,
    /// Holds everything below; removed with the room.
    dir: TempDirectory,
    /// What the last run wrote; every run has its own.
    stdout: File,
    stderr: File,
    /// How many inputs of further passes there were.
    passes: usize,
}

impl ValidatorBox {
    /// A room for `program`, which may also read what `mounts` show.
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

    /// A file of the room.
    pub fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// An empty file, for answers that are not there.
    pub fn empty_file(&self) -> PathBuf {
        self.file("empty")
    }

    /// Puts files where the validator works, for the next run.
    pub fn furnish(&mut self, files: &[StagedFile<'_>]) -> Result<(), CheckFault> {
        self.sandbox.stage_files(files)?;
        Ok(())
    }

    /// Empties the feedback directory.
    pub fn clear_feedback(&mut self) -> Result<(), CheckFault> {
        let dir = self.feedback();
        // The validator may have locked it or what is in it.
        let mode = fs::Permissions::from_mode(0o755);
        empty_directory(&dir)
            .and_then(|_| fs::set_permissions(&dir, mode))
            .map_err(|source| CheckFault::Io {
                what: dir.display().to_string(),
                source,
            })
    }

    /// Copies `output` to a file that the validator can open by name.
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

    /// Runs the validator with `stdin`, which no other run has; its standard output is kept.
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
    /// brings its standard output.
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
        // A short run is not checked while it lasts.
        if let Some(most) = limits.disk
            && unlocked_tree_bytes(&self.feedback(), most) > most
        {
            execution.exit = Exit::Killed(Limit::Disk);
        }
        Ok(execution)
    }

    /// What the last run wrote to standard error, cut.
    pub fn stderr(&self) -> String {
        read_text(&self.stderr)
    }

    /// What the last run wrote to standard output, cut.
    pub fn stdout(&self) -> String {
        read_text(&self.stdout)
    }

    /// A file of the feedback directory, cut; `None` when it is not there or empty.
    pub fn message(&self, name: &str) -> Option<String> {
        let path = self.feedback().join(name);
        // A validator could leave a symbolic link or a pipe there: neither is followed.
        let file = open_plain(&path).ok().flatten()?;
        Some(read_text(&file)).filter(|text| !text.is_empty())
    }

    /// Whether the validator left a file of this name.
    pub fn has_message(&self, name: &str) -> bool {
        matches!(open_plain(&self.feedback().join(name)), Ok(Some(_)))
    }

    /// Moves the input of the next pass out of the feedback directory, and says where it is.
    pub fn take_next_pass(&mut self) -> Result<PathBuf, CheckFault> {
        // Two names in turn: the pass that is being judged has the other.
        self.passes += 1;
        let to = self.file(["even-pass.in", "odd-pass.in"][self.passes % 2]);
        fs::rename(self.feedback().join("nextpass.in"), &to).map_err(|source| CheckFault::Io {
            what: "nextpass.in".to_string(),
            source,
        })?;
        Ok(to)
    }

    /// The box: what isolates and measures in it.
    pub fn sandbox(&self) -> &dyn Sandbox {
        self.sandbox.as_ref()
    }
}

/// Opens a regular file, whatever else lies there is `None`.
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
    // What cannot be read is a message less, not a failure.
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
