//! The final standing of teams by the rules of the ICPC: ranks, medals, and who is not ranked.

use super::View;
use crate::boards::Board;
use crate::http::Result;
use crate::scoreboard::Row;

/// Gold and silver medals each, and bronze medals unless some are added.
const MEDALS: i64 = 4;

/// The award of a team.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Honour {
    Gold,
    Silver,
    Bronze,
    /// No medal, but a rank.
    Ranked,
    /// No rank: the team solved fewer problems than the median team.
    Mention,
}

/// Honors of a ranked team, by the number of problems that it solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Degree {
    /// At least as many as the last team with a medal.
    Highest,
    /// One less.
    High,
    /// At least two less.
    Honors,
}

/// The final place of a team.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Standing<'b> {
    pub row: &'b Row,
    /// Teams without a rank have none.
    pub rank: Option<u64>,
    pub honour: Honour,
    /// Teams without a rank have none.
    pub degree: Option<Degree>,
}

/// The standings of rows in the order of their positions; `more_bronze` medals are added.
pub(crate) fn standings(rows: &[Row], more_bronze: i64) -> Vec<Standing<'_>> {
    let last_medal = u64::try_from(3 * MEDALS + more_bronze).unwrap_or(0);
    // Of two teams in the middle the better one: the other one is below the median if it solved fewer.
    let middle = rows.len().saturating_sub(1) / 2;
    let median = rows.get(middle).map_or(0, |row| row.solved);
    let mut first_of: Option<(u64, u64)> = None;
    let standing = |(place, row): (usize, &'_ Row)| {
        let (rank, honour) = match row.rank {
            _ if row.solved == 0 => (None, Honour::Mention),
            rank if rank <= MEDALS as u64 => (Some(rank), Honour::Gold),
            rank if rank <= 2 * MEDALS as u64 => (Some(rank), Honour::Silver),
            rank if rank <= last_medal => (Some(rank), Honour::Bronze),
            _ if row.solved < median => (None, Honour::Mention),
            // Below the medals only the number of solved problems counts.
            _ => match first_of {
                Some((solved, rank)) if solved == row.solved => (Some(rank), Honour::Ranked),
                _ => {
                    let rank = place as u64 + 1;
                    first_of = Some((row.solved, rank));
                    (Some(rank), Honour::Ranked)
                }
            },
        };
        (rank, honour)
    };
    let ranked: Vec<_> = rows.iter().enumerate().map(standing).collect();
    let has_medal = |honour: Honour| !matches!(honour, Honour::Ranked | Honour::Mention);
    let all = rows.iter().zip(ranked);
    let medallists = all.clone().filter(|(_, (_, honour))| has_medal(*honour));
    let least = medallists.map(|(row, _)| row.solved).min().unwrap_or(0);
    let degree = |row: &Row| match least.saturating_sub(row.solved) {
        0 => Degree::Highest,
        1 => Degree::High,
        _ => Degree::Honors,
    };
    all.map(|(row, (rank, honour))| Standing {
        row,
        rank,
        honour,
        degree: rank.map(|_| degree(row)),
    })
    .collect()
}

impl View<'_> {
    /// The board with the standings of its rows, once the viewer sees all results of a contest that is over.
    pub(crate) fn is_complete(&self) -> bool {
        self.contest.is_over(self.now_ms)
            && (self.viewer.sees_all() || !self.contest.hides_result_of(i64::MAX))
    }

    /// The teams that lead their groups, with the names of the groups.
    pub(crate) fn group_leaders(&self, board: &Board) -> Result<Vec<(usize, String)>> {
        let mut leaders = Vec::new();
        for group in self.seen_groups()? {
            let rows = board.rows_of(group.id);
            let first = rows.iter().filter(|row| row.rank == 1 && row.solved > 0);
            leaders.extend(first.map(|row| (row.team, group.name.clone())));
        }
        Ok(leaders)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest_api::RelTime;

    /// Rows with these numbers of solved problems, in order, each later than the one before.
    fn rows(solved: &[u64]) -> Vec<Row> {
        let row = |(team, solved): (usize, &u64)| Row {
            rank: team as u64 + 1,
            team,
            solved: *solved,
            total_time: RelTime::from_minutes(team as i64),
            score: 0.0,
            last: None,
            cells: Vec::new(),
        };
        solved.iter().enumerate().map(row).collect()
    }

    #[test]
    fn medals_ranks_and_mentions_follow_the_rules_of_the_icpc() {
        // Thirteen teams with a medal or a rank of their own, then ties below, then less than the median.
        let mut solved = vec![9; 12];
        solved.extend([8, 8, 7, 7, 7, 6, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 0]);
        let rows = rows(&solved);
        let found = standings(&rows, 0);
        let honours = |honour| found.iter().filter(|own| own.honour == honour).count();
        assert_eq!(
            (
                honours(Honour::Gold),
                honours(Honour::Silver),
                honours(Honour::Bronze)
            ),
            (4, 4, 4)
        );
        let rank = |place: usize| found[place].rank;
        assert_eq!(
            (rank(12), rank(13), rank(14), rank(16)),
            (Some(13), Some(13), Some(15), Some(15))
        );
        // The median team solved 7.
        assert_eq!(rows[rows.len() / 2].solved, 7);
        assert_eq!((rank(17), found[17].honour), (None, Honour::Mention));
        assert_eq!(rank(30), None);

        let more = standings(&rows, 2);
        assert_eq!(
            more.iter()
                .filter(|own| own.honour == Honour::Bronze)
                .count(),
            6
        );
        assert_eq!(more[14].rank, Some(15));
        assert_eq!(standings(&[], 0), []);
    }

    #[test]
    fn of_two_teams_in_the_middle_the_better_one_is_the_median() {
        let mut solved = vec![9; 13];
        solved.extend([8; 13]);
        let rows = rows(&solved);
        let honour = |place: usize| standings(&rows, 0)[place].honour;
        assert_eq!((honour(12), honour(13)), (Honour::Ranked, Honour::Mention));
    }

    #[test]
    fn honors_follow_from_the_problems_of_the_last_medal() {
        let mut solved = vec![9; 11];
        solved.extend([8, 8, 7, 7, 6, 5, 4]);
        solved.extend([3; 20]);
        solved.push(2);
        let rows = rows(&solved);
        let found = standings(&rows, 0);
        let of = |degree| {
            let with = found.iter().filter(|own| own.degree == degree);
            let solved: Vec<u64> = with.map(|own| own.row.solved).collect();
            (
                solved.len(),
                solved.first().copied(),
                solved.last().copied(),
            )
        };
        assert_eq!(of(Some(Degree::Highest)), (13, Some(9), Some(8)));
        assert_eq!(of(Some(Degree::High)), (2, Some(7), Some(7)));
        assert_eq!(of(Some(Degree::Honors)), (23, Some(6), Some(3)));
        // Fewer than the median team.
        assert_eq!(of(None), (1, Some(2), Some(2)));
        assert_eq!(standings(&rows, 0)[12].honour, Honour::Ranked);
    }
}
