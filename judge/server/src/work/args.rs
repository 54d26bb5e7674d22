//! Options that say where NATS is, and who this process is there.

use crate::nats::Options;
use clap::Args;
use std::path::PathBuf;

/// Keys and certificates for NATS.
#[derive(Args, Clone, Default, Debug)]
pub struct NatsAccess {
    /// File with this user's JWT and seed for NATS
    #[arg(long, value_name = "FILE", requires = "nats", conflicts_with = "nkey")]
    pub creds: Option<PathBuf>,
    /// File with the seed of this user's nkey for NATS
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub nkey: Option<PathBuf>,
    /// Certificates (PEM) of the authorities to trust for NATS, which has to use TLS
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub ca: Option<PathBuf>,
    /// Certificate chain (PEM) of this process for NATS
    #[arg(long, value_name = "FILE", requires = "nats_key")]
    pub nats_cert: Option<PathBuf>,
    /// Its key (PEM)
    #[arg(long, value_name = "FILE", requires = "nats_cert")]
    pub nats_key: Option<PathBuf>,
}

impl NatsAccess {
    /// The options of a connection of the process with this name.
    pub fn options(&self, url: &str, name: &str) -> Options {
        Options {
            url: url.to_owned(),
            name: Some(name.to_owned()),
            credentials: self.creds.clone(),
            nkey: self.nkey.clone(),
            ca: self.ca.clone(),
            certificate: self.nats_cert.clone().zip(self.nats_key.clone()),
        }
    }
}
