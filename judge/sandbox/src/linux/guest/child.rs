//! The program's start, between clone and exec: raw system calls only, no allocation, no lock.
//!
//! The child shares the zygote's memory until exec, so it reports a failed call by writing to that
//! memory. The zygote is not suspended meanwhile as after `vfork`, because that would cost each run
//! two switches between processes: it waits for the child's end. Until exec the two therefore share
//! the zygote's `errno`, too, which the child must not write.
#![allow(unsafe_code)]

use std::arch::asm;
use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::ffi::{CStr, CString, c_char, c_void};
use std::os::fd::RawFd;
use std::time::Duration;

use libc::{c_int, c_long, pid_t};

use crate::linux::guest::seccomp;
use crate::linux::protocol::{ExecRequest, ResourceLimits, StageError};
use crate::linux::sys;

/// The number of times, and the interval, at which the child retries to execute a file that is open
/// for writing (`ETXTBSY`). This race happens when a compiler has just written the file and a
/// process forked meanwhile still holds a descriptor.
const BUSY_TRIES: usize = 100;
const BUSY_PAUSE: Duration = Duration::from_millis(5);

/// Size of the child's own stack. The child needs one because it shares the zygote's memory.
const STACK: usize = 64 * 1024;

/// The stage whose failure can be the program's fault.
const EXECUTE: &str = "execute";

/// The child's arguments, in the form that the system calls take.
pub struct Child<'a> {
    program: &'a CStr,
    argv: Vec<*const c_char>,
    envp: Vec<*const c_char>,
    stdio: [RawFd; 3],
    limits: [(Resource, u64); 4],
    /// Whether the child sets a parent-death signal (`PR_SET_PDEATHSIG`). In a PID namespace the
    /// kernel kills the child with the zygote anyway.
    pub dies_with_parent: bool,
    /// The Landlock rules to enforce; -1 for none.
    pub landlock: RawFd,
    /// The filter on signals and CPU clocks to install; empty for none.
    pub self_only: RefCell<Vec<libc::sock_filter>>,
    /// The failed call and its `errno`.
    failure: Cell<(&'static str, c_int)>,
    /// The monotonic time of the start, or of the last attempt.
    start: Cell<libc::timespec>,
    token: u64,
}

/// The type differs between C libraries.
#[cfg(target_env = "gnu")]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type Resource = c_int;

impl<'a> Child<'a> {
    /// Prepares the pointers, which borrow from `request`.
    pub fn new(request: &'a ExecRequest, stdio: [RawFd; 3], token: u64) -> Self {
        Child {
            program: &request.program,
            argv: pointers(&request.args),
            envp: pointers(&request.env),
            stdio,
            limits: resource_limits(&request.limits),
            dies_with_parent: false,
            landlock: -1,
            self_only: RefCell::default(),
            failure: Cell::new(("", 0)),
            start: Cell::new(libc::timespec {
                tv_sec: 0,
                tv_nsec: 0,
            }),
            token,
        }
    }

    /// Starts the program and calls `wait` with its process id, which returns when the program has
    /// ended. Returns the monotonic time of the start, and the error of `execve` if the kernel refused
    /// the file.
    ///
    /// `token` is passed in an argument that the kernel ignores, here and in the child's call of
    /// `seccomp`. The seccomp filter refuses these calls to programs, and recognises the zygote and
    /// the child by the token. The error is that of `wait`, or of the call that failed before the
    /// program was executed.
    pub fn run_to_end(
        &self,
        stack: &mut Stack,
        wait: impl FnOnce(pid_t) -> Result<(), StageError>,
    ) -> Result<(Duration, Option<c_int>), StageError> {
        self.failure.set(("", 0));
        self.note_start();
        let flags = libc::CLONE_VM | libc::SIGCHLD;
        let arg: *const Self = self;
        // SAFETY: `self` and the stack outlive the child's use of them: `wait` or the call below
        // returns after its end. `enter` makes only raw system calls on prepared memory.
        let pid = unsafe { clone(flags, stack.top(), self.token, arg.cast()) } as pid_t;
        if pid < 0 {
            return Err(StageError {
                stage: "start a process".into(),
                errno: -pid,
            });
        }
        if let Err(error) = wait(pid) {
            sys::kill(pid, libc::SIGKILL);
            sys::wait_for(pid);
            return Err(error);
        }
        let start = sys::duration(self.start.get());
        match self.failure.get() {
            ("", _) => Ok((start, None)),
            (EXECUTE, errno) => Ok((start, Some(errno))),
            (stage, errno) => Err(StageError {
                stage: stage.into(),
                errno,
            }),
        }
    }

