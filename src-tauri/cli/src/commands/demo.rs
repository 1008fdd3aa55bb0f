//! `docket demo`: a practice service of its own, a lost receipt, a verified file.
//!
//! Everything is real: the service commits and closes the connection without a byte, the engine
//! finds the export by its request number, the file's digest is computed from the bytes on disk.
//! Only the service is a stranger to nobody: it lives in this process and in `practice/`.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use docket_engine::{
    attempt::{AttemptKind, CallResult, Verified},
    clock::{Clock, SystemClock},
    engine::NewService,
    export::{ClickId, ExportId, ServiceId},
    stage::Stage,
    store::{Practice, Role},
    view::{ChangeView, ExportView, Knowing, RequestExport, Requested, ServiceView},
    words::{Fillings, Words},
};
use docket_service::{
    Config, PRACTICE_TENANT, Rule, ServiceHandle,
    faults::{Call, Effect},
};
use jiff::Timestamp;
use serde_json::json;
use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::{
    commands::export::absolute,
    exit::Exit,
    failure::Failure,
    output::{Format, note, plain},
    sentences::{self, bytes, percent},
    session::Session,
    watch,
};

/// The demonstration takes some seconds; one that takes longer has gone wrong.
const BOUND: Duration = Duration::from_secs(60);

/// Does what was typed.
pub async fn run(session: &Session, output: Option<PathBuf>) -> Result<Exit, Failure> {
    if session.engine.role() == Role::Observer {
        return Err(Failure::said(Exit::Driven, "terminal-error-demo-other", &[]));
    }
    let began = SystemClock.now();
    let folder = output.as_deref().map(absolute).transpose()?;
    let practice = practice(&session.home).await?;
    let ended = shown(session, &practice, folder, began).await;
    practice.shutdown().await;
    ended
}

/// The practice service, in a folder of its own below Docket's.
async fn practice(home: &Path) -> Result<ServiceHandle, Failure> {
    let folder = home.join("practice");
    let config = Config::practice(folder.join("service.db"), folder.join("files"));
    docket_service::start(config).await.map_err(|error| {
        let problem = error.to_string();
        Failure::said(Exit::Other, "terminal-error-practice", &[("problem", &problem)])
    })
}

async fn shown(
    session: &Session,
    practice: &ServiceHandle,
    folder: Option<String>,
    began: Timestamp,
) -> Result<Exit, Failure> {
    let teller = Teller { words: &session.words, format: session.output.format };
    teller.tell("terminal-demo-service", &[("address", practice.url().into())]);
    let service = added(session, practice).await?;
    let id = ServiceId::from_text(service.id.clone());
    practice.faults().set(vec![Rule {
        on: Call::Submit,
        times: 1,
        effect: Effect::LoseAnswerAfterCommit,
    }]);
    teller.tell("terminal-demo-rule", &[]);
    let followed = exported(session, &teller, &service, folder).await;
    if let Ok(export) = &followed
        && export.stage.is_settled()
    {
        // It ends with the demonstration: nobody is to send it anything later.
        session.engine.remove_service(&id).await?;
    }
    let export = followed?;
    let verified = export.file.as_ref().map(|file| file.verified);
    if (export.stage, verified) != (Stage::Saved, Some(Verified::Digest)) {
        let stage = sentences::label(&session.words, &export);
        let fillings = [("id", export.id.as_str()), ("stage", stage.as_str())];
        return Err(Failure::said(Exit::of(&export), "terminal-error-demo-ended", &fillings));
    }
    let seconds = SystemClock.now().duration_since(began).as_secs_f64();
    teller.tell("terminal-demo-end", &[("seconds", format!("{seconds:.1}").into())]);
    session.output.answer(&export, Vec::new)?;
    Ok(Exit::Done)
}

async fn added(session: &Session, practice: &ServiceHandle) -> Result<ServiceView, Failure> {
    let new = NewService {
        name: None,
        address: practice.url(),
        tenant_id: PRACTICE_TENANT.to_owned(),
        token: None,
        practice: Practice::Yes,
    };
    let service = session.engine.add_service(new).await?;
    if let Some(token) = practice.practice_token() {
        session.lend(&service, token.to_owned()).await?;
    }
    Ok(service)
}

/// Asks for the export and tells of it until it answers.
async fn exported(
    session: &Session,
    teller: &Teller<'_>,
    service: &ServiceView,
    folder: Option<String>,
) -> Result<ExportView, Failure> {
    let mut changes = session.engine.subscribe();
    let requested = session.engine.request(request(service, folder)).await?;
    let export = match requested {
        Requested::Recorded { export }
        | Requested::SameClick { export }
        | Requested::Twin { export, copy: _ }
        | Requested::NearTwin { export } => export,
    };
    note(&format!("recorded {}", export.id));
    teller.tell("terminal-demo-recorded", &[("id", export.id.as_str().into())]);
    session.engine.start();
    let id = ExportId::from_text(export.id);
    let mut story = Story::default();
    let told = tell_story(teller, &mut story, &id, &mut changes);
    let ended = tokio::select! {
        ended = tokio::time::timeout(BOUND, session.engine.settled_or_waiting(&id)) => ended.ok(),
        () = told => None,
        stopped = watch::interrupted() => { stopped?; None }
    };
    let export = match ended {
        Some(export) => export?,
        None => session.engine.get(&id).await?,
    };
    story.go_on(teller, &export);
    Ok(export)
}

