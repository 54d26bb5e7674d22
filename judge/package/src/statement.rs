//! The statement of a problem: its files by language, and the images that they may show.

use super::input::package_dir::PackageDir;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file with the statement of a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementFile {
    /// The code of the language: `en`, `pt-BR`.
    pub language: String,
    /// How the text is written.
    pub kind: StatementKind,
    /// The file, inside the package.
    pub path: PathBuf,
    /// Whether the directory of the file holds only the statement and its images.
    own_dir: bool,
}

/// How a statement is written. The order is that of preference for display.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StatementKind {
    /// Markdown with TeX mathematics.
    Markdown,
    /// HTML.
    Html,
    /// TeX.
    Tex,
    /// A PDF document.
    Pdf,
    /// Plain text.
    Text,
}

/// The extensions of images in statements.
const IMAGES: [&str; 6] = ["png", "jpg", "jpeg", "svg", "gif", "webp"];

/// The names of languages in Polygon's directories of statements, and their codes.
const LANGUAGES: [(&str, &str); 47] = [
    ("armenian", "hy"),
    ("arabic", "ar"),
    ("azerbaijani", "az"),
    ("belarusian", "be"),
    ("bulgarian", "bg"),
    ("chinese", "zh"),
    ("croatian", "hr"),
    ("czech", "cs"),
    ("danish", "da"),
    ("dutch", "nl"),
    ("english", "en"),
    ("estonian", "et"),
    ("finnish", "fi"),
    ("french", "fr"),
    ("georgian", "ka"),
    ("german", "de"),
    ("greek", "el"),
    ("hebrew", "he"),
    ("hindi", "hi"),
    ("hungarian", "hu"),
    ("indonesian", "id"),
    ("italian", "it"),
    ("japanese", "ja"),
    ("kazakh", "kk"),
    ("korean", "ko"),
    ("latvian", "lv"),
    ("lithuanian", "lt"),
    ("macedonian", "mk"),
    ("mongolian", "mn"),
    ("norwegian", "no"),
    ("persian", "fa"),
    ("polish", "pl"),
    ("portuguese", "pt"),
    ("romanian", "ro"),
    ("russian", "ru"),
    ("serbian", "sr"),
    ("slovak", "sk"),
    ("slovene", "sl"),
    ("spanish", "es"),
    ("swedish", "sv"),
    ("tajik", "tg"),
    ("thai", "th"),
    ("turkish", "tr"),
    ("turkmen", "tk"),
    ("ukrainian", "uk"),
    ("uzbek", "uz"),
    ("vietnamese", "vi"),
];

/// The name that Polygon has for a language.
pub fn language_name(code: &str) -> Option<&'static str> {
    let code = code.split(['-', '_']).next().unwrap_or(code);
    let mut known = LANGUAGES.iter();
    known
        .find(|(_, known)| *known == code)
        .map(|(name, _)| *name)
}

/// Whether the file of this name in `solution/` describes the solution.
pub fn describes_solution(name: &str) -> bool {
    let mut ends = [".tex", ".md", ".pdf"].iter();
    name.starts_with("solution.") && ends.any(|end| name.ends_with(end))
}

/// The code of the language with this name in Polygon.
pub fn language_code(name: &str) -> Option<&'static str> {
    let mut known = LANGUAGES.iter();
    known.find(|(own, _)| *own == name).map(|(_, code)| *code)
}

/// The maximum number of files of a statement's directory that are considered.
const MAX_FILES: usize = 1000;

/// The files with the statement of the package in `root`, sorted by language, then by [`StatementKind`].
pub fn statements(root: &Path) -> Vec<StatementFile> {
    let mut found = Vec::new();
    let Ok(root) = PackageDir::new(root) else {
        return found;
    };
    for (dir, own_dir) in [
        ("statement", true),
        ("problem_statement", true),
        ("", false),
    ] {
        for path in files(&root, &root.root().join(dir)) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if let Some((language, kind)) = parse_name(&name) {
                found.push(StatementFile {
                    language,
                    kind,
                    path,
                    own_dir,
                });
            }
        }
    }
    for (name, language) in LANGUAGES {
        // A document is as the authors see it, with every macro.
        let files = [
            (
                format!("statements/.pdf/{name}/problem.pdf"),
                StatementKind::Pdf,
            ),
            (format!("statements/{name}/problem.tex"), StatementKind::Tex),
        ];
        let files = files.map(|(path, kind)| (root.root().join(path), kind));
        let is_inside = |path: &Path| root.contain(path).is_ok_and(|real| real.is_file());
        if let Some((path, kind)) = files.into_iter().find(|(path, _)| is_inside(path)) {
            found.push(StatementFile {
                language: language.to_owned(),
                kind,
                path,
                own_dir: true,
            });
        }
    }
    found.sort_by(|a, b| (&a.language, a.kind, &a.path).cmp(&(&b.language, b.kind, &b.path)));
    found
}

/// The files for contestants of the package in `root`, by name: those in its directory `attachments`.
pub fn attachments(root: &Path) -> BTreeMap<String, PathBuf> {
    let Ok(root) = PackageDir::new(root) else {
        return BTreeMap::new();
    };
    let paths = files(&root, &root.root().join("attachments"));
    paths.into_iter().filter_map(named).collect()
}

