//! Engines for large grids, 16x16 and 25x25 above all; they solve the smaller ones as well.

mod large_views;
mod learning;
mod root;
mod views;

pub use large_views::{Large, LargeViews};
pub use learning::Learning;

#[cfg(test)]
mod tests;
