//! Progress on a terminal while programs are judged: a pure function of changes and time.
//!
//! ```text
//! 37 of 200 ━━━━━━━╸────────────────────── 12 s, about 51 s left · AC 34 · WA 2 · TLE 1
//! ....W......T.........W...............
//! greedy.cpp  secret/02-hard  running 0.4 s  12 of 256 MiB
//! row_order.rs  compiling 1.2 s
//! ```

use super::text::{Paint, fit, letter, width};
use judge_core::figures::mib;
use judge_core::results::{CaseKey, Change, RunResults, SubmissionKey};
use judge_core::untrusted::Name;
use judge_core::verdict::Verdict;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Columns of the bar.
const BAR: usize = 30;
/// Verdicts kept for the strip; more than any terminal has columns.
const STRIP: usize = 400;
/// The memory of a case is read and shown after this time.
const LONG: Duration = Duration::from_millis(100);
/// A remaining time is shown after this time, when it is no longer a guess.
const SOON: Duration = Duration::from_secs(3);

/// The progress of a run.
pub struct Live {
    /// Cases of all submissions.
    total: usize,
    done: usize,
    counts: BTreeMap<Verdict, usize>,
    strip: VecDeque<Verdict>,
    running: Vec<Running>,
    /// Maximum number of running lines.
    jobs: usize,
    /// Whether a package was started.
    is_started: bool,
    /// The activity before that.
    note: String,
}

/// Bytes in use by a running case; `None` if unknown.
pub type Memory<'a> = dyn Fn(CaseKey) -> Option<u64> + 'a;

/// A running case, or a compilation.
struct Running {
    at: SubmissionKey,
    submission: Name,
    /// The case's index and name.
    case: Option<(usize, Name)>,
    memory_limit: u64,
    since: Duration,
}

impl Live {
    /// Progress of `total` cases; `note` is shown until a package is started.
    pub fn new(total: usize, note: &str) -> Self {
        Live {
            total,
            done: 0,
            counts: BTreeMap::new(),
            strip: VecDeque::new(),
            running: Vec::new(),
            jobs: usize::MAX,
            is_started: false,
            note: note.to_owned(),
        }
    }

    /// Records a change that was applied to `results` at `now` after the start.
    pub fn change(&mut self, change: &Change, results: &RunResults, now: Duration) {
        match change {
            Change::RunStarted(started) => {
                let machine = started.machine.as_ref();
                self.jobs = machine.map_or(usize::MAX, |machine| machine.jobs);
            }
            Change::PackageStarted(..) => self.is_started = true,
            Change::CompileStarted(at) => self.start(results, *at, None, now),
            Change::Compiled(at, _) => self.stop(*at, None),
            Change::CaseStarted(at) => self.start(results, at.of, Some(at.case), now),
            Change::CaseFinished(at, result) => {
                self.stop(at.of, Some(at.case));
                self.done += 1;
                *self.counts.entry(result.verdict).or_default() += 1;
                self.strip.push_back(result.verdict);
                if self.strip.len() > STRIP {
                    self.strip.pop_front();
                }
            }
            Change::SubmissionFinished(at, _) => {
                // The cases that did not run are done, too.
                let of = results.submission(*at);
                self.done += of.cases.len() - of.results().count();
                self.running.retain(|running| running.at != *at);
            }
            Change::Finding(_) | Change::SubmissionPlanned(..) | Change::RunFinished(_) => {}
        }
    }

    fn start(
        &mut self,
        results: &RunResults,
        at: SubmissionKey,
        case: Option<usize>,
        now: Duration,
    ) {
        if self.running.len() >= self.jobs {
            // The oldest was cancelled, or its result is held back.
            self.running.remove(0);
        }
        let about = &results.package(at).about;
        self.running.push(Running {
            at,
            submission: results.submission(at).planned.name.clone(),
            case: case.map(|case| (case, about.cases[case].clone())),
            memory_limit: about.memory_limit_bytes,
            since: now,
        });
    }

    fn stop(&mut self, at: SubmissionKey, case: Option<usize>) {
        self.running.retain(|running| {
            let own = running.case.as_ref().map(|(case, _)| *case);
            running.at != at || own != case
        });
    }

