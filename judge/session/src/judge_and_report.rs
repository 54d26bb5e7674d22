//! Judges a plan and writes the reports, for `judge run` and `judge verify`.

use super::args::{CheckingArgs, Format, JudgingArgs, RunningArgs, SandboxChoice};
use super::file_names;
use super::history;
use super::interrupt::is_interrupted;
use super::output::Reports;
use super::repeat;
use super::run_started::run_started;
use super::seen;
use judge_core::error::{Failure, exit_status};
use judge_core::judging::{
    self, Depth, Host, LayersProbe, Plan, PlanEntry, Settings, Summary, Toolchain,
};
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
    /// The result of `judge verify` before judging.
    pub checked: Option<Checked>,
    /// The number of runs of each case.
    pub repeat: u16,
    /// Whether a complete run is recorded in the history.
    pub is_recorded: bool,
    /// The options that replaced how the packages compare outputs.
    pub checking: CheckingArgs,
    /// The whole command that repeats the run, if its program is a temporary file.
    pub again: Option<String>,
}

/// The findings of `judge verify`, which are reported first.
pub struct Checked {
    pub findings: Vec<Finding>,
    /// How much is checked of the results, too.
    pub depth: Depth,
}

impl Default for Extra {
    fn default() -> Self {
        Extra {
            host: Host::default(),
            probe: None,
            checked: None,
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
    let work = plan.entries.iter().map(PlanEntry::runs).sum();
    let reports = Reports::new(args, style, work)?;
    let host = &Host {
        running: reports.running_cases(),
        ..extra.host
    };
    let (findings, depth) = match extra.checked {
        Some(checked) => (checked.findings, Some(checked.depth)),
        None => (Vec::new(), None),
    };
    let is_sound = findings.iter().all(|f| f.severity != Severity::Error);
    let mut reporting = Reporting {
        reports,
        results: RunResults::default(),
        probe: extra.probe.or_else(|| probe(settings, host)),
        opening: Some(Opening {
            settings,
            host,
            running: &args.running,
            checking: &extra.checking,
            again: extra.again,
            findings,
        }),
        failed: None,
    };
    if extra.repeat > 1 {
        // Only the last of several runs sends changes.
        reporting.take([]);
    }
    let ran = repeat::run(
        extra.repeat,
        plan,
        settings,
        host,
        toolchain,
        &mut |changes| {
            reporting.take(changes);
            if reporting.failed.is_some() {
                judge_sandbox::interrupt();
            }
        },
    );
    // An empty plan changes nothing.
    reporting.take([]);
    if let Some(Failed::Opening(failure)) = reporting.failed {
        return Err(failure);
    }
    let mut summary = ran?;
    // A skipped submission counts as expected, unless all were skipped.
    let judged = reporting
        .results
        .finished()
        .any(|(_, submission)| submission.verdict.is_some());
    let all_skipped = summary.submissions > 0 && !judged;
    summary.as_expected &= is_sound && !all_skipped;
    let mut warnings = warnings(args, &summary);
    warnings.extend(toolchain.foreign_languages(plan));
    warnings.extend(warnings_of_results(
        plan,
        &reporting.results,
        settings,
        depth,
    ));
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
    let (results, has_lost_reader) = reporting.finish()?;
    // The cases judged until the reader closed the pipe decide.
    summary.interrupted &= !has_lost_reader;
    if args.format == Format::Human {
        seen::record(&results);
    }
    if extra.is_recorded && !summary.interrupted {
        history::record(plan, &results);
    }
    Ok(status(&summary))
}

/// The results so far, and the reports that show their changes.
struct Reporting<'a> {
    reports: Reports,
    results: RunResults,
    /// `None`: the layers of other machines are not known. It is kept to the end, because closing a box delays
    /// the opening of the next one.
    probe: Option<LayersProbe>,
    /// Reported before the first change of judging; `None` afterwards.
    opening: Option<Opening<'a>>,
    /// Why nothing more is reported.
    failed: Option<Failed>,
}

enum Failed {
    /// The run could not begin.
    Opening(Failure),
    /// A report could not be written.
    Writing(io::Error),
}

impl Reporting<'_> {
    /// Applies changes and reports them, until a failure.
    fn take(&mut self, changes: impl IntoIterator<Item = Change>) {
        let opening = self.opening.take();
        let first = opening.map(|opening| opening.changes(self.probe.as_mut()));
        match first.transpose() {
            Ok(first) => {
                let changes = first.into_iter().flatten().chain(changes);
                changes.for_each(|change| self.apply(&change));
            }
            Err(failure) => self.failed = Some(Failed::Opening(failure)),
        }
        if self.failed.is_none()
            && let Err(error) = self.reports.flush()
        {
            self.failed = Some(Failed::Writing(error));
        }
    }

    fn apply(&mut self, change: &Change) {
        self.results.apply(change);
        if self.failed.is_none()
            && let Err(error) = self.reports.change(change, &self.results)
        {
            self.failed = Some(Failed::Writing(error));
        }
    }

    /// Completes the reports. Returns the results, and whether the reader of a report closed its pipe.
    fn finish(mut self) -> Result<(RunResults, bool), Failure> {
        match self.failed {
            None => self.reports.finish()?,
            Some(Failed::Writing(e)) if e.kind() == io::ErrorKind::BrokenPipe => {
                self.reports.failure()?;
                return Ok((self.results, true));
            }
            Some(Failed::Writing(e)) => {
                return Err(Failure::internal(format!("failed to write a report: {e}")));
            }
            Some(Failed::Opening(failure)) => return Err(failure),
        }
        Ok((self.results, false))
    }
}

/// The first entries of the reports.
struct Opening<'a> {
    settings: &'a Settings,
    host: &'a Host,
    running: &'a RunningArgs,
    checking: &'a CheckingArgs,
    again: Option<String>,
    findings: Vec<Finding>,
}

impl Opening<'_> {
    /// Waits for the layers of the sandbox; meanwhile the workers open their boxes.
    fn changes(self, probe: Option<&mut LayersProbe>) -> Result<Vec<Change>, Failure> {
        let layers = match probe {
            Some(probe) => probe.layers()?,
            None => &[],
        };
        let started = run_started(
            layers,
            self.settings,
            self.host,
            self.running,
            self.checking,
            self.again,
        );
        let findings = self.findings.into_iter().map(Change::Finding);
        Ok([Change::RunStarted(started)]
            .into_iter()
            .chain(findings)
            .collect())
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

/// Warnings about results: with `depth`, those of `judge verify`.
fn warnings_of_results(
    plan: &Plan,
    results: &RunResults,
    settings: &Settings,
    depth: Option<Depth>,
) -> Vec<String> {
    let Some(depth) = depth else {
        return file_names::warnings(plan, results);
    };
    let mut warnings = judging::margin_warnings(plan, results, settings.overrides);
    if depth == Depth::Full {
        warnings.extend(judging::result_warnings(plan, results, settings.overrides));
    }
    warnings
}
