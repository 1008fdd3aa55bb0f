//! How an export goes, on the error output: a bar where a person watches, one line for each change
//! elsewhere.

use docket_engine::{stage::Stage, view::ExportView, words::Words};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{output, sentences};

/// How often a spinner turns.
const TURN: std::time::Duration = std::time::Duration::from_millis(120);

/// See the head of this file.
pub struct Progress {
    bar: Option<ProgressBar>,
    last: String,
}

impl Progress {
    /// For one export.
    pub fn new() -> Self {
        let bar = output::is_watched().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(style("{spinner} {msg}"));
            bar.enable_steady_tick(TURN);
            bar
        });
        Self { bar, last: String::new() }
    }

    /// Shows what is so now, if it is something new.
    pub fn show(&mut self, words: &Words, export: &ExportView) {
        let told = sentences::told(words, export);
        let Some(bar) = &self.bar else {
            if told != self.last {
                output::note(&told);
                self.last = told;
            }
            return;
        };
        let label = sentences::label(words, export);
        if label != self.last {
            bar.println(&told);
            self.last = label;
        }
        match counted(export) {
            Some((done, total)) => {
                bar.set_length(total);
                bar.set_position(done.min(total));
                bar.set_style(style("{spinner} {wide_bar} {percent:>3} %  {msg}"));
            }
            None => bar.set_style(style("{spinner} {msg}")),
        }
        bar.set_message(sentences::line(words, export));
    }

    /// Leaves what was said and takes the bar away.
    pub fn end(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("our own templates are well formed")
}

/// How much of how much, where the service or the file says so.
fn counted(export: &ExportView) -> Option<(u64, u64)> {
    match export.stage {
        Stage::Running => {
            let progress = export.progress.as_ref()?;
            Some((progress.done, progress.total?))
        }
        Stage::Downloading => {
            let delivery = export.delivery.as_ref()?;
            Some((delivery.done, delivery.total?))
        }
        Stage::Sending
        | Stage::WaitingToSend
        | Stage::Confirming
        | Stage::Accepted
        | Stage::Cancelling
        | Stage::Ready
        | Stage::Saved
        | Stage::Rejected
        | Stage::NotCreated
        | Stage::Failed
        | Stage::Cancelled
        | Stage::Expired
        | Stage::Unresolved => None,
    }
}
