//! `judge run`.

use super::args::{
    CheckingArgs, Clock as ClockChoice, Format, JudgingArgs, RunArgs, RunningArgs, SandboxChoice,
};
use super::by_hand;
use super::debug;
use super::file_names;
use super::folder;
use super::history;
use super::only_here::has_sources;
use super::output::{self, Reports, say};
use super::repeat;
use super::run_started::run_started;
use super::seen;
use super::select;
use super::targets::{self, Target};
use judge_core::error::{Failure, exit_status};
use judge_core::judging::{
    self, Clock, Depth, Elsewhere, Host, Keep, LayersProbe, Overrides, Plan, PlanEntry, Settings,
    Summary, Toolchain,
};
use judge_core::language::Languages;
use judge_core::results::{Change, Finding, RunFinished, RunResults};
use judge_core::submission::{Submission, Workspace};
use judge_core::untrusted::Message;
use judge_package::{Package, PackageError, Severity, TestCase};
use judge_report::Style;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

/// Judges and returns the exit status.
pub fn run(args: &RunArgs) -> Result<u8, Failure> {
    run_on(args, None)
}

/// Judges here or elsewhere, and returns the exit status.
pub fn run_on(args: &RunArgs, elsewhere: Option<Arc<dyn Elsewhere>>) -> Result<u8, Failure> {
    let settings = Settings {
        fail_fast: args.judging.fail_fast,
        shows_dialogues: true,
        shows_images: args.judging.shows_images(),
        ..settings(&args.judging.running)?
    };
    let mut host = Host {
        elsewhere,
        ..Host::default()
    };
    let probe = probe(&settings, &host);
    let (here, workspace) = Workspace::here()?;
    let workspace = workspace.as_ref();
    let request = targets::Request {
        names: &args.packages,
        submissions: &args.judging.running.submissions,
        languages: args.judging.running.languages.as_deref(),
        read: &Package::read,
    };
    let found = targets::find(&request, &here, workspace)?;
    if found.is_newest && args.judging.format == Format::Human {
        found
            .programs()
            .for_each(|program| targets::say_newest(program));
    }
    if args.bins && found.programs().next().is_some() {
        return Err(
            Failure::usage("--bins judges the binaries of a crate; it takes no program")
                .help("judge run --bins PACKAGE"),
        );
    }
    let toolchain = Toolchain::new(&settings, args.judging.running.languages.as_deref())?;
    let mut chosen = Vec::new();
    for Target {
        mut package,
        programs,
    } in found.targets
    {
        judging::generate_data(&mut package, &settings, &toolchain)?;
        args.checking.apply(&mut package)?;
        say_findings(&package, &toolchain.languages.languages);
        let mut cases = select::cases(&package, &args.judging)?;
        if args.by_hand {
            watch_for_interrupt()?;
            return by_hand::play(args, &toolchain, &package, &cases, &programs, workspace);
        }
        if let Some(first) = &args.first {
            // The sort is stable: the other cases keep their order, samples first.
            cases.sort_by_key(|case| case.name != *first);
        }
        let mut submissions = select::submissions(
            &package,
            &programs,
            &args.judging.running,
            args.bins,
            workspace,
        )?;
        if args.again.is_some() {
            // The directory of a temporary file says nothing to the user.
            for submission in &mut submissions {
                let name = std::path::Path::new(&submission.name).file_name();
                submission.name = name.unwrap_or_default().to_string_lossy().into_owned();
            }
        }
        if host.is_elsewhere() {
            has_sources(&package, &submissions)?;
        }
        let languages = &toolchain.languages.languages;
        chosen.extend(entries(package, cases, submissions, languages)?);
    }
    if args.debug || args.gdb {
        watch_for_interrupt()?;
        return debug::debug(args, &settings, &toolchain, &chosen, workspace);
    }
    let plan = select::plan(chosen, workspace, args.judging.format)?;
    let style = if args.bins {
        Style::Comparison
    } else if args.brief {
        Style::Surprises
    } else if args.judging.verbose {
        Style::Verbose
    } else {
        Style::Cases
    };
    if let Some(dir) = &args.keep {
        host.keep = Some(Arc::new(Keep::open(dir)?));
    }
    toolchain.check_language(args.judging.running.language.as_deref())?;
    watch_for_interrupt()?;
    refuse_broken_programs(&plan, &args.judging, &settings, &host, &toolchain)?;
    let keep = host.keep.clone();
    let extra = Extra {
        host,
        probe,
        repeat: args.repeat,
        is_recorded: !args.no_history,
        checking: args.checking.clone(),
        again: args.again.clone(),
        ..Extra::default()
    };
    let status = judge_with(&plan, &args.judging, style, &settings, &toolchain, extra)?;
    if let Some(keep) = keep {
        keep.finish()?;
    }
    Ok(status)
}

/// Begins to look for the layers of the sandbox, unless other machines judge.
fn probe(settings: &Settings, host: &Host) -> Option<LayersProbe> {
    (!host.is_elsewhere()).then(|| LayersProbe::start(settings))
}

