//! Too slow: fills the cells row by row and looks at row, column and box for every digit.

use std::io;

fn fits(grid: &[u32], r: usize, c: usize, d: u32) -> bool {
    (0..9).all(|k| {
        let in_box = grid[(r / 3 * 3 + k / 3) * 9 + c / 3 * 3 + k % 3];
        grid[9 * r + k] != d && grid[9 * k + c] != d && in_box != d
    })
}

fn solve(grid: &mut [u32], cell: usize) -> bool {
    if cell == 81 {
        return true;
    }
    if grid[cell] != 0 {
        return solve(grid, cell + 1);
    }
    for d in 1..=9 {
        if fits(grid, cell / 9, cell % 9, d) {
            grid[cell] = d;
            if solve(grid, cell + 1) {
                return true;
            }
        }
    }
    grid[cell] = 0;
    false
}

fn main() {
    let text = io::read_to_string(io::stdin()).unwrap();
    let mut grid: Vec<u32> = text.split_whitespace().map(|w| w.parse().unwrap()).collect();
    solve(&mut grid, 0);
    for row in grid.chunks(9) {
        let row: Vec<String> = row.iter().map(u32::to_string).collect();
        println!("{}", row.join(" "));
    }
}
