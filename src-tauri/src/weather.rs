//! Network weather: what a person can do to the practice service's network, as rules of loss.

use std::time::Duration;

use docket_engine::{
    clock::{Clock, SystemClock},
    view::ErrorCode,
};
use docket_service::{
    Faults, Rule,
    faults::{Call, Effect},
};
use jiff::Timestamp;

use crate::{
    error::CommandError,
    practice::Practice,
    view::{Weather, WeatherView},
};

/// The longest bad weather that a person can ask for, in seconds.
const SECONDS_MAX: u32 = 600;

/// An outage that was asked for, as far as this computer's clock knows.
#[derive(Clone, Copy, Debug)]
pub struct Outage {
    until: Timestamp,
}

/// How the weather is.
///
/// # Errors
/// The practice service does not run.
pub fn read(practice: Option<&Practice>) -> Result<WeatherView, CommandError> {
    let practice = practice.ok_or_else(not_running)?;
    Ok(view(&practice.faults(), practice.outage))
}

/// Makes other weather.
///
/// # Errors
/// The practice service does not run.
pub fn set(practice: Option<&mut Practice>, weather: Weather) -> Result<WeatherView, CommandError> {
    let practice = practice.ok_or_else(not_running)?;
    practice.outage = change(&practice.faults(), practice.outage, weather);
    Ok(view(&practice.faults(), practice.outage))
}

fn change(faults: &Faults, outage: Option<Outage>, weather: Weather) -> Option<Outage> {
    match weather {
        Weather::LoseNextReceipt => {
            if !pending(faults, is_loss) {
                faults.add(submit(Effect::LoseAnswerAfterCommit));
            }
            outage
        }
        Weather::Refuse { seconds } => {
            let seconds = seconds.clamp(1, SECONDS_MAX);
            let effect = Effect::RefuseConnections { seconds: f64::from(seconds) };
            faults.add(Rule { on: Call::Any, times: 1, effect });
            let length = Duration::from_secs(u64::from(seconds));
            let until = SystemClock.now().saturating_add(length).unwrap_or(Timestamp::MAX);
            Some(Outage { until })
        }
        Weather::StallNext { seconds } => {
            if !pending(faults, is_stall) {
                let seconds = f64::from(seconds.clamp(1, SECONDS_MAX));
                faults.add(submit(Effect::Stall { seconds }));
            }
            outage
        }
        Weather::Clear => {
            faults.clear();
            None
        }
    }
}

/// Once, for the next request.
fn submit(effect: Effect) -> Rule {
    Rule { on: Call::Submit, times: 1, effect }
}

fn view(faults: &Faults, outage: Option<Outage>) -> WeatherView {
    let outage = outage.filter(|_| faults.is_refusing());
    WeatherView {
        lose_next_receipt: pending(faults, is_loss),
        refuse_until: outage.map(|outage| outage.until.to_string()),
        stall_next: pending(faults, is_stall),
    }
}

fn pending(faults: &Faults, wanted: fn(&Effect) -> bool) -> bool {
    faults.rules().iter().any(|rule| wanted(&rule.effect))
}

fn is_loss(effect: &Effect) -> bool {
    *effect == Effect::LoseAnswerAfterCommit
}

fn is_stall(effect: &Effect) -> bool {
    matches!(effect, Effect::Stall { .. })
}

fn not_running() -> CommandError {
    CommandError::new(
        ErrorCode::UnknownService,
        "The practice service is not running; start it first.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_becomes_a_rule_once() {
        let faults = Faults::default();
        for _ in 0..2 {
            assert!(change(&faults, None, Weather::LoseNextReceipt).is_none());
        }
        assert!(change(&faults, None, Weather::StallNext { seconds: 0 }).is_none());
        assert_eq!(faults.rules().len(), 2);
        assert!(faults.rules().iter().all(|rule| rule.on == Call::Submit && rule.times == 1));
        let shown = view(&faults, None);
        assert!(shown.lose_next_receipt && shown.stall_next && shown.refuse_until.is_none());
        assert!(change(&faults, None, Weather::Clear).is_none());
        let shown = view(&faults, None);
        assert!(!shown.lose_next_receipt && !shown.stall_next);
    }

    #[test]
    fn an_outage_is_shown_while_it_lasts() {
        let faults = Faults::default();
        let outage = change(&faults, None, Weather::Refuse { seconds: 10 });
        assert!(view(&faults, outage).refuse_until.is_some());
        faults.clear();
        assert!(view(&faults, outage).refuse_until.is_none());
    }
}
