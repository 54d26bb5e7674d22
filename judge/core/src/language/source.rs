//! The source files of a program, held in memory from reading to writing into the build directory.

use crate::error::Reason;
use judge_tempdir::give_to_boxes;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use walkdir::WalkDir;

/// No program is this large: rejects a directory of test data given by mistake.
/// All of its files must fit into the work directory of a box. The directory itself counts.
const MAX_ENTRIES: usize = 10_001;
const MAX_BYTES: u64 = 256 << 20;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Its path in the program's directory.
    pub path: PathBuf,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Whether it may be executed.
    pub executable: bool,
}

/// Reads a file or all files of a directory, sorted by path. Symbolic links are followed if they
/// lead to a file below `root`. If `root` is `path` itself, `path` must not be a symbolic link: an
/// upload could be a link to another user's files.
/// Fails with the path and the reason.
pub fn read(path: &Path, root: &Path) -> Result<Vec<SourceFile>, Reason> {
    if path == root && path.is_symlink() {
        return Err(Reason::new(format!(
            "{} is a symbolic link: give the path that it leads to",
            path.display()
        )));
    }
    let root = root.canonicalize().map_err(failed(root))?;
    let metadata = fs::metadata(path).map_err(failed(path))?;
    if metadata.is_file() {
        let name = path.file_name().map(PathBuf::from).unwrap_or_default();
        return Ok(vec![read_file(path, name, &root)?]);
    }
    let mut files = Vec::new();
    let (mut bytes, mut entries) = (0, 0);
    for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(failed(path))?;
        entries += 1;
        if entries > MAX_ENTRIES {
            return Err(too_many(path));
        }
        if !entry.file_type().is_file() {
            // Checked before the walk descends into it.
            if entry.path_is_symlink() {
                real_path(entry.path(), &root)?;
            }
            continue;
        }
        let inside = entry
            .path()
            .strip_prefix(path)
            .unwrap_or(entry.path())
            .to_path_buf();
        bytes += entry.metadata().map_or(0, |metadata| metadata.len());
        if bytes > MAX_BYTES {
            return Err(too_many(path));
        }
        files.push(read_file(entry.path(), inside, &root)?);
    }
    Ok(files)
}

fn too_many(path: &Path) -> Reason {
    Reason::new(format!(
        "{} holds more than {} files and directories or {} MiB: give a program's directory",
        path.display(),
        MAX_ENTRIES - 1,
        MAX_BYTES >> 20
    ))
}

fn failed<E: fmt::Display>(path: &Path) -> impl Fn(E) -> Reason + '_ {
    move |e| Reason::new(format!("failed to read {}: {e}", path.display()))
}

/// The names of the files that were read from `path`, each with its path.
pub fn places(path: &Path, files: Vec<SourceFile>) -> impl Iterator<Item = (PathBuf, PathBuf)> {
    let is_file = path.is_file();
    files.into_iter().map(move |file| {
        let place = if is_file {
            path.to_owned()
        } else {
            path.join(&file.path)
        };
        (file.path, place)
    })
}

/// Resolves the symbolic links of `path`, which must lie below `root`.
fn real_path(path: &Path, root: &Path) -> Result<PathBuf, Reason> {
    let real = path.canonicalize().map_err(failed(path))?;
    if !real.starts_with(root) {
        return Err(Reason::new(format!(
            "{} is a symbolic link that leads out of {}",
            path.display(),
            root.display()
        )));
    }
    Ok(real)
}

fn read_file(path: &Path, inside: PathBuf, root: &Path) -> Result<SourceFile, Reason> {
    let real = real_path(path, root)?;
    let metadata = fs::metadata(&real).map_err(failed(path))?;
    if metadata.len() > MAX_BYTES {
        return Err(Reason::new(format!(
            "{} is larger than {} MiB",
            path.display(),
            MAX_BYTES >> 20
        )));
    }
    Ok(SourceFile {
        path: inside,
        bytes: fs::read(&real).map_err(failed(path))?,
        executable: judge_os::mode(&metadata) & 0o111 != 0,
    })
}

