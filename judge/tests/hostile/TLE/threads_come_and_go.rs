// Short-lived threads use the CPU time.
fn main() {
    loop {
        let work = || (0..10_000_u64).fold(1, |a, b| std::hint::black_box(a ^ b));
        std::thread::spawn(work).join().unwrap();
    }
}
