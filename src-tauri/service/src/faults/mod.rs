//! Network weather: rules of loss that the service applies to itself.
//!
//! What must stay true: the loss is real. A lost answer is a connection that closes without a byte
//! after the commit; a refused connection finds no listener. Rules are data (`rule`); the sockets that
//! carry them out are in `serve`.

mod cut;
mod rule;

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::sync::watch;

pub(crate) use cut::{Cutting, Line};
pub use rule::{Call, CutAt, Effect, Fate, Page, Rule, RuleError, WireRules};
pub(crate) use rule::{length, problem_of};

/// The rules in force; clones share them.
#[derive(Clone, Debug)]
pub struct Faults(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    rules: Mutex<Vec<Rule>>,
    outage: watch::Sender<Outage>,
}

/// Whether connections are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outage {
    Over,
    For(Duration),
}

impl Default for Faults {
    fn default() -> Self {
        Self(Arc::new(Inner { rules: Mutex::default(), outage: watch::Sender::new(Outage::Over) }))
    }
}

impl Faults {
    /// From now on these rules and no others. `RefuseConnections` begins at once and is not kept; it
    /// ends when its time is over, or with the next `set` or `clear`.
    pub fn set(&self, rules: Vec<Rule>) {
        let outage = rules.iter().find_map(Rule::outage).map_or(Outage::Over, Outage::For);
        let kept = rules.into_iter().filter(|rule| rule.outage().is_none() && rule.times > 0);
        *self.rules_mut() = kept.collect();
        self.0.outage.send_replace(outage);
    }

    /// Adds a rule after those in force.
    pub fn add(&self, rule: Rule) {
        match rule.outage() {
            Some(length) => {
                self.0.outage.send_replace(Outage::For(length));
            }
            None => self.rules_mut().push(rule),
        }
    }

    /// The rules that still have something to do.
    pub fn rules(&self) -> Vec<Rule> {
        self.rules_mut().clone()
    }

    /// Fair weather again.
    pub fn clear(&self) {
        self.set(Vec::new());
    }

    /// Whether connections are refused now.
    pub fn is_refusing(&self) -> bool {
        *self.0.outage.borrow() != Outage::Over
    }

    /// What happens to the next call of this kind: the first rule that fits, one time less.
    pub(crate) fn take(&self, call: Call) -> Option<Effect> {
        self.take_first(|rule| rule.fits(call))
    }

    /// Whether the next job fails.
    pub(crate) fn take_job_failure(&self) -> bool {
        self.take_first(|rule| rule.effect == Effect::FailJob).is_some()
    }

    pub(crate) fn outages(&self) -> watch::Receiver<Outage> {
        self.0.outage.subscribe()
    }

    /// Ends an outage that has run its time, unless another has begun since.
    pub(crate) fn outage_is_over(&self) {
        self.0.outage.send_replace(Outage::Over);
    }

    fn take_first(&self, fits: impl Fn(&Rule) -> bool) -> Option<Effect> {
        let mut rules = self.rules_mut();
        let at = rules.iter().position(fits)?;
        rules[at].times = rules[at].times.saturating_sub(1);
        let effect = rules[at].effect.clone();
        if rules[at].times == 0 {
            rules.remove(at);
        }
        Some(effect)
    }

    fn rules_mut(&self) -> std::sync::MutexGuard<'_, Vec<Rule>> {
        self.0.rules.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_used_up_and_the_next_one_follows() {
        let faults = Faults::default();
        faults.set(vec![
            Rule::new(Call::Submit, Effect::CloseBeforeReading).times(2),
            Rule::new(Call::Any, Effect::LoseAnswerAfterCommit),
        ]);
        assert_eq!(faults.take(Call::Submit), Some(Effect::CloseBeforeReading));
        assert_eq!(faults.take(Call::Poll), Some(Effect::LoseAnswerAfterCommit));
        assert_eq!(faults.take(Call::Poll), None);
        assert_eq!(faults.take(Call::Submit), Some(Effect::CloseBeforeReading));
        assert_eq!(faults.take(Call::Submit), None);
        assert_eq!(faults.rules(), []);
    }

    #[test]
    fn an_outage_begins_at_once_and_ends_with_the_next_rules() {
        let faults = Faults::default();
        faults.set(vec![Rule::new(Call::Any, Effect::RefuseConnections { seconds: 60.0 })]);
        assert!(faults.is_refusing());
        assert_eq!(faults.rules(), []);
        faults.clear();
        assert!(!faults.is_refusing());
    }
}
