//! What one call found out of its service, told to all exports of that service: a part at a time
//! between other work, so that ten thousand of one service hold up none of another.
//!
//! A probe that met nobody was each due export's own turn ([`plan::unreached`]); the first answer
//! after that lets whatever waited be tried now, as fast as the service's lanes open.

use super::{Pass, ended_of};
use crate::{
    desk::{Desk, OPEN_AT_ONCE, Result},
    export::{ExportId, ServiceId},
    plan,
    store::{Due, EndedAttempt, Lane, Place},
};

/// What is being told, and how far.
#[derive(Clone)]
pub(super) enum News {
    /// The probe, which met nobody, and the last export in this lane that was told.
    Unreached { probe: Box<EndedAttempt>, lane: Lane, after: Option<Due> },
    /// It answers again; told to the open exports up to this place.
    Back { place: Place },
}

impl News {
    pub(super) fn unreached(probe: EndedAttempt) -> Self {
        Self::Unreached { probe: Box::new(probe), lane: Lane::Call, after: None }
    }

    pub(super) fn back() -> Self {
        Self::Back { place: Place::default() }
    }
}

impl Pass {
    /// Tells a part of all news. Whether there is more to tell.
    pub(super) async fn spread(&mut self) -> bool {
        let services: Vec<ServiceId> = self.news.keys().cloned().collect();
        for service in services {
            let Some(news) = self.news.remove(&service) else { continue };
            match self.tell(&service, news).await {
                Ok(Some(rest)) => {
                    self.news.insert(service, rest);
                }
                Ok(None) => {}
                Err(error) => tracing::error!(event = "news_not_told", reason = %error),
            }
        }
        !self.news.is_empty()
    }

    async fn tell(&self, service: &ServiceId, news: News) -> Result<Option<News>> {
        match news {
            News::Unreached { probe, lane, after } => {
                self.tell_unreached(service, probe, lane, after).await
            }
            News::Back { place } => self.tell_back(service, place).await,
        }
    }

    /// Those that were due when the probe ended have had their turn.
    async fn tell_unreached(
        &self,
        service: &ServiceId,
        probe: Box<EndedAttempt>,
        lane: Lane,
        after: Option<Due>,
    ) -> Result<Option<News>> {
        let service = service.clone();
        let under_way: Vec<ExportId> = self.under_way.keys().cloned().collect();
        self.desk
            .blocking(move |desk| {
                let queue = (&service, lane);
                let due = desk.store.due(queue, probe.ended_at, after.as_ref(), OPEN_AT_ONCE)?;
                let ids: Vec<ExportId> = due
                    .iter()
                    .map(|due| due.id.clone())
                    .filter(|id| !under_way.contains(id) && *id != probe.export)
                    .collect();
                let told = desk.change_each(&ids, &mut |record| {
                    plan::unreached(record, ended_of(&probe), desk.moment());
                })?;
                // A window may have ended, which gives a successor its turn.
                told.iter().try_for_each(|record| desk.release_after(record))?;
                Ok(match (due.last(), lane) {
                    (Some(last), _) => {
                        Some(News::Unreached { probe, lane, after: Some(last.clone()) })
                    }
                    (None, Lane::Call) => {
                        Some(News::Unreached { probe, lane: Lane::Fetch, after: None })
                    }
                    (None, Lane::Fetch | Lane::Asked | Lane::UnderWay) => None,
                })
            })
            .await
    }

    async fn tell_back(&self, service: &ServiceId, place: Place) -> Result<Option<News>> {
        let service = service.clone();
        self.desk
            .blocking(move |desk: &Desk| {
                let Some((ids, place)) = desk.store.open_after(&service, place, OPEN_AT_ONCE)?
                else {
                    return Ok(None);
                };
                let now = desk.clock.now();
                desk.change_each(&ids, &mut |record| {
                    plan::reachable_again(record, now);
                    plan::replan(record, desk.moment());
                })?;
                Ok(Some(News::Back { place }))
            })
            .await
    }
}
