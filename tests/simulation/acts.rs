//! What each step does to the world, and the line that tells it.

use std::time::Duration;

use docket_engine::{
    engine::Engine,
    error::EngineError,
    export::ExportId,
    knowledge::ByHand,
    view::{ExportView, Knowing, RequestExport, Requested},
};
use docket_tests::{
    Call, Rule,
    world::{ADA, ADA_RENEWED, BOB, other_week, week},
};
use serde_json::{Value, json};

use crate::{
    laws::Broken,
    play::{Asked, Play, tokens},
    script::{Step, Tokens, Who, told},
};

/// Parameters of the reports that people ask for.
fn report(number: usize) -> Value {
    match number % 3 {
        0 => week(),
        1 => other_week(),
        _ => json!({"from": "2026-09-01", "to": "2026-09-02", "region": ["south"]}),
    }
}

impl Play {
    /// Does a step. The line says what was done; none where the step says itself when.
    pub async fn perform(&mut self, step: &Step) -> Result<Option<String>, Broken> {
        Ok(Some(match step {
            Step::Pass(length) => {
                self.tale.step(self.clocks.passed, format!("{} pass", told(*length)));
                self.pass(*length).await?;
                return Ok(None);
            }
            Step::Sleep(length) => self.sleep(*length).await,
            Step::SetClock(seconds) => {
                self.clocks.set_client(*seconds);
                self.history.clock_set = true;
                self.history.out_of_time |= seconds.abs() > 600;
                format!("the client's clock is set by {seconds} s")
            }
            Step::Ask { .. }
            | Step::ClickAgain { .. }
            | Step::AskTheSame { .. }
            | Step::Copy { .. }
            | Step::Edit { .. } => self.click(step).await,
            Step::Cancel { of }
            | Step::Check { of }
            | Step::Resend { of }
            | Step::SendNow { of }
            | Step::Settle { of }
            | Step::Fetch { of }
            | Step::Pause { of }
            | Step::Resume { of } => self.wish(step, *of),
            Step::SignIn(who) => self.sign_in(*who),
            Step::Fault { on, of, fault, times } => {
                self.befall(*on, *of, fault.rule(*on).times(*times));
                let times = if *times == 1 { String::new() } else { format!(", {times} times") };
                format!("fault: {fault:?} at {on:?} of export {}{times}", of + 1)
            }
            Step::WrongFile { of } => {
                self.rule(*of, wrong_file());
                format!("fault: a wrong file for export {}", of + 1)
            }
            Step::Trap { on, at } => {
                if let Some(open) = &self.client {
                    open.gate.trap(*on, *at);
                }
                format!("the client will stop at its next {on:?}, {at:?}")
            }
            Step::NetworkDown
            | Step::BlackHole
            | Step::NetworkUp
            | Step::Release
            | Step::DeliverKept
            | Step::Crash
            | Step::Start
            | Step::BackUpStore
            | Step::PutBackStore
            | Step::ServiceDown
            | Step::ServiceUp
            | Step::BackUpService
            | Step::RestoreService
            | Step::Take(_)
            | Step::Drain
            | Step::TakeJobs
            | Step::FailNextJob => self.fate(step).await,
        }))
    }

