//! The result of `judge verify` for a package: a row per submission, a column per group.

use super::rows::{Slowest, slowest};
use super::text::{Paint, fit, fit_end, plain, table, width, wrapped};
use judge_core::figures::{bytes, plural, points, seconds};
use judge_core::results::{
    CaseResult, GroupNotRun, PackageResults, SubmissionResult, SubmissionResults, codes,
};
use judge_core::untrusted::{Message, Name};
use judge_core::verdict::Verdict;
use std::collections::BTreeSet;

/// Groups that get a column each; with more, they are joined by the first part of their names.
const MAX_GROUPS: usize = 6;

/// A column: its heading, whether it is aligned to the right, and its cells.
struct Column {
    cells: Vec<(String, usize)>,
    right: bool,
    /// Columns with a larger number are dropped first on a narrow terminal.
    priority: u8,
}

/// How wide a table is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    /// Groups have their whole names, with the number of accepted cases.
    Wide,
    /// Groups have the last part of their names, and only a verdict.
    Narrow,
}

/// Width of a submission's name in a narrow table.
const NARROW_NAME: usize = 16;

/// Columns of a narrow table besides the groups and the expected verdicts.
const NARROW_REST: usize = 2 + (NARROW_NAME + 2) + 2 + 5 + 8;

/// The table, and the notes below it.
pub fn render(
    package: &PackageResults,
    instructions_per_second: Option<f64>,
    paint: Paint,
    columns: usize,
) -> String {
    let matrix = Matrix::new(package, instructions_per_second, paint, columns);
    // A narrow table with groups says more than a wide one without.
    let wide = fitting(matrix.table(Size::Wide), columns, 2);
    let list = wide.or_else(|| fitting(matrix.table(Size::Narrow), columns, 1));
    let list = list.unwrap_or_else(|| {
        let mut list = matrix.table(Size::Narrow);
        list.retain(|column| column.priority == 0);
        list
    });
    let notes = matrix.notes();
    let notes = notes.iter().map(|note| dim_note(note, paint, columns));
    rendered(&list, matrix.rows.len() + 1) + &notes.collect::<String>()
}

/// The rows of the table.
struct Matrix<'a> {
    package: &'a PackageResults,
    /// The unexpected submissions first.
    rows: Vec<Row<'a>>,
    paint: Paint,
    /// The width of the terminal.
    columns: usize,
}

/// A submission in the table.
struct Row<'a> {
    of: &'a SubmissionResults,
    finished: &'a SubmissionResult,
    /// The number of cases that ran.
    ran: usize,
    /// Whether it has a verdict over some of the cases.
    is_partial: bool,
    slowest: Option<Slowest<'a>>,
}

impl<'a> Matrix<'a> {
    fn new(
        package: &'a PackageResults,
        instructions_per_second: Option<f64>,
        paint: Paint,
        columns: usize,
    ) -> Self {
        let row = |(of, finished): (&'a SubmissionResults, &'a SubmissionResult)| {
            let judged = package.judged(of);
            let limit = finished.time_limit_s.or(package.about.time_limit_s);
            let is_compiled = finished
                .verdict
                .is_some_and(|verdict| verdict != Verdict::CompileError);
            Row {
                of,
                finished,
                ran: judged.len(),
                is_partial: is_compiled && judged.len() < package.about.cases.len(),
                slowest: slowest(&judged, limit, instructions_per_second),
            }
        };
        let mut rows: Vec<Row<'_>> = package.finished().map(row).collect();
        rows.sort_by_key(|row| row.finished.as_expected);
        Matrix {
            package,
            rows,
            paint,
            columns,
        }
    }

