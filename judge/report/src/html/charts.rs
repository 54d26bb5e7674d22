//! Charts as inline SVG: CPU time of every case against the limit, and the distribution of CPU time
//! and memory per submission. All axes are logarithmic.

use super::Entry;
use crate::text::fit;
use judge_core::figures::{bytes, plural, seconds};
use judge_core::results::{CaseResult, PackageResults};
use judge_core::verdict::Verdict;
use maud::{Markup, PreEscaped, html};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 240.0;
/// Space for labels at the left.
const LEFT: f64 = 150.0;
/// Height of a row of a distribution.
const ROW: f64 = 18.0;

/// A logarithmic axis.
struct Axis {
    from: f64,
    to: f64,
    /// Coordinates of its ends.
    start: f64,
    end: f64,
}

impl Axis {
    /// An axis around the values and the limit; `None` without positive values.
    fn around(
        values: impl Iterator<Item = f64>,
        limit: Option<f64>,
        start: f64,
        end: f64,
    ) -> Option<Self> {
        let values = values.chain(limit).filter(|value| *value > 0.0);
        let (least, most) = values.fold((f64::INFINITY, 0.0_f64), |(a, b), v| (a.min(v), b.max(v)));
        (most > 0.0).then(|| Axis {
            from: least / 1.5,
            to: most * 1.5,
            start,
            end,
        })
    }

    fn at(&self, value: f64) -> f64 {
        let share = (value.max(self.from) / self.from).ln() / (self.to / self.from).ln();
        self.start + (self.end - self.start) * share
    }

    /// Powers of ten within the axis.
    fn ticks(&self) -> Vec<f64> {
        let exponents = self.from.log10().ceil() as i32..=self.to.log10().floor() as i32;
        exponents.map(|exponent| 10_f64.powi(exponent)).collect()
    }
}

pub fn all(package: &PackageResults, entries: &[Entry<'_>], index: usize) -> Markup {
    let rows = |value: fn(&CaseResult) -> Option<f64>| -> Vec<(String, Vec<f64>)> {
        let row = |entry: &Entry<'_>| {
            let judged = entry.of.results();
            let values: Vec<f64> = judged.filter_map(value).collect();
            (!values.is_empty()).then(|| (entry.of.planned.name.to_string(), values))
        };
        entries.iter().filter_map(row).collect()
    };
    let cpu = rows(|case| case.cpu_s);
    let memory = rows(|case| case.memory_bytes.map(|bytes| bytes as f64));
    let memory_limit = Some(package.about.memory_limit_bytes as f64);
    html! {
        details.charts {
            summary { "Charts" }
            (per_case(package, entries, index))
            (distribution(
                &format!("p{index}cpu"), "CPU time per submission", &cpu, package.about.time_limit_s, seconds,
            ))
            (distribution(
                &format!("p{index}memory"), "Memory per submission", &memory, memory_limit,
                |value| bytes(value as u64),
            ))
        }
    }
}

