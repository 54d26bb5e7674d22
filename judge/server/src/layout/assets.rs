//! The static files. Their names contain a hash of their content, so that browsers may keep them for
//! ever.

use judge_core::text::hex;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// A static file.
#[derive(Debug)]
pub struct Asset {
    /// The path on the server: `/static/page.0123456789abcdef.js`.
    pub path: String,
    /// The MIME type.
    pub mime: &'static str,
    /// The text of the file.
    pub content: &'static str,
}

pub static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let content = include_str!("../../static/style.css");
    Asset::new("style", "css", "text/css; charset=utf-8", content)
});

pub static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let content = include_str!("../../static/page.js");
    Asset::new("page", "js", "text/javascript; charset=utf-8", content)
});

/// The script that all pages of a viewer share.
pub static WORKER: LazyLock<Asset> = LazyLock::new(|| {
    let content = include_str!("../../static/live.js");
    Asset::new("live", "js", "text/javascript; charset=utf-8", content)
});

/// The script of the form to submit a program.
pub static EDITOR: LazyLock<Asset> = LazyLock::new(|| {
    let content = include_str!("../../static/editor.js");
    Asset::new("editor", "js", "text/javascript; charset=utf-8", content)
});

pub static ICON: LazyLock<Asset> = LazyLock::new(|| {
    let content = include_str!("../../static/icon.svg");
    Asset::new("icon", "svg", "image/svg+xml", content)
});

impl Asset {
    fn new(stem: &str, extension: &str, mime: &'static str, content: &'static str) -> Self {
        let hash = hex(&Sha256::digest(content.as_bytes())[..8]);
        Asset {
            path: format!("/static/{stem}.{hash}.{extension}"),
            mime,
            content,
        }
    }
}

/// The static file with this path.
pub fn asset(path: &str) -> Option<&'static Asset> {
    [&*STYLE, &*SCRIPT, &*WORKER, &*EDITOR, &*ICON]
        .into_iter()
        .find(|asset| asset.path == path)
}
