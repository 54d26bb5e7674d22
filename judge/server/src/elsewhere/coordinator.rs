//! A command as a coordinator of workers.

use super::sent::SentObjects;
use crate::batches::{Batches, InBatches, Lane};
use crate::nats::{
    self, Connection, Handler, Object, Options, QueueServer, Reader, Started, check_name,
};
use crate::queue::{Lease, Priority};
use crate::secret;
use crate::store::{SqliteQueue, Starter, Store, UnitId};
use crate::threads;
use crate::work_protocol::{Batch, Fleet, Presence, Results, WorkerState};
use crate::worker_process::default_name;
use async_nats::jetstream::stream::Stream;
use judge_core::error::Reason;
use judge_core::judging::SubmissionRef;
use judge_core::submission::Source;
use judge_core::verdict::Verdict;
use judge_session::args::NatsArgs;
use judge_tempdir::TempDirectory;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time without any worker after which a message says so.
const NO_WORKER: Duration = Duration::from_secs(5);

/// This process as a coordinator of workers.
pub struct Coordinator {
    shared: Arc<CommandState>,
    lane: Arc<Lane>,
    thread: Option<JoinHandle<()>>,
    results: Stream,
    /// Has the queue.
    _directory: TempDirectory,
}

struct CommandState {
    batches: Arc<Batches>,
    sent: SentObjects,
    /// The checker that replaces those of the packages.
    checker: Option<PathBuf>,
    /// Time without any worker after which it gives up.
    most_wait: Option<Duration>,
}

impl Coordinator {
    /// Connects, and answers workers from now on. `checker` replaces those of the packages.
    pub fn start(args: &NatsArgs, url: &str, checker: Option<PathBuf>) -> Result<Self, Reason> {
        let user = args.nats_name.clone().unwrap_or_else(default_name);
        check_name(&user)?;
        let class = args.class.as_deref();
        class.map_or(Ok(()), check_name)?;
        let name = format!("{user}.{}", secret::password()?);
        let connection = Connection::open(&Options::of(&args.access, url, &user));
        let connection = Arc::new(connection?);
        let stream = nats::results_stream(&connection, 1)?;
        nats::create_objects(&connection, 1)?;
        let fleet = Arc::new(Fleet::default());
        nats::hear_workers(&connection, &fleet)?;
        let directory = TempDirectory::new("queue")?;
        let store = Store::open(&directory.path().join("judge.sqlite"))?;
        let queue = Arc::new(SqliteQueue::resume(Arc::new(store))?);
        let batches = Batches::new(connection.clone(), queue.clone(), &name, fleet)?;
        let shared = Arc::new(CommandState {
            batches: Arc::new(batches),
            sent: SentObjects::default(),
            checker,
            most_wait: args.nats_wait,
        });
        let server = QueueServer::new(&connection, &name, &queue, &shared, class)?;
        nats::serve(server, &name)?;
        let reader = Reader::new(&connection, &name, &shared, stream.clone());
        threads::start("results", move || reader.follow())?;
        let own = shared.clone();
        let class = args.class.clone();
        let planner = threads::start("planner", move || {
            let mut absence = Absence::default();
            let each_round = |waits| {
                if judge_sandbox::interrupted()
                    || absence.is_too_long(&own, class.as_deref(), waits)
                {
                    own.batches.table.interrupt();
                }
            };
            own.batches.plan(each_round);
        })?;
        Ok(Coordinator {
            shared,
            lane: Arc::new(Lane {
                judging: None,
                priority: Priority::Rejudge,
                share: "run".to_owned(),
                machine_class: args.class.clone(),
            }),
            thread: Some(planner),
            results: stream,
            _directory: directory,
        })
    }

    /// The place where submissions are judged while this is not dropped.
    pub fn place(&self) -> Arc<InBatches> {
        let shared = self.shared.clone();
        Arc::new(InBatches {
            batches: self.shared.batches.clone(),
            lane: self.lane.clone(),
            work: Arc::new(move |at| shared.work(at)),
        })
    }
}

impl Drop for Coordinator {
    /// Removes what is left of it on NATS.
    fn drop(&mut self) {
        self.shared.batches.end();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked holds nothing.
            let _ = thread.join();
        }
        let Batches {
            connection, name, ..
        } = self.shared.batches.as_ref();
        if let Err(error) = nats::delete_results(connection, &self.results, name) {
            tracing::warn!("{error}; they are deleted after some weeks");
        }
    }
}

impl CommandState {
    /// The batch of a submission that workers receive, without limits and cases.
    fn work(&self, at: SubmissionRef<'_>) -> Result<Batch, Reason> {
        let package = &at.entry().package;
        let submission = at.submission();
        let Source::Code {
            path,
            language,
            entry_point,
        } = &submission.source
        else {
            return Err(Reason::new(
                "a program that is built here is not judged elsewhere",
            ));
        };
        let CommandState { sent, checker, .. } = self;
        let tree = sent.package(package)?;
        let program = sent.program(package, path)?;
        let checker = checker.as_ref().map(|checker| sent.checker(checker));
        Ok(Batch {
            language: language.clone(),
            entry_point: entry_point.clone(),
            checker: checker.transpose()?,
            may_be_slow: submission.expected.allows(Verdict::TimeLimitExceeded),
            ..Batch::new(submission.name.clone(), tree, program)
        })
    }
}

