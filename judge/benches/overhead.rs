//! The cost of judging, relative to a floor: vfork + exec + wait4 of the same program over the same
//! inputs, with its streams on files and without anything else (`programs/floor.c`).
//!
//! The bench measures the complete judged test, as `judge run` does it: a box for the worker, and
//! for every case isolation, limits, measurement, comparison and the report for people. The CPU
//! time covers all processes, including the judge's own threads. The runners take turns in one
//! process tree, so that a busy machine disturbs all of them alike; a ratio is taken within a
//! round, and the median over all rounds is printed.
//!
//! Prints, tab-separated, the microseconds per case and the ratios, for every power of two of jobs
//! up to the number of cores. Then prints the time from the start of `judge run` to its first
//! verdict, and its ratio to the time of `judge --version`, which starts the same executable
//! (`cold_start`); the speed-up of concurrent floors and jobs over one (`scaling`: the floors are an
//! upper bound for the jobs); the system calls, page faults and context switches of a judged case
//! (`per_case`, over all processes including the program; independent of the clock rate); and the
//! ratios for a program without a C library. The last line is for a static program with a C library:
//! the ratios of CPU and wall time, and the speed-up of two jobs over one. Where isolate is installed,
//! it runs the same cases in turn with them, one after the other; so does DMOJ's judge, over fewer rounds, with a program that is
//! linked dynamically, as it links it.

#[path = "rivals/dmoj.rs"]
mod dmoj;
mod harness;
#[path = "rivals/isolate.rs"]
mod isolate;

use dmoj::Dmoj;
use harness::{compile, directory, is_trial, median, write};
use isolate::Isolate;
use judge_core::judging::{self, Host, Plan, PlanEntry, PlanSubmission, Prepared};
use judge_core::judging::{Settings, Toolchain};
use judge_core::language::Program;
use judge_core::results::{Change, RunResults};
use judge_core::submission::Submission;
use judge_package::{Package, TestCase};
use judge_report::{Human, Paint, Report, Style};
use judge_sandbox::Mode;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const CASES: usize = 200;

/// The cost of a case, in microseconds.
#[derive(Clone, Copy)]
struct Cost {
    cpu: f64,
    wall: f64,
}

type Runner<'a> = Box<dyn Fn() -> io::Result<Cost> + 'a>;

