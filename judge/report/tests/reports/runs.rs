//! Event streams for the tests of reports, and a function that renders a report.

use judge_core::results::{
    CaseResult, Compilation, Details, Finding, LayerState, PackageStarted, RunFinished, RunStarted,
    SubmissionResult,
};
use judge_core::untrusted::{Message, Name};
use judge_core::verdict::Verdict;
use judge_package::Severity;
use judge_report::event::{Event, Reader};
use judge_report::{Html, Report};

/// The result of a case.
pub fn result(verdict: Verdict, cpu_s: f64, message: &str) -> CaseResult {
    CaseResult {
        cpu_s: Some(cpu_s),
        wall_s: Some(cpu_s),
        memory_bytes: Some(3 << 20),
        message: (!message.is_empty()).then(|| Message::from(message)),
        ..CaseResult::new(verdict)
    }
}

/// A finished case of the package `package`.
pub fn case_of(package: &str, submission: &str, name: &str, result: CaseResult) -> Event {
    Event::CaseFinished {
        package: package.into(),
        submission: submission.into(),
        case: name.into(),
        result,
    }
}

/// A finished case of the package `sums`.
pub fn case(submission: &str, name: &str, verdict: Verdict, cpu_s: f64, message: &str) -> Event {
    case_of("sums", submission, name, result(verdict, cpu_s, message))
}

/// A finished submission of the package `package`.
pub fn finished_of(package: &str, submission: &str, verdict: Verdict, max_cpu_s: f64) -> Event {
    Event::SubmissionFinished {
        package: package.into(),
        submission: submission.into(),
        expected: Some("AC".to_owned()),
        result: SubmissionResult {
            verdict: Some(verdict),
            as_expected: verdict == Verdict::Accepted,
            max_cpu_s: Some(max_cpu_s),
            max_memory_bytes: Some(3 << 20),
            time_limit_s: Some(1.0),
            ..SubmissionResult::default()
        },
    }
}

/// A finished submission of the package `sums`.
pub fn finished(submission: &str, verdict: Verdict, max_cpu_s: f64) -> Event {
    finished_of("sums", submission, verdict, max_cpu_s)
}

/// The result of compiling a submission of the package `sums`.
pub fn compiled(submission: &str, result: Compilation) -> Event {
    Event::CompileFinished {
        package: "sums".into(),
        submission: submission.into(),
        result,
    }
}

/// The details of the first failed case of the fixed run.
pub fn details() -> Option<Box<Details>> {
    fixed().into_iter().find_map(|event| match event {
        Event::CaseFinished { result, .. } => result.details,
        _ => None,
    })
}

/// The event that starts a package with these cases.
pub fn package_started(package: &str, cases: &[impl AsRef<str>]) -> Event {
    Event::PackageStarted(PackageStarted {
        id: package.into(),
        title: "Sums".into(),
        time_limit_s: Some(1.0),
        memory_limit_bytes: 256 << 20,
        time_limit_from: None,
        memory_limit_from: None,
        format: None,
        time_limit_run: None,
        cases: cases.iter().map(Name::from).collect(),
        path: None,
    })
}

/// The events of a short run.
pub fn events() -> Vec<Event> {
    vec![
        Event::RunStarted(RunStarted {
            version: "0.1.0".into(),
            sandbox: [("cgroup".to_owned(), LayerState::Absent)].into(),
            started_s: Some(1_700_000_000.25),
            instructions_per_second: None,
            machine: None,
            ..RunStarted::default()
        }),
        package_started("sums", &["sample/1", "secret/big"]),
        // Out of order, as with two workers.
        case(
            "sums-slow",
            "secret/big",
            Verdict::TimeLimitExceeded,
            1.13,
            "took 1.130 s",
        ),
        case("sums", "secret/big", Verdict::Accepted, 0.25, ""),
        case("sums", "sample/1", Verdict::Accepted, 0.0004, ""),
        finished("sums", Verdict::Accepted, 0.25),
        case("sums-slow", "sample/1", Verdict::Accepted, 0.002, ""),
        finished("sums-slow", Verdict::TimeLimitExceeded, 1.13),
        Event::RunFinished(RunFinished {
            submissions: 2,
            cases: 4,
            as_expected: false,
            wall_s: 1.5,
            interrupted: false,
            warnings: Vec::new(),
        }),
    ]
}

/// The events of a fixed run with every kind of event and result.
pub fn fixed() -> Vec<Event> {
    let lines = include_str!("events.jsonl").lines();
    lines
        .map(|line| serde_json::from_str(line).expect("parse an event"))
        .collect()
}

/// A run of `submissions` over `cases`; every case failed and has details.
pub fn large(submissions: usize, cases: usize) -> Vec<Event> {
    let names: Vec<String> = (0..cases)
        .map(|k| format!("secret/{k:03}-random"))
        .collect();
    let mut events = vec![fixed()[0].clone()];
    events.push(package_started("sums", &names));
    let details = details();
    for k in 0..submissions {
        let submission = format!("accepted/submission_{k}.cpp");
        for (n, name) in names.iter().enumerate() {
            let cpu = 0.001 * (n * k + 1) as f64;
            let failed = CaseResult {
                details: details.clone(),
                ..result(Verdict::WrongAnswer, cpu, "line 1, column 1")
            };
            events.push(case_of("sums", &submission, name, failed));
        }
        events.push(finished(&submission, Verdict::WrongAnswer, 0.5));
    }
    events.extend(fixed().pop());
    events
}

/// The events of a run with findings, a compile error and an interrupt.
pub fn interrupted() -> Vec<Event> {
    let finding = |severity, path: &str| {
        Event::Finding(Finding {
            package: "sums".into(),
            severity,
            path: path.into(),
            line: Some(3),
            column: None,
            message: format!("a <finding> in {path}").into(),
            remedy: Some("correct it".into()),
        })
    };
    let mut events = events();
    let (end, start) = (events.pop(), events.drain(..2).collect::<Vec<_>>());
    let Some(Event::RunFinished(RunFinished { warnings, .. })) = end else {
        panic!("the last event is not of the expected kind");
    };
    let compilation = Compilation {
        language: "C++".into(),
        wall_s: 0.5,
        message: Some("broken.cpp:1:1: error: what?".into()),
        ..Compilation::default()
    };
    let [run, package] = start.as_slice() else {
        panic!("there are not two submissions");
    };
    vec![
        run.clone(),
        finding(Severity::Error, "data/secret/1.in"),
        finding(Severity::Warning, "problem.yaml"),
        package.clone(),
        compiled("broken", compilation),
        finished("broken", Verdict::CompileError, 0.0),
        case("sums", "secret/big", Verdict::WrongAnswer, 0.1, "line 1"),
        Event::RunFinished(RunFinished {
            submissions: 1,
            cases: 1,
            as_expected: false,
            wall_s: 1.5,
            interrupted: true,
            warnings,
        }),
    ]
}

/// Renders a report of these events.
pub fn reported(
    events: &[Event],
    make: impl FnOnce(&mut Vec<u8>) -> Box<dyn Report + '_>,
) -> String {
    let mut out = Vec::new();
    let mut report = make(&mut out);
    let mut reader = Reader::default();
    for event in events {
        reader.event(event.clone(), &mut |change, results| {
            report.change(change, results).expect("write to a vector");
        });
    }
    drop(report);
    String::from_utf8(out).expect("decode the report as UTF-8")
}

/// Renders the HTML page of a run.
pub fn page(events: &[Event]) -> String {
    reported(events, |out| Box::new(Html::new(out)))
}
