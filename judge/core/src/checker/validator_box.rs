//! Runs validators: a [`ProgramRunner`] with a directory that the validator may write.

use super::outcome::CheckFault;
use crate::language::{Program, read_only};
use crate::program_runner::{ProgramRunner, Ran, Run};
use crate::text::{printable, read_range};
use judge_sandbox::{Execution, Exit, Fault, Limit, Mode, Mount, unlocked_tree_bytes};
use judge_tempdir::{TempDirectory, empty_directory, give_to_boxes};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Size limit of what is read of a message file or of standard error.
const MESSAGE_BYTES: u64 = 16 << 10;

/// Maximum number of characters of a message that an error about a validator shows.
const MAX_SAID: usize = 1000;

/// The box's own directory and the feedback directory.
const OWN_MOUNTS: usize = 2;

/// Runs validators with the directories that they see.
///
/// Only `feedback` is writable. With a writable parent directory, the validator could replace the
/// files that the judge writes, empties and reads by links.
pub struct ValidatorBox {
    program_runner: ProgramRunner,
    /// The mounts of validators besides their own.
    mounts: Vec<Mount>,
    /// Contains all files below; removed on drop.
    dir: TempDirectory,
    /// Number of inputs of further passes.
    passes: usize,
}

impl ValidatorBox {
    /// Creates the directories of validators that may also read `mounts`.
    pub fn new(mounts: &[Mount], mode: Mode, core: Option<usize>) -> Result<Self, Fault> {
        let failed = |e| Fault::os("create the validator's work directory", e);
        let dir = TempDirectory::new("validator")?;
        let feedback = dir.path().join("feedback");
        fs::create_dir(&feedback).map_err(failed)?;
        give_to_boxes(&feedback)?;
        fs::write(dir.path().join("empty"), "").map_err(failed)?;
        let mut mounts = mounts.to_vec();
        mounts.push(read_only(dir.path()));
        mounts.push(Mount {
            writable: true,
            ..read_only(&feedback)
        });
        Ok(ValidatorBox {
            // A static validator and a grader alternate.
            program_runner: ProgramRunner::new(mode, core).for_programs(2),
            mounts,
            dir,
            passes: 0,
        })
    }

    /// Whether [`ValidatorBox::new`] with these mounts, the mode and the core makes such a box.
    pub fn shows(&self, mounts: &[Mount]) -> bool {
        let (shown, _own) = self.mounts.split_at(self.mounts.len() - OWN_MOUNTS);
        shown == mounts
    }

    /// Closes boxes that a later user must not use.
    pub fn close_stale(&mut self) {
        self.program_runner.close_stale();
    }

    /// The directory for the validator's messages.
    pub fn feedback(&self) -> PathBuf {
        self.dir.path().join("feedback")
    }

    /// The file in which an interactor may write data for a checker.
    pub fn transcript(&self) -> PathBuf {
        self.feedback().join("transcript")
    }

    /// Opens the transcript that an interactor wrote, or an empty file if there is none.
    pub fn open_transcript(&self) -> Result<File, CheckFault> {
        match open_plain(&self.transcript()) {
            Ok(Some(file)) => Ok(file),
            Ok(None) => File::open(self.empty_file()).map_err(CheckFault::io("an empty file")),
            // The interactor can forbid it by the file's mode.
            Err(e) => Err(self.fault(format!("the interactor's transcript cannot be read: {e}"))),
        }
    }

    /// The path of a file of the box's directory.
    pub fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// An empty file, in place of a missing answer.
    pub fn empty_file(&self) -> PathBuf {
        self.file("empty")
    }

    /// Empties the feedback directory.
    pub fn clear_feedback(&mut self) -> Result<(), Fault> {
        let dir = self.feedback();
        // The validator may have removed permissions of the directory or its files.
        empty_directory(&dir)
            .and_then(|_| judge_os::set_mode(&dir, 0o755))
            .map_err(|e| Fault::os(format!("empty {}", dir.display()), e))
    }

