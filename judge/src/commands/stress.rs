//! `judge stress`.

mod roles;

use self::roles::{Chosen, choose, generator, named};
use super::args::StressArgs;
use super::save::Place;
use crate::generate;
use crate::stress::{self, Context, Counterexample, Generator, Origin, Setup};
use judge_core::error::{Failure, exit_status};
use judge_core::figures::{plural, seconds};
use judge_core::files::failed;
use judge_core::judging::{self, InputValidators, Toolchain, prepare_checker};
use judge_core::submission::{Submission, Workspace};
use judge_core::text::{shell_word, shown};
use judge_core::verdict::Verdict;
use judge_package::{Package, TestCase, tolerance_args};
use judge_report::Paint;
use judge_session::args::{CheckingArgs, Format};
use judge_session::interrupt::watch_for_interrupt;
use judge_session::output::{paint, paint_for, print, say};
use judge_session::progress::Progress;
use judge_session::run::settings;
use judge_session::{new_file, select};
use std::fs;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Time limit for shrinking an input.
const SHRINKING: Duration = Duration::from_secs(30);

/// Runs random inputs until two programs differ and prints the shrunk input.
pub fn stress(args: &StressArgs) -> Result<u8, Failure> {
    let (here, workspace) = Workspace::here()?;
    let workspace = workspace.as_ref();
    let Chosen {
        package,
        mine,
        against,
        generator: command,
    } = choose(args, &here, workspace)?;
    if package.kind.interactive || package.kind.multi_pass {
        return Err(Failure::usage(format!(
            "{}: stress runs a program on one input and compares its output; it cannot run an \
             interactive or multi-pass problem",
            package.id
        ))
        .help("add inputs to the package, and judge the program with judge run"));
    }
    // Checked before the search, so that no result is lost.
    let place = args.save.as_deref().map(|group| Place::of(&package, group));
    let place = place.transpose()?;
    let settings = settings(&args.running)?;
    let toolchain = Toolchain::new(&settings, args.running.languages.as_deref())?;
    toolchain.check_language(args.running.language.as_deref())?;
    watch_for_interrupt()?;

    let reference = against.map(|against| named(&against, &package, workspace));
    let own_limit = mine.time_limit;
    let reference = reference.transpose()?;
    let code = |one: &Submission| one.source.code().map(Path::to_owned);
    let sources = [Some(&mine), reference.as_ref()].map(|one| one.and_then(code));
    let both = [mine].into_iter().chain(reference).collect();
    let programs = select::programs(both, &package, workspace, Format::Human, &toolchain)?;
    let [mine, reference @ ..] = programs.as_slice() else {
        return Err(Failure::internal("expected a built program"));
    };
    let (generator, _dir) = generator(&command, &package, &toolchain)?;
    let checker = prepare_checker(&package, &toolchain)?;
    let (validators, _) = InputValidators::build(&package, &toolchain);
    let time = match package.limits.time.fixed() {
        Some(limit) => own_limit.unwrap_or(limit),
        // Without a time limit, only a program that does not end counts as too slow.
        None => Duration::from_secs(10),
    };
    let setup = Setup {
        package: &package,
        validator_args: validator_args(&package, &args.checking),
        settings: &settings,
        limits: judging::for_run(
            &package.limits,
            &TestCase::default(),
            time,
            settings.overrides,
            settings.clock,
            mine,
        ),
        mine: Arc::clone(mine),
        reference: reference.first().cloned(),
        sources,
        generator,
        checker: &checker,
        validators: &validators,
    };
    let paint = paint(args.running.color);
    let this = Stress {
        setup: &setup,
        toolchain: &toolchain,
        args,
        place: place.as_ref(),
        paint,
    };
    if args.slowest {
        return this.hunt();
    }
    let progress = this.searching();
    let search = stress::search(&setup, args.seed, args.time, settings.jobs)?;
    drop(progress);
    let rate = search.trials as f64 / search.wall.as_secs_f64().max(1e-9);
    print(&format!(
        "{} in {} ({rate:.0} a second)\n",
        plural(search.trials as usize, "trial"),
        seconds(search.wall.as_secs_f64())
    ))?;
    warn_of_equal_inputs(&search);
    match search.found {
        None if judge_sandbox::interrupted() => {
            print("interrupted: no difference found so far\n")?;
            Ok(exit_status::INTERRUPTED)
        }
        None if search.trials == 0 => Err(no_input_was_tried()),
        None => {
            print(&paint.verdict_text(Verdict::Accepted, "no difference found\n"))?;
            Ok(exit_status::AS_EXPECTED)
        }
        Some(found) => this.show_found(&found),
    }
}

