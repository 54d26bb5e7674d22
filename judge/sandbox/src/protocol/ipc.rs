//! Messages between the judge and the zygote: one per packet, with descriptors.
#![allow(unsafe_code)]

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;

use crate::sys::{check_long, retry};

/// The largest message; a packet socket takes a little more. Longer arguments are refused.
pub const MAX_MESSAGE: usize = 160 * 1024;

/// The most descriptors in one message (the kernel's limit is 253).
pub const MAX_FDS: usize = 64;

/// Appends numbers and strings to a message.
#[derive(Default)]
pub struct Encoder(Vec<u8>);

impl Encoder {
    pub fn number(&mut self, n: u64) -> &mut Self {
        self.0.extend_from_slice(&n.to_ne_bytes());
        self
    }

    pub fn bytes(&mut self, b: &[u8]) -> &mut Self {
        self.number(b.len() as u64);
        self.0.extend_from_slice(b);
        self
    }

    pub fn text(&mut self, s: impl AsRef<OsStr>) -> &mut Self {
        self.bytes(s.as_ref().as_bytes())
    }

    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

/// Reads what an [`Encoder`] has written.
pub struct Decoder<'a>(pub &'a [u8]);

impl<'a> Decoder<'a> {
    pub fn number(&mut self) -> io::Result<u64> {
        let (head, tail) = self.0.split_first_chunk::<8>().ok_or_else(malformed)?;
        self.0 = tail;
        Ok(u64::from_ne_bytes(*head))
    }

    pub fn bytes(&mut self) -> io::Result<&'a [u8]> {
        let n = usize::try_from(self.number()?).map_err(|_| malformed())?;
        let (head, tail) = self.0.split_at_checked(n).ok_or_else(malformed)?;
        self.0 = tail;
        Ok(head)
    }

    pub fn c_string(&mut self) -> io::Result<CString> {
        CString::new(self.bytes()?).map_err(|_| malformed())
    }

    pub fn string(&mut self) -> io::Result<String> {
        Ok(String::from_utf8_lossy(self.bytes()?).into_owned())
    }
}

/// The error for a malformed message.
pub fn malformed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "garbled message")
}

