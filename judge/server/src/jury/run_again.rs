//! Running a case of a submission again, for everything that its programs write.

use super::case_files::plain;
use super::frame::csrf;
use crate::http::{
    App, Caller, Form, Jury, Result, conflict, internal, no_temporary_files, not_found, saved_as,
    streamed,
};
use crate::store::{JudgingId, SubmissionId, Version};
use crate::units::work_of;
use crate::worker::run_again;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use judge_core::error::Reason;
use judge_core::results::CaseResult;
use judge_core::untrusted::Message;
use judge_tempdir::TempDirectory;
use maud::{Markup, html};
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Mutex, TryLockError};
use walkdir::WalkDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Names of cases that the form offers.
const OFFERED: usize = 300;

/// One case is run at a time: the workers need the cores.
static RUNNING: Mutex<()> = Mutex::new(());

/// The form on the page of a submission.
pub fn form(
    caller: &Caller,
    submission: SubmissionId,
    judging: JudgingId,
    version: &Version,
) -> Markup {
    html! {
        details {
            summary { "Run a case again" }
            form method="post" action={ "/jury/submissions/" (submission) "/judgings/" (judging) "/again" } {
                (csrf(caller))
                p.quiet {
                    "The archive has the whole output, standard error and feedback of the validator, also of accepted cases. No \
                     verdict changes."
                }
                div.field {
                    label for="again" { "Case" }
                    input #again name="case" list="cases" required autocomplete="off" value=[version.cases.first()];
                    datalist #cases { @for name in version.cases.iter().take(OFFERED) { option value=(name) {} } }
                }
                button { "Run it and download what it writes" }
            }
        }
    }
}

/// `POST /jury/submissions/{id}/judgings/{judging}/again`: the name of a `case`.
pub fn run(
    app: &App,
    (Path((id, judging)), form): (Path<(SubmissionId, JudgingId)>, Form<Jury>),
) -> Result<Response> {
    let judging = app.store.judging(judging)?;
    let submission = app.store.submission(id)?;
    let version = app.store.version(judging.version)?;
    let name = form.fields.required("case", "Case")?.to_owned();
    let index = version.cases.iter().position(|own| *own == name);
    let index = index.filter(|_| judging.submission == id);
    let index = index.ok_or_else(|| not_found(format!("the submission has no case {name:?}")))?;
    let workers = app.health.workers.as_ref();
    let workers = workers.ok_or_else(|| {
        conflict(
            "this server has no workers of its own: download the source, and use `judge run --keep`",
        )
    })?;
    let context = workers.context();
    let _only = match RUNNING.try_lock() {
        Err(TryLockError::WouldBlock) => {
            return Err(conflict("another case is run again; try it a little later"));
        }
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Ok(only) => only,
    };
    let package = app
        .packages
        .get_tree(&version.tree, &context.settings(), &context.toolchain)
        .map_err(internal)?;
    let work = work_of(submission, app.store.submission_files(id)?, version);
    let directory = TempDirectory::new("again").map_err(no_temporary_files)?;
    let blob = |file: &crate::store::SourceFile| app.blobs.get(&file.blob).map_err(Reason::from);
    let result = run_again(context, &work, &package, index, blob, directory.path());
    let result = match result.map_err(internal)? {
        Ok(result) => result,
        Err(message) => return Err(conflict(format!("it does not compile here: {message}"))),
    };
    let archive = archive(&directory, &summary(&result))?;
    let file = format!("submission-{id}-{}.zip", plain(&name));
    let length = [(
        header::CONTENT_LENGTH,
        archive.metadata()?.len().to_string(),
    )];
    let headers = saved_as("application/zip", &file);
    Ok((headers, length, streamed(archive)).into_response())
}

fn summary(result: &CaseResult) -> String {
    let mut text = format!("{}\n", result.verdict.code());
    if let Some(seconds) = result.cpu_s {
        text += &format!("CPU time {seconds:.3} s\n");
    }
    if let Some(bytes) = result.memory_bytes {
        text += &format!("memory {bytes} bytes\n");
    }
    if let Some(code) = result.exit_code {
        text += &format!("exit code {code}\n");
    }
    text + &result
        .message
        .clone()
        .map_or(String::new(), Message::into_raw)
}

/// An archive of the files in a directory, without their folders, and the result. It has no name on the disk.
fn archive(directory: &TempDirectory, result: &str) -> Result<File> {
    let path = directory.path().join("archive.zip");
    let mut archive = ZipWriter::new(File::create(&path)?);
    let options = SimpleFileOptions::default().large_file(true);
    let files = WalkDir::new(directory.path())
        .min_depth(3)
        .sort_by_file_name();
    for entry in files {
        let entry = entry.map_err(internal)?;
        if entry.file_type().is_file() {
            // Below the names of the package and of the submission.
            let name = entry
                .path()
                .strip_prefix(directory.path())
                .map_err(internal)?;
            let name = name.iter().skip(2).collect::<std::path::PathBuf>();
            archive
                .start_file(name.to_string_lossy(), options)
                .map_err(internal)?;
            io::copy(&mut File::open(entry.path())?, &mut archive)?;
        }
    }
    archive
        .start_file("result.txt", options)
        .map_err(internal)?;
    archive.write_all(result.as_bytes())?;
    archive.finish().map_err(internal)?;
    Ok(File::open(&path)?)
}
