//! Traces a program to find the address of the invalid memory access that ends it.
//!
//! `wait` does not report that address, and a core file would go where the machine's settings send
//! it. A thread of the judge therefore attaches to the box's zygote, which is discarded afterwards,
//! and through it to the program before its first instruction. The filters inside the box stay as
//! they are: the tracer is outside, and neither the zygote nor the program may trace. The program
//! can only influence the message about itself: the tracer reads numbers from the kernel, never the
//! program's memory, and the limits of the run end both.

use std::fs;
use std::io;
use std::ops::Range;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;

use libc::{SI_KERNEL, SIGBUS, SIGSEGV, pid_t};

use crate::api::MemoryFault;
use crate::linux::sys::ptrace::{self, Stop};

/// Maximum distance between the stack pointer and an access to the stack: a called function's
/// frame, or the part of a large frame that is probed first.
const MAX_DISTANCE: u64 = 64 << 10;
/// Maximum number of faults to examine: a program that handles its own faults can cause any number.
const MAX_FAULTS: usize = 1000;

/// A thread that traces the programs of a zygote until the zygote ends.
pub struct FaultTracer {
    last: Arc<Mutex<Option<MemoryFault>>>,
}

impl FaultTracer {
    /// Attaches to a zygote before it starts a program.
    pub fn attach(zygote: pid_t) -> io::Result<Self> {
        let last = Arc::new(Mutex::new(None));
        let (result, attached) = sync_channel(1);
        let tracer = FaultTracer { last: last.clone() };
        // Only the thread that attached may make ptrace requests.
        Builder::new().name("fault-tracer".into()).spawn(move || {
            let seized = ptrace::seize(zygote, libc::PTRACE_O_TRACEFORK);
            let is_attached = seized.is_ok();
            let _ = result.send(seized);
            if is_attached {
                // An error ends the thread, which detaches all processes.
                let _ = trace(zygote, &last);
            }
        })?;
        match attached.recv() {
            Ok(seized) => seized.map(|()| tracer),
            Err(_) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// The last invalid access. The kernel reports the program's end to the tracer first, so after
    /// the run this is the access that ended the program, if an access did.
    pub fn last_fault(&self) -> Option<MemoryFault> {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn trace(zygote: pid_t, last: &Mutex<Option<MemoryFault>>) -> io::Result<()> {
    let mut faults = 0;
    while let Some((pid, stop)) = ptrace::wait(zygote)? {
        // A process that was killed meanwhile cannot be resumed; its end is reported next.
        let _ = match stop {
            Stop::Ended => Ok(()),
            Stop::Event if pid == zygote => ptrace::resume(pid, 0),
            // Threads are traced, because they have stacks of their own. Child processes are not:
            // their signals do not end the program.
            Stop::Event => ptrace::set_options(pid, libc::PTRACE_O_TRACECLONE)
                .and_then(|()| ptrace::resume(pid, 0)),
            Stop::Signal(signal) => {
                if pid != zygote && matches!(signal, SIGSEGV | SIGBUS) {
                    faults += 1;
                    let fault = (faults <= MAX_FAULTS).then(|| fault_of(pid).ok()).flatten();
                    *last.lock().unwrap_or_else(PoisonError::into_inner) = fault;
                }
                ptrace::resume(pid, signal)
            }
        };
    }
    Ok(())
}

/// The cause of the SIGSEGV or SIGBUS that a stopped thread is about to receive.
fn fault_of(thread: pid_t) -> io::Result<MemoryFault> {
    let info = ptrace::signal_info(thread)?;
    match info.si_code {
        SI_KERNEL => return Ok(MemoryFault::NoAddress),
        code if code <= 0 => return Ok(MemoryFault::Sent),
        _ => {}
    }
    let address = ptrace::fault_address(&info);
    let maps = fs::read_to_string(format!("/proc/{thread}/maps")).unwrap_or_default();
    let state = fs::read_to_string(format!("/proc/{thread}/syscall")).unwrap_or_default();
    let below = stack_pointer(&state).and_then(|pointer| below_stack(address, pointer, &maps));
    Ok(match below {
        Some(below) => MemoryFault::StackOverflow { address, below },
        None => MemoryFault::Address(address),
    })
}

/// The stack pointer of a stopped thread, which is the last number but one in `/proc/TID/syscall`.
fn stack_pointer(state: &str) -> Option<u64> {
    number(state.split_whitespace().rev().nth(1)?.strip_prefix("0x")?)
}

fn number(hexadecimal: &str) -> Option<u64> {
    u64::from_str_radix(hexadecimal, 16).ok()
}

/// The distance from `address` to the stack above it, if the stack pointer shows that the address
/// belongs to a frame of that stack. The main thread's stack ends at its limit; the stack of
/// another thread ends at a guard, mapped without any access.
fn below_stack(address: u64, pointer: u64, maps: &str) -> Option<u64> {
    let mut is_guard = false;
    for line in maps.lines() {
        let mut words = line.split_whitespace();
        let (range, access) = (range(words.next()?)?, words.next()?);
        if range.end <= address {
            continue;
        }
        if range.contains(&address) {
            if !access.starts_with("---") {
                return None;
            }
            is_guard = true;
            continue;
        }
        let is_stack = is_guard || line.ends_with("[stack]");
        let is_of_frame = address.saturating_add(MAX_DISTANCE) >= pointer
            && pointer < range.start.saturating_add(MAX_DISTANCE);
        return (is_stack && is_of_frame).then(|| range.start - address);
    }
    None
}

fn range(text: &str) -> Option<Range<u64>> {
    let (start, end) = text.split_once('-')?;
    Some(number(start)?..number(end)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: &str = "\
00400000-00500000 r-xp 00000000 08:01 1 /programs/a
00600000-00700000 rw-p 00000000 00:00 0 [heap]
10000000-10001000 ---p 00000000 00:00 0
10001000-10801000 rw-p 00000000 00:00 0
7ffd00000000-7ffd00800000 rw-p 00000000 00:00 0 [stack]
";

    #[test]
    fn an_access_is_a_stack_overflow_if_the_stack_pointer_is_near() {
        let stack = 0x7ffd_0000_0000;
        for (address, pointer, expected) in [
            (stack - 8, stack, Some(8)),
            // A frame with a large array.
            (stack - 0x10_0000, stack - 0x20_0000, Some(0x10_0000)),
            // A wild pointer into that region.
            (stack - 8, stack + 0x40_0000, None),
            // An access to the guard of a thread's stack.
            (0x1000_0ff8, 0x1000_1000, Some(8)),
            (0x1000_0ff8, 0x1000_9000, Some(8)),
            (0x1000_0ff8, 0x1040_0000, None),
            // Null, code, the heap's end.
            (0, stack + 0x1000, None),
            (0x40_0010, stack, None),
            (0x70_0000, 0x70_0008, None),
        ] {
            assert_eq!(below_stack(address, pointer, MAPS), expected, "{address:x}");
        }
    }

    #[test]
    fn the_stack_pointer_is_parsed_from_the_thread_state() {
        assert_eq!(
            stack_pointer("-1 0x7ffd00000ff0 0x401136\n"),
            Some(0x7ffd_0000_0ff0)
        );
        let in_call = "0 0x0 0x7f 0x400 0x0 0x0 0x0 0x7ffd00000ff8 0x7f11\n";
        assert_eq!(stack_pointer(in_call), Some(0x7ffd_0000_0ff8));
        assert_eq!(stack_pointer("running\n"), None);
    }
}