/// Sends one message with copies of `fds`.
pub fn send(socket: RawFd, message: &[u8], fds: &[BorrowedFd<'_>]) -> io::Result<()> {
    if message.len() > MAX_MESSAGE || fds.len() > MAX_FDS {
        return Err(io::Error::from_raw_os_error(libc::E2BIG));
    }
    let mut control = Control::default();
    let mut part = libc::iovec {
        iov_base: message.as_ptr().cast_mut().cast(),
        iov_len: message.len(),
    };
    // SAFETY: all zeroes is a valid empty header.
    let mut header: libc::msghdr = unsafe { std::mem::zeroed() };
    header.msg_iov = &mut part;
    header.msg_iovlen = 1;
    if !fds.is_empty() {
        let bytes = size_of_val(fds) as u32;
        header.msg_control = control.0.as_mut_ptr().cast();
        // SAFETY: `Control` is aligned and has room for MAX_FDS descriptors, so the first header
        // and its data are inside it; in memory, a `BorrowedFd` is its descriptor number.
        unsafe {
            header.msg_controllen = libc::CMSG_SPACE(bytes) as _;
            let first = libc::CMSG_FIRSTHDR(&header);
            (*first).cmsg_level = libc::SOL_SOCKET;
            (*first).cmsg_type = libc::SCM_RIGHTS;
            (*first).cmsg_len = libc::CMSG_LEN(bytes) as _;
            std::ptr::copy_nonoverlapping(
                fds.as_ptr().cast(),
                libc::CMSG_DATA(first),
                bytes as usize,
            );
        }
    }
    retry(|| {
        // SAFETY: the header points to memory that outlives the call.
        check_long(unsafe { libc::sendmsg(socket, &header, libc::MSG_NOSIGNAL) } as _)
    })?;
    Ok(())
}

/// Receives one message into `buffer`. Returns its length (0 if the peer closed the socket) and its
/// descriptors.
pub fn receive(socket: RawFd, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut control = Control::default();
    let mut part = libc::iovec {
        iov_base: buffer.as_mut_ptr().cast(),
        iov_len: buffer.len(),
    };
    // SAFETY: all zeroes is a valid empty header.
    let mut header: libc::msghdr = unsafe { std::mem::zeroed() };
    header.msg_iov = &mut part;
    header.msg_iovlen = 1;
    header.msg_control = control.0.as_mut_ptr().cast();
    header.msg_controllen = size_of::<Control>() as _;
    let n = retry(|| {
        // SAFETY: the header points to memory that outlives the call.
        check_long(unsafe { libc::recvmsg(socket, &mut header, libc::MSG_CMSG_CLOEXEC) } as _)
    })?;
    // Taken first; otherwise the descriptors of a truncated message would stay open.
    let fds = received_fds(&header);
    if header.msg_flags & (libc::MSG_TRUNC | libc::MSG_CTRUNC) != 0 {
        return Err(malformed());
    }
    Ok((n as usize, fds))
}

fn received_fds(header: &libc::msghdr) -> Vec<OwnedFd> {
    let mut fds = Vec::new();
    // SAFETY: the kernel filled the control buffer, so its headers are valid, and every descriptor
    // in it is new and owned by this process. The data may be unaligned.
    unsafe {
        let first = libc::CMSG_FIRSTHDR(header);
        if first.is_null() || (*first).cmsg_type != libc::SCM_RIGHTS {
            return fds;
        }
        let bytes = (*first).cmsg_len as usize - libc::CMSG_LEN(0) as usize;
        let data: *const RawFd = libc::CMSG_DATA(first).cast();
        for i in 0..bytes / size_of::<RawFd>() {
            fds.push(OwnedFd::from_raw_fd(data.add(i).read_unaligned()));
        }
    }
    fds
}

/// Room for the control message of MAX_FDS descriptors.
#[repr(C, align(8))]
struct Control([u8; 32 + 4 * MAX_FDS]);

impl Default for Control {
    fn default() -> Self {
        Control([0; 32 + 4 * MAX_FDS])
    }
}

/// As [`send`], without descriptors.
pub fn send_plain(socket: &impl AsRawFd, message: &[u8]) -> io::Result<()> {
    send(socket.as_raw_fd(), message, &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd;

    #[test]
    fn a_message_arrives_with_its_descriptors() {
        let (a, b) = crate::sys::socket_pair().unwrap();
        let mut message = Encoder::default();
        message.number(7).text("seven").bytes(b"");
        send(a.as_raw_fd(), message.as_slice(), &[a.as_fd(), b.as_fd()]).unwrap();
        let mut buffer = vec![0; MAX_MESSAGE];
        let (n, fds) = receive(b.as_raw_fd(), &mut buffer).unwrap();
        let mut decoder = Decoder(&buffer[..n]);
        assert_eq!(decoder.number().unwrap(), 7);
        assert_eq!(decoder.string().unwrap(), "seven");
        assert_eq!(decoder.bytes().unwrap(), b"");
        assert_eq!(fds.len(), 2);
        assert!(decoder.number().is_err(), "there is nothing left");
    }

    #[test]
    fn a_closed_peer_is_an_empty_message() {
        let (a, b) = crate::sys::socket_pair().unwrap();
        drop(a);
        assert_eq!(receive(b.as_raw_fd(), &mut [0; 8]).unwrap().0, 0);
    }

    #[test]
    fn descriptors_of_a_truncated_message_are_closed() {
        let (a, b) = crate::sys::socket_pair().unwrap();
        let (writer, reader) = crate::sys::socket_pair().unwrap();
        send(a.as_raw_fd(), b"more than fits", &[writer.as_fd()]).unwrap();
        drop(writer);
        assert!(receive(b.as_raw_fd(), &mut [0; 4]).is_err());
        // The last copy of the other end is closed.
        assert_eq!(receive(reader.as_raw_fd(), &mut [0; 8]).unwrap().0, 0);
    }

    #[test]
    fn a_message_that_is_too_long_is_refused() {
        let (a, _b) = crate::sys::socket_pair().unwrap();
        let error = send_plain(&a, &vec![0; MAX_MESSAGE + 1]).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::E2BIG));
    }
}
