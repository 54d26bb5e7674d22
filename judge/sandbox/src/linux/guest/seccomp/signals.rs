//! The filter on signals for a program without a PID namespace, which it installs on itself.

use libc::{BPF_JEQ, BPF_JMP, BPF_K, sock_filter};

use super::bpf::{ALLOW, NUMBER, action, equal, load, low, refuse};

/// A filter that lets a program signal only itself. [`set_own_pid`] fills in the process id.
pub fn self_signals_only() -> Vec<sock_filter> {
    let mut p = vec![load(NUMBER)];
    // `kill(0)` reaches the program's own process group, which is new.
    let rule = [
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
        p.push(equal(number as u32, 0, rule.len() as u8));
        p.extend(rule);
    }
    p.push(action(ALLOW));
    p
}

/// Placeholder of the process id in [`self_signals_only`]; no process has it.
const OWN_PROCESS: u32 = u32::MAX;

/// Fills in the process id. It runs between clone and exec, so it neither allocates nor locks.
pub fn set_own_pid(filter: &mut [sock_filter], own: u32) {
    for i in filter {
        if i.code == (BPF_JMP | BPF_JEQ | BPF_K) as u16 && i.k == OWN_PROCESS {
            i.k = own;
        }
    }
}
