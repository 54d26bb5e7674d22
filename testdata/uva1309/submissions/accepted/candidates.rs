//! Keeps the candidates of every cell as bits; places what has one place, guesses where the fewest
//! choices are left.

use std::io::{self, Write};

const SIDE: usize = 16;
const ALL: u16 = u16::MAX;

/// The cells of the 48 houses, and the houses of every cell.
struct Houses {
    cells: Vec<Vec<usize>>,
    of: Vec<[usize; 3]>,
}

#[derive(Clone)]
struct Grid {
    candidates: Vec<u16>,
    placed: Vec<bool>,
}

impl Houses {
    fn new() -> Self {
        let house_of = |r: usize, c: usize| [r, SIDE + c, 2 * SIDE + r / 4 * 4 + c / 4];
        let of: Vec<_> = (0..SIDE * SIDE).map(|k| house_of(k / SIDE, k % SIDE)).collect();
        let mut cells = vec![Vec::new(); 3 * SIDE];
        for (cell, houses) in of.iter().enumerate() {
            houses.iter().for_each(|&house| cells[house].push(cell));
        }
        Houses { cells, of }
    }

    fn place(&self, grid: &mut Grid, cell: usize, letter: u16) {
        for &house in &self.of[cell] {
            for &peer in &self.cells[house] {
                grid.candidates[peer] &= !letter;
            }
        }
        grid.candidates[cell] = letter;
        grid.placed[cell] = true;
    }

    /// Places all that follows; whether every letter still has a place.
    fn reduce(&self, grid: &mut Grid) -> bool {
        let mut changed = true;
        while changed {
            changed = false;
            for cell in 0..SIDE * SIDE {
                let letters = grid.candidates[cell];
                if letters == 0 {
                    return false;
                }
                if !grid.placed[cell] && letters.is_power_of_two() {
                    self.place(grid, cell, letters);
                    changed = true;
                }
            }
            for house in &self.cells {
                let (mut once, mut twice) = (0, 0);
                for &cell in house {
                    twice |= once & grid.candidates[cell];
                    once |= grid.candidates[cell];
                }
                if once != ALL {
                    return false;
                }
                for &cell in house {
                    let alone = grid.candidates[cell] & !twice;
                    if alone == 0 || grid.placed[cell] {
                        continue;
                    }
                    if !alone.is_power_of_two() {
                        return false;
                    }
                    self.place(grid, cell, alone);
                    changed = true;
                }
            }
        }
        true
    }

    /// The cells and letters to try: those of a cell, or the places of a letter in a house.
    fn choices(&self, grid: &Grid) -> Vec<(usize, u16)> {
        let open = (0..SIDE * SIDE).filter(|&cell| !grid.placed[cell]);
        let Some(cell) = open.min_by_key(|&cell| grid.candidates[cell].count_ones()) else {
            return Vec::new();
        };
        let letters = (0..SIDE).map(|k| 1 << k);
        let mut best: Vec<(usize, u16)> = letters
            .filter(|letter| grid.candidates[cell] & letter != 0)
            .map(|letter| (cell, letter))
            .collect();
        for (house, k) in (0..3 * SIDE).flat_map(|house| (0..SIDE).map(move |k| (house, k))) {
            let letter = 1 << k;
            let cells = self.cells[house].iter();
            let places = cells.filter(|&&cell| grid.candidates[cell] & letter != 0);
            let count = places.clone().count();
            if count > 1 && count < best.len() {
                best = places.map(|&cell| (cell, letter)).collect();
            }
        }
        best
    }

    fn solve(&self, grid: &Grid) -> Option<Grid> {
        let mut grid = grid.clone();
        if !self.reduce(&mut grid) {
            return None;
        }
        if grid.placed.iter().all(|&placed| placed) {
            return Some(grid);
        }
        self.choices(&grid).into_iter().find_map(|(cell, letter)| {
            let mut next = grid.clone();
            self.place(&mut next, cell, letter);
            self.solve(&next)
        })
    }
}

fn main() {
    let text = io::read_to_string(io::stdin()).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let houses = Houses::new();
    let mut out = String::new();
    for rows in lines.chunks(SIDE) {
        let mut grid = Grid {
            candidates: vec![ALL; SIDE * SIDE],
            placed: vec![false; SIDE * SIDE],
        };
        for (cell, letter) in rows.iter().flat_map(|row| row.bytes()).enumerate() {
            if letter != b'-' {
                houses.place(&mut grid, cell, 1 << (letter - b'A'));
            }
        }
        let solution = houses.solve(&grid).unwrap();
        if !out.is_empty() {
            out.push('\n');
        }
        for row in solution.candidates.chunks(SIDE) {
            out.extend(row.iter().map(|letter| (b'A' + letter.trailing_zeros() as u8) as char));
            out.push('\n');
        }
    }
    io::stdout().write_all(out.as_bytes()).unwrap();
}
