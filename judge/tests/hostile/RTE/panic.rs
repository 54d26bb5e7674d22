// Panics: exit code 101.
fn main() {
    let none: Option<u32> = std::env::args().nth(5).map(|_| 1);
    println!("{}", none.unwrap());
}
