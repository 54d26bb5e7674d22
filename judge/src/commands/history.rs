//! `judge history`.

use super::args::HistoryArgs;
use judge_core::error::{Failure, exit_status};
use judge_core::figures::{bytes, plural, seconds};
use judge_core::text::printable_name;
use judge_core::verdict::Verdict;
use judge_package::yaml::nearest;
use judge_report::{Paint, plain, table};
use judge_session::history::{self, Record};
use judge_session::output::{paint, print};
use std::path::Path;

/// Times that differ by less than this factor are called equal: runs at different times differ by
/// more than repeated measurements.
const NOTABLE: f64 = 1.2;
/// Times that differ by fewer seconds are called equal, too.
const NOTABLE_SECONDS: f64 = 0.01;

/// Lists earlier runs.
pub fn history(args: &HistoryArgs) -> Result<u8, Failure> {
    let path = history::path().ok_or_else(|| {
        Failure::usage("no directory for the history").help("set HOME or XDG_STATE_HOME")
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
        let path = Path::new(name).canonicalize().ok();
        let is_at = |run: &Record| path.as_ref().is_some_and(|path| is_at(run, path));
        let is_path = programs.iter().any(|runs| is_at(runs[0]));
        programs.retain(|runs| match is_path {
            true => is_at(runs[0]),
            false => is_named(runs[0], name),
        });
        if programs.is_empty() {
            let known: Vec<&str> = records
                .iter()
                .flat_map(|record| [record.package.as_str(), record.submission.as_str()])
                .collect();
            let help = match nearest(name, &known) {
                Some(near) => format!("did you mean {near}?"),
                None => "judge history lists all".to_owned(),
            };
            return Err(
                Failure::usage(format!("no run of a package or program {name:?}")).help(help),
            );
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

/// Whether this is the path of the record's package or program.
fn is_at(record: &Record, path: &Path) -> bool {
    let package = Path::new(&record.package_path);
    path == package || path == package.join(&record.submission)
}

/// Whether the name is that of the record's package, program or program's file.
fn is_named(record: &Record, name: &str) -> bool {
    let file = Path::new(&record.submission).file_name();
    record.package == name || record.submission == name || file == Some(name.as_ref())
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
