//! The setup of a box, once before its first run: each kind of isolation is one list of calls.
//!
//! The order matters: namespaces, root and work directory need privileges; dropping them comes
//! before the restrictions on files and system calls, which hold for the zygote, too. What a program
//! adds between clone and exec is the list in `guest/child`.

use std::io;
use std::os::fd::OwnedFd;

use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{Gid, Uid, set_thread_groups, set_thread_res_gid, set_thread_res_uid};

use crate::linux::guest::cleanup::Writable;
use crate::linux::guest::landlock::Ruleset;
use crate::linux::guest::sockets::Sockets;
use crate::linux::guest::{init, landlock, privileges, root, seccomp};
use crate::linux::protocol::{At, ForkRequest, Isolation, Setup, StageError};
use crate::linux::sys::{self, scheduler};

/// A box that is ready to run programs.
pub struct ReadyBox {
    pub writable: Writable,
    pub sockets: Sockets,
    /// Landlock rules that every program enforces on itself before exec, where they are the only
    /// barrier.
    pub landlock: Option<Ruleset>,
    /// The filter on signals and CPU clocks, where no PID namespace hides other processes; otherwise empty.
    pub self_only: Vec<libc::sock_filter>,
    /// Layers that could not be set up, each as `name: why`.
    pub missing_layers: Vec<String>,
}

/// Sets up the box in this process, which waits in its new namespaces and in its control group.
/// `fds` are the sources of the mounts.
pub fn set_up(
    request: &ForkRequest,
    setup: &Setup,
    fds: &[OwnedFd],
) -> Result<ReadyBox, StageError> {
    scheduler::wake_promptly();
    become_root(request).at("become the box's user")?;
    pin(setup)?;
    match setup.isolation {
        Isolation::Namespaces => with_namespaces(setup, fds),
        Isolation::Landlock => with_landlock_alone(setup, fds),
        Isolation::None => without_isolation(setup),
    }
}

fn with_namespaces(setup: &Setup, fds: &[OwnedFd]) -> Result<ReadyBox, StageError> {
    let mut missing = MissingLayers::default();
    sys::own_network_ipc_and_host_name().at("create the box's namespaces")?;
    // Opened while `/proc` is the host's.
    let sockets = Sockets::of_namespace().at("open the list of sockets")?;
    missing.unless("cgroup-namespace", sys::own_cgroup_namespace());
    sys::set_host_name("judge").at("name the box")?;

    root::make_mounts_private()?;
    root::enter_empty_root()?;
    let work = root::mount_writable_directories(setup)?;
    root::add_entries(&setup.entries, fds)?;
    root::protect_work(setup)?;
    missing.unless("proc", root::mount_proc());
    root::leave_host_root()?;
    root::make_read_only()?;
    root::enter_work()?;
    let writable = Writable::of_box(work).at("open the writable directories")?;

    init::die_with_judge(setup.isolation).at("make the box die with the judge")?;
    privileges::drop_capabilities().at("drop capabilities")?;
    let files = landlock::rules_of_root(setup).and_then(|rules| rules.enforce());
    missing.unless("landlock", files);
    privileges::no_new_privileges().at("set no_new_privs")?;
    let calls = seccomp::install(seccomp::Rules {
        fork: setup.fork,
        namespaces: true,
        metadata: true,
        truncate: true,
        memory_group: !setup.uncounted,
        token: setup.token,
    });
    missing.unless("seccomp", calls);
    Ok(ReadyBox {
        writable,
        sockets,
        landlock: None,
        self_only: Vec::new(),
        missing_layers: missing.0,
    })
}

fn with_landlock_alone(setup: &Setup, fds: &[OwnedFd]) -> Result<ReadyBox, StageError> {
    let writable = enter_host_work(setup)?;
    // Made while still root, because the rules cover files that `nobody` may not open.
    let files = landlock::rules_of_entries(setup, fds).at("make Landlock rules")?;
    privileges::become_nobody().at("become nobody")?;
    // A change of user clears the signal, so this comes after it.
    init::die_with_judge(setup.isolation).at("make the box die with the judge")?;
    files.enforce().at("enforce Landlock rules")?;
    privileges::no_new_privileges().at("set no_new_privs")?;
    seccomp::install(seccomp::Rules {
        fork: setup.fork,
        namespaces: false,
        metadata: setup.fork,
        truncate: landlock::restricts_truncation(),
        memory_group: !setup.uncounted,
        token: setup.token,
    })
    .at("install the system-call filter")?;
    // Landlock restricts signals only from version 6 on. The processes of a compiler must be able
    // to kill each other.
    let self_only = match setup.fork {
        true => Vec::new(),
        false => seccomp::self_only(),
    };
    Ok(ReadyBox {
        writable,
        sockets: Sockets::none(),
        landlock: Some(files),
        self_only,
        missing_layers: Vec::new(),
    })
}

fn without_isolation(setup: &Setup) -> Result<ReadyBox, StageError> {
    let writable = enter_host_work(setup)?;
    init::die_with_judge(setup.isolation).at("make the box die with the judge")?;
    Ok(ReadyBox {
        writable,
        sockets: Sockets::none(),
        landlock: None,
        self_only: Vec::new(),
        missing_layers: Vec::new(),
    })
}

/// Limit on the queued signals and timers of a box. They also count for the user on the host, whose
/// limit is some thousands: without this limit a box could make `timer_create` fail in a concurrent
/// box. Without a user namespace all boxes share one count, so a lower limit would not help.
const QUEUED_SIGNALS: Rlimit = Rlimit {
    current: Some(512),
    maximum: Some(512),
};

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

fn pin(setup: &Setup) -> Result<(), StageError> {
    match setup.core {
        Some(core) => scheduler::pin(core).at(format!("pin the box to core {core}")),
        None => Ok(()),
    }
}

/// Enters the work directory on the host.
fn enter_host_work(setup: &Setup) -> Result<Writable, StageError> {
    std::env::set_current_dir(&setup.work).at("enter the work directory")?;
    Writable::of_directory(c".").at("open the work directory")
}

/// Layers that could not be set up; the box works without them.
#[derive(Default)]
struct MissingLayers(Vec<String>);

impl MissingLayers {
    /// Records the layer unless it was set up.
    fn unless(&mut self, layer: &str, set_up: io::Result<()>) {
        if let Err(e) = set_up {
            self.0.push(format!("{layer}: {e}"));
        }
    }
}
