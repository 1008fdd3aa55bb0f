//! Keeps every view that an engine published, in order.

use std::sync::Arc;

use docket_engine::{
    engine::Engine,
    export::ExportId,
    view::{ChangeView, ExportView},
};
use tokio::{
    sync::{broadcast::error::RecvError, watch},
    task::JoinHandle,
};

use crate::timeline;

/// See the head of this file.
pub struct Witness {
    views: Arc<watch::Sender<Vec<ExportView>>>,
    listening: JoinHandle<()>,
}

impl Witness {
    /// Listens to an engine from now on.
    pub fn of(engine: &Engine) -> Self {
        let mut changes = engine.subscribe();
        let views = Arc::new(watch::Sender::new(Vec::new()));
        let kept = Arc::clone(&views);
        let listening = tokio::spawn(async move {
            loop {
                match changes.recv().await {
                    Ok(ChangeView::Export { export, .. }) => {
                        kept.send_modify(|views: &mut Vec<ExportView>| views.push(*export));
                    }
                    Ok(ChangeView::Services { .. } | ChangeView::Notices { .. }) => {}
                    Err(RecvError::Lagged(missed)) => {
                        unreachable!("the witness missed {missed} changes")
                    }
                    Err(RecvError::Closed) => return,
                }
            }
        });
        Self { views, listening }
    }

    /// All views so far, of all exports.
    pub fn views(&self) -> Vec<ExportView> {
        self.views.borrow().clone()
    }

    /// The views since there were so many.
    pub fn views_since(&self, number: usize) -> Vec<ExportView> {
        self.views.borrow().get(number..).unwrap_or_default().to_vec()
    }

    /// The views of one export.
    pub fn views_of(&self, id: &ExportId) -> Vec<ExportView> {
        self.views().into_iter().filter(|view| view.id == id.as_str()).collect()
    }

    /// From now on only what comes is looked at by [`Witness::until`]. Hands back what was.
    pub fn forget(&self) -> Vec<ExportView> {
        self.views.send_replace(Vec::new())
    }

    /// Waits until a view of the export fits, one that came before too.
    ///
    /// # Panics
    /// None comes in time; the story so far is told then.
    pub async fn until(
        &self,
        id: &ExportId,
        what: &str,
        fits: impl Fn(&ExportView) -> bool,
    ) -> ExportView {
        let mut views = self.views.subscribe();
        let fitting = |views: &Vec<ExportView>| {
            views.iter().find(|view| view.id == id.as_str() && fits(view)).cloned()
        };
        let waiting = async {
            let views = views.wait_for(|views| fitting(views).is_some()).await;
            let views = views.expect("the witness lives as long as its client");
            fitting(&views).expect("it was there a moment ago")
        };
        let ended = tokio::time::timeout(crate::PATIENCE, waiting).await;
        ended.unwrap_or_else(|_| unreachable!("{what}: not in time. So far:\n{}", self.tell(id)))
    }

    /// All that is known of an export, for a person who reads why a test failed.
    fn tell(&self, id: &ExportId) -> String {
        let views = self.views_of(id);
        let story = timeline::of_views(&views);
        let Some(newest) = views.iter().max_by_key(|view| view.version) else { return story };
        let attempts = timeline::of_attempts(&newest.attempts);
        let (next, at) = (newest.next_action, newest.next_action_at);
        format!("{story}\n{attempts}\nnext: {next:?} at {at:?}")
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        self.listening.abort();
    }
}