/// Warns of a generator that ignores its argument: it has no seed, or the time in seconds.
fn warn_of_equal_inputs(search: &stress::Search) {
    if search.trials > 1 && search.different == 1 {
        say("warning: the generator made the same input for every seed: does it use its argument?");
    } else if search.trials >= 4 * search.different.max(1) as u64 {
        say(&format!(
            "warning: the generator made only {} different inputs: does it use its argument as the seed?",
            search.different
        ));
    }
}

fn no_input_was_tried() -> Failure {
    Failure::usage("no input was tried in this time").help("give more with --time")
}

/// The arguments of the output validator: those of the package's last case, since the cases of a group
/// may have others than the samples. Without cases, those of plain folders and of the options.
fn validator_args(package: &Package, checking: &CheckingArgs) -> Vec<String> {
    match package.cases().last() {
        Some(case) => case.validator_args.clone(),
        None => {
            let mut args = vec!["case_sensitive".to_owned()];
            if let Some(error) = checking.tolerance {
                args.extend(tolerance_args(error));
            }
            args
        }
    }
}

/// The generator's command with the arguments that produced an input.
fn command(generator: &Generator, args: &[String]) -> String {
    let words = [&generator.name].into_iter().chain(args);
    let word = |word: &String| match word.contains(char::is_whitespace) {
        true => shell_word(word).into_owned(),
        false => word.clone(),
    };
    words.map(word).collect::<Vec<_>>().join(" ")
}

/// The exit status of a search with this result.
fn unless_interrupted(status: u8) -> u8 {
    match judge_sandbox::interrupted() {
        true => exit_status::INTERRUPTED,
        false => status,
    }
}

/// A search, and what to do with its result.
struct Stress<'a> {
    setup: &'a Setup<'a>,
    toolchain: &'a Toolchain,
    args: &'a StressArgs,
    place: Option<&'a Place>,
    paint: Paint,
}

