//! Progress on a terminal while programs are judged: a pure function of events and time.
//!
//! ```text
//! 37 of 200 ━━━━━━━╸────────────────────── 12 s, about 51 s left · AC 34 · WA 2 · TLE 1
//! ....W......T.........W...............
//! greedy.cpp  secret/02-hard  running 0.4 s  12 of 256 MiB
//! row_order.rs  compiling 1.2 s
//! ```

use super::text::{Paint, fit, letter, mib, width};
use crate::event::Event;
use crate::text::printable_name;
use crate::verdict::Verdict;
use std::collections::{BTreeMap, HashMap, VecDeque};
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
    /// Cases with a verdict, by package and submission.
    judged: HashMap<(String, String), usize>,
    counts: BTreeMap<Verdict, usize>,
    strip: VecDeque<Verdict>,
    running: Vec<Running>,
    /// Maximum number of running lines.
    jobs: usize,
    packages: HashMap<String, Limits>,
    /// The activity before the first event.
    note: String,
}

struct Limits {
    memory_bytes: u64,
    cases: usize,
}

/// Bytes in use by a running case, given its package, submission and name; `None` if unknown.
pub type Memory<'a> = dyn Fn(&str, &str, &str) -> Option<u64> + 'a;

/// A running case, or a compilation.
struct Running {
    package: String,
    submission: String,
    case: Option<String>,
    since: Duration,
}

impl Live {
    /// Progress of `total` cases; `note` is shown until the first event.
    pub fn new(total: usize, note: &str) -> Self {
        Live {
            total,
            done: 0,
            judged: HashMap::new(),
            counts: BTreeMap::new(),
            strip: VecDeque::new(),
            running: Vec::new(),
            jobs: usize::MAX,
            packages: HashMap::new(),
            note: note.to_owned(),
        }
    }

    /// Records an event that arrived at `now` after the start.
    pub fn event(&mut self, event: &Event, now: Duration) {
        match event {
            Event::RunStarted(started) => {
                let machine = started.machine.as_ref();
                self.jobs = machine.map_or(usize::MAX, |machine| machine.jobs);
            }
            Event::PackageStarted(started) => {
                let limits = Limits {
                    memory_bytes: started.memory_limit_bytes,
                    cases: started.cases.len(),
                };
                self.packages.insert(started.package.clone(), limits);
            }
            Event::CompileStarted {
                package,
                submission,
            } => self.start(package, submission, None, now),
            Event::CompileFinished {
                package,
                submission,
                ..
            } => self.stop(package, submission, None),
            Event::CaseStarted {
                package,
                submission,
                case,
            } => self.start(package, submission, Some(case), now),
            Event::CaseFinished(case) => {
                self.stop(&case.package, &case.submission, Some(&case.case));
                self.done += 1;
                let key = (case.package.clone(), case.submission.clone());
                *self.judged.entry(key).or_default() += 1;
                *self.counts.entry(case.verdict).or_default() += 1;
                self.strip.push_back(case.verdict);
                if self.strip.len() > STRIP {
                    self.strip.pop_front();
                }
            }
            Event::SubmissionFinished(finished) => {
                // The cases that did not run are done, too.
                let key = (finished.package.clone(), finished.submission.clone());
                let judged = self.judged.remove(&key).unwrap_or(0);
                let all = self
                    .packages
                    .get(&finished.package)
                    .map_or(0, |limits| limits.cases);
                self.done += all.saturating_sub(judged);
                self.running.retain(|running| {
                    running.package != finished.package || running.submission != finished.submission
                });
            }
            Event::Finding(_) | Event::SubmissionPlanned(_) | Event::RunFinished { .. } => {}
        }
    }

    fn start(&mut self, package: &str, submission: &str, case: Option<&String>, now: Duration) {
        if self.running.len() >= self.jobs {
            // The oldest was cancelled, or its result is held back.
            self.running.remove(0);
        }
        self.running.push(Running {
            package: package.to_owned(),
            submission: submission.to_owned(),
            case: case.cloned(),
            since: now,
        });
    }

    fn stop(&mut self, package: &str, submission: &str, case: Option<&String>) {
        self.running.retain(|running| {
            running.case.as_ref() != case
                || running.submission != submission
                || running.package != package
        });
    }

    /// The lines to show at `now`, none wider than `columns` and at most `rows`. `memory` returns
    /// the bytes in use by a running case, given its package, submission and name.
    pub fn frame(
        &self,
        now: Duration,
        columns: usize,
        rows: usize,
        paint: Paint,
        memory: &Memory<'_>,
    ) -> Vec<String> {
        if self.packages.is_empty() {
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
        let submission = printable_name(&running.submission);
        let Some(name) = &running.case else {
            let time = format!("compiling {:.1} s", elapsed.as_secs_f64());
            let room = columns.saturating_sub(width(&time) + 2);
            return format!("{}  {time}", fit(&submission, room));
        };
        let limits = self.packages.get(&running.package);
        // The time limit is not shown: it limits CPU time, and a program that waits uses none.
        let mut figures = format!("running {:.1} s", elapsed.as_secs_f64());
        let case = printable_name(name);
        let used = match elapsed >= LONG {
            true => memory(&running.package, &running.submission, name),
            false => None,
        };
        if let Some(used) = used {
            let limit = limits.map_or(0, |limits| limits.memory_bytes);
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
