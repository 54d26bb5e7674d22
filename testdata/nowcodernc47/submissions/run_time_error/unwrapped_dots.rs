//! Crashes: takes every cell for a number, but an empty one is a dot.

use std::io;

fn main() {
    let text = io::read_to_string(io::stdin()).unwrap();
    let rows: Vec<String> = text
        .trim()
        .split("],[")
        .map(|row| {
            let cells = row.trim_matches(|c| c == '[' || c == ']').split(',');
            let digits: Vec<u8> = cells.map(|cell| cell.parse().unwrap()).collect();
            let words: Vec<String> = digits.iter().map(u8::to_string).collect();
            words.join(",")
        })
        .collect();
    println!("[[{}]]", rows.join("],["));
}