impl Stress<'_> {
    /// Shrinks the input, shows it, and saves it if requested.
    fn show_found(&self, found: &Counterexample) -> Result<u8, Failure> {
        let setup = self.setup;
        let verdict = found.how.verdict;
        let progress = self.progress("shrinking the input");
        let (small, message) = match Context::open(setup, judge_sandbox::cores().first().copied()) {
            Ok(mut context) => {
                let small = stress::shrink(&mut context, found.clone(), SHRINKING)?;
                let message = context.explain(&small)?;
                (small, message)
            }
            // It is shown as it was found.
            Err(Failure::Interrupted) => (found.clone(), found.how.message.clone()),
            Err(error) => return Err(error),
        };
        drop(progress);
        let code = self.paint.verdict(verdict, 3);
        let is_smaller = small.input != found.input;
        let (origin, before) = (found.origin, found.input.len());
        let bytes = plural(before, "byte");
        let size = match is_smaller {
            true => format!("{bytes}, shrunk to {}", small.input.len()),
            false => bytes.clone(),
        };
        let why = match message.is_empty() {
            true => "the validator rejects the output",
            false => &message,
        };
        let expected = match setup.reference {
            Some(_) => format!("expected:\n{}", shown(&small.how.answer)),
            None => String::new(),
        };
        let shrunk = if is_smaller { ", shrunk" } else { "" };
        print(&format!(
            "{code} {origin}{shrunk}: {why}\ninput ({size}):\n{}{expected}found:\n{}",
            shown(&small.input),
            shown(&small.how.output),
        ))?;
        if is_smaller {
            let made = match small.origin {
                Origin::Seed(seed) if small.args != found.args || small.origin != origin => {
                    let command = command(&setup.generator, &small.args);
                    format!("generated by `{command}`, seed {seed}\n")
                }
                _ => String::new(),
            };
            print(&format!(
                "{made}before it was shrunk, {origin} ({bytes}):\n{}",
                shown(&found.input)
            ))?;
        }
        if setup.reference.is_none() {
            if self.args.save.is_some() {
                print("not saved: only a reference (--against) gives an answer to this input\n")?;
            }
            return Ok(unless_interrupted(exit_status::NOT_AS_EXPECTED));
        }
        let name = match origin {
            Origin::Seed(seed) => format!("stress-{seed}"),
            Origin::Mutation => "stress-mutation".to_owned(),
        };
        self.save(&name, &small.input, &small.how.answer)?;
        if is_smaller {
            let name = format!("{name}-original");
            self.save(&name, &found.input, &found.how.answer)?;
        }
        Ok(unless_interrupted(exit_status::NOT_AS_EXPECTED))
    }

    /// Searches for the slowest input.
    fn hunt(&self) -> Result<u8, Failure> {
        let (setup, args) = (self.setup, self.args);
        let progress = self.searching();
        let slowest = stress::slowest(setup, args.seed, args.time, setup.settings.jobs)?;
        drop(progress);
        if let Some(found) = slowest.found {
            return self.show_found(&found);
        }
        if slowest.input.is_empty() && judge_sandbox::interrupted() {
            return Err(Failure::Interrupted);
        }
        if slowest.trials == 0 {
            return Err(no_input_was_tried());
        }
        let cost = slowest.cost;
        let instructions = cost
            .instructions
            .map_or_else(String::new, |n| format!(", {n} instructions"));
        print(&format!(
            "slowest of {}: {}{instructions}\n{}",
            plural(slowest.trials as usize, "input"),
            seconds(cost.cpu.as_secs_f64()),
            shown(&slowest.input)
        ))?;
        if args.save.is_some() && !slowest.input.is_empty() {
            let name = format!("stress-{}", args.seed);
            self.save(&name, &slowest.input, &slowest.answer)?;
            if setup.reference.is_none() {
                print(
                    "its answer is what the program printed: no reference (--against) is given\n",
                )?;
            }
        }
        Ok(unless_interrupted(exit_status::AS_EXPECTED))
    }

    /// Shows on a terminal what is going on, and for how long.
    fn progress(&self, note: &str) -> Option<Progress> {
        let paint = paint_for(self.args.running.color, std::io::stderr().is_terminal());
        Progress::start(0, note, paint)
    }

    fn searching(&self) -> Option<Progress> {
        let most = self.args.time.as_secs_f64();
        self.progress(&format!("running random inputs for {most} s at most:"))
    }

    /// Saves a case if requested: in `generators.yaml` and the data that is made by it, or as files.
    fn save(&self, name: &str, input: &[u8], answer: &[u8]) -> Result<(), Failure> {
        let (Some(place), Some(group)) = (self.place, &self.args.save) else {
            return Ok(());
        };
        let group = group.trim_end_matches('/');
        let has_rules =
            place.has_groups && generate::rules_file(&self.setup.package.root).is_file();
        if has_rules && let Some(case) = self.save_rule(group, name, input)? {
            return print(&format!(
                "saved as {case}, which generators/generators.yaml describes\n"
            ));
        }
        let name = place.save(name, input, answer)?;
        if !place.has_groups {
            return print(&format!("saved as {name}\n"));
        }
        let mut said = format!("saved as {group}/{name}\n");
        if has_rules {
            said.push_str(&generate::rule_of(group, &name, input));
        }
        print(&said)
    }

    /// Adds a case to `generators.yaml` and makes the data again, as `judge gen` does; returns the case's
    /// path. `None` if the file does not describe the group, or the data cannot be made with the case: nothing is
    /// changed then.
    fn save_rule(&self, group: &str, name: &str, input: &[u8]) -> Result<Option<String>, Failure> {
        let package = self.setup.package;
        let file = generate::rules_file(&package.root);
        let before = fs::read_to_string(&file).map_err(failed("read", &file))?;
        let (rule, is_file) = generate::rule_for(name, input);
        let copy = file.with_file_name(format!("{name}.in"));
        if is_file && copy.exists() {
            return Ok(None);
        }
        let constants = &package.constants;
        let Some(inserted) = generate::insert(&file, &before, group, name, &rule, constants)?
        else {
            return Ok(None);
        };
        if is_file {
            fs::write(&copy, input).map_err(failed("write", &copy))?;
        }
        new_file::write(&file, inserted.text.as_bytes()).map_err(failed("write", &file))?;
        let request = generate::Request::default();
        let settings = self.setup.settings;
        let made = generate::generate(
            &package.root,
            self.toolchain,
            settings,
            request,
            &mut |_| {},
        );
        match made {
            Ok(_) => Ok(Some(inserted.case)),
            Err(failure) => {
                new_file::write(&file, before.as_bytes()).map_err(failed("write", &file))?;
                if is_file {
                    fs::remove_file(&copy).map_err(failed("remove", &copy))?;
                }
                say(&format!(
                    "warning: the data cannot be made with the case: {failure}"
                ));
                Ok(None)
            }
        }
    }
}
