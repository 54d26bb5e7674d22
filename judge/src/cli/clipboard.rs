//! The clipboard of the desktop, by the programs that desktops have for it.

use crate::error::Failure;
use std::io::{self, Write};
use std::process::{Command, Stdio};

/// Programs that put their standard input on the clipboard, where their variable is set.
const TOOLS: [(&str, &[&str], Option<&str>); 5] = [
    ("wl-copy", &[], Some("WAYLAND_DISPLAY")),
    ("xclip", &["-selection", "clipboard"], Some("DISPLAY")),
    ("xsel", &["--clipboard", "--input"], Some("DISPLAY")),
    ("pbcopy", &[], None),
    // Of Windows, within WSL.
    ("clip.exe", &[], None),
];

/// Puts text on the clipboard; gives the program that did it.
///
/// # Errors
///
/// When there is no clipboard, or no program for it.
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
    let why = last.unwrap_or_else(|| "there is none, or no program for it".to_owned());
    Err(Failure::usage(format!(
        "failed to reach the clipboard: {why}\n  help: install wl-clipboard (Wayland), or xclip or \
         xsel (X11); over ssh there is no clipboard"
    )))
}

fn pipe(tool: &str, args: &[&str], text: &str) -> io::Result<bool> {
    let mut child = Command::new(tool)
        .args(args)
        .stdin(Stdio::piped())
        // xclip stays alive to serve the text: it must not hold our output open.
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        match stdin.write_all(text.as_bytes()) {
            // Why it stopped reading, its exit status tells.
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => return Err(e),
            _ => {}
        }
    }
    Ok(child.wait()?.success())
}
