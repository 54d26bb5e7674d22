//! Messages between the judge and the zygote: one per packet, with descriptors.

use std::ffi::{CString, OsStr};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use rustix::io::retry_on_intr;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

/// Maximum size of a message; a packet socket takes a little more. Longer arguments are refused.
pub const MAX_MESSAGE: usize = 160 * 1024;

/// Maximum number of descriptors in one message (the kernel's limit is 253).
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

/// Reads the numbers and strings that an [`Encoder`] has written.
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
    io::Error::new(io::ErrorKind::InvalidData, "malformed message")
}

/// Sends one message with copies of `fds`.
pub fn send(socket: impl AsFd, message: &[u8], fds: &[BorrowedFd<'_>]) -> io::Result<()> {
    if message.len() > MAX_MESSAGE || fds.len() > MAX_FDS {
        return Err(io::Error::from_raw_os_error(libc::E2BIG));
    }
    if fds.is_empty() {
        // `send` is allowed where the filter refuses `sendmsg`.
        retry_on_intr(|| rustix::net::send(&socket, message, SendFlags::NOSIGNAL))?;
        return Ok(());
    }
    let mut space = [MaybeUninit::uninit(); CONTROL];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(fds)) {
        return Err(io::Error::from_raw_os_error(libc::E2BIG));
    }
    let parts = [IoSlice::new(message)];
    retry_on_intr(|| sendmsg(&socket, &parts, &mut control, SendFlags::NOSIGNAL))?;
    Ok(())
}

/// Receives one message into `buffer`. Returns its length (0 if the peer closed the socket) and its
/// descriptors.
pub fn receive(socket: impl AsFd, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); CONTROL];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut parts = [IoSliceMut::new(buffer)];
    let flags = RecvFlags::CMSG_CLOEXEC;
    let received = retry_on_intr(|| recvmsg(&socket, &mut parts, &mut control, flags))?;
    let mut fds = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            fds.extend(rights);
        }
    }
    let truncated = ReturnFlags::TRUNC | ReturnFlags::CTRUNC;
    if received.flags.intersects(truncated) {
        return Err(malformed());
    }
    Ok((received.bytes, fds))
}

/// Size of the control message of [`MAX_FDS`] descriptors.
const CONTROL: usize = rustix::cmsg_space!(ScmRights(MAX_FDS));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_arrives_with_its_descriptors() {
        let (a, b) = crate::linux::sys::socket_pair().unwrap();
        let mut message = Encoder::default();
        message.number(7).text("seven").bytes(b"");
        send(&a, message.as_slice(), &[a.as_fd(), b.as_fd()]).unwrap();
        let mut buffer = vec![0; MAX_MESSAGE];
        let (n, fds) = receive(&b, &mut buffer).unwrap();
        let mut decoder = Decoder(&buffer[..n]);
        assert_eq!(decoder.number().unwrap(), 7);
        assert_eq!(decoder.string().unwrap(), "seven");
        assert_eq!(decoder.bytes().unwrap(), b"");
        assert_eq!(fds.len(), 2);
        assert!(decoder.number().is_err(), "the message ends here");
    }

    #[test]
    fn a_closed_peer_reads_as_an_empty_message() {
        let (a, b) = crate::linux::sys::socket_pair().unwrap();
        drop(a);
        assert_eq!(receive(&b, &mut [0; 8]).unwrap().0, 0);
    }

    #[test]
    fn descriptors_of_a_truncated_message_are_closed() {
        let (a, b) = crate::linux::sys::socket_pair().unwrap();
        let (writer, reader) = crate::linux::sys::socket_pair().unwrap();
        send(&a, b"more than fits", &[writer.as_fd()]).unwrap();
        drop(writer);
        assert!(receive(&b, &mut [0; 4]).is_err());
        // The last copy of the other end is closed.
        assert_eq!(receive(&reader, &mut [0; 8]).unwrap().0, 0);
    }

    #[test]
    fn a_message_that_is_too_long_is_refused() {
        let (a, _b) = crate::linux::sys::socket_pair().unwrap();
        let error = send(&a, &vec![0; MAX_MESSAGE + 1], &[]).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::E2BIG));
    }
}
