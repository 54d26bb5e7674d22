//! Instructions of a classic BPF filter.

use libc::sock_filter;
use libc::{BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W};

const AUDIT_ARCH_64BIT: u32 = 0x8000_0000;
const AUDIT_ARCH_LE: u32 = 0x4000_0000;

/// The architecture in `struct seccomp_data`: `AUDIT_ARCH_X86_64`, `AUDIT_ARCH_AARCH64`.
#[cfg(target_arch = "x86_64")]
pub const ARCHITECTURE: u32 = libc::EM_X86_64 as u32 | AUDIT_ARCH_64BIT | AUDIT_ARCH_LE;
#[cfg(target_arch = "aarch64")]
pub const ARCHITECTURE: u32 = libc::EM_AARCH64 as u32 | AUDIT_ARCH_64BIT | AUDIT_ARCH_LE;

pub const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
pub const KILL: u32 = libc::SECCOMP_RET_KILL_PROCESS;
/// The action that makes a call fail with this error.
pub const fn refuse(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | errno as u32
}

/// Offsets in `struct seccomp_data`; the low half of an argument comes first on both machines.
pub const NUMBER: u32 = 0;
pub const ARCH: u32 = 4;
pub const fn low(argument: u32) -> u32 {
    16 + 8 * argument
}
pub const fn high(argument: u32) -> u32 {
    low(argument) + 4
}

fn instruction(code: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    }
}

/// Loads a word of `struct seccomp_data`.
pub fn load(offset: u32) -> sock_filter {
    instruction(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0)
}

/// Masks the loaded word.
pub fn and(mask: u32) -> sock_filter {
    instruction(BPF_ALU | BPF_AND | BPF_K, mask, 0, 0)
}

/// Skips `if_true` or `if_false` instructions.
pub fn jump(condition: u32, k: u32, if_true: u8, if_false: u8) -> sock_filter {
    instruction(BPF_JMP | condition | BPF_K, k, if_true, if_false)
}

pub fn equal(k: u32, if_true: u8, if_false: u8) -> sock_filter {
    jump(BPF_JEQ, k, if_true, if_false)
}

/// The end of a rule: [`ALLOW`], [`KILL`] or [`refuse`].
pub fn action(what: u32) -> sock_filter {
    instruction(BPF_RET | BPF_K, what, 0, 0)
}