    fn column(
        &self,
        name: &str,
        priority: u8,
        right: bool,
        cell: impl Fn(&Row<'_>) -> (String, usize),
    ) -> Column {
        let heading = (self.paint.dim(name), width(name));
        let cells = self.rows.iter().map(cell);
        Column {
            cells: std::iter::once(heading).chain(cells).collect(),
            right,
            priority,
        }
    }

    fn table(&self, size: Size) -> Vec<Column> {
        let name_room = match size {
            Size::Wide => (self.columns / 2).max(NARROW_NAME),
            Size::Narrow => NARROW_NAME,
        };
        let mut list = vec![
            self.column("", 0, false, |row| mark(row.finished, self.paint)),
            self.column("submission", 0, false, |row| {
                plain(fit_end(&row.of.planned.name.shown(), name_room))
            }),
            self.column("expected", 0, false, expected),
            self.column("got", 0, false, |row| {
                verdict(row.finished.verdict, self.paint)
            }),
        ];
        if self.rows.iter().any(|row| row.finished.score.is_some()) {
            list.push(self.column("points", 0, true, |row| {
                figure(row.finished.score.map(points))
            }));
        }
        list.extend(self.groups(size));
        if self.rows.iter().any(|row| row.is_partial) {
            let all = self.package.about.cases.len();
            list.push(self.column("ran", 3, true, |row| match row.is_partial {
                true => plain(format!("{} of {all}", row.ran)),
                false => plain(""),
            }));
        }
        list.extend([
            self.column("slowest", 4, true, |row| {
                figure(row.slowest.as_ref().map(|slowest| slowest.figure.clone()))
            }),
            self.column("of limit", 2, true, |row| {
                let share = row.slowest.as_ref().and_then(|slowest| slowest.share);
                figure(share.map(|share| format!("{:.0} %", 100.0 * share)))
            }),
            self.column("memory", 5, true, |row| {
                figure(row.finished.max_memory_bytes.map(bytes))
            }),
        ]);
        list
    }

    /// The columns of the groups.
    fn groups(&self, size: Size) -> Vec<Column> {
        let groups = groups(&self.package.about.cases);
        let paint = self.paint;
        if size == Size::Wide {
            let column = |(name, places): &(String, Vec<usize>)| {
                self.column(name, 1, false, |row| of_group(row.of, places, paint))
            };
            return groups.iter().map(column).collect();
        }
        let verdicts = self.rows.iter().map(|row| expected(row).1).max();
        let rest = NARROW_REST + verdicts.unwrap_or(0).max(width("expected"));
        let room = (self.columns + 2).saturating_sub(rest) / groups.len().max(1);
        let room = room.saturating_sub(2).max(3);
        let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let names = groups.iter().map(|(name, _)| fit(&last(name), room));
        let cut = match names.collect::<BTreeSet<_>>().len() == groups.len() {
            true => fit,
            // `group1`, `group2`
            false => fit_end,
        };
        let column = |(name, places): &(String, Vec<usize>)| {
            self.column(&cut(&last(name), room), 1, false, |row| {
                of_narrow_group(row.of, places, paint)
            })
        };
        groups.iter().map(column).collect()
    }

    /// The notes below the table.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let mut is_cut = false;
        for row in &self.rows {
            let groups = &row.finished.groups_not_run;
            let note = |group: &GroupNotRun| format!("{}: {}", row.of.planned.name, group.text());
            notes.extend(groups.iter().map(note));
            let barred: usize = groups.iter().map(|group| group.cases).sum();
            is_cut |= row.is_partial && row.ran + barred < self.package.about.cases.len();
        }
        if is_cut {
            let note = "cases that did not run cannot change the verdict; --all-cases runs them";
            notes.push(note.to_owned());
        }
        notes.extend(margins(self.package));
        notes
    }
}

fn figure(text: Option<String>) -> (String, usize) {
    plain(text.unwrap_or_else(|| "-".to_owned()))
}

fn expected(row: &Row<'_>) -> (String, usize) {
    let expected = row.of.planned.expected_text();
    plain(expected.unwrap_or_else(|| "any".to_owned()))
}

fn dim_note(note: &str, paint: Paint, columns: usize) -> String {
    let lines = wrapped(note, columns.saturating_sub(2));
    lines
        .lines()
        .map(|line| format!("  {}\n", paint.dim(line)))
        .collect()
}

/// The table without the columns that do not fit; `None` if one with a priority below `lowest` would
/// have to go.
fn fitting(mut list: Vec<Column>, columns: usize, lowest: u8) -> Option<Vec<Column>> {
    loop {
        let used: usize = list
            .iter()
            .map(|column| column.cells.iter().map(|cell| cell.1).max().unwrap_or(0) + 2)
            .sum();
        if used <= columns + 2 {
            return Some(list);
        }
        let last = list.iter().map(|column| column.priority).max().unwrap_or(0);
        if last < lowest.max(1) {
            return None;
        }
        list.retain(|column| column.priority < last);
    }
}

fn rendered(list: &[Column], rows: usize) -> String {
    let right: Vec<bool> = list.iter().map(|column| column.right).collect();
    let rows: Vec<Vec<(String, usize)>> = (0..rows)
        .map(|k| list.iter().map(|column| column.cells[k].clone()).collect())
        .collect();
    table(&rows, &right, 0)
}

fn mark(row: &SubmissionResult, paint: Paint) -> (String, usize) {
    match row.as_expected {
        true => plain(""),
        false => (paint.warning("!"), 1),
    }
}

