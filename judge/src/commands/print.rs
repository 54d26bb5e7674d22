//! Documents as PDF, by an installed browser.

use judge_core::error::Failure;
use judge_core::language::{how_to_install, search};
use judge_session::new_file;
use judge_tempdir::TempDirectory;
use std::fs;
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

/// The longest time that a browser may take.
const MAX_TIME: Duration = Duration::from_secs(120);

/// Writes a document to `to`, complete or not at all.
pub fn write(to: &Path, content: &[u8]) -> Result<(), Failure> {
    new_file::write(to, content)
        .map_err(|e| Failure::usage(format!("{}: failed to write: {e}", to.display())))
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
    let failed = |e: std::io::Error| Failure::internal(format!("failed to print: {e}"));
    let (page, pdf) = (dir.path().join("page.html"), dir.path().join("page.pdf"));
    fs::write(&page, html).map_err(failed)?;
    let mut profile = std::ffi::OsString::from("--user-data-dir=");
    profile.push(dir.path().join("profile"));
    let mut output = std::ffi::OsString::from("--print-to-pdf=");
    output.push(&pdf);
    let mut child = Command::new(&browser)
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
        .env("TMPDIR", dir.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let end = Instant::now() + MAX_TIME;
    loop {
        if child.try_wait().map_err(failed)?.is_some() {
            break;
        }
        if Instant::now() > end {
            let _ = child.kill();
            let _ = child.wait();
            let what = format!(
                "{} did not print within {} s",
                browser.display(),
                MAX_TIME.as_secs()
            );
            return Err(Failure::usage(what).help("print the file of --html"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    match fs::read(&pdf) {
        Ok(content) if content.starts_with(b"%PDF") => Ok(content),
        _ => {
            let what = format!("{} printed nothing", browser.display());
            Err(Failure::usage(what).help("print the file of --html"))
        }
    }
}
