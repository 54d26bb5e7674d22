//! Checks events against docs/events.schema.json. Supports only the JSON Schema keywords that the
//! file uses.

use serde_json::Value;
use std::sync::LazyLock;

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../docs/events.schema.json"))
        .expect("parse the schema as JSON")
});

/// Checks a line of `--format json`.
///
/// # Panics
///
/// If the line violates the schema, or has a field that is not in the schema.
pub fn check_event(line: &str) {
    let event: Value = serde_json::from_str(line).expect("parse the line as JSON");
    let name = event["event"].as_str().expect("get the event's name");
    let definition = &SCHEMA["$defs"][name];
    assert!(definition.is_object(), "the schema has no event {name}");
    if let Err(why) = check(&SCHEMA, definition, &event) {
        panic!("{why} in {line}");
    }
}

fn check(schema: &Value, rule: &Value, value: &Value) -> Result<(), String> {
    let rule = match rule["$ref"].as_str() {
        Some(path) => schema
            .pointer(path.trim_start_matches('#'))
            .ok_or(format!("no {path}"))?,
        None => rule,
    };
    let fail = |what: String| Err(format!("{value}: {what}"));
    if let Some(wanted) = rule.get("const")
        && wanted != value
    {
        return fail(format!("is not {wanted}"));
    }
    if let Some(Value::Array(wanted)) = rule.get("enum")
        && !wanted.contains(value)
    {
        return fail(format!("is not one of {wanted:?}"));
    }
    let is = |name: &Value| match name.as_str() {
        Some("null") => value.is_null(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => false,
    };
    let matches = match &rule["type"] {
        Value::Null => true,
        Value::Array(names) => names.iter().any(is),
        name => is(name),
    };
    if !matches {
        return fail(format!("is not {}", rule["type"]));
    }
    if let Some(object) = value.as_object() {
        for name in rule["required"].as_array().into_iter().flatten() {
            let name = name.as_str().unwrap_or_default();
            if !object.contains_key(name) {
                return fail(format!("lacks {name}"));
            }
        }
        for (name, field) in object {
            let own = rule["properties"].get(name);
            let Some(own) = own.or_else(|| rule.get("additionalProperties")) else {
                return fail(format!("the schema has no {name}"));
            };
            check(schema, own, field)?;
        }
    }
    if let Some(array) = value.as_array() {
        let count = |name: &str| rule[name].as_u64().map(|n| n as usize);
        if count("minItems").is_some_and(|least| array.len() < least)
            || count("maxItems").is_some_and(|most| array.len() > most)
        {
            return fail("has the wrong length".to_owned());
        }
        array
            .iter()
            .try_for_each(|item| check(schema, &rule["items"], item))?;
    }
    Ok(())
}
