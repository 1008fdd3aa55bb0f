//! Every bell that the window can ring. Each rings the engine's and hands its answer on.
//!
//! A new command is named here, in `build.rs`, in `capabilities/main.json` and in `lib.rs`; one that
//! is not allowed in the capability can not be called.

#![expect(clippy::let_underscore_must_use, reason = "so does Tauri's macro, in its own code")]

use std::path::PathBuf;

use docket_engine::{
    engine::{Engine, NewService, Options},
    error::EngineError,
    export::{ClickId, ExportId, ServiceId},
    knowledge::ByHand,
    settings::Theme,
    store::{Practice, Role},
    view::{
        CatalogueView, CheckView, ExportView, ListPage, ListQuery, NoticeView, RequestExport,
        Requested, SectionCounts, ServiceView,
    },
    words::{Language, Words},
};
use tauri::{AppHandle, Manager, State, WebviewWindow};

use crate::{
    desk::Desk,
    error::CommandError,
    files, practice, tray,
    view::{FreeSpace, RoleView, StartState, Weather, WeatherView},
    weather, window,
};

type Answer<T> = Result<T, CommandError>;
type OnDesk<'a> = State<'a, Desk>;

fn export(id: String) -> ExportId {
    ExportId::from_text(id)
}

/// What the window must know before it draws anything; or why there is nothing to draw.
#[tauri::command]
pub async fn start_state(desk: OnDesk<'_>) -> Answer<StartState> {
    let engine = desk.engine()?;
    let services = engine.services().await?;
    let counts = engine.counts().await?;
    let asked = counts.needs_attention + counts.in_progress + counts.finished;
    Ok(StartState {
        language: desk.language(),
        theme: desk.settings().theme,
        practice: desk.practice.lock().await.is_some(),
        first_run: services.is_empty() && asked == 0,
        role: match engine.role() {
            Role::Driver => RoleView::Driver,
            Role::Observer => RoleView::Observer,
        },
        notices: engine.notices().await?,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

#[tauri::command]
pub async fn dismiss_notice(desk: OnDesk<'_>, id: i64) -> Answer<Vec<NoticeView>> {
    Ok(desk.engine()?.dismiss_notice(id).await?)
}

#[tauri::command]
pub async fn services(desk: OnDesk<'_>) -> Answer<Vec<ServiceView>> {
    Ok(desk.engine()?.services().await?)
}

#[tauri::command]
pub async fn add_service(
    desk: OnDesk<'_>,
    name: Option<String>,
    address: String,
    tenant_id: String,
    token: Option<String>,
) -> Answer<ServiceView> {
    let new = NewService { name, address, tenant_id, token, practice: Practice::No };
    Ok(desk.engine()?.add_service(new).await?)
}

#[tauri::command]
pub async fn remove_service(desk: OnDesk<'_>, id: String) -> Answer<()> {
    Ok(desk.engine()?.remove_service(&ServiceId::from_text(id)).await?)
}

#[tauri::command]
pub async fn check_service(desk: OnDesk<'_>, id: String) -> Answer<Vec<CheckView>> {
    Ok(desk.engine()?.check_service(&ServiceId::from_text(id)).await?)
}

#[tauri::command]
pub async fn sign_in(desk: OnDesk<'_>, id: String, token: String) -> Answer<ServiceView> {
    Ok(desk.engine()?.sign_in(&ServiceId::from_text(id), token).await?)
}

#[tauri::command]
pub async fn start_practice(desk: OnDesk<'_>) -> Answer<ServiceView> {
    practice::start(&desk).await
}

#[tauri::command]
pub async fn operations(desk: OnDesk<'_>, service_id: String) -> Answer<CatalogueView> {
    Ok(desk.engine()?.operations(&ServiceId::from_text(service_id)).await?)
}

#[tauri::command]
pub fn new_click_id() -> String {
    ClickId::mint().to_string()
}

#[tauri::command]
pub async fn request_export(desk: OnDesk<'_>, request: RequestExport) -> Answer<Requested> {
    Ok(desk.engine()?.request(request).await?)
}

#[tauri::command]
pub async fn twin(desk: OnDesk<'_>, request: RequestExport) -> Answer<Option<Requested>> {
    Ok(desk.engine()?.twin(request).await?)
}

#[tauri::command]
pub async fn get_export(desk: OnDesk<'_>, id: String) -> Answer<ExportView> {
    Ok(desk.engine()?.get(&export(id)).await?)
}

#[tauri::command]
pub async fn list_exports(desk: OnDesk<'_>, query: ListQuery) -> Answer<ListPage> {
    Ok(desk.engine()?.list(query).await?)
}

#[tauri::command]
pub async fn counts(desk: OnDesk<'_>) -> Answer<SectionCounts> {
    Ok(desk.engine()?.counts().await?)
}

/// A verb of the engine that an export's button rings.
async fn ring<F>(desk: &Desk, verb: impl FnOnce(Engine) -> F) -> Answer<ExportView>
where
    F: Future<Output = Result<ExportView, EngineError>>,
{
    Ok(verb(desk.engine()?.clone()).await?)
}

#[tauri::command]
pub async fn check_now(desk: OnDesk<'_>, id: String) -> Answer<ExportView> {
    ring(&desk, |engine| async move { engine.check_now(&export(id)).await }).await
}

#[tauri::command]
pub async fn send_now(desk: OnDesk<'_>, id: String) -> Answer<ExportView> {
    ring(&desk, |engine| async move { engine.send_now(&export(id)).await }).await
}

#[tauri::command]
pub async fn resend(desk: OnDesk<'_>, id: String) -> Answer<ExportView> {
    ring(&desk, |engine| async move { engine.resend(&export(id)).await }).await
}

#[tauri::command]
pub async fn cancel(desk: OnDesk<'_>, id: String) -> Answer<ExportView> {
    ring(&desk, |engine| async move { engine.cancel(&export(id)).await }).await
}

#[tauri::command]
pub async fn settle(desk: OnDesk<'_>, id: String, finding: ByHand) -> Answer<ExportView> {
    ring(&desk, |engine| async move { engine.settle(&export(id), finding).await }).await
}

#[tauri::command]
pub async fn download(desk: OnDesk<'_>, id: String, folder: Option<PathBuf>) -> Answer<ExportView> {
    ring(&desk, |engine| async move { engine.download(&export(id), folder).await }).await
}

#[tauri::command]
pub async fn pause(desk: OnDesk<'_>, id: String) -> Answer<ExportView> {
    ring(&desk, |engine| async move { engine.pause(&export(id)).await }).await
}

#[tauri::command]
pub async fn resume(desk: OnDesk<'_>, id: String) -> Answer<ExportView> {
    ring(&desk, |engine| async move { engine.resume(&export(id)).await }).await
}

#[tauri::command]
pub async fn open_file(app: AppHandle, desk: OnDesk<'_>, id: String) -> Answer<()> {
    files::open(&app, desk.engine()?, &id).await
}

#[tauri::command]
pub async fn show_in_folder(app: AppHandle, desk: OnDesk<'_>, id: String) -> Answer<()> {
    files::show(&app, desk.engine()?, &id).await
}

#[tauri::command]
pub async fn choose_folder(app: AppHandle) -> Answer<Option<String>> {
    files::choose_folder(&app).await
}

#[tauri::command]
pub async fn free_space(desk: OnDesk<'_>, folder: Option<PathBuf>) -> Answer<FreeSpace> {
    let folder = match folder {
        Some(folder) => folder,
        None => Options::at(desk.home().to_owned())?.downloads,
    };
    files::free_space(folder).await
}

#[tauri::command]
pub async fn set_language(app: AppHandle, language: Language) -> Answer<()> {
    let desk = app.state::<Desk>();
    // The language changes at once, also where the choice can not be kept.
    desk.speak(Words::for_language(language));
    tray::relabel(&app);
    desk.choose(|settings| settings.language = Some(language))?;
    Ok(())
}

#[tauri::command]
pub async fn set_theme(main: WebviewWindow, desk: OnDesk<'_>, theme: Theme) -> Answer<()> {
    if let Err(error) = main.set_theme(window::system(theme)) {
        tracing::warn!(%error, "the system does not take the theme");
    }
    desk.choose(|settings| settings.theme = theme)?;
    Ok(())
}

#[tauri::command]
pub async fn weather(desk: OnDesk<'_>) -> Answer<WeatherView> {
    weather::read(desk.practice.lock().await.as_ref())
}

#[tauri::command]
pub async fn set_weather(desk: OnDesk<'_>, weather: Weather) -> Answer<WeatherView> {
    weather::set(desk.practice.lock().await.as_mut(), weather)
}
