//! Puts the server together: data directory, store, queue, workers, web server.

use crate::backup::DataCommand;
use crate::batches::Batches;
use crate::blobs::Blobs;
use crate::coordinator::ServerCoordinator;
use crate::http::{App, Listen, Parts, RateLimits, Tls};
use crate::languages::{self, Languages};
use crate::machine;
use crate::nats::{self, Connection};
use crate::packages::{self, Packages};
use crate::queue::Queue;
use crate::secret;
use crate::store::{NewUser, Role, SqliteQueue, Store, now_ms};
use crate::threads;
use crate::web::serve;
use crate::work::{Identity, NatsWorkers, Tuning, WhenBusy, default_name, watch};
use crate::worker::{self, Context, Embedded, Fleet, Workers};
use clap::Args;
use judge::cli::args::NatsAccess;
use judge::judging::Gate;
use judge::submission::Workspace;
use judge_sandbox::{Mode, TempDirectory};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs::{File, TryLockError};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Arguments of `judge serve`.
#[derive(Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct ServeArgs {
    /// Instead of serving.
    #[command(subcommand)]
    pub(crate) command: Option<DataCommand>,
    /// Packages to serve, by path or by id in the workspace; without any, all of the workspace
    pub(crate) packages: Vec<PathBuf>,
    /// Directory of the server's data [default: judge/server in the XDG data directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Address to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// Number of submissions to judge at once, 0 for none with --nats [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Certificate chain (PEM), to serve over TLS
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// Its key (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Trust X-Forwarded-For and X-Forwarded-Proto of the reverse proxy that all requests come through
    #[arg(long)]
    pub(crate) behind_proxy: bool,
    /// Seconds after which a connection is closed that sends no request; for tests
    #[arg(long, value_name = "SECONDS", hide = true, default_value_t = IDLE.as_secs_f64())]
    pub(crate) idle: f64,
    /// Share the work with `judge worker` on other machines through these servers of a NATS cluster,
    /// separated by commas
    #[arg(long, value_name = "URL")]
    pub(crate) nats: Option<String>,
    /// Keys for it.
    #[command(flatten)]
    pub(crate) access: NatsAccess,
    /// Let only workers of this class of machines judge the submissions, so that all times can be
    /// compared; also the class of this machine [default: any class]
    #[arg(long, value_name = "NAME", requires = "nats")]
    pub(crate) class: Option<String>,
    /// Servers of the NATS cluster that keep each message
    #[arg(long, value_name = "N", requires = "nats", default_value_t = 1)]
    pub(crate) nats_replicas: usize,
    /// Of its own workers, with `--nats`.
    #[command(flatten, next_help_heading = "Workers of this process, with --nats")]
    pub(crate) tuning: Tuning,
}

/// How long a connection may be idle: longer than those that a reverse proxy keeps, which is usually a
/// minute, because the proxy would report an error if the server closed one first.
const IDLE: Duration = Duration::from_secs(75);

/// How long the printed link works.
const LINK_MS: i64 = 24 * 3_600_000;

