//! The destinations of reports: standard output, files, the progress line.

use super::args::{Color, Format, JudgingArgs};
use super::interruptible_writer::{AT_ONCE, InterruptibleWriter};
use super::new_file;
use super::progress::{Progress, is_dumb};
use super::seen;
use judge_core::error::Failure;
use judge_core::files::{failed, machine_failed};
use judge_core::judging::RunningCases;
use judge_core::results::{Change, RunResults};
use judge_core::text::printable;
use judge_report::{GitHub, Html, Human, JUnit, JsonLines, Lines, Paint, Report, Style, wrapped};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::NamedTempFile;

/// A writer, and the temporary file with its final name.
type Opened = (
    BufWriter<InterruptibleWriter>,
    Option<(NamedTempFile, PathBuf)>,
);

/// Makes a report that is written to a file.
type MakeReport = fn(BufWriter<InterruptibleWriter>) -> Box<dyn Report + Send>;

/// All reports of a run.
pub struct Reports {
    list: Vec<Destination>,
    /// The first report that could not be written.
    failed: Option<Failure>,
    /// Only on a terminal.
    progress: Option<Progress>,
}

/// A report and where it goes.
struct Destination {
    name: String,
    report: Box<dyn Report + Send>,
    is_stdout: bool,
    /// The file that is renamed to its final name when complete.
    file: Option<(NamedTempFile, PathBuf)>,
}

/// Whether to colour standard output.
pub fn paint(color: Color) -> Paint {
    paint_for(color, io::stdout().is_terminal())
}

/// Whether to colour a stream: NO_COLOR wins over CLICOLOR_FORCE, both over the kind of stream.
pub fn paint_for(color: Color, is_terminal: bool) -> Paint {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_on = |name| std::env::var_os(name).is_none_or(|value| value != "0");
    let enabled = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if is_set("NO_COLOR") => false,
        Color::Auto if is_set("CLICOLOR_FORCE") && is_on("CLICOLOR_FORCE") => true,
        Color::Auto => is_terminal && !is_dumb() && is_on("CLICOLOR"),
    };
    Paint { enabled }
}

/// The progress display of a run, unless its output is for a program.
pub fn progress(args: &JudgingArgs, total: usize, note: &str) -> Option<Progress> {
    let paint = paint_for(args.running.color, io::stderr().is_terminal());
    match args.format {
        Format::Human => Progress::start(total, note, paint),
        Format::Json | Format::Github | Format::Lines => None,
    }
}

impl Reports {
    /// The reports requested by the arguments; `style` is the human report's.
    /// Fails if a file cannot be created; detected before judging.
    pub fn new(args: &JudgingArgs, style: Style, work: usize) -> Result<Self, Failure> {
        let stdout = InterruptibleWriter::stdout().map_err(|e| unwritten(&e))?;
        let on_stdout: Box<dyn Report + Send> = match args.format {
            Format::Human => {
                let terminal = terminal_size::terminal_size_of(io::stdout());
                let width = terminal.map_or(100, |(columns, _)| columns.0.into());
                let out = BufWriter::new(stdout);
                let paint = paint(args.running.color);
                let human = Human::new(out, paint, style, width);
                let human = human.breaking_findings(terminal.is_some());
                Box::new(human.knowing_sandbox(seen::is_seen))
            }
            Format::Json => Box::new(JsonLines(BufWriter::with_capacity(AT_ONCE, stdout))),
            Format::Github => Box::new(GitHub::new(stdout)),
            Format::Lines => Box::new(Lines::new(stdout)),
        };
        let mut list = vec![Destination {
            name: "standard output".to_owned(),
            report: on_stdout,
            is_stdout: true,
            file: None,
        }];
        for (path, make) in [
            (&args.json, (|out| Box::new(JsonLines(out))) as MakeReport),
            (&args.junit, |out| Box::new(JUnit::new(out))),
            (&args.html, |out| Box::new(Html::new(out))),
        ] {
            if let Some(path) = path {
                let (out, file) = file(path, &list)?;
                list.push(Destination {
                    name: path.display().to_string(),
                    report: make(out),
                    is_stdout: false,
                    file,
                });
            }
        }
        let progress = progress(args, work, "preparing");
        Ok(Reports {
            list,
            failed: None,
            progress,
        })
    }

    /// Where workers list the cases that they run, if a progress display shows them.
    pub fn running_cases(&self) -> Option<Arc<RunningCases>> {
        self.progress.as_ref().map(Progress::running_cases)
    }

    /// Passes a change of the results to every report. A report that fails is dropped: the others are complete, and
    /// [`Reports::failure`] says what failed.
    /// Fails if standard output fails, or with a broken pipe if no report is left.
    pub fn change(&mut self, change: &Change, results: &RunResults) -> io::Result<()> {
        let (list, failed) = (&mut self.list, &mut self.failed);
        let mut deliver = || to_each(list, failed, |report| report.change(change, results));
        let result = match &self.progress {
            None => deliver(),
            Some(progress) => {
                let writes = matches!(
                    change,
                    Change::Finding(_) | Change::SubmissionFinished(..) | Change::RunFinished(_)
                );
                progress.change(change, results, writes, deliver)
            }
        };
        if matches!(change, Change::RunFinished(_)) {
            self.progress = None;
        }
        result
    }