/// The files with the sample conversations of the ICPC package in `root`, sorted by name.
pub fn interactions(root: &Path) -> Vec<PathBuf> {
    let Ok(root) = PackageDir::new(root) else {
        return Vec::new();
    };
    let mut paths = files(&root, &root.root().join("data/sample"));
    paths.retain(|path| path.extension().is_some_and(|end| end == "interaction"));
    paths
}

impl StatementFile {
    /// The name of the file.
    pub fn name(&self) -> Cow<'_, str> {
        self.path.file_name().unwrap_or_default().to_string_lossy()
    }

    /// The images that the statement may show, by file name: those in its own directory. A statement
    /// in the package's directory has none, because other files there may be secret.
    pub fn images(&self) -> Vec<(String, PathBuf)> {
        let dir = self.path.parent().filter(|_| self.own_dir);
        let Some((dir, root)) = dir.and_then(|dir| Some((dir, PackageDir::new(dir).ok()?))) else {
            return Vec::new();
        };
        let mut images: Vec<_> = files(&root, dir).into_iter().filter_map(named).collect();
        images.retain(|(name, _)| has_extension(name, &IMAGES));
        images
    }
}

/// A file with its name, if that is text.
fn named(path: PathBuf) -> Option<(String, PathBuf)> {
    Some((path.file_name()?.to_str()?.to_owned(), path))
}

/// The regular files directly in `dir` that lie inside of `root`, sorted by name.
fn files(root: &PackageDir, dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.take(MAX_FILES).map(|entry| entry.path()).collect();
    paths.retain(|path| root.contain(path).is_ok_and(|real| real.is_file()));
    paths.sort();
    paths
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|found| extensions.iter().any(|e| e.eq_ignore_ascii_case(found)))
}

/// The language and kind of `problem.LANGUAGE.md`, `problem.pdf` (English), or Hydro's
/// `problem_LANGUAGE.md`.
fn parse_name(name: &str) -> Option<(String, StatementKind)> {
    let (stem, extension) = name.rsplit_once('.')?;
    let kind = match extension {
        "md" => StatementKind::Markdown,
        "html" => StatementKind::Html,
        "tex" => StatementKind::Tex,
        "pdf" => StatementKind::Pdf,
        "txt" => StatementKind::Text,
        _ => return None,
    };
    let language = match stem.strip_prefix("problem")? {
        "" => "en",
        rest => rest.strip_prefix(['.', '_'])?,
    };
    let valid = (1..=16).contains(&language.len())
        && language
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    valid.then(|| (language.to_owned(), kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Package;
    use StatementKind::{Markdown, Pdf, Tex};

    #[test]
    fn names_give_language_and_kind() {
        let parsed = |name: &str| parse_name(name);
        assert_eq!(parsed("problem.en.md"), Some(("en".into(), Markdown)));
        assert_eq!(parsed("problem.pt-BR.tex"), Some(("pt-BR".into(), Tex)));
        assert_eq!(parsed("problem.pdf"), Some(("en".into(), Pdf)));
        assert_eq!(parsed("problem_zh.md"), Some(("zh".into(), Markdown)));
        for name in [
            "problem",
            "problem.png",
            "problems.md",
            "problem.a/b.md",
            "notes.md",
        ] {
            assert_eq!(parsed(name), None, "{name}");
        }
    }

    #[test]
    fn statements_and_images_of_a_package_stay_inside_it() {
        let dir = judge_tempdir::TempDirectory::new("statement").unwrap();
        let root = dir.path();
        let here = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/tioj1025");
        let package = Package::read(Path::new(here)).unwrap();
        let found = statements(&package.root);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].language.as_str(), found[0].kind),
            ("en", Markdown)
        );
        assert!(found[0].images().is_empty());

        std::fs::create_dir(root.join("statement")).unwrap();
        for name in [
            "statement/problem.en.tex",
            "statement/a.PNG",
            "problem.pdf",
            "secret.png",
        ] {
            std::fs::write(root.join(name), "x").unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", root.join("statement/problem.de.md")).unwrap();
        std::os::unix::fs::symlink("../secret.png", root.join("statement/b.png")).unwrap();
        let found = statements(root);
        let kinds: Vec<_> = found.iter().map(|file| file.kind).collect();
        assert_eq!(kinds, [Tex, Pdf]);
        let images: Vec<_> = found[0]
            .images()
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(images, ["a.PNG"]);
        assert!(found[1].images().is_empty());

        let polygon = root.join("statements/.pdf/russian");
        std::fs::create_dir_all(&polygon).unwrap();
        std::fs::write(polygon.join("problem.pdf"), "x").unwrap();
        let tex = root.join("statements/swedish");
        std::fs::create_dir_all(&tex).unwrap();
        std::fs::write(tex.join("problem.tex"), "x").unwrap();
        let found = statements(root);
        let last = found.last_chunk::<2>().unwrap();
        let last = last
            .each_ref()
            .map(|file| (file.language.as_str(), file.kind));
        assert_eq!(last, [("ru", Pdf), ("sv", Tex)]);

        std::fs::create_dir(root.join("attachments")).unwrap();
        std::fs::write(root.join("attachments/a.txt"), "x").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", root.join("attachments/b.txt")).unwrap();
        let names: Vec<_> = attachments(root).into_keys().collect();
        assert_eq!(names, ["a.txt"]);

        let sample = root.join("data/sample");
        std::fs::create_dir_all(&sample).unwrap();
        std::fs::write(sample.join("1.interaction"), ">1\n").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", sample.join("2.interaction")).unwrap();
        assert_eq!(interactions(root), [sample.join("1.interaction")]);
    }
}
