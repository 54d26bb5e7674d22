//! The package of a new problem.

use super::rename::Rename;
use judge_core::error::Failure;
use judge_core::files::{copy, failed};
use judge_core::text::hex;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// An input and its answer.
pub type Sample = (Vec<u8>, Vec<u8>);

/// The known data of a problem without a package.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Draft {
    pub name: Option<String>,
    pub url: Option<String>,
    /// The time limit per case in milliseconds.
    pub time_limit_ms: Option<u64>,
    /// The memory limit in MiB.
    pub memory: Option<u64>,
    pub samples: Vec<Sample>,
    /// The file that a program reads instead of standard input.
    pub input: Option<String>,
    /// The file that a program writes instead of standard output.
    pub output: Option<String>,
    /// Whether an interactor talks to the program; the samples are then no inputs and answers.
    pub is_interactive: bool,
}

impl Draft {
    /// A draft with a placeholder sample on which every program fails.
    pub fn to_be_filled_in() -> Self {
        Draft {
            samples: vec![(
                b"replace this by the input of the first sample\n".to_vec(),
                b"replace this by the answer of the first sample\n".to_vec(),
            )],
            ..Draft::default()
        }
    }
}

/// Writes the package of a draft into `dir`.
/// Fails when the draft has no sample, or a file cannot be written.
pub fn write(dir: &Path, id: &str, draft: &Draft) -> Result<(), Failure> {
    let lacking = if draft.is_interactive {
        Some("is interactive: its samples are not inputs and answers")
    } else if draft.input.is_some() || draft.output.is_some() {
        Some("has programs that open files, which the package's format lacks")
    } else {
        None
    };
    if let Some(why) = lacking {
        let name = draft.name.as_deref().unwrap_or(id);
        return Err(Failure::usage(format!("{name:?} {why}"))
            .help("create a folder for it: judge new --listen --into DIR"));
    }
    if draft.samples.is_empty() {
        return Err(Failure::usage("the problem has no sample")
            .help("create it by hand: judge new ID --samples 1.in 1.ans"));
    }
    // JSON strings are valid YAML.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let name = quoted(draft.name.as_deref().unwrap_or(id));
    let mut yaml = format!(
        "problem_format_version: 2025-09\ntype: pass-fail\nname:\n  en: {name}\nuuid: {}\n",
        random_uuid()?
    );
    if let Some(url) = &draft.url {
        let url = quoted(url);
        yaml.push_str(&format!("source:\n  name: {name}\n  url: {url}\n"));
    }
    yaml.push_str("license: unknown\nlimits:\n");
    let limit = draft.time_limit_ms.unwrap_or(1000);
    // The format requires a multiple of the resolution, which is 1 s by default.
    let resolution = (1..=1000)
        .rev()
        .find(|ms| 1000 % ms == 0 && limit.is_multiple_of(*ms));
    let resolution = resolution.filter(|&ms| ms < 1000);
    let seconds = |ms: u64| ms as f64 / 1000.0;
    yaml.push_str(&format!("  time_limit: {:?}\n", seconds(limit)));
    if let Some(ms) = resolution {
        yaml.push_str(&format!("  time_resolution: {:?}\n", seconds(ms)));
    }
    if let Some(memory) = draft.memory {
        yaml.push_str(&format!("  memory: {memory}\n"));
    }
    write_samples(&dir.join("data/sample"), &draft.samples)?;
    let path = dir.join("problem.yaml");
    fs::write(&path, yaml).map_err(failed("write", &path))
}

/// Writes samples as `1.in`, `1.ans` and so on into the directory, which is created.
pub fn write_samples(dir: &Path, samples: &[Sample]) -> Result<(), Failure> {
    fs::create_dir_all(dir).map_err(failed("create", dir))?;
    for (k, (input, answer)) in samples.iter().enumerate() {
        for (end, text) in [("in", input), ("ans", answer)] {
            let file = dir.join(format!("{}.{end}", k + 1));
            fs::write(&file, text).map_err(failed("write", &file))?;
        }
    }
    Ok(())
}

/// Reads samples from pairs of files, each input followed by its answer.
/// Fails when the number of files is odd, or one cannot be read.
pub fn samples(files: &[PathBuf]) -> Result<Vec<Sample>, Failure> {
    let read = |path: &PathBuf| fs::read(path).map_err(failed("read", path));
    let pair = |pair: &[PathBuf]| match pair {
        [input, answer] => Ok((read(input)?, read(answer)?)),
        _ => Err(Failure::usage(
            "--samples: expected pairs of files, each input followed by its answer",
        )
        .help("name both files of each sample: 1.in 1.ans 2.in 2.ans")),
    };
    files.chunks(2).map(pair).collect()
}

