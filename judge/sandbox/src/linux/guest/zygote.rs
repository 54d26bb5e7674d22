//! The zygote: a small process, forked by the template, that starts every program of a box.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustix::process::setsid;

use crate::linux::guest::child::{Child, Stack};
use crate::linux::guest::init;
use crate::linux::guest::landlock::Ruleset;
use crate::linux::guest::set_up_box::{ReadyBox, set_up};
use crate::linux::protocol::layout::{END_SIGNAL, MOVED, NOT_MOVED, socket};
use crate::linux::protocol::{
    At, ExecRequest, ForkRequest, Isolation, Reply, RunResult, Setup, StageError, ipc,
};
use crate::linux::sys;

/// Runs a zygote in its new namespaces: enters the control groups, sets up the box as the judge
/// asks, and serves requests until the judge closes the socket. `groups` holds the files of the
/// control groups; it is empty if the process was created in its group.
pub fn serve_box(request: &ForkRequest, groups: Vec<OwnedFd>) -> io::Result<()> {
    // On kernels that schedule by session, each box is a session.
    let _ = setsid();
    if !groups.is_empty() && !request.in_cgroup {
        let moved = groups.iter().all(|group| move_into(group).is_ok());
        ipc::send(socket(), &[if moved { MOVED } else { NOT_MOVED }], &[])?;
    }
    drop(groups);
    let mut buffer = vec![0; ipc::MAX_MESSAGE];
    let (n, fds) = ipc::receive(socket(), &mut buffer)?;
    if n == 0 {
        return Ok(());
    }
    let setup = Setup::decode(&buffer[..n])?;
    let ready = match set_up(request, &setup, &fds) {
        Ok(ready) => ready,
        Err(error) => return reply(&error.into()),
    };
    drop(fds);
    let mut zygote = Zygote::new(&setup, ready);
    reply(&Reply::Ready {
        missing_layers: std::mem::take(&mut zygote.ready.missing_layers),
        work: zygote.ready.writable.work(),
    })?;
    zygote.setup_cpu = own_cpu();
    let outcome = serve_requests(&mut zygote, &mut buffer);
    if setup.isolation == Isolation::None {
        // Removes the work directory here, because a killed judge cannot.
        zygote.ready.writable.empty();
        let _ = std::fs::remove_dir(&setup.work);
    }
    outcome
}

fn move_into(group: &OwnedFd) -> io::Result<()> {
    rustix::io::write(group, b"0")?;
    Ok(())
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
        let ended = zygote.run_program(request, fds);
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
    ready: ReadyBox,
    /// The zygote's own CPU time when its setup was complete.
    setup_cpu: Duration,
}

impl Zygote {
    fn new(setup: &Setup, ready: ReadyBox) -> Self {
        Zygote {
            isolation: setup.isolation,
            token: setup.token,
            judge: std::os::unix::process::parent_id(),
            stack: Stack::new(),
            ready,
            setup_cpu: Duration::ZERO,
        }
    }

    /// Runs one program to its end, kills its remaining processes and empties the box.
    fn run_program(
        &mut self,
        request: &ExecRequest,
        fds: Vec<OwnedFd>,
    ) -> Result<RunResult, StageError> {
        let [stdin, stdout, stderr] = &fds[..] else {
            return Err(StageError {
                stage: "receive the descriptors".into(),
                errno: libc::EMFILE,
            });
        };
        let stdio = [stdin.as_raw_fd(), stdout.as_raw_fd(), stderr.as_raw_fd()];
        let mut child = Child::new(request, stdio, self.token);
        child.self_only = self.ready.self_only.clone().into();
        child.dies_with_parent = self.isolation != Isolation::Namespaces;
        child.landlock = self.ready.landlock.as_ref().map_or(-1, Ruleset::as_raw_fd);
        let mut ended = RunResult::default();
        let (start, refused) = child.run_to_end(&mut self.stack, |main| {
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
        let held_files = self.ready.sockets.close_left();
        (ended.left_bytes, ended.unclean) = self.ready.writable.empty();
        ended.unclean |= held_files;
        ended.own_cpu = own_cpu().saturating_sub(self.setup_cpu);
        Ok(ended)
    }
}

fn own_cpu() -> Duration {
    sys::clock(libc::CLOCK_THREAD_CPUTIME_ID)
}
