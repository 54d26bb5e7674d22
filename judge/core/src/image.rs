//! Images that are shown on pages: their type and size, from their content.

use imagesize::ImageType;

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

/// The size is that of the attributes `width` and `height`, or else of `viewBox`.
fn svg(content: &[u8]) -> Option<Image> {
    let text = std::str::from_utf8(content).ok()?;
    let (_, rest) = text.split_once("<svg")?;
    let (tag, _) = rest.split_once('>')?;
    let attribute = |name: &str| {
        let (_, value) = tag.split_once(&format!("{name}="))?;
        let quote = value.chars().next().filter(|c| "\"'".contains(*c))?;
        value[1..].split_once(quote).map(|(value, _)| value)
    };
    let number = |text: &str| {
        let text = text.trim_end_matches("px").trim();
        let size: f64 = text.parse().ok()?;
        (1.0..=1e6).contains(&size).then_some(size.round() as u32)
    };
    let size = |name| number(attribute(name)?);
    let of_box = || {
        let numbers: Vec<&str> = attribute("viewBox")?.split([' ', ',']).collect();
        Some((number(numbers.get(2)?)?, number(numbers.get(3)?)?))
    };
    let (width, height) = size(" width")
        .zip(size(" height"))
        .or_else(of_box)
        .unwrap_or((100, 100));
    Some(Image {
        mime: "image/svg+xml",
        width,
        height,
    })
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
        assert_eq!(svg("<svg>"), Some(("image/svg+xml", 100, 100)));
    }

    #[test]
    fn other_files_are_no_images() {
        for content in [
            &b""[..],
            b"GIF89a",
            b"<html></html>",
            b"\x89PNG\r\n\x1a\n\0\0",
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0",
            b"\xff\xd8\xff\xe0\xff",
            b"\xff\xd8\xff\xe0\0\0",
        ] {
            assert_eq!(size(content), None, "{content:?}");
        }
    }
}
