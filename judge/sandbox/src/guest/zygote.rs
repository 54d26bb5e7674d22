//! The zygote: a small process, forked by the template, that starts every program of a box.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustix::process::{Gid, Resource, Rlimit, Uid, setrlimit, setsid};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

use crate::guest::child::{Child, Stack};
use crate::guest::sockets::Sockets;
use crate::guest::{cleanup, init, landlock, privileges, root, seccomp};
use crate::protocol::layout::{END_SIGNAL, MOVED, NOT_MOVED, socket};
use crate::protocol::{
    At, ExecRequest, ForkRequest, Isolation, Reply, RunResult, Setup, StageError, ipc,
};
use crate::sys::{self, scheduler};

/// Limit on the queued signals and timers of a box. They also count for the user on the host, whose
/// limit is some thousands: without this limit a box could make `timer_create` fail in a concurrent
/// box. Without a user namespace all boxes share one count, so a lower limit would not help.
const QUEUED_SIGNALS: Rlimit = Rlimit {
    current: Some(512),
    maximum: Some(512),
};

/// Runs a zygote in its new namespaces: enters the control groups, waits for the judge's `GO`
/// message, sets up the box and serves requests until the judge closes the socket. `groups` holds
/// the files of the control groups; it is empty if the process was created in its group.
pub fn serve_box(request: &ForkRequest, groups: Vec<OwnedFd>) -> io::Result<()> {
    // On kernels that schedule by session, each box is a session.
    let _ = setsid();
    if !groups.is_empty() && !request.in_cgroup {
        let moved = groups.iter().all(|group| move_into(group).is_ok());
        ipc::send(socket(), &[if moved { MOVED } else { NOT_MOVED }], &[])?;
    }
    drop(groups);
    let (n, _) = ipc::receive(socket(), &mut [0; 8])?;
    if n == 0 {
        return Ok(());
    }
    scheduler::wake_promptly();
    match become_root(request).at("become the box's user") {
        Ok(()) => serve(),
        Err(error) => reply(&error.into()),
    }
}

fn move_into(group: &OwnedFd) -> io::Result<()> {
    rustix::io::write(group, b"0")?;
    Ok(())
}

/// Becomes user 0 of the new user namespace, as the template has mapped it.
fn become_root(request: &ForkRequest) -> io::Result<()> {
    // This process has one thread.
    if request.drop_groups {
        set_thread_groups(&[])?;
    }
    if request.root_uid.is_some() {
        set_thread_res_gid(Gid::ROOT, Gid::ROOT, Gid::ROOT)?;
        set_thread_res_uid(Uid::ROOT, Uid::ROOT, Uid::ROOT)?;
        setrlimit(Resource::Sigpending, QUEUED_SIGNALS)?;
    }
    // Keeps this process's files in `/proc` readable for the judge after the change of user.
    sys::prctl(libc::PR_SET_DUMPABLE, 1, 0)?;
    Ok(())
}

/// Sets up the box, then serves requests until the judge closes the socket.
fn serve() -> io::Result<()> {
    let mut buffer = vec![0; ipc::MAX_MESSAGE];
    let (n, fds) = ipc::receive(socket(), &mut buffer)?;
    let setup = Setup::decode(&buffer[..n])?;
    let mut zygote = match Zygote::new(&setup, &fds) {
        Ok(zygote) => zygote,
        Err(error) => return reply(&error.into()),
    };
    drop(fds);
    reply(&Reply::Ready {
        missing_layers: std::mem::take(&mut zygote.missing_layers),
        work: zygote.work,
    })?;
    zygote.ready = own_cpu();
    let outcome = serve_requests(&mut zygote, &mut buffer);
    if setup.isolation == Isolation::None {
        // Removes the work directory here, because a killed judge cannot.
        zygote.writable.empty();
        let _ = std::fs::remove_dir(&setup.work);
    }
    outcome
}

/// Serves requests until the judge closes the socket.
fn serve_requests(zygote: &mut Zygote, buffer: &mut [u8]) -> io::Result<()> {
    let mut last = None;
    loop {
        let (n, fds) = ipc::receive(socket(), buffer)?;
        let request = match &buffer[..n] {
            [] => return Ok(()),
            ExecRequest::REPEAT => last.as_ref().ok_or_else(ipc::malformed)?,
            message => last.insert(ExecRequest::decode(message)?),
        };
        let ended = zygote.run(request, fds);
        reply(&ended.map_or_else(Reply::from, Reply::RunResult))?;
    }
}

fn reply(reply: &Reply) -> io::Result<()> {
    ipc::send(socket(), reply.encode().as_slice(), &[])
}

struct Zygote {
    isolation: Isolation,
    token: u64,
    judge: u32,
    stack: Stack,
    writable: cleanup::Writable,
    sockets: Sockets,
    /// The descriptor of the work directory.
    work: RawFd,
    /// The zygote's own CPU time when its setup was complete.
    ready: Duration,
    /// Landlock rules that the child enforces on itself before exec, where they are the only
    /// barrier.
    landlock: Option<landlock::Ruleset>,
    /// The filter on signals, where no PID namespace hides other processes; otherwise empty.
    signals: Vec<libc::sock_filter>,
    missing_layers: Vec<String>,
}

