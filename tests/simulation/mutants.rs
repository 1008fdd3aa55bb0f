//! Rules broken on purpose, so that the simulation can be seen to notice: each in a story that plays
//! well as long as the rule holds. Those that no socket is needed for are the model's.

use std::time::Duration;

use docket_engine::mutants::Mutant;
use docket_service::Feature;
use docket_tests::Call;

use crate::{
    script::{Fault, Point, Script, Service, Step},
    seeds::{played, played_with},
};

/// Every rule that can be broken.
pub const ALL: [Mutant; 11] = [
    Mutant::NewKeyOnRetry,
    Mutant::NotSeenIsNotCreated,
    Mutant::RefusalSettlesLost,
    Mutant::SubmitAfterRetention,
    Mutant::OldAnswerOverwrites,
    Mutant::UnknownIsRunning,
    Mutant::AbandonAtAnyAge,
    Mutant::FirstSentAnew,
    Mutant::GuardByStage,
    Mutant::InterruptedIsNotSent,
    Mutant::NameUnverified,
];

const ASK: Step = Step::Ask { report: 0 };
const HOUR: Duration = Duration::from_secs(3600);

fn minutes(minutes: u64) -> Step {
    Step::Pass(Duration::from_secs(60 * minutes))
}

fn meets(on: Call, fault: Fault) -> Step {
    Step::Fault { on, of: 0, fault, times: 1 }
}

/// The story breaks this law if, and only if, the rule is broken.
fn notices(mutant: Mutant, service: Service, steps: Vec<Step>, law: &str) {
    let script = Script { name: format!("{mutant:?}"), service, chance: 0.5, steps };
    let well = played(script.clone());
    assert_eq!(well.broken, None, "{}", well.tale);
    let broken = played_with(script, mutant);
    let said = broken.broken.unwrap_or_default();
    assert!(said.contains(law), "{said:?}\n{}", broken.tale);
}

#[test]
fn a_new_key_on_a_retry() {
    let steps = vec![meets(Call::Submit, Fault::Swallowed), ASK, minutes(2)];
    // The store takes no other key, so nothing is sent at all.
    notices(Mutant::NewKeyOnRetry, Service::whole(), steps, "has been due");
}

#[test]
fn first_sent_taken_anew() {
    let steps = vec![meets(Call::Submit, Fault::Swallowed), ASK, minutes(2)];
    notices(Mutant::FirstSentAnew, Service::whole(), steps, "First-Sent ");
}

#[test]
fn not_seen_believed() {
    let steps = vec![
        meets(Call::Submit, Fault::KeptClosed),
        ASK,
        minutes(1),
        Step::DeliverKept,
        minutes(1),
    ];
    // One that takes no key twice: there nothing is sent anew that would show the job.
    let service = Service::whole().without(&[Feature::Idempotency]);
    notices(Mutant::NotSeenIsNotCreated, service, steps, "was proved to have no job");
}

#[test]
fn sent_after_the_retention() {
    let service = Service {
        retention: HOUR,
        ..Service::whole().without(&[Feature::Lookup, Feature::Traits, Feature::Abandon])
    };
    let steps =
        vec![meets(Call::Submit, Fault::Swallowed), ASK, Step::Sleep(2 * HOUR), minutes(30)];
    notices(Mutant::SubmitAfterRetention, service, steps, "was sent when it was");
}

#[test]
fn refused_beside_one_that_was_lost() {
    // What was lost arrives in the end, behind the one that was refused. Nothing seals it there.
    let steps = vec![
        meets(Call::Submit, Fault::KeptClosed),
        ASK,
        meets(Call::Submit, Fault::ForbiddenBeside),
        minutes(2),
        Step::DeliverKept,
        minutes(1),
    ];
    let service = Service::whole().without(&[Feature::Abandon]);
    notices(Mutant::RefusalSettlesLost, service, steps, "is called rejected");
}

#[test]
fn abandoned_after_the_retention() {
    let service = Service {
        retention: HOUR,
        ..Service::whole().without(&[Feature::Idempotency, Feature::Lookup, Feature::Traits])
    };
    let steps = vec![
        meets(Call::Submit, Fault::Swallowed),
        meets(Call::Abandon, Fault::Swallowed),
        ASK,
        Step::Sleep(2 * HOUR),
        minutes(30),
    ];
    notices(Mutant::AbandonAtAnyAge, service, steps, "was sent when it was");
}

#[test]
fn what_was_under_way_called_not_sent() {
    let trap = Step::Trap { on: Call::Submit, at: Point::AnswerRead };
    let steps = vec![trap, ASK, Step::Crash, Step::Start, minutes(1)];
    notices(Mutant::InterruptedIsNotSent, Service::whole(), steps, "is called not sent");
}

#[test]
fn a_file_named_unverified() {
    let steps = vec![Step::WrongFile { of: 0 }, ASK, minutes(2)];
    notices(Mutant::NameUnverified, Service::whole(), steps, "with other bytes");
}
