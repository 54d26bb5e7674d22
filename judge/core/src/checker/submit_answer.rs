//! Problems whose submission is the output itself.

use super::outcome::CheckFault;
use crate::error::Reason;
use judge_package::{SubmittedOutput, TestCase, archived_file};
use judge_sandbox::Input;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Possible extensions of a submitted output.
const EXTENSIONS: [&str; 3] = ["out", "ans", "txt"];

/// Opens the submitted output of a case, of at most `most` bytes if it is in an archive.
///
/// Usually it is the file of a directory that is named like the case (with its groups, or without),
/// with `.out`, `.ans` or `.txt`; a single file is the output of the only case, or of the case that it
/// is named after. Hydro's packages say the name of the file, also in an archive, or judge one file over
/// all cases. The outer error is a failure to read; the inner one says what the submission lacks.
pub fn submitted_output(
    submission: &Path,
    case: &TestCase,
    only_case: bool,
    most: u64,
) -> Result<Result<File, Reason>, CheckFault> {
    let path = match &case.submitted {
        SubmittedOutput::ByName => by_name(submission, case, only_case),
        SubmittedOutput::Whole => Some(submission.to_path_buf()),
        SubmittedOutput::File(name) => {
            let lacks = || Reason::new(format!("the submission has no file `{name}`"));
            if submission.is_file() && submission.file_name() != Some(name.as_ref()) {
                return match archived_file(submission, name, most) {
                    Ok(Some(bytes)) => Ok(Ok(Input::from_bytes(&bytes)?.into())),
                    Ok(None) => Ok(Err(lacks())),
                    Err(error) => Ok(Err(Reason::new(format!("the submission: {}", error.what)))),
                };
            }
            let is_inside = !name.contains('/') && !matches!(&name[..], "" | "." | "..");
            let path = match submission.is_file() {
                true => submission.to_path_buf(),
                false => submission.join(name),
            };
            match is_inside && is_plain(&path) {
                true => Some(path),
                false => return Ok(Err(lacks())),
            }
        }
    };
    let Some(path) = path else {
        return Ok(Err(Reason::new(
            "the submission has no output for this case",
        )));
    };
    let file = || -> io::Result<File> { File::open(&path) };
    file().map(Ok).map_err(CheckFault::io(path.display()))
}

fn is_plain(path: &Path) -> bool {
    path.symlink_metadata()
        .is_ok_and(|metadata| metadata.is_file())
}

fn by_name(submission: &Path, case: &TestCase, only_case: bool) -> Option<PathBuf> {
    let case_path = Path::new(&case.name);
    let base = case_path.file_name()?;
    if submission.is_file() {
        let called_after = submission.file_stem() == Some(base);
        return (only_case || called_after).then(|| submission.to_path_buf());
    }
    [case_path, Path::new(base)]
        .into_iter()
        .flat_map(|name| EXTENSIONS.map(|extension| (name, extension)))
        .map(|(name, extension)| {
            let mut file = submission.join(name).into_os_string();
            file.push(".");
            file.push(extension);
            PathBuf::from(file)
        })
        .find(|path| is_plain(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn named(name: &str) -> TestCase {
        TestCase {
            name: name.to_string(),
            ..TestCase::default()
        }
    }

    #[test]
    fn outputs_are_found_by_name() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("secret")).unwrap();
        for name in ["1.out", "secret/1.ans", "2.txt", "3.md"] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let found = |name: &str| {
            by_name(dir.path(), &named(name), false)
                .map(|path| path.strip_prefix(dir.path()).unwrap().display().to_string())
        };
        assert_eq!(found("secret/1").as_deref(), Some("secret/1.ans"));
        assert_eq!(found("sample/1").as_deref(), Some("1.out"));
        assert_eq!(found("secret/2").as_deref(), Some("2.txt"));
        assert_eq!(found("secret/3"), None);
        let file = dir.path().join("1.out");
        assert_eq!(
            by_name(&file, &named("secret/1"), false),
            Some(file.clone())
        );
        assert_eq!(by_name(&file, &named("secret/2"), true), Some(file.clone()));
        assert_eq!(by_name(&file, &named("secret/2"), false), None);
    }

    #[test]
    fn a_package_may_name_the_submitted_file() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("ans1.txt"), "7").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", dir.path().join("link")).unwrap();
        let read = |submission: &Path, submitted| {
            let case = TestCase {
                submitted,
                ..named("1")
            };
            let mut text = String::new();
            let file = submitted_output(submission, &case, false, 100).unwrap();
            file.ok()?.read_to_string(&mut text).unwrap();
            Some(text)
        };
        let file = |name: &str| SubmittedOutput::File(name.to_owned());
        let found = Some("7".to_owned());
        assert_eq!(read(dir.path(), file("ans1.txt")), found);
        for name in ["ans2.txt", "../ans1.txt", "link", ".."] {
            assert_eq!(read(dir.path(), file(name)), None, "{name}");
        }
        let single = dir.path().join("ans1.txt");
        assert_eq!(read(&single, file("ans1.txt")), found);
        assert_eq!(read(&single, SubmittedOutput::Whole), found);
        // Not an archive.
        assert_eq!(read(&single, file("ans2.txt")), None);
    }
}