/// The entries of a plan for a package: one, unless programs of a folder have different cases.
fn entries(
    package: Package,
    cases: Vec<TestCase>,
    submissions: Vec<Submission>,
    languages: &Languages,
) -> Result<Vec<PlanEntry>, Failure> {
    if !package.policy.runs_without_answer {
        return Ok(vec![PlanEntry::new(package, cases, submissions)]);
    }
    let mut parts: Vec<(Vec<TestCase>, Vec<Submission>)> = Vec::new();
    for submission in submissions {
        let own = match submission.source.code() {
            Some(path) => folder::own_cases(path, &cases, languages)?,
            None => cases.clone(),
        };
        match parts.iter_mut().find(|(known, _)| *known == own) {
            Some((_, submissions)) => submissions.push(submission),
            None => parts.push((own, vec![submission])),
        }
    }
    let entry = |(k, (cases, submissions)): (usize, (Vec<TestCase>, Vec<Submission>))| {
        let mut package = package.clone();
        if k > 0 {
            // Reports distinguish packages by their ids.
            package.id = format!("{}-{}", package.id, k + 1);
        }
        PlanEntry::new(package, cases, submissions)
    };
    Ok(parts.into_iter().enumerate().map(entry).collect())
}

/// Refuses packages whose own programs cannot be built here, before any case runs.
fn refuse_broken_programs(
    plan: &Plan,
    args: &JudgingArgs,
    settings: &Settings,
    host: &Host,
    toolchain: &Toolchain,
) -> Result<(), Failure> {
    let has_programs = |package: &&Package| {
        let others = package.static_validator.is_some() || package.grader.is_some();
        others || package.validation.programs().next().is_some()
    };
    let packages = plan.entries.iter().map(|entry| &entry.package);
    let packages: Vec<&Package> = packages.filter(has_programs).collect();
    if packages.is_empty() {
        return Ok(());
    }
    let _progress = output::progress(args, 0, "compiling the programs of the package");
    let errors: Vec<PackageError> = packages
        .into_iter()
        .flat_map(|package| judging::broken_programs(package, settings, host, toolchain))
        .collect();
    match errors.is_empty() {
        true => Ok(()),
        false => Err(Failure::Package(errors)),
    }
}

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
pub fn judge_with(
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
    if INTERRUPTS.load(Ordering::SeqCst) > 0 {
        exit_status::INTERRUPTED
    } else if summary.judge_error || summary.interrupted {
        exit_status::JUDGE_ERROR
    } else if summary.package_error {
        exit_status::USAGE
    } else {
        exit_status::of(summary.as_expected)
    }
}

/// The settings from the arguments.
/// Fails if a directory of headers does not exist.
pub fn settings(args: &RunningArgs) -> Result<Settings, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, |jobs| usize::from(jobs).min(cores));
    Ok(Settings {
        overrides: Overrides {
            time: args.time_limit,
            memory: args.memory.map(|mib| mib << 20),
        },
        program_bytes: args.program_size.map(|mib| mib << 20),
        preprocessor: args.preprocessor.options()?,
        clock: match args.clock {
            ClockChoice::Cpu => Clock::Cpu,
            ClockChoice::Instructions => Clock::Instructions {
                per_second: judging::INSTRUCTIONS_PER_SECOND,
            },
        },
        ..Settings::new(jobs, args.sandbox.into())
    })
}

/// Settings for running programs without judging.
pub fn settings_for(sandbox: SandboxChoice) -> Settings {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Settings::new(cores, sandbox.into())
}

/// Prints warnings of what the user of the package must know: the files that are left out, a key that
/// is given twice. In a folder of a contestant a source file is no test data, wherever it is.
fn say_findings(package: &Package, languages: &Languages) {
    const SHOWN: usize = 3;
    let concerns_run = |finding: &&judge_package::Finding| {
        finding.concerns_runs
            && !(package.policy.runs_without_answer
                && folder::is_source(languages, &finding.error.path))
    };
    let findings: Vec<&judge_package::Finding> =
        package.findings.iter().filter(concerns_run).collect();
    // One more takes no more lines than the note that there is one more.
    let shown = match findings.len() == SHOWN + 1 {
        true => SHOWN + 1,
        false => SHOWN,
    };
    for finding in findings.iter().take(shown) {
        say(&format!("warning: {}", finding.error));
    }
    if findings.len() > shown {
        let more = findings.len() - shown;
        say(&format!("warning: {more} more; `judge verify` lists all"));
    }
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

/// Number of Ctrl-C presses.
static INTERRUPTS: AtomicU8 = AtomicU8::new(0);

/// Installs the handler: the first Ctrl-C stops judging and prints the results so far; the second
/// ends the judge at once.
pub fn watch_for_interrupt() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        if INTERRUPTS.fetch_add(1, Ordering::SeqCst) > 0 {
            std::process::exit(i32::from(exit_status::INTERRUPTED));
        }
        judge_sandbox::interrupt();
    })
    .map_err(|e| Failure::internal(format!("failed to watch for Ctrl-C: {e}")))
}