fn main() -> io::Result<()> {
    let rounds = if is_trial() { 1 } else { 25 };
    let directory = directory()?;
    let package = package(&directory.path().join("sums"))?;
    let floor = directory.path().join("floor");
    compile(&source("floor.c"), &floor, &["-O2"])?;

    let mut programs = Vec::new();
    for (name, file, flags) in [
        ("static", "sum.c", &["-O2", "-static"][..]),
        ("bare", "bare.c", &["-O2", "-static", "-nostdlib"]),
    ] {
        let path = directory.path().join(name);
        match compile(&source(file), &path, flags) {
            Ok(()) => programs.push((name, path)),
            Err(e) => println!("{name}: absent: {e}"),
        }
    }
    let settings = settings(1);
    let toolchain = Toolchain::new(&settings, None).map_err(io::Error::other)?;
    let judge = Judge {
        package: &package,
        toolchain: &toolchain,
    };

    // At least 1 and 2.
    let cores = judge_sandbox::cores().len().max(2);
    let powers = || (0..).map(|k| 1 << k).take_while(|jobs| *jobs <= cores);
    let rival = Isolate::open();
    let mut runners: Vec<(String, Runner<'_>)> = Vec::new();
    for (name, path) in &programs {
        let (floor, package) = (&floor, &package);
        for at_once in powers() {
            let run = move || run_floors(floor, path, package, at_once);
            runners.push((format!("{name}\tfloor x{at_once}"), Box::new(run)));
        }
        for jobs in powers() {
            let plan = judge.plan(path, CASES, jobs)?;
            let run = move || judge.run(&plan, jobs);
            runners.push((format!("{name}\tjudged -j{jobs}"), Box::new(run)));
        }
        let plan = judge.plan(path, 1, 1)?;
        let run = move || judge.run(&plan, 1);
        runners.push((format!("{name}\t1 case"), Box::new(run)));
        if let Some(rival) = &rival {
            let run = move || rival.run(path, &data(package), CASES);
            runners.push((format!("{name}\tisolate"), Box::new(run)));
        }
    }
    let costs = take_turns(&runners, rounds)?;

    println!("program\trunner\tcpu_us\twall_us\tcpu_ratio\twall_ratio");
    let (mut ratios, mut scaling, mut rivals) = (Vec::new(), Vec::new(), Vec::new());
    let per_program = 2 * powers().count() + 1 + usize::from(rival.is_some());
    let rows = costs.chunks(per_program).zip(runners.chunks(per_program));
    for ((of_program, names), (program, _)) in rows.zip(&programs) {
        let (floors, judges) = of_program.split_at(powers().count());
        let (floor, judged) = (&floors[0], &judges[0]);
        for (costs, (name, _)) in of_program.iter().zip(names) {
            let [cpu, wall] = [|c: &Cost| c.cpu, |c: &Cost| c.wall].map(|figure| {
                let ratio = ratio(costs, floor, figure);
                (median(costs.iter().map(figure)), ratio)
            });
            println!(
                "{name}\t{:.1}\t{:.1}\t{:.3}\t{:.3}",
                cpu.0, wall.0, cpu.1, wall.1
            );
        }
        let cpu = ratio(judged, floor, |c| c.cpu);
        let wall = ratio(judged, floor, |c| c.wall);
        ratios.push((cpu, wall, ratio(judged, &judges[1], |c| c.wall)));
        if let (Some(_), Some(rival)) = (&rival, judges.last()) {
            let [cpu, wall] = [|c: &Cost| c.cpu, |c: &Cost| c.wall].map(|figure| {
                let of_judge = ratio(judged, rival, figure);
                format!(
                    "{:.3} (judged {of_judge:.3} of it)",
                    ratio(rival, floor, figure)
                )
            });
            rivals.push(format!("isolate {program} cpu={cpu} wall={wall}"));
        }
        let gains = powers()
            .zip(floors)
            .zip(judges)
            .map(|((n, floors), judges)| {
                // A floor's wall time is that of its own cases.
                let of_floors = n as f64 * ratio(floor, floors, |c| c.wall);
                let of_jobs = ratio(judged, judges, |c| c.wall);
                format!(" {n}:{of_floors:.2}/{of_jobs:.2}")
            });
        let gains: String = gains.collect();
        scaling.push(format!("scaling {program} floors/jobs{gains}"));
    }
    if let Some((_, path)) = programs.first() {
        println!("{}", cold_start(&package, path, rounds)?);
        println!("{}", events_per_case(&judge, path)?);
    }
    if let Some(rival) = Dmoj::open(&data(&package), CASES)? {
        let path = directory.path().join("dynamic");
        compile(&source("sum.c"), &path, &["-O2"])?;
        println!("{}", against_dmoj(&judge, &rival, &path, rounds.min(5))?);
    }
    let lines = scaling.iter().chain(&rivals);
    lines.for_each(|line| println!("{line}"));
    if let [_, (cpu, wall, jobs2)] = ratios[..] {
        println!("without_libc cpu={cpu:.3} wall={wall:.3} jobs2={jobs2:.2}");
    }
    match ratios.first() {
        Some((cpu, wall, jobs2)) => {
            println!("overhead cpu={cpu:.3} wall={wall:.3} jobs2={jobs2:.2}");
            Ok(())
        }
        None => Err(io::Error::other("no test program compiles on this machine")),
    }
}

fn source(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("benches/programs")
        .join(file)
}

/// Writes a package whose problem is the sum of two numbers.
fn package(root: &Path) -> io::Result<Package> {
    let yaml = "problem_format_version: 2025-09\nname: Sums\nlicense: cc0\n\
                uuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nrights_owner: nobody\n\
                limits: {time_limit: 1.0}\n";
    write(&root.join("problem.yaml"), yaml)?;
    for k in 1..=CASES {
        let case = root.join("data/secret").join(format!("{k:03}"));
        write(&case.with_extension("in"), &format!("{k} 23\n"))?;
        write(&case.with_extension("ans"), &format!("{}\n", k + 23))?;
    }
    Package::read(root).map_err(io::Error::other)
}

/// The directory of the cases.
fn data(package: &Package) -> PathBuf {
    package.root.join("data/secret")
}

fn settings(jobs: usize) -> Settings {
    Settings::new(jobs, Mode::Auto)
}

/// Runs all runners round by round and returns each runner's costs. Each round begins with another
/// runner; the first round is a warm-up.
fn take_turns(runners: &[(String, Runner<'_>)], rounds: usize) -> io::Result<Vec<Vec<Cost>>> {
    let mut costs = vec![Vec::new(); runners.len()];
    for round in 0..=rounds {
        for turn in 0..runners.len() {
            let which = (turn + round) % runners.len();
            let cost = runners[which].1()?;
            if round > 0 {
                costs[which].push(cost);
            }
        }
    }
    Ok(costs)
}

fn ratio(of: &[Cost], to: &[Cost], figure: impl Fn(&Cost) -> f64) -> f64 {
    median(of.iter().zip(to).map(|(a, b)| figure(a) / figure(b)))
}

/// Runs `at_once` floors in parallel, each on its own core, and returns the mean cost per case.
fn run_floors(floor: &Path, program: &Path, package: &Package, at_once: usize) -> io::Result<Cost> {
    let cores = judge_sandbox::cores();
    let mut running = Vec::new();
    for i in 0..at_once {
        let core = cores.get(i % cores.len().max(1)).copied().unwrap_or(0);
        let child = Command::new(floor)
            .args([core.to_string(), CASES.to_string()])
            .arg(program)
            .arg(data(package))
            .stdout(Stdio::piped())
            .spawn()?;
        running.push(child);
    }
    let mut sum = Cost {
        cpu: 0.0,
        wall: 0.0,
    };
    for child in running {
        let done = child.wait_with_output()?;
        let output = String::from_utf8_lossy(&done.stdout);
        let figures: Vec<f64> = output
            .split_whitespace()
            .filter_map(|f| f.parse().ok())
            .collect();
        match figures[..] {
            [cpu, wall] if done.status.success() => {
                sum.cpu += cpu;
                sum.wall += wall;
            }
            _ => return Err(io::Error::other(format!("the floor failed: {done:?}"))),
        }
    }
    let cases = (CASES * at_once) as f64;
    Ok(Cost {
        cpu: sum.cpu / cases,
        wall: sum.wall / cases,
    })
}

#[derive(Clone, Copy)]
struct Judge<'a> {
    package: &'a Package,
    toolchain: &'a Toolchain,
}

impl Judge<'_> {
    /// The first cases of the package, `times` times.
    fn plan(&self, program: &Path, cases: usize, times: usize) -> io::Result<Plan> {
        let prepared = Prepared::Ready(Arc::new(Program::executable(program)));
        let cases: Vec<TestCase> = self
            .package
            .cases()
            .into_iter()
            .take(cases)
            .cloned()
            .collect();
        let submission = Submission::at(program, None).map_err(io::Error::other)?;
        let entry = || PlanEntry {
            package: self.package.clone(),
            cases: cases.clone(),
            submissions: vec![PlanSubmission {
                submission: submission.clone(),
                prepared: Some(prepared.clone()),
            }],
        };
        Ok(Plan {
            entries: (0..times).map(|_| entry()).collect(),
        })
    }

    fn run(&self, plan: &Plan, jobs: usize) -> io::Result<Cost> {
        let mut report = Human::new(io::sink(), Paint { enabled: false }, Style::Cases, 100);
        let (mut accepted, mut failure) = (0, Ok(()));
        let mut results = RunResults::default();
        let mut listener = |changes: Vec<Change>| {
            for change in changes {
                if let Change::CaseFinished(_, case) = &change {
                    accepted += usize::from(case.is_accepted());
                }
                results.apply(&change);
                if let Err(e) = report.change(&change, &results) {
                    failure = Err(e);
                }
            }
        };
        let cases: usize = plan.entries.iter().map(|entry| entry.cases.len()).sum();
        let cost = timed(cases, || {
            judging::run(
                plan,
                &settings(jobs),
                &Host::default(),
                self.toolchain,
                &mut listener,
            )
            .map_err(io::Error::other)
        })?;
        failure?;
        // A fast run with a wrong verdict does not count.
        if accepted != cases {
            let what = format!("{accepted} of {cases} cases accepted");
            return Err(io::Error::other(what));
        }
        Ok(cost)
    }
}

/// Runs all cases; returns the mean cost of one.
fn timed<T>(cases: usize, run: impl FnOnce() -> io::Result<T>) -> io::Result<Cost> {
    let (cpu_before, start) = (cpu()?, Instant::now());
    run()?;
    let (wall, cpu) = (start.elapsed(), cpu()? - cpu_before);
    let each = |time: Duration| time.as_secs_f64() * 1e6 / cases as f64;
    Ok(Cost {
        cpu: each(cpu),
        wall: each(wall),
    })
}

/// CPU time of this process, of its reaped children and of its live children. A closed box is a
/// reaped child, and has reaped the programs that ran in it; the sandbox's template is a live
/// child.
fn cpu() -> io::Result<Duration> {
    let mut sum = 0;
    for child in children()? {
        // The child may have ended in the meantime.
        let clock = clock_getcpuclockid(child).and_then(clock_gettime);
        sum += clock.map_or(0, |time| time.num_microseconds());
    }
    for who in [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN] {
        let usage = getrusage(who)?;
        for time in [usage.user_time(), usage.system_time()] {
            sum += time.num_microseconds();
        }
    }
    Ok(Duration::from_micros(sum.unsigned_abs()))
}

/// The live children of all threads of this process.
fn children() -> io::Result<Vec<Pid>> {
    let mut all = Vec::new();
    for thread in fs::read_dir("/proc/self/task")? {
        let list = fs::read_to_string(thread?.path().join("children")).unwrap_or_default();
        let pids = list.split_whitespace().filter_map(|pid| pid.parse().ok());
        all.extend(pids.map(Pid::from_raw));
    }
    Ok(all)
}

/// The judge's cost for a case, and its ratio to that of DMOJ's judge, in turn.
fn against_dmoj(
    judge: &Judge<'_>,
    rival: &Dmoj,
    program: &Path,
    rounds: usize,
) -> io::Result<String> {
    let plan = judge.plan(program, CASES, 1)?;
    let (mut judged, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        theirs.push(rival.run(&source("sum.c"))?);
        judged.push(judge.run(&plan, 1)?);
    }
    let [cpu, wall] = [|c: &Cost| c.cpu, |c: &Cost| c.wall].map(|figure| {
        let (own, other) = (judged.iter().map(figure), theirs.iter().map(figure));
        let of_rival = ratio(&judged, &theirs, figure);
        format!("{:.1}/{:.1} us ({of_rival:.4})", median(own), median(other))
    });
    Ok(format!("dmoj dynamic judged/theirs cpu={cpu} wall={wall}"))
}

/// Page faults, context switches and system calls of one case: the difference between a run of all
/// cases and a run of one case, divided by the difference in cases.
fn events_per_case(judge: &Judge<'_>, program: &Path) -> io::Result<String> {
    let (many, one) = (judge.plan(program, CASES, 1)?, judge.plan(program, 1, 1)?);
    let mut runs = Vec::new();
    for plan in [&one, &many] {
        let before = faults_and_switches()?;
        judge.run(plan, 1)?;
        let after = faults_and_switches()?;
        runs.push([0, 1].map(|k| after[k] - before[k]));
    }
    let each = |many: i64, one: i64| (many - one) as f64 / (CASES - 1) as f64;
    let [faults, switches] = [0, 1].map(|k| each(runs[1][k], runs[0][k]));
    let package = &judge.package.root;
    let calls = match (
        system_calls(package, program, "secret/*")?,
        system_calls(package, program, "secret/001")?,
    ) {
        (Some(many), Some(one)) => format!("{:.1}", each(many, one)),
        _ => "absent (install strace)".to_owned(),
    };
    Ok(format!(
        "per_case page_faults={faults:.1} context_switches={switches:.1} system_calls={calls}"
    ))
}

/// Page faults and context switches of this process and of its reaped children.
fn faults_and_switches() -> io::Result<[i64; 2]> {
    let mut sum = [0, 0];
    for who in [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN] {
        let usage = getrusage(who)?;
        sum[0] += usage.minor_page_faults() + usage.major_page_faults();
        sum[1] += usage.voluntary_context_switches() + usage.involuntary_context_switches();
    }
    Ok(sum)
}

/// The number of system calls of `judge run` over these cases, including all processes; `None` if
/// `strace` is not installed or not permitted.
fn system_calls(package: &Path, program: &Path, cases: &str) -> io::Result<Option<i64>> {
    let summary = tempfile::NamedTempFile::new()?;
    let done = Command::new("strace")
        .args(["-f", "-c", "-qq", "-o"])
        .arg(summary.path())
        .arg(env!("CARGO_BIN_EXE_judge"))
        .args(["run", "-j", "1", "--format", "json", "--case", cases])
        .arg("--submission")
        .args([program, package])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !done.is_ok_and(|status| status.success()) {
        return Ok(None);
    }
    let table = fs::read_to_string(summary.path())?;
    // The columns are: % time, seconds, usecs/call, calls, errors, "total".
    let total = table.lines().rfind(|line| line.ends_with(" total"));
    let calls = total.and_then(|line| line.split_whitespace().nth(3)?.parse().ok());
    Ok(calls)
}

/// Milliseconds from the start of `judge run` to its first verdict on a pipe, and from the start of
/// `judge --version` to its line, in turn.
fn cold_start(package: &Package, program: &Path, rounds: usize) -> io::Result<String> {
    let run: [&OsStr; 6] = [
        "run".as_ref(),
        "--format".as_ref(),
        "json".as_ref(),
        "--submission".as_ref(),
        program.as_ref(),
        package.root.as_ref(),
    ];
    let (mut times, mut floors) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        floors.push(time_to_line(&["--version".as_ref()], "judge")?);
        times.push(time_to_line(&run, "\"case_finished\"")?);
    }
    let ratio = median(times.iter().zip(&floors).map(|(time, floor)| time / floor));
    let (time, floor) = (median(times), median(floors));
    Ok(format!(
        "cold_start_ms={time:.1} floor_ms={floor:.1} ratio={ratio:.2}"
    ))
}

/// Milliseconds from the start of the command to its first line with this text.
fn time_to_line(args: &[&OsStr], text: &str) -> io::Result<f64> {
    let start = Instant::now();
    let mut judge = Command::new(env!("CARGO_BIN_EXE_judge"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let output = judge.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
    let mut lines = BufReader::new(output).lines();
    let found = lines.any(|line| line.is_ok_and(|line| line.contains(text)));
    let time = start.elapsed().as_secs_f64() * 1e3;
    lines.for_each(drop);
    judge.wait()?;
    match found {
        true => Ok(time),
        false => Err(io::Error::other(format!("judge wrote no line with {text}"))),
    }
}