fn request(service: &ServiceView, folder: Option<String>) -> RequestExport {
    RequestExport {
        service_id: service.id.clone(),
        operation: "orders".to_owned(),
        parameters: json!({"from": "2026-01-01", "to": "2026-03-31"}),
        format: "csv".to_owned(),
        click_id: ClickId::mint().as_str().to_owned(),
        supersedes: None,
        folder,
        knowing: Knowing::ALL.to_vec(),
    }
}

async fn tell_story(
    teller: &Teller<'_>,
    story: &mut Story,
    id: &ExportId,
    changes: &mut Receiver<ChangeView>,
) {
    loop {
        match changes.recv().await {
            Ok(ChangeView::Export { export, .. }) if export.id == id.as_str() => {
                story.go_on(teller, &export);
            }
            Ok(
                ChangeView::Export { .. }
                | ChangeView::Services { .. }
                | ChangeView::Notices { .. },
            )
            | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return std::future::pending().await,
        }
    }
}

/// Says the sentences: as the answer for people, beside it for programs.
struct Teller<'a> {
    words: &'a Words,
    format: Format,
}

impl Teller<'_> {
    fn tell(&self, id: &str, fillings: Fillings<'_>) {
        let sentence = self.words.say(id, fillings);
        match self.format {
            Format::Json => note(&sentence),
            Format::Text => crate::output::line(&sentence),
        }
    }
}

/// How far the story was told: each sentence once and in order, however many changes come at once.
#[derive(Debug, Default)]
struct Story {
    chapters: usize,
    percent: Option<u64>,
}

/// A sentence, and what must be so for it.
type Chapter = (&'static str, fn(&ExportView) -> bool);

/// The chapters, in order.
const CHAPTERS: &[Chapter] = &[
    ("terminal-demo-sent", |export| submit(export).is_some()),
    ("terminal-demo-lost", |export| submit(export) == Some(Some(CallResult::Lost))),
    ("terminal-demo-confirming", |export| export.stage == Stage::Confirming || export.looks > 0),
    ("terminal-demo-looked", |export| export.business_id.is_some()),
    ("terminal-demo-ready", |export| export.offered.is_some()),
    ("terminal-demo-saved", |export| export.file.is_some()),
    ("terminal-demo-verified", |export| export.stage == Stage::Saved),
];

impl Story {
    fn go_on(&mut self, teller: &Teller<'_>, export: &ExportView) {
        while let Some((id, holds)) = CHAPTERS.get(self.chapters) {
            if *id == "terminal-demo-ready" {
                self.tell_progress(teller, export);
            }
            if !holds(export) {
                return;
            }
            teller.tell(id, &fillings(teller.words, export));
            self.chapters += 1;
        }
    }

    fn tell_progress(&mut self, teller: &Teller<'_>, export: &ExportView) {
        let Some(progress) = export.progress.as_ref().filter(|_| export.stage == Stage::Running)
        else {
            return;
        };
        let total = progress.total.unwrap_or_default();
        let percent = percent(progress.done, total);
        if self.percent == Some(percent) {
            return;
        }
        self.percent = Some(percent);
        let fillings: Fillings<'_> = &[
            ("percent", percent.to_string().into()),
            ("done", progress.done.to_string().into()),
            ("total", total.to_string().into()),
            ("unit", plain(&progress.unit).into()),
        ];
        teller.tell("terminal-demo-running", fillings);
    }
}

/// The first submit, and how its call ended.
fn submit(export: &ExportView) -> Option<Option<CallResult>> {
    let submit = export.attempts.iter().find(|attempt| attempt.kind == AttemptKind::Submit)?;
    Some(submit.call_result)
}

fn fillings<'a>(
    words: &Words,
    export: &'a ExportView,
) -> [(&'a str, docket_engine::words::FluentValue<'a>); 7] {
    let lost = export.attempts.iter().find(|attempt| attempt.kind == AttemptKind::Submit);
    let reason = lost.and_then(|attempt| attempt.reason.as_deref()).unwrap_or_default();
    let reason = words.find(&format!("terminal-call-{reason}"), &[]).unwrap_or_default();
    let offered = export.offered.as_ref();
    let file = export.file.as_ref();
    [
        ("key", export.request_key.as_str().into()),
        ("reason", reason.into()),
        ("job", export.business_id.as_deref().unwrap_or_default().into()),
        ("file", offered.map(|offered| plain(&offered.name)).unwrap_or_default().into()),
        ("size", offered.map(|offered| bytes(offered.size)).unwrap_or_default().into()),
        ("path", file.map(|file| file.path.as_str()).unwrap_or_default().into()),
        ("digest", file.map(|file| file.digest.as_str()).unwrap_or_default().into()),
    ]
}
