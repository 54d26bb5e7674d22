//! `--keep DIR`: leaves the files of every case that is not accepted in a directory; for a server also what programs wrote in
//! accepted ones.
//!
//! Each file is written under a temporary name and renamed. The names are in a list before that, so
//! that the next run removes them, and only them: other files in the directory are not touched.

use super::scheduler::SubmissionRef;
use crate::error::Failure;
use crate::parallel::unpoisoned;
use judge_package::TestCase;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;
use tempfile::NamedTempFile;

/// The file in the directory that lists what judges left there.
const LIST: &str = ".judge-kept";

/// The extensions of a case's files.
const ENDS: [&str; 4] = ["in", "ans", "out", "err"];

/// The files of a run.
pub struct Written<'w> {
    /// `None`: the case has no output of its own.
    pub output: Option<&'w File>,
    pub errors: &'w File,
    /// The validators' files, by name.
    pub feedback: Vec<(String, File)>,
}

/// The directory.
#[derive(Debug)]
pub struct Keep {
    dir: PathBuf,
    /// Leaves what programs wrote in every case, with the feedback, and no file of the package.
    pub(super) is_whole: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    list: File,
    listed: HashSet<PathBuf>,
    failed: Option<Failure>,
}

impl Keep {
    /// Creates the directory, or removes what an earlier run left in it.
    pub fn open(dir: &Path) -> Result<Self, Failure> {
        let failed = |e: io::Error| Failure::usage(format!("--keep {}: {e}", dir.display()));
        fs::create_dir_all(dir).map_err(failed)?;
        let dir = dir.canonicalize().map_err(failed)?;
        let list = dir.join(LIST);
        for line in fs::read_to_string(&list).unwrap_or_default().lines() {
            let below = Path::new(line);
            let is_below = below
                .components()
                .all(|part| matches!(part, Component::Normal(_)));
            if is_below {
                // It may be gone already. Empty directories are removed with their last file.
                let _ = fs::remove_file(dir.join(below));
                for parent in below.ancestors().skip(1) {
                    let is_top = parent.as_os_str().is_empty();
                    if is_top || fs::remove_dir(dir.join(parent)).is_err() {
                        break;
                    }
                }
            }
        }
        let list = File::create(&list).map_err(failed)?;
        Ok(Keep {
            dir,
            is_whole: false,
            state: Mutex::new(State {
                list,
                listed: HashSet::new(),
                failed: None,
            }),
        })
    }

    /// The same for what programs write in every case, accepted or not.
    pub fn whole(dir: &Path) -> Result<Self, Failure> {
        let keep = Keep::open(dir)?;
        Ok(Keep {
            is_whole: true,
            ..keep
        })
    }

    /// Leaves the files of a case. The first failure is kept for [`Keep::finish`]: it is no fault of the case.
    pub fn case(&self, at: SubmissionRef<'_>, case: &TestCase, written: &Written<'_>) {
        let stem = stem_of(at, case);
        let mut state = unpoisoned(self.state.lock());
        let mut leave = |end: &str, write: &dyn Fn(&mut File) -> io::Result<()>| {
            let name = PathBuf::from(format!("{}.{end}", stem.display()));
            if let Err(e) = self.leave(&mut state, &name, write) {
                let path = self.dir.join(&name);
                let what = format!("--keep: failed to write {}: {e}", path.display());
                state.failed.get_or_insert(match e.kind() {
                    io::ErrorKind::AlreadyExists => Failure::usage(what),
                    _ => Failure::Internal(what),
                });
            }
        };
        let [input, answer, output, errors] = ENDS;
        if !self.is_whole {
            leave(input, &|file| copy_file(&case.input, file));
            if let Some(own) = &case.answer {
                leave(answer, &|file| copy_file(own, file));
            }
        }
        if let Some(own) = written.output {
            leave(output, &|file| copy(own, file));
        }
        leave(errors, &|file| copy(written.errors, file));
        for (name, own) in &written.feedback {
            leave(&format!("feedback/{name}"), &|file| copy(own, file));
        }
    }

    fn leave(
        &self,
        state: &mut State,
        name: &Path,
        write: &dyn Fn(&mut File) -> io::Result<()>,
    ) -> io::Result<()> {
        let path = self.dir.join(name);
        let parent = path.parent().unwrap_or(&self.dir);
        fs::create_dir_all(parent)?;
        let mut file = NamedTempFile::new_in(parent)?;
        write(file.as_file_mut())?;
        if state.listed.contains(name) {
            // The case ran again.
            file.persist(&path)?;
            return Ok(());
        }
        if path.exists() {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "it was there before and judge did not write it\n  help: name an empty directory",
            ));
        }
        writeln!(state.list, "{}", name.display())?;
        state.listed.insert(name.to_owned());
        file.persist_noclobber(&path)?;
        Ok(())
    }

    /// Removes the files of a case that is accepted after all: it ran again alone.
    pub fn remove(&self, at: SubmissionRef<'_>, case: &TestCase) {
        let stem = stem_of(at, case);
        let mut state = unpoisoned(self.state.lock());
        for end in ENDS {
            let name = PathBuf::from(format!("{}.{end}", stem.display()));
            if state.listed.remove(&name) {
                // The name stays in the list, where it does no harm.
                let _ = fs::remove_file(self.dir.join(&name));
            }
        }
    }

    /// Reports the first failure.
    pub fn finish(&self) -> Result<(), Failure> {
        match unpoisoned(self.state.lock()).failed.take() {
            Some(failed) => Err(failed),
            None => Ok(()),
        }
    }
}

/// The path of a case's files without the extension: `PACKAGE/SUBMISSION/CASE`.
fn stem_of(at: SubmissionRef<'_>, case: &TestCase) -> PathBuf {
    let part = |text: &str| text.trim_start_matches(['/', '.']).replace('/', "-");
    let case = Path::new(&case.name).components();
    let case = case.filter(|part| matches!(part, Component::Normal(_)));
    PathBuf::from(part(&at.entry().package.id))
        .join(part(&at.submission().name))
        .join(case.collect::<PathBuf>())
}

fn copy_file(from: &Path, to: &mut File) -> io::Result<()> {
    copy(&File::open(from)?, to)
}

fn copy(mut from: &File, to: &mut File) -> io::Result<()> {
    from.seek(SeekFrom::Start(0))?;
    io::copy(&mut from, to).map(|_| ())
}
