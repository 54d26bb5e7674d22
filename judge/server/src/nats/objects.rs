//! Packages and large sources in the object store, under their hashes.

use super::protocol::{OBJECTS, Object};
use super::{Connection, Error};
use crate::blobs;
use async_nats::jetstream::object_store::{Config, ObjectStore};
use judge_core::error::Reason;
use std::fs::File;
use std::io::Cursor;
use std::time::{Duration, SystemTime};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

/// An object is deleted this long after it was put: workers keep their own copies.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// Bound on moving one object.
const TRANSFER: Duration = Duration::from_secs(600);

/// Creates the bucket, unless there is one.
pub fn create(connection: &Connection, replicas: usize) -> Result<(), Error> {
    let jetstream = connection.jetstream();
    connection.request("create the object store", async {
        if jetstream.get_object_store(OBJECTS).await.is_ok() {
            return Ok(());
        }
        let config = Config {
            bucket: OBJECTS.to_owned(),
            description: Some("judge: packages and sources that are being judged".to_owned()),
            max_age: KEPT,
            num_replicas: replicas,
            ..Config::default()
        };
        jetstream.create_object_store(config).await.map(drop)
    })
}

fn bucket(connection: &Connection) -> Result<ObjectStore, Error> {
    let bucket = connection.jetstream().get_object_store(OBJECTS);
    connection.request("find the object store", bucket)
}

pub enum Content {
    /// In memory.
    Bytes(Vec<u8>),
    /// In a file, from its position.
    File(File),
}

/// Puts an object into the store, unless it stays there for some days.
pub fn put(
    connection: &Connection,
    object: &Object,
    content: impl FnOnce(&Object) -> Result<Content, Reason>,
) -> Result<(), Reason> {
    let bucket = bucket(connection)?;
    let name = object.name();
    let known = connection.request("look for an object", async {
        Ok::<_, Error>(bucket.info(&name).await.ok())
    });
    let put_at = known?
        .filter(|info| !info.deleted)
        .and_then(|info| info.modified);
    let recently = SystemTime::now() - KEPT / 2;
    if put_at.is_some_and(|at| SystemTime::from(at) > recently) {
        return Ok(());
    }
    let mut content: Box<dyn AsyncRead + Send + Unpin> = match content(object)? {
        Content::Bytes(bytes) => Box::new(Cursor::new(bytes)),
        Content::File(file) => Box::new(tokio::fs::File::from_std(file)),
    };
    let put = bucket.put(name.as_str(), &mut content);
    connection.request_within(TRANSFER, "put an object", put)?;
    Ok(())
}

/// Reads a source from the object store, and verifies it.
pub fn source(connection: &Connection, hash: &str) -> Result<Vec<u8>, Reason> {
    let mut content = Vec::new();
    let object = Object::Source(hash.to_owned());
    get(connection, &object, &mut content)?;
    match blobs::hash(&content) == hash {
        true => Ok(content),
        false => Err(Reason::new(format!(
            "the object {} is damaged",
            object.name()
        ))),
    }
}

/// Copies an object from the store.
pub fn get(
    connection: &Connection,
    object: &Object,
    to: &mut (impl AsyncWrite + Unpin),
) -> Result<(), Reason> {
    let bucket = bucket(connection)?;
    let name = object.name();
    connection.request_within(TRANSFER, "get an object", async {
        let mut object = bucket.get(&name).await?;
        tokio::io::copy(&mut object, to).await?;
        to.flush().await?;
        Ok::<_, async_nats::Error>(())
    })?;
    Ok(())
}
