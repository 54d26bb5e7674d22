//! `judge new`.

use super::args::NewArgs;
use super::listen::listen;
use crate::scaffold::{self, Created, Draft, Origin, Problem, Request};
use judge_core::error::{Failure, exit_status};
use judge_core::submission::Workspace;
use judge_core::text::shell_word;
use judge_session::names;
use judge_session::output::print;
use std::path::{Path, PathBuf};

/// Creates a new problem in the workspace and prints what to fill in.
pub fn new(args: &NewArgs) -> Result<u8, Failure> {
    if args.id.as_deref() == Some("") {
        return Err(Failure::usage("the ID is empty").help("leave it out, or give a name"));
    }
    if let Some(address) = args.id.as_deref().filter(|id| names::is_address(id)) {
        let what = format!("{address} is an address, which is not fetched");
        return Err(Failure::usage(what).help(names::OF_ADDRESS));
    }
    if let Some(port) = args
        .id
        .as_ref()
        .filter(|id| args.listen.is_some() && is_number(id))
    {
        let what = format!("--listen: {port} is taken for an ID");
        return Err(Failure::usage(what).help(format!("write --listen={port} if it is the port")));
    }
    if let Some(into) = &args.into {
        return super::new_folder::new(args, into);
    }
    if let Some(dir) = &args.package {
        let files = scaffold::write_skeleton(dir, args.kind)?;
        return print(&package_steps(dir, &files)).map(|()| exit_status::AS_EXPECTED);
    }
    let (_, workspace) = Workspace::here()?;
    let workspace = workspace.ok_or_else(|| {
        Failure::usage("no workspace here: no parent directory has a Cargo.toml and a testdata/")
            .help("create a package with --package DIR, plain folders with --into DIR")
    })?;
    if let Some(port) = args.listen {
        return listen(args, port, &mut |problem| take(&workspace, args, problem));
    }
    let origin = if let Some(path) = &args.from {
        Some(Origin::Package(path))
    } else if !args.samples.is_empty() {
        Some(Origin::Draft(Draft {
            samples: scaffold::samples(&args.samples)?,
            ..Draft::default()
        }))
    } else {
        None
    };
    let (request, created) = create(&workspace, args, origin, args.url.as_deref())?;
    print(&steps(&workspace, &request, &created))?;
    Ok(exit_status::AS_EXPECTED)
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Creates the problem with the given name, or the one that its address suggests.
fn create<'a>(
    workspace: &Workspace,
    args: &'a NewArgs,
    origin: Option<Origin<'a>>,
    url: Option<&str>,
) -> Result<(Request<'a>, Created), Failure> {
    let title = match &origin {
        Some(Origin::Draft(draft)) => draft.name.as_deref(),
        _ => None,
    };
    let suggested = || scaffold::suggested_id(url, title);
    let Some(id) = args.id.clone().or_else(suggested) else {
        scaffold::check_url(url)?;
        return Err(
            Failure::usage("the problem has no name, and its address suggests none")
                .help("give it an ID: judge new ID --url URL"),
        );
    };
    let request = Request {
        id,
        like: args.like.as_deref(),
        origin,
        url: args.url.as_deref(),
    };
    let created = scaffold::create(workspace, &request)?;
    Ok((request, created))
}

/// Creates the problem that the browser sent.
fn take(workspace: &Workspace, args: &NewArgs, problem: Problem) -> Result<(), Failure> {
    let url = args.url.clone().or_else(|| problem.draft.url.clone());
    let origin = Some(Origin::Draft(problem.draft));
    let (request, created) = create(workspace, args, origin, url.as_deref())?;
    match problem.batch {
        1 => print(&steps(workspace, &request, &created)),
        _ => print(&format!(
            "{}: {}, {}\n",
            request.id,
            show(workspace, &created.krate),
            show(workspace, &created.package)
        )),
    }
}

fn show(workspace: &Workspace, path: &Path) -> String {
    let inside = path.strip_prefix(&workspace.root).unwrap_or(path);
    inside.display().to_string()
}

/// The files of a new package, and the next steps.
fn package_steps(dir: &Path, files: &[PathBuf]) -> String {
    let dir = shell_word(&dir.display().to_string()).into_owned();
    let files: String = files
        .iter()
        .map(|file| format!("  {}\n", file.display()))
        .collect();
    format!(
        "{dir}:\n{files}\
         1. {dir}/problem.yaml: the name, the authors, the limits; statement/: the problem\n\
         2. {dir}/data/: samples and secret cases; input_validators/: what is a valid input\n\
         3. {dir}/submissions/: right, wrong and slow solutions\n\
         4. judge verify {dir} says what the package still lacks\n"
    )
}

