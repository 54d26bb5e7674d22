//! `judge new`.

use super::args::NewArgs;
use super::output::{print, say};
use crate::error::{Failure, exit_status};
use crate::scaffold::{self, Created, Draft, Origin, Problem, Received, Request};
use crate::submission::Workspace;
use std::path::Path;

/// Creates a new problem in the workspace and prints what to fill in.
pub fn new(args: &NewArgs) -> Result<u8, Failure> {
    let here = std::env::current_dir()
        .map_err(|e| Failure::usage(format!("failed to find the current directory: {e}")))?;
    let workspace = Workspace::around(&here).ok_or_else(|| {
        Failure::usage("no workspace here: no parent directory has a Cargo.toml and a testdata/")
    })?;
    if let Some(port) = args.listen {
        return listen(&workspace, args, port);
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

/// Creates the problem with the given name, or the one that its address suggests.
fn create<'a>(
    workspace: &Workspace,
    args: &'a NewArgs,
    origin: Option<Origin<'a>>,
    url: Option<&str>,
) -> Result<(Request<'a>, Created), Failure> {
    let suggested = url.and_then(scaffold::id_of);
    let Some(id) = args.id.clone().or(suggested) else {
        return Err(Failure::usage(
            "the problem has no name, and its address suggests none\n  help: judge new ID",
        ));
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

fn listen(workspace: &Workspace, args: &NewArgs, port: u16) -> Result<u8, Failure> {
    let mut listening = |port| {
        print(&format!(
            "listening on 127.0.0.1:{port}; press the extension's button on the page of a problem \
             or a contest\n"
        ))
    };
    let mut take = |problem: Problem| {
        if problem.batch > 1 && (args.id.is_some() || args.url.is_some()) {
            return Err(Failure::usage(format!(
                "a contest of {} problems has no single ID or --url\n  help: leave them out",
                problem.batch
            )));
        }
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
    };
    let mut refused = |what: &str| say(&format!("refused: {what}"));
    let Received { taken, announced } =
        scaffold::listen(port, &mut listening, &mut take, &mut refused)?;
    if taken < announced {
        return Err(Failure::usage(format!(
            "{taken} of {announced} problems of the contest were taken\n  help: open the others one \
             by one and send them to judge new --listen"
        )));
    }
    Ok(exit_status::AS_EXPECTED)
}

fn show(workspace: &Workspace, path: &Path) -> String {
    let inside = path.strip_prefix(&workspace.root).unwrap_or(path);
    inside.display().to_string()
}

/// The next steps for the user, in five lines.
fn steps(workspace: &Workspace, request: &Request<'_>, created: &Created) -> String {
    let krate = show(workspace, &created.krate);
    let package = show(workspace, &created.package);
    let id = &request.id;
    match (&request.origin, request.like) {
        (None, Some(like)) => format!(
            "1. {package}/problem.yaml: the name, the source, the limits; statement/: the problem\n\
             2. {package}/data/, generators/: its samples and cases, in place of those of {like}\n\
             3. {package}/input_validators, output_validator, submissions: what they check and expect\n\
             4. {krate}/src/lib.rs and main.rs: the form of the files, the program; tests/: its tests\n\
             5. judge run {id}, which is accepted now and should be at the end; judge verify {id}\n"
        ),
        (origin, _) => format!(
            "1. {package}/problem.yaml: check the name, the source, the limits\n\
             2. {package}/data/: {samples}; cases of your own go to data/secret/\n\
             3. {krate}/src/main.rs: read, solve, write; libraries go to its Cargo.toml\n\
             4. judge run {id}; judge watch {id} runs it again whenever you save\n\
             5. judge verify {id} says what the package still lacks\n",
            samples = match origin {
                Some(_) => "its samples",
                None => "write the sample into sample/1.in and sample/1.ans",
            }
        ),
    }
}
