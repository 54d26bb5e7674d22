//! Documents as PDF, by an installed browser or LaTeX.

use judge_core::error::Failure;
use judge_core::files;
use judge_core::language::{how_to_install, search};
use judge_package::{StatementFile, StatementKind};
use judge_session::new_file;
use judge_statement::document::Entry;
use judge_statement::latex;
use judge_tempdir::TempDirectory;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The names of browsers that print without a window.
const BROWSERS: [&str; 8] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "brave-browser",
];

/// The longest time that the program may take.
const MAX_TIME: Duration = Duration::from_secs(120);

/// Writes a document to `to`, complete or not at all.
pub fn write(to: &Path, content: &[u8]) -> Result<(), Failure> {
    new_file::write(to, content).map_err(files::failed("write", to))
}

/// Prints an HTML document to a PDF document.
pub fn pdf(html: &str) -> Result<Vec<u8>, Failure> {
    let found = BROWSERS.iter().find_map(|name| search(name));
    let browser = found.ok_or_else(|| {
        Failure::usage("no browser is installed that prints PDF").help(format!(
            "{}, or print the file of --html",
            how_to_install("apt install chromium")
        ))
    })?;
    let dir = TempDirectory::new("print")?;
    let (page, pdf) = (dir.path().join("page.html"), dir.path().join("page.pdf"));
    fs::write(&page, html).map_err(failed)?;
    let mut profile = std::ffi::OsString::from("--user-data-dir=");
    profile.push(dir.path().join("profile"));
    let mut output = std::ffi::OsString::from("--print-to-pdf=");
    output.push(&pdf);
    let mut command = Command::new(&browser);
    command
        .args([
            "--headless",
            "--disable-gpu",
            "--no-first-run",
            "--no-pdf-header-footer",
        ])
        .arg("--disable-background-networking")
        // The browser's own sandbox does not work for root; the document's policy forbids scripts.
        .args(judge_os::is_root().then_some("--no-sandbox"))
        .args([&profile, &output])
        .arg(&page)
        .env("TMPDIR", dir.path());
    run(&mut command, "print the file of --html")?;
    match fs::read(&pdf) {
        Ok(content) if content.starts_with(b"%PDF") => Ok(content),
        _ => {
            let what = format!("{} printed nothing", browser.display());
            Err(Failure::usage(what).help("print the file of --html"))
        }
    }
}

/// Makes a PDF document of a statement in Markdown or TeX, by pdfLaTeX.
pub fn latex(entry: &Entry<'_>, file: &StatementFile) -> Result<Vec<u8>, Failure> {
    const BROWSER: &str = "leave out --engine, so that a browser prints it";
    let program = search("pdflatex").ok_or_else(|| {
        let install =
            how_to_install("apt install lmodern texlive-latex-recommended texlive-latex-extra");
        Failure::usage("pdflatex is not installed").help(format!("{install}, or {BROWSER}"))
    })?;
    let dir = TempDirectory::new("print")?;
    let shown = file.path.display();
    let is_written = latex::write(entry, file, dir.path())
        .map_err(|e| Failure::usage(format!("{shown}: failed to read: {e}")))?;
    if !is_written {
        return Err(Failure::usage(format!("{shown}: is neither Markdown nor TeX")).help(BROWSER));
    }
    // A second run knows the references of the first one.
    for _ in 0..2 {
        let mut command = Command::new(&program);
        command
            .args([
                "-interaction=nonstopmode",
                "-halt-on-error",
                "-file-line-error",
            ])
            .args(["-no-shell-escape", latex::MAIN])
            .current_dir(dir.path())
            // The package is not trusted: it reads and writes no files elsewhere.
            .envs([("openin_any", "p"), ("openout_any", "p")])
            .env("max_print_line", "1000");
        run(&mut command, BROWSER)?;
    }
    let output = |ending| dir.path().join(latex::MAIN).with_extension(ending);
    if let Ok(pdf) = fs::read(output("pdf")) {
        return Ok(pdf);
    }
    let log = fs::read(output("log")).unwrap_or_default();
    let (line, reason) = latex_error(&String::from_utf8_lossy(&log));
    let place = match line.filter(|_| file.kind == StatementKind::Tex) {
        Some(line) => format!("{shown}:{line}"),
        None => shown.to_string(),
    };
    Err(Failure::usage(format!("{place}: pdflatex: {reason}")).help(BROWSER))
}

/// The line of the statement and the message of the first error in pdfLaTeX's log.
fn latex_error(log: &str) -> (Option<usize>, String) {
    // The reason of an emergency stop, which asks for a file instead of a missing one.
    let mut before = None;
    for line in log.lines() {
        before = line.strip_prefix("! ").or(before);
        let Some((file, rest)) = line.split_once(".tex:") else {
            continue;
        };
        let Some((number, message)) = rest.split_once(": ") else {
            continue;
        };
        if let Ok(number) = number.parse() {
            let is_body = latex::BODY.strip_suffix(".tex") == file.strip_prefix("./");
            let message = before.unwrap_or(message);
            return (is_body.then_some(number), message.to_owned());
        }
    }
    (None, "made no document".to_owned())
}

/// Runs a program that makes a document, without a terminal. `remedy` is for one that does not end.
fn run(command: &mut Command, remedy: &str) -> Result<(), Failure> {
    let silent = command.stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = silent.stderr(Stdio::null()).spawn().map_err(failed)?;
    let end = Instant::now() + MAX_TIME;
    while child.try_wait().map_err(failed)?.is_none() {
        if Instant::now() > end {
            let _ = child.kill();
            let _ = child.wait();
            let program = Path::new(command.get_program()).display();
            let seconds = MAX_TIME.as_secs();
            let what = format!("{program} did not print within {seconds} s");
            return Err(Failure::usage(what).help(remedy));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn failed(error: io::Error) -> Failure {
    Failure::internal(format!("failed to print: {error}"))
}
