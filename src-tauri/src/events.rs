//! Hands every change on to the window and to the tray, after its commit.

use docket_engine::{
    engine::Engine,
    stage::Section,
    view::{ChangeView, ListQuery},
};
use tauri::{AppHandle, Emitter, async_runtime};
use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::{tray, window};

/// The event that carries a `ChangeView`.
const CHANGE: &str = "docket://change";

/// Exports that are told anew after the window has fallen behind.
const TOLD_ANEW: u32 = 500;

/// Hands changes on for as long as there is an engine.
pub fn forward(app: &AppHandle, engine: &Engine) {
    let changes = engine.subscribe();
    async_runtime::spawn(run(app.clone(), engine.clone(), changes));
}

async fn run(app: AppHandle, engine: Engine, mut changes: Receiver<ChangeView>) {
    tell_counts(&app, &engine).await;
    loop {
        match changes.recv().await {
            Ok(change) => tell(&app, &change),
            Err(RecvError::Lagged(missed)) => {
                tracing::warn!(missed, "the window fell behind; open exports are told anew");
                tell_anew(&app, &engine).await;
            }
            Err(RecvError::Closed) => return,
        }
    }
}

fn tell(app: &AppHandle, change: &ChangeView) {
    if let ChangeView::Export { counts, .. } = change {
        tray::tell(app, *counts);
    }
    if let Err(error) = app.emit_to(window::MAIN, CHANGE, change) {
        tracing::warn!(%error, "the window was not told of a change");
    }
}

/// What was missed is told as it is now: the window keeps the higher version of each export.
async fn tell_anew(app: &AppHandle, engine: &Engine) {
    for section in [Section::NeedsAttention, Section::InProgress, Section::Finished] {
        let query = ListQuery { section: Some(section), limit: TOLD_ANEW, ..ListQuery::default() };
        match engine.list(query).await {
            Ok(page) => {
                for export in page.items {
                    let export = Box::new(export);
                    tell(app, &ChangeView::Export { export, counts: page.counts });
                }
            }
            Err(error) => tracing::warn!(%error, "the list can not be read"),
        }
    }
}

async fn tell_counts(app: &AppHandle, engine: &Engine) {
    match engine.counts().await {
        Ok(counts) => tray::tell(app, counts),
        Err(error) => tracing::warn!(%error, "the counts can not be read"),
    }
}
