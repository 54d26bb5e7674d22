//! Opens the best box that a machine allows.

use crate::plan::Isolation;
use crate::pool::Pooled;
use crate::{BoxSpec, Fault, Layer, Mode, Sandbox, layers};

/// Makes a box from `spec`.
///
/// # Errors
///
/// A [`Fault`] when the box cannot be made, or lacks a layer in [`Mode::Strict`].
pub fn open(spec: &BoxSpec) -> Result<Box<dyn Sandbox>, Fault> {
    let isolation = Isolation::None;
    if spec.mode == Mode::Strict {
        return Err(Fault {
            stage: "isolate programs strictly".into(),
            source: None,
            remedy: Some("use --sandbox auto".into()),
            interrupted: false,
        });
    }
    Ok(Box::new(Pooled::new(
        spec,
        isolation,
        layers::isolation(isolation),
    )?))
}

/// What this machine can isolate and measure.
pub fn probe() -> Vec<Layer> {
    layers::isolation(Isolation::None)
}