/// Serves until SIGTERM or SIGINT.
///
/// # Errors
///
/// A message with a remedy.
pub fn start(args: &ServeArgs) -> Result<(), String> {
    if let Some(command) = &args.command {
        return command.run();
    }
    if args.jobs == Some(0) && args.nats.is_none() {
        let remedy = "name the servers with --nats, or give another number";
        return Err(format!(
            "--jobs 0 needs --nats: nothing would judge\n  help: {remedy}"
        ));
    }
    raise_open_files();
    let data = machine::data_directory(args.data.as_deref())?;
    let _lock = lock(&data)?;
    let text = |e: io::Error| format!("{}: {e}", data.display());
    let store = Arc::new(Store::open(&data.join("judge.sqlite"))?);
    repair_contests(&store);
    let packages = Arc::new(Packages::open(&data.join("packages")).map_err(text)?);
    let blobs = Blobs::open(&data.join("blobs")).map_err(text)?;
    threads::start("leftovers", remove_leftovers)?;
    let (languages, search) = Languages::start(store.clone())?;
    add_packages(args, &store, &packages)?;
    let fleet = Arc::new(Fleet::default());
    let (own, machine) = (store.clone(), machine::name());
    let data = Embedded::start(own, blobs.clone(), packages.clone(), &machine)?;
    let (queue, workers) = match &args.nats {
        None => embedded(args, data)?,
        Some(url) => on_nats(args, url, data, fleet.clone())?,
    };
    let tls = args.tls_cert.clone().zip(args.tls_key.clone());
    if languages.is_empty() {
        let _ = search.join();
    }
    let app = App::new(Parts {
        store: store.clone(),
        queue,
        blobs,
        packages,
        languages,
        rates: RateLimits::default(),
        fleet,
        secure: tls.is_some(),
    });
    let listen = Listen {
        address: args.listen,
        tls: tls.map(|(cert, key)| Tls { cert, key }),
        behind_proxy: args.behind_proxy,
        idle: Duration::from_secs_f64(args.idle),
    };
    let link = admin_link(&store)?;
    let scheme = if listen.tls.is_some() {
        "https"
    } else {
        "http"
    };
    let ready = move |address: SocketAddr| {
        println!("judge-server: listening on {scheme}://{address}");
        println!("sign in as admin, once: {scheme}://{address}/sign-in/{link}");
    };
    let runtime = tokio::runtime::Runtime::new().map_err(text)?;
    let served = runtime.block_on(serve(app, &listen, ready));
    // Does not wait for requests that are still open.
    runtime.shutdown_background();
    match workers {
        AnyWorkers::Embedded(workers) => workers.stop(judge_sandbox::interrupt),
        AnyWorkers::Nats(coordinator, workers) => {
            coordinator.stop();
            workers.into_iter().for_each(NatsWorkers::stop);
        }
    }
    served.map_err(|e| format!("failed to serve on {}: {e}", listen.address))
}

/// Raises this process's limit on open files, of which each connection is one, to its maximum. Programs
/// in the sandbox have a limit of their own.
fn raise_open_files() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        ..limit
    };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!("failed to raise the limit on open files: {error}");
    }
}

/// The workers of this process, or those on NATS.
enum AnyWorkers {
    Embedded(Workers),
    /// Workers on NATS, some of them perhaps in this process.
    Nats(Arc<ServerCoordinator>, Option<NatsWorkers>),
}

/// The queue in the store, and workers of this process.
fn embedded(args: &ServeArgs, data: Embedded) -> Result<(Arc<dyn Queue>, AnyWorkers), String> {
    let store = &data.store;
    let queue = Arc::new(SqliteQueue::open(store.clone())?);
    worker::reconcile(store, queue.as_ref())?;
    enqueue_later(store.clone(), queue.clone())?;
    let context = Context {
        queue: queue.clone(),
        coordinator: Arc::new(data),
        toolchain: languages::toolchain(&worker::settings(Mode::Auto))?,
        mode: Mode::Auto,
        gate: Arc::new(Gate::default()),
        machine: machine::name(),
        lease: worker::LEASE,
        threads: 1,
    };
    let mut cores = judge_sandbox::cores();
    cores.truncate(args.jobs.unwrap_or(cores.len()));
    let workers = Workers::start(Arc::new(context), &cores)?;
    watch(workers.control(), cores.len(), WhenBusy::Warn)?;
    Ok((queue, AnyWorkers::Embedded(workers)))
}

/// The queue in the store for workers on NATS, and workers of this process unless there are to be none.
fn on_nats(
    args: &ServeArgs,
    url: &str,
    data: Embedded,
    fleet: Arc<Fleet>,
) -> Result<(Arc<dyn Queue>, AnyWorkers), String> {
    let name = nats::server_name(&data.store)?;
    let connection = Connection::open(&nats::Options::of(&args.access, url, &name));
    let connection = Arc::new(connection?);
    let class = args.class.as_deref();
    let store = data.store.clone();
    let queue = Arc::new(SqliteQueue::resume(store.clone())?);
    let batches = Batches::new(connection.clone(), queue.clone(), &name, fleet)?;
    let coordinator = ServerCoordinator::start(batches, data, class, args.nats_replicas)?;
    enqueue_later(store, queue.clone())?;
    let workers = match args.jobs {
        Some(0) => None,
        jobs => {
            let identity = Identity {
                name: &default_name(),
                machine_class: class.unwrap_or(worker::DEFAULT_CLASS),
                // Users wait for the only machine.
                when_busy: WhenBusy::Warn,
            };
            let workers = NatsWorkers::start(connection, identity, jobs, &args.tuning);
            Some(workers?)
        }
    };
    Ok((queue, AnyWorkers::Nats(coordinator, workers)))
}

