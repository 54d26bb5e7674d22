// A vector that grows without end.
fn main() {
    let mut numbers: Vec<u64> = Vec::new();
    loop {
        numbers.extend(0..1 << 16);
    }
}
