//! `judge history`, and the recorder of `judge run`.

use super::args::HistoryArgs;
use super::output::{paint, print, say};
use crate::error::{Failure, exit_status};
use crate::event::{CaseFinished, Event};
use crate::history::{self, Record};
use crate::judging::Plan;
use crate::report::{Paint, bytes, plain, plural, seconds, table};
use crate::text::{hex, printable_name};
use crate::verdict::Verdict;
use judge_package::yaml::nearest;
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Times that differ by less than this factor are called equal: runs at different times differ by
/// more than repeated measurements.
const NOTABLE: f64 = 1.2;
/// Likewise for times that differ by fewer seconds.
const NOTABLE_SECONDS: f64 = 0.01;

/// Collects the records of a run.
#[derive(Default)]
pub struct Recorder {
    /// Id and path of each package.
    packages: Vec<(String, PathBuf)>,
    cases: Vec<CaseFinished>,
    records: Vec<Record>,
}

impl Recorder {
    /// For a plan.
    pub fn new(plan: &Plan) -> Self {
        let packages = plan.entries.iter().map(|entry| {
            let origin = entry.package.origin.clone();
            let path = origin.canonicalize().unwrap_or(origin);
            (entry.package.id.clone(), path)
        });
        Recorder {
            packages: packages.collect(),
            ..Recorder::default()
        }
    }

    /// Records an event.
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::CaseFinished(case) => self.cases.push(case.clone()),
            Event::SubmissionFinished(finished) => {
                // Cases of other submissions may be among them: workers judge several at once.
                let cases: Vec<CaseFinished> = self
                    .cases
                    .extract_if(.., |case| {
                        case.submission == finished.submission && case.package == finished.package
                    })
                    .collect();
                let package = self.packages.iter().find(|(id, _)| *id == finished.package);
                // A skipped submission has no verdict, one that does not compile no case.
                let (Some(verdict), Some((_, path)), false) =
                    (finished.verdict, package, cases.is_empty())
                else {
                    return;
                };
                let is_accepted = |case: &&CaseFinished| case.verdict == Verdict::Accepted;
                self.records.push(Record {
                    verdict: verdict.code().to_owned(),
                    cases: cases.len(),
                    accepted: cases.iter().filter(is_accepted).count(),
                    cases_id: id_of(&cases),
                    // A sum of nothing is -0.0.
                    cpu_s: cases.iter().filter_map(|case| case.cpu_s).sum::<f64>() + 0.0,
                    max_cpu_s: finished.max_cpu_s.unwrap_or_default(),
                    max_memory_bytes: finished.max_memory_bytes,
                    ..Record::new(&finished.package, path, &finished.submission)
                });
            }
            _ => {}
        }
    }

    /// Writes the records. A failure costs only the history: it is a warning, and none where the
    /// home is read-only, as in many containers.
    pub fn finish(mut self) {
        let Some(path) = history::path().filter(|_| !self.records.is_empty()) else {
            return;
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        for record in &mut self.records {
            record.ended_s = now.as_ref().map_or(0.0, |now| now.as_secs_f64().round());
        }
        match history::append(&path, &self.records) {
            Ok(()) => {}
            Err(e)
                if matches!(
                    e.kind(),
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
                ) => {}
            Err(e) => {
                let path = path.display();
                say(&format!(
                    "warning: the run is not in the history: failed to write {path}: {e}"
                ));
            }
        }
    }
}

/// Identifies the cases by their names; workers may finish them in any order.
fn id_of(cases: &[CaseFinished]) -> String {
    let mut names: Vec<&str> = cases.iter().map(|case| case.case.as_str()).collect();
    names.sort_unstable();
    hex(&Sha256::digest(names.join("\0"))[..8])
}

/// Lists earlier runs.
pub fn history(args: &HistoryArgs) -> Result<u8, Failure> {
    let path = history::path().ok_or_else(|| {
        Failure::usage("no directory for the history\n  help: set HOME or XDG_STATE_HOME")
    })?;
    let (records, strange) = history::read(&path)
        .map_err(|e| Failure::usage(format!("failed to read {}: {e}", path.display())))?;
    let mut programs: Vec<Vec<&Record>> = Vec::new();
    for record in &records {
        let is_same = |runs: &Vec<&Record>| {
            runs[0].package_path == record.package_path && runs[0].submission == record.submission
        };
        // The program that was judged last comes last, next to the prompt.
        let known = programs.iter().position(is_same);
        let mut runs = known.map(|at| programs.remove(at)).unwrap_or_default();
        runs.push(record);
        programs.push(runs);
    }
    if let Some(name) = &args.name {
        programs.retain(|runs| is_about(runs[0], name));
        if programs.is_empty() {
            let known: Vec<&str> = records
                .iter()
                .flat_map(|record| [record.package.as_str(), record.submission.as_str()])
                .collect();
            let help = match nearest(name, &known) {
                Some(near) => format!("did you mean {near}?"),
                None => "judge history lists all".to_owned(),
            };
            return Err(Failure::usage(format!(
                "no run of a package or program {name:?}\n  help: {help}"
            )));
        }
    }
    let paint = paint(args.color);
    let mut text = String::new();
    for runs in &programs {
        write_program(&mut text, runs, args.number as usize, paint);
    }
    if programs.is_empty() {
        text.push_str("no run is recorded yet: judge run PROGRAM\n");
    }
    if strange > 0 {
        text.push_str(&format!(
            "{strange} lines of {} are of another version or damaged, and not shown\n",
            path.display()
        ));
    }
    print(&text)?;
    Ok(exit_status::AS_EXPECTED)
}

