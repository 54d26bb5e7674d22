//! Judges a whole plan: starts a worker per core, derives time limits first, and measures the
//! machine's load.

use super::event_queue::{EventQueue, EventSink};
use super::host_load::HostLoad;
use super::hosting::elsewhere;
use super::sandbox_runner::{SandboxRunner, Shared};
use super::scheduler::{self, Place, Selected, Selection, Summary};
use super::toolchain::Toolchain;
use super::{Host, Plan, PlanEntry, Settings, derived_limit};
use crate::error::Failure;
use crate::results::{
    Change, LimitOrigin, LimitRun, PackageStarted, SubmissionKey, SubmissionPlanned,
};
use crate::submission::Source;
use crate::text::read_range;
use crate::untrusted::{Message, Name};
use judge_package::{LimitSource, TimeLimit};
use judge_sandbox::{BoxSpec, Layer, Mode, Sandbox, State};
use std::fs::File;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

/// The isolation and measurement layers of this machine in the requested mode.
///
/// # Errors
///
/// When the mode is not available: what is missing, and how to install it.
pub fn layers(settings: &Settings) -> Result<Vec<Layer>, Failure> {
    Ok(any_box(settings)?.layers().to_vec())
}

/// A box that has the [`layers`].
fn any_box(settings: &Settings) -> Result<Box<dyn Sandbox>, Failure> {
    let spec = BoxSpec {
        mode: settings.mode,
        work_bytes: 1 << 20,
        ..BoxSpec::default()
    };
    match judge_sandbox::open(&spec) {
        Ok(sandbox) => {
            if settings.counts_instructions() {
                can_count(sandbox.layers())?;
            }
            Ok(sandbox)
        }
        Err(fault) if settings.mode == Mode::Strict => Err(Failure::usage(format!(
            "--sandbox strict: {fault}; `judge doctor` says why"
        ))),
        Err(fault) => Err(Failure::internal(fault.to_string())),
    }
}

/// Finds the [`layers`] of this machine on another thread, while the packages are read and the workers open their boxes.
///
/// Its box is the first one, which starts the sandbox's processes. It is closed at the end of the run: closing it would
/// delay the opening of others.
pub struct LayersProbe {
    thread: Option<JoinHandle<Result<Box<dyn Sandbox>, Failure>>>,
    open: Option<Box<dyn Sandbox>>,
}

impl LayersProbe {
    /// Starts to look.
    pub fn start(settings: &Settings) -> Self {
        let settings = settings.clone();
        LayersProbe {
            thread: Some(std::thread::spawn(move || any_box(&settings))),
            open: None,
        }
    }

    /// Waits for the layers.
    pub fn layers(&mut self) -> Result<&[Layer], Failure> {
        if let Some(thread) = self.thread.take() {
            let opened = thread.join();
            self.open = Some(opened.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(self.open.as_ref().map_or(&[], |open| open.layers()))
    }
}

impl Drop for LayersProbe {
    /// Waits for the box, whose control group would otherwise outlive the process.
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Checks that instructions can be counted: otherwise no program would ever exceed its limit.
fn can_count(layers: &[Layer]) -> Result<(), Failure> {
    let counter = layers.iter().find(|layer| layer.name == "instructions");
    let (why, remedy) = match counter {
        Some(layer) if layer.state == State::Present => return Ok(()),
        Some(layer) => (layer.why.as_str(), layer.remedy.as_deref()),
        None => ("this sandbox does not count them", None),
    };
    let help = remedy.unwrap_or("judge with --clock cpu");
    Err(Failure::usage(format!("--clock instructions: {why}")).help(help))
}

/// Judges a whole plan and calls `listener` with batches of the changes of its results, in order, on another thread
/// while judging continues. The caller adds the start and the end of the run.
///
/// # Errors
///
/// When a worker cannot be created, or panics.
pub fn run<'l>(
    plan: &Plan,
    settings: &Settings,
    host: &Host,
    toolchain: &Toolchain,
    listener: &'l mut (dyn FnMut(Vec<Change>) + Send + 'l),
) -> Result<Summary, Failure> {
    EventQueue::during(listener, |event_queue| {
        judge(plan, settings, host, toolchain, event_queue)
    })
}

fn judge(
    plan: &Plan,
    settings: &Settings,
    host: &Host,
    toolchain: &Toolchain,
    events: &dyn EventSink,
) -> Result<Summary, Failure> {
    // A process with several runs, and other machines, are watched there.
    let is_watched = host.seat.is_some() || host.is_elsewhere();
    let load = (!is_watched).then(HostLoad::start);
    for entry in 0..plan.entries.len() {
        let limit = known_limit(plan, settings, entry);
        send_package_started(plan, entry, limit, None, settings, events);
        send_planned(entry, &plan.entries[entry], events);
    }
    // Derives time limits first, from the accepted submissions.
    let mut summary = Summary::nothing();
    let mut selection: Selection = Vec::new();
    for (entry, planned) in plan.entries.iter().enumerate() {
        if planned.submissions.is_empty() {
            continue;
        }
        let (limit, derived) = match known_limit(plan, settings, entry) {
            Some(limit) => (limit, None),
            None => {
                let judge = |plan: &Plan,
                             selection: &Selection,
                             settings: &Settings,
                             events: &dyn EventSink| {
                    workers(plan, selection, settings, host, toolchain, events)
                };
                let derived = derived_limit::time_limit(plan, entry, settings, judge, events)?;
                let Some(derived) = derived else {
                    summary.interrupted = true;
                    return Ok(summary);
                };
                summary.cases += derived.cases;
                let run = Some(derived.run.clone());
                send_package_started(plan, entry, Some(derived.limit), run, settings, events);
                (derived.limit, Some(derived))
            }
        };
        for (k, planned_submission) in planned.submissions.iter().enumerate() {
            let submission = &planned_submission.submission;
            let key = SubmissionKey {
                package: entry,
                submission: k,
            };
            let own = settings.overrides.time.or(submission.time_limit);
            selection.push(Selected {
                known: derived
                    .as_ref()
                    .filter(|_| own.is_none())
                    .and_then(|derived| derived.known(&submission.name, &planned.cases)),
                ..Selected::new(key, own.unwrap_or(limit))
            });
        }
    }
    summary = summary.and(workers(
        plan, &selection, settings, host, toolchain, events,
    )?);
    let others = load.and_then(|load| load.others());
    summary.busy = others.filter(|others| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
        *others > 0.25 && others + settings.jobs as f64 > cores + 0.25
    });
    Ok(summary)
}

