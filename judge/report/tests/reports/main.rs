//! Tests of the reports: text, JUnit, and the page in a browser.
//!
//! Test group: judge.

mod browser;
mod junit;
mod page;
mod runs;
mod written;
