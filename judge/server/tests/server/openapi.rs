//! The endpoints for practice do what `openapi.json` says.

use crate::api_fixture::{Fixture, When};
use judge_server::api::practice::{OPENAPI, addresses};
use serde_json::Value;

fn document() -> Value {
    serde_json::from_str(OPENAPI).expect("JSON")
}

#[test]
fn every_route_is_described_and_every_description_has_a_route() {
    let document = document();
    let mut described: Vec<(String, String)> = document["paths"]
        .as_object()
        .expect("paths")
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().expect("methods").keys();
            methods.map(|method| (path.clone(), method.clone()))
        })
        .collect();
    let mut served: Vec<(String, String)> = addresses()
        .into_iter()
        .map(|(path, method)| (path, method.to_lowercase()))
        .collect();
    described.sort();
    served.sort();
    assert_eq!(described, served);
}

/// Checks a value against a schema of the document: the keywords that the document uses.
fn conforms(value: &Value, schema: &Value, at: &str) {
    let document = document();
    if let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference.strip_prefix('#').expect("a local reference");
        return conforms(value, document.pointer(pointer).expect("a schema"), at);
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let types: Vec<&str> = match &schema["type"] {
        Value::String(only) => vec![only],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        other => panic!("{at}: a schema without a type: {other}"),
    };
    let fits = types.contains(&kind) || (kind == "integer" && types.contains(&"number"));
    assert!(fits, "{at}: {value} is not {types:?}");
    if let Some(values) = schema["enum"].as_array() {
        assert!(
            values.contains(value),
            "{at}: {value} is not one of {values:?}"
        );
    }
    if let (Some(items), Some(schema)) = (value.as_array(), schema.get("items")) {
        for (k, item) in items.iter().enumerate() {
            conforms(item, schema, &format!("{at}[{k}]"));
        }
    }
    if let Some(object) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(
                object.contains_key(name.as_str().expect("a name")),
                "{at}: no {name}"
            );
        }
        let closed = schema["additionalProperties"] == false;
        for (name, value) in object {
            match schema["properties"].get(name) {
                Some(schema) => conforms(value, schema, &format!("{at}.{name}")),
                None => assert!(!closed, "{at}: {name} is not described"),
            }
        }
    }
}

/// A request: who, method, path, the path's name in the document, body, expected status.
type Row<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str, u16);

#[tokio::test]
async fn answers_have_the_described_status_and_form() {
    // After the contest its problem is open for practice.
    let fixture = Fixture::new(When::Thawed);
    let practice = "/api/practice";
    let valid = r#"{"problem":"sum","files":[{"name":"a.cpp","data":"aW50IG1haW4oKXt9"}]}"#;
    let unknown = r#"{"problem":"x","files":[{"name":"a.cpp","data":"YQ=="}]}"#;
    let rows: [Row<'_>; 20] = [
        (
            "nobody",
            "get",
            "/api/openapi.json",
            "/api/openapi.json",
            "",
            200,
        ),
        ("nobody", "get", "/languages", "/languages", "", 200),
        ("nobody", "get", "/problems", "/problems", "", 200),
        (
            "nobody",
            "get",
            "/problems/sum",
            "/problems/{problem}",
            "",
            200,
        ),
        (
            "nobody",
            "get",
            "/problems/x",
            "/problems/{problem}",
            "",
            404,
        ),
        (
            "nobody",
            "get",
            "/problems/sum/statement",
            "/problems/{problem}/statement",
            "",
            404,
        ),
        (
            "nobody",
            "get",
            "/problems/sum/samples",
            "/problems/{problem}/samples",
            "",
            200,
        ),
        (
            "nobody",
            "get",
            "/problems/x/samples",
            "/problems/{problem}/samples",
            "",
            404,
        ),
        ("nobody", "post", "/submissions", "/submissions", valid, 401),
        ("a", "post", "/submissions", "/submissions", "{", 400),
        ("a", "post", "/submissions", "/submissions", unknown, 404),
        ("a", "post", "/submissions", "/submissions", valid, 201),
        ("a", "get", "/submissions", "/submissions", "", 200),
        ("nobody", "get", "/submissions", "/submissions", "", 401),
        (
            "a",
            "get",
            "/submissions/1",
            "/submissions/{submission}",
            "",
            200,
        ),
        (
            "b",
            "get",
            "/submissions/5",
            "/submissions/{submission}",
            "",
            404,
        ),
        (
            "jury",
            "get",
            "/submissions/5",
            "/submissions/{submission}",
            "",
            200,
        ),
        (
            "b",
            "get",
            "/submissions/x",
            "/submissions/{submission}",
            "",
            404,
        ),
        (
            "a",
            "get",
            "/submissions/1/events",
            "/submissions/{submission}/events",
            "",
            200,
        ),
        (
            "b",
            "get",
            "/submissions/5/events",
            "/submissions/{submission}/events",
            "",
            404,
        ),
    ];
    let document = document();
    for (role, method, path, described, body, expected) in rows {
        let at = |path: &str| match path.starts_with("/api") {
            true => path.to_owned(),
            false => format!("{practice}{path}"),
        };
        let operation = &document["paths"][at(described)][method];
        let response = &operation["responses"][expected.to_string()];
        assert!(
            response.is_object(),
            "{method} {described} {expected} is not described"
        );
        let method = method.to_uppercase();
        let (status, text) = fixture.send(role, &method, &at(path), body).await;
        assert_eq!(status.as_u16(), expected, "{role} {method} {path}: {text}");
        let (kind, media) = response["content"]
            .as_object()
            .expect("content")
            .iter()
            .next()
            .expect("one");
        let text = match kind.as_str() {
            "text/event-stream" => {
                let data = text.lines().find_map(|line| line.strip_prefix("data: "));
                data.expect("an event").to_owned()
            }
            _ => text,
        };
        let value = serde_json::from_str(&text).expect("JSON");
        conforms(&value, &media["schema"], &format!("{method} {path}"));
    }
}
