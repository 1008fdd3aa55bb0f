//! What happened to the store and the person has to know: told until they have read it.

use super::Engine;
use crate::{
    desk::{Desk, Result},
    store::{Counted, Happened, Notice},
    view::{ChangeView, NoticeKind, NoticeView},
};

impl Engine {
    /// What the person has not dismissed, oldest first.
    ///
    /// # Errors
    /// The store can not be read.
    pub async fn notices(&self) -> Result<Vec<NoticeView>> {
        self.desk.blocking(|desk| desk.notices()).await
    }

    /// The person has read a notice.
    ///
    /// # Errors
    /// The store can not be written.
    pub async fn dismiss_notice(&self, id: i64) -> Result<Vec<NoticeView>> {
        self.desk
            .blocking(move |desk| {
                desk.store.dismiss(id, desk.clock.now())?;
                let notices = desk.notices()?;
                desk.send(ChangeView::Notices { notices: notices.clone() });
                Ok(notices)
            })
            .await
    }
}

impl Desk {
    fn notices(&self) -> Result<Vec<NoticeView>> {
        let mut notices: Vec<NoticeView> = match self.store.notices() {
            Ok(notices) => notices.into_iter().map(view).collect(),
            Err(_) if self.store.is_damaged() => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        notices.extend(self.store.is_damaged().then(|| self.damaged_now()));
        Ok(notices)
    }

    /// Tells of damage that was met just now, once.
    pub(crate) fn tell_damage(&self) {
        if self.store.is_damaged_since()
            && let Ok(notices) = self.notices()
        {
            self.send(ChangeView::Notices { notices });
        }
    }

    fn damaged_now(&self) -> NoticeView {
        NoticeView {
            id: None,
            kind: NoticeKind::StoreDamaged,
            at: self.clock.now(),
            path: self.store.path().display().to_string(),
            open: 0,
            over: 0,
            unreadable: 0,
            all_counted: false,
        }
    }
}

fn view(notice: Notice) -> NoticeView {
    let (kind, path, counts, counted) = match notice.happened {
        Happened::SetAside { path, open, over, unreadable, counted } => {
            (NoticeKind::StoreSetAside, path, (open, over, unreadable), counted)
        }
        Happened::Gone { path } => (NoticeKind::StoreGone, path, (0, 0, 0), Counted::AtLeast),
    };
    NoticeView {
        id: Some(notice.id),
        kind,
        at: notice.at,
        path: path.display().to_string(),
        open: counts.0,
        over: counts.1,
        unreadable: counts.2,
        all_counted: counted == Counted::All,
    }
}
