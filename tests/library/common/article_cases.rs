//! The six cases of the array-methods article, for the bench and for the tests of faithfulness.
//!
//! The article's own grids were pictures and are lost. "hardest" were published by Arto Inkala in
//! 2010 and 2012; the others were drawn by this library's generator and chosen to have the
//! properties that the article states: "easy" needs naked singles alone, yet plain backtracking is led astray;
//! "medium" needs hidden singles, but no guess if they are used.

/// A puzzle, and how many solutions it has.
pub struct ArticleCase {
    pub name: &'static str,
    /// The cells row by row, '.' where empty.
    pub grid: &'static str,
    pub solutions: u64,
}

impl ArticleCase {
    pub fn grid(&self) -> sudoku::Grid<9> {
        self.grid.parse().expect("81 cells")
    }
}

pub const ARTICLE_CASES: [ArticleCase; 6] = [
    // Generator::new(24).unique(34)
    ArticleCase {
        name: "easy",
        grid: "...2.48.1.15....266..851793.8..4.....6...81.5.9.....4.....96.12..67.2.8.2...8..3.",
        solutions: 1,
    },
    // Generator::new(554).several(3, 34)
    ArticleCase {
        name: "easy_3_answers",
        grid: ".....7....4...839...5.6.4...8.9..2.35942....7....859.4..3.5.7.9.68..3.4....8.1.32",
        solutions: 3,
    },
    // Generator::new(84).unique(27)
    ArticleCase {
        name: "medium",
        grid: ".....7.........95.8.31.............23...1....5142..39...18.6..7..5.3.1..63.5...28",
        solutions: 1,
    },
    ArticleCase {
        name: "hardest_2010",
        grid: "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..",
        solutions: 1,
    },
    ArticleCase {
        name: "hardest_2012",
        grid: "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        solutions: 1,
    },
    // The 2 in the first row is wrong.
    ArticleCase {
        name: "hardest_2012_wrong_digit",
        grid: "82.........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        solutions: 0,
    },
];
