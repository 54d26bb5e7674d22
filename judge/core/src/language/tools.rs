//! Finds the compilers and interpreters of this machine and the mounts that they need.

use super::config::{Profile, command_words};
use super::program::read_only;
use crate::parallel::unpoisoned;
use etcetera::base_strategy::{BaseStrategy, Xdg};
use judge_sandbox::{Mount, SYSTEM_DIRECTORIES};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// The installed programs of a [`Profile`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tools {
    /// Name and path of each program.
    programs: Vec<(String, PathBuf)>,
    /// Where those are installed that lie outside of the system's directories.
    places: Vec<Place>,
    /// The mounts that the programs need.
    pub mounts: Vec<Mount>,
    /// The output of the profile's version command; part of the cache key.
    pub version: String,
}

/// Where a program is installed.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Place {
    /// The directory above its `bin`, if it has one.
    prefix: Option<PathBuf>,
    /// The program itself.
    file: PathBuf,
    /// A directory that holds other programs, too, and is therefore never mounted as a whole.
    shared: Option<PathBuf>,
}

/// The directories of packages that were judged, with their answers.
static PACKAGES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Lets no program see these directories of a package because its interpreter is installed around them.
pub fn keep_apart<'d>(package: impl IntoIterator<Item = &'d Path>) {
    let real = |dir: &Path| dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    unpoisoned(PACKAGES.lock()).extend(package.into_iter().map(real));
}

/// The name of a tool that is not installed, with the version if only an older one is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct MissingTool(pub String);

/// Finds tools and caches the results.
#[derive(Debug, Default)]
pub struct ToolFinder {
    known: Mutex<HashMap<String, Result<Tools, MissingTool>>>,
}

impl ToolFinder {
    pub fn find(&self, profile: &Profile) -> Result<Tools, MissingTool> {
        let key = format!(
            "{:?}",
            (
                &profile.compile,
                &profile.run,
                &profile.version,
                &profile.min_version,
                &profile.home
            )
        );
        let mut known = unpoisoned(self.known.lock());
        let found = known.entry(key).or_insert_with(|| find(profile)).clone();
        found.map(|mut tools| {
            // Each time: more packages may be known now.
            tools.mounts = tools.visible();
            tools
        })
    }
}

impl Tools {
    /// Replaces the first word, a tool's name, by the tool's path.
    pub fn resolve(&self, mut words: Vec<String>) -> Vec<String> {
        if let Some(first) = words.first_mut()
            && let Some(path) = self.path(first)
        {
            *first = path.to_string_lossy().into_owned();
        }
        words
    }

    /// The mounts of all programs.
    fn visible(&self) -> Vec<Mount> {
        let mut mounts = Vec::new();
        for mount in self.places.iter().flat_map(Place::mounts) {
            if !mounts.contains(&mount) {
                mounts.push(mount);
            }
        }
        mounts
    }

    /// The path of a program by its name in the command.
    pub fn path(&self, name: &str) -> Option<&Path> {
        self.programs
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, path)| path.as_path())
    }
}

fn find(profile: &Profile) -> Result<Tools, MissingTool> {
    let mut tools = Tools {
        programs: Vec::new(),
        places: Vec::new(),
        mounts: Vec::new(),
        version: String::new(),
    };
    let commands = [
        profile.compile.as_ref(),
        Some(&profile.run),
        Some(&profile.version),
    ];
    for command in commands.into_iter().flatten() {
        let words = command_words(command);
        // `{binary}` is the program itself, not a tool.
        let Some(name) = words.first().filter(|name| !name.contains('{')) else {
            continue;
        };
        if tools.path(name).is_some() {
            continue;
        }
        let missing = || MissingTool(name.clone());
        let found = search(name).ok_or_else(missing)?;
        let (path, place) = place(name, &found, profile.home.as_deref()).ok_or_else(missing)?;
        tools.places.extend(place);
        tools.programs.push((name.clone(), path));
    }
    let words = command_words(&profile.version);
    if let Some((name, args)) = words.split_first() {
        let path = tools.path(name).unwrap_or(Path::new(name)).to_path_buf();
        tools.version = output(&path, args).ok_or_else(|| MissingTool(name.clone()))?;
    }
    if let Some(least) = &profile.min_version
        && !at_least(&tools.version, least)
    {
        let name = words.first().map_or("", String::as_str);
        return Err(MissingTool(format!("{name} {least} or newer")));
    }
    Ok(tools)
}

