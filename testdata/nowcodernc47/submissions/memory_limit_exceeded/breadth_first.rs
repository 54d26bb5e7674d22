//! Too big: keeps every way to fill the first cells, and fills one cell more in all of them.

use std::io::{self, Read};

type Board = Vec<Vec<char>>;

fn fits(board: &Board, r: usize, c: usize, d: char) -> bool {
    (0..9).all(|k| {
        let in_box = board[r / 3 * 3 + k / 3][c / 3 * 3 + k % 3];
        board[r][k] != d && board[k][c] != d && in_box != d
    })
}

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap();
    let cells: Vec<char> = text.chars().filter(|c| !"[],\n".contains(*c)).collect();
    let mut boards: Vec<Board> = vec![cells.chunks(9).map(<[char]>::to_vec).collect()];
    for cell in 0..81 {
        let (r, c) = (cell / 9, cell % 9);
        if boards[0][r][c] != '.' {
            continue;
        }
        let mut next = Vec::new();
        for board in &boards {
            for d in ('1'..='9').filter(|&d| fits(board, r, c, d)) {
                next.push(board.clone());
                next.last_mut().unwrap()[r][c] = d;
            }
        }
        boards = next;
    }
    let row = |row: &Vec<char>| row.iter().map(char::to_string).collect::<Vec<_>>().join(",");
    let rows: Vec<String> = boards[0].iter().map(row).collect();
    println!("[[{}]]", rows.join("],["));
}
