//! Tries the choices of the smallest set: the digits of a cell, or the places of a digit in a row,
//! a column or a box.

use std::io;

/// The cells of house `k`: rows, then columns, then boxes.
fn house(k: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..9).map(move |i| match k / 9 {
        0 => (k, i),
        1 => (i, k - 9),
        _ => ((k - 18) / 3 * 3 + i / 3, (k - 18) % 3 * 3 + i % 3),
    })
}

fn fits(board: &[Vec<char>], r: usize, c: usize, d: char) -> bool {
    let houses = [r, 9 + c, 18 + r / 3 * 3 + c / 3];
    let mut seen = houses.iter().flat_map(|&k| house(k));
    board[r][c] == '.' && seen.all(|(r, c)| board[r][c] != d)
}

fn solve(board: &mut [Vec<char>]) -> bool {
    let digits = '1'..='9';
    let mut best: Option<Vec<(usize, usize, char)>> = None;
    let mut consider = |choices: Vec<_>| {
        if best.as_ref().is_none_or(|best| choices.len() < best.len()) {
            best = Some(choices);
        }
    };
    for (r, c) in (0..9).flat_map(house).filter(|&(r, c)| board[r][c] == '.') {
        let fitting = digits.clone().filter(|&d| fits(board, r, c, d));
        consider(fitting.map(|d| (r, c, d)).collect());
    }
    for k in 0..27 {
        for d in digits.clone() {
            if house(k).all(|(r, c)| board[r][c] != d) {
                let places = house(k).filter(|&(r, c)| fits(board, r, c, d));
                consider(places.map(|(r, c)| (r, c, d)).collect());
            }
        }
    }
    let Some(choices) = best else {
        return true;
    };
    for (r, c, d) in choices {
        board[r][c] = d;
        if solve(board) {
            return true;
        }
        board[r][c] = '.';
    }
    false
}

fn main() {
    let text = io::read_to_string(io::stdin()).unwrap();
    let cells: Vec<char> = text.chars().filter(|c| !"[],\n".contains(*c)).collect();
    let mut board: Vec<Vec<char>> = cells.chunks(9).map(<[char]>::to_vec).collect();
    solve(&mut board);
    let row = |row: &Vec<char>| row.iter().map(char::to_string).collect::<Vec<_>>().join(",");
    let rows: Vec<String> = board.iter().map(row).collect();
    println!("[[{}]]", rows.join("],["));
}
