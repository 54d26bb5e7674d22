//! What is built once is not built again, also by several judges at once.

use super::support::{Bench, ready, run};
use judge::language::{Cache, Languages, Prepared, Toolchain};
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
        run(&ready(again).expect("a C compiler is here"), &[], "").1,
        "1\n"
    );
    // Another judge, the same text elsewhere: the same program.
    let (other, other_count) = counting(&bench);
    let copy = bench.source(&[(
        "a.c",
        "int puts(const char*); int main(){puts(\"1\");return 0;}",
    )]);
    assert_eq!(other.build(&bench.request(&copy)).unwrap(), first);
    assert_eq!(other_count.load(Ordering::Relaxed), 0);
    // One letter more: another program.
    std::fs::write(
        &copy,
        "int puts(const char*); int main(){puts(\"2\");return 0;} ",
    )
    .unwrap();
    assert_ne!(other.build(&bench.request(&copy)).unwrap(), first);
    assert_eq!(other_count.load(Ordering::Relaxed), 1);
}

#[test]
fn what_does_not_compile_is_tried_again() {
    let bench = Bench::new();
    let (toolchain, count) = counting(&bench);
    let path = bench.source(&[("a.c", "int main( {")]);
    let first = toolchain.build(&bench.request(&path)).unwrap();
    assert!(matches!(first, Prepared::CompileError(_)));
    assert_eq!(toolchain.build(&bench.request(&path)).unwrap(), first);
    // It may have been the machine's fault.
    assert_eq!(count.load(Ordering::Relaxed), 2);
}

#[test]
fn several_judges_at_once_compile_it_once() {
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
            .map(|judge| judge.join().expect("no judge panics"))
            .sum()
    });
    assert_eq!(total, 1);
}
