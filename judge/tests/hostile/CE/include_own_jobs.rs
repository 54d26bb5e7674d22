// The compiler reads the pipe of its own jobserver, and waits for itself.
const X: &[u8] = include_bytes!("/proc/self/fd/4");
fn main() {
    println!("42 {}", X.len());
}