/// Copies the package of the problem `like` at `from` as that of the problem `id`.
pub fn copy_of(
    from: &Path,
    like: &str,
    id: &str,
    url: Option<&str>,
    to: &Path,
) -> Result<(), Failure> {
    let is_statement = |name: &str| ["statement", "problem_statement", "solution"].contains(&name);
    // Bundles of the other problem's crate are valid submissions, but not bundles of the new crate.
    let bundle = |inside: &Path| {
        let name = inside.file_name()?.to_str()?;
        let target = name.strip_prefix(like)?.strip_prefix('-')?;
        let is_accepted = inside.parent() == Some(Path::new("submissions/accepted"));
        let (_, extension) = target.split_once('.').filter(|_| is_accepted)?;
        Some((name.to_owned(), format!("solution.{extension}")))
    };
    copy(from, to, Some(from), |inside| {
        let name = inside.file_name()?.to_string_lossy().into_owned();
        let is_top = inside.parent() == Some(Path::new(""));
        let is_made = name.starts_with(".judge-gen");
        let left_out = is_made || is_top && is_statement(&name);
        (!left_out).then(|| bundle(inside).map_or(name, |(_, new)| new))
    })?;
    let accepted = from.join("submissions/accepted");
    let bundles: Vec<(String, String)> = fs::read_dir(&accepted)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| bundle(entry.path().strip_prefix(from).ok()?))
        .collect();
    let rename = Rename::new(like, id, false);
    for (old, new) in &bundles {
        let program = to.join("submissions/accepted").join(new);
        // In a bundle, the crate's name is a module and may occur anywhere in a path.
        edit(&program, |text| rename.text(without_header(text)))?;
        for file in ["generators/generators.yaml", "submissions/submissions.yaml"] {
            let file = to.join(file);
            if file.is_file() {
                edit(&file, |text| text.replace(old.as_str(), new))?;
            }
        }
    }
    super::krate::rename_in(to, &["data", "problem.yaml"], &Rename::new(like, id, false))?;
    let uuid = random_uuid()?;
    let yaml = to.join("problem.yaml");
    if yaml.is_file() {
        edit(&yaml, |text| settings_of_copy(text, id, &uuid, url))?;
    }
    Ok(())
}

fn edit(path: &Path, with: impl Fn(&str) -> String) -> Result<(), Failure> {
    let text = fs::read_to_string(path).map_err(failed("read", path))?;
    fs::write(path, with(&text)).map_err(failed("write", path))
}

/// A bundle without its header comment, which names the problem it was made for.
fn without_header(mut text: &str) -> &str {
    while text.starts_with("//") {
        text = text.split_once('\n').map_or("", |(_, rest)| rest);
    }
    text
}

/// Adapts the `problem.yaml` of a copied package: removes comments, everything that names or
/// describes the other problem, and the code limit; keeps other limits and the settings of
/// programs.
fn settings_of_copy(text: &str, id: &str, uuid: &str, url: Option<&str>) -> String {
    const ABOUT_THE_MODEL: [&str; 10] = [
        "name",
        "uuid",
        "source",
        "source_url",
        "author",
        "credits",
        "license",
        "rights_owner",
        "keywords",
        "version",
    ];
    let key_of = |line: &str| {
        let (key, _) = line.split_once(':')?;
        Some(key.trim().trim_matches(['"', '\'']).to_owned())
    };
    let (mut settings, mut kept, mut is_in_limits) = (String::new(), true, false);
    for line in text.lines() {
        let content = line.trim_start();
        if content.is_empty() || content.starts_with('#') || line == "---" {
            continue;
        }
        let is_top = content.len() == line.len() && !content.starts_with(['-', '}', ']']);
        let key = key_of(line).unwrap_or_default();
        if is_top {
            kept = !ABOUT_THE_MODEL.contains(&key.as_str());
            is_in_limits = key == "limits";
        }
        if kept && !(is_in_limits && key == "code") {
            settings.push_str(line);
            settings.push('\n');
        }
    }
    let is_legacy = !settings.contains("problem_format_version: 20");
    let mut own = format!("name: {id}\nuuid: {uuid}\nlicense: unknown\n");
    if let Some(url) = url {
        // JSON strings are valid YAML.
        let url = serde_json::Value::from(url);
        own.push_str(&match is_legacy {
            true => format!("source: {id}\nsource_url: {url}\n"),
            false => format!("source:\n  name: {id}\n  url: {url}\n"),
        });
    }
    settings + &own
}

/// Adapts the `problem.yaml` of a package that the user named: changes only UUID and URL.
pub fn new_settings(text: &str, uuid: &str, url: Option<&str>) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let key = line.trim_start();
        let indent = &line[..line.len() - key.len()];
        match url {
            _ if line.starts_with("uuid:") => out.push_str(&format!("uuid: {uuid}")),
            // JSON strings are valid YAML.
            Some(url) if key.starts_with("url:") || line.starts_with("source_url:") => {
                let name = key.split(':').next().unwrap_or("url");
                let url = serde_json::Value::from(url);
                out.push_str(&format!("{indent}{name}: {url}"));
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// A random UUID (version 4).
pub fn random_uuid() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    let source = Path::new("/dev/urandom");
    File::open(source)
        .and_then(|mut file| file.read_exact(&mut bytes))
        .map_err(failed("read", source))?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hex(&bytes);
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| &digits[range]);
    Ok(parts.join("-"))
}