/// The first executable file of this name in `PATH`; a relative directory there is ignored.
pub fn search(name: &str) -> Option<PathBuf> {
    if name.contains('/') || Path::new(name).is_absolute() {
        return judge_os::executable_in(Path::new(""), name.as_ref());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|dir| dir.is_absolute())
        .find_map(|dir| judge_os::executable_in(&dir, name.as_ref()))
}

/// How to install a tool here; `command` is the one for Debian. On a system without `apt`, names the packages, which may
/// have other names there. Returns other texts, such as addresses, unchanged.
pub fn how_to_install(command: &str) -> Cow<'_, str> {
    let Some(packages) = command.strip_prefix("apt install ") else {
        return command.into();
    };
    if cfg!(windows) {
        let what = match packages {
            "gcc" | "g++" => "MinGW-w64 (https://www.msys2.org or https://winlibs.com)".to_owned(),
            _ => format!("it for Windows (Debian's name: {packages})"),
        };
        return format!("install {what}, and add its directory `bin` to PATH").into();
    }
    match search("apt") {
        Some(_) => command.into(),
        None => format!("use the package manager of this system (Debian: {command})").into(),
    }
}

/// The program's real path and, if that is outside of the system's directories, where it is
/// installed. There it may be a shim that forwards to its installation (rustup, pyenv): `home` prints
/// where that is.
fn place(name: &str, found: &Path, home: Option<&str>) -> Option<(PathBuf, Option<Place>)> {
    let real = found.canonicalize().ok()?;
    if is_system(found) && is_system(&real) {
        return Some((found.to_path_buf(), None));
    }
    if let Some((program, args)) = home
        .map(command_words)
        .as_deref()
        .and_then(|words| words.split_first())
    {
        let printed = output(&search(program)?, args)?;
        let dir = Path::new(printed.lines().next()?.trim())
            .canonicalize()
            .ok()?;
        let file = dir.join("bin").join(Path::new(name).file_name()?);
        if file.exists() {
            let place = Place {
                prefix: Some(dir),
                file: file.clone(),
                shared: None,
            };
            return Some((file, Some(place)));
        }
    }
    if is_system(&real) {
        return Some((real, None));
    }
    // For <prefix>/bin/<name>, the runtime's other files are below the prefix.
    let bin = real
        .parent()
        .filter(|dir| dir.file_name() == Some(OsStr::new("bin")));
    let place = Place {
        prefix: bin.and_then(Path::parent).map(Path::to_owned),
        file: real.clone(),
        // `go install` puts programs beside sources. A Go that is installed there prints its
        // directory.
        shared: std::env::var_os("HOME").map(|home| Path::new(&home).join("go")),
    };
    Some((real, Some(place)))
}

impl Place {
    fn mounts(&self) -> Vec<Mount> {
        let Some(prefix) = &self.prefix else {
            return vec![read_only(&self.file)];
        };
        let mut shared = shared_directories();
        shared.extend(self.shared.clone());
        shared.extend(unpoisoned(PACKAGES.lock()).iter().cloned());
        installation(prefix, &self.file, &shared)
    }
}

