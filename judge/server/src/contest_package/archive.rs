//! A contest package as a zip archive: its files with texts, and the logos of organizations.

use super::Source;
use judge_core::image;
use judge_package::PackageError;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// Maximum bytes of a file, and of all files that are read.
const MAX_FILE: u64 = 8 << 20;
const MAX_TOTAL: u64 = 64 << 20;

/// Logos that are less high than this many pixels are taken only if there is no higher one.
const ENOUGH_PIXELS: u32 = 48;

/// Folders of a package, whose files are not those of the contest.
const FOLDERS: [&str; 6] = [
    "api",
    "contest",
    "organizations",
    "persons",
    "problems",
    "teams",
];

/// The parts of an archive that are imported.
#[derive(Default)]
pub(crate) struct Unpacked {
    pub(crate) files: Vec<Source>,
    /// The id of an organization, and its image.
    pub(crate) logos: Vec<(String, Vec<u8>)>,
}

/// Reads an archive; all may be in one folder. Other files are ignored. Of several logos of an organization, the smallest one
/// with enough pixels is taken.
/// Fails when it is not a zip archive, or a file in it is too large.
pub(crate) fn unpacked(name: &str, content: &[u8]) -> Result<Unpacked, PackageError> {
    let damaged = |e: &dyn std::fmt::Display| {
        PackageError::new(name, format!("is not a readable zip archive: {e}"))
            .remedy("make the archive again")
    };
    let mut archive = ZipArchive::new(Cursor::new(content)).map_err(|e| damaged(&e))?;
    let mut unpacked = Unpacked::default();
    let mut total = 0;
    for k in 0..archive.len() {
        let file = archive.by_index(k).map_err(|e| damaged(&e))?;
        let path = file.name().map_err(|e| damaged(&e))?.into_owned();
        let Some(place) = place(&path).filter(|_| !file.is_dir()) else {
            continue;
        };
        let mut bytes = Vec::new();
        // One byte past the limit: the declared size is not trusted.
        file.take(MAX_FILE + 1)
            .read_to_end(&mut bytes)
            .map_err(|e| damaged(&e))?;
        total += bytes.len() as u64;
        if bytes.len() as u64 > MAX_FILE || total > MAX_TOTAL {
            let what = format!("{path} is too large, or the files together are");
            return Err(PackageError::new(name, what)
                .remedy(format!("send files of at most {} MiB", MAX_FILE >> 20)));
        }
        match place {
            Place::Text => {
                let text = String::from_utf8(bytes);
                let wrong =
                    |_| PackageError::new(&path, "is not UTF-8 text").remedy("save it as UTF-8");
                unpacked.files.push(Source {
                    text: text.map_err(wrong)?,
                    name: path,
                });
            }
            Place::Logo(organization) => add_logo(&mut unpacked.logos, organization, bytes),
        }
    }
    Ok(unpacked)
}

/// The use of a file of an archive.
#[derive(PartialEq, Eq, Debug)]
enum Place {
    /// A text about the contest.
    Text,
    /// The logo of the organization with this id.
    Logo(String),
}

fn place(path: &str) -> Option<Place> {
    let parts: Vec<&str> = path.split('/').collect();
    let (name, folders) = parts.split_last()?;
    let (stem, extension) = name.rsplit_once('.')?;
    match *folders {
        [.., "organizations", id] if folders.len() <= 3 => {
            let is_logo = stem == "logo" || stem.starts_with("logo.");
            let is_image = ["png", "jpg", "jpeg", "svg"].contains(&extension);
            (is_logo && is_image).then(|| Place::Logo(id.to_owned()))
        }
        [] => is_text(extension),
        [folder] if !FOLDERS.contains(&folder) => is_text(extension),
        _ => None,
    }
}

fn is_text(extension: &str) -> Option<Place> {
    ["json", "yaml", "yml", "tsv"]
        .contains(&extension)
        .then_some(Place::Text)
}

/// Adds a logo, or puts it in place of a less suitable one.
fn add_logo(logos: &mut Vec<(String, Vec<u8>)>, organization: String, bytes: Vec<u8>) {
    let rank = |bytes: &[u8]| {
        let height = image::read(bytes).map_or(0, |image| image.height);
        match height >= ENOUGH_PIXELS {
            true => (0, height),
            false => (1, u32::MAX - height),
        }
    };
    match logos.iter_mut().find(|(id, _)| *id == organization) {
        Some((_, known)) if rank(&bytes) < rank(known) => *known = bytes,
        Some(_) => {}
        None => logos.push((organization, bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_contest_and_logos_are_found_by_their_places() {
        for (path, expected) in [
            ("contest.yaml", Some(Place::Text)),
            ("regional/teams.json", Some(Place::Text)),
            ("problems/a/problem.yaml", None),
            ("problems/problems.json", None),
            ("other-systems/shadow/teams.json", None),
            ("readme.txt", None),
            (
                "organizations/kth.se/logo.56x56.png",
                Some(Place::Logo("kth.se".to_owned())),
            ),
            (
                "regional/organizations/tu/logo.svg",
                Some(Place::Logo("tu".to_owned())),
            ),
            ("organizations/tu/country_flag.png", None),
            ("teams/t1/logo.png", None),
        ] {
            assert_eq!(place(path), expected, "{path}");
        }
    }

    #[test]
    fn the_smallest_logo_with_enough_pixels_is_taken() {
        let svg = |height: u32| format!("<svg width='9' height='{height}'></svg>").into_bytes();
        let mut logos = Vec::new();
        for height in [20, 500, 64, 160, 10] {
            add_logo(&mut logos, "tu".to_owned(), svg(height));
        }
        assert_eq!(logos, [("tu".to_owned(), svg(64))]);
    }
}
