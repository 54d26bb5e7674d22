//! Bodies of requests as browsers send forms.

/// The boundary of the parts of [`multipart`].
const BOUNDARY: &str = "----boundary-of-the-tests";

/// Fields in the form of `application/x-www-form-urlencoded`.
pub fn urlencoded(fields: &[(&str, &str)]) -> String {
    let encode =
        |text: &str| -> String { text.bytes().map(|byte| format!("%{byte:02X}")).collect() };
    let pairs: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)))
        .collect();
    pairs.join("&")
}

/// Fields, then files (field, name and content of each), in the form of `multipart/form-data`: the content
/// type and the body.
pub fn multipart(fields: &[(&str, &str)], files: &[(&str, &str, &[u8])]) -> (String, Vec<u8>) {
    let mut body = Vec::new();
    let mut part = |disposition: String, content: &[u8]| {
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    };
    for (name, value) in fields {
        part(format!("name=\"{name}\""), value.as_bytes());
    }
    for (field, name, content) in files {
        part(format!("name=\"{field}\"; filename=\"{name}\""), content);
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={BOUNDARY}"), body)
}
