//! `judge limits`: the times of a package's submissions, and the time limit that follows from them.

use super::args::LimitsArgs;
use crate::calibration;
use judge_core::error::{Failure, exit_status};
use judge_core::figures::seconds;
use judge_core::files::failed;
use judge_core::judging::{self, Host, Plan, PlanEntry, Settings, Toolchain};
use judge_core::results::{PackageResults, RunResults};
use judge_core::submission::{Submission, Workspace};
use judge_core::verdict::Verdict;
use judge_package::yaml::{self, Node, Value};
use judge_package::{NewCases, Package, PackageLimits, TimeLimit};
use judge_report::{plain, table};
use judge_session::args::Format;
use judge_session::interrupt::watch_for_interrupt;
use judge_session::output::{paint_for, print, say};
use judge_session::progress::Progress;
use judge_session::run::settings_for;
use judge_session::{new_file, select};
use std::fs;
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

/// Measures the submissions of packages, and prints or writes their limits.
pub fn limits(args: &LimitsArgs) -> Result<u8, Failure> {
    let (here, workspace) = Workspace::here()?;
    let workspace = workspace.as_ref();
    let packages = select::packages(&args.packages, &here, workspace)?;
    if args.write {
        // Before the measurement, which takes long.
        packages.iter().try_for_each(check_writable)?;
    }
    let settings = settings_for(args.sandbox);
    let toolchain = Toolchain::new(&settings, args.languages.as_deref())?;
    watch_for_interrupt()?;
    let mut status = exit_status::AS_EXPECTED;
    for package in packages {
        status = status.max(of_package(args, package, &settings, &toolchain, workspace)?);
    }
    Ok(status)
}

fn of_package(
    args: &LimitsArgs,
    mut package: Package,
    settings: &Settings,
    toolchain: &Toolchain,
    workspace: Option<&Workspace>,
) -> Result<u8, Failure> {
    if package.kind.submit_answer {
        let what = format!(
            "{}: submissions are outputs, which take no time",
            package.id
        );
        return Err(Failure::usage(what).help("leave this package out"));
    }
    judging::generate_data(&mut package, settings, toolchain)?;
    let given = package.limits.time.fixed();
    let (factor, resolution) = (
        package.limits.ac_to_time_limit,
        package.limits.time_resolution,
    );
    // The judge then measures under a derived limit, also if the package gives one.
    package.limits.time = TimeLimit::Derived { factor, resolution };
    package.limits.languages.clear();
    let submissions = Submission::of_package(&package, |_| true);
    let cases = package.judged_cases().into_iter().cloned().collect();
    let entry = PlanEntry::new(package, cases, submissions);
    let plan = select::plan(vec![entry], workspace, Format::Human)?;
    let note = "running the submissions";
    let paint = paint_for(args.color, std::io::stderr().is_terminal());
    let progress = Progress::start(0, note, paint);
    let host = Host::default();
    judging::prebuild(&plan, settings, &host, toolchain);
    let mut results = RunResults::default();
    let summary = judging::run(&plan, settings, &host, toolchain, &mut |changes| {
        changes.iter().for_each(|change| results.apply(change));
    })?;
    drop(progress);
    if summary.interrupted {
        return Err(Failure::Interrupted);
    }
    let (Some(entry), Some(found)) = (plan.entries.first(), results.packages.first()) else {
        return Ok(exit_status::AS_EXPECTED);
    };
    let package = &entry.package;
    print(&times(&plan, found))?;
    let Some(limit) = found.about.time_limit_s else {
        say(&format!(
            "{}: no limit follows: no submission that must pass does",
            package.id
        ));
        return Ok(exit_status::NOT_AS_EXPECTED);
    };
    print(&conclusion(package, found, limit, given))?;
    print(&profiles(package))?;
    if args.reference {
        print(&on_reference(found, settings, limit, factor, resolution)?)?;
    }
    if args.write {
        write(package, limit)?;
    }
    Ok(exit_status::AS_EXPECTED)
}

