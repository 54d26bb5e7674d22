//! Puts the server together: data directory, store, queue, workers, web server.

mod reserve;
mod sign_in_link;

use crate::backup::DataCommand;
use crate::batches::Batches;
use crate::blobs::{Blobs, remove_unfinished};
use crate::coordinator::ServerCoordinator;
use crate::http::{self, App, Health, Parts, RateLimits};
use crate::languages::Languages;
use crate::machine;
use crate::nats::{self, Connection};
use crate::packages::{self, Packages};
use crate::printing::Printer;
use crate::shadow::{ShadowArgs, shadow};
use crate::store::{SqliteQueue, Store, now_ms};
use crate::threads;
use crate::units::{self, Embedded};
use crate::web::{Listen, Tls, serve};
use crate::work_protocol::Fleet;
use crate::worker::{Context, Control, Workers};
use crate::worker_process::{Identity, NatsWorkers, Tuning, WhenBusy, default_name, watch};
use axum::http::StatusCode;
use clap::{Args, Subcommand};
use judge_core::error::Failure;
use judge_core::submission::Workspace;
use judge_sandbox::Mode;
use judge_session::args::NatsAccess;
use judge_tempdir::TempDirectory;
use reserve::open_store;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use sign_in_link::{Link, admin_link};
use std::fs::{File, TryLockError};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Commands about a server.
#[derive(Subcommand, Clone, Debug)]
pub enum ServerCommand {
    #[command(flatten)]
    Data(DataCommand),
    /// Judge another system's contest a second time, and compare the verdicts
    Shadow(ShadowArgs),
}

impl ServerCommand {
    /// Runs the command; returns the exit status.
    pub fn run(&self) -> Result<u8, Failure> {
        match self {
            ServerCommand::Data(command) => command.run().map(|()| 0),
            ServerCommand::Shadow(args) => shadow(args),
        }
    }
}

/// Arguments of `judge serve`.
#[derive(Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct ServeArgs {
    /// Instead of serving.
    #[command(subcommand)]
    pub(crate) command: Option<ServerCommand>,
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
    /// Let teams print: this program with its arguments, separated by blanks, gets each text on its standard input
    #[arg(long, value_name = "COMMAND")]
    pub(crate) print_command: Option<String>,
    /// Print a link that signs in as admin, once, although the admin has a password; earlier links stop working
    #[arg(long)]
    pub(crate) sign_in_link: bool,
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

/// Serves until SIGTERM or SIGINT, or runs the command that stands instead; returns the exit status.
pub fn start(args: &ServeArgs) -> Result<u8, Failure> {
    match &args.command {
        Some(command) => command.run(),
        None => serve_packages(args).map(|()| 0),
    }
}

