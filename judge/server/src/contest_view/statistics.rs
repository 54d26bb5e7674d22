//! Statistics of a contest: the submissions of teams over time, by verdict, language and problem.

use super::View;
use crate::contest_api::RelTime;
use crate::http::Result;
use crate::store::{ContestResult, TeamId};
use judge_core::verdict::Verdict;
use std::collections::{BTreeMap, HashSet};

/// Maximum number of intervals of a contest.
const MAX_INTERVALS: i64 = 40;

/// Numbers of submissions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Counts {
    pub(crate) accepted: usize,
    pub(crate) rejected: usize,
    /// Without a result, as far as the viewer may see it.
    pub(crate) pending: usize,
}

impl Counts {
    pub(crate) fn total(self) -> usize {
        self.accepted + self.rejected + self.pending
    }

    fn add(&mut self, verdict: Option<Verdict>) {
        match verdict {
            Some(Verdict::Accepted) => self.accepted += 1,
            Some(_) => self.rejected += 1,
            None => self.pending += 1,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct OfProblem {
    pub(crate) label: String,
    pub(crate) name: String,
    pub(crate) counts: Counts,
    /// Teams that solved it, and teams that tried it.
    pub(crate) solved: usize,
    pub(crate) tried: usize,
}

/// The submissions of a contest, counted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Statistics {
    pub(crate) all: Counts,
    /// The length of the intervals of time.
    pub(crate) interval: RelTime,
    /// The submissions of each interval, from the start to the end.
    pub(crate) over_time: Vec<Counts>,
    /// By verdict; those without one are not here.
    pub(crate) by_verdict: BTreeMap<Verdict, usize>,
    /// By the code of the language, the most used first.
    pub(crate) by_language: Vec<(String, Counts)>,
    pub(crate) by_problem: Vec<OfProblem>,
}

/// The shortest interval of whole minutes into which a contest has at most [`MAX_INTERVALS`].
fn interval_ms(duration_ms: i64) -> i64 {
    let ceil = |a: i64, b: i64| (a + b - 1) / b;
    let minutes = ceil(duration_ms, 60_000).max(1);
    let wanted = ceil(minutes, MAX_INTERVALS);
    let usual = [1, 2, 5, 10, 15, 20, 30, 60];
    let rounded = usual.into_iter().find(|step| *step >= wanted);
    // Whole hours for what takes longer than a day or so.
    rounded.unwrap_or_else(|| ceil(wanted, 60) * 60) * 60_000
}

impl View<'_> {
    /// The statistics of the submissions during the contest that count, with the results that the viewer may see.
    pub(crate) fn statistics(&self) -> Result<Statistics> {
        let contest = &self.contest;
        let store = &self.app.store;
        let hidden = match self.viewer.sees_all() {
            true => HashSet::new(),
            false => store.hidden_teams()?,
        };
        let members: HashSet<TeamId> = store
            .contest_teams(contest.id)?
            .iter()
            .map(|team| team.id)
            .collect();
        let is_seen = |team: &TeamId| members.contains(team) && !hidden.contains(team);
        let interval = interval_ms(contest.duration_ms);
        let count = (contest.duration_ms + interval - 1) / interval;
        let mut statistics = Statistics {
            interval: RelTime::from_millis(interval),
            over_time: vec![Counts::default(); usize::try_from(count).unwrap_or(0)],
            ..Statistics::default()
        };
        let mut languages: BTreeMap<String, Counts> = BTreeMap::new();
        let mut of_problems: Vec<(HashSet<TeamId>, HashSet<TeamId>)> = Vec::new();
        let problems = self.contest_problems()?;
        for problem in &problems {
            statistics.by_problem.push(OfProblem {
                label: problem.label.clone(),
                name: problem.name.clone(),
                ..OfProblem::default()
            });
            of_problems.push(<_>::default());
        }
        for result in store.contest_results(contest.id)? {
            let Some(team) = result.team.filter(is_seen) else {
                continue;
            };
            let time = contest.contest_time_at(result.time_ms).unwrap_or(-1);
            let place = problems
                .iter()
                .position(|own| own.problem == result.problem);
            let (Some(place), true) = (place, (0..contest.duration_ms).contains(&time)) else {
                continue;
            };
            let verdict = self.seen_verdict(&result);
            statistics.all.add(verdict);
            if let Some(own) = statistics.over_time.get_mut((time / interval) as usize) {
                own.add(verdict);
            }
            if let Some(verdict) = verdict {
                *statistics.by_verdict.entry(verdict).or_default() += 1;
            }
            languages
                .entry(result.language.clone())
                .or_default()
                .add(verdict);
            statistics.by_problem[place].counts.add(verdict);
            of_problems[place].1.insert(team);
            if verdict == Some(Verdict::Accepted) {
                of_problems[place].0.insert(team);
            }
        }
        for (own, (solved, tried)) in statistics.by_problem.iter_mut().zip(of_problems) {
            (own.solved, own.tried) = (solved.len(), tried.len());
        }
        statistics.by_language = languages.into_iter().collect();
        statistics
            .by_language
            .sort_by_key(|(_, counts)| std::cmp::Reverse(counts.total()));
        Ok(statistics)
    }

    /// The verdict of a result, if the viewer may see it.
    fn seen_verdict(&self, result: &ContestResult) -> Option<Verdict> {
        let is_open = self.viewer.sees_all() || !result.is_unverified(&self.contest);
        result.verdict.filter(|_| is_open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_whole_minutes_and_not_many() {
        for (duration_min, interval_min) in [
            (1, 1),
            (40, 1),
            (41, 2),
            (120, 5),
            (300, 10),
            (600, 15),
            (1440, 60),
            (10_080, 300),
        ] {
            let found = interval_ms(duration_min * 60_000) / 60_000;
            assert_eq!(found, interval_min, "{duration_min} minutes");
            assert!(
                (duration_min + found - 1) / found <= MAX_INTERVALS,
                "{duration_min}"
            );
        }
    }
}
