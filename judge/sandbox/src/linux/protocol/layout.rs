//! Names and numbers that the judge and the processes in a box must agree on.

use std::ffi::CStr;
use std::os::fd::{BorrowedFd, RawFd};

use libc::c_int;

/// The path of the work directory in the box.
pub const WORK: &str = "/work";
/// All directories that a program may write to; they share one tmpfs. [`WORK`] is the first.
pub const WRITABLE: [&str; 3] = [WORK, "/tmp", "/dev/shm"];

/// The user id of programs if root judges.
pub use judge_tempdir::NOBODY;

/// The descriptor of the socket to the judge, in a template and in a zygote.
pub const SOCKET: RawFd = 3;

/// [`SOCKET`] as a borrowed descriptor.
#[allow(unsafe_code)]
pub fn socket() -> BorrowedFd<'static> {
    // SAFETY: only a template and its zygotes call this; there the socket stays open.
    unsafe { BorrowedFd::borrow_raw(SOCKET) }
}

/// The environment variable that makes the judge's executable a template: name and value.
pub const TEMPLATE_VARIABLE: &CStr = c"JUDGE_SANDBOX_TEMPLATE=1";
/// The name in [`TEMPLATE_VARIABLE`].
pub const TEMPLATE_NAME: &CStr = c"JUDGE_SANDBOX_TEMPLATE";

/// The signal with which the judge asks a zygote to kill the program.
pub const END_SIGNAL: c_int = libc::SIGUSR1;

/// The judge's message to a template to continue.
pub const GO: &[u8] = b"g";
/// A zygote's reply: it has moved into its control groups.
pub const MOVED: u8 = b'y';
/// A zygote's reply: it could not move into its control groups.
pub const NOT_MOVED: u8 = b'n';
