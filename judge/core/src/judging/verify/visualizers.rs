//! Runs the visualizers of a package once: no verdict depends on them, so a failure is not noticed.

use crate::checker::{Checker, Images, Session};
use crate::error::Reason;
use crate::judging::Settings;
use crate::judging::sandbox_runner::visualizers;
use crate::judging::toolchain::Toolchain;
use judge_package::{Finding, Package, PackageError, TestCase};
use judge_sandbox::Mount;
use std::fs::File;
use std::path::Path;

/// The findings about the visualizers of a package. `checker` is the package's.
pub fn check(
    package: &Package,
    settings: &Settings,
    toolchain: &Toolchain,
    checker: &Checker,
    data: &[Mount],
) -> Vec<Finding> {
    let paths = [&package.input_visualizer, &package.output_visualizer];
    let paths: Vec<&Path> = paths.into_iter().filter_map(Option::as_deref).collect();
    let broken = paths
        .iter()
        .filter_map(|path| toolchain.helper(package, path).err());
    let mut findings: Vec<Finding> = broken
        .map(|bad| Finding::warning(PackageError::from(bad)))
        .collect();
    let cases = package.cases();
    let (Some(case), false) = (cases.first(), paths.is_empty()) else {
        return findings;
    };
    let checker = checker
        .clone()
        .with_visualizers(visualizers(package, toolchain));
    let Ok(mut session) = checker.session(data, settings.mode, None) else {
        return findings;
    };
    if let Some(path) = &package.input_visualizer {
        findings.extend(of_input(&mut session, path, case));
    }
    // An answer is the output of no interaction, and maybe not of the last pass.
    if let Some(path) = &package.output_visualizer
        && !package.kind.interactive
        && !package.kind.multi_pass
    {
        findings.extend(of_output(&mut session, path, case));
    }
    findings
}

fn of_input(session: &mut Session<'_>, path: &Path, case: &TestCase) -> Option<Finding> {
    let case = TestCase {
        illustration: None,
        ..case.clone()
    };
    let mut images = Images::default();
    let drawn = session.draw_input(&case, &mut images);
    let remedy = "write `testcase.png`, `.jpg`, `.jpeg` or `.svg` into the working directory";
    finding(path, &case.name, drawn, &images, remedy)
}

fn of_output(session: &mut Session<'_>, path: &Path, case: &TestCase) -> Option<Finding> {
    let answer = File::open(case.answer.as_deref()?).ok()?;
    // A validator that fails on an answer is a finding of its own.
    session.check(case, &answer).ok()?;
    let drawn = session.draw_output(case, Some(&answer));
    let mut images = Images::default();
    session.add_feedback(&mut images);
    let remedy =
        "write `judgeimage.svg` or `teamimage.svg` into the feedback directory, its third argument";
    let what = format!("the answer of {}", case.name);
    finding(path, &what, drawn, &images, remedy)
}

fn finding(
    path: &Path,
    drawn: &str,
    result: Result<(), Reason>,
    images: &Images,
    remedy: &str,
) -> Option<Finding> {
    let left_out = images.found.iter().find(|image| image.uri.is_none());
    let what = match (result, left_out) {
        (Err(why), _) => format!("the visualizer fails on {drawn}: {why}"),
        (_, Some(image)) => format!(
            "the visualizer draws {} of {drawn}, which reports leave out: it is no PNG, JPEG or SVG image, or \
             all images have more than 256 KiB",
            image.name
        ),
        (_, None) if images.found.is_empty() => {
            format!("the visualizer draws nothing for {drawn}")
        }
        _ => return None,
    };
    Some(Finding::warning(
        PackageError::new(path, what).remedy(remedy),
    ))
}