/// Adds `more` to `files`; replaces files with the same path.
pub fn overlay(files: &mut Vec<SourceFile>, more: Vec<SourceFile>) {
    for file in more {
        files.retain(|old| old.path != file.path);
        files.push(file);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
}

/// Inserts lines at the start of every source file.
pub fn prepend(files: &mut [SourceFile], lines: &str, is_source: impl Fn(&Path) -> bool) {
    for file in files.iter_mut().filter(|file| is_source(&file.path)) {
        file.bytes.splice(0..0, lines.bytes());
    }
}

/// Extensions of files that only the compiler reads.
const HEADERS: [&str; 6] = ["h", "hh", "hpp", "hxx", "inc", "class"];

/// The files that a program may read from its working directory: all but sources and headers.
pub fn data_files(files: &[SourceFile], is_source: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let header = |path: &Path| {
        let ending = path.extension().and_then(std::ffi::OsStr::to_str);
        ending.is_some_and(|ending| HEADERS.contains(&ending))
    };
    // A single file is the program, regardless of its extension.
    let several = files.len() > 1;
    files
        .iter()
        .map(|file| &file.path)
        .filter(|path| several && !is_source(path) && !header(path))
        .cloned()
        .collect()
}

/// The total size of the files in bytes.
pub fn size(files: &[SourceFile]) -> u64 {
    files.iter().map(|file| file.bytes.len() as u64).sum()
}

/// Replaces each `{{name}}` of `constants` in every text file.
pub fn substitute(files: &mut [SourceFile], constants: &[(String, String)]) {
    for file in files {
        if let Some(replaced) = with_constants(&file.bytes, constants) {
            file.bytes = replaced;
        }
    }
}

/// The text with each `{{name}}` of `constants` replaced; `None` if nothing changes.
pub fn with_constants(text: &[u8], constants: &[(String, String)]) -> Option<Vec<u8>> {
    let text = str::from_utf8(text).ok().filter(|t| t.contains("{{"))?;
    let replaced = judge_package::words::substitute(text, constants);
    (replaced != text).then(|| replaced.into_bytes())
}

/// Writes the files into the empty directory `dir`.
pub fn write(files: &[SourceFile], dir: &Path) -> io::Result<()> {
    for file in files {
        // Defence in depth: the paths come from walking a directory and are relative.
        if !file
            .path
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
        {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "a source file's path leaves the directory",
            ));
        }
        let to = dir.join(&file.path);
        if let Some(parent) = to.parent().filter(|parent| *parent != dir) {
            fs::create_dir_all(parent)?;
            // The compiler writes beside the sources.
            let mut up = Some(parent);
            while let Some(at) = up.filter(|at| *at != dir) {
                give_to_boxes(at).map_err(io::Error::other)?;
                up = at.parent();
            }
        }
        fs::write(&to, &file.bytes)?;
        let mode = if file.executable { 0o755 } else { 0o644 };
        judge_os::set_mode(&to, mode)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_overlaid_and_written() {
        let dir = tempfile::tempdir().unwrap();
        let (program, out) = (dir.path().join("p"), dir.path().join("out"));
        fs::create_dir_all(program.join("sub")).unwrap();
        fs::create_dir(&out).unwrap();
        fs::write(
            program.join("b.py"),
            "x = {{limit}} + {{limit.tex}} {{other}}",
        )
        .unwrap();
        fs::write(program.join("sub/a.py"), "").unwrap();
        std::os::unix::fs::symlink("../b.py", program.join("sub/link.py")).unwrap();
        let mut files = read(&program, &program).unwrap();
        let names: Vec<_> = files
            .iter()
            .map(|file| file.path.display().to_string())
            .collect();
        assert_eq!(names, ["b.py", "sub/a.py", "sub/link.py"]);
        let driver = SourceFile {
            path: "a.py".into(),
            bytes: b"new".to_vec(),
            executable: true,
        };
        overlay(&mut files, vec![driver]);
        let constants = [
            ("limit".to_string(), "5".to_string()),
            ("limit.tex".to_string(), "V".to_string()),
        ];
        substitute(&mut files, &constants);
        write(&files, &out).unwrap();
        assert_eq!(
            fs::read_to_string(out.join("b.py")).unwrap(),
            "x = 5 + V {{other}}"
        );
        assert_eq!(fs::read_to_string(out.join("a.py")).unwrap(), "new");
        assert_ne!(
            judge_os::mode(&fs::metadata(out.join("a.py")).unwrap()) & 0o100,
            0
        );
    }

    #[test]
    fn a_submission_reads_only_itself() {
        let dir = tempfile::tempdir().unwrap();
        let [evil, victim] = ["evil", "victim"].map(|name| dir.path().join(name));
        for program in [&evil, &victim] {
            fs::create_dir(program).unwrap();
            fs::write(program.join("main.c"), "").unwrap();
        }
        let link = |to: &str, from: &str| {
            std::os::unix::fs::symlink(to, dir.path().join(from)).unwrap();
        };
        link("main.c", "evil/own.c");
        assert_eq!(read(&evil, &evil).unwrap().len(), 2);
        for (to, from) in [("../victim/main.c", "evil/x.c"), ("../victim", "evil/x")] {
            link(to, from);
            let refused = read(&evil, &evil).unwrap_err();
            assert!(refused.contains("leads out of"), "{refused}");
            fs::remove_file(dir.path().join(from)).unwrap();
        }
        // An upload that is itself a link.
        for (to, from) in [("victim", "dir"), ("victim/main.c", "file.c")] {
            link(to, from);
            let path = dir.path().join(from);
            let refused = read(&path, &path).unwrap_err();
            assert!(refused.contains("is a symbolic link"), "{refused}");
        }
    }

    #[test]
    fn links_that_lead_out_are_rejected() {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("p");
        fs::create_dir(&program).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", program.join("a.c")).unwrap();
        assert!(
            read(&program, &program)
                .unwrap_err()
                .contains("leads out of")
        );
        assert!(
            read(&program.join("a.c"), &program)
                .unwrap_err()
                .contains("leads out of")
        );
        let outside = SourceFile {
            path: "../x".into(),
            bytes: Vec::new(),
            executable: false,
        };
        assert!(write(&[outside], &program).is_err());
    }
}
