//! Problems whose submission is the output itself.

use judge_package::TestCase;
use std::path::{Path, PathBuf};

/// Possible extensions of a submitted output.
const EXTENSIONS: [&str; 3] = ["out", "ans", "txt"];

/// The submitted output of a case. In a directory it is the file named like the case (with its
/// groups, or without), with `.out`, `.ans` or `.txt`. A single file is the output of the only
/// case, or of the case that it is named after.
pub fn submitted_output(submission: &Path, case: &TestCase, only_case: bool) -> Option<PathBuf> {
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
        .find(|path| {
            path.symlink_metadata()
                .is_ok_and(|metadata| metadata.is_file())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_found_by_name() {
        let dir = tempfile::tempdir().unwrap();
        let case = |name: &str| TestCase {
            name: name.to_string(),
            ..TestCase::default()
        };
        std::fs::create_dir_all(dir.path().join("secret")).unwrap();
        for name in ["1.out", "secret/1.ans", "2.txt", "3.md"] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let found = |name: &str| {
            submitted_output(dir.path(), &case(name), false)
                .map(|path| path.strip_prefix(dir.path()).unwrap().display().to_string())
        };
        assert_eq!(found("secret/1").as_deref(), Some("secret/1.ans"));
        assert_eq!(found("sample/1").as_deref(), Some("1.out"));
        assert_eq!(found("secret/2").as_deref(), Some("2.txt"));
        assert_eq!(found("secret/3"), None);
        let file = dir.path().join("1.out");
        assert_eq!(
            submitted_output(&file, &case("secret/1"), false),
            Some(file.clone())
        );
        assert_eq!(
            submitted_output(&file, &case("secret/2"), true),
            Some(file.clone())
        );
        assert_eq!(submitted_output(&file, &case("secret/2"), false), None);
    }
}