    /// Copies `output` to a file that the validator can open by path.
    pub fn put_output(&self, output: &File) -> Result<PathBuf, CheckFault> {
        let path = self.file("output");
        let copy = || -> io::Result<()> {
            let mut from = output;
            from.seek(SeekFrom::Start(0))?;
            let mut to = File::create(&path)?;
            io::copy(&mut from, &mut to)?;
            judge_os::set_mode_of(&to, 0o644)
        };
        copy().map_err(CheckFault::io("the output"))?;
        Ok(path)
    }

    /// Runs the validator.
    pub fn run(
        &mut self,
        program: &Program,
        run: &Run<'_, OsString>,
    ) -> Result<Ended<'_>, CheckFault> {
        let run = Run {
            mounts: &self.mounts,
            ..*run
        };
        let mut ran = self.program_runner.run(program, &run)?;
        // A short run ends before the first periodic check.
        if let Some(most) = run.limits.disk
            && unlocked_tree_bytes(&self.feedback(), most) > most
        {
            ran.execution.exit = Exit::Killed(Limit::Disk);
        }
        Ok(Ended {
            validator_box: self,
            ran,
        })
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

    /// A fault of the validator, with its message.
    fn fault(&self, what: impl Into<String>) -> CheckFault {
        self.fault_with(what, None)
    }

    /// The same; `or` stands for a missing message.
    fn fault_with(&self, what: impl Into<String>, or: Option<String>) -> CheckFault {
        let said = first_of([self.message("judgemessage.txt"), or]);
        let mut said = said.unwrap_or_default();
        if let Some((end, _)) = said.char_indices().nth(MAX_SAID) {
            said.truncate(end);
            said.push_str(" …");
        }
        CheckFault::Validator {
            what: what.into(),
            said,
            timed_out: false,
        }
    }

    /// Moves the input of the next pass out of the feedback directory; returns its path.
    pub fn take_next_pass(&mut self) -> Result<PathBuf, CheckFault> {
        // Two alternating names: the pass in progress uses the other one.
        self.passes += 1;
        let to = self.file(["even-pass.in", "odd-pass.in"][self.passes % 2]);
        // The validator can forbid it by the modes of its files.
        fs::rename(self.feedback().join("nextpass.in"), &to)
            .map_err(|e| self.fault(format!("the validator's nextpass.in cannot be moved: {e}")))?;
        Ok(to)
    }
}

/// A run of a validator that ended, with the files that it wrote.
pub struct Ended<'b> {
    validator_box: &'b mut ValidatorBox,
    ran: Ran,
}

impl Ended<'_> {
    /// The facts of the run.
    pub fn execution(&self) -> &Execution {
        &self.ran.execution
    }

    /// The start of its standard error.
    pub fn stderr(&self) -> String {
        read_text(&self.ran.stderr)
    }

    /// The start of its standard output.
    pub fn stdout(&self) -> String {
        read_text(&self.ran.stdout)
    }

    /// The files that it wrote in its work directory.
    pub fn written(&self) -> &[(PathBuf, File)] {
        &self.ran.written
    }

    /// As [`ValidatorBox::message`].
    pub fn message(&self, name: &str) -> Option<String> {
        self.validator_box.message(name)
    }

    /// As [`ValidatorBox::has_message`].
    pub fn has_message(&self, name: &str) -> bool {
        self.validator_box.has_message(name)
    }

    /// As [`ValidatorBox::take_next_pass`].
    pub fn take_next_pass(&mut self) -> Result<PathBuf, CheckFault> {
        self.validator_box.take_next_pass()
    }

    /// A fault of the validator, with what it said.
    pub fn fault(&self, what: impl Into<String>) -> CheckFault {
        self.validator_box.fault_with(what, Some(self.stderr()))
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
    let mut options = File::options();
    let options = judge_os::open_only_files(options.read(true));
    options.open(path).map(Some)
}

fn read_text(file: &File) -> String {
    // An unreadable message is skipped.
    let mut bytes = read_range(file, 0, MESSAGE_BYTES + 1).unwrap_or_default();
    let cut = bytes.len() as u64 > MESSAGE_BYTES;
    bytes.truncate(MESSAGE_BYTES as usize);
    let mut text = printable(&bytes);
    if cut {
        text.push_str(" …");
    }
    text
}

/// The first text that is not empty.
pub fn first_of<const N: usize>(texts: [Option<String>; N]) -> Option<String> {
    texts.into_iter().flatten().find(|text| !text.is_empty())
}
