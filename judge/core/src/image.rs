//! Images that are shown on pages: their type and size, from their content.

use imagesize::ImageType;
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::HashMap;

/// The type and the size of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Image {
    /// The MIME type.
    pub mime: &'static str,
    /// The width in pixels; of an SVG image, at least the ratio of both is right.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}

/// Reads the head of a PNG, JPEG or SVG image; `None`: it is none of them.
pub fn read(content: &[u8]) -> Option<Image> {
    let found = raster(content).or_else(|| svg(content));
    found.filter(|image| image.width > 0 && image.height > 0)
}

fn raster(content: &[u8]) -> Option<Image> {
    let mime = match imagesize::image_type(content).ok()? {
        ImageType::Png => "image/png",
        ImageType::Jpeg => "image/jpeg",
        _ => return None,
    };
    let size = imagesize::blob_size(content).ok()?;
    Some(Image {
        mime,
        width: size.width.try_into().ok()?,
        height: size.height.try_into().ok()?,
    })
}

/// The size is that of the attributes `width` and `height`, or else of `viewBox`. Fails for an image that a browser draws for very
/// long.
fn svg(content: &[u8]) -> Option<Image> {
    let text = std::str::from_utf8(content).ok()?;
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: MAX_DRAWN,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).ok()?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        return None;
    }
    let ids = document.descendants();
    let ids = ids.filter_map(|own| Some((own.attribute("id")?, own)));
    draw(root, &ids.collect(), MAX_DEPTH, &mut { MAX_DRAWN })?;
    let number = |text: &str| {
        let text = text.trim_end_matches("px").trim();
        let size: f64 = text.parse().ok()?;
        (1.0..=1e6).contains(&size).then_some(size.round() as u32)
    };
    let size = |name| number(root.attribute(name)?);
    let of_box = || {
        let numbers: Vec<&str> = root.attribute("viewBox")?.split([' ', ',']).collect();
        Some((number(numbers.get(2)?)?, number(numbers.get(3)?)?))
    };
    let (width, height) = size("width")
        .zip(size("height"))
        .or_else(of_box)
        .unwrap_or((100, 100));
    Some(Image {
        mime: "image/svg+xml",
        width,
        height,
    })
}

/// Elements of an SVG image, each as often as it is referred to. Two kilobytes can make a browser draw 100 million.
const MAX_DRAWN: u32 = 200_000;
/// Length of a chain of references.
const MAX_DEPTH: usize = 16;

/// Goes through an element and those that it refers to, as a browser does: `href="#id"`, `fill="url(#id)"`.
/// Fails when there are more than `left`.
fn draw<'d>(
    node: Node<'d, 'd>,
    ids: &HashMap<&'d str, Node<'d, 'd>>,
    depth: usize,
    left: &mut u32,
) -> Option<()> {
    for own in node.descendants() {
        *left = left.checked_sub(1)?;
        for attribute in own.attributes() {
            let places = attribute.value().split('#').skip(1);
            let ends = |c: char| c.is_whitespace() || ")\"';".contains(c);
            for id in places.filter_map(|place| place.split(ends).next()) {
                if let Some(target) = ids.get(id) {
                    draw(*target, ids, depth.checked_sub(1)?, left)?;
                }
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(content: &[u8]) -> Option<(&'static str, u32, u32)> {
        read(content).map(|image| (image.mime, image.width, image.height))
    }

    #[test]
    fn sizes_are_read_from_the_content() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x38\0\0\x01\0\x08\x06";
        assert_eq!(size(png), Some(("image/png", 56, 256)));
        // A comment before the frame.
        let jpeg = b"\xff\xd8\xff\xfe\0\x04hi\xff\xc0\0\x11\x08\0\x30\x01\x02\x03";
        assert_eq!(size(jpeg), Some(("image/jpeg", 258, 48)));
        let svg = |tag: &str| size(format!("<?xml version='1.0'?>{tag}</svg>").as_bytes());
        assert_eq!(
            svg("<svg width=\"20px\" height='10'>"),
            Some(("image/svg+xml", 20, 10))
        );
        assert_eq!(
            svg("<svg stroke-width='9' viewBox='0 0 30 40'>"),
            Some(("image/svg+xml", 30, 40))
        );
        assert_eq!(svg("<svg x='1'>"), Some(("image/svg+xml", 100, 100)));
    }

    /// A page with such an image makes a browser hang.
    #[test]
    fn images_that_take_very_long_to_draw_are_refused() {
        let svg = |body: &str| size(format!("<svg width='9' height='9'>{body}</svg>").as_bytes());
        let nested = |reference: &str, levels: usize| {
            let level = |k: usize| {
                format!(
                    "<g id='a{}'>{}</g>",
                    k + 1,
                    reference.replace('@', &k.to_string()).repeat(10)
                )
            };
            (0..levels).map(level).collect::<String>()
        };
        let first = "<path id='a0'/>";
        for reference in [
            "<use href='#a@'/>",
            "<path style='fill:url(#a@);opacity:1'/>",
        ] {
            assert!(svg(&format!("{first}{}", nested(reference, 3))).is_some());
            assert_eq!(svg(&format!("{first}{}", nested(reference, 8))), None);
        }
        assert_eq!(svg("<g id='a'><use href='#a'/></g>"), None, "a circle");
        let entity = |k: usize| format!("<!ENTITY e{} '{}'>", k + 1, format!("&e{k};").repeat(10));
        let entities: String = (0..9).map(entity).collect();
        let bomb = format!("<!DOCTYPE svg [<!ENTITY e0 'a'>{entities}]><svg>&e9;</svg>");
        assert_eq!(size(bomb.as_bytes()), None);
        let doctype = "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'>";
        assert!(size(format!("{doctype}<svg/>").as_bytes()).is_some());
    }

    #[test]
    fn other_files_are_no_images() {
        for content in [
            &b""[..],
            b"GIF89a",
            b"<html></html>",
            b"<html><svg></svg></html>",
            b"<svg>",
            b"\x89PNG\r\n\x1a\n\0\0",
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0",
            b"\xff\xd8\xff\xe0\xff",
            b"\xff\xd8\xff\xe0\0\0",
        ] {
            assert_eq!(size(content), None, "{content:?}");
        }
    }
}
