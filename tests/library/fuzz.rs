//! Replays the seeds of the fuzz targets that are about the library, without a fuzzer:
//! see `judge/tests/fuzz.rs`.

#[path = "../../fuzz/src/engines.rs"]
mod engines;
#[path = "../../fuzz/src/notation.rs"]
mod notation;
#[path = "../../fuzz/src/replay.rs"]
mod replay;

#[test]
fn seeds_bring_no_finding() {
    replay::replay("notation", notation::check);
    replay::replay("engines", engines::compare);
}
