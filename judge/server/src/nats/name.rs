//! The name of a server on NATS.

use super::protocol::check_name;
use crate::secret;
use crate::store::Store;
use judge_core::error::Reason;

/// The key of the server's name in its settings.
const NAME: &str = "coordinator";

/// The name of a server, which it keeps in its data.
pub fn server_name(store: &Store) -> Result<String, Reason> {
    if let Some(name) = store.setting(NAME)? {
        check_name(&name)?;
        return Ok(name);
    }
    let name = format!("server-{}", secret::password()?);
    store.set_setting(NAME, &name)?;
    Ok(name)
}
