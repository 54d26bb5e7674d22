//! `judge doctor`: reports what this machine can isolate and measure, and its languages.

use super::args::DoctorArgs;
use judge_core::error::{Failure, exit_status};
use judge_core::judging;
use judge_core::language::{Language, Languages, MissingTool, Toolchain, how_to_install};
use judge_core::parallel;
use judge_core::verdict::Verdict;
use judge_report::{plain, table};
use judge_sandbox::{Layer, Mode, State};
use judge_session::args::Format;
use judge_session::output::{paint, print};
use judge_session::run_started::layer_state;
use serde_json::json;

/// A language and whether its tools are installed.
struct Found {
    name: String,
    /// The program that compiles submissions, or else runs them, if it is installed.
    program: Option<String>,
    version: Result<String, MissingTool>,
    /// Why a minimal program fails, if it is installed and does.
    failure: Option<String>,
    install: Option<String>,
}

/// Prints a table of all layers and measurements, and one of the languages.
pub fn doctor(args: &DoctorArgs) -> Result<u8, Failure> {
    let layers = judge_sandbox::probe();
    // `sandbox` is reported, as the only layer, if no box can be opened.
    let broken = layers.iter().any(|layer| layer.name == "sandbox");
    let languages = languages(!broken)?;
    let text = match args.format {
        Format::Json => layers
            .iter()
            .map(json_line)
            .chain(languages.iter().map(json_language))
            .collect(),
        Format::Human | Format::Github | Format::Lines => {
            let profile = std::env::current_exe().ok();
            let profile = profile.and_then(|judge| judge_sandbox::required_profile(&judge));
            human(&layers, broken, args)
                + &profile.map_or(String::new(), |profile| human_profile(&layers, &profile))
                + &human_languages(&languages, args)
        }
    };
    print(&text)?;
    Ok(if broken {
        exit_status::JUDGE_ERROR
    } else {
        exit_status::AS_EXPECTED
    })
}

/// All languages, sorted by name. `tries`: a minimal program of each installed one is built and run.
fn languages(tries: bool) -> Result<Vec<Found>, Failure> {
    let known = Languages::load(None)?;
    let toolchain = Toolchain::new(known, Mode::Auto)?;
    let all: Vec<_> = toolchain.languages.iter().collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let try_one = |(): &mut (), (code, language): &(&str, &Language)| {
        let version = toolchain.installed(language);
        let profile = toolchain.profile_of_submissions(language).ok();
        let command = profile.map(|profile| profile.compile.as_ref().unwrap_or(&profile.run));
        Ok::<_, Failure>(Found {
            name: language.name.clone(),
            program: command
                .and_then(|command| Some(command.split_whitespace().next()?.to_owned())),
            failure: match &version {
                Ok(_) if tries => judging::try_language(&toolchain, code, language),
                _ => None,
            },
            version,
            install: language.install.clone(),
        })
    };
    let mut found = Vec::new();
    let done = |_: &_, one| found.push(one);
    parallel::each(cores, &all, |_| Ok(()), try_one, done)?;
    found.sort_by_key(|found| found.name.to_lowercase());
    Ok(found)
}

fn json_language(found: &Found) -> String {
    let value = json!({
        "event": "language",
        "name": found.name,
        "program": found.program,
        "state": layer_state(match found.version {
            Ok(_) => State::Present,
            Err(_) => State::Absent,
        }),
        "version": found.version.as_ref().ok(),
        "failure": found.failure,
        "missing": found.version.as_ref().err().map(ToString::to_string),
        "install": found.install,
    });
    format!("{value}\n")
}

