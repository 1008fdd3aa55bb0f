//! Stories that were written down: the traces of cases.md that need sockets, and what a person most
//! wants to see told. Each is a script like any other, held to the same laws; its timeline is a
//! golden file (`tests/golden/simulation`). `DOCKET_BLESS=1` writes them anew.

use std::{path::PathBuf, time::Duration};

use docket_service::Feature;
use docket_tests::Call;

use crate::{
    script::{Fault, Point, Script, Service, Step, Tokens, Who},
    seeds::played,
};

/// Plays a story and holds its timeline against the golden file.
fn told(name: &str, title: &str, service: Service, steps: Vec<Step>) {
    let script = Script { name: title.to_owned(), service, chance: 0.5, steps };
    let played = played(script);
    assert_eq!(played.broken, None, "{}", played.tale);
    let file =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("golden/simulation/{name}.txt"));
    if std::env::var_os("DOCKET_BLESS").is_some() {
        let folder = file.parent().expect("stories lie in a folder");
        std::fs::create_dir_all(folder).expect("the folder can be made");
        std::fs::write(&file, &played.tale).expect("the story can be written");
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(golden, played.tale, "\n{golden}\nbut:\n{}", played.tale);
}

const ASK: Step = Step::Ask { report: 0 };

fn seconds(seconds: u64) -> Step {
    Step::Pass(Duration::from_secs(seconds))
}

fn minutes(minutes: u64) -> Step {
    seconds(60 * minutes)
}

fn meets(on: Call, fault: Fault) -> Step {
    Step::Fault { on, of: 0, fault, times: 1 }
}

fn always(on: Call, fault: Fault) -> Step {
    Step::Fault { on, of: 0, fault, times: 1000 }
}

#[test]
fn lost_receipt() {
    let steps = vec![meets(Call::Submit, Fault::AnswerLost), ASK, minutes(1)];
    told("lost-receipt", "The receipt is lost", Service::whole(), steps);
}

#[test]
fn never_left() {
    let steps = vec![Step::NetworkDown, ASK, seconds(20), Step::NetworkUp, minutes(1)];
    told("never-left", "The request never left", Service::whole(), steps);
}

#[test]
fn doubled_by_a_gateway() {
    let steps = vec![meets(Call::Submit, Fault::Again), ASK, minutes(1)];
    told("doubled-by-a-gateway", "A gateway sends the request twice", Service::whole(), steps);
}

#[test]
fn refused_beside_a_copy() {
    let steps = vec![meets(Call::Submit, Fault::UnavailableBeside), ASK, minutes(1)];
    let title = "A gateway sends it to two machines: one makes the job, the other says 503";
    told("refused-beside-a-copy", title, Service::whole(), steps);
}

#[test]
fn delivered_after_its_abandon() {
    let steps = vec![
        meets(Call::Submit, Fault::KeptClosed),
        meets(Call::Key, Fault::Silence),
        ASK,
        seconds(2),
        Step::Cancel { of: 0 },
        minutes(2),
        Step::DeliverKept,
        minutes(1),
    ];
    let title = "Cancelled while nobody knows; the request arrives afterwards";
    told("delivered-after-its-abandon", title, Service::whole(), steps);
}

#[test]
fn killed_between_commit_and_answer() {
    let trap = Step::Trap { on: Call::Submit, at: Point::AnswerRead };
    let steps = vec![trap, ASK, seconds(3), Step::Crash, seconds(30), Step::Start, minutes(1)];
    let title = "The client is killed with the answer in its hands";
    told("killed-between-commit-and-answer", title, Service::whole(), steps);
}

#[test]
fn service_restored() {
    let steps = vec![Step::BackUpService, ASK, seconds(3), Step::RestoreService, minutes(90)];
    let title = "The service is put back from a backup that does not know the job";
    told("service-restored", title, Service::whole(), steps);
}

#[test]
fn service_restored_beside_a_loss() {
    let steps = vec![
        Step::BackUpService,
        meets(Call::Submit, Fault::AnswerLost),
        always(Call::Key, Fault::Swallowed),
        ASK,
        seconds(3),
        Step::RestoreService,
        minutes(90),
    ];
    let title =
        "The receipt is lost, and the service is put back from a backup before anybody looks";
    told("service-restored-beside-a-loss", title, Service::whole(), steps);
}

#[test]
fn store_put_back() {
    let steps = vec![
        Step::NetworkDown,
        ASK,
        seconds(5),
        Step::BackUpStore,
        Step::Crash,
        Step::Start,
        Step::NetworkUp,
        minutes(1),
        Step::PutBackStore,
        minutes(1),
    ];
    let title = "The client's store is put back from a backup that has not sent anything";
    told("store-put-back", title, Service::whole(), steps);
}

