// Tries to reach the network in every way that the standard library offers.
use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::time::Duration;

fn main() {
    for address in ["127.0.0.1:22", "[::1]:80", "10.0.0.1:53", "169.254.169.254:80", "1.1.1.1:443"] {
        let address = address.parse().unwrap();
        if TcpStream::connect_timeout(&address, Duration::from_millis(50)).is_ok() {
            println!("leak {address}");
        }
        let sent = UdpSocket::bind("0.0.0.0:0").and_then(|socket| socket.send_to(b"x", address));
        if sent.is_ok() {
            println!("leak by datagram {address}");
        }
    }
    if "example.com:80".to_socket_addrs().is_ok() {
        println!("leak: a name was found");
    }
    // Alone in its network it may listen: no client exists.
    let _ = TcpListener::bind("127.0.0.1:0");
    println!("42");
}
