//! The filter on signals and CPU clocks for a program without a PID namespace, which it installs on
//! itself.

use libc::{BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, sock_filter};

use super::arguments::CLOCK_KIND;
use super::bpf::{ALLOW, NUMBER, action, and, equal, jump, load, low, refuse};
use super::calls::CLOCKS;

/// A filter that lets a program signal only itself, and read only its own CPU clocks: those of other
/// processes, the zygote's among them, show what happens outside of the program's run.
/// [`set_own_pid`] fills in the process id.
pub fn self_only() -> Vec<sock_filter> {
    let mut p = vec![load(NUMBER)];
    // `kill(0)` reaches the program's own process group, which is new.
    let signal = [
        load(low(0)),
        equal(OWN_PROCESS, 0, 1),
        action(ALLOW),
        equal(0, 0, 1),
        action(ALLOW),
        action(refuse(libc::EPERM)),
    ];
    for number in [
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_tgkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
    ] {
        p.push(equal(number as u32, 0, signal.len() as u8));
        p.extend(signal);
    }
    // A clock of the machine is a positive number. The kernel allows a thread's clock only to its own
    // process.
    const OF_PROCESS: u32 = 1 << 31;
    const OF_THREAD: u32 = 4;
    const CALLER: u32 = !CLOCK_KIND;
    let clock = [
        load(low(0)),
        jump(BPF_JGE, OF_PROCESS, 1, 0),
        action(ALLOW),
        and(OF_THREAD),
        equal(OF_THREAD, 0, 1),
        action(ALLOW),
        load(low(0)),
        and(!CLOCK_KIND),
        equal(OWN_CLOCK, 0, 1),
        action(ALLOW),
        equal(CALLER, 0, 1),
        action(ALLOW),
        action(refuse(libc::EINVAL)),
    ];
    for number in CLOCKS {
        p.push(equal(number as u32, 0, clock.len() as u8));
        p.extend(clock);
    }
    p.push(action(ALLOW));
    p
}

/// Placeholder of the process id in [`self_only`]; no process has it.
const OWN_PROCESS: u32 = u32::MAX;

/// Placeholder of the process's clock, without its kind.
const OWN_CLOCK: u32 = u32::MAX - 1;

/// Fills in the process id. It runs between clone and exec, so it neither allocates nor locks.
pub fn set_own_pid(filter: &mut [sock_filter], own: u32) {
    for i in filter {
        if i.code == (BPF_JMP | BPF_JEQ | BPF_K) as u16 {
            match i.k {
                OWN_PROCESS => i.k = own,
                OWN_CLOCK => i.k = !own << 3,
                _ => {}
            }
        }
    }
}
