// The compiler reads the pipe by which it shares out its threads, and waits for itself.
const X: &[u8] = include_bytes!("/proc/self/fd/4");
fn main() {
    println!("42 {}", X.len());
}