/// The names of the settings of the formats that have no `problem.yaml` of their own, and how a case
/// is added to each.
const SETTINGS: [(&str, &str); 7] = [
    (
        "problem.xml",
        "its tests; list those of your own in `tests`, in the order of their numbers",
    ),
    (
        "init.yml",
        "its data; list cases of your own in `test_cases`",
    ),
    (
        "info.toml",
        "its tests; list cases of your own as `[[tests]]`, with a generator in gen/",
    ),
    ("config.yml", CASES_BESIDE_SETTINGS),
    ("config.yaml", CASES_BESIDE_SETTINGS),
    ("testdata/config.yml", CASES_BESIDE_SETTINGS),
    ("testdata/config.yaml", CASES_BESIDE_SETTINGS),
];
const CASES_BESIDE_SETTINGS: &str =
    "its cases; those of your own go beside it, and into it if it lists cases";

/// The next steps that name the files of settings and of cases of the package in `dir`, which is shown as `package`.
fn places(dir: &Path, package: &str, samples: &str) -> (String, String) {
    let mut settings = SETTINGS.iter();
    if let Some((file, cases)) = settings.find(|(file, _)| dir.join(file).is_file()) {
        (
            format!("{package}/{file}: check the limits and the checker"),
            format!("{package}/{file}: {cases}"),
        )
    } else if dir.join("data").is_dir() {
        (
            format!("{package}/problem.yaml: check the name, the source, the limits"),
            format!("{package}/data/: {samples}; cases of your own go to data/secret/"),
        )
    } else {
        (
            format!("{package}: check its cases; it has no settings file"),
            format!("{package}: cases of your own go beside them, named in the same way"),
        )
    }
}

/// The next steps for the user, in five lines.
fn steps(workspace: &Workspace, request: &Request<'_>, created: &Created) -> String {
    let krate = show(workspace, &created.krate);
    let package = show(workspace, &created.package);
    let id = &request.id;
    let samples = match &request.origin {
        Some(_) => "its samples",
        None => "write the sample into sample/1.in and sample/1.ans",
    };
    let (settings, cases) = places(&created.package, &package, samples);
    match (&request.origin, request.like) {
        (None, Some(like)) => format!(
            "1. {package}/problem.yaml: the name, the source, the limits; statement/: the problem\n\
             2. {package}/data/, generators/: its samples and cases, in place of those of {like}\n\
             3. {package}/input_validators, output_validator, submissions: what they check and expect\n\
             4. {krate}/src/lib.rs and main.rs: the form of the files, the program; tests/: its tests\n\
             5. judge run {id}, which is accepted now and should be at the end; judge verify {id}\n"
        ),
        _ => format!(
            "1. {settings}\n\
             2. {cases}\n\
             3. {krate}/src/main.rs: read, solve, write; libraries go to its Cargo.toml\n\
             4. judge run {id}; judge watch {id} runs it again whenever you save\n\
             5. judge verify {id} says what the package still lacks\n"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::places;
    use std::fs;

    #[test]
    fn the_steps_name_the_files_of_the_packages_format() {
        for (file, settings, cases) in [
            (
                "init.yml",
                "p/init.yml: check the limits and the checker",
                "p/init.yml: its data; list cases of your own in `test_cases`",
            ),
            (
                "testdata/config.yaml",
                "p/testdata/config.yaml: check the limits and the checker",
                "p/testdata/config.yaml: its cases; those of your own go beside it, and into it if \
                 it lists cases",
            ),
            (
                "info.toml",
                "p/info.toml: check the limits and the checker",
                "p/info.toml: its tests; list cases of your own as `[[tests]]`, with a generator in gen/",
            ),
            (
                "data/secret/1.in",
                "p/problem.yaml: check the name, the source, the limits",
                "p/data/: its samples; cases of your own go to data/secret/",
            ),
            (
                "x.in",
                "p: check its cases; it has no settings file",
                "p: cases of your own go beside them, named in the same way",
            ),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
            let found = places(dir.path(), "p", "its samples");
            assert_eq!(found, (settings.to_owned(), cases.to_owned()), "{file}");
        }
    }
}