    async fn sleep(&mut self, length: Duration) -> String {
        self.history.out_of_time |= length * 10 > self.script.service.retention * 8;
        self.clocks.service_goes(length);
        self.service_rests().await;
        self.clocks.client_slept(length);
        format!("the computer sleeps for {}", told(length))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "only clicks come here")]
    async fn click(&mut self, step: &Step) -> String {
        if self.client.is_none() {
            return "the person would ask, but no Docket runs".to_owned();
        }
        let (form, what) = match step {
            Step::Ask { report: number } => {
                (self.open().form(report(*number)).await, format!("asks for report {}", number + 1))
            }
            Step::ClickAgain { of } => match self.of(*of) {
                Some((number, asked)) => (asked.form, format!("clicks again on form {number}")),
                None => return "nothing to click on".to_owned(),
            },
            Step::AskTheSame { of } => match self.of(*of) {
                Some((number, asked)) => {
                    let form = self.open().form(asked.form.parameters).await;
                    (form, format!("asks again for what export {number} is"))
                }
                None => return "nothing to ask again for".to_owned(),
            },
            Step::Copy { of } => match self.of(*of) {
                Some((number, asked)) => (
                    self.after(&asked, Knowing::Copy).await,
                    format!("wants export {number} again"),
                ),
                None => return "nothing to copy".to_owned(),
            },
            Step::Edit { of } => match self.of(*of) {
                Some((number, asked)) => {
                    let edited = report(number + 1);
                    let form = self.after(&asked, Knowing::NearTwin).await;
                    let form = RequestExport { parameters: edited, ..form };
                    (form, format!("mends export {number} and sends it anew"))
                }
                None => return "nothing to mend".to_owned(),
            },
            _ => unreachable!("no click"),
        };
        format!("the person {what}: {}", self.request(form).await)
    }

    async fn after(&self, asked: &Asked, knowing: Knowing) -> RequestExport {
        RequestExport {
            supersedes: Some(asked.id.to_string()),
            knowing: vec![knowing, Knowing::Copy],
            ..self.open().form(asked.form.parameters.clone()).await
        }
    }

    /// Clicks, and sets the rules that wait for a new export before anything of it leaves.
    async fn request(&mut self, form: RequestExport) -> String {
        let requested = self.open().engine.request(form.clone()).await;
        match requested {
            Ok(Requested::Recorded { export }) => self.recorded(&export, form),
            Ok(Requested::SameClick { export }) => {
                format!("it is export {} already", self.number(&export))
            }
            Ok(Requested::Twin { export, copy }) => {
                format!("held back by export {} (copy: {copy})", self.number(&export))
            }
            Ok(Requested::NearTwin { export }) => {
                format!("asked first because of export {}", self.number(&export))
            }
            Err(error) => said(&error),
        }
    }

    fn recorded(&mut self, export: &ExportView, form: RequestExport) -> String {
        let open = self.client.as_ref().expect("it answered");
        let trace = open
            .store
            .query_row("SELECT trace_id FROM export WHERE id = ?1", [&export.id], |row| row.get(0))
            .expect("it is recorded");
        let id = ExportId::from_text(export.id.clone());
        let key = export.request_key.clone();
        self.asked.push(Asked { id, form, trace, key });
        let number = self.asked.len();
        let rules = std::mem::take(&mut self.waiting_rules);
        for (of, rule) in rules {
            self.rule(of, rule);
        }
        format!("export {number}")
    }

    fn number(&self, view: &ExportView) -> usize {
        self.asked.iter().position(|asked| asked.id.as_str() == view.id).map_or(0, |at| at + 1)
    }

    /// The export that a step is about, with its number from 1.
    fn of(&self, of: usize) -> Option<(usize, Asked)> {
        let at = of.checked_rem(self.asked.len())?;
        Some((at + 1, self.asked[at].clone()))
    }

    /// Sets a rule for one export; for one that is not asked for yet, once it is.
    fn rule(&mut self, of: usize, rule: Rule) {
        match self.asked.get(of) {
            Some(asked) => self.world.proxy.add_rule(rule.of_trace(&asked.trace)),
            None => self.waiting_rules.push((of, rule)),
        }
    }

    /// Sets the rule of a fault: for one export, or for whoever asks next what is nobody's export.
    fn befall(&mut self, on: Call, of: usize, rule: Rule) {
        match on {
            Call::Service | Call::Operations => self.world.proxy.add_rule(rule),
            Call::Submit
            | Call::Key
            | Call::Traits
            | Call::Job
            | Call::Abandon
            | Call::Cancel
            | Call::File
            | Call::Any => self.rule(of, rule),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "only wishes come here")]
    fn wish(&mut self, step: &Step, of: usize) -> String {
        let Some((number, asked)) = self.of(of) else { return "nobody has asked yet".to_owned() };
        if self.client.is_none() {
            return "the person would act, but no Docket runs".to_owned();
        }
        let engine = self.open().engine.clone();
        let (id, key) = (asked.id.clone(), asked.id.to_string());
        let what = match step {
            Step::Cancel { .. } => "cancels",
            Step::Check { .. } => "asks for a look at",
            Step::Resend { .. } => {
                self.laws.resent.insert(key);
                "sends once more"
            }
            Step::SendNow { .. } => {
                self.laws.sent_knowingly.insert(key);
                "sends now"
            }
            Step::Settle { .. } => "settles",
            Step::Fetch { .. } => "wants the file of",
            Step::Pause { .. } => "pauses",
            Step::Resume { .. } => "goes on with",
            _ => unreachable!("no wish"),
        };
        let finding = self.found_by_hand(&asked);
        let step = step.clone();
        let wish = async move { outcome(wished(&engine, &step, &id, finding).await) };
        let what = format!("the person {what} export {number}");
        self.acts.push((what.clone(), tokio::spawn(wish)));
        what
    }

    /// What a person finds who looks at the service: the truth.
    fn found_by_hand(&self, asked: &Asked) -> ByHand {
        let job = self.book.jobs.iter().find(|(_, job)| job.key.as_ref() == Some(&asked.key));
        match job {
            Some((id, _)) => ByHand::Job { business_id: id.clone() },
            None => ByHand::Absent,
        }
    }

    fn sign_in(&mut self, who: Who) -> String {
        let Some(open) = &self.client else {
            return "somebody would sign in, but no Docket runs".to_owned();
        };
        let secret = match who {
            Who::Ada => ADA,
            Who::AdaRenewed => ADA_RENEWED,
            Who::Bob => BOB,
        };
        let engine = open.client.engine.clone();
        let what = format!("{who:?} signs in");
        let act = async move {
            let services = engine.services().await.expect("services can be listed");
            let id = services.first().expect("a service was added").id.clone();
            let id = docket_engine::export::ServiceId::from_text(id);
            outcome(engine.sign_in(&id, secret.to_owned()).await)
        };
        self.acts.push((what.clone(), tokio::spawn(act)));
        what
    }

    /// Tells of what a person did, once it is done.
    pub async fn gather_acts(&mut self) {
        let mut open = Vec::new();
        for (what, act) in self.acts.drain(..) {
            if act.is_finished() {
                let said = act.await.expect("an act ends by itself");
                if said != "done" {
                    self.tale.seen(self.clocks.passed, format!("{what}: {said}"));
                }
            } else {
                open.push((what, act));
            }
        }
        self.acts = open;
    }

    /// Sets which credentials the service takes.
    pub fn take(&mut self, which: Tokens) {
        self.tokens = which;
        if self.world.serves() {
            let taken = self.world.service().replace_tokens(tokens(which));
            taken.expect("the tokens are well formed");
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "only wishes come here")]
async fn wished(
    engine: &Engine,
    step: &Step,
    id: &ExportId,
    finding: ByHand,
) -> Result<ExportView, EngineError> {
    match step {
        Step::Cancel { .. } => engine.cancel(id).await,
        Step::Check { .. } => engine.check_now(id).await,
        Step::Resend { .. } => engine.resend(id).await,
        Step::SendNow { .. } => engine.send_now(id).await,
        Step::Settle { .. } => engine.settle(id, finding).await,
        Step::Fetch { .. } => engine.download(id, None).await,
        Step::Pause { .. } => engine.pause(id).await,
        _ => engine.resume(id).await,
    }
}

fn outcome<T>(done: Result<T, EngineError>) -> String {
    done.map_or_else(|error| said(&error), |_| "done".to_owned())
}

/// An error without ids, ports or folders.
fn said(error: &EngineError) -> String {
    format!("{:?}", error.code)
}

/// The right length and the wrong bytes.
fn wrong_file() -> Rule {
    Rule::edit(Call::File, |answer| {
        if let Some(byte) = answer.body.last_mut() {
            *byte ^= 0x20;
        }
    })
}
