// Prints without end, and ignores errors.
use std::io::Write;

fn main() {
    let line = [b'4'; 1 << 16];
    for _ in 0..10_000 {
        let _ = std::io::stdout().write_all(&line);
    }
}