/// The mounts of the program `file`, which is installed below `prefix`: the whole prefix if it belongs
/// to the runtime. A prefix that holds other things, such as a home or `~/.local`, is not shown: the
/// program gets its file and its libraries, which are named after it.
fn installation(prefix: &Path, file: &Path, shared: &[PathBuf]) -> Vec<Mount> {
    if is_system(prefix) {
        return Vec::new();
    }
    if !is_shared(prefix, shared) {
        return vec![read_only(prefix)];
    }
    let mut shown = vec![file.to_path_buf()];
    shown.extend(file.canonicalize().ok().filter(|real| real != file));
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    // `python3` needs `lib/python3.13` and `lib/libpython3.13.so`, `rustc` needs `lib/rustlib`.
    let start: String = name
        .chars()
        .take_while(char::is_ascii_alphabetic)
        .take(4)
        .collect();
    for libraries in ["lib", "lib64", "libexec"] {
        let entries = fs::read_dir(prefix.join(libraries));
        let entries = entries.into_iter().flatten().flatten();
        shown.extend(entries.map(|entry| entry.path()).filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = name.strip_prefix("lib").unwrap_or(&name);
            !start.is_empty() && name.starts_with(&start)
        }));
    }
    shown.iter().map(|path| read_only(path)).collect()
}

/// Whether a directory holds more than one runtime: one of the directories `shared` lies in it or is
/// it, it is a home, or it lies right below the root.
fn is_shared(prefix: &Path, shared: &[PathBuf]) -> bool {
    shared.iter().any(|secret| secret.starts_with(prefix))
        || prefix.components().count() <= 2
        || prefix.parent() == Some(Path::new("/home"))
}

/// Lets no box show the user's home or the judge's own directories.
pub fn hide_secrets() {
    own_directories()
        .iter()
        .for_each(|dir| judge_sandbox::hide(dir));
}

/// The user's home, and the judge's data, state and cache, which may lie elsewhere.
fn own_directories() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let mut all: Vec<PathBuf> = home.into_iter().filter(|home| home.is_absolute()).collect();
    if let Ok(xdg) = Xdg::new() {
        let dirs = [Some(xdg.data_dir()), xdg.state_dir(), Some(xdg.cache_dir())];
        all.extend(dirs.into_iter().flatten().map(|dir| dir.join("judge")));
    }
    all
}

/// Directories in which several programs keep files, some of them secret, so that a prefix around
/// them is no runtime's own.
fn shared_directories() -> Vec<PathBuf> {
    let mut all = own_directories();
    if let Ok(xdg) = Xdg::new() {
        all.extend([xdg.config_dir(), xdg.data_dir(), xdg.cache_dir()]);
        all.extend([".local/share", ".ssh", ".cargo"].map(|name| xdg.home_dir().join(name)));
    }
    all.extend(std::env::var_os("CARGO_HOME").map(PathBuf::from));
    all.push(std::env::temp_dir());
    let real = |path: PathBuf| path.canonicalize().unwrap_or(path);
    all.into_iter().map(real).collect()
}

/// Whether every box shows the path anyway.
fn is_system(path: &Path) -> bool {
    SYSTEM_DIRECTORIES.iter().any(|dir| path.starts_with(dir))
}

/// The standard output of a tool, or its standard error if that is empty; `None` if it fails.
fn output(program: &Path, args: &[String]) -> Option<String> {
    let output = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .current_dir("/")
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let text = if output.stdout.is_empty() {
        output.stderr
    } else {
        output.stdout
    };
    Some(String::from_utf8_lossy(&text).trim().to_string())
}