fn human_languages(languages: &[Found], args: &DoctorArgs) -> String {
    let paint = paint(args.color);
    let rows: Vec<_> = languages
        .iter()
        .map(|found| {
            let (color, word, about) = match (&found.version, &found.failure) {
                (Ok(_), Some(failure)) => (
                    Verdict::WrongAnswer,
                    "fails",
                    format!("a minimal program: {}", first_lines(failure)),
                ),
                (Ok(version), None) => {
                    let program = found.program.as_deref().unwrap_or_default();
                    (
                        Verdict::Accepted,
                        "present",
                        format!("{program}: {version}"),
                    )
                }
                (Err(missing), _) => (
                    Verdict::TimeLimitExceeded,
                    "absent",
                    match &found.install {
                        Some(install) => {
                            format!("no {missing}; to install: {}", how_to_install(install))
                        }
                        None => format!("no {missing}"),
                    },
                ),
            };
            vec![
                plain(found.name.as_str()),
                (paint.verdict_text(color, word), word.len()),
                plain(about),
            ]
        })
        .collect();
    let there = languages.iter().filter(|f| f.version.is_ok()).count();
    format!(
        "\n{}\n{there} of {} languages are installed; submissions in the others are skipped\n",
        table(&rows, &[false, false, false], 0),
        languages.len()
    )
}

/// The start of a compiler's message, in one line.
fn first_lines(message: &str) -> String {
    const SHOWN: usize = 160;
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line,
    }
}

/// The AppArmor profile that lets the judge create namespaces, if it may not.
fn human_profile(layers: &[Layer], profile: &str) -> String {
    let has = |layer: &Layer| layer.name == "user-namespace" && layer.state == State::Present;
    match layers.iter().any(has) {
        true => String::new(),
        false => format!(
            "\nthis machine lets only programs with an AppArmor profile create user namespaces; the \
             .deb brings one for /usr/bin/judge, and this loads one for this judge:\n\n\
             sudo tee /etc/apparmor.d/judge <<'END'\n{profile}END\n\
             sudo apparmor_parser -r /etc/apparmor.d/judge\n"
        ),
    }
}

fn json_line(layer: &Layer) -> String {
    let value = json!({
        "event": "layer",
        "name": layer.name,
        "state": layer_state(layer.state).text(),
        "why": layer.why,
        "remedy": layer.remedy,
    });
    format!("{value}\n")
}

fn human(layers: &[Layer], broken: bool, args: &DoctorArgs) -> String {
    let paint = paint(args.color);
    let rows: Vec<_> = layers
        .iter()
        .map(|layer| {
            let word = layer_state(layer.state).text();
            let color = match layer.state {
                State::Present => Verdict::Accepted,
                State::Degraded => Verdict::TimeLimitExceeded,
                State::Absent => Verdict::WrongAnswer,
            };
            vec![
                plain(layer.name),
                (paint.verdict_text(color, word), word.len()),
                plain(layer.why.as_str()),
            ]
        })
        .collect();
    let mut out = String::new();
    let rendered = table(&rows, &[false, false, false], 0);
    for (i, (line, layer)) in rendered.lines().zip(layers).enumerate() {
        out.push_str(line);
        out.push('\n');
        // Adjacent layers with the same remedy share one line.
        let next = layers.get(i + 1).and_then(|next| next.remedy.as_ref());
        if let Some(remedy) = &layer.remedy
            && next != Some(remedy)
        {
            for remedy_line in remedy.lines() {
                out.push_str(&format!("    to get it: {remedy_line}\n"));
            }
        }
    }
    let lacking = layers.iter().filter(|l| l.state != State::Present).count();
    out.push_str(&match lacking {
        _ if broken => "\nno program can be run here\n".to_owned(),
        0 => "\neverything is present\n".to_owned(),
        n => format!(
            "\n{n} of {} incomplete; judging works with what is present\n",
            layers.len()
        ),
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_is_printed_if_namespaces_are_missing() {
        let layer = |state| Layer {
            name: "user-namespace",
            state,
            why: String::new(),
            remedy: None,
        };
        let shown = human_profile(&[layer(State::Absent)], "profile judge {}\n");
        let lines: Vec<&str> = shown.lines().collect();
        let at = lines.iter().position(|line| line.ends_with("<<'END'"));
        let at = at.expect("the command that writes the file");
        assert_eq!(&lines[at + 1..at + 3], ["profile judge {}", "END"]);
        assert_eq!(human_profile(&[layer(State::Present)], "x"), "");
    }
}