/// Creates the directory, which has secrets, and locks it: two servers would take each other's work.
fn lock(data: &Path) -> Result<File, String> {
    let failed = |e: io::Error| format!("{}: {e}", data.display());
    machine::private_directory(data).map_err(failed)?;
    let file = File::create(data.join("lock")).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(format!(
            "{}: another judge-server uses this directory\n  help: stop it, or add --data DIR",
            data.display()
        )),
        Err(TryLockError::Error(e)) => Err(failed(e)),
    }
}

/// Hides the results of contests that older servers left as shown or final before their end.
fn repair_contests(store: &Store) {
    match store.remove_early_marks(now_ms()) {
        Ok(repaired) => {
            for name in repaired {
                tracing::warn!(
                    "the results of {name:?} were shown or final before its end, as older servers allowed: \
                     they are no longer"
                );
            }
        }
        Err(error) => tracing::error!("contests of older servers cannot be repaired: {error}"),
    }
}

/// Takes snapshots of the packages, which become open for practice when they are new.
fn add_packages(args: &ServeArgs, store: &Store, packages: &Packages) -> Result<(), String> {
    let here = std::env::current_dir().map_err(|e| format!("no current directory: {e}"))?;
    let workspace = Workspace::around(&here);
    let paths = match (&args.packages[..], &workspace) {
        ([], Some(workspace)) => workspace.packages().map_err(|e| e.to_string())?,
        ([], None) => Vec::new(),
        (named, _) => named
            .iter()
            .map(|name| match &workspace {
                Some(workspace) if !name.exists() => workspace.root.join("testdata").join(name),
                _ => name.clone(),
            })
            .collect(),
    };
    paths
        .iter()
        .try_for_each(|path| add_package(path, store, packages))
}

/// Takes a snapshot of a package, unless the package is as it was when that was done last. Then the
/// problem keeps its present version, which the jury may have uploaded since.
fn add_package(path: &Path, store: &Store, packages: &Packages) -> Result<(), String> {
    let absolute = std::path::absolute(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let name = absolute.to_string_lossy();
    // Before the package is read: what changes meanwhile changes the stamp.
    let stamp = packages::stamp(&absolute);
    if let Some(stamp) = &stamp {
        let known = store.stamped_package(&name, stamp)?;
        if known.is_some_and(|tree| packages.has(&tree)) {
            return Ok(());
        }
    }
    let version = packages.add(path)?;
    let is_new = store.problem_by_ext(&version.ext)?.is_none();
    let (problem, _) = store.put_version(&version)?;
    if is_new {
        store.set_practice(problem, true)?;
    }
    store.stamp_package(&name, stamp.as_deref(), &version.tree)?;
    Ok(())
}

/// A link that signs in as `admin`, who is added if needed.
fn admin_link(store: &Store) -> Result<String, String> {
    let admin = store.put_user(&NewUser {
        ext: "admin".to_owned(),
        name: "admin".to_owned(),
        display_name: None,
        role: Role::Admin,
        team: None,
        password_hash: None,
    })?;
    let secret = secret::random().map_err(|e| e.to_string())?;
    store.add_sign_in_link(&secret::hash(&secret), admin, now_ms() + LINK_MS)?;
    Ok(secret)
}

/// How often judgings and steps of verification are looked for that are not in the queue.
const ENQUEUE_INTERVAL: Duration = Duration::from_secs(10);

/// Enqueues, from time to time, submissions and uploads that were saved but not enqueued, because the
/// disk became full between the two.
fn enqueue_later(store: Arc<Store>, queue: Arc<SqliteQueue>) -> Result<(), String> {
    let run = move || {
        loop {
            thread::sleep(ENQUEUE_INTERVAL);
            if queue.take_incomplete()
                && let Err(error) = worker::enqueue_missing(&store, queue.as_ref())
            {
                tracing::warn!("submissions or uploads wait to be enqueued: {error}");
            }
        }
    };
    threads::start("enqueue", run).map(drop)
}

/// Removes what a killed server left in the directory for temporary files: now, and what it made in
/// its last seconds a little later.
fn remove_leftovers() {
    TempDirectory::remove_leftovers();
    thread::sleep(Duration::from_secs(5));
    TempDirectory::remove_leftovers();
}
