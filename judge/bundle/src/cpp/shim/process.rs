//! Process exit.

use super::prelude::v1::*;

pub fn exit(code: i32) -> ! {
    super::io::flush_output();
    unsafe { super::c::exit(code) }
}

pub fn abort() -> ! {
    exit(134)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExitCode(u8);

impl ExitCode {
    pub const SUCCESS: ExitCode = ExitCode(0);
    pub const FAILURE: ExitCode = ExitCode(1);
}

impl From<u8> for ExitCode {
    fn from(code: u8) -> Self {
        ExitCode(code)
    }
}

pub trait Termination {
    fn report(self) -> ExitCode;
}

impl Termination for () {
    fn report(self) -> ExitCode {
        ExitCode::SUCCESS
    }
}

impl Termination for ExitCode {
    fn report(self) -> ExitCode {
        self
    }
}

impl<T: Termination, E: core::fmt::Debug> Termination for Result<T, E> {
    fn report(self) -> ExitCode {
        match self {
            Ok(value) => value.report(),
            Err(error) => {
                crate::std::eprintln!("Error: {error:?}");
                ExitCode::FAILURE
            }
        }
    }
}

pub fn finish(code: ExitCode) -> i32 {
    super::io::flush_output();
    code.0 as i32
}
