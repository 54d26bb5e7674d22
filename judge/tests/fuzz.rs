//! Replays the seeds of the fuzz targets for packages, configuration and comparisons, without a
//! fuzzer. `FUZZ_SECONDS=60 cargo test -p judge --test fuzz` also tries mutated seeds for 60
//! seconds per target; `FUZZ_TARGET=package` selects one target.
//!
//! All targets share one test, because one of them looks for leftover files in the directory that
//! all use.
//!
//! Test group: judge.

#[path = "../../fuzz/src/archive.rs"]
mod archive;
#[path = "../../fuzz/src/checkers.rs"]
mod checkers;
#[path = "../../fuzz/src/number.rs"]
mod number;
#[path = "../../fuzz/src/package.rs"]
mod package;
#[path = "../../fuzz/src/replay.rs"]
mod replay;
#[path = "../../fuzz/src/validator.rs"]
mod validator;
#[path = "../../fuzz/src/yaml.rs"]
mod yaml;

#[test]
fn seeds_replay_without_findings() {
    replay::replay("yaml", yaml::check);
    replay::replay("generators", yaml::check_generators);
    replay::replay("number", number::check);
    replay::replay("checkers", checkers::compare);
    replay::replay("default_validator", validator::compare);
    replay::replay("package", package::check);
    replay::replay("foreign", package::check);
    replay::replay("archive", archive::check);
}