/// Whether the first version number in `text` is at least `least`.
fn at_least(text: &str, least: &str) -> bool {
    let numbers = |text: &str| -> Vec<u64> {
        let start = text
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(text.len());
        text[start..]
            .split(|c: char| !(c.is_ascii_digit() || c == '.'))
            .next()
            .unwrap_or_default()
            .split('.')
            .map_while(|part| part.parse().ok())
            .collect()
    };
    numbers(text) >= numbers(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(run: &str, version: &str) -> Profile {
        let text = format!("run = {run:?}\nversion = {version:?}\n");
        toml::from_str(&text).expect("a profile")
    }

    #[test]
    fn a_shell_is_found_and_a_missing_tool_is_named() {
        let finder = ToolFinder::default();
        let tools = finder
            .find(&profile("sh {main}", "sh -c 'echo 5.1'"))
            .expect("every system has sh");
        assert_eq!(tools.version, "5.1");
        assert!(
            tools
                .path("sh")
                .expect("it is among the tools")
                .is_absolute()
        );
        assert_eq!(
            finder.find(&profile("no-such-tool x", "sh")),
            Err(MissingTool("no-such-tool".to_string()))
        );
        assert_eq!(
            finder.find(&profile("sh", "sh -c 'exit 1'")),
            Err(MissingTool("sh".to_string()))
        );
        let old = Profile {
            min_version: Some("5.2".to_string()),
            ..profile("sh", "sh -c 'echo 5.1'")
        };
        assert_eq!(find(&old), Err(MissingTool("sh 5.2 or newer".to_string())));
    }

    #[test]
    fn a_directory_that_every_box_shows_needs_no_mount() {
        for (path, expected) in [("/lib32/tool", true), ("/library/tool", false)] {
            assert_eq!(is_system(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn a_shared_prefix_is_not_shown() {
        let home = tempfile::tempdir().expect("a directory");
        let path = home.path();
        for file in [
            "bin/python3.13",
            ".ssh/id",
            ".local/bin/node",
            ".local/share/keyrings/login",
            ".local/lib/node_modules/x",
            ".local/lib/libnode.so",
            ".local/lib/other.so",
            "lib/python3.13/os.py",
            "lib/private",
            ".nvm/versions/node/v24/bin/node",
        ] {
            let file = path.join(file);
            fs::create_dir_all(file.parent().expect("a directory")).expect("created");
            fs::write(file, "").expect("written");
        }
        std::os::unix::fs::symlink("python3.13", path.join("bin/python3")).expect("a link");
        let shared = [path.to_owned(), path.join(".local/share")];
        let shown = |prefix: &str, file: &str| {
            let mounts = installation(&path.join(prefix), &path.join(prefix).join(file), &shared);
            let inside = |m: &Mount| m.host.strip_prefix(path).map(|p| p.display().to_string());
            let mut all: Vec<_> = mounts.iter().flat_map(inside).collect();
            all.sort();
            all
        };
        assert_eq!(
            shown("", "bin/python3"),
            ["bin/python3", "bin/python3.13", "lib/python3.13"]
        );
        assert_eq!(
            shown(".local", "bin/node"),
            [
                ".local/bin/node",
                ".local/lib/libnode.so",
                ".local/lib/node_modules"
            ]
        );
        assert_eq!(
            shown(".nvm/versions/node/v24", "bin/node"),
            [".nvm/versions/node/v24"]
        );
        for (prefix, expected) in [("/opt", true), ("/opt/node", false), ("/home/a", true)] {
            assert_eq!(is_shared(Path::new(prefix), &[]), expected, "{prefix}");
        }
    }

    #[test]
    fn an_interpreter_around_a_package_does_not_show_it() {
        let top = tempfile::tempdir_in("/var/tmp").expect("a directory");
        let prefix = top.path().canonicalize().expect("it is there");
        for file in ["bin/node", "lib/node/x", "packages/sum/1.ans"] {
            let file = prefix.join(file);
            fs::create_dir_all(file.parent().expect("a directory")).expect("created");
            fs::write(file, "").expect("written");
        }
        let place = Place {
            prefix: Some(prefix.clone()),
            file: prefix.join("bin/node"),
            shared: None,
        };
        assert_eq!(place.mounts(), [read_only(&prefix)]);
        keep_apart([prefix.join("bin/../packages/sum").as_path()]);
        let shown = [prefix.join("bin/node"), prefix.join("lib/node")];
        assert_eq!(place.mounts(), shown.each_ref().map(|path| read_only(path)));
    }

    #[test]
    fn versions() {
        assert!(at_least("v22.6.1", "22.6"));
        assert!(at_least("12.2.0", "11"));
        assert!(!at_least("10.2.1", "11"));
        assert!(!at_least("9.4.0", "11"));
        assert!(at_least("g++ (Debian 12.2.0-14) 12.2.0", "12"));
        assert!(!at_least("", "1"));
    }
}
