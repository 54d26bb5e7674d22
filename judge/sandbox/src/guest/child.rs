//! The program's start, between vfork and exec: raw system calls only, no allocation, no lock.
//!
//! The child shares the zygote's memory until exec, and the zygote is suspended meanwhile. So the
//! child reports a failed call by writing to that memory.
#![allow(unsafe_code)]

use std::arch::asm;
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_char, c_void};
use std::os::fd::RawFd;

use libc::{c_int, pid_t};

use crate::guest::seccomp;
use crate::protocol::{ExecRequest, ResourceLimits};

/// Size of the child's own stack, which it needs because it shares the zygote's memory.
const STACK: usize = 64 * 1024;

/// Everything that the child needs, in the form of the system calls.
pub struct Child<'a> {
    program: &'a CStr,
    argv: Vec<*const c_char>,
    envp: Vec<*const c_char>,
    stdio: [RawFd; 3],
    limits: [(Resource, u64); 4],
    /// Whether the child must arrange to die with the zygote; a PID namespace does that by itself.
    pub tied: bool,
    /// The Landlock rules to enforce; -1 for none.
    pub landlock: RawFd,
    /// The filter on signals to install; empty for none.
    pub signals: RefCell<Vec<libc::sock_filter>>,
    /// The failed call and its `errno`.
    failure: Cell<(&'static str, c_int)>,
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
            tied: false,
            landlock: -1,
            signals: RefCell::default(),
            failure: Cell::new(("", 0)),
            token,
        }
    }

    /// Starts the program. Returns its process id, or the failed call and its `errno`.
    ///
    /// `token` is passed in an argument that the kernel ignores here. Where the seccomp filter
    /// forbids programs to fork, it distinguishes the zygote's call from theirs.
    pub fn start(&self, stack: &mut Stack) -> Result<pid_t, (&'static str, c_int)> {
        self.failure.set(("", 0));
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        let arg: *const Self = self;
        // SAFETY: the stack outlives the child's use of it, since CLONE_VFORK suspends this process
        // until exec or _exit; `enter` makes only raw system calls on prepared memory.
        let pid = unsafe { clone(flags, stack.top(), self.token, arg.cast()) };
        match (pid as pid_t, self.failure.get()) {
            (error @ ..0, _) => Err(("start a process", -error)),
            (pid, ("", _)) => Ok(pid),
            (pid, failure) => {
                // The child has reported and exited; only its zombie is left.
                //
                // SAFETY: a null status is allowed; `pid` is our child.
                unsafe { libc::waitpid(pid, std::ptr::null_mut(), libc::__WALL) };
                Err(failure)
            }
        }
    }
}

/// Starts a process that calls [`enter`] with `arg` on the stack that ends at `stack`. Returns its
/// process id, or the negated `errno`. The C libraries' `clone` is not used because musl's does not
/// pass on an argument that the flags make the kernel ignore, such as `token`.
///
/// # Safety
///
/// `flags` must contain CLONE_VM and CLONE_VFORK; the stack must be aligned to 16 bytes and large
/// enough, `arg` what `enter` expects, and all that it uses must live until exec.
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

/// As for the other architecture.
#[cfg(target_arch = "aarch64")]
unsafe fn clone(flags: c_int, stack: *mut c_void, token: u64, arg: *const c_void) -> isize {
    let result: isize;
    // SAFETY: as for the other architecture.
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

fn errno() -> c_int {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

extern "C" fn enter(arg: *mut c_void) -> c_int {
    // SAFETY: `start` passes a `Child` that outlives exec.
    let child = unsafe { &*arg.cast::<Child<'_>>() };
    let stage = become_program(child);
    child.failure.set((stage, errno()));
    // SAFETY: _exit runs no handlers of this process.
    unsafe { libc::_exit(127) }
}

/// Returns only if a call failed: the name of that call.
fn become_program(child: &Child<'_>) -> &'static str {
    // SAFETY: plain numbers, or pointers that `Child` keeps valid until exec.
    unsafe {
        // A new process group, so that `kill(0, ...)` reaches only the program. A new session
        // would, on kernels that schedule by session, cost one more scheduling group per run.
        libc::setpgid(0, 0);
        // All other descriptors close on exec. These are above 2, so none overwrites another.
        for (i, &fd) in child.stdio.iter().enumerate() {
            if libc::dup2(fd, i as c_int) < 0 {
                return "set the standard streams";
            }
        }
        for &(resource, value) in &child.limits {
            let limit = libc::rlimit {
                rlim_cur: value,
                rlim_max: value,
            };
            if libc::setrlimit(resource, &limit) < 0 && !lower(resource, value) {
                return "set the resource limits";
            }
        }
        if child.tied && libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) < 0 {
            return "make the program die with the sandbox";
        }
        if child.landlock >= 0
            && libc::syscall(libc::SYS_landlock_restrict_self, child.landlock, 0) < 0
        {
            return "enforce Landlock rules";
        }
        if !limit_signals(child) {
            return "install the filter on signals";
        }
        libc::execve(
            child.program.as_ptr(),
            child.argv.as_ptr(),
            child.envp.as_ptr(),
        );
        "execute"
    }
}

/// Installs the filter that lets the program signal only itself, if there is one.
fn limit_signals(child: &Child<'_>) -> bool {
    // Not borrowed elsewhere: the zygote is suspended until exec.
    let Ok(mut filter) = child.signals.try_borrow_mut() else {
        return false;
    };
    if filter.is_empty() {
        return true;
    }
    // SAFETY: no pointers.
    let own = unsafe { libc::syscall(libc::SYS_getpid) };
    seccomp::set_own_pid(&mut filter, own as u32);
    let program = libc::sock_fprog {
        len: filter.len() as libc::c_ushort,
        filter: filter.as_mut_ptr(),
    };
    let mode = libc::SECCOMP_SET_MODE_FILTER;
    // SAFETY: the program points to the stated number of instructions, which outlive the call.
    unsafe { libc::syscall(libc::SYS_seccomp, mode, 0, &raw const program) == 0 }
}

/// Falls back to the inherited hard limit if it is lower than the requested one.
unsafe fn lower(resource: Resource, value: u64) -> bool {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is writable and initialised.
    unsafe {
        libc::getrlimit(resource, &mut limit) == 0 && limit.rlim_max < value && {
            limit.rlim_cur = limit.rlim_max;
            libc::setrlimit(resource, &limit) == 0
        }
    }
}
