//! Images about a case: its illustration, those that a validator leaves in its feedback directory, and those
//! that the package's visualizers draw.
//!
//! ```text
//! input_visualizer  INPUT ANSWER [args]                             (writes testcase.png, .jpg, .jpeg or .svg)
//! output_visualizer INPUT ANSWER FEEDBACK_DIR/ [args] < OUTPUT      (writes judgeimage* and teamimage* there)
//! ```
//!
//! A visualizer that fails draws nothing; no verdict depends on it. Source: Kattis problem package format,
//! version 2025-09, "Input visualizer" and "Output visualizer".

use super::program::ProgramChecker;
use super::request::CheckRequest;
use super::validator_box::{Ended, ValidatorBox, open_plain};
use crate::error::Reason;
use crate::image;
use crate::language::Program;
use crate::program_runner::{Run, Stdin, WorkContent, WorkFile};
use crate::results::CaseImage;
use crate::text::read_range;
use crate::verdict::ending;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use judge_package::ValidatorProtocol;
use judge_sandbox::{Exit, Limits};
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Maximum number of images of a case.
const MAX_IMAGES: usize = 8;

/// Maximum size of all images of a case, in bytes: a server keeps them in its database.
const MAX_BYTES: u64 = 256 << 10;

const EXTENSIONS: [&str; 4] = ["jpeg", "jpg", "png", "svg"];

/// Maximum CPU time of a visualizer. Judging waits for it, and its images are only a help.
const MAX_TIME: Duration = Duration::from_secs(5);

/// The compiled visualizers of a package.
#[derive(Clone, Default, Debug)]
pub struct Visualizers {
    /// Draws a case.
    pub input: Option<ProgramChecker>,
    /// Draws an output.
    pub output: Option<ProgramChecker>,
}

impl ProgramChecker {
    /// A visualizer with the `limits` of validators, reduced.
    pub fn visualizer(program: Program, limits: &Limits) -> Self {
        ProgramChecker {
            program,
            protocol: ValidatorProtocol::Icpc,
            limits: Limits {
                cpu: limits.cpu.map(|time| time.min(MAX_TIME)),
                wall: limits.wall.min(MAX_TIME * 2),
                ..limits.clone()
            },
        }
    }

    /// Draws an output into the feedback directory.
    /// Fails if the visualizer does.
    pub fn draw_output(
        &self,
        validator_box: &mut ValidatorBox,
        request: &CheckRequest<'_>,
        stdin: Stdin<'_>,
    ) -> Result<(), Reason> {
        let args = self.args(validator_box, request, None);
        let run = Run::helper(&args, stdin, &self.limits);
        self.draw(validator_box, &run).map(drop)
    }

    /// Draws a case.
    /// Fails if the visualizer does.
    pub fn draw_input(
        &self,
        validator_box: &mut ValidatorBox,
        request: &CheckRequest<'_>,
        images: &mut Images,
    ) -> Result<(), Reason> {
        let empty = validator_box.empty_file();
        let answer = request.answer.unwrap_or(&empty);
        let mut args = vec![request.input.into(), answer.into()];
        args.extend(request.args.iter().map(Into::into));
        let file = |extension: &str| WorkFile {
            name: format!("testcase.{extension}").into(),
            content: WorkContent::Written,
        };
        let files = EXTENSIONS.map(file);
        let run = Run {
            files: &files,
            ..Run::helper(&args, Stdin::Empty, &self.limits)
        };
        let ended = self.draw(validator_box, &run)?;
        for (name, file) in ended.written() {
            images.add(name, file, false);
        }
        Ok(())
    }

    fn draw<'b>(
        &self,
        validator_box: &'b mut ValidatorBox,
        run: &Run<'_, OsString>,
    ) -> Result<Ended<'b>, Reason> {
        let ended = validator_box.run(&self.program, run);
        let ended = ended?;
        match ended.execution().exit {
            Exit::Code(0) => Ok(ended),
            exit => {
                let said = self.program.with_own_names(ended.stderr());
                let last = said.trim_end().lines().next_back();
                Err(Reason::new(match last {
                    Some(last) => format!("{}: {last}", ending(exit)),
                    None => ending(exit),
                }))
            }
        }
    }
}

/// The images of a case.
#[derive(Default)]
pub struct Images {
    /// The images found so far.
    pub found: Vec<CaseImage>,
    /// Their total size in bytes.
    bytes: u64,
}

