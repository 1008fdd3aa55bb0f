//! The person: what may be wanted, and what is seen.

use docket_engine::{
    export::ExportId,
    knowledge::ByHand,
    plan::{self, Asked, CopyOf, Moment},
    policy::Policy,
    record::Record,
    stage::{Stage, stage},
};

use crate::{
    client::moment,
    rows::Config,
    world::{Held, Noted, World},
};

/// What a person may want.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wish {
    Cancel,
    CheckNow,
    SendNow,
    Resend,
    /// Another one of the very same.
    Another,
    /// "There is no such export", which need not be true.
    SettleAbsent,
}

impl World {
    /// Does what the person wants, where that can be done now.
    pub fn wants(&mut self, export: usize, wish: Wish, config: &Config, policy: &Policy) -> bool {
        match wish {
            Wish::Cancel => self.wishes(export, policy, |r, m| plan::cancel(r, m.now)).is_ok(),
            Wish::CheckNow => self.wishes(export, policy, |r, m| plan::look_now(r, m.now)).is_ok(),
            Wish::SendNow => self.wishes(export, policy, |r, m| plan::send_now(r, m.now)).is_ok(),
            Wish::Resend => self.wishes(export, policy, plan::send_again).is_ok(),
            Wish::SettleAbsent => {
                self.wishes(export, policy, |r, m| plan::settle(r, ByHand::Absent, m.now)).is_ok()
            }
            Wish::Another => self.asks_for_another(export, config, policy),
        }
    }

    /// Another one of the very same, asked for where the first one is shown.
    fn asks_for_another(&mut self, export: usize, config: &Config, policy: &Policy) -> bool {
        let moment = moment(policy, self);
        let before = self.record(export).clone();
        let settled_without_a_job =
            before.knowledge.jobs.is_empty() && stage_of(&before, moment).is_settled();
        let (asked, supersedes): (Asked, Option<ExportId>) = match plan::copy_of(&before, moment) {
            CopyOf::Settled if settled_without_a_job => (Asked::Plainly, None),
            CopyOf::Settled | CopyOf::Unknown => return false,
            CopyOf::SealOwed => (Asked::Plainly, Some(before.export.id.clone())),
            CopyOf::Unresolved => (Asked::Knowingly, Some(before.export.id.clone())),
            CopyOf::JobKnown => (Asked::Knowingly, None),
        };
        if self.exports.len() > 1 {
            return false;
        }
        let shown = stage_of(&before, moment);
        let mut record = self.new_record(config, supersedes);
        if record.export.supersedes.is_some() {
            record.journal.turn = plan::turn_when_recorded(&before, asked, moment);
        }
        plan::replan(&mut record, moment);
        let told = shown == Stage::Unresolved || before.knowledge.job().is_some();
        let noted = Noted {
            copied_blindly: asked == Asked::Knowingly && !told,
            knowingly: asked == Asked::Knowingly,
            after_refusal: shown == Stage::Rejected,
            ..Noted::default()
        };
        self.exports.push(Held {
            record: std::sync::Arc::new(record),
            machine: self.exports[export].machine,
            calls: Vec::new(),
            numbered: 0,
            backup: None,
            noted,
        });
        self.seals_what_gave_way(export, policy);
        true
    }
}

/// What a person sees of an export.
pub fn stage_of(record: &Record, moment: Moment<'_>) -> Stage {
    let Record { knowledge, journal, delivery, facts, .. } = record;
    stage(knowledge, journal, delivery, facts.as_ref(), moment.now)
}
