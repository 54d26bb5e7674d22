//! Opens the strongest box that the machine allows.

use crate::api::{BoxSpec, Fault, Layer, Mode, Sandbox, State, layers_of};
use crate::linux::host::box_process::BoxProcess;
use crate::linux::host::layers;
use crate::linux::host::sandbox::ZygoteSandbox;
use crate::linux::protocol::Isolation;
use crate::linux::sys;
use crate::portable::PortableSandbox;

/// Layers that affect only figures, not isolation: a strict box works without them.
const FIGURES: [&str; 1] = ["instructions"];

/// Opens a box. Fails if the box cannot be made, or lacks a layer in [`Mode::Strict`].
pub fn open(spec: &BoxSpec) -> Result<Box<dyn Sandbox>, Fault> {
    if spec.mode == Mode::None {
        return Ok(Box::new(PortableSandbox::open(spec)?));
    }
    let (process, refused) = best(spec)?;
    let layers = layers::of(&process, refused.as_ref());
    if spec.mode == Mode::Strict {
        require_all(&layers)?;
    }
    Ok(Box::new(ZygoteSandbox::new(spec, process, layers)))
}

/// Probes what this machine can isolate and measure: opens a box and returns its layers.
pub fn probe() -> Vec<Layer> {
    let spec = BoxSpec {
        work_bytes: 1 << 20,
        ..BoxSpec::default()
    };
    layers_of(open(&spec))
}

/// Opens the strongest possible box: with namespaces, or with Landlock, or without isolation.
fn best(spec: &BoxSpec) -> Result<(BoxProcess, Option<Fault>), Fault> {
    let refused = match BoxProcess::new(spec, Isolation::Namespaces) {
        Ok(process) => return Ok((process, None)),
        Err(fault) if is_forbidden(&fault) => fault,
        Err(fault) => return Err(fault),
    };
    if sys::landlock_version() > 0 {
        match BoxProcess::new(spec, Isolation::Landlock) {
            Ok(process) => return Ok((process, Some(refused))),
            Err(fault) if is_forbidden(&fault) => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok((BoxProcess::new(spec, Isolation::None)?, Some(refused)))
}

/// Whether the fault means that the machine forbids this kind of isolation. Every other error, such
/// as running out of descriptors or processes, is a fault and must not silently fall back to a
/// weaker box.
fn is_forbidden(fault: &Fault) -> bool {
    let error = fault.source.as_ref().and_then(std::io::Error::raw_os_error);
    match error {
        Some(libc::EPERM | libc::EACCES | libc::ENOSYS | libc::EINVAL | libc::EUSERS) => true,
        Some(libc::ENOSPC) => {
            // The kernel also returns ENOSPC if the number of namespaces is limited to 0.
            let limit = std::fs::read_to_string("/proc/sys/user/max_user_namespaces");
            limit.is_ok_and(|text| text.trim() == "0")
        }
        _ => false,
    }
}

fn require_all(layers: &[Layer]) -> Result<(), Fault> {
    let missing: Vec<&Layer> = layers
        .iter()
        .filter(|layer| layer.state != State::Present && !FIGURES.contains(&layer.name))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    // The message lists only names; `probe` returns the reasons, which would fill a page.
    let names: Vec<&str> = missing.iter().map(|layer| layer.name).collect();
    let mut remedies: Vec<&str> = Vec::new();
    for remedy in missing.iter().filter_map(|layer| layer.remedy.as_deref()) {
        if !remedies.contains(&remedy) {
            remedies.push(remedy);
        }
    }
    Err(Fault {
        stage: format!(
            "isolate programs strictly: missing or degraded: {}",
            names.join(", ")
        ),
        source: None,
        remedy: (!remedies.is_empty()).then(|| remedies.join("; ")),
        interrupted: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn only_a_forbidden_layer_falls_back_to_a_weaker_box() {
        let fault = |errno| Fault::os("x", io::Error::from_raw_os_error(errno));
        assert!(is_forbidden(&fault(libc::EPERM)));
        assert!(!is_forbidden(&fault(libc::EMFILE)));
        assert!(!is_forbidden(&fault(libc::EAGAIN)));
        assert!(!is_forbidden(&fault(libc::ENOENT)));
    }

    #[test]
    fn strict_names_missing_layers_and_remedies() {
        let layer = |name, state, remedy: Option<&str>| Layer {
            name,
            state,
            why: "because".into(),
            remedy: remedy.map(str::to_owned),
        };
        let whole = [
            layer("memory", State::Present, None),
            layer("instructions", State::Absent, None),
        ];
        assert!(require_all(&whole).is_ok());
        let part = [layer("memory", State::Degraded, Some("do this"))];
        let fault = require_all(&part).unwrap_err().to_string();
        assert!(
            fault.contains("missing or degraded: memory") && fault.contains("do this"),
            "{fault}"
        );
    }
}
