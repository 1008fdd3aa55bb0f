//! Each kind of call, and a story in which it is made: the fault meets the first one, and the export
//! ends right all the same, with one job.

use std::time::Duration;

use docket_engine::{
    attempt::{AttemptKind, CallReason, CallResult, Phase},
    export::ExportId,
    policy::Policy,
    stage::Stage,
    view::ExportView,
};
use docket_service::{Config, Feature};
use docket_tests::{
    Call, Client, PATIENCE, Rule, World,
    client::short,
    story::attempts,
    world::{ADA, never_ending, week},
};

/// How long a client waits for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// Longer than any call takes, also on a machine that has much to do.
    Long,
    /// Not long: the fault is that nothing comes.
    Briefly,
}

impl Waits {
    fn time(self) -> Duration {
        match self {
            Self::Long => PATIENCE / 2,
            Self::Briefly => Duration::from_millis(600),
        }
    }
}

/// A kind of call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Describe,
    Catalogue,
    Submit,
    Key,
    Traits,
    Poll,
    Abandon,
    Cancel,
    File,
}

impl Kind {
    pub const ALL: [Self; 9] = [
        Self::Describe,
        Self::Catalogue,
        Self::Submit,
        Self::Key,
        Self::Traits,
        Self::Poll,
        Self::Abandon,
        Self::Cancel,
        Self::File,
    ];

    /// The call as the proxy knows it.
    pub fn call(self) -> Call {
        match self {
            Self::Describe => Call::Service,
            Self::Catalogue => Call::Operations,
            Self::Submit => Call::Submit,
            Self::Key => Call::Key,
            Self::Traits => Call::Traits,
            Self::Poll => Call::Job,
            Self::Abandon => Call::Abandon,
            Self::Cancel => Call::Cancel,
            Self::File => Call::File,
        }
    }

    /// The attempt that it is written down as. Whose credential it is, is asked before a submit.
    pub fn attempt(self) -> AttemptKind {
        match self {
            Self::Describe => AttemptKind::Describe,
            Self::Catalogue | Self::Submit => AttemptKind::Submit,
            Self::Key | Self::Traits => AttemptKind::Lookup,
            Self::Poll => AttemptKind::Poll,
            Self::Abandon => AttemptKind::Abandon,
            Self::Cancel => AttemptKind::Cancel,
            Self::File => AttemptKind::Download,
        }
    }

    fn service(self, config: &mut Config) {
        use Feature::{Abandon, Idempotency, Lookup, Traits};
        match self {
            Self::Traits => config.without = [Idempotency, Lookup, Abandon].into(),
            Self::Abandon => config.without = [Idempotency, Lookup, Traits].into(),
            Self::Cancel => never_ending(config),
            Self::Describe
            | Self::Catalogue
            | Self::Submit
            | Self::Key
            | Self::Poll
            | Self::File => {}
        }
    }

    /// How the export ends, whatever met its call.
    fn end(self) -> Stage {
        if self == Self::Cancel { Stage::Cancelled } else { Stage::Saved }
    }
}

/// How the first attempt of a kind ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    pub call: CallResult,
    pub phase: Option<Phase>,
    pub reason: Option<CallReason>,
}

/// A world, its client and the export, from the moment in which the fault is to come.
pub struct Story {
    pub world: World,
    pub client: Client,
    kind: Kind,
    id: Option<ExportId>,
}

impl Story {
    /// Everything up to the call.
    pub async fn before(kind: Kind, waits: Waits) -> Self {
        let world = World::with(|config| kind.service(config)).await;
        let policy = Policy {
            connect_timeout: waits.time(),
            change_timeout: waits.time(),
            look_timeout: waits.time(),
            file_idle_timeout: waits.time(),
            window: Duration::from_secs(20),
            ..short()
        };
        let client = world.open_client(|options| options.policy = policy).await;
        let first = matches!(kind, Kind::Describe | Kind::Catalogue);
        if first {
            // What the service is and who calls is not known before the export is asked for.
            world.proxy.refuse().await;
        }
        client.add_service(&world.proxy.url(), ADA).await;
        if first {
            world.proxy.listen();
        }
        let mut story = Self { world, client, kind, id: None };
        if kind == Kind::Cancel {
            let id = story.client.ask(week()).await;
            story.client.until_stage(&id, Stage::Running).await;
            story.id = Some(id);
        }
        story
    }

    /// The call, which meets this.
    pub async fn meet(&mut self, fault: Option<Rule>) -> ExportId {
        let lost = matches!(self.kind, Kind::Key | Kind::Traits | Kind::Abandon)
            .then(|| Rule::lose_answer(Call::Submit));
        self.world.proxy.rules(lost.into_iter().chain(fault));
        match self.id.clone() {
            Some(id) => {
                self.client.engine.cancel(&id).await.expect("a running job can be cancelled");
                id
            }
            None => {
                let id = self.client.ask(week()).await;
                self.id = Some(id.clone());
                id
            }
        }
    }

    /// The right end, with one job and one key.
    pub async fn end(&self) -> ExportView {
        let id = self.id.as_ref().expect("it was asked for");
        let end = self.client.until_stage(id, self.kind.end()).await;
        assert_eq!(self.world.rows().jobs().len(), 1, "{:?}", self.world.proxy.seen());
        self.world.holds(&[&self.client]);
        end
    }
}

/// What was written down of the first attempt of this kind.
pub fn recorded(view: &ExportView, kind: Kind) -> Recorded {
    let first = attempts(view, kind.attempt())[0];
    Recorded {
        call: first.call_result.expect("it has ended"),
        phase: first.phase,
        reason: first.reason.as_deref().and_then(CallReason::parse),
    }
}
