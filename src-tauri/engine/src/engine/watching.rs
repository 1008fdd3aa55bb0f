//! What an engine does that does not drive: it hears of what the driver writes, and takes over when
//! the driver has ended.

use std::sync::Arc;

use super::Inner;
use crate::{
    journal::later,
    reconciler,
    store::{Provenance, Role},
};

/// Gap between two looks at the store while a person watches through a second process.
const LOOK_GAP: std::time::Duration = std::time::Duration::from_millis(500);
/// How many changed exports are read at once.
const CHANGED_MAX: u32 = 200;

/// Publishes what another process writes, until this one is shut down or becomes the driver.
pub(super) async fn watch(inner: Arc<Inner>) {
    let mut mark = match inner.blocking(|inner| Ok(inner.store.change_mark()?)).await {
        Ok(mark) => mark,
        Err(error) => {
            tracing::error!(event = "watch_failed", reason = %error);
            return;
        }
    };
    loop {
        let next = later(inner.clock.now(), LOOK_GAP);
        tokio::select! {
            () = inner.stop.cancelled() => return,
            () = inner.clock.sleep_until(next) => {}
        }
        let seen = inner
            .blocking(move |inner| {
                let (records, reached) = inner.store.changed_since(mark, CHANGED_MAX)?;
                for record in &records {
                    inner.publish(record)?;
                }
                let provenance = inner.store.take_over(inner.clock.now())?;
                if let Some(provenance) = provenance {
                    inner.mend(provenance)?;
                }
                Ok((reached, provenance))
            })
            .await;
        match seen {
            Ok((_, Some(Provenance::Own | Provenance::RestoredOrCopied))) => {
                debug_assert_eq!(inner.store.role(), Role::Driver);
                return reconciler::run(inner).await;
            }
            Ok((reached, None)) => mark = reached,
            Err(error) => tracing::error!(event = "watch_failed", reason = %error),
        }
    }
}
