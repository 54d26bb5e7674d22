//! The address of an invalid memory access, which a second run finds.

use super::common::limits;
use super::{acts, sandbox, with_job};
use judge_sandbox::{Exit, Limits, MemoryFault, Mode};

#[test]
fn the_address_of_an_invalid_access_is_found() {
    let small_stack = Limits {
        stack: Some(8 << 20),
        ..limits()
    };
    // Without isolation the program is not traced.
    for mode in [Mode::Auto] {
        let found = |kind: &str| {
            let mut sandbox = sandbox(mode);
            let fault = with_job(&["fault", kind], &small_stack, |job| {
                sandbox.find_memory_fault(job, None).unwrap()
            });
            // The box is still usable.
            let again = acts(&mut *sandbox, &["code", "7"], &small_stack);
            assert_eq!(again.exit(), Exit::Code(7));
            fault
        };
        use MemoryFault::{Address, NoAddress, Sent, StackOverflow};
        for (kind, expected) in [
            ("null", Some(Address(16))),
            ("wild", Some(Address(0x1234_5678_9000))),
            ("handled", Some(Address(32))),
            ("not-canonical", Some(NoAddress)),
            ("sent", Some(Sent)),
            ("bus", Some(Address(0x4000_2000))),
            ("in-child", None),
            ("end", None),
        ] {
            assert_eq!(found(kind), expected, "{mode:?} {kind}");
        }
        let constant = found("constant");
        assert!(matches!(constant, Some(Address(1..))), "{constant:?}");
        for (kind, least) in [("recursion", 1), ("large-frame", 3 << 20), ("thread", 1)] {
            match found(kind) {
                Some(StackOverflow { address, below }) => {
                    assert!(address > 1 << 32, "{kind}: {address:x}");
                    assert!((least..13 << 20).contains(&below), "{kind}: {below}");
                }
                other => panic!("{mode:?} {kind}: {other:?}"),
            }
        }
    }
}