/// A point per result: the case's number and its CPU time.
fn per_case(package: &PackageResults, entries: &[Entry<'_>], index: usize) -> Markup {
    let results = || {
        entries.iter().flat_map(|entry| {
            (0..entry.of.cases.len()).filter_map(move |place| {
                let result = entry.of.case(place)?;
                Some((place, result.verdict, result.cpu_s?))
            })
        })
    };
    let times = results().map(|(.., cpu)| cpu);
    let Some(axis) = Axis::around(times, package.about.time_limit_s, HEIGHT - 24.0, 8.0) else {
        return html! {};
    };
    // Points at the same pixel are drawn once.
    let mut points: BTreeSet<(Verdict, u32, u32)> = BTreeSet::new();
    let step = (WIDTH - 80.0) / package.about.cases.len().max(1) as f64;
    for (place, verdict, cpu) in results() {
        let x = 70.0 + step * (place as f64 + 0.5);
        points.insert((verdict, x.round() as u32, axis.at(cpu).round() as u32));
    }
    // One path per verdict: a point takes a few bytes.
    let mut paths: BTreeMap<Verdict, String> = BTreeMap::new();
    for (verdict, x, y) in points {
        let path = paths.entry(verdict).or_default();
        // Writing to a string does not fail.
        let _ = match verdict {
            Verdict::Accepted => write!(path, "M{x} {y}h0"),
            _ => write!(path, "M{x} {y}m-3-3l6 6m0-6l-6 6"),
        };
    }
    let title = format!("p{index}cases-chart");
    html! {
        figure {
            figcaption id=(title) { "CPU time per case" }
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-labelledby=(title) {
                @for tick in axis.ticks() {
                    line.grid x1="66" x2=(WIDTH) y1=(axis.at(tick)) y2=(axis.at(tick)) {}
                    text.tick x="60" y=(axis.at(tick) + 4.0) { (seconds(tick)) }
                }
                @if let Some(limit) = package.about.time_limit_s {
                    line.limit x1="66" x2=(WIDTH) y1=(axis.at(limit)) y2=(axis.at(limit)) {}
                    text.limit x="70" y=(axis.at(limit) - 4.0) { "limit " (seconds(limit)) }
                }
                @for (verdict, path) in &paths {
                    path class={ (if *verdict == Verdict::Accepted { "dots" } else { "crosses" }) " " (verdict.code()) } d=(PreEscaped(path)) {}
                }
                text x="70" y=(HEIGHT - 6.0) {
                    (plural(package.about.cases.len(), "case")) " in judging order; a dot is accepted, a cross is not"
                }
            }
        }
    }
}

/// A row per submission: a line from the smallest to the largest value, a box between the
/// quartiles, a mark at the median.
fn distribution(
    id: &str,
    title: &str,
    rows: &[(String, Vec<f64>)],
    limit: Option<f64>,
    shown: fn(f64) -> String,
) -> Markup {
    let values = rows.iter().flat_map(|row| row.1.iter().copied());
    let Some(axis) = Axis::around(values, limit, LEFT, WIDTH - 60.0) else {
        return html! {};
    };
    let height = rows.len() as f64 * ROW + 24.0;
    html! {
        figure {
            figcaption id=(id) { (title) }
            svg viewBox={ "0 0 " (WIDTH) " " (height) } role="img" aria-labelledby=(id) {
                @for tick in axis.ticks() {
                    line.grid x1=(tenth(axis.at(tick))) x2=(tenth(axis.at(tick))) y1="0" y2=(height - 20.0) {}
                }
                @if let Some(limit) = limit {
                    line.limit x1=(tenth(axis.at(limit))) x2=(tenth(axis.at(limit))) y1="0" y2=(height - 20.0) {}
                    text.limit.middle x=(tenth(axis.at(limit))) y=(height - 6.0) { "limit " (shown(limit)) }
                }
                @for (k, (name, values)) in rows.iter().enumerate() {
                    (row(name, values, k as f64 * ROW, &axis, shown))
                }
            }
        }
    }
}

fn row(name: &str, values: &[f64], top: f64, axis: &Axis, shown: fn(f64) -> String) -> Markup {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len() - 1;
    let at = |quarter: usize| tenth(axis.at(sorted[last * quarter / 4]));
    let middle = top + ROW / 2.0;
    html! {
        text x="0" y=(middle + 4.0) { (fit(name, 22)) }
        line.range x1=(at(0)) x2=(at(4)) y1=(middle) y2=(middle) {}
        rect.quartiles x=(at(1)) width=(tenth((at(3) - at(1)).max(1.0))) y=(top + 4.0) height=(ROW - 8.0) {}
        line.median x1=(at(2)) x2=(at(2)) y1=(top + 3.0) y2=(top + ROW - 3.0) {}
        text x=(at(4) + 6.0) y=(middle + 4.0) { (shown(sorted[last])) }
    }
}

/// Rounded to a tenth of a pixel.
fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
