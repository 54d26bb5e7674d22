//! Tests of the reports that are written for a stream of events.

#[path = "../../../tests/common/schema.rs"]
mod schema;

use crate::runs::*;
use judge_core::results::{
    CaseKey, CaseResult, Compilation, Details, Excerpt, ExcerptLine, Finding, RunFinished,
    RunStarted, SubmissionResult,
};
use judge_core::verdict::Verdict;
use judge_package::Severity;
use judge_report::event::{Event, Reader};
use judge_report::{GitHub, Human, JUnit, JsonLines, Live, Paint, Style, text_width};
use std::time::Duration;

fn human(style: Style, columns: usize) -> String {
    reported(&fixed(), |out| {
        Box::new(Human::new(out, PLAIN, style, columns))
    })
}

/// The report for people about a run of one submission.
fn human_cases(events: &[Event]) -> String {
    reported(events, |out| {
        Box::new(Human::new(out, PLAIN, Style::Cases, 80))
    })
}

const PLAIN: Paint = Paint { enabled: false };

#[test]
fn human_report_lists_cases_and_explains_the_first_failure() {
    insta::assert_snapshot!(human(Style::Cases, 80));
    insta::assert_snapshot!("narrow", human(Style::Cases, 40));
}

#[test]
fn verbose_report_explains_every_failure() {
    insta::assert_snapshot!(human(Style::Verbose, 100));
}

#[test]
fn verify_report_shows_a_matrix_then_the_findings() {
    insta::assert_snapshot!(human(Style::Matrix, 120));
    insta::assert_snapshot!("matrix_narrow", human(Style::Matrix, 60));
}

#[test]
fn human_report_shows_a_comparison() {
    insta::assert_snapshot!(human(Style::Comparison, 80));
}

/// A report of two hundred cases stays readable: it has the failed cases, a strip and a summary.
#[test]
fn human_report_of_many_cases_lists_only_failures() {
    let names: Vec<String> = (1..=200).map(|k| format!("secret/{k:03}")).collect();
    let mut events = vec![package_started("sums", &names)];
    for (k, name) in names.iter().enumerate().take(190) {
        let (verdict, message) = match k % 14 {
            5 => (Verdict::WrongAnswer, "line 1"),
            _ => (Verdict::Accepted, ""),
        };
        events.push(case("sums", name, verdict, 0.001 * k as f64, message));
    }
    events.push(finished("sums", Verdict::WrongAnswer, 0.189));
    insta::assert_snapshot!(human_cases(&events));
}

/// A line of 81 columns would wrap on a terminal of 80.
#[test]
fn no_line_is_wider_than_the_terminal() {
    let mut events = fixed();
    let long = "secret/group-7/017-random-graph-with-many-edges-and-few-vertices";
    let at = events.len() - 1;
    let texts = ["数独".repeat(60), "x".repeat(300)];
    let excerpt = |text: &str, mark: usize| Excerpt {
        bytes: text.len() as u64,
        lines: vec![ExcerptLine {
            number: 1,
            text: text.to_owned(),
            mark: Some([mark, mark + 1]),
        }],
        more: false,
    };
    let mut more = vec![package_started("wide", &[long, "secret/2"])];
    for (name, text) in [long, "secret/2"].iter().zip(&texts) {
        let failed = CaseResult {
            details: Some(Box::new(Details {
                input: Some(excerpt(text, 3)),
                expected: Some(excerpt(text, 118)),
                found: Some(excerpt(text, 99)),
                ..Details::default()
            })),
            ..result(Verdict::WrongAnswer, 10.5, &"a word ".repeat(40))
        };
        more.push(case_of("wide", "mine.cpp", name, failed));
    }
    more.push(finished_of("wide", "mine.cpp", Verdict::WrongAnswer, 10.5));
    events.splice(at..at, more);
    let busy = "the machine was busy (load 2.3 besides the judge): times may be high";
    if let Some(Event::RunFinished(end)) = events.last_mut() {
        end.warnings.push(busy.into());
    }
    for columns in [80, 60, 40] {
        for style in [
            Style::Cases,
            Style::Verbose,
            Style::Surprises,
            Style::Matrix,
        ] {
            // A table of submissions and groups has a line each.
            if columns == 40 && style == Style::Matrix {
                continue;
            }
            let text = reported(&events, |out| {
                Box::new(Human::new(out, PLAIN, style, columns))
            });
            for line in text.lines() {
                // Exempt: commands to paste and compilers' messages, which are copied unchanged.
                let is_copied = line.contains("again: ") || line.contains("error: ");
                assert!(
                    text_width(line) <= columns || is_copied || line.contains(long),
                    "{columns} {style:?}: {line}"
                );
            }
        }
    }
}

