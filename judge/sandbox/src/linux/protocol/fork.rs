//! The requests to the template and its replies. They consist of numbers only.

use std::io;

use crate::linux::protocol::ipc::Decoder;

/// A process for the template to fork. The message carries the process's end of its socket, then
/// either the directory of its control group or the files through which it enters its groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForkRequest {
    /// `CLONE_NEW...` flags.
    pub namespaces: i32,
    /// With a new user namespace: the id of its user and group 0 in the template's namespace.
    pub root_uid: Option<u32>,
    /// Whether to drop supplementary groups, which only the host's root may do.
    pub drop_groups: bool,
    /// Whether to create the process in the control group.
    pub in_cgroup: bool,
}

impl ForkRequest {
    pub fn encode(&self) -> [u8; 32] {
        numbers([
            self.namespaces as u32 as u64,
            self.root_uid.map_or(u64::MAX, u64::from),
            self.drop_groups.into(),
            self.in_cgroup.into(),
        ])
    }

    pub fn decode(message: &[u8]) -> io::Result<Self> {
        let mut d = Decoder(message);
        Ok(ForkRequest {
            namespaces: d.number()? as i32,
            root_uid: u32::try_from(d.number()?).ok(),
            drop_groups: d.number()? != 0,
            in_cgroup: d.number()? != 0,
        })
    }
}

/// The template's reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForkReply {
    /// The new process; 0 if there is none.
    pub pid: i32,
    /// The error number; 0 on success.
    pub errno: i32,
    /// Whether the process was created in its control group.
    pub in_cgroup: bool,
}

impl ForkReply {
    /// A failure, with the process `pid` to end, or 0 if there is none.
    pub fn failed(pid: i32, error: &io::Error) -> Self {
        ForkReply {
            pid,
            errno: error.raw_os_error().unwrap_or(libc::EIO),
            in_cgroup: false,
        }
    }

    /// Does not allocate, since it is called between fork and exec.
    pub fn encode(&self) -> [u8; 24] {
        numbers([
            self.pid as u32 as u64,
            self.errno as u32 as u64,
            self.in_cgroup.into(),
        ])
    }

    pub fn decode(message: &[u8]) -> io::Result<Self> {
        let mut d = Decoder(message);
        Ok(ForkReply {
            pid: d.number()? as i32,
            errno: d.number()? as i32,
            in_cgroup: d.number()? != 0,
        })
    }
}

/// Encodes numbers like an [`Encoder`](crate::linux::protocol::ipc::Encoder), without allocating.
fn numbers<const N: usize, const BYTES: usize>(numbers: [u64; N]) -> [u8; BYTES] {
    const { assert!(BYTES == 8 * N) };
    let mut message = [0; BYTES];
    let (places, _) = message.as_chunks_mut();
    for (place, number) in places.iter_mut().zip(numbers) {
        *place = number.to_ne_bytes();
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_encoding() {
        let request = ForkRequest {
            namespaces: libc::CLONE_NEWUSER | libc::CLONE_NEWPID,
            root_uid: Some(0),
            drop_groups: false,
            in_cgroup: true,
        };
        assert_eq!(ForkRequest::decode(&request.encode()).unwrap(), request);
        let reply = ForkReply {
            pid: 7,
            errno: libc::EPERM,
            in_cgroup: true,
        };
        assert_eq!(ForkReply::decode(&reply.encode()).unwrap(), reply);
        assert!(ForkReply::decode(&reply.encode()[..20]).is_err());
    }
}