impl Handler for CommandState {
    fn start(&self, by: &Starter<'_>, lease: &Lease) -> Started {
        match lease.unit.id.parse() {
            Ok(UnitId::Batch(_, batch)) => {
                let content = |hash: &str| self.sent.source(hash);
                self.batches.start(batch, by, content)
            }
            _ => Started::Closed,
        }
    }

    fn is_done(&self, unit: &str) -> Result<bool, Reason> {
        match unit.parse()? {
            UnitId::Batch(_, batch) => Ok(!self.batches.table.has(batch)),
            _ => Ok(true),
        }
    }

    fn give_up(&self, unit: &str, reason: &str) -> Result<(), Reason> {
        match unit.parse()? {
            UnitId::Batch(_, batch) => self.batches.give_up(batch, unit, reason),
            _ => Ok(()),
        }
    }

    fn fleet(&self) -> &Fleet {
        &self.batches.fleet
    }

    fn put(&self, object: &Object) -> Result<(), Reason> {
        nats::put_object(&self.batches.connection, object, |object| {
            self.sent.content(object)
        })
    }

    fn take(&self, results: Vec<(String, Results)>) -> Result<(), Reason> {
        for (worker, results) in results {
            self.batches.take(&worker, results);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.batches.is_over()
    }
}

/// The time since which no worker takes batches, and whether a message reported it.
struct Absence {
    since: Instant,
    is_reported: bool,
}

impl Default for Absence {
    fn default() -> Self {
        Absence {
            since: Instant::now(),
            is_reported: false,
        }
    }
}

impl Absence {
    /// Prints a message if no worker takes batches; returns whether the user's bound on that is exceeded.
    fn is_too_long(&mut self, shared: &CommandState, class: Option<&str>, waits: bool) -> bool {
        let mut workers = shared.batches.fleet.workers();
        workers.retain(|worker| class.is_none_or(|class| worker.machine_class == class));
        let works =
            |worker: &Presence| worker.state == WorkerState::Ready || !worker.doing.is_empty();
        if !waits || workers.iter().any(works) {
            *self = Absence::default();
            return false;
        }
        let elapsed = self.since.elapsed();
        let is_too_long = shared.most_wait.is_some_and(|most| elapsed > most);
        let is_first = elapsed > NO_WORKER && !self.is_reported;
        if is_too_long || is_first {
            self.is_reported = true;
            let what = no_worker(&workers, class, shared.batches.connection.url());
            match is_too_long {
                true => eprintln!("error: for {:.0} s {what}", elapsed.as_secs_f64()),
                false => eprintln!("waiting: {what}"),
            }
        }
        is_too_long
    }
}

/// The message that none of these workers takes batches, with the reasons and a remedy.
fn no_worker(workers: &[Presence], class: Option<&str>, url: &str) -> String {
    let (of_class, option) = match class {
        Some(class) => (format!(" of class {class}"), format!(" --class {class}")),
        None => (String::new(), String::new()),
    };
    let help = format!("help: start one on any machine: judge worker --nats {url}{option}");
    if workers.is_empty() {
        return format!("no worker{of_class} was heard of on NATS at {url}\n  {help}");
    }
    let rests = workers.iter().filter_map(|worker| match &worker.state {
        WorkerState::Resting(reason) => Some(format!("\n  {} rests: {reason}", worker.name)),
        _ => None,
    });
    let rests: String = rests.collect();
    format!("no worker{of_class} on NATS at {url} takes work{rests}\n  {help}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reasons_of_workers_that_rest_are_named() {
        let url = "nats://a:4222";
        assert_eq!(
            no_worker(&[], Some("fast"), url),
            "no worker of class fast was heard of on NATS at nats://a:4222\n  \
             help: start one on any machine: judge worker --nats nats://a:4222 --class fast"
        );
        let worker = |name: &str, state| Presence {
            name: name.to_owned(),
            process: String::new(),
            machine: String::new(),
            machine_class: String::new(),
            version: String::new(),
            jobs: 1,
            since_ms: 0,
            missing: Vec::new(),
            state,
            doing: Vec::new(),
        };
        let busy = WorkerState::Resting("a browser runs".to_owned());
        assert_eq!(
            no_worker(
                &[worker("b", busy), worker("c", WorkerState::Draining)],
                None,
                url
            ),
            "no worker on NATS at nats://a:4222 takes work\n  b rests: a browser runs\n  \
             help: start one on any machine: judge worker --nats nats://a:4222"
        );
    }
}