/// The table of submissions with the time of their slowest case.
fn times(plan: &Plan, found: &PackageResults) -> String {
    let planned = plan.entries.iter().flat_map(|entry| &entry.submissions);
    let mut rows = vec![
        [
            "submission",
            "language",
            "expected",
            "got",
            "slowest",
            "of limit",
        ]
        .map(plain)
        .to_vec(),
    ];
    for (of, _) in found.submissions.iter().zip(planned) {
        let Some(finished) = of.finished() else {
            continue;
        };
        let slowest = finished.max_cpu_s;
        let limit = finished.time_limit_s.or(found.about.time_limit_s);
        let share = slowest.zip(limit).map(|(time, limit)| 100.0 * time / limit);
        let or_dash = |text: Option<String>| plain(text.unwrap_or_else(|| "-".to_owned()));
        rows.push(vec![
            plain(of.planned.name.to_string()),
            plain(of.language()),
            or_dash(of.planned.expected_text()),
            or_dash(finished.verdict.map(|verdict| verdict.code().to_owned())),
            or_dash(slowest.map(seconds)),
            or_dash(share.map(|share| format!("{share:.0} %"))),
        ]);
    }
    let right = [false, false, false, false, true, true];
    format!("{}\n{}", found.about.id, table(&rows, &right, 2))
}

fn conclusion(
    package: &Package,
    found: &PackageResults,
    limit: f64,
    given: Option<Duration>,
) -> String {
    let run = found.about.time_limit_run.as_ref();
    let run = run.map(|run| {
        format!(
            "{} takes {} on {}, times {}, in steps of {} s",
            run.submission,
            seconds(run.cpu_s),
            run.case,
            run.factor,
            run.resolution_s
        )
    });
    let given = match given {
        Some(given) => format!("the package gives {} s", given.as_secs_f64()),
        None => "the package gives none".to_owned(),
    };
    let slow = found.finished().filter(|(_, finished)| {
        finished.as_expected && finished.verdict == Some(Verdict::TimeLimitExceeded)
    });
    let fastest = slow.filter_map(|(of, finished)| Some((finished.max_cpu_s?, of)));
    let fastest = fastest
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(time, of)| {
            format!(
                "  the fastest too slow submission, {}, takes at least {} ({} asks for {} s)\n",
                of.planned.name,
                seconds(time),
                package
                    .limits
                    .margin_keys
                    .map_or("the format", |keys| keys.1),
                limit * package.limits.time_limit_to_tle
            )
        });
    format!(
        "  limit by the rule of {}: {limit} s ({}); {given}\n{}",
        package.format,
        run.unwrap_or_default(),
        fastest.unwrap_or_default()
    )
}

/// The limits that the package has for other judges.
fn profiles(package: &Package) -> String {
    let line = |(name, limits): (&String, &PackageLimits)| {
        let time = limits.time.fixed().unwrap_or_default();
        let others = limits.languages.iter().map(|own| {
            let (time, _) = limits.of_language(&own.language, time, limits.memory);
            format!(", {} {} s", own.language, time.as_secs_f64())
        });
        format!(
            "  the package gives {} s for {name}{}\n",
            time.as_secs_f64(),
            others.collect::<String>()
        )
    };
    package.profiles.iter().map(line).collect()
}

/// The limit that the same submissions would give on the reference machine.
fn on_reference(
    found: &PackageResults,
    settings: &Settings,
    limit: f64,
    factor: f64,
    resolution: Duration,
) -> Result<String, Failure> {
    let own = calibration::measure(settings.mode)?;
    let comparison = own.compare(&calibration::reference()?);
    let integer = comparison.ratios.iter().find(|(kind, _)| kind == "integer");
    let Some((_, ratio)) = integer else {
        return Err(Failure::internal("the calibration has no integer work"));
    };
    let slowest = found.about.time_limit_run.as_ref().map(|run| run.cpu_s);
    let time = slowest.unwrap_or(limit / factor) / ratio.value;
    let there = judging::rounded_up(time * factor, resolution).as_secs_f64();
    Ok(format!(
        "  on the reference machine: {there} s (for integer work this machine takes {:.2} times as long)\n",
        ratio.value
    ))
}

/// Writes the limit where the package's format has it.
fn write(package: &Package, limit: f64) -> Result<(), Failure> {
    let file = match package.limits.margin_keys {
        Some(("time_multiplier", _)) => {
            // The key in `problem.yaml` belongs to a later version.
            let file = package.root.join(".timelimit");
            new_file::write(&file, format!("{limit}\n").as_bytes())
                .map_err(failed("write", &file))?;
            file
        }
        _ => {
            let file = package.root.join("problem.yaml");
            let text = fs::read_to_string(&file).map_err(failed("read", &file))?;
            let new = with_limit(&file, &text, limit)?;
            new_file::write(&file, new.as_bytes()).map_err(failed("write", &file))?;
            file
        }
    };
    print(&format!("  written to {}\n", file.display()))
}

