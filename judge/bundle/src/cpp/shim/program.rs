#![no_std]
#![no_main]

#[macro_use]
extern crate alloc;

#[macro_use]
#[allow(dead_code, unused_imports, unused_macros)]
mod std;

#[unsafe(no_mangle)]
pub extern "C" fn rust_main() -> i32 {
    std::process::finish(std::process::Termination::report(main()))
}