    /// The lines to show at `now`, none wider than `columns` and at most `rows`. `memory` returns
    /// the bytes in use by a running case.
    pub fn frame(
        &self,
        now: Duration,
        columns: usize,
        rows: usize,
        paint: Paint,
        memory: &Memory<'_>,
    ) -> Vec<String> {
        if !self.is_started {
            return vec![fit(
                &format!("{} {}", self.note, seconds_elapsed(now)),
                columns,
            )];
        }
        let mut lines = vec![self.bar(now, columns, paint)];
        if !self.strip.is_empty() {
            let last = self.strip.len().saturating_sub(columns);
            let letters = self.strip.iter().skip(last);
            let shown = letters.map(|&v| paint.verdict_text(v, &letter(Some(v)).to_string()));
            lines.push(shown.collect());
        }
        let rest = rows.max(1).saturating_sub(lines.len());
        lines.extend(
            self.running
                .iter()
                .take(rest)
                .map(|running| self.line(running, now, columns, memory)),
        );
        lines.truncate(rows.max(1));
        lines
    }

    fn bar(&self, now: Duration, columns: usize, paint: Paint) -> String {
        let share = self.done as f64 / self.total.max(1) as f64;
        let filled = ((share * BAR as f64) as usize).min(BAR);
        let bar = format!("{}{}", "━".repeat(filled), "─".repeat(BAR - filled));
        let mut parts = [
            format!("{} of {}", self.done, self.total),
            seconds_elapsed(now),
        ];
        if now >= SOON && self.done > 0 && self.done < self.total {
            let left = now.as_secs_f64() / share - now.as_secs_f64();
            parts[1].push_str(&format!(
                ", about {} left",
                seconds_elapsed(Duration::from_secs_f64(left))
            ));
        }
        let mut used = parts.iter().map(|part| width(part) + 1).sum::<usize>();
        let mut line = String::new();
        if used + BAR + 2 <= columns {
            line = format!("{} {} {}", parts[0], paint.dim(&bar), parts[1]);
            used += BAR;
        } else {
            line.push_str(&fit(&parts.join(" "), columns));
        }
        for (verdict, count) in &self.counts {
            let text = format!("{} {count}", verdict.code());
            used += width(&text) + 3;
            if used > columns {
                break;
            }
            line.push_str(" · ");
            line.push_str(&paint.verdict_text(*verdict, &text));
        }
        line
    }

    /// A running case or compilation, with its wall-clock time. On a narrow terminal the memory limit is left out and the
    /// name of the submission is cut.
    fn line(
        &self,
        running: &Running,
        now: Duration,
        columns: usize,
        memory: &Memory<'_>,
    ) -> String {
        let elapsed = now.saturating_sub(running.since);
        let submission = running.submission.shown();
        let Some((case, name)) = &running.case else {
            let time = format!("compiling {:.1} s", elapsed.as_secs_f64());
            let room = columns.saturating_sub(width(&time) + 2);
            return format!("{}  {time}", fit(&submission, room));
        };
        // The time limit is not shown: it limits CPU time, and a program that waits uses none.
        let mut figures = format!("running {:.1} s", elapsed.as_secs_f64());
        let (of, case) = (running.at, *case);
        let used = match elapsed >= LONG {
            true => memory(CaseKey { of, case }),
            false => None,
        };
        let case = name.shown();
        if let Some(used) = used {
            let limit = running.memory_limit;
            let long = format!("{figures}  {} of {} MiB", mib(used), mib(limit));
            let names = width(&submission) + 2 + width(&case);
            figures = match names + 2 + width(&long) <= columns {
                true => long,
                false => format!("{figures}  {} MiB", mib(used)),
            };
        }
        let room = columns.saturating_sub(width(&figures) + 2);
        let names = match room.saturating_sub(width(&case) + 2) {
            for_submission @ 1.. => format!("{}  {case}", fit(&submission, for_submission)),
            0 => fit(&format!("{submission}  {case}"), room),
        };
        format!("{names}  {figures}")
    }
}

/// Whole seconds: `12 s`, `3:05`.
fn seconds_elapsed(time: Duration) -> String {
    match time.as_secs() {
        s @ 0..100 => format!("{s} s"),
        s => format!("{}:{:02}", s / 60, s % 60),
    }
}
