//! Engines for large grids, 16x16 and 25x25 above all; they solve the smaller ones as well.

mod large;
mod learning;
mod load;
mod root;
mod search;
mod views;

pub use large::{Large, LearningOnly, Strategy, ViewsOnly, ViewsThenLearning};

#[cfg(test)]
mod tests;
