//! `judge run`.

use super::args::{Clock as ClockChoice, Format, JudgingArgs, RunArgs, RunningArgs, SandboxChoice};
use super::by_hand;
use super::debug;
use super::folder::report_outdated;
use super::interrupt::watch_for_interrupt;
use super::judge_and_report::{Extra, judge_and_report, probe};
use super::only_here::has_sources;
use super::output::{self, say};
use super::own_cases::own_cases;
use super::select;
use super::selected::Selected;
use super::targets;
use judge_core::error::Failure;
use judge_core::judging::{
    self, Clock, Elsewhere, Host, Keep, Overrides, Plan, PlanEntry, Settings, Toolchain,
};
use judge_core::language::Languages;
use judge_core::submission::{Source, Submission, Workspace};
use judge_package::{Package, PackageError, TestCase};
use judge_report::Style;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

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
    let mut selected = Vec::new();
    for target in found.targets {
        selected.push(Selected::new(target, args, &settings, &toolchain)?);
    }
    if args.by_hand {
        watch_for_interrupt()?;
        return by_hand::play(args, &toolchain, &selected, workspace);
    }
    let languages = &toolchain.languages.languages;
    let mut chosen = Vec::new();
    for Selected {
        package,
        cases,
        programs,
    } in selected
    {
        let submissions = submissions(&package, &programs, args, workspace)?;
        if host.is_elsewhere() {
            has_sources(&package, &submissions)?;
        }
        chosen.extend(entries(package, cases, submissions, languages)?);
    }
    if let Some(bundle) = &args.bundle {
        let source = Submission::at(bundle, None)?.source;
        let submissions = chosen.iter_mut().flat_map(|entry| &mut entry.submissions);
        submissions.for_each(|planned| planned.submission.source = source.clone());
    }
    if args.debug || args.gdb {
        watch_for_interrupt()?;
        return debug::debug(args, &settings, &toolchain, &chosen, workspace);
    }
    let plan = select::plan(chosen, workspace, args.judging.format)?;
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
    let style = style(args);
    let status = judge_and_report(&plan, &args.judging, style, &settings, &toolchain, extra)?;
    if let Some(keep) = keep {
        keep.finish()?;
    }
    Ok(status)
}

/// The submissions of a package that the arguments select.
fn submissions(
    package: &Package,
    programs: &[PathBuf],
    args: &RunArgs,
    workspace: Option<&Workspace>,
) -> Result<Vec<Submission>, Failure> {
    let running = &args.judging.running;
    let mut submissions = select::submissions(package, programs, running, args.bins, workspace)?;
    if args.again.is_some() && args.bundle.is_none() {
        // The directory of a temporary file says nothing to the user.
        for submission in &mut submissions {
            let name = Path::new(&submission.name).file_name();
            submission.name = name.unwrap_or_default().to_string_lossy().into_owned();
        }
    }
    Ok(submissions)
}

fn style(args: &RunArgs) -> Style {
    if args.bins {
        Style::Comparison
    } else if args.brief {
        Style::Surprises
    } else if args.judging.verbose {
        Style::Verbose
    } else {
        Style::Cases
    }
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
        if let Source::Executable(path) = &submission.source {
            report_outdated(path, languages)?;
        }
        let own = match &submission.source {
            Source::Code { path, .. } | Source::Executable(path) => {
                own_cases(path, &package, &cases, languages)?
            }
            Source::CargoBinary { .. } => cases.clone(),
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

/// The settings from the arguments.
/// Fails if a directory of headers does not exist.
pub fn settings(args: &RunningArgs) -> Result<Settings, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, |jobs| usize::from(jobs).min(cores));
    warn_of_units(args);
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

/// Warns of limits that were probably meant in other units: milliseconds, bytes.
fn warn_of_units(args: &RunningArgs) {
    const SECONDS: Duration = Duration::from_secs(500);
    const MIB: u64 = 1 << 18;
    if let Some(limit) = args.time_limit.filter(|limit| *limit >= SECONDS) {
        let limit = limit.as_secs_f64();
        say(&format!(
            "warning: --time-limit {limit} is in seconds: {limit}ms was probably meant"
        ));
    }
    if let Some(mib) = args.memory.filter(|mib| *mib >= MIB) {
        say(&format!(
            "warning: --memory {mib} is in MiB: 256 is a usual limit"
        ));
    }
}

/// Settings for running programs without judging.
pub fn settings_for(sandbox: SandboxChoice) -> Settings {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Settings::new(cores, sandbox.into())
}
