//! Copies text to the desktop's clipboard with the usual programs.

use judge_core::error::Failure;
use std::io::{self, Write};
use std::process::{Command, Stdio};

/// Programs that copy their standard input to the clipboard, with the environment variable that
/// must be set.
const TOOLS: [(&str, &[&str], Option<&str>); 5] = [
    ("wl-copy", &[], Some("WAYLAND_DISPLAY")),
    ("xclip", &["-selection", "clipboard"], Some("DISPLAY")),
    ("xsel", &["--clipboard", "--input"], Some("DISPLAY")),
    ("pbcopy", &[], None),
    // Windows, from within WSL.
    ("clip.exe", &[], None),
];

/// Copies text to the clipboard and returns the name of the program used.
/// Fails if there is no clipboard, or no program for it.
pub fn copy(text: &str) -> Result<&'static str, Failure> {
    let mut last = None;
    for (tool, args, variable) in TOOLS {
        if variable.is_some_and(|name| std::env::var_os(name).is_none_or(|v| v.is_empty())) {
            continue;
        }
        match pipe(tool, args, text) {
            Ok(true) => return Ok(tool),
            Ok(false) => last = Some(format!("{tool} fails")),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => last = Some(format!("{tool}: {e}")),
        }
    }
    let why = last.unwrap_or_else(|| "no clipboard, or no program for it".to_owned());
    Err(
        Failure::usage(format!("failed to reach the clipboard: {why}")).help(
            "install wl-clipboard (Wayland), or xclip or xsel (X11); over ssh there is no \
             clipboard",
        ),
    )
}

fn pipe(tool: &str, args: &[&str], text: &str) -> io::Result<bool> {
    let mut child = Command::new(tool)
        .args(args)
        .stdin(Stdio::piped())
        // xclip keeps running to serve the text and must not hold the judge's output open.
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        match stdin.write_all(text.as_bytes()) {
            // A broken pipe shows in the exit status.
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => return Err(e),
            _ => {}
        }
    }
    Ok(child.wait()?.success())
}
