// The stack of a thread overflows before the memory limit is reached.
fn deep(n: u64) -> u64 {
    let room = std::hint::black_box([n; 128]);
    if n == u64::MAX { 0 } else { deep(n + 1) + room[5] }
}

fn main() {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(|| deep(0));
    println!("{:?}", thread.unwrap().join());
}
