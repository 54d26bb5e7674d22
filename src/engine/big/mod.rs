//! Engines for large grids, 16x16 and 25x25 above all; they solve the smaller ones as well.

mod large;
mod large_views;
mod learning;
mod root;
mod search;
mod views;

pub use large::Large;
pub use large_views::LargeViews;
pub use learning::Learning;

#[cfg(test)]
mod tests;
