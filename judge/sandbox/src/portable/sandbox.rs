//! The box of the portable back end: a directory, and the program as the judge's user.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;

use judge_tempdir::{TempDirectory, empty_directory};

use super::launch::Launch;
use super::run::{MemoryMeter, Run, run};
use super::tree::{self, Guardian};
use crate::api::{
    BoxSpec, Canceller, Content, Execution, Exit, Fault, Job, Layer, Limit, Mode, Sandbox,
    StagedFile, State, interrupt,
};
use crate::environment::{self, Variable};

/// A box without isolation.
pub struct PortableSandbox {
    spec: BoxSpec,
    work: TempDirectory,
    guardian: Guardian,
    meter: Arc<MemoryMeter>,
    layers: Vec<Layer>,
    /// Bytes of the files that are staged for the next run; `None` if the directory must be emptied
    /// first.
    staged: Option<u64>,
}

impl PortableSandbox {
    /// Opens a box. Strict isolation is impossible.
    pub fn open(spec: &BoxSpec) -> Result<Self, Fault> {
        let layers = layers();
        if spec.mode == Mode::Strict {
            return Err(Fault {
                stage: "isolate programs strictly on this system".into(),
                source: None,
                remedy: tree::isolation_remedy(),
                interrupted: false,
            });
        }
        let work = TempDirectory::private("work")?;
        let guardian =
            Guardian::new(work.path()).map_err(|e| Fault::os("start the guardian of a box", e))?;
        Ok(PortableSandbox {
            spec: spec.clone(),
            work,
            guardian,
            meter: Arc::default(),
            layers,
            staged: Some(0),
        })
    }

    /// Empties the work directory. A process that is about to die may still write to it.
    fn empty_work(&mut self) -> Result<(), Fault> {
        const TRIES: u32 = 20;
        for last in (0..TRIES).rev() {
            match empty_directory(self.work.path()) {
                Ok(_) => break,
                Err(e) if last == 0 => return Err(Fault::os("empty the work directory", e)),
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
        self.staged = Some(0);
        Ok(())
    }

    /// Bytes of the files in the work directory beyond the staged ones, as far as they can be read.
    fn left_bytes(&self, staged: u64) -> u64 {
        fn below(directory: &Path) -> u64 {
            let entries = fs::read_dir(directory).into_iter().flatten().flatten();
            let sizes = entries.map(|entry| match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => below(&entry.path()),
                Ok(metadata) if metadata.is_file() => metadata.len(),
                _ => 0,
            });
            sizes.fold(0, u64::saturating_add)
        }
        below(self.work.path()).saturating_sub(staged)
    }
}

impl Sandbox for PortableSandbox {
    fn run_until(
        &mut self,
        job: &Job<'_>,
        canceller: Option<&Canceller>,
    ) -> Result<Execution, Fault> {
        if interrupt::interrupted() {
            return Err(interrupt::fault());
        }
        if job.limits.instructions.is_some() {
            return Err(Fault {
                stage: "count instructions without the sandbox".into(),
                source: None,
                remedy: Some("limit the CPU time instead".into()),
                interrupted: false,
            });
        }
        if self.staged.is_none() {
            self.empty_work()?;
        }
        let staged = self.staged.take().unwrap_or(0);
        let meter: Weak<MemoryMeter> = Arc::downgrade(&self.meter);
        if let Some(gauge) = &self.spec.gauge {
            gauge.show(meter);
        }
        let fixed = tree::environment(self.work.path());
        let mut env: Vec<Variable<'_>> = Vec::new();
        env.extend(
            fixed
                .iter()
                .map(|(name, value)| -> (&OsStr, &OsStr) { (name, value) }),
        );
        environment::add(&mut env, job.env);
        let writable: Vec<PathBuf> = (self.spec.mounts.iter())
            .filter(|mount| mount.writable)
            .map(|mount| mount.host.clone())
            .collect();
        let ran = run(Run {
            launch: Launch {
                program: job.program,
                args: job.args,
                env: &env,
                directory: self.work.path(),
                streams: [job.stdin, job.stdout, job.stderr],
                limits: job.limits,
                core: self.spec.core,
            },
            canceller,
            meter: &self.meter,
            guardian: &mut self.guardian,
            writable: &writable,
        })?;
        let mut execution = ran.unwrap_or_else(Execution::not_started);
        if let Some(limit) = job.limits.output
            && matches!(execution.exit, Exit::Code(_) | Exit::Signal(_))
            && self.left_bytes(staged) > limit
        {
            execution.exit = Exit::Killed(Limit::Output);
        }
        self.empty_work()?;
        Ok(execution)
    }

    fn stage_files(&mut self, files: &[StagedFile<'_>]) -> Result<Vec<File>, Fault> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        if self.staged.is_none() {
            self.empty_work()?;
        }
        // After an error the directory is emptied before the next run.
        let mut bytes = self.staged.take().unwrap_or(0);
        let mut kept = Vec::new();
        for file in files {
            stage(self.work.path(), file, &mut bytes, &mut kept).map_err(|e| {
                let what = match file.content {
                    Content::Copy(from) | Content::Link(from) => from,
                    Content::Kept => file.name,
                };
                let stage = format!("stage {} into the work directory", what.display());
                Fault::os(stage, e)
            })?;
        }
        self.staged = Some(bytes);
        Ok(kept)
    }

    fn layers(&self) -> &[Layer] {
        &self.layers
    }
}

/// Puts one file into the work directory.
fn stage(
    work: &Path,
    file: &StagedFile<'_>,
    bytes: &mut u64,
    kept: &mut Vec<File>,
) -> io::Result<()> {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    if file.name.as_os_str().is_empty() || !file.name.components().all(is_plain) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let place = work.join(file.name);
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent)?;
    }
    match file.content {
        Content::Copy(from) => *bytes += fs::copy(from, &place)?,
        Content::Link(target) => judge_os::link_or_copy(target, &place)?,
        Content::Kept => {
            let mut options = File::options();
            kept.push(
                options
                    .read(true)
                    .write(true)
                    .create_new(true)
                    .open(&place)?,
            );
        }
    }
    Ok(())
}

/// The layers of this back end.
fn layers() -> Vec<Layer> {
    let layer = |name, state, why: &str| Layer {
        name,
        state,
        why: why.into(),
        remedy: None,
    };
    vec![
        Layer {
            remedy: tree::isolation_remedy(),
            ..layer(
                "isolation",
                State::Absent,
                "THE PROGRAM RUNS AS THE CURRENT USER",
            )
        },
        layer("memory", State::Degraded, tree::MEMORY),
        layer("processes", State::Degraded, tree::PROCESSES),
        layer("cpu-time", State::Degraded, tree::CPU_TIME),
        layer(
            "instructions",
            State::Absent,
            "not counted without the sandbox of Linux",
        ),
    ]
}
