//! Tests that build and run sources of many languages. A language whose tools are missing on this
//! machine is skipped with a message.

mod builds;
mod cached;
mod headers;
mod programs;
mod standards;
mod support;
