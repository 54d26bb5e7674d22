//! `judge worker`: judges the submissions of servers on other machines.

mod busy;
mod cores;
mod load;
mod presence;
mod watch;

pub(crate) use watch::{WhenBusy, watch};

use crate::machine;
use crate::nats::{Cache, Connection, Options, Remote, check_name};
use crate::units::DEFAULT_CLASS;
use crate::work_protocol::WorkerState;
use crate::worker::{Context, Control, LEASE, Workers};
use clap::Args;
use cores::Cores;
use judge_core::error::Failure;
use judge_sandbox::Mode;
use judge_session::args::NatsAccess;
use presence::Announcer;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Arguments of `judge worker`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
SIGTERM lets it finish what it has and end; a second one makes it give that back and end at once.")]
pub struct WorkerArgs {
    /// Servers of the NATS cluster that the judge's server uses, separated by commas
    #[arg(long, value_name = "URL")]
    pub(crate) nats: String,
    /// Keys for the NATS cluster.
    #[command(flatten)]
    pub(crate) access: NatsAccess,
    /// Number of submissions to judge at once [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Name of this worker, to which its permissions on NATS belong [default: the machine's]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Class of this machine: machines of one class measure the same times
    #[arg(long, value_name = "NAME", default_value = DEFAULT_CLASS)]
    pub(crate) class: String,
    /// Options that have defaults.
    #[command(flatten)]
    pub(crate) tuning: Tuning,
}

/// Options of workers that have defaults for all.
#[derive(Args, Clone, Debug)]
pub(crate) struct Tuning {
    /// Directory for copies of packages [default: judge/worker in the XDG cache directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// Size of that directory in MiB; packages whose last use is the longest ago are deleted
    #[arg(long, value_name = "MIB", default_value_t = 10 << 10)]
    pub(crate) cache_size: u64,
    /// Behaviour while other programs keep this machine too busy to measure times exactly: take no
    /// work, or only say so [default: rest, and for the workers of `judge serve` warn]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) when_busy: Option<WhenBusy>,
    /// How long a submission waits for a worker that is not heard of, in seconds; for tests
    #[arg(long, value_name = "SECONDS", hide = true, default_value_t = LEASE.as_secs_f64())]
    pub(crate) lease: f64,
}

/// Judges until SIGTERM or SIGINT.
pub fn work(args: &WorkerArgs) -> Result<(), Failure> {
    let name = match &args.name {
        Some(name) => name.clone(),
        None => default_name(),
    };
    check_name(&name)?;
    check_name(&args.class)?;
    let connection = Connection::open(&Options::of(&args.access, &args.nats, &name));
    let connection = Arc::new(connection?);
    let identity = Identity {
        name: &name,
        machine_class: &args.class,
        when_busy: WhenBusy::Rest,
    };
    let workers = NatsWorkers::start(connection, identity, args.jobs, &args.tuning)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Failure::usage(format!("failed to start: {e}")))?;
    runtime.block_on(until_done(&workers, &name, &args.nats))?;
    workers.stop();
    Ok(())
}

/// Waits for a signal, then until the workers are idle or a second signal comes.
async fn until_done(workers: &NatsWorkers, name: &str, url: &str) -> Result<(), Failure> {
    let listen = |kind| {
        signal(kind).map_err(|e| Failure::usage(format!("failed to listen to signals: {e}")))
    };
    let mut term = listen(SignalKind::terminate())?;
    let mut int = listen(SignalKind::interrupt())?;
    tracing::info!(name, "waiting for work from {url}");
    any(&mut term, &mut int).await;
    tracing::info!("finishing what was begun; a second signal gives it back");
    workers.drain();
    let idle = async {
        while !workers.workers.control().doing().is_empty() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::select! {
        () = idle => {}
        () = any(&mut term, &mut int) => tracing::info!("giving back what was begun"),
    }
    Ok(())
}

async fn any(term: &mut Signal, int: &mut Signal) {
    tokio::select! {
        _ = term.recv() => {}
        _ = int.recv() => {}
    }
}

/// Name, class and defaults of a worker process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity<'i> {
    /// Its name on NATS.
    pub(crate) name: &'i str,
    pub(crate) machine_class: &'i str,
    /// Its behaviour on a busy machine, unless an option sets it.
    pub(crate) when_busy: WhenBusy,
}

/// Workers of this process that take units from NATS.
pub(crate) struct NatsWorkers {
    workers: Workers,
    announcer: Announcer,
    _cores: Cores,
}

impl NatsWorkers {
    /// Starts them; `jobs`: at most one for each core, which is the default.
    pub(crate) fn start(
        connection: Arc<Connection>,
        identity: Identity<'_>,
        jobs: Option<usize>,
        tuning: &Tuning,
    ) -> Result<Self, Failure> {
        let Identity {
            name,
            machine_class,
            when_busy,
        } = identity;
        let dir = machine::cache_directory(tuning.cache.as_deref())?;
        let text = |e: std::io::Error| Failure::usage(format!("{}: {e}", dir.display()));
        // It is private, because packages have secret cases.
        machine::private_directory(&dir).map_err(text)?;
        judge_sandbox::hide(&dir);
        let cache = Cache::open(&dir.join(name), tuning.cache_size << 20).map_err(text)?;
        let remote = Remote::start(connection.clone(), name, machine_class, cache)?;
        let remote = Arc::new(remote);
        let context = Arc::new(Context {
            lease: Duration::from_secs_f64(tuning.lease),
            threads: 2,
            ..Context::new(remote.clone(), remote, Mode::Auto, &dir, name)?
        });
        let all = judge_sandbox::cores();
        let jobs = jobs.unwrap_or(all.len()).clamp(1, all.len());
        let machine = machine::name();
        let cores = Cores::take(&dir.join("cores"), &machine, &all, jobs).map_err(text)?;
        let workers = Workers::start(context.clone(), &cores.numbers)?;
        let when_busy = tuning.when_busy.unwrap_or(when_busy);
        watch(workers.control(), jobs, when_busy)?;
        let announcer = Announcer::start(connection, identity, jobs, context, workers.control())?;
        Ok(NatsWorkers {
            workers,
            announcer,
            _cores: cores,
        })
    }

    /// A handle that controls them while they run.
    pub(crate) fn control(&self) -> Control {
        self.workers.control()
    }

    /// Takes no unit any more, and finishes those that were begun.
    pub(crate) fn drain(&self) {
        self.workers.control().drain();
        self.announcer.set(WorkerState::Draining);
    }

    /// Stops at once: units that were begun are given back.
    pub(crate) fn stop(self) {
        self.workers.stop(judge_sandbox::interrupt);
        self.announcer.stop();
    }
}

/// The name of this machine, as a name on NATS.
pub(crate) fn default_name() -> String {
    let valid = |c: char| match c.is_ascii_alphanumeric() || "-_".contains(c) {
        true => c,
        false => '-',
    };
    machine::name().chars().take(64).map(valid).collect()
}