/// A skipped submission is neither accepted nor as expected.
#[test]
fn the_last_line_names_skipped_submissions_and_the_reason() {
    let skipped = |name: &str| {
        [
            compiled(
                name,
                Compilation {
                    language: "Haskell".into(),
                    skipped: true,
                    message: Some("Haskell: ghc not installed\nhelp: apt install ghc".into()),
                    ..Compilation::default()
                },
            ),
            Event::SubmissionFinished {
                package: "sums".into(),
                submission: name.into(),
                expected: Some("AC".into()),
                result: SubmissionResult {
                    as_expected: true,
                    ..SubmissionResult::default()
                },
            },
        ]
    };
    let end = |submissions, as_expected| {
        Event::RunFinished(RunFinished {
            submissions,
            cases: 1,
            as_expected,
            wall_s: 0.25,
            interrupted: false,
            warnings: Vec::new(),
        })
    };
    let run = |judged: &[Verdict], as_expected| {
        let mut events = vec![package_started("sums", &["1"])];
        events.extend(judged.iter().flat_map(|&verdict| {
            [
                case("a.c", "1", verdict, 0.1, ""),
                finished("a.c", verdict, 0.1),
            ]
        }));
        events.extend(["x.hs", "y.hs"].into_iter().flat_map(skipped));
        events.push(end(judged.len() + 2, as_expected));
        events
    };
    let last = |events: &[Event], style, columns| {
        let text = reported(events, |out| {
            Box::new(Human::new(out, PLAIN, style, columns))
        });
        text.rsplit("\n\n")
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    let accepted = run(&[Verdict::Accepted], true);
    let why = "2 skipped (Haskell: ghc not installed)";
    let counts = "1 of 3 submissions, 1 case run in 250 ms";
    assert_eq!(
        last(&accepted, Style::Cases, 120),
        format!("accepted: {counts}; {why}")
    );
    assert_eq!(
        last(&accepted, Style::Cases, 60),
        format!("accepted: {counts}\n  {why}")
    );
    assert_eq!(
        last(&accepted, Style::Matrix, 120),
        format!("as expected: {counts}; {why}")
    );
    assert_eq!(
        last(&run(&[Verdict::WrongAnswer], false), Style::Cases, 120),
        format!("not accepted: 3 submissions, 1 case run in 250 ms; {why}")
    );
    assert_eq!(
        last(&run(&[], false), Style::Cases, 120),
        format!("not judged: 2 submissions, 1 case run in 250 ms; {why}")
    );
    let notice = reported(&accepted, |out| Box::new(GitHub::new(out)));
    let says = format!("as expected: 1 of 3 submissions, 1 case run; {why}");
    assert!(
        notice.contains(&says) && !notice.contains("all as"),
        "{notice}"
    );
    assert!(page(&accepted).contains(&format!("as expected; {why}")));
}

/// Shows live progress at three widths, three seconds after the start of an unfinished run.
#[test]
fn live_progress_fits_every_width() {
    let mut live = Live::new(30, "compiling");
    let at = |ms: u64| Duration::from_millis(ms);
    let memory = |at: CaseKey| (at.case == 0).then_some(12 << 20);
    let mut reader = Reader::default();
    let mut frames = vec![live.frame(at(0), 80, 24, PLAIN, &memory)];
    for (k, event) in fixed().iter().enumerate().take(20) {
        reader.event(event.clone(), &mut |change, results| {
            live.change(change, results, at(200 * k as u64));
        });
    }
    for columns in [40, 80, 200] {
        let frame = live.frame(at(5000), columns, 24, PLAIN, &memory);
        assert!(
            frame.iter().all(|line| text_width(line) <= columns),
            "{frame:?}"
        );
        frames.push(frame);
    }
    assert_eq!(live.frame(at(5000), 80, 2, PLAIN, &memory).len(), 2);
    // A case that has just started has no memory figure.
    let soon = live.frame(at(3050), 80, 24, PLAIN, &|_| panic!("memory was read"));
    // The limit is one of CPU time, and the figure is wall-clock time.
    assert!(soon[2].contains("sample/1  running "), "{soon:?}");
    assert!(
        soon[2].ends_with(" s") && !soon[2].contains(" of "),
        "{soon:?}"
    );
    let frames: Vec<String> = frames.iter().map(|frame| frame.join("\n")).collect();
    insta::assert_snapshot!(frames.join("\n\n"));
}

#[test]
fn a_judge_error_is_explained_only_once() {
    let broken = |of, name| case(of, name, Verdict::JudgeError, 0.0, "no compiler");
    let mut events = events();
    events.splice(
        2..,
        [
            broken("sums", "sample/1"),
            broken("sums", "secret/big"),
            finished("sums", Verdict::JudgeError, 0.0),
            broken("other", "sample/1"),
            finished("other", Verdict::JudgeError, 0.0),
        ],
    );
    let text = human_cases(&events);
    assert_eq!(text.matches("no compiler").count(), 1, "{text}");
    assert_eq!(text.matches("as above").count(), 2, "{text}");
}

#[test]
fn every_json_line_is_an_event() {
    let text = reported(&fixed(), |out| Box::new(JsonLines(out)));
    let parsed: Vec<Event> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("parse an event"))
        .collect();
    assert_eq!(parsed, fixed());
    assert_eq!(text.lines().count(), fixed().len());
    text.lines().for_each(schema::check_event);
}

