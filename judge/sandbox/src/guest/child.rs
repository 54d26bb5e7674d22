//! Between vfork and exec: raw system calls only, nothing is allocated, nothing is locked.
//!
//! The child borrows the zygote's memory until it has become the program, while the zygote stands
//! still; so it can say what failed by simply writing it down.
#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_char, c_void};
use std::os::fd::RawFd;

use libc::{c_int, pid_t};

use crate::guest::seccomp;
use crate::protocol::{ExecRequest, ResourceLimits};

/// Room for the child's few calls; it lives on a stack of its own, since it shares our memory.
const STACK: usize = 64 * 1024;

/// Everything the child needs, in the form in which the kernel wants it.
pub struct Child<'a> {
    program: &'a CStr,
    argv: Vec<*const c_char>,
    envp: Vec<*const c_char>,
    stdio: [RawFd; 3],
    limits: [(Resource, u64); 4],
    /// Whether the child must see to it that it dies with the zygote: a PID namespace does that.
    pub tied: bool,
    /// The Landlock rules to put on itself; -1: none.
    pub landlock: RawFd,
    /// The filter on signals to put on itself; empty: none.
    pub signals: RefCell<Vec<libc::sock_filter>>,
    /// Which call failed, and its `errno`.
    failure: Cell<(&'static str, c_int)>,
    token: u64,
}

/// The C libraries differ on the type.
#[cfg(target_env = "gnu")]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type Resource = c_int;

impl<'a> Child<'a> {
    /// Makes the pointers; `request` stays borrowed as long as they are used.
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

    /// Starts the program and gives its process id, or the call that failed and its `errno`.
    ///
    /// `token` travels in an argument that the kernel ignores here; where the seccomp filter
    /// forbids programs to fork, it tells the zygote's call from theirs.
    pub fn start(&self, stack: &mut Stack) -> Result<pid_t, (&'static str, c_int)> {
        self.failure.set(("", 0));
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        let arg: *const Self = self;
        // SAFETY: the stack outlives the child's use of it, since CLONE_VFORK holds us until it has
        // called exec or _exit; `enter` makes only raw system calls on memory that is ready.
        let pid = unsafe {
            libc::clone(
                enter,
                stack.top(),
                flags,
                arg as *mut c_void,
                self.token as *mut pid_t,
            )
        };
        match (pid, self.failure.get()) {
            (-1, _) => Err(("start a process", errno())),
            (pid, ("", _)) => Ok(pid),
            (pid, failure) => {
                // It has said why and is gone: only its shell is left.
                // SAFETY: a null status is allowed; `pid` is our child.
                unsafe { libc::waitpid(pid, std::ptr::null_mut(), libc::__WALL) };
                Err(failure)
            }
        }
    }
}

/// The stack of the child.
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
    // SAFETY: `start` passes a `Child` that lives until exec.
    let child = unsafe { &*arg.cast::<Child<'_>>() };
    let stage = become_program(child);
    child.failure.set((stage, errno()));
    // SAFETY: _exit runs nothing of ours.
    unsafe { libc::_exit(127) }
}

/// Returns only when a call failed: its name.
fn become_program(child: &Child<'_>) -> &'static str {
    // SAFETY: plain numbers, or pointers that `Child` keeps alive until exec.
    unsafe {
        // A group of its own, so that `kill(0, ...)` hits only itself. A session of its own, where
        // the kernel groups its scheduling by sessions, would be one more scheduling group a run.
        libc::setpgid(0, 0);
        // Only the three: all others close on exec. They are above 2, so none overwrites another.
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
            return "tie the program to the sandbox";
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

/// From here on the program may signal only itself, where it is told to.
fn limit_signals(child: &Child<'_>) -> bool {
    // Nobody else has it: the zygote stands still until exec.
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
    // SAFETY: the program points to as many instructions as it says, which live through the call.
    unsafe { libc::syscall(libc::SYS_seccomp, mode, 0, &raw const program) == 0 }
}

/// The hard limit that we inherited is lower than what is asked for: take all there is.
unsafe fn lower(resource: Resource, value: u64) -> bool {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is writable, and readable afterwards.
    unsafe {
        libc::getrlimit(resource, &mut limit) == 0 && limit.rlim_max < value && {
            limit.rlim_cur = limit.rlim_max;
            libc::setrlimit(resource, &limit) == 0
        }
    }
}
