//! Gives up all privileges, irrevocably.

use std::io;

use libc::c_ulong;
use rustix::thread::{
    CapabilitySet, CapabilitySets, Gid, Uid, set_capabilities, set_thread_groups,
    set_thread_res_gid, set_thread_res_uid,
};

use crate::linux::protocol::layout::NOBODY;
use crate::linux::sys::{is_root, prctl};

/// The secure bits: `KEEP_CAPS` stays off, and every bit is locked.
const SECURE_BITS: libc::c_int = libc::SECBIT_NOROOT
    | libc::SECBIT_NOROOT_LOCKED
    | libc::SECBIT_NO_SETUID_FIXUP
    | libc::SECBIT_NO_SETUID_FIXUP_LOCKED
    | libc::SECBIT_KEEP_CAPS_LOCKED
    | libc::SECBIT_NO_CAP_AMBIENT_RAISE
    | libc::SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;

/// Empties all capability sets of this process and keeps exec from filling them: user 0 of the box
/// has no rights.
pub fn drop_capabilities() -> io::Result<()> {
    empty_bounding_set();
    prctl(libc::PR_SET_SECUREBITS, SECURE_BITS as c_ulong, 0)?;
    let none = CapabilitySet::empty();
    set_capabilities(
        None,
        CapabilitySets {
            effective: none,
            permitted: none,
            inheritable: none,
        },
    )?;
    Ok(())
}

/// Empties the bounding set: afterwards exec grants no capability, not even for a file with
/// capabilities.
fn empty_bounding_set() {
    // Fails for the number after the kernel's last capability.
    let _ = (0..64).all(|capability| prctl(libc::PR_CAPBSET_DROP, capability, 0).is_ok());
}

/// Without a user namespace, makes root become `nobody` and drop all capabilities. Does nothing for
/// an ordinary user.
pub fn become_nobody() -> io::Result<()> {
    if !is_root() {
        return Ok(());
    }
    empty_bounding_set();
    let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    // Best effort: in a container without that user, the process stays root, without capabilities.
    // The process has one thread.
    let _ = set_thread_groups(&[]);
    let _ = set_thread_res_gid(group, group, group);
    let _ = set_thread_res_uid(user, user, user);
    if is_root() {
        drop_capabilities()
    } else {
        Ok(())
    }
}

/// Sets `no_new_privs`, and allows only the judge to inspect this process.
pub fn no_new_privileges() -> io::Result<()> {
    prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0)?;
    prctl(libc::PR_SET_DUMPABLE, 0, 0)?;
    Ok(())
}
