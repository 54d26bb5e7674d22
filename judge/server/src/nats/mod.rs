//! Shared by machines over NATS: queues by request and reply, objects and results on JetStream.

mod archive;
mod cache;
mod connection;
mod handler;
mod name;
mod objects;
mod offers;
mod options;
mod protocol;
mod queue_server;
mod remote;
mod remote_queue;
mod reporter;
mod requests;
mod results;

pub use crate::work_protocol::Results;
pub(crate) use archive::{pack, packed};
pub use cache::Cache;
use connection::Error;
pub(crate) use connection::Result;
pub use connection::{Connection, Session};
pub use handler::{Handler, Started};
pub use name::server_name;
pub(crate) use objects::{Content, create as create_objects, put as put_object};
pub use options::{Options, REQUEST};
pub(crate) use protocol::{Cancel, cancel_subject, check_name, inline, presence_subject, send};
pub use protocol::{Object, Order, RESULTS, encode, results_subject};
pub use queue_server::QueueServer;
pub use remote::Remote;
pub use requests::serve;
pub(crate) use requests::{check_alone, hear_workers};
pub(crate) use results::Reader;
pub use results::{delete as delete_results, present_stream, stream as results_stream};
