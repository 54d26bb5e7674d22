//! The zygote: a small process from which every program of a box is started.
//!
//! It is the judge's own executable, run again: [`init`] finds out before `main` that it is to be
//! a zygote. So it is small and has one thread, whatever the judge is; what it starts neither
//! inherits the judge's size (`ru_maxrss` begins at the size of the process that forks) nor pays
//! for copying its page tables.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use libc::{c_int, pid_t};

use crate::child::{Child, Stack};
use crate::plan::{Ended, Isolation, Reply, Request, Setup};
use crate::{clean, landlock, privileges, reap, root, seccomp, sys, wire};

/// The zygote's end of the socket.
pub const SOCKET: RawFd = 3;

/// The variable that makes a zygote of the judge's executable.
pub const VARIABLE: &CStr = c"JUDGE_SANDBOX_ZYGOTE=1";

/// How many files a program may have open.
const OPEN_FILES: libc::rlim_t = 1024;

/// How often a program that is still being written is tried again, and the pause in between.
const BUSY_TRIES: usize = 100;
const BUSY_PAUSE: Duration = Duration::from_millis(5);

static INITIALISED: AtomicBool = AtomicBool::new(false);

/// Runs before `main` in every program that links this crate.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = before_main;

extern "C" fn before_main() {
    init();
}

/// Becomes a zygote if this process was started as one; else returns at once.
///
/// It runs by itself before `main` (through `.init_array`). Where a linker drops that hook,
/// [`open`](crate::open) says so; then call this first in `main`.
pub fn init() {
    INITIALISED.store(true, Ordering::Relaxed);
    // SAFETY: there is one thread yet; the name ends in NUL.
    let marked = unsafe { !libc::getenv(c"JUDGE_SANDBOX_ZYGOTE".as_ptr()).is_null() };
    if marked && is_packet_socket(SOCKET) {
        // An error has nowhere to go: the judge sees the end of the socket.
        let _ = serve();
        exit();
    }
}

/// Whether [`init`] has run.
pub fn initialised() -> bool {
    INITIALISED.load(Ordering::Relaxed)
}

fn exit() -> ! {
    // SAFETY: ends the process; nothing of ours needs to run.
    unsafe { libc::_exit(0) }
}

fn is_packet_socket(fd: RawFd) -> bool {
    let (mut kind, mut size) = (0 as c_int, size_of::<c_int>() as libc::socklen_t);
    let kind_ptr: *mut c_int = &mut kind;
    // SAFETY: `kind` is writable and `size` is its size.
    let got = unsafe {
        libc::getsockopt(
            fd,
            libc::SOL_SOCKET,
            libc::SO_TYPE,
            kind_ptr.cast(),
            &mut size,
        )
    };
    got == 0 && kind == libc::SOCK_SEQPACKET
}

/// Sets up, then runs what is asked for until the judge is gone.
fn serve() -> io::Result<()> {
    clean_process();
    let mut buffer = vec![0; wire::MAX_MESSAGE];
    let (n, fds) = wire::receive(SOCKET, &mut buffer)?;
    let setup = Setup::decode(&buffer[..n])?;
    let mut zygote = match Zygote::new(&setup, &fds) {
        Ok(zygote) => zygote,
        Err(trouble) => return reply(&trouble.into_reply()),
    };
    drop(fds);
    reply(&Reply::Ready {
        lacks: std::mem::take(&mut zygote.lacks),
    })?;
    zygote.ready = own_cpu();
    let outcome = run_until_alone(&mut zygote, &mut buffer);
    if setup.isolation == Isolation::None {
        // A judge that was killed could not do it.
        zygote.writable.empty();
        let _ = std::fs::remove_dir(&setup.work);
    }
    outcome
}

/// Runs what is asked for until the judge is gone.
fn run_until_alone(zygote: &mut Zygote, buffer: &mut [u8]) -> io::Result<()> {
    loop {
        let (n, fds) = wire::receive(SOCKET, buffer)?;
        if n == 0 {
            return Ok(());
        }
        let request = Request::decode(&buffer[..n])?;
        let answer = zygote.run(&request, fds);
        reply(&answer.map_or_else(Trouble::into_reply, Reply::Ended))?;
    }
}

fn reply(reply: &Reply) -> io::Result<()> {
    wire::send(SOCKET, reply.encode().as_slice(), &[])
}

/// What failed and how.
pub struct Trouble {
    pub stage: String,
    pub errno: c_int,
}

