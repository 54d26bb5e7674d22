//! The queue, objects and results that machines share, on NATS JetStream.

mod archive;
mod cache;
mod connection;
mod name;
mod objects;
mod options;
mod protocol;
mod queue;
mod remote;
mod reporter;
mod requests;
mod results;

pub use crate::worker::Results;
pub(crate) use archive::{pack, packed};
pub use cache::Cache;
use connection::Error;
pub(crate) use connection::Result;
pub use connection::{Connection, Session};
pub use name::server_name;
pub(crate) use objects::{Content, create as create_objects, put as put_object};
pub use options::{Options, REQUEST};
pub(crate) use protocol::{
    Answer, Cancel, Object, Start, cancel_subject, check_name, inline, presence_subject, send,
};
pub use protocol::{RESULTS, encode, results_subject};
pub use queue::NatsQueue;
pub(crate) use queue::OwnUnits;
pub use remote::Remote;
pub(crate) use requests::{Handler, answer, check_alone, hear_workers};
pub(crate) use results::Reader;
pub use results::{delete as delete_results, present_stream, stream as results_stream};

/// Prefix of the names of streams and subjects.
pub const PREFIX: &str = "judge";
