//! The command `judge submit`: sends a program to a server, and prints its verdicts as they come.

mod follow;

use crate::client::{CallError, Client, plain};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use clap::Args;
use judge_core::error::Failure;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Arguments of `judge submit`.
#[derive(Args, Clone, Debug)]
#[command(
    override_usage = "\
judge submit [OPTIONS] --server <URL> <FILE>...
       judge submit --open <PROGRAM>          for any other site",
    after_help = "\
Signs in with the token in JUDGE_TOKEN, with JUDGE_USER and JUDGE_PASSWORD, or with the server's entry \
in ~/.netrc.

`judge submit --open FILE` submits nothing: it puts the file for another site on the clipboard, and opens \
the problem's page.

Exit status: 0 accepted, 1 not accepted, 2 not submitted, 3 the judge failed."
)]
pub struct SubmitArgs {
    /// The program: one file, or all files of it
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The problem's id, or its label in the contest [default: the first file's name]
    #[arg(short, long, value_name = "ID")]
    pub(crate) problem: Option<String>,
    /// Submit to this contest [default: practice]
    #[arg(short, long, value_name = "ID")]
    pub(crate) contest: Option<String>,
    /// The language's id [default: by the file's extension]
    #[arg(short, long, value_name = "ID")]
    pub(crate) language: Option<String>,
    /// Print the files instead of submitting them, if the server prints
    #[arg(short = 'P', long, conflicts_with_all = ["problem", "language", "entry_point"])]
    pub(crate) print: bool,
    /// The file or class to start
    #[arg(long, value_name = "NAME")]
    pub(crate) entry_point: Option<String>,
    /// Address of the server
    #[arg(long, value_name = "URL", env = "JUDGE_SERVER")]
    pub(crate) server: String,
    /// Trust the certificates in this PEM file instead of those of public authorities
    #[arg(long, value_name = "FILE", env = "SSL_CERT_FILE")]
    pub(crate) ca: Option<PathBuf>,
}

/// Submits and waits; returns the exit status.
/// Fails with a message with a remedy, when nothing was submitted or the server does not answer.
pub fn submit(args: &SubmitArgs) -> Result<u8, Failure> {
    let server = Client::new(&args.server, args.ca.as_deref(), "JUDGE")?;
    if args.print {
        return print(&server, args);
    }
    let body = body(args)?;
    let sent = server.post("/api/practice/submissions", &body);
    let submission = sent.map_err(|e| match e {
        CallError::Refused { status: 404, why } => {
            Failure::Usage(why).help("name it with --problem, and its contest with --contest")
        }
        e => e.into(),
    })?;
    let id = submission["id"].as_str().unwrap_or_default().to_owned();
    let problem = submission["problem"].as_str().unwrap_or_default();
    println!("{}", plain(&format!("{problem}  submission {id}")));
    println!("  {}", args.files[0].display());
    follow::follow(&server, &id)
}

/// Lets the server print the files, one after the other.
fn print(server: &Client, args: &SubmitArgs) -> Result<u8, Failure> {
    for path in &args.files {
        let (name, data) = read_file(path)?;
        let body = json!({ "original-name": name, "file-contents": data, "contest": args.contest });
        let answer = server.post("/api/printing/team", &body)?;
        println!("{}", plain(answer["output"].as_str().unwrap_or_default()));
    }
    Ok(0)
}

/// The name and the content, in base64, of a file.
fn read_file(path: &Path) -> Result<(String, String), Failure> {
    let failed = |e| Failure::usage(format!("{}: {e}", path.display()));
    let content = std::fs::read(path).map_err(|e| failed(e).help("name the program's file"))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok((name.into_owned(), BASE64_STANDARD.encode(content)))
}

fn body(args: &SubmitArgs) -> Result<Value, Failure> {
    let mut files = Vec::new();
    for path in &args.files {
        let (name, data) = read_file(path)?;
        files.push(json!({ "name": name, "data": data }));
    }
    let stem = args.files[0]
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    Ok(json!({
        "problem": args.problem.clone().unwrap_or_else(|| stem.into_owned()),
        "contest": args.contest,
        "language": args.language,
        "entry_point": args.entry_point,
        "files": files,
    }))
}