impl Trouble {
    fn into_reply(self) -> Reply {
        Reply::Failed {
            stage: self.stage,
            errno: self.errno,
        }
    }
}

/// Names the stage at which a call failed.
pub trait At<T> {
    fn at(self, stage: impl Into<String>) -> Result<T, Trouble>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, stage: impl Into<String>) -> Result<T, Trouble> {
        self.map_err(|e| Trouble {
            stage: stage.into(),
            errno: e.raw_os_error().unwrap_or(libc::EIO),
        })
    }
}

/// Forgets what the judge left us: signals, mask, umask, descriptors, address layout, group.
fn clean_process() {
    // SAFETY: plain numbers and an action and a set that live through the calls. What a call
    // refuses (signals 9 and 19, say) is meant to stay as it is.
    unsafe {
        let default: libc::sigaction = std::mem::zeroed();
        for signal in 1..=64 {
            libc::sigaction(signal, &default, std::ptr::null_mut());
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
        libc::umask(0o022);
        libc::personality(0);
        libc::setsid();
        for fd in 0..3 {
            libc::close(fd);
        }
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        libc::dup(null);
        libc::dup(null);
        libc::syscall(libc::SYS_close_range, SOCKET + 1, libc::c_uint::MAX, 0);
        libc::fcntl(SOCKET, libc::F_SETFD, libc::FD_CLOEXEC);
        // These limits are the same for every program. One that is lower already stays. Without the
        // two on priorities a user who may make his processes real-time ones would hand that on.
        for (resource, value) in [
            (libc::RLIMIT_CORE, 0),
            (libc::RLIMIT_NOFILE, OPEN_FILES),
            (libc::RLIMIT_RTPRIO, 0),
            (libc::RLIMIT_NICE, 0),
            (libc::RLIMIT_MSGQUEUE, 0),
        ] {
            let limit = libc::rlimit {
                rlim_cur: value,
                rlim_max: value,
            };
            libc::setrlimit(resource, &limit);
        }
        // Memory is limited otherwise; a shell's `ulimit -Sv` is no business of the program's.
        for resource in [libc::RLIMIT_AS, libc::RLIMIT_DATA] {
            let mut limit: libc::rlimit = std::mem::zeroed();
            if libc::getrlimit(resource, &mut limit) == 0 {
                limit.rlim_cur = limit.rlim_max;
                libc::setrlimit(resource, &limit);
            }
        }
    }
}

struct Zygote {
    isolation: Isolation,
    token: u64,
    judge: u32,
    stack: Stack,
    writable: clean::Writable,
    /// The zygote's own CPU time when it stood.
    ready: Duration,
    /// What a program puts on itself before exec, where that is its only fence.
    landlock: Option<landlock::Ruleset>,
    /// The same for signals, where no PID namespace hides others; empty: nothing.
    signals: Vec<libc::sock_filter>,
    lacks: Vec<String>,
}

impl Zygote {
    fn new(setup: &Setup, fds: &[OwnedFd]) -> Result<Self, Trouble> {
        if let Some(core) = setup.core {
            sys::pin(core).at(format!("pin the box to core {core}"))?;
        }
        let mut zygote = Zygote {
            isolation: setup.isolation,
            token: setup.token,
            judge: std::os::unix::process::parent_id(),
            stack: Stack::new(),
            writable: clean::Writable::none(),
            ready: Duration::ZERO,
            landlock: None,
            signals: Vec::new(),
            lacks: Vec::new(),
        };
        if setup.isolation == Isolation::Namespaces {
            zygote.build_root(setup, fds)?;
        } else {
            std::env::set_current_dir(&setup.work).at("enter the work directory")?;
            zygote.writable.add(c".").at("open the work directory")?;
        }
        reap::die_with_the_judge(setup.isolation).at("tie the box to the judge")?;
        if setup.isolation != Isolation::None {
            zygote.fence(setup, fds)?;
        }
        Ok(zygote)
    }

    /// Notes a layer that could not be had, and goes on without.
    fn optional(&mut self, layer: &str, result: io::Result<()>) {
        if let Err(e) = result {
            self.lacks.push(format!("{layer}: {e}"));
        }
    }

    fn build_root(&mut self, setup: &Setup, fds: &[OwnedFd]) -> Result<(), Trouble> {
        self.optional("cgroup-namespace", sys::own_cgroup_namespace());
        sys::set_host_name("judge").at("name the box")?;
        if !root::build(setup, fds)? {
            self.optional("proc", Err(io::ErrorKind::PermissionDenied.into()));
        }
        for place in [c"/work", c"/tmp", c"/dev/shm"] {
            self.writable.add(place).at("open the work directory")?;
        }
        self.writable
            .on_own_file_system()
            .at("look at the work directory")?;
        Ok(())
    }

    /// Gives up privileges, files and system calls, in this order: each step needs the one before.
    fn fence(&mut self, setup: &Setup, fds: &[OwnedFd]) -> Result<(), Trouble> {
        let namespaces = setup.isolation == Isolation::Namespaces;
        if namespaces {
            privileges::drop_capabilities().at("drop capabilities")?;
            let second_lock = landlock::rules_of_root(setup).and_then(|rules| rules.enforce());
            self.optional("landlock", second_lock);
        } else {
            // Before root stops being root: it makes rules for what nobody may not open.
            let rules = landlock::rules_of_entries(setup, fds).at("make Landlock rules")?;
            privileges::become_nobody().at("become nobody")?;
            reap::die_with_the_judge(setup.isolation).at("tie the box to the judge")?;
            rules.enforce().at("enforce Landlock rules")?;
            self.landlock = Some(rules);
            // Landlock itself sees to it only from its sixth version on. A compiler's parts must
            // be able to end each other.
            if !setup.fork {
                self.signals = seccomp::only_signals_to_itself();
            }
        }
        privileges::no_new_privileges().at("refuse new privileges")?;
        let rules = seccomp::Rules {
            fork: setup.fork,
            namespaces,
            metadata: namespaces || setup.fork,
            token: setup.token,
        };
        let filtered = seccomp::install(rules);
        if namespaces {
            self.optional("seccomp", filtered);
        } else {
            filtered.at("install the system-call filter")?;
        }
        Ok(())
    }

    /// Runs one program to its end, ends all that it left and empties the box.
    fn run(&mut self, request: &Request, fds: Vec<OwnedFd>) -> Result<Ended, Trouble> {
        let [stdin, stdout, stderr] = &fds[..] else {
            return Err(Trouble {
                stage: "receive the descriptors".into(),
                errno: libc::EMFILE,
            });
        };
        let stdio = [stdin.as_raw_fd(), stdout.as_raw_fd(), stderr.as_raw_fd()];
        let mut child = Child::new(request, stdio, self.token);
        child.signals = self.signals.clone().into();
        child.tied = self.isolation != Isolation::Namespaces;
        child.landlock = self
            .landlock
            .as_ref()
            .map_or(-1, landlock::Ruleset::as_raw_fd);
        let (main, start) = start_unless_busy(&child, &mut self.stack, request)?;
        // Only the program's own copies are left: whoever it talks to sees when it closes them.
        drop(fds);
        reap::MAIN.store(main, Ordering::Relaxed);
        if self.isolation != Isolation::Namespaces
            && std::os::unix::process::parent_id() != self.judge
        {
            // The judge died while nothing ran yet that its death could have ended.
            reap::end_program(reap::END);
        }
        let mut ended = Ended::default();
        reap::until(main, &mut ended).at("wait for the program")?;
        reap::MAIN.store(0, Ordering::Relaxed);
        ended.wall = sys::clock(libc::CLOCK_MONOTONIC).saturating_sub(start);
        reap::end_the_rest(self.isolation, &mut ended).at("end what the program left running")?;
        (ended.left_bytes, ended.spoilt) = self.writable.empty();
        ended.own_cpu = own_cpu().saturating_sub(self.ready);
        Ok(ended)
    }
}

fn own_cpu() -> Duration {
    sys::clock(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Starts the program and says when. One that is still open for writing (a compiler just made it,
/// and some other process was forked meanwhile) is tried again, for half a second.
fn start_unless_busy(
    child: &Child<'_>,
    stack: &mut Stack,
    request: &Request,
) -> Result<(pid_t, Duration), Trouble> {
    for _ in 0..BUSY_TRIES {
        let start = sys::clock(libc::CLOCK_MONOTONIC);
        match child.start(stack) {
            Err((_, libc::ETXTBSY)) => std::thread::sleep(BUSY_PAUSE),
            Err(("execute", errno)) => {
                let stage = format!("execute {}", request.program.to_string_lossy());
                return Err(Trouble { stage, errno });
            }
            Err((stage, errno)) => {
                return Err(Trouble {
                    stage: stage.into(),
                    errno,
                });
            }
            Ok(pid) => return Ok((pid, start)),
        }
    }
    Err(Trouble {
        stage: format!("execute {}", request.program.to_string_lossy()),
        errno: libc::ETXTBSY,
    })
}