fn verdict(verdict: Option<Verdict>, paint: Paint) -> (String, usize) {
    match verdict {
        Some(verdict) => (paint.verdict(verdict, 3), 3),
        None => (paint.warning("skipped"), 7),
    }
}

/// The groups of the cases with the indices of their cases.
fn groups(cases: &[Name]) -> Vec<(String, Vec<usize>)> {
    let by = |name_of: fn(&str) -> &str| {
        let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
        for (place, case) in cases.iter().enumerate() {
            let case = case.shown();
            let name = name_of(&case);
            match groups.iter_mut().find(|group| group.0 == name) {
                Some(group) => group.1.push(place),
                None => groups.push((name.to_owned(), vec![place])),
            }
            if groups.len() > MAX_GROUPS {
                break;
            }
        }
        groups
    };
    let deep = by(|case| case.rsplit_once('/').map_or("cases", |(group, _)| group));
    if deep.len() <= MAX_GROUPS {
        return deep;
    }
    let top = by(|case| case.split_once('/').map_or("cases", |(group, _)| group));
    match top.len() {
        0..=MAX_GROUPS => top,
        _ => vec![("cases".to_owned(), (0..cases.len()).collect())],
    }
}

/// The verdict of a group's first failed case, and how many of its cases were accepted.
fn of_group(of: &SubmissionResults, places: &[usize], paint: Paint) -> (String, usize) {
    let results = places.iter().filter_map(|&place| of.case(place));
    let results: Vec<&CaseResult> = results.collect();
    let accepted = results.iter().filter(|case| case.is_accepted()).count();
    let counts = format!("{accepted}/{}", places.len());
    match results.iter().find(|case| !case.is_accepted()) {
        _ if results.is_empty() => plain("-"),
        None => plain(counts),
        Some(case) => {
            let (code, used) = paint.code(case.verdict);
            (format!("{code} {counts}"), used + 1 + counts.len())
        }
    }
}

/// The verdict of a group's first failed case, or AC.
fn of_narrow_group(of: &SubmissionResults, places: &[usize], paint: Paint) -> (String, usize) {
    let mut results = places.iter().filter_map(|&place| of.case(place)).peekable();
    if results.peek().is_none() {
        return plain("-");
    }
    let failed = results.find(|case| !case.is_accepted());
    paint.code(failed.map_or(Verdict::Accepted, |case| case.verdict))
}