impl Images {
    /// Adds the image in a file.
    pub fn add_path(&mut self, path: &Path, for_team: bool) {
        if let Ok(Some(file)) = open_plain(path) {
            self.add(path, &file, for_team);
        }
    }

    /// Adds the images of a feedback directory, sorted by name.
    pub fn add_feedback(&mut self, dir: &Path) {
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        let mut paths: Vec<(PathBuf, bool)> = entries
            .filter_map(|entry| Some((entry.path(), is_for_team(entry.file_name().to_str()?)?)))
            .collect();
        paths.sort();
        for (path, for_team) in paths {
            self.add_path(&path, for_team);
        }
    }

    fn add(&mut self, path: &Path, file: &File, for_team: bool) {
        if self.found.len() == MAX_IMAGES {
            return;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let uri = self.uri(file);
        self.found.push(CaseImage {
            name: name.into_owned(),
            for_team,
            uri,
        });
    }

    /// The image as a `data:` URI, unless it is too large or none. The type is that of the content.
    fn uri(&mut self, file: &File) -> Option<String> {
        let rest = MAX_BYTES - self.bytes;
        let content = read_range(file, 0, rest + 1).ok()?;
        let size = content.len() as u64;
        let image = image::read(&content).filter(|_| size <= rest)?;
        self.bytes += size;
        Some(format!(
            "data:{};base64,{}",
            image.mime,
            BASE64.encode(&content)
        ))
    }
}

/// Whether a file of a feedback directory is an image for the team (`teamimage-1.png`) or for the judges
/// (`judgeimage.svg`); `None` if it is no image.
fn is_for_team(name: &str) -> Option<bool> {
    let (stem, extension) = name.rsplit_once('.')?;
    if !EXTENSIONS.contains(&extension) {
        return None;
    }
    let is_of = |kind: &str| {
        let rest = stem.strip_prefix(kind);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let for_team = is_of("teamimage").then_some(true);
    for_team.or_else(|| is_of("judgeimage").then_some(false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const SVG: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='2' height='1'/>";

    #[test]
    fn images_are_known_by_their_names() {
        for (name, expected) in [
            ("teamimage.svg", Some(true)),
            ("teamimage-01.png", Some(true)),
            ("judgeimage.jpeg", Some(false)),
            ("judgeimage-x.y.jpg", Some(false)),
            ("judgeimages.png", None),
            ("judgeimage.gif", None),
            ("teamimage", None),
            ("teammessage.txt", None),
        ] {
            assert_eq!(is_for_team(name), expected, "{name}");
        }
    }

    #[test]
    fn only_small_images_of_known_types_are_kept() {
        let dir = tempfile::tempdir().expect("a directory");
        let write = |name: &str, content: &[u8]| {
            std::fs::write(dir.path().join(name), content).expect("a file");
        };
        write("judgeimage-1.png", b"GIF89a");
        write("judgeimage-2.svg", SVG.as_bytes());
        // The type is that of the content, not of the name.
        write("judgeimage-3.png", SVG.as_bytes());
        write(
            "teamimage.svg",
            &[SVG.as_bytes(), &vec![b' '; 256 << 10]].concat(),
        );
        let mut images = Images::default();
        images.add_feedback(dir.path());
        let uri = format!("data:image/svg+xml;base64,{}", BASE64.encode(SVG));
        let found: Vec<_> = images
            .found
            .iter()
            .map(|image| (&image.name[..], image.for_team, image.uri.as_deref()))
            .collect();
        assert_eq!(
            found,
            [
                ("judgeimage-1.png", false, None),
                ("judgeimage-2.svg", false, Some(&uri[..])),
                ("judgeimage-3.png", false, Some(&uri[..])),
                ("teamimage.svg", true, None),
            ]
        );
    }

    #[test]
    fn all_images_of_a_case_are_limited_together() {
        let mut file = tempfile::tempfile().expect("a file");
        let padding = vec![b' '; 100 << 10];
        file.write_all(&[SVG.as_bytes(), &padding].concat())
            .expect("written");
        let mut images = Images::default();
        for _ in 0..MAX_IMAGES + 1 {
            images.add(Path::new("judgeimage.svg"), &file, false);
        }
        let kept = images.found.iter().map(|image| image.uri.is_some());
        let kept: Vec<bool> = kept.collect();
        assert_eq!(kept[..3], [true, true, false]);
        assert_eq!(kept.len(), MAX_IMAGES);
    }
}
