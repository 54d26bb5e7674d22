//! The package of a new problem.

use super::failed;
use crate::error::Failure;
use crate::text::hex;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// An input and its answer.
pub type Sample = (Vec<u8>, Vec<u8>);

/// What is known of a problem that there is no package of yet.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Draft {
    /// Its name.
    pub name: Option<String>,
    /// Where its statement is.
    pub url: Option<String>,
    /// Seconds per case.
    pub time_limit: Option<f64>,
    /// MiB.
    pub memory: Option<u64>,
    /// Inputs and answers.
    pub samples: Vec<Sample>,
}

/// Writes the package of a draft into `dir`.
///
/// # Errors
///
/// When there is no sample, or a file cannot be written.
pub fn write(dir: &Path, id: &str, draft: &Draft) -> Result<(), Failure> {
    if draft.samples.is_empty() {
        return Err(Failure::usage("the problem has no sample"));
    }
    // JSON's quotes are YAML's.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let name = quoted(draft.name.as_deref().unwrap_or(id));
    let mut yaml = format!(
        "problem_format_version: 2025-09\ntype: pass-fail\nname:\n  en: {name}\nuuid: {}\n",
        random_uuid()?
    );
    if let Some(url) = &draft.url {
        let url = quoted(url);
        yaml.push_str(&format!("source:\n  name: {name}\n  url: {url}\n"));
    }
    yaml.push_str("license: unknown\nlimits:\n");
    let seconds = draft.time_limit.unwrap_or(1.0);
    yaml.push_str(&format!("  time_limit: {seconds:?}\n"));
    if let Some(memory) = draft.memory {
        yaml.push_str(&format!("  memory: {memory}\n"));
    }
    let sample = dir.join("data/sample");
    fs::create_dir_all(&sample).map_err(failed("create", &sample))?;
    let mut files = vec![(dir.join("problem.yaml"), yaml.into_bytes())];
    for (k, (input, answer)) in draft.samples.iter().enumerate() {
        files.push((sample.join(format!("{}.in", k + 1)), input.clone()));
        files.push((sample.join(format!("{}.ans", k + 1)), answer.clone()));
    }
    for (path, bytes) in files {
        fs::write(&path, bytes).map_err(failed("write", &path))?;
    }
    Ok(())
}

/// Reads samples: each input's file is followed by its answer's.
///
/// # Errors
///
/// When their number is odd, or one cannot be read.
pub fn samples(files: &[PathBuf]) -> Result<Vec<Sample>, Failure> {
    let read = |path: &PathBuf| fs::read(path).map_err(failed("read", path));
    let pair = |pair: &[PathBuf]| match pair {
        [input, answer] => Ok((read(input)?, read(answer)?)),
        _ => Err(Failure::usage(
            "--samples: expected pairs of files, each input followed by its answer: 1.in 1.ans \
             2.in 2.ans",
        )),
    };
    files.chunks(2).map(pair).collect()
}

/// `problem.yaml` with another identity; all else stands as it was, comments too.
pub fn new_settings(text: &str, uuid: &str, url: Option<&str>) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let key = line.trim_start();
        let indent = &line[..line.len() - key.len()];
        match url {
            _ if line.starts_with("uuid:") => out.push_str(&format!("uuid: {uuid}")),
            // JSON's quotes are YAML's.
            Some(url) if key.starts_with("url:") || line.starts_with("source_url:") => {
                let name = key.split(':').next().unwrap_or("url");
                let url = serde_json::Value::from(url);
                out.push_str(&format!("{indent}{name}: {url}"));
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// A random UUID (version 4).
///
/// # Errors
///
/// When the system gives no random numbers.
pub fn random_uuid() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    let source = Path::new("/dev/urandom");
    File::open(source)
        .and_then(|mut file| file.read_exact(&mut bytes))
        .map_err(failed("read", source))?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hex(&bytes);
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| &digits[range]);
    Ok(parts.join("-"))
}