    /// Records the current time as the start of the program.
    fn note_start(&self) {
        let clock = libc::CLOCK_MONOTONIC as usize;
        // SAFETY: the kernel writes a `timespec` to a cell of one.
        unsafe {
            call(
                libc::SYS_clock_gettime,
                [clock, self.start.as_ptr() as usize, 0, 0],
            )
        };
    }
}

/// Starts a process that calls [`enter`] with `arg` on the stack that ends at `stack`. Returns its
/// process id, or the negated `errno`. The C libraries' `clone` is not used because musl's does not
/// pass on an argument that the flags make the kernel ignore, such as `token`.
///
/// # Safety
///
/// `flags` must contain CLONE_VM; the stack must be aligned to 16 bytes and large enough, `arg` what
/// `enter` expects, and all that it uses must live until exec.
#[cfg(target_arch = "x86_64")]
unsafe fn clone(flags: c_int, stack: *mut c_void, token: u64, arg: *const c_void) -> isize {
    let result: isize;
    // SAFETY: only the child, on its own stack, runs the call, which does not return. The kernel
    // changes only the registers that are named.
    unsafe {
        asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "mov rdi, r12",
            "call {enter}",
            "ud2",
            "2:",
            enter = sym enter,
            inlateout("rax") libc::SYS_clone as isize => result,
            in("rdi") flags as isize,
            in("rsi") stack,
            in("rdx") token,
            in("r10") 0usize,
            in("r8") 0usize,
            in("r12") arg,
            lateout("rcx") _,
            lateout("r11") _,
        );
    }
    result
}

/// The same for AArch64.
#[cfg(target_arch = "aarch64")]
unsafe fn clone(flags: c_int, stack: *mut c_void, token: u64, arg: *const c_void) -> isize {
    let result: isize;
    // SAFETY: as for x86-64.
    unsafe {
        asm!(
            "svc 0",
            "cbnz x0, 2f",
            "mov x0, x20",
            "bl {enter}",
            "brk 1",
            "2:",
            enter = sym enter,
            inlateout("x0") flags as isize => result,
            in("x1") stack,
            in("x2") token,
            in("x3") 0usize,
            in("x4") 0usize,
            in("x8") libc::SYS_clone,
            in("x20") arg,
        );
    }
    result
}

pub struct Stack(Vec<u128>);

impl Stack {
    pub fn new() -> Self {
        Stack(vec![0; STACK / size_of::<u128>()])
    }

    fn top(&mut self) -> *mut c_void {
        self.0.as_mut_ptr_range().end.cast()
    }
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings
        .iter()
        .map(|s| s.as_ptr())
        .chain([std::ptr::null()])
        .collect()
}

fn resource_limits(l: &ResourceLimits) -> [(Resource, u64); 4] {
    [
        (libc::RLIMIT_CPU, l.cpu_seconds),
        (libc::RLIMIT_FSIZE, l.file),
        (libc::RLIMIT_STACK, l.stack),
        (libc::RLIMIT_NPROC, l.processes),
    ]
}

/// Makes a system call without touching `errno`; returns the result or the negated error.
///
/// # Safety
///
/// The caller must meet the requirements of the system call.
#[cfg(target_arch = "x86_64")]
unsafe fn call(number: c_long, [a, b, c, d]: [usize; 4]) -> isize {
    let result: isize;
    // SAFETY: the kernel changes only the registers that are named, and what the call may write.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") a,
            in("rsi") b,
            in("rdx") c,
            in("r10") d,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// The same for AArch64.
#[cfg(target_arch = "aarch64")]
unsafe fn call(number: c_long, [a, b, c, d]: [usize; 4]) -> isize {
    let result: isize;
    // SAFETY: as for x86-64.
    unsafe {
        asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") a as isize => result,
            in("x1") b,
            in("x2") c,
            in("x3") d,
            options(nostack),
        );
    }
    result
}

