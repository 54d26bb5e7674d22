//! Judges a plan and writes the reports, for `judge run` and `judge verify`.

use super::args::{CheckingArgs, Format, JudgingArgs, SandboxChoice};
use super::file_names;
use super::history;
use super::interrupt::is_interrupted;
use super::output::Reports;
use super::repeat;
use super::run_started::run_started;
use super::seen;
use judge_core::error::{Failure, exit_status};
use judge_core::judging::{self, Depth, Host, LayersProbe, Plan, Settings, Summary, Toolchain};
use judge_core::results::{Change, Finding, RunFinished, RunResults};
use judge_core::untrusted::Message;
use judge_package::Severity;
use judge_report::Style;
use std::io;
use std::time::Instant;

/// Surroundings and steps besides judging that only some commands have.
pub struct Extra {
    /// Handles that the run shares with its surroundings.
    pub host: Host,
    /// Looks for the layers of the sandbox since the run began.
    pub probe: Option<LayersProbe>,
    /// The findings of `judge verify`, which are reported first; margins of time limits are checked
    /// too.
    pub checked: Option<Vec<Finding>>,
    /// With `checked`: how much is checked.
    pub depth: Depth,
    /// The number of runs of each case.
    pub repeat: u16,
    /// Whether a complete run is recorded in the history.
    pub is_recorded: bool,
    /// The options that replaced how the packages compare outputs.
    pub checking: CheckingArgs,
    /// The whole command that repeats the run, if its program is a temporary file.
    pub again: Option<String>,
}

impl Default for Extra {
    fn default() -> Self {
        Extra {
            host: Host::default(),
            probe: None,
            checked: None,
            depth: Depth::Quick,
            repeat: 1,
            is_recorded: false,
            checking: CheckingArgs::default(),
            again: None,
        }
    }
}

/// Judges a plan, writes the reports and returns the exit status.
pub fn judge_and_report(
    plan: &Plan,
    args: &JudgingArgs,
    style: Style,
    settings: &Settings,
    toolchain: &Toolchain,
    extra: Extra,
) -> Result<u8, Failure> {
    let start = Instant::now();
    let verifies = extra.checked.is_some();
    let before = extra.checked.unwrap_or_default();
    let sound = !before.iter().any(|found| found.severity == Severity::Error);
    let work: usize = plan
        .entries
        .iter()
        .map(|entry| entry.cases.len() * entry.submissions.len())
        .sum();
    let mut reporting = Reporting {
        reports: Reports::new(args, style, work)?,
        results: RunResults::default(),
        written: Ok(()),
    };
    let host = &Host {
        running: reporting.reports.running_cases(),
        ..extra.host
    };
    let mut probe = extra.probe.or_else(|| probe(settings, host));
    let running = &args.running;
    let first_changes = || -> Result<Vec<Change>, Failure> {
        let layers = match &mut probe {
            Some(probe) => probe.layers()?,
            // The layers of other machines are not known.
            None => &[],
        };
        let started = run_started(
            layers,
            settings,
            host,
            running,
            &extra.checking,
            extra.again,
        );
        let findings = before.into_iter().map(Change::Finding);
        Ok([Change::RunStarted(started)]
            .into_iter()
            .chain(findings)
            .collect())
    };
    // They wait for the layers, while the workers open their boxes, and are made by the first call of `on_changes`.
    let mut first_changes = Some(first_changes);
    // Why the layers are not there.
    let mut refused = None;
    let mut on_changes = |changes: Vec<Change>| {
        let make = first_changes.take();
        let first = make.map_or_else(|| Ok(Vec::new()), |make| make());
        let first = first.unwrap_or_else(|failure| {
            refused = Some(failure);
            Vec::new()
        });
        if refused.is_some() {
            judge_sandbox::interrupt();
            return;
        }
        reporting.take(first.into_iter().chain(changes));
        if reporting.written.is_err() {
            // No report has a reader: stop judging.
            judge_sandbox::interrupt();
        }
    };
    if extra.repeat > 1 {
        // Only the last of several runs sends changes.
        on_changes(Vec::new());
    }
    let ran = repeat::run(
        extra.repeat,
        plan,
        settings,
        host,
        toolchain,
        &mut on_changes,
    );
    // An empty plan changes nothing.
    on_changes(Vec::new());
    if let Some(failure) = refused {
        return Err(failure);
    }
    let mut summary = ran?;
    let results = &reporting.results;
    // A skipped submission counts as expected, unless all were skipped.
    let judged = results
        .finished()
        .any(|(_, submission)| submission.verdict.is_some());
    let all_skipped = summary.submissions > 0 && !judged;
    summary.as_expected &= sound && !all_skipped;
    let mut warnings = warnings(args, &summary);
    warnings.extend(toolchain.foreign_languages(plan));
    if verifies {
        warnings.extend(judging::margin_warnings(plan, results, settings.overrides));
        if extra.depth == Depth::Full {
            warnings.extend(judging::result_warnings(plan, results, settings.overrides));
        }
    } else {
        warnings.extend(file_names::warnings(plan, results));
    }
    if all_skipped {
        warnings.push("nothing was judged: every submission was skipped".to_owned());
    }
    reporting.take([Change::RunFinished(RunFinished {
        submissions: summary.submissions,
        cases: summary.cases,
        as_expected: summary.as_expected && !summary.interrupted,
        wall_s: start.elapsed().as_secs_f64(),
        interrupted: summary.interrupted,
        warnings: warnings.into_iter().map(Message::from).collect(),
    })]);
    let Reporting {
        mut reports,
        results,
        written,
    } = reporting;
    match written {
        // The reader closed the pipe: the cases judged so far decide.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
            reports.failure()?;
            summary.interrupted = false;
        }
        Err(e) => return Err(Failure::internal(format!("failed to write a report: {e}"))),
        Ok(()) => reports.finish()?,
    }
    if args.format == Format::Human {
        seen::record(&results);
    }
    if extra.is_recorded && !summary.interrupted {
        history::record(plan, &results);
    }
    Ok(status(&summary))
}

/// The results so far, and the reports that show their changes.
struct Reporting {
    reports: Reports,
    results: RunResults,
    /// The first failure to write a report; then no more is written.
    written: io::Result<()>,
}

impl Reporting {
    fn take(&mut self, changes: impl IntoIterator<Item = Change>) {
        for change in changes {
            self.results.apply(&change);
            if self.written.is_ok() {
                self.written = self.reports.change(&change, &self.results);
            }
        }
        if self.written.is_ok() {
            self.written = self.reports.flush();
        }
    }
}

fn status(summary: &Summary) -> u8 {
    if is_interrupted() {
        exit_status::INTERRUPTED
    } else if summary.judge_error || summary.interrupted {
        exit_status::JUDGE_ERROR
    } else if summary.package_error {
        exit_status::USAGE
    } else {
        exit_status::of(summary.as_expected)
    }
}

/// Begins to look for the layers of the sandbox, unless other machines judge.
pub fn probe(settings: &Settings, host: &Host) -> Option<LayersProbe> {
    (!host.is_elsewhere()).then(|| LayersProbe::start(settings))
}

fn warnings(args: &JudgingArgs, summary: &Summary) -> Vec<String> {
    let mut warnings = Vec::new();
    if args.running.sandbox == SandboxChoice::None {
        warnings.push(
            "no sandbox: the programs ran with your rights and could read and write your files"
                .to_owned(),
        );
    }
    if let Some(load) = summary.busy {
        warnings.push(format!(
            "the machine was busy (load {load:.1} besides the judge): times may be high"
        ));
    }
    warnings
}