/// How far the time limit is from the slowest accepted and the fastest too slow submission.
fn margins(package: &PackageResults) -> Option<String> {
    let times = |is_wanted: fn(&SubmissionResults, &SubmissionResult) -> bool| {
        package
            .finished()
            .filter(move |(of, row)| is_wanted(of, row))
            .filter_map(|(of, row)| {
                Some((
                    row.max_cpu_s?,
                    row.time_limit_s.or(package.about.time_limit_s)?,
                    &of.planned.name,
                ))
            })
    };
    let slowest =
        times(|of, _| of.solves_every_case()).max_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    // A program that waits is stopped by the wall clock.
    let fastest =
        times(|_, row| row.as_expected && row.verdict == Some(Verdict::TimeLimitExceeded))
            .filter(|(time, limit, _)| time > limit)
            .min_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    let mut parts = Vec::new();
    if let Some((time, limit, name)) = slowest {
        parts.push(format!(
            "the limit is {:.1} times the slowest accepted ({name}, {})",
            limit / time.max(1e-9),
            seconds(time)
        ));
    }
    if let Some((time, limit, name)) = fastest {
        parts.push(format!(
            "the fastest too slow one ({name}) takes at least {:.1} times the limit",
            time / limit
        ));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The failures, for the end of the output: a line per submission that is not as expected.
pub fn wrong(package: &PackageResults) -> Vec<String> {
    let rows = package.finished().filter(|(_, row)| !row.as_expected);
    rows.map(|(of, row)| {
        let got = row.verdict.map_or("skipped", Verdict::code);
        let expected = codes(of.planned.wanted());
        let judged = package.judged(of);
        let mut failed = judged.iter().filter(|(_, case)| !case.is_accepted());
        // The case that has the verdict explains it: a JE counts more than an earlier WA.
        let first = failed.clone().next();
        let decisive = failed.find(|(_, case)| Some(case.verdict) == row.verdict);
        let place = match decisive.or(first) {
            _ if row.verdict == Some(Verdict::Accepted) => {
                format!(" on {}", plural(judged.len(), "case"))
            }
            Some((name, case)) => {
                let message = case.message.as_ref().map(Message::shown);
                let first = message.iter().flat_map(|message| message.lines().next());
                let message: String = first.map(|first| format!(": {first}")).collect();
                format!(" on {name}{message}")
            }
            None => String::new(),
        };
        let what = match &row.unmet {
            Some(unmet) => format!("{got}{place}, but {unmet}"),
            None => format!("expected {expected}, got {got}{place}"),
        };
        format!("{} {}: {what}", package.about.id, of.planned.name)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::results::{CaseKey, Change, PackageStarted, RunResults, SubmissionKey};
    use judge_core::results::{SubmissionPlanned, SubmissionResult};
    use std::sync::Arc;

    #[test]
    fn the_case_with_the_verdict_explains_it() {
        let mut results = RunResults::default();
        let names = ["sample/1", "secret/1"].map(|name| Name::from(name.to_owned()));
        let started = PackageStarted {
            id: Name::from("p".to_owned()),
            cases: names.to_vec(),
            ..PackageStarted::default()
        };
        results.apply(&Change::PackageStarted(0, started));
        let at = SubmissionKey::default();
        let planned = SubmissionPlanned {
            name: Name::from("w.py".to_owned()),
            ..SubmissionPlanned::default()
        };
        results.apply(&Change::SubmissionPlanned(at, planned));
        let verdicts = [Verdict::WrongAnswer, Verdict::JudgeError];
        for (case, verdict) in verdicts.into_iter().enumerate() {
            let key = CaseKey { of: at, case };
            let result = Arc::new(CaseResult::new(verdict));
            results.apply(&Change::CaseFinished(key, result));
        }
        let finished = SubmissionResult {
            verdict: Some(Verdict::JudgeError),
            ..SubmissionResult::default()
        };
        results.apply(&Change::SubmissionFinished(at, Arc::new(finished)));
        let lines = wrong(&results.packages[0]);
        assert_eq!(lines, ["p w.py: expected AC, got JE on secret/1"]);
    }

    #[test]
    fn points_and_groups_fit_80_columns() {
        let mut results = RunResults::default();
        let groups = [
            "sample",
            "secret/1-small",
            "secret/2-medium",
            "secret/3-large",
            "secret/4-all",
        ];
        let cases = groups
            .iter()
            .map(|group| Name::from(format!("{group}/01-a-long-name")));
        let started = PackageStarted {
            cases: cases.collect(),
            time_limit_s: Some(1.0),
            ..PackageStarted::default()
        };
        results.apply(&Change::PackageStarted(0, started));
        let at = SubmissionKey::default();
        let planned = SubmissionPlanned {
            name: Name::from("partially_accepted/quadratic_with_a_long_name.cpp".to_owned()),
            ..SubmissionPlanned::default()
        };
        results.apply(&Change::SubmissionPlanned(at, planned));
        for case in 0..groups.len() {
            let verdict = match case {
                3 => Verdict::TimeLimitExceeded,
                _ => Verdict::Accepted,
            };
            let result = CaseResult {
                cpu_s: Some(0.5),
                ..CaseResult::new(verdict)
            };
            let key = CaseKey { of: at, case };
            results.apply(&Change::CaseFinished(key, Arc::new(result)));
        }
        let finished = SubmissionResult {
            verdict: Some(Verdict::Accepted),
            as_expected: true,
            score: Some(62.5),
            max_cpu_s: Some(0.5),
            max_memory_bytes: Some(9 << 20),
            ..SubmissionResult::default()
        };
        results.apply(&Change::SubmissionFinished(at, Arc::new(finished)));
        let table_of = |columns: usize| {
            let paint = Paint { enabled: false };
            render(&results.packages[0], None, paint, columns)
        };
        let narrow = table_of(80);
        // It solves a part only, too late in one case.
        assert!(!narrow.contains("slowest accepted"), "{narrow}");
        for word in [
            "points",
            "62.5",
            "…a_long_name.cpp",
            "samp…",
            "1-sm…",
            "2-me…",
            "TLE",
        ] {
            assert!(narrow.contains(word), "{word}:\n{narrow}");
        }
        assert!(narrow.lines().all(|line| width(line) <= 80), "{narrow}");
        // Names that begin alike are cut at their beginnings.
        let alike = "secret/group-with-a-long-name-";
        let mut started = results.packages[0].about.clone();
        let names = (1..=5).map(|group| Name::from(format!("{alike}{group}/1")));
        started.cases = names.collect();
        let mut others = RunResults::default();
        others.apply(&Change::PackageStarted(0, started));
        let text = render(&others.packages[0], None, Paint { enabled: false }, 80);
        assert!(text.contains("…me-1") && text.contains("…me-5"), "{text}");
        let wide = table_of(200);
        assert!(
            wide.contains("secret/2-medium") && wide.contains("TLE 0/1"),
            "{wide}"
        );
    }
}
