//! Compares submissions case by case: verdict and time.

use super::text::{Paint, plain, table, width as columns};
use judge_core::figures::seconds;
use judge_core::results::{PackageResults, SubmissionResults};
use judge_core::statistics::ratio;

/// A table with a row per case and a column per submission, split into blocks that fit `width`;
/// empty for fewer than two submissions.
pub fn render(package: &PackageResults, paint: Paint, width: usize) -> String {
    let all: Vec<&SubmissionResults> = package.finished().map(|(of, _)| of).collect();
    if all.len() < 2 {
        return String::new();
    }
    let longest = package
        .about
        .cases
        .iter()
        .map(|case| columns(&case.shown()));
    let longest = longest.max();
    let first = longest.unwrap_or(0).max("case".len()) + 4;
    let id = package.about.id.shown();
    let labels = all
        .iter()
        .map(|of| shortened(&of.planned.name.shown(), &id));
    let labels: Vec<String> = labels.collect();
    let mut out = format!("\n{}\n", paint.bold(&format!("{id}: comparison")));
    let mut from = 0;
    while from < all.len() {
        // At least one column, then as many as fit.
        let mut to = from;
        let mut used = first;
        while to < all.len() {
            let column = columns(&labels[to]).max("TLE 1.234 s".len()) + 2;
            if to > from && used + column > width {
                break;
            }
            used += column;
            to += 1;
        }
        out.push_str(&block(package, &all[from..to], &labels[from..to], paint));
        from = to;
        if from < all.len() {
            out.push('\n');
        }
    }
    out.push_str(&ratios(&all, &labels));
    out
}

/// The CPU time of each submission compared with that of the first one, over the cases that both
/// pass.
fn ratios(all: &[&SubmissionResults], labels: &[String]) -> String {
    let times = |of: &SubmissionResults, place: usize| -> Vec<f64> {
        let accepted = of.case(place).filter(|case| case.is_accepted());
        accepted.map(|case| case.figures(false)).unwrap_or_default()
    };
    let rows: Vec<_> = all[1..]
        .iter()
        .zip(&labels[1..])
        .filter_map(|(of, label)| {
            let places = 0..of.cases.len();
            let pairs: Vec<_> = places
                .map(|place| (times(all[0], place), times(of, place)))
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

fn block(
    package: &PackageResults,
    all: &[&SubmissionResults],
    labels: &[String],
    paint: Paint,
) -> String {
    let mut rows = vec![
        std::iter::once(plain("case"))
            .chain(labels.iter().map(plain))
            .collect::<Vec<_>>(),
    ];
    for (place, case) in package.about.cases.iter().enumerate() {
        let mut row = vec![plain(case.shown())];
        for of in all {
            row.push(match of.case(place) {
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
    let mut right = vec![true; all.len() + 1];
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
