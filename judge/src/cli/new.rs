//! `judge new`.

use super::args::NewArgs;
use super::output::print;
use crate::error::{Failure, exit_status};
use crate::scaffold::{self, Created, Draft, Origin, Request};
use crate::submission::Workspace;
use std::io::Write;
use std::path::Path;

/// Makes a new problem in the workspace, and says what to fill in.
pub fn new(args: &NewArgs) -> Result<u8, Failure> {
    let here = std::env::current_dir()
        .map_err(|e| Failure::usage(format!("failed to find the current directory: {e}")))?;
    let workspace = Workspace::around(&here).ok_or_else(|| {
        Failure::usage(
            "no workspace here: there is no directory upwards with a Cargo.toml and a testdata/",
        )
    })?;
    let mut url = args.url.clone();
    let origin = if let Some(path) = &args.from {
        Some(Origin::Package(path))
    } else if !args.samples.is_empty() {
        Some(Origin::Draft(Draft {
            samples: scaffold::samples(&args.samples)?,
            ..Draft::default()
        }))
    } else if let Some(port) = args.listen {
        let draft = listen(port)?;
        url = url.or_else(|| draft.url.clone());
        Some(Origin::Draft(draft))
    } else {
        None
    };
    let suggested = url.as_deref().and_then(scaffold::id_of);
    let Some(id) = args.id.clone().or(suggested) else {
        return Err(Failure::usage(
            "the problem has no name, and its address suggests none\n  help: judge new ID",
        ));
    };
    let request = Request {
        id: &id,
        like: args.like.as_deref(),
        origin,
        url: args.url.as_deref(),
    };
    let created = scaffold::create(&workspace, &request)?;
    print(&steps(&workspace, &request, &created))?;
    Ok(exit_status::AS_EXPECTED)
}

fn listen(port: u16) -> Result<Draft, Failure> {
    let mut listening = |port| {
        print(&format!(
            "listening on 127.0.0.1:{port}; press the extension's button on the problem's page\n"
        ))
    };
    let mut refused = |what: &str| {
        let _ = writeln!(std::io::stderr(), "refused: {what}");
    };
    scaffold::listen(port, &mut listening, &mut refused)
}

/// What is to be done now, in five lines.
fn steps(workspace: &Workspace, request: &Request<'_>, created: &Created) -> String {
    let show = |path: &Path| {
        let inside = path.strip_prefix(&workspace.root).unwrap_or(path);
        inside.display().to_string()
    };
    let (krate, package) = (show(&created.krate), show(&created.package));
    let id = request.id;
    match (&request.origin, request.like) {
        (None, like) => format!(
            "1. {package}/problem.yaml: the name, the source, the limits; statement/: the problem\n\
             2. {package}/data/, generators/: its samples and cases, in place of those of {like}\n\
             3. {package}/input_validators, output_validator, submissions: what they check and expect\n\
             4. {krate}/src/lib.rs and main.rs: the form of the files, the program; tests/: its tests\n\
             5. judge run {id}, which is accepted now and should be at the end; judge verify {id}\n",
            like = like.unwrap_or_default()
        ),
        (Some(_), _) => format!(
            "1. {package}/problem.yaml: check the name, the source, the limits\n\
             2. {package}/data/: its samples; cases of your own go to data/secret/\n\
             3. {krate}/src/main.rs: read, solve, write; libraries go to its Cargo.toml\n\
             4. judge run {id}; judge watch {id} runs it again whenever you save\n\
             5. judge verify {id} says what the package still lacks\n"
        ),
    }
}
