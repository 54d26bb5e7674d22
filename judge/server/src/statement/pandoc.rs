//! TeX with more than the built-in commands -> Markdown, by `pandoc` where that is installed.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum time of a conversion.
const MAX_TIME: Duration = Duration::from_secs(5);
/// Maximum bytes of a text that is converted.
const MAX_INPUT: usize = 64 << 10;
/// Maximum bytes of its output.
const MAX_OUTPUT: u64 = 4 << 20;
/// The dialect of Markdown that the renderer supports.
const TO: &str = "markdown_strict+tex_math_dollars+pipe_tables";

/// The text as Markdown with TeX mathematics; `None` if `pandoc` is not installed or fails, or the
/// text is too long. It runs without access to files and the network (`--sandbox`): a package is not trusted.
pub fn to_markdown(source: &str) -> Option<String> {
    if source.len() > MAX_INPUT {
        return None;
    }
    let mut child = Command::new("pandoc")
        .args(["--sandbox", "--from=latex", "--wrap=preserve", "--to", TO])
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let (mut input, output) = (child.stdin.take()?, child.stdout.take()?);
    let source = source.to_owned();
    // It may write before it has read everything.
    thread::spawn(move || input.write_all(source.as_bytes()));
    let reader = thread::spawn(move || {
        let mut text = String::new();
        let read = output.take(MAX_OUTPUT).read_to_string(&mut text);
        read.is_ok().then_some(text)
    });
    let start = Instant::now();
    let succeeded = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.success(),
            Ok(None) if start.elapsed() < MAX_TIME => thread::sleep(Duration::from_millis(10)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                break false;
            }
        }
    };
    let text = reader.join().ok().flatten();
    text.filter(|text| succeeded && !text.trim().is_empty())
}