extern "C" fn enter(arg: *mut c_void) -> c_int {
    // SAFETY: `run_to_end` passes a `Child` that outlives exec.
    let child = unsafe { &*arg.cast::<Child<'_>>() };
    // SAFETY: this is the child.
    let Err((stage, error)) = unsafe { become_program(child) };
    child.failure.set((stage, -error as c_int));
    // SAFETY: _exit runs no handlers of this process.
    unsafe { libc::_exit(127) }
}

/// The name of a failed call and the negated error.
type Failed = (&'static str, isize);

/// Turns the child into the program; the box is set up already (`guest/set_up_box`). Returns only
/// on failure.
///
/// # Safety
///
/// Call only in the child.
unsafe fn become_program(child: &Child<'_>) -> Result<Infallible, Failed> {
    // SAFETY: plain numbers, or pointers that `Child` keeps valid until exec.
    unsafe {
        // A new process group, so that `kill(0, ...)` reaches only the program. A new session
        // would, on kernels that schedule by session, cost one more scheduling group per run.
        call(libc::SYS_setpgid, [0; 4]);
        // All other descriptors close on exec. The three sources are above 2, so no copy overwrites
        // another source.
        for (i, &fd) in child.stdio.iter().enumerate() {
            let copied = call(libc::SYS_dup3, [fd as usize, i, 0, 0]);
            at("set the standard streams", copied)?;
        }
        for &(resource, value) in &child.limits {
            at("set the resource limits", limit(resource, value))?;
        }
        if child.dies_with_parent {
            let (option, signal) = (libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            let set = call(libc::SYS_prctl, [option as usize, signal as usize, 0, 0]);
            at("make the program die with the sandbox", set)?;
        }
        if child.landlock >= 0 {
            let rules = [child.landlock as usize, 0, 0, 0];
            let enforced = call(libc::SYS_landlock_restrict_self, rules);
            at("enforce Landlock rules", enforced)?;
        }
        at(
            "install the filter on signals and clocks",
            limit_to_self(child),
        )?;
        Err((EXECUTE, execute(child)))
    }
}

/// Adds the name of the call to its result.
fn at(stage: &'static str, result: isize) -> Result<(), Failed> {
    match result {
        error if error < 0 => Err((stage, error)),
        _ => Ok(()),
    }
}

/// Executes the program. Returns only on failure, with the negated error.
///
/// # Safety
///
/// Call only in the child.
unsafe fn execute(child: &Child<'_>) -> isize {
    let execve = [
        child.program.as_ptr() as usize,
        child.argv.as_ptr() as usize,
        child.envp.as_ptr() as usize,
        0,
    ];
    let pause = libc::timespec {
        tv_sec: 0,
        tv_nsec: BUSY_PAUSE.subsec_nanos().into(),
    };
    for _ in 1..BUSY_TRIES {
        // SAFETY: `Child` keeps the strings and lists, which end with null; `pause` is readable.
        unsafe {
            let error = call(libc::SYS_execve, execve);
            if error != -libc::ETXTBSY as isize {
                return error;
            }
            call(libc::SYS_nanosleep, [&raw const pause as usize, 0, 0, 0]);
        }
        child.note_start();
    }
    // SAFETY: as above.
    unsafe { call(libc::SYS_execve, execve) }
}

/// Installs the filter that lets the program signal only itself and read only its own CPU clocks, if there is one.
/// Returns the negated error.
///
/// # Safety
///
/// Call only in the child.
unsafe fn limit_to_self(child: &Child<'_>) -> isize {
    // After the start, only the child uses the filter.
    let Ok(mut filter) = child.self_only.try_borrow_mut() else {
        return -libc::EBUSY as isize;
    };
    if filter.is_empty() {
        return 0;
    }
    // SAFETY: no pointers.
    let own = unsafe { call(libc::SYS_getpid, [0; 4]) };
    seccomp::set_own_pid(&mut filter, own as u32);
    let program = libc::sock_fprog {
        len: filter.len() as libc::c_ushort,
        filter: filter.as_mut_ptr(),
    };
    let mode = libc::SECCOMP_SET_MODE_FILTER as usize;
    // SAFETY: the program points to the stated number of instructions, which outlive the call.
    unsafe {
        call(
            libc::SYS_seccomp,
            [mode, 0, &raw const program as usize, child.token as usize],
        )
    }
}

/// Sets a limit, or falls back to the inherited hard limit if that is lower. Returns the negated
/// error.
///
/// # Safety
///
/// Call only in the child.
unsafe fn limit(resource: Resource, value: u64) -> isize {
    let set = |limit: &libc::rlimit| {
        let new = &raw const *limit as usize;
        // SAFETY: `limit` is readable; 0 is this process.
        unsafe { call(libc::SYS_prlimit64, [0, resource as usize, new, 0]) }
    };
    let error = set(&libc::rlimit {
        rlim_cur: value,
        rlim_max: value,
    });
    if error >= 0 {
        return 0;
    }
    let mut inherited = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    let old = &raw mut inherited as usize;
    // SAFETY: `inherited` is writable.
    let read = unsafe { call(libc::SYS_prlimit64, [0, resource as usize, 0, old]) };
    if read < 0 || inherited.rlim_max >= value {
        return error;
    }
    set(&libc::rlimit {
        rlim_cur: inherited.rlim_max,
        ..inherited
    })
}
