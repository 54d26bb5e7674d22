// Its time is spent by threads that come and go.
fn main() {
    loop {
        let work = || (0..10_000_u64).fold(1, |a, b| std::hint::black_box(a ^ b));
        std::thread::spawn(work).join().unwrap();
    }
}