impl Zygote {
    fn new(setup: &Setup, fds: &[OwnedFd]) -> Result<Self, StageError> {
        if let Some(core) = setup.core {
            scheduler::pin(core).at(format!("pin the box to core {core}"))?;
        }
        let mut zygote = Zygote {
            isolation: setup.isolation,
            token: setup.token,
            judge: std::os::unix::process::parent_id(),
            stack: Stack::new(),
            writable: cleanup::Writable::none(),
            sockets: Sockets::none(),
            work: -1,
            ready: Duration::ZERO,
            landlock: None,
            signals: Vec::new(),
            missing_layers: Vec::new(),
        };
        if setup.isolation == Isolation::Namespaces {
            zygote.sockets = Sockets::of_namespace().at("open the list of sockets")?;
            zygote.build_root(setup, fds)?;
        } else {
            std::env::set_current_dir(&setup.work).at("enter the work directory")?;
            zygote.work = zygote.writable.add(c".").at("open the work directory")?;
        }
        init::die_with_judge(setup.isolation).at("make the box die with the judge")?;
        if setup.isolation != Isolation::None {
            zygote.fence(setup, fds)?;
        }
        Ok(zygote)
    }

    /// Records a layer that could not be set up, and continues without it.
    fn optional(&mut self, layer: &str, result: io::Result<()>) {
        if let Err(e) = result {
            self.missing_layers.push(format!("{layer}: {e}"));
        }
    }

    fn build_root(&mut self, setup: &Setup, fds: &[OwnedFd]) -> Result<(), StageError> {
        self.optional("cgroup-namespace", sys::own_cgroup_namespace());
        sys::set_host_name("judge").at("name the box")?;
        let built = root::build(setup, fds)?;
        if !built.proc {
            self.optional("proc", Err(io::ErrorKind::PermissionDenied.into()));
        }
        let work = self.writable.add_open(built.work);
        self.work = work.at("open the work directory")?;
        for place in [c"/tmp", c"/dev/shm"] {
            self.writable
                .add(place)
                .at("open the temporary directories")?;
        }
        self.writable
            .on_own_file_system()
            .at("read the usage of the work directory")?;
        Ok(())
    }

    /// Drops privileges, then restricts file access, then system calls. Each step requires the
    /// previous one.
    fn fence(&mut self, setup: &Setup, fds: &[OwnedFd]) -> Result<(), StageError> {
        let namespaces = setup.isolation == Isolation::Namespaces;
        if namespaces {
            privileges::drop_capabilities().at("drop capabilities")?;
            let second_lock = landlock::rules_of_root(setup).and_then(|rules| rules.enforce());
            self.optional("landlock", second_lock);
        } else {
            // Made while still root, because the rules cover files that `nobody` may not open.
            let rules = landlock::rules_of_entries(setup, fds).at("make Landlock rules")?;
            privileges::become_nobody().at("become nobody")?;
            init::die_with_judge(setup.isolation).at("make the box die with the judge")?;
            rules.enforce().at("enforce Landlock rules")?;
            self.landlock = Some(rules);
            // Landlock restricts signals only from version 6 on. The processes of a compiler must
            // be able to kill each other.
            if !setup.fork {
                self.signals = seccomp::self_signals_only();
            }
        }
        privileges::no_new_privileges().at("set no_new_privs")?;
        let rules = seccomp::Rules {
            fork: setup.fork,
            namespaces,
            metadata: namespaces || setup.fork,
            truncate: namespaces || landlock::restricts_truncation(),
            memory_group: !setup.uncounted,
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

    /// Runs one program to its end, kills its remaining processes and empties the box.
    fn run(&mut self, request: &ExecRequest, fds: Vec<OwnedFd>) -> Result<RunResult, StageError> {
        let [stdin, stdout, stderr] = &fds[..] else {
            return Err(StageError {
                stage: "receive the descriptors".into(),
                errno: libc::EMFILE,
            });
        };
        let stdio = [stdin.as_raw_fd(), stdout.as_raw_fd(), stderr.as_raw_fd()];
        let mut child = Child::new(request, stdio, self.token);
        child.signals = self.signals.clone().into();
        child.dies_with_parent = self.isolation != Isolation::Namespaces;
        child.landlock = self
            .landlock
            .as_ref()
            .map_or(-1, landlock::Ruleset::as_raw_fd);
        let mut ended = RunResult::default();
        let (start, refused) = child.run(&mut self.stack, |main| {
            // Only the program's copies stay open, so its peer gets an end of file when the program
            // closes them.
            drop(fds);
            init::MAIN_PID.store(main, Ordering::Relaxed);
            if self.isolation != Isolation::Namespaces
                && std::os::unix::process::parent_id() != self.judge
            {
                // The judge died before the program existed.
                init::end_program(END_SIGNAL);
            }
            let waited = init::reap_until_end(main, &mut ended).at("wait for the program");
            init::MAIN_PID.store(0, Ordering::Relaxed);
            waited
        })?;
        ended.exec_error = refused.unwrap_or(0);
        ended.wall = sys::clock(libc::CLOCK_MONOTONIC).saturating_sub(start);
        init::kill_rest(self.isolation, &mut ended).at("end what the program left running")?;
        let held_files = self.sockets.close_left();
        (ended.left_bytes, ended.unclean) = self.writable.empty();
        ended.unclean |= held_files;
        ended.own_cpu = own_cpu().saturating_sub(self.ready);
        Ok(ended)
    }
}

fn own_cpu() -> Duration {
    sys::clock(libc::CLOCK_THREAD_CPUTIME_ID)
}
