//! Packages of the ICPC formats: what each version says comes out in the model.

#[path = "package/checks.rs"]
mod checks;
#[path = "package/legacy.rs"]
mod legacy;
#[path = "package/support.rs"]
mod support;
#[path = "package/v2025.rs"]
mod v2025;
