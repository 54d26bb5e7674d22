//! The numbers of errors and signals in results: those of Linux, on every system.

/// Why a file was not executed ([`Exit::NotExecuted`](crate::Exit::NotExecuted)).
pub mod errno {
    /// Operation not permitted.
    pub const EPERM: i32 = 1;
    /// No such file.
    pub const ENOENT: i32 = 2;
    /// Input or output error.
    pub const EIO: i32 = 5;
    /// The arguments are too long.
    pub const E2BIG: i32 = 7;
    /// Not an executable of this machine.
    pub const ENOEXEC: i32 = 8;
    /// Permission denied.
    pub const EACCES: i32 = 13;
    /// Invalid argument.
    pub const EINVAL: i32 = 22;
    /// The file is open for writing.
    pub const ETXTBSY: i32 = 26;
    /// A damaged library.
    pub const ELIBBAD: i32 = 80;
}

/// Signals that end a program ([`Exit::Signal`](crate::Exit::Signal)).
pub mod signal {
    /// An illegal instruction.
    pub const SIGILL: i32 = 4;
    /// `abort`.
    pub const SIGABRT: i32 = 6;
    /// An access that the machine cannot make.
    pub const SIGBUS: i32 = 7;
    /// A division by zero.
    pub const SIGFPE: i32 = 8;
    /// A kill, which no program can handle.
    pub const SIGKILL: i32 = 9;
    /// An access to memory that is not the program's.
    pub const SIGSEGV: i32 = 11;
}