/// Whether the name is that of the record's package or program, or the path of its package.
fn is_about(record: &Record, name: &str) -> bool {
    let path = Path::new(name).canonicalize();
    record.package == name
        || record.submission == name
        || path.is_ok_and(|path| path.display().to_string() == record.package_path)
}

fn write_program(text: &mut String, runs: &[&Record], number: usize, paint: Paint) {
    let shown = &runs[runs.len().saturating_sub(number)..];
    let (last, before) = (runs[runs.len() - 1], runs.len());
    let name = format!("{}  {}", last.package, last.submission);
    text.push_str(&paint.bold(&printable_name(&name)));
    text.push('\n');
    let rows: Vec<Vec<(String, usize)>> = shown
        .iter()
        .map(|run| {
            let verdict = Verdict::from_code(&run.verdict);
            vec![
                plain(date(run.ended_s)),
                verdict.map_or_else(|| plain("?"), |verdict| paint.code(verdict)),
                plain(format!("{} of {}", run.accepted, plural(run.cases, "case"))),
                plain(format!("{} in all", seconds(run.cpu_s))),
                plain(format!("slowest {}", seconds(run.max_cpu_s))),
                plain(run.max_memory_bytes.map_or_else(String::new, bytes)),
            ]
        })
        .collect();
    let right = [false, false, true, true, true, true];
    text.push_str(&table(&rows, &right, 2));
    // Only accepted runs over the same cases are comparable: others end early or at a limit.
    let is_accepted = |run: &Record| run.accepted == run.cases;
    let comparable: Vec<&Record> = runs
        .iter()
        .filter(|run| is_accepted(last) && is_accepted(run) && run.cases_id == last.cases_id)
        .copied()
        .collect();
    if let [.., previous, _] = comparable.as_slice() {
        let times: Vec<f64> = comparable.iter().map(|run| run.cpu_s).collect();
        let recent = &times[times.len().saturating_sub(40)..];
        text.push_str(&format!(
            "  {}  {}\n",
            sparkline(recent),
            trend(previous.cpu_s, last.cpu_s)
        ));
    }
    if shown.len() < before {
        let more = before - shown.len();
        text.push_str(&format!("  {more} earlier runs: -n {before}\n"));
    }
}

/// The last time compared with the one before.
fn trend(previous: f64, last: f64) -> String {
    let ratio = last / previous.max(1e-9);
    match (last - previous).abs() < NOTABLE_SECONDS {
        false if ratio > NOTABLE => format!("slower than last time: {ratio:.1}x"),
        false if ratio < 1.0 / NOTABLE => format!("faster than last time: {:.1}x", 1.0 / ratio),
        _ => "as fast as last time, within noise".to_owned(),
    }
}

/// A bar per value, relative to the largest.
fn sparkline(values: &[f64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let largest = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let bar = |value: &f64| BARS[((value / largest * 8.0) as usize).min(7)];
    values.iter().map(bar).collect()
}

/// A time in UTC: `2026-11-22 20:55 UTC`.
fn date(seconds: f64) -> String {
    let time = chrono::DateTime::from_timestamp(seconds as i64, 0).unwrap_or_default();
    time.format("%Y-%m-%d %H:%M UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::SubmissionFinished;

    #[test]
    fn cases_of_submissions_that_run_at_the_same_time_are_kept_apart() {
        let mut recorder = Recorder {
            packages: vec![("sum".to_owned(), PathBuf::from("sum"))],
            ..Recorder::default()
        };
        let case = |submission, name| {
            Event::CaseFinished(CaseFinished::new(
                "sum",
                submission,
                name,
                Verdict::Accepted,
            ))
        };
        let end = |submission: &str| {
            Event::SubmissionFinished(SubmissionFinished {
                package: "sum".to_owned(),
                submission: submission.to_owned(),
                verdict: Some(Verdict::Accepted),
                as_expected: true,
                ..SubmissionFinished::default()
            })
        };
        for event in [
            case("a", "1"),
            case("b", "1"),
            case("a", "2"),
            end("a"),
            case("b", "2"),
            end("b"),
        ] {
            recorder.event(&event);
        }
        let counts: Vec<_> = recorder
            .records
            .iter()
            .map(|record| (record.submission.as_str(), record.cases))
            .collect();
        assert_eq!(counts, [("a", 2), ("b", 2)]);
    }

    #[test]
    fn a_trend_must_exceed_the_noise() {
        assert_eq!(trend(1.0, 1.4), "slower than last time: 1.4x");
        assert_eq!(trend(1.0, 0.5), "faster than last time: 2.0x");
        assert_eq!(trend(1.0, 1.1), "as fast as last time, within noise");
        assert_eq!(trend(0.001, 0.003), "as fast as last time, within noise");
        assert_eq!(sparkline(&[0.0, 1.0, 2.0]), "▁▅█");
        assert_eq!(date(0.0), "1970-01-01 00:00 UTC");
    }
}
