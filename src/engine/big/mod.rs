//! Engines for large grids, mainly 16x16 and 25x25; they also solve smaller ones.

mod large;
pub(crate) mod learning;
mod load;
mod propagate16;
mod search;
mod views;

pub use large::{Large, LargeViews, Learning};

#[cfg(test)]
mod tests;
