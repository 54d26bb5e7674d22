//! Packages on disk.

use judge_package::Package;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Writes a file, or one for each choice in the braces of the name (`1.{in,ans}`), and the directories
/// above it.
pub fn write(dir: &Path, name: &str, content: impl AsRef<[u8]>) {
    if let Some((start, rest)) = name.split_once('{')
        && let Some((choices, end)) = rest.split_once('}')
    {
        for choice in choices.split(',') {
            write(dir, &format!("{start}{choice}{end}"), content.as_ref());
        }
        return;
    }
    let path = dir.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// A directory with these files in `package`; `""`: in itself.
pub fn directory<'f>(
    package: &str,
    files: impl IntoIterator<Item = &'f (&'f str, &'f str)>,
) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, content) in files {
        write(&dir.path().join(package), name, content);
    }
    dir
}

/// The error about `package` in a directory, without the directory's own name.
pub fn complaint(dir: &TempDir, package: &str) -> String {
    match Package::read(&dir.path().join(package)) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error
            .to_string()
            .replace(&format!("{}/", dir.path().display()), ""),
    }
}
