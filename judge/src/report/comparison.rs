//! Compares submissions case by case: verdict and time.

use super::package_summary::PackageSummary;
use super::text::{Paint, plain, seconds, table, width as columns};
use crate::statistics::ratio;
use crate::verdict::Verdict;

/// A table with a row per case and a column per submission, split into blocks that fit `width`;
/// empty for fewer than two submissions.
pub fn render(package: &PackageSummary, paint: Paint, width: usize) -> String {
    let names = package.finished.iter().map(|f| f.submission.as_str());
    let names: Vec<&str> = names.collect();
    if names.len() < 2 {
        return String::new();
    }
    let longest = package.cases.iter().map(|case| columns(case)).max();
    let first = longest.unwrap_or(0).max("case".len()) + 4;
    let labels = names.iter().map(|name| shortened(name, &package.id));
    let labels: Vec<String> = labels.collect();
    let mut out = format!("\n{}\n", paint.bold(&format!("{}: comparison", package.id)));
    let mut from = 0;
    while from < names.len() {
        // At least one column, then as many as fit.
        let mut to = from;
        let mut used = first;
        while to < names.len() {
            let column = columns(&labels[to]).max("TLE 1.234 s".len()) + 2;
            if to > from && used + column > width {
                break;
            }
            used += column;
            to += 1;
        }
        out.push_str(&block(package, &names[from..to], &labels[from..to], paint));
        from = to;
        if from < names.len() {
            out.push('\n');
        }
    }
    out.push_str(&ratios(package, &names, &labels));
    out
}

/// The CPU time of each submission compared with that of the first one, over the cases that both
/// pass.
fn ratios(package: &PackageSummary, names: &[&str], labels: &[String]) -> String {
    let times = |name: &str, place: usize| -> Vec<f64> {
        match package.result(name, place) {
            Some(case) if case.verdict != Verdict::Accepted => Vec::new(),
            Some(case) if !case.repeats_cpu_s.is_empty() => case.repeats_cpu_s.clone(),
            Some(case) => case.cpu_s.into_iter().collect(),
            None => Vec::new(),
        }
    };
    let rows: Vec<_> = names[1..]
        .iter()
        .zip(&labels[1..])
        .filter_map(|(name, label)| {
            let places = 0..package.cases.len();
            let pairs: Vec<_> = places
                .map(|place| (times(names[0], place), times(name, place)))
                .collect();
            Some(vec![plain(label.as_str()), plain(ratio(&pairs)?.words())])
        })
        .collect();
    match rows.is_empty() {
        true => String::new(),
        false => format!(
            "\n  CPU time compared with {}\n{}",
            labels[0],
            table(&rows, &[false, false], 4)
        ),
    }
}

fn block(package: &PackageSummary, names: &[&str], labels: &[String], paint: Paint) -> String {
    let mut rows = vec![
        std::iter::once(plain("case"))
            .chain(labels.iter().map(plain))
            .collect::<Vec<_>>(),
    ];
    for (place, case) in package.cases.iter().enumerate() {
        let mut row = vec![plain(case.as_str())];
        for name in names {
            row.push(match package.result(name, place) {
                Some(result) => {
                    let time = result.cpu_s.map_or_else(|| "-".into(), seconds);
                    let text = format!("{} {time:>8}", result.verdict.code());
                    let shown = paint.verdict_text(result.verdict, result.verdict.code());
                    (format!("{shown} {time:>8}"), text.chars().count())
                }
                None => plain("-"),
            });
        }
        rows.push(row);
    }
    let mut right = vec![true; names.len() + 1];
    right[0] = false;
    table(&rows, &right, 2)
}

/// The name without the common prefix of a problem's binaries: `sudokuall-backtracking` becomes
/// `backtracking`.
fn shortened(name: &str, id: &str) -> String {
    let rest = name.strip_prefix(id);
    let rest = rest.and_then(|rest| rest.strip_prefix('-'));
    rest.unwrap_or(name).to_owned()
}