#[test]
fn store_put_back_beside_a_late_copy() {
    let steps = vec![
        Step::NetworkDown,
        ASK,
        seconds(5),
        Step::BackUpStore,
        Step::Crash,
        Step::Start,
        meets(Call::Submit, Fault::KeptSilent),
        Step::NetworkUp,
        seconds(20),
        Step::PutBackStore,
        Step::Cancel { of: 0 },
        minutes(2),
        Step::DeliverKept,
        minutes(2),
    ];
    let title =
        "The store is put back and the export cancelled, while its request is still under way";
    told("store-put-back-beside-a-late-copy", title, Service::whole(), steps);
}

#[test]
fn permission_withdrawn() {
    let steps = vec![
        meets(Call::Submit, Fault::Swallowed),
        meets(Call::Key, Fault::Silence),
        ASK,
        seconds(2),
        Step::Take(Tokens::Withdrawn),
        minutes(3),
    ];
    let title = "The request is lost, and the permission is withdrawn before it is sent again";
    told("permission-withdrawn", title, Service::whole(), steps);
}

#[test]
fn cancel_races_success() {
    let steps = vec![
        meets(Call::Cancel, Fault::KeptSilent),
        ASK,
        seconds(6),
        Step::Cancel { of: 0 },
        minutes(3),
        Step::DeliverKept,
        minutes(1),
    ];
    let title = "A cancel is under way while the job succeeds";
    told("cancel-races-success", title, Service::whole(), steps);
}

#[test]
fn asleep_over_the_window() {
    let steps = vec![
        meets(Call::Submit, Fault::Swallowed),
        always(Call::Key, Fault::Swallowed),
        ASK,
        seconds(40),
        Step::NetworkDown,
        Step::Sleep(Duration::from_secs(10 * 3600)),
        seconds(10),
        Step::NetworkUp,
        minutes(20),
    ];
    let title = "The request is lost, the lid is shut for a night, the network is late";
    told("asleep-over-the-window", title, Service::whole(), steps);
}

#[test]
fn two_clicks() {
    let steps = vec![
        meets(Call::Submit, Fault::Silence),
        ASK,
        Step::ClickAgain { of: 0 },
        Step::AskTheSame { of: 0 },
        seconds(10),
        Step::Copy { of: 0 },
        minutes(2),
    ];
    told("two-clicks", "The person clicks again and again", Service::whole(), steps);
}

#[test]
fn download_cut() {
    let steps = vec![
        Step::Fault { on: Call::File, of: 0, fault: Fault::CutBody(11), times: 2 },
        ASK,
        minutes(2),
    ];
    told("download-cut", "The file is cut twice on its way", Service::whole(), steps);
}

#[test]
fn abandon_unanswered() {
    let steps = vec![
        meets(Call::Submit, Fault::Swallowed),
        always(Call::Key, Fault::BadGateway),
        meets(Call::Abandon, Fault::AnswerLost),
        ASK,
        seconds(2),
        Step::Cancel { of: 0 },
        minutes(3),
    ];
    let title = "Cancelled after a loss; the answer to the abandon is lost too";
    told("abandon-unanswered", title, Service::whole(), steps);
}

#[test]
fn never_twice_without_keys() {
    let service = Service::whole().without(&[Feature::Idempotency, Feature::Abandon]);
    let steps = vec![meets(Call::Submit, Fault::KeptClosed), ASK, minutes(20), Step::DeliverKept];
    let title = "A service that takes no key twice gets the request hours late";
    told("never-twice-without-keys", title, service, steps);
}

#[test]
fn somebody_else_signs_in() {
    let steps = vec![
        meets(Call::Submit, Fault::KeptClosed),
        meets(Call::Key, Fault::Silence),
        ASK,
        seconds(2),
        Step::SignIn(Who::Bob),
        minutes(2),
        Step::DeliverKept,
        Step::SignIn(Who::Ada),
        minutes(2),
    ];
    let title = "Ada's request is under way when Bob signs in";
    told("somebody-else-signs-in", title, Service::whole(), steps);
}

#[test]
fn mended_before_its_seal() {
    let steps = vec![
        meets(Call::Submit, Fault::ForbiddenBeside),
        meets(Call::Abandon, Fault::BadGateway),
        ASK,
        seconds(1),
        Step::Edit { of: 0 },
        minutes(2),
    ];
    let title =
        "One machine makes the job, another refuses it; the person mends it and sends it anew";
    told("mended-before-its-seal", title, Service::whole(), steps);
}

#[test]
fn nothing_new_for_hours() {
    let steps = vec![ASK, always(Call::Job, Fault::ForeignSignIn), minutes(90)];
    let title = "Whoever asks after the job meets somebody else's sign-in page";
    told("nothing-new-for-hours", title, Service::whole(), steps);
}