    /// Lets every report write what it has buffered: no change is due at the moment.
    pub fn flush(&mut self) -> io::Result<()> {
        to_each(&mut self.list, &mut self.failed, |report| report.flush())
    }

    /// Renames the files to their final names.
    /// Fails when a report could not be written; its temporary file is then removed.
    pub fn finish(mut self) -> Result<(), Failure> {
        for Destination { report, file, .. } in std::mem::take(&mut self.list) {
            drop(report);
            if let Some((file, path)) = file {
                file.persist(&path)
                    .map_err(|e| failed("write", &path)(e.error))?;
            }
        }
        self.failure()
    }

    /// Reports the first failure to write a file.
    pub fn failure(&mut self) -> Result<(), Failure> {
        self.failed.take().map_or(Ok(()), Err)
    }
}

/// Calls `deliver` with each report. One with a closed pipe is dropped, and one whose file cannot be written, too;
/// `failed` keeps the first such failure.
fn to_each(
    list: &mut Vec<Destination>,
    failed: &mut Option<Failure>,
    mut deliver: impl FnMut(&mut (dyn Report + Send)) -> io::Result<()>,
) -> io::Result<()> {
    let mut stdout = None;
    list.retain_mut(|to| match deliver(&mut *to.report) {
        Ok(()) => true,
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => false,
        Err(e) => {
            match to.is_stdout {
                true => stdout = Some(io::Error::new(e.kind(), format!("{}: {e}", to.name))),
                false => _ = failed.get_or_insert(machine_failed("write", Path::new(&to.name))(e)),
            }
            to.is_stdout
        }
    });
    match stdout {
        Some(e) => Err(e),
        None if list.is_empty() => Err(io::ErrorKind::BrokenPipe.into()),
        None => Ok(()),
    }
}

/// Whether there is no such file, or one that begins like a report: with the name of a file forgotten,
/// `--json sol.cpp` means the program.
fn may_replace(path: &Path) -> io::Result<bool> {
    const BEGINNINGS: [&[u8]; 3] = [b"{\"event\":", b"<?xml ", b"<!DOCTYPE html>"];
    let mut start = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(16).read_to_end(&mut start)?,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(e) => return Err(e),
    };
    Ok(start.is_empty() || BEGINNINGS.iter().any(|text| start.starts_with(text)))
}

/// A writer for `path`: a temporary file that is renamed when complete, or the file itself if it is
/// a device or a pipe (`/dev/stdout`). No report in `others` may have the same file.
fn file(path: &Path, others: &[Destination]) -> Result<Opened, Failure> {
    let failed = |e| failed("create", path)(e).help("choose another file");
    if path.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    if path.as_os_str() == "-" {
        return Err(Failure::usage("a report cannot be written to `-`")
            .help("name a file; `--format json` writes to standard output"));
    }
    if let Some(device) = new_file::device(path) {
        let file = device.map_err(failed)?;
        return Ok((BufWriter::new(InterruptibleWriter::new(file)), None));
    }
    let path = &new_file::target(path);
    if !may_replace(path).map_err(failed)? {
        return Err(Failure::usage(format!(
            "{} exists and is not a report of the judge",
            path.display()
        ))
        .help("name another file, or remove it"));
    }
    let mut files = others.iter().filter_map(|other| other.file.as_ref());
    if files.any(|(_, other)| other == path) {
        let what = format!("two reports cannot be one file, {}", path.display());
        return Err(Failure::usage(what).help("name another file"));
    }
    let file = new_file::temporary(path).map_err(|kind| match kind {
        io::ErrorKind::NotFound => Failure::usage(format!(
            "failed to create {}: there is no directory {}",
            path.display(),
            new_file::dir(path).display()
        ))
        .help("create it"),
        kind => failed(kind.into()),
    })?;
    let writer = BufWriter::new(InterruptibleWriter::new(file.reopen().map_err(failed)?));
    Ok((writer, Some((file, path.to_owned()))))
}

/// Prints a line to standard error, broken between words on a terminal; ignores a broken pipe, where
/// `eprintln!` panics. The line may contain untrusted text of a package.
pub fn say(line: &str) {
    let line = &printable(line.as_bytes());
    let _ = match terminal_size::terminal_size_of(io::stderr()) {
        Some((columns, _)) => writeln!(io::stderr(), "{}", wrapped(line, columns.0.into())),
        None => writeln!(io::stderr(), "{line}"),
    };
}

/// Prints to standard output; ignores a broken pipe.
pub fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(unwritten(&e)),
        _ => Ok(()),
    }
}

/// Standard output cannot be written.
pub fn unwritten(error: &io::Error) -> Failure {
    Failure::internal(format!("failed to write to standard output: {error}"))
}
