pub use ::alloc::{borrow, boxed, collections, fmt, format, rc, slice, str, string, vec};
pub use ::core::*;

mod features;
pub mod io;
#[macro_use]
mod macros;
mod memory;
pub mod process;

pub(crate) use macros::{eprint, eprintln, print, println};

macro_rules! is_x86_feature_detected {
    ($name:tt) => {
        $crate::std::features::has($name)
    };
}
pub(crate) use is_x86_feature_detected;

pub mod arch {
    pub(crate) use super::is_x86_feature_detected;
    pub use core::arch::*;
}

pub mod sync {
    pub use ::alloc::sync::*;
    pub use core::sync::*;
}

pub mod prelude {
    pub mod v1 {
        pub use ::alloc::borrow::ToOwned;
        pub use ::alloc::boxed::Box;
        pub use ::alloc::string::{String, ToString};
        pub use ::alloc::vec::Vec;
    }
}

pub mod c {
    unsafe extern "C" {
        pub fn read(file: i32, to: *mut u8, size: usize) -> isize;
        pub fn write(file: i32, from: *const u8, size: usize) -> isize;
        pub fn malloc(size: usize) -> *mut u8;
        pub fn calloc(count: usize, size: usize) -> *mut u8;
        pub fn realloc(old: *mut u8, size: usize) -> *mut u8;
        pub fn posix_memalign(to: *mut *mut u8, align: usize, size: usize) -> i32;
        pub fn free(old: *mut u8);
        pub fn exit(code: i32) -> !;
    }
}
