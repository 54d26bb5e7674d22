//! Replays the seeds of the fuzz targets that are about packages, configuration and comparisons,
//! without a fuzzer. `FUZZ_SECONDS=60 cargo test -p judge --test fuzz` also tries changed seeds,
//! for so long with each target; `FUZZ_TARGET=package` only with that one.
//!
//! One test, because one of the targets looks for files left in the directory that all share.

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
fn seeds_bring_no_finding() {
    replay::replay("yaml", yaml::check);
    replay::replay("generators", yaml::check_generators);
    replay::replay("number", number::check);
    replay::replay("checkers", checkers::compare);
    replay::replay("default_validator", validator::compare);
    replay::replay("package", package::check);
    replay::replay("foreign", package::check);
    replay::replay("archive", archive::check);
}
