//! TeX with more than the built-in commands -> Markdown, by `pandoc` where that is installed.

use judge_sandbox::{AsStream, BoxSpec, Exit, Input, Job, Limits, Mount, open, scratch_file};
use std::env;
use std::ffi::OsString;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Maximum CPU time of a conversion.
const MAX_TIME: Duration = Duration::from_secs(5);
/// Maximum memory, in bytes: it keeps several copies of a text.
const MAX_MEMORY: u64 = 1 << 30;
/// Maximum bytes of a text that is converted.
const MAX_INPUT: usize = 64 << 10;
/// Maximum bytes of its output.
const MAX_OUTPUT: u64 = 4 << 20;
/// The dialect of Markdown that the renderer supports.
const TO: &str = "markdown_strict+tex_math_dollars+pipe_tables";

/// The text as Markdown with TeX mathematics; `None` if `pandoc` is not installed or fails, or the
/// text is too long. It runs in a box, and reads no files (`--sandbox`): a package is not trusted.
pub fn to_markdown(source: &str) -> Option<String> {
    let path = env::var_os("PATH")?;
    let programs = env::split_paths(&path).map(|dir| dir.join("pandoc"));
    convert(
        &programs.into_iter().find(|program| program.is_file())?,
        source,
    )
}

fn convert(program: &Path, source: &str) -> Option<String> {
    if source.len() > MAX_INPUT {
        return None;
    }
    let converted = run(&program.canonicalize().ok()?, source);
    converted.unwrap_or_else(|error| {
        tracing::warn!("pandoc cannot run in a box: {error}");
        None
    })
}

fn run(program: &Path, source: &str) -> Result<Option<String>, Box<dyn std::error::Error>> {
    // The box has the programs of the system.
    let mounts = (!program.starts_with("/usr")).then(|| Mount {
        host: program.to_owned(),
        inside: PathBuf::from(program),
        writable: false,
    });
    let mut sandbox = open(&BoxSpec {
        mounts: mounts.into_iter().collect(),
        work_bytes: 1 << 20,
        ..BoxSpec::default()
    })?;
    let args = ["--sandbox", "--from=latex", "--wrap=preserve", "--to", TO].map(OsString::from);
    let (input, stdout, stderr) = (
        Input::from_bytes(source.as_bytes())?,
        scratch_file()?,
        scratch_file()?,
    );
    let limits = Limits {
        cpu: Some(MAX_TIME),
        wall: 2 * MAX_TIME,
        memory: Some(MAX_MEMORY),
        output: Some(MAX_OUTPUT),
        ..Limits::default()
    };
    let execution = sandbox.run(&Job {
        program,
        args: &args,
        env: &[],
        stdin: input.as_stream(),
        stdout: stdout.as_stream(),
        stderr: stderr.as_stream(),
        limits: &limits,
        count_instructions: false,
    })?;
    let (mut stdout, mut text) = (stdout, String::new());
    stdout.rewind()?;
    stdout.read_to_string(&mut text)?;
    let succeeded = execution.exit == Exit::Code(0) && !text.trim().is_empty();
    Ok(succeeded.then_some(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    /// A program that prints its input, then says whether it can read a file of the server.
    #[test]
    fn the_converter_sees_no_files_of_the_server() {
        let dir = tempfile::tempdir().expect("a directory");
        let (program, secret) = (dir.path().join("pandoc"), dir.path().join("secret"));
        fs::write(&secret, "x").expect("it is written");
        let script = format!(
            "#!/bin/sh\ncat\ncat '{}' || echo hidden\n",
            secret.display()
        );
        fs::write(&program, script).expect("it is written");
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&program, executable.clone()).expect("it is set");
        fs::set_permissions(dir.path(), executable).expect("it is set");
        let converted = convert(&program, "text\n");
        assert_eq!(converted.as_deref(), Some("text\nhidden\n"));
        assert_eq!(convert(&program, &"x".repeat(MAX_INPUT + 1)), None);
    }
}
