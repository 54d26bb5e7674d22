//! What is shared between machines, on NATS JetStream.

mod connection;
mod objects;
mod own_units;
mod protocol;
mod queue;
mod remote;
mod reporter;
mod requests;
mod results;
mod service;
mod site;

pub use connection::{Connection, Error, Options, REQUEST, Result, Session};
pub use objects::{Cache, Content, create as create_objects, packed, put as put_object};
pub use own_units::OwnUnits;
pub use protocol::{
    Answer, Cancel, Object, RESULTS, Results, Start, cancel_subject, check_name, encode, inline,
    presence_subject, results_subject,
};
pub use queue::{Competition, NatsQueue};
pub use remote::Remote;
pub use requests::{Handler, answer};
pub use results::{Reader, delete as delete_results, present_stream, stream as results_stream};
pub use service::{Server, hear_workers, serve, server_name};
pub use site::Site;

/// What the names of streams and subjects begin with.
pub const PREFIX: &str = "judge";
