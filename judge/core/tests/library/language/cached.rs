//! Tests of the build cache: a program is built once, also by concurrent judges.

use super::support::{Bench, ready, run};
use judge_core::language::{Cache, Languages, Prepared, Toolchain};
use judge_sandbox::BoxSpec;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A toolchain over the same cache that counts its compilations.
fn counting(bench: &Bench) -> (Toolchain, Arc<AtomicU32>) {
    let count = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&count);
    let cache = Cache::at(&bench.dir.path().join("cache")).expect("a cache");
    let open = move |spec: &BoxSpec| {
        counter.fetch_add(1, Ordering::Relaxed);
        judge_sandbox::open(spec)
    };
    (Toolchain::with(Languages::built_in(), cache, open), count)
}

#[test]
fn a_program_is_compiled_once() {
    let bench = Bench::new();
    let (toolchain, count) = counting(&bench);
    let path = bench.source(&[(
        "a.c",
        "int puts(const char*); int main(){puts(\"1\");return 0;}",
    )]);
    let first = toolchain.build(&bench.request(&path)).unwrap();
    let again = toolchain.build(&bench.request(&path)).unwrap();
    assert_eq!(first, again);
    assert_eq!(count.load(Ordering::Relaxed), 1);
    assert_eq!(
        run(&ready(again).expect("find a C compiler"), &[], "").1,
        "1\n"
    );
    // Another judge with an equal source in another place gets the same program.
    let (other, other_count) = counting(&bench);
    let copy = bench.source(&[(
        "a.c",
        "int puts(const char*); int main(){puts(\"1\");return 0;}",
    )]);
    assert_eq!(other.build(&bench.request(&copy)).unwrap(), first);
    assert_eq!(other_count.load(Ordering::Relaxed), 0);
    // A changed source is another program.
    std::fs::write(
        &copy,
        "int puts(const char*); int main(){puts(\"2\");return 0;} ",
    )
    .unwrap();
    assert_ne!(other.build(&bench.request(&copy)).unwrap(), first);
    assert_eq!(other_count.load(Ordering::Relaxed), 1);
}

#[test]
fn a_compile_error_is_not_cached() {
    let bench = Bench::new();
    let (toolchain, count) = counting(&bench);
    let path = bench.source(&[("a.c", "int main( {")]);
    let first = toolchain.build(&bench.request(&path)).unwrap();
    assert!(matches!(first, Prepared::CompileError(_)));
    assert_eq!(toolchain.build(&bench.request(&path)).unwrap(), first);
    // The error may have been caused by the machine. The third is the minimal program, which shows
    // that the compiler works.
    assert_eq!(count.load(Ordering::Relaxed), 3);
}

#[test]
fn concurrent_judges_compile_a_program_once() {
    let bench = Bench::new();
    let path = bench.source(&[("a.c", "int main(){return 0;}")]);
    let total: u32 = std::thread::scope(|scope| {
        let judges: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let (toolchain, count) = counting(&bench);
                    let built = toolchain.build(&bench.request(&path)).unwrap();
                    assert!(matches!(built, Prepared::Ready(_)));
                    count.load(Ordering::Relaxed)
                })
            })
            .collect();
        judges
            .into_iter()
            .map(|judge| judge.join().expect("join the judge"))
            .sum()
    });
    assert_eq!(total, 1);
}
