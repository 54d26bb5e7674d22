//! Options that say where NATS is, and who this process is there.

use super::parse::parse_seconds;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// Options of judging on other machines.
#[derive(Args, Clone, Default, Debug)]
pub struct NatsArgs {
    /// Have submissions compiled and run by `judge worker` on other machines, through these servers
    /// of a NATS cluster, separated by commas (docs/machines.md).
    #[arg(long, value_name = "URL")]
    pub nats: Option<String>,

    /// Name of this user on NATS, to which its permissions belong [default: the machine's].
    #[arg(long, value_name = "NAME", requires = "nats")]
    pub nats_name: Option<String>,

    /// Give up when no worker took work for so long [default: wait for one].
    #[arg(long, value_name = "SECONDS", requires = "nats", value_parser = parse_seconds)]
    pub nats_wait: Option<Duration>,

    /// Only workers on machines of this class judge, so that all times can be compared [default: any].
    #[arg(long, value_name = "NAME", requires = "nats")]
    pub class: Option<String>,

    /// Keys for the NATS cluster.
    #[command(flatten)]
    pub access: NatsAccess,
}

/// Keys and certificates for NATS.
#[derive(Args, Clone, Default, Debug)]
pub struct NatsAccess {
    /// File with this user's JWT and seed for NATS.
    #[arg(long, value_name = "FILE", requires = "nats", conflicts_with = "nkey")]
    pub creds: Option<PathBuf>,

    /// File with the seed of this user's nkey for NATS.
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub nkey: Option<PathBuf>,

    /// Certificates (PEM) of the authorities to trust for NATS, which has to use TLS.
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub ca: Option<PathBuf>,

    /// Certificate chain (PEM) of this process for NATS.
    #[arg(long, value_name = "FILE", requires = "nats_key")]
    pub nats_cert: Option<PathBuf>,

    /// Its key (PEM).
    #[arg(long, value_name = "FILE", requires = "nats_cert")]
    pub nats_key: Option<PathBuf>,
}
