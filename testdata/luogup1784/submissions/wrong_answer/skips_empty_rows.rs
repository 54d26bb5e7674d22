//! Wrong: takes a row without a given for an empty line, and leaves it out.

use std::io;

type Grid = Vec<Vec<u32>>;

fn free(grid: &Grid, r: usize, c: usize) -> Vec<u32> {
    let is_used = |d: u32| {
        let in_box = |row: &Vec<u32>| row[c / 3 * 3..c / 3 * 3 + 3].contains(&d);
        grid[r].contains(&d)
            || grid.iter().any(|row| row[c] == d)
            || grid.iter().skip(r / 3 * 3).take(3).any(in_box)
    };
    (1..=9).filter(|&d| !is_used(d)).collect()
}

fn solve(grid: &mut Grid) -> bool {
    let cells = (0..grid.len()).flat_map(|r| (0..9).map(move |c| (r, c)));
    let empty = cells.filter(|&(r, c)| grid[r][c] == 0);
    let choices = empty.map(|(r, c)| (r, c, free(grid, r, c)));
    let Some((r, c, digits)) = choices.min_by_key(|(_, _, digits)| digits.len()) else {
        return true;
    };
    for d in digits {
        grid[r][c] = d;
        if solve(grid) {
            return true;
        }
    }
    grid[r][c] = 0;
    false
}

fn main() {
    let text = io::read_to_string(io::stdin()).unwrap();
    let rows = text.lines().map(|line| {
        let words = line.split_whitespace();
        words.map(|word| word.parse().unwrap()).collect()
    });
    let mut grid: Grid = rows.filter(|row: &Vec<u32>| row.iter().any(|&d| d > 0)).collect();
    solve(&mut grid);
    for row in grid {
        let row: Vec<String> = row.iter().map(u32::to_string).collect();
        println!("{}", row.join(" "));
    }
}
