//! Sources of many languages, built and run. A language whose tools this machine lacks is skipped
//! aloud, never silently.

mod builds;
mod cached;
mod headers;
mod programs;
mod standards;
mod support;
