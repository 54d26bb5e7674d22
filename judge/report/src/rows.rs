//! Lines about a submission: its cases, a strip of verdicts, the slowest case, the summary.

use super::text::{Paint, fit, indented, letter, plain, table, width, wrapped};
use judge_core::figures::{bytes, millions, plural, points, seconds};
use judge_core::results::{
    CaseResult, GroupNotRun, RunResults, SubmissionKey, SubmissionResults, codes,
};
use judge_core::untrusted::{Message, Name};
use judge_core::verdict::Verdict;
use std::collections::BTreeSet;

/// Columns before the name of a case, and those of its figures.
const NAME: usize = 9;
const FIGURES: usize = 20;
/// Columns before a line of the summary.
const SUMMARY_INDENT: usize = 8;

/// The cases with the first line of their messages, except those that are explained below. Judge
/// errors are printed in full, and as "as above" if they are in `failures`.
pub fn case_table(
    package: &Name,
    cases: &[(&Name, &CaseResult)],
    explained: &[&Name],
    columns: usize,
    paint: Paint,
    failures: &mut BTreeSet<(Name, Message)>,
) -> String {
    // A name that is too wide has a line of its own, above its figures.
    let is_wide = |name: &str| NAME + width(name) + FIGURES > columns;
    let rows: Vec<_> = cases
        .iter()
        .map(|(name, case)| {
            let (verdict, name) = match is_wide(&name.shown()) {
                true => (plain("   "), plain("")),
                false => ((paint.verdict(case.verdict, 3), 3), plain(name.shown())),
            };
            vec![
                verdict,
                name,
                plain(case.cpu_s.map_or_else(|| "-".into(), seconds)),
                plain(case.memory_bytes.map_or_else(|| "-".into(), bytes)),
            ]
        })
        .collect();
    let lines = table(&rows, &[false, false, true, true], 4);
    let mut out = String::new();
    for (line, (name, case)) in lines.lines().zip(cases) {
        if is_wide(&name.shown()) {
            let verdict = paint.verdict(case.verdict, 3);
            out.push_str(&format!("    {verdict}  {name}\n"));
        }
        out.push_str(line);
        out.push('\n');
        let message = case.message.as_ref();
        let Some(message) = message.filter(|_| !explained.contains(name)) else {
            continue;
        };
        let shown = message.shown();
        if case.verdict == Verdict::JudgeError {
            let is_new = failures.insert((package.clone(), message.clone()));
            out.push_str(&indented(if is_new { &shown } else { "as above" }, 9));
        } else if let Some(first) = shown.lines().next() {
            out.push_str(&indented(&fit(first, columns.saturating_sub(9).max(30)), 9));
        }
    }
    out
}

/// A character per case: `.` for AC, the first letter of another verdict, `-` for a case that did
/// not run.
pub fn strip(of: &SubmissionResults, paint: Paint, columns: usize) -> String {
    let places: Vec<usize> = (0..of.cases.len()).collect();
    let mut out = String::new();
    for row in places.chunks((columns.saturating_sub(4) / 10 * 10).clamp(10, 100)) {
        let letters = row.iter().map(|&place| {
            let verdict = of.case(place).map(|case| case.verdict);
            let letter = letter(verdict).to_string();
            verdict.map_or_else(
                || paint.dim(&letter),
                |verdict| paint.verdict_text(verdict, &letter),
            )
        });
        out.push_str(&indented(&letters.collect::<String>(), 4));
    }
    out
}

/// The slowest case by the ruling clock.
pub struct Slowest<'a> {
    pub case: &'a Name,
    /// Its time or instructions.
    pub figure: String,
    /// Its share of the limit.
    pub share: Option<f64>,
    pub limit: Option<String>,
}

pub fn slowest<'a>(
    judged: &[(&'a Name, &CaseResult)],
    limit: Option<f64>,
    instructions_per_second: Option<f64>,
) -> Option<Slowest<'a>> {
    let used = |case: &CaseResult| match instructions_per_second {
        Some(_) => case.instructions.map(|count| count as f64),
        None => case.cpu_s,
    };
    let shown = |used: f64| match instructions_per_second {
        Some(_) => millions(used),
        None => seconds(used),
    };
    let unit = instructions_per_second.map_or("", |_| " instructions");
    let (most, case) = judged
        .iter()
        .filter_map(|(name, case)| used(case).map(|used| (used, *name)))
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    let limit = limit.map(|limit| limit * instructions_per_second.unwrap_or(1.0));
    Some(Slowest {
        case,
        figure: format!("{}{unit}", shown(most)),
        share: limit.map(|limit| most / limit),
        limit: limit.map(shown),
    })
}

/// The last line of a submission: verdict, cases, slowest case, memory; on several lines if it does
/// not fit. `verifies`: the report is about expectations, not about one's own programs.
pub fn summary(
    results: &RunResults,
    at: SubmissionKey,
    judged: &[(&Name, &CaseResult)],
    verifies: bool,
    paint: Paint,
    columns: usize,
) -> String {
    let (package, of) = (results.package(at), results.submission(at));
    let Some(finished) = of.finished() else {
        return String::new();
    };
    let Some(verdict) = finished.verdict else {
        return format!("    {}\n", paint.warning("skipped"));
    };
    let accepted = judged.iter().filter(|(_, case)| case.is_accepted()).count();
    let all = of.cases.len();
    let mut parts = vec![format!("{accepted} of {}", plural(all, "case"))];
    let barred = finished.groups_not_run.iter().map(|group| group.cases);
    let barred: usize = barred.sum();
    let left_out = all.saturating_sub(judged.len() + barred);
    if left_out > 0 && !judged.is_empty() {
        parts.push(format!("{left_out} not run after the first failure"));
    }
    parts.extend(finished.groups_not_run.iter().map(GroupNotRun::text));
    if let Some((name, case)) = judged.iter().find(|(_, case)| !case.is_accepted()) {
        parts.push(format!("first {} {name}", case.verdict.code()));
    }
    if let Some(score) = finished.score {
        parts.push(format!("{} points", points(score)));
    }
    let limit = finished.time_limit_s.or(package.about.time_limit_s);
    if let Some(slowest) = slowest(judged, limit, results.started.instructions_per_second) {
        let share = match (slowest.share, slowest.limit) {
            (Some(share), Some(limit)) => format!(", {:.0} % of {limit}", 100.0 * share),
            _ => String::new(),
        };
        parts.push(format!(
            "slowest {} ({}{share})",
            slowest.figure, slowest.case
        ));
    }
    if let Some(most) = finished.max_memory_bytes {
        parts.push(bytes(most));
    }
    let wanted = of.planned.wanted();
    let mut mark = "";
    if verifies || wanted != [Verdict::Accepted] {
        if !finished.as_expected || wanted != [verdict] {
            parts.push(format!("expected {}", codes(wanted)));
        }
        if !finished.as_expected {
            mark = "  <-- not as expected";
        }
    }
    let room = columns.saturating_sub(SUMMARY_INDENT);
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if width(line) + 3 + width(&part) <= room => {
                line.push_str(&format!(" · {part}"));
            }
            _ => lines.extend(wrapped(&part, room).lines().map(str::to_owned)),
        }
    }
    let last = lines.last().map_or(0, |line| width(line));
    if last + width(mark) > room {
        lines.push(String::new());
    }
    let lines: Vec<String> = lines.iter().map(|line| paint.dim(line)).collect();
    let between = format!("\n{}", " ".repeat(SUMMARY_INDENT));
    format!(
        "    {} {}{}\n",
        paint.verdict(verdict, 3),
        lines.join(&between),
        paint.warning(mark)
    )
}
