//! What an engine does that does not drive: it hears of what the driver writes, and takes over when
//! the driver has ended.

use std::{sync::Arc, time::Duration};

use crate::{
    desk::Desk,
    journal::later,
    reconciler,
    store::{Provenance, Role},
};

/// Gap between two looks at the store while a person watches through a second process.
const LOOK_GAP: Duration = Duration::from_millis(500);
/// How many changed exports are read at once.
const CHANGED_MAX: u32 = 200;

/// Publishes what another process writes, until this one is shut down or becomes the driver.
pub(super) async fn watch(desk: Arc<Desk>) {
    let mut mark = match desk.blocking(|desk| Ok(desk.store.change_mark()?)).await {
        Ok(mark) => mark,
        Err(error) => {
            tracing::error!(event = "watch_failed", reason = %error);
            return;
        }
    };
    let mut more = false;
    loop {
        // What a busy driver wrote is read to its end before the next gap.
        let next = later(desk.clock.now(), if more { Duration::ZERO } else { LOOK_GAP });
        tokio::select! {
            () = desk.stop.cancelled() => return,
            () = desk.clock.sleep_until(next) => {}
        }
        let seen = desk
            .blocking(move |desk| {
                let (records, reached) = desk.store.changed_since(mark, CHANGED_MAX)?;
                desk.publish_all(&records)?;
                let provenance = desk.store.take_over(desk.clock.now())?;
                if let Some(provenance) = provenance {
                    desk.mend(provenance)?;
                }
                Ok((reached, records.len() == CHANGED_MAX as usize, provenance))
            })
            .await;
        match seen {
            Ok((_, _, Some(Provenance::Own | Provenance::RestoredOrCopied))) => {
                debug_assert_eq!(desk.store.role(), Role::Driver);
                return reconciler::run(desk).await;
            }
            Ok((reached, is_full, None)) => (mark, more) = (reached, is_full),
            Err(error) => {
                tracing::error!(event = "watch_failed", reason = %error);
                more = false;
            }
        }
    }
}