/// Judges a selection elsewhere, or with one worker per job, each on a core of its own; at most one
/// per core.
fn workers(
    plan: &Plan,
    selection: &Selection,
    settings: &Settings,
    host: &Host,
    toolchain: &Toolchain,
    events: &dyn EventSink,
) -> Result<Summary, Failure> {
    let shared = Shared::new(settings, host, toolchain, plan.entries.len());
    let has_company = host.seat.is_some();
    if let Some(elsewhere) = &host.elsewhere {
        let runs = elsewhere.begin(settings);
        let runners = elsewhere::runners(runs.as_ref(), &shared, plan, selection);
        let place = Place {
            has_company,
            elsewhere: Some(runs.as_ref()),
        };
        return scheduler::judge(plan, selection, settings, runners, events, place);
    }
    let cores = match &host.seat {
        Some(seat) => vec![seat.core],
        None => judge_sandbox::cores(),
    };
    let runners = cores
        .into_iter()
        .take(settings.jobs.max(1))
        .map(|core| SandboxRunner::new(&shared, Some(core)))
        .collect();
    let place = Place {
        has_company,
        elsewhere: None,
    };
    scheduler::judge(plan, selection, settings, runners, events, place)
}

fn known_limit(plan: &Plan, settings: &Settings, entry: usize) -> Option<Duration> {
    let own = plan.entries[entry].package.limits.time.fixed();
    settings.overrides.time.or(own)
}

fn send_package_started(
    plan: &Plan,
    entry: usize,
    limit: Option<Duration>,
    time_limit_run: Option<LimitRun>,
    settings: &Settings,
    events: &dyn EventSink,
) {
    let planned = &plan.entries[entry];
    let memory = settings.overrides.memory;
    let limits = &planned.package.limits;
    let origin = |source| match source {
        LimitSource::Package => None,
        LimitSource::Format => Some(LimitOrigin::FormatDefault),
        LimitSource::Judge => Some(LimitOrigin::Default),
    };
    let time_limit_from = match (settings.overrides.time, limits.time) {
        (Some(_), _) => None,
        (None, TimeLimit::Given(_)) => origin(limits.time_from),
        (None, TimeLimit::Derived { .. }) => Some(LimitOrigin::Derived),
    };
    let memory_limit_from = match memory {
        Some(_) => None,
        None => origin(limits.memory_from),
    };
    let of_format = Some(LimitOrigin::FormatDefault);
    let has_default = [time_limit_from, memory_limit_from].contains(&of_format);
    let started = PackageStarted {
        id: Name::from(&planned.package.id),
        title: Name::from(&planned.package.name),
        time_limit_s: limit.map(|limit| limit.as_secs_f64()),
        memory_limit_bytes: memory.unwrap_or(limits.memory),
        time_limit_from,
        memory_limit_from,
        format: has_default.then(|| planned.package.format.to_owned()),
        time_limit_run,
        cases: planned
            .cases
            .iter()
            .map(|case| Name::from(&case.name))
            .collect(),
        path: Some(Name::from(shown_path(&planned.package.origin))),
    };
    events.send(Change::PackageStarted(entry, started));
}

fn send_planned(package: usize, entry: &PlanEntry, events: &dyn EventSink) {
    for (submission, planned) in entry.submissions.iter().enumerate() {
        let at = SubmissionKey {
            package,
            submission,
        };
        let submission = &planned.submission;
        let (path, source) = match &submission.source {
            Source::Executable(path) => (Some(path), None),
            Source::Code { path, .. } => (Some(path), source_text(path)),
            Source::CargoBinary { .. } => (None, None),
        };
        let planned = SubmissionPlanned {
            name: Name::from(&submission.name),
            path: path.map(|path| Name::from(shown_path(path))),
            expected: submission.expected.clone(),
            source: source.map(Message::from),
        };
        events.send(Change::SubmissionPlanned(at, planned));
    }
}

/// The path relative to the working directory, if it is inside.
fn shown_path(path: &Path) -> String {
    let path = judge_os::plain_path(path);
    let here = std::env::current_dir().ok();
    let inside = here.and_then(|here| path.strip_prefix(here).ok());
    match inside {
        Some(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
        inside => inside.unwrap_or(path).display().to_string(),
    }
}

/// The start of a source file.
fn source_text(path: &Path) -> Option<String> {
    const MAX_BYTES: u64 = 16 << 10;
    // Opening a named pipe would block until a writer opens it.
    let file = path.is_file().then(|| File::open(path).ok())??;
    let mut bytes = read_range(&file, 0, MAX_BYTES + 1).ok()?;
    let is_cut = bytes.len() as u64 > MAX_BYTES;
    bytes.truncate(MAX_BYTES as usize);
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if is_cut {
        text.push_str("\n[...]\n");
    }
    Some(text)
}
