//! Tests of the command `judge`: each starts the executable on small packages.
//!
//! Test group: judge.

mod blame;
mod bundle;
mod calibrate;
mod common;
mod compare;
mod containment;
mod contestant;
mod debug;
mod documents;
mod editors;
mod export;
mod export_domjudge;
mod faults;
mod features;
mod folder;
mod full_disk;
mod generate;
mod live;
#[path = "../common/mode.rs"]
mod mode;
mod new;
mod on_disk;
mod portable;
mod readme;
mod repeat;
mod run;
#[path = "../common/schema.rs"]
mod schema;
#[path = "../common/search_path.rs"]
mod search_path;
mod server;
mod setter;
mod stress;
mod temporary;
mod verify;
mod visualizers;
mod watch;