fn serve_packages(args: &ServeArgs) -> Result<(), Failure> {
    if args.jobs == Some(0) && args.nats.is_none() {
        let remedy = "name the servers with --nats, or give another number";
        return Err(Failure::usage("--jobs 0 needs --nats: nothing would judge").help(remedy));
    }
    raise_open_files();
    let data = machine::data_directory(args.data.as_deref())?;
    let _lock = lock(&data)?;
    let name = data.display().to_string();
    let text = |e: io::Error| Failure::usage(format!("{name}: {e}"));
    let store = Arc::new(open_store(&data)?);
    repair_contests(&store);
    let packages = Arc::new(Packages::open(&data.join("packages")).map_err(text)?);
    find_samples(&store, &packages)?;
    let blobs = Blobs::open(&data.join("blobs")).map_err(text)?;
    let places = ["blobs", "packages"].map(|name| data.join(name));
    threads::start("leftovers", move || remove_leftovers(&places))?;
    let (languages, search) = Languages::start(store.clone())?;
    add_packages(args, &store, &packages)?;
    let fleet = Arc::new(Fleet::default());
    let (own, machine) = (store.clone(), machine::name());
    let server = Embedded::start(own, blobs.clone(), packages.clone(), &machine)?;
    let (queue, workers) = match &args.nats {
        None => embedded(args, server, &data)?,
        Some(url) => on_nats(args, url, server, fleet.clone())?,
    };
    let health = Health {
        workers: workers.control(),
        data,
    };
    let tls = args.tls_cert.clone().zip(args.tls_key.clone());
    if languages.is_empty() {
        let _ = search.join();
    }
    let printer = args.print_command.as_deref();
    let printer = printer.map(|command| Printer::start(store.clone(), command));
    let app = App::new(Parts {
        store: store.clone(),
        queue,
        blobs,
        packages,
        languages,
        health,
        rates: RateLimits::default(),
        fleet,
        printer: printer.transpose()?,
        secure: tls.is_some(),
        idle: Duration::from_secs_f64(args.idle),
    });
    let listen = Listen {
        address: args.listen,
        tls: tls.map(|(cert, key)| Tls { cert, key }),
        behind_proxy: args.behind_proxy,
    };
    let link = admin_link(&store, args.sign_in_link)?;
    let standstill = app.health.standstill(false);
    let scheme = if listen.tls.is_some() {
        "https"
    } else {
        "http"
    };
    let ready = move |address: SocketAddr| {
        println!("judge-server: listening on {scheme}://{address}");
        match &link {
            Link::New(link) => {
                println!("sign in as admin, once: {scheme}://{address}/sign-in/{link}");
            }
            Link::NotNeeded => {
                println!("sign in as admin with the password; a link: judge serve --sign-in-link");
            }
            Link::NoRoom => println!("no link to sign in as admin: nothing can be saved"),
        }
        if let Some(why) = &standstill {
            println!("judge-server: pages are served, nothing is judged: {why}");
        }
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
    served.map_err(|e| Failure::usage(format!("failed to serve on {}: {e}", listen.address)))
}

/// Raises this process's limit on open files to its maximum, because each connection takes one. Programs
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

impl AnyWorkers {
    fn control(&self) -> Option<Control> {
        match self {
            AnyWorkers::Embedded(workers) => Some(workers.control()),
            AnyWorkers::Nats(_, workers) => workers.as_ref().map(NatsWorkers::control),
        }
    }
}

/// The queue in the store, and workers of this process.
fn embedded(
    args: &ServeArgs,
    data: Embedded,
    directory: &Path,
) -> Result<(Arc<SqliteQueue>, AnyWorkers), Failure> {
    let store = &data.store;
    let queue = Arc::new(SqliteQueue::open(store.clone())?);
    enqueue_later(store.clone(), queue.clone())?;
    let (leases, machine) = (queue.clone(), machine::name());
    let context = Context::new(leases, Arc::new(data), Mode::Auto, directory, &machine)?;
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
) -> Result<(Arc<SqliteQueue>, AnyWorkers), Failure> {
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
                machine_class: class.unwrap_or(units::DEFAULT_CLASS),
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
fn lock(data: &Path) -> Result<File, Failure> {
    let failed = |e: io::Error| Failure::usage(format!("{}: {e}", data.display()));
    machine::private_directory(data).map_err(failed)?;
    judge_sandbox::hide(data);
    let file = File::create(data.join("lock")).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let what = format!(
                "{}: another judge-server uses this directory",
                data.display()
            );
            Err(Failure::usage(what).help("stop it, or add --data DIR"))
        }
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

/// Sets the samples and groups of versions that older servers added, from their snapshots. A version without its snapshot keeps
/// none: its data is not shown.
fn find_samples(store: &Store, packages: &Packages) -> Result<(), Failure> {
    for version in store.versions_without_samples()? {
        match packages.described(&version.tree) {
            // By name: this program may read the package in another way than the one that added it.
            Ok(read) => {
                let found = |name: &String| read.cases.iter().position(|own| own == name);
                let found: Vec<_> = version.cases.iter().map(found).collect();
                let is_sample =
                    |k: &usize| found[*k].is_some_and(|own| read.samples.contains(&own));
                let samples: Vec<usize> = (0..found.len()).filter(is_sample).collect();
                let group =
                    |own: &Option<usize>| own.map_or("", |own| &read.groups[own]).to_owned();
                let groups: Vec<String> = found.iter().map(group).collect();
                store.set_samples(version.id, &samples, &groups)?;
            }
            Err(error) => tracing::warn!("the samples of {:?} are hidden: {error}", version.name),
        }
    }
    Ok(())
}

/// Takes snapshots of the packages, which become open for practice when they are new.
fn add_packages(args: &ServeArgs, store: &Store, packages: &Packages) -> Result<(), Failure> {
    let here = std::env::current_dir()
        .map_err(|e| Failure::usage(format!("no current directory: {e}")))?;
    let workspace = Workspace::around(&here);
    let paths = match (&args.packages[..], &workspace) {
        ([], Some(workspace)) => workspace.packages()?,
        ([], None) => Vec::new(),
        (named, _) => named
            .iter()
            .map(|name| match &workspace {
                Some(workspace) if !name.exists() => workspace.root.join("testdata").join(name),
                _ => name.clone(),
            })
            .collect(),
    };
    for path in paths {
        match add_package(&path, store, packages) {
            // The present version stays until the next start.
            Err(error) if error.status == StatusCode::INSUFFICIENT_STORAGE => {
                tracing::error!("{} is not added: {}", path.display(), error.into_text());
            }
            added => added.map_err(|error| Failure::usage(error.into_text()))?,
        }
    }
    Ok(())
}

/// Takes a snapshot of a package, unless the package is as it was when that was done last. Then the
/// problem keeps its present version, which the jury may have uploaded since.
fn add_package(path: &Path, store: &Store, packages: &Packages) -> http::Result<()> {
    let absolute = std::path::absolute(path)?;
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

/// How often judgings and steps of verification are looked for that are not in the queue.
const ENQUEUE_INTERVAL: Duration = Duration::from_secs(10);

/// Enqueues, at once and from time to time, submissions and uploads that were saved but not enqueued, because the
/// disk became full between the two.
fn enqueue_later(store: Arc<Store>, queue: Arc<SqliteQueue>) -> Result<(), Failure> {
    let mut is_complete = false;
    let mut enqueue = move || {
        let enqueued = match is_complete {
            true if !queue.take_incomplete() => return,
            true => units::enqueue_missing(&store, queue.as_ref()),
            // The first time also completes what a killed server left.
            false => units::reconcile(&store, queue.as_ref()),
        };
        match enqueued {
            Ok(()) => is_complete = true,
            Err(error) => tracing::warn!("submissions or uploads wait to be enqueued: {error}"),
        }
    };
    enqueue();
    let run = move || {
        loop {
            thread::sleep(ENQUEUE_INTERVAL);
            enqueue();
        }
    };
    threads::start("enqueue", run)?;
    Ok(())
}

/// Removes what a killed server left in its data and in the directory for temporary files: now, and what it made in
/// its last seconds a little later.
fn remove_leftovers(places: &[PathBuf]) {
    places.iter().for_each(|place| remove_unfinished(place));
    for pause in [Duration::ZERO, Duration::from_secs(5)] {
        thread::sleep(pause);
        let removed = TempDirectory::remove_leftovers();
        if removed > 0 {
            tracing::info!("removed {removed} temporary directories that killed processes left");
        }
    }
}