#[test]
#[should_panic(expected = "the schema has no extra")]
fn a_field_missing_from_the_schema_is_rejected() {
    schema::check_event(r#"{"event":"compile_started","package":"p","submission":"s","extra":1}"#);
}

#[test]
fn annotations_name_lines_of_submissions() {
    insta::assert_snapshot!(reported(&fixed(), |out| Box::new(GitHub::new(out))));
}

#[test]
fn junit_report_names_the_failure() {
    insta::assert_snapshot!(reported(&fixed(), |out| Box::new(JUnit::new(out))));
}

#[test]
fn junit_report_contains_findings_compile_errors_and_unfinished_submissions() {
    insta::assert_snapshot!(reported(&interrupted(), |out| Box::new(JUnit::new(out))));
}

/// A run without any judged submission counts as a failure (exit status 1).
#[test]
fn junit_report_counts_a_failure_if_the_run_is_not_as_expected() {
    let end = Event::RunFinished(RunFinished {
        submissions: 0,
        cases: 0,
        as_expected: false,
        wall_s: 1.5,
        interrupted: false,
        warnings: vec!["nothing was judged".into()],
    });
    let run = [events().swap_remove(0), end];
    let text = reported(&run, |out| Box::new(JUnit::new(out)));
    assert!(
        text.contains("errors=\"1\"") && text.contains("nothing was judged"),
        "{text}"
    );
}

#[test]
fn control_sequences_in_names_and_texts_are_escaped() {
    let nasty = "\u{1b}[2J\u{202e}\u{9b}1m\r";
    let events = [
        package_started(&format!("sums{nasty}"), &[format!("secret/{nasty}")]),
        Event::Finding(Finding {
            package: format!("sums{nasty}").into(),
            severity: Severity::Error,
            path: format!("data/{nasty}").into(),
            line: None,
            column: None,
            message: nasty.into(),
            remedy: Some(nasty.into()),
        }),
        case_of(
            &format!("sums{nasty}"),
            nasty,
            &format!("secret/{nasty}"),
            result(Verdict::WrongAnswer, 0.1, nasty),
        ),
        finished_of(&format!("sums{nasty}"), nasty, Verdict::WrongAnswer, 0.1),
        Event::RunFinished(RunFinished {
            submissions: 1,
            cases: 1,
            as_expected: false,
            wall_s: 1.5,
            interrupted: false,
            warnings: vec![nasty.into()],
        }),
    ];
    let text = human_cases(&events);
    let hidden = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
    assert!(!text.contains(hidden), "{text:?}");
    assert!(text.contains(r"WA   secret/\u{1b}[2J\u{202e}"), "{text}");
    assert!(text.contains(r"error: sums\u{1b}[2J"), "{text}");
}

#[test]
fn with_instruction_limits_the_slowest_case_is_the_one_with_most_instructions() {
    let counted = |name, cpu, count| {
        let counted = CaseResult {
            instructions: Some(count),
            ..result(Verdict::Accepted, cpu, "")
        };
        case_of("sums", "sums", name, counted)
    };
    let events = [
        Event::RunStarted(RunStarted {
            version: "0.1.0".into(),
            sandbox: Default::default(),
            started_s: None,
            instructions_per_second: Some(4e9),
            machine: None,
            ..RunStarted::default()
        }),
        package_started("sums", &["sample/1", "secret/big"]),
        counted("sample/1", 0.9, 1_000_000_000),
        counted("secret/big", 0.5, 2_000_000_000),
        finished("sums", Verdict::Accepted, 0.9),
    ];
    let text = human_cases(&events);
    let slowest = "slowest 2000.0 million instructions (secret/big, 50 % of 4000.0 million)";
    assert!(text.contains(slowest), "{text}");
}
