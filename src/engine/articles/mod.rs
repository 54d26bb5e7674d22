//! The methods of four articles on solving Sudoku by program, and their entries in the registry, in
//! the articles' order. docs/articles.md has the titles, a table of the methods and the deviations.

mod backtracking;
mod bitmask;
mod bitmask_fewest;
mod brute_force;
mod counted_cells;
mod counted_views;
mod dancing_links;
mod four_views;
mod guess_on_copy;
mod lookup_backtracking;
mod naked_singles;
mod tables;

pub use backtracking::Backtracking;
pub use bitmask::Bitmask;
pub use bitmask_fewest::BitmaskFewest;
pub use brute_force::BruteForce;
pub use counted_cells::CountedCells;
pub use counted_views::CountedViews;
pub use dancing_links::DancingLinks;
pub use four_views::{FourViews, FourViewsFewest};
pub use lookup_backtracking::LookupBacktracking;
pub use naked_singles::{NakedSingles, NakedSinglesUndo};

use super::entry::{Entry, Support};

/// The eight methods of the array-methods article, then those of the articles on Luogu P1784,
/// NowCoder NC47 and UVa 1309.
pub(super) fn entries<const N: usize>() -> Vec<Entry<N>> {
    vec![
        Entry {
            name: "backtracking",
            summary: "tries the digits cell by cell, scanning row, column and box",
            source: "array methods article, method 1",
            lexicographic: true,
            make: |_| Some(Box::new(Backtracking)),
            ..Entry::CLASSIC
        },
        Entry {
            name: "lookup_backtracking",
            summary: "tries the digits cell by cell, with tables of what each house holds",
            source: "array methods article, method 2",
            lexicographic: true,
            make: |_| Some(Box::new(LookupBacktracking)),
            ..Entry::CLASSIC
        },
        Entry {
            name: "naked_singles",
            summary: "fills naked singles until stuck, then guesses on a copy",
            source: "array methods article, method 3",
            lexicographic: true,
            make: |_| Some(Box::new(NakedSingles)),
            ..Entry::CLASSIC
        },
        Entry {
            name: "naked_singles_undo",
            summary: "the same with one grid and a stack of what to undo",
            source: "array methods article, method 4",
            lexicographic: true,
            make: |_| Some(Box::new(NakedSinglesUndo)),
            ..Entry::CLASSIC
        },
        Entry {
            name: "four_views",
            summary: "singles of cells, rows, columns and boxes, then guesses on a copy",
            source: "array methods article, method 5",
            lexicographic: true,
            make: |_| Some(Box::new(FourViews)),
            ..Entry::CLASSIC
        },
        Entry {
            name: "four_views_fewest",
            summary: "the same, guessing in the cell with the fewest candidates",
            source: "array methods article, method 6",
            make: |_| Some(Box::new(FourViewsFewest)),
            ..Entry::CLASSIC
        },
        Entry {
            name: "counted_cells",
            summary: "the same, with the candidates of each cell counted",
            source: "array methods article, method 7",
            make: |_| Some(Box::new(CountedCells)),
            ..Entry::CLASSIC
        },
        Entry {
            name: "counted_views",
            summary: "the same, with the candidates counted in all four views",
            source: "array methods article, method 8",
            make: |_| Some(Box::new(CountedViews)),
            ..Entry::CLASSIC
        },
        Entry {
            name: "bitmask_fewest",
            summary: "bit sets of free digits, the cell with the fewest candidates first",
            source: "Luogu P1784 article",
            make: |_| Some(Box::new(BitmaskFewest)),
            ..Entry::CLASSIC
        },
        Entry {
            name: "brute_force",
            summary: "tries the digits cell by cell, one loop over row, column and box",
            source: "NowCoder NC47 article, first method",
            lexicographic: true,
            make: |_| Some(Box::new(BruteForce)),
            ..Entry::CLASSIC
        },
        Entry {
            name: "bitmask",
            summary: "tries the digits cell by cell, with bit sets of what each house holds",
            source: "NowCoder NC47 article, second method",
            lexicographic: true,
            make: |_| Some(Box::new(Bitmask)),
            ..Entry::CLASSIC
        },
        Entry {
            name: "dancing_links",
            summary: "exact cover in an array arena, smallest column first",
            source: "UVa 1309 article, after Knuth: Dancing links (2000)",
            support: Support::AnyHouses,
            make: |rules| Some(Box::new(DancingLinks::new(rules).ok()?)),
            ..Entry::CLASSIC
        },
    ]
}
