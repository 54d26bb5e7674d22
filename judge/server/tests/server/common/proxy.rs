//! A network cable that can be pulled: forwards TCP connections of this machine.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

/// Listens until the test ends.
pub struct Proxy {
    port: u16,
    gate: Arc<Gate>,
}

/// Holds bytes back while it is closed.
#[derive(Default)]
struct Gate {
    is_closed: Mutex<bool>,
    changed: Condvar,
    is_over: AtomicBool,
}

impl Gate {
    fn set(&self, is_closed: bool) {
        *self.is_closed.lock().expect("no panic") = is_closed;
        self.changed.notify_all();
    }

    fn pass(&self) {
        let is_closed = self.is_closed.lock().expect("no panic");
        let open = self.changed.wait_while(is_closed, |closed| *closed);
        drop(open.expect("no panic"));
    }
}

fn copy(mut from: TcpStream, mut to: TcpStream, gate: &Gate) {
    let mut buffer = [0; 1 << 16];
    loop {
        let count = from.read(&mut buffer).unwrap_or(0);
        // What was sent before the cable was pulled may still be on its way.
        gate.pass();
        if count == 0 || to.write_all(&buffer[..count]).is_err() {
            // The other end may be gone already.
            let _ = to.shutdown(Shutdown::Both);
            return;
        }
    }
}

impl Proxy {
    /// Forwards to a port of this machine.
    pub fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let own = listener.local_addr().expect("an address").port();
        let gate = Arc::new(Gate::default());
        let shared = gate.clone();
        thread::spawn(move || {
            for client in listener.incoming() {
                if shared.is_over.load(Ordering::SeqCst) {
                    return;
                }
                let client = client.expect("a connection");
                let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else {
                    continue;
                };
                let both = |s: &TcpStream| s.try_clone().expect("a descriptor");
                for (from, to) in [(both(&client), both(&server)), (server, client)] {
                    let gate = shared.clone();
                    thread::spawn(move || copy(from, to, &gate));
                }
            }
        });
        Proxy { port: own, gate }
    }

    /// Its address, as one of NATS.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Holds all bytes back; connections stay open.
    pub fn pull(&self) {
        self.gate.set(true);
    }

    /// Delivers what was held back, and all that follows.
    pub fn plug(&self) {
        self.gate.set(false);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.gate.is_over.store(true, Ordering::SeqCst);
        self.plug();
        // Wakes the thread that listens.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}
