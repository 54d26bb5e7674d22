//! Tests of the reports: text, JUnit, and the page in a browser.

mod browser;
mod junit;
mod page;
mod runs;
mod written;
