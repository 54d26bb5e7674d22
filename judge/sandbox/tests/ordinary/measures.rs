//! Measurement: each program is charged for what it used, and for nothing else.

use std::time::{Duration, Instant};

use super::common::{forks, limits, program, spec};
use super::{MODES, acts, run_acts, sandbox, with_job};
use judge_sandbox::{BoxSpec, Canceller, Exit, Limit, Limits, MemoryGauge, Mode, open};

#[test]
fn the_cpu_time_of_the_whole_tree_is_measured() {
    for mode in MODES {
        let mut sandbox = sandbox(mode);
        if !forks(&*sandbox) {
            continue;
        }
        for action in [
            "burn",
            "child-burns",
            "orphan-burns",
            "threads-burn",
            "unwaited-burns",
        ] {
            // Without isolation the time of a process without a waiting parent is only sampled.
            if mode == Mode::None && matches!(action, "orphan-burns" | "unwaited-burns") {
                let patient = Limits {
                    cpu: None,
                    wall: Duration::from_secs(120),
                    ..limits()
                };
                let outcome = acts(&mut *sandbox, &[action, "1000"], &patient);
                assert_eq!(outcome.exit(), Exit::Code(0), "{action}: {outcome:?}");
                let cpu = outcome.execution.usage.cpu.value.as_secs_f64();
                assert!((0.3..1.050).contains(&cpu), "{action}: {outcome:?}");
                continue;
            }
            // The cost of starting the processes.
            let start = acts(&mut *sandbox, &[action, "0"], &limits());
            let start = start.execution.usage.cpu.value.as_secs_f64();
            let outcome = acts(&mut *sandbox, &[action, "100"], &limits());
            let cpu = outcome.execution.usage.cpu.value.as_secs_f64();
            assert!(cpu > 0.099, "{action}: {outcome:?}");
            assert!(cpu < 0.150 + 2.0 * start, "{action}: {outcome:?}");
        }
    }
}

#[test]
fn the_time_of_killed_processes_is_not_charged_to_the_next_program() {
    let killed = Limits {
        cpu: Some(Duration::from_millis(30)),
        processes: Some(64),
        ..limits()
    };
    for mode in MODES {
        let mut sandbox = sandbox(mode);
        if !forks(&*sandbox) {
            continue;
        }
        let little = acts(&mut *sandbox, &["code"], &limits());
        let most = Duration::from_millis(15) + 2 * little.execution.usage.cpu.value;
        for round in 0..20 {
            let outcome = acts(&mut *sandbox, &["family-loops", "50"], &killed);
            assert_eq!(outcome.exit(), Exit::Killed(Limit::Cpu));
            let outcome = acts(&mut *sandbox, &["code"], &limits());
            let cpu = outcome.execution.usage.cpu;
            assert!(cpu.value < most, "round {round}: {outcome:?}");
        }
    }
}

#[test]
fn the_judges_memory_is_not_charged_to_programs() {
    for mode in MODES {
        let big = vec![1_u8; 100 << 20];
        let outcome = run_acts(mode, &["code"], &limits());
        assert!(outcome.memory().unwrap() < 20 << 20, "{outcome:?}");
        let pages = big.iter().step_by(4096).map(|&b| usize::from(b));
        assert_eq!(pages.sum::<usize>(), (100 << 20) / 4096);
    }
}

/// Bytes that a figure can be too low by: the kernel charges a group in batches of 64 pages for each
/// core, and the batches of the idle zygote are subtracted.
const BATCHES: u64 = 512 << 10;

/// Before Linux 6.12 the peak of a group of version 2 cannot be reset, so boxes are replaced.
#[test]
fn a_figure_does_not_depend_on_earlier_runs() {
    let mut sandbox = sandbox(Mode::Auto);
    // On an emulated machine touching a page takes half a millisecond.
    let patient = Limits {
        cpu: None,
        wall: Duration::from_secs(60),
        ..limits()
    };
    let mut measure = |mib: &str| {
        let outcome = acts(&mut *sandbox, &["memory", mib], &patient);
        assert_eq!(outcome.exit(), Exit::Code(0), "{outcome:?}");
        outcome.execution.usage.memory.unwrap()
    };
    let first = measure("12");
    for mib in ["24", "11", "23", "8", "1", "2"] {
        let memory = measure(mib);
        assert_eq!(memory.by, first.by);
        let own = mib.parse::<u64>().unwrap() << 20;
        // Before Linux 6.12 the figure of a run below 4 MiB may be that of an earlier one.
        assert!(
            (own - BATCHES..own + (4 << 20)).contains(&memory.value),
            "{mib}: {memory:?}"
        );
    }
}

#[test]
fn a_gauge_shows_the_memory_of_the_running_program() {
    for mode in MODES {
        let gauge = MemoryGauge::default();
        assert_eq!(gauge.read(), None, "no box has run yet");
        let mut sandbox = open(&BoxSpec {
            gauge: Some(gauge.clone()),
            ..spec(mode, &program("acts"))
        })
        .unwrap();
        let canceller = Canceller::new().unwrap();
        let most = std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let end = Instant::now() + Duration::from_secs(20);
                let mut most = 0;
                while most < 64 << 20 && Instant::now() < end {
                    std::thread::sleep(Duration::from_millis(5));
                    most = most.max(gauge.read().unwrap_or(0));
                }
                canceller.cancel();
                most
            });
            let limits = Limits {
                wall: Duration::from_secs(60),
                ..limits()
            };
            let execution = with_job(&["memory", "64", "30000"], &limits, |job| {
                sandbox.run_until(job, Some(&canceller)).unwrap()
            });
            assert_eq!(execution.exit, Exit::Cancelled, "{mode:?}");
            reader.join().unwrap()
        });
        assert!((64 << 20..80 << 20).contains(&most), "{mode:?}: {most}");
        let idle = gauge.read().expect("the box waits for the next run");
        assert!(idle < 16 << 20, "{mode:?}: {idle}");
        drop(sandbox);
        assert_eq!(gauge.read(), None, "the box is closed");
    }
}
