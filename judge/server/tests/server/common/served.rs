//! A coordinator whose units have the same work: its queue is served through NATS.

use super::NatsServer;
use judge_core::error::Reason;
use judge_server::nats::{
    Cache, Handler, Object, Order, QueueServer, Remote, Results, Started, serve,
};
use judge_server::queue::{Lease, Leases};
use judge_server::store::{SqliteQueue, Starter, Store, UploadId};
use judge_server::work_protocol::{AttemptId, Fleet};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tempfile::TempDir;

/// Opens a store in this directory.
pub fn open_store(dir: &Path) -> Arc<Store> {
    Arc::new(Store::open(&dir.join("judge.sqlite")).expect("it opens"))
}

/// A coordinator without results.
struct Coordinator {
    is_over: AtomicBool,
    fleet: Fleet,
}

impl Handler for Coordinator {
    fn start(&self, _: &Starter<'_>, _: &Lease) -> Started {
        let work = json!({"verify": {"tree": "", "step": 0}});
        Started::Order(Box::new(Order {
            work: serde_json::from_value(work).expect("some work"),
            sources: None,
            target: AttemptId::Step(UploadId(1), 0),
        }))
    }

    fn is_done(&self, _: &str) -> Result<bool, Reason> {
        Ok(true)
    }

    fn give_up(&self, _: &str, _: &str) -> Result<(), Reason> {
        Ok(())
    }

    fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    fn put(&self, _: &Object) -> Result<(), Reason> {
        Err(Reason::new("there are no objects"))
    }

    fn take(&self, _: Vec<(String, Results)>) -> Result<(), Reason> {
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }
}

/// A queue that a coordinator serves through NATS, until it is dropped.
pub struct Served {
    pub queue: Arc<SqliteQueue>,
    coordinator: Arc<Coordinator>,
    dir: TempDir,
}

impl Served {
    /// Opens the queue in this directory, for workers of all machines.
    pub fn new(dir: &Path, url: &str, name: &str) -> Self {
        // A coordinator that was dropped may still take a message.
        static OPENED: AtomicUsize = AtomicUsize::new(0);
        let name = format!("{name}-{}", OPENED.fetch_add(1, Ordering::SeqCst));
        let queue = Arc::new(SqliteQueue::resume(open_store(dir)).expect("it opens"));
        let coordinator = Arc::new(Coordinator {
            is_over: AtomicBool::new(false),
            fleet: Fleet::default(),
        });
        let connection = NatsServer::connect_to(url);
        let server = QueueServer::new(&connection, &name, &queue, &coordinator, None);
        serve(server.expect("a name"), &name).expect("it serves");
        Served {
            queue,
            coordinator,
            dir: tempfile::tempdir().expect("a directory"),
        }
    }

    /// A worker of this name.
    pub fn worker(&self, url: &str, name: &str) -> Remote {
        let cache = Cache::open(&self.dir.path().join(name), 0).expect("it opens");
        let connection = NatsServer::connect_to(url);
        Remote::start(connection, name, "default", cache).expect("it starts")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.coordinator.is_over.store(true, Ordering::SeqCst);
        self.queue.wake();
    }
}