/// Refuses packages whose limit is not written: archives, other formats, limits in DOMjudge's settings.
fn check_writable(package: &Package) -> Result<(), Failure> {
    if package.policy.new_cases != NewCases::InGroups || !package.origin.is_dir() {
        let what = format!(
            "--write: {}: only the limits of directories in the ICPC formats are written",
            package.id
        );
        return Err(Failure::usage(what).help("write it into the package's settings by hand"));
    }
    let is_legacy = matches!(package.limits.margin_keys, Some(("time_multiplier", _)));
    let ini = package.root.join("domjudge-problem.ini");
    if is_legacy && fs::read_to_string(&ini).is_ok_and(|text| text.contains("timelimit")) {
        let what = format!("{} has a `timelimit`", ini.display());
        return Err(Failure::usage(what).help("change it there"));
    }
    Ok(())
}

/// The text of `problem.yaml` with this time limit; everything else stays as it is.
fn with_limit(path: &Path, text: &str, limit: f64) -> Result<String, Failure> {
    let root = yaml::parse(path, text)?;
    let unchanged = || {
        Failure::usage(format!(
            "{}: `limits` is written in an unusual way",
            path.display()
        ))
        .help(format!("write `time_limit: {limit}` into it by hand"))
    };
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let new = match root.get("limits").filter(|limits| !limits.is_null()) {
        None => {
            let newline = if text.ends_with('\n') { "" } else { line_end };
            match root.get("limits") {
                // `limits:` without a value.
                Some(_) => return Err(unchanged()),
                None => format!("{text}{newline}limits:{line_end}  time_limit: {limit}{line_end}"),
            }
        }
        Some(limits) => {
            let Value::Map(entries) = &limits.value else {
                return Err(unchanged());
            };
            let own = entries.iter().find(|(key, _)| key.is("time_limit"));
            match (own, entries.first()) {
                (Some((_, value)), _) => {
                    let at = value.offset(text).ok_or_else(unchanged)?;
                    let old = value.scalar().unwrap_or_default();
                    let rest = text[at..].strip_prefix(old).ok_or_else(unchanged)?;
                    format!("{}{limit}{rest}", &text[..at])
                }
                (None, Some((key, _))) => {
                    let at = key.offset(text).ok_or_else(unchanged)?;
                    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
                    let before = &text[line..at];
                    match before.trim().is_empty() {
                        true => format!(
                            "{}time_limit: {limit}{line_end}{before}{}",
                            &text[..at],
                            &text[at..]
                        ),
                        false => format!("{}time_limit: {limit}, {}", &text[..at], &text[at..]),
                    }
                }
                (None, None) => return Err(unchanged()),
            }
        }
    };
    let again = yaml::parse(path, &new).ok();
    let written = again.as_ref().and_then(|root| root.get("limits"));
    let written = written.and_then(|limits| limits.get("time_limit"));
    let value = written
        .and_then(Node::scalar)
        .and_then(|text| text.parse::<f64>().ok());
    match value == Some(limit) {
        true => Ok(new),
        false => Err(unchanged()),
    }
}

#[cfg(test)]
mod tests {
    use super::with_limit;
    use std::path::Path;

    #[test]
    fn a_limit_is_written_and_the_rest_is_kept() {
        for (before, after) in [
            ("name: P\n", "name: P\nlimits:\n  time_limit: 2\n"),
            (
                "limits: # all\n  memory: 256 # MiB\nname: P\n",
                "limits: # all\n  time_limit: 2\n  memory: 256 # MiB\nname: P\n",
            ),
            (
                "limits:\n    time_limit: 1.5 # s\n    memory: 9\n",
                "limits:\n    time_limit: 2 # s\n    memory: 9\n",
            ),
            (
                "limits: {memory: 256}\n",
                "limits: {time_limit: 2, memory: 256}\n",
            ),
            ("limits: {time_limit: 10}", "limits: {time_limit: 2}"),
            (
                "limits:\r\n  memory: 9\r\n",
                "limits:\r\n  time_limit: 2\r\n  memory: 9\r\n",
            ),
        ] {
            let found = with_limit(Path::new("problem.yaml"), before, 2.0).expect("written");
            assert_eq!(found, after);
        }
        assert!(with_limit(Path::new("problem.yaml"), "limits: 3\n", 2.0).is_err());
    }
}
