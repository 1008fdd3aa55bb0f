//! The one window: made when the engine is there, remembered between starts, hidden or closed as
//! the person has chosen. Its title is the program's name and nothing of an export.

use docket_engine::settings::{CloseButton, Theme};
use tauri::{
    AppHandle, Manager, Window, WindowEvent, Wry, plugin::TauriPlugin,
    webview::WebviewWindowBuilder,
};
use tauri_plugin_window_state::StateFlags;

use crate::{desk::Desk, tray};

/// Its label.
pub const MAIN: &str = "main";

/// Size and place are remembered; whether it was hidden is not, or nobody would find it again.
pub fn remembered() -> TauriPlugin<Wry> {
    let flags = StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED;
    tauri_plugin_window_state::Builder::default().with_state_flags(flags).build()
}

/// Makes the window.
///
/// # Errors
/// The system gives none.
pub fn open(app: &AppHandle) -> tauri::Result<()> {
    let theme = app.state::<Desk>().settings().theme;
    for config in app.config().app.windows.iter().filter(|config| config.label == MAIN) {
        WebviewWindowBuilder::from_config(app, config)?.theme(system(theme)).build()?;
    }
    Ok(())
}

/// Tauri's word for a theme; none where the system decides.
pub fn system(theme: Theme) -> Option<tauri::Theme> {
    match theme {
        Theme::System => None,
        Theme::Light => Some(tauri::Theme::Light),
        Theme::Dark => Some(tauri::Theme::Dark),
    }
}

/// Brings the window to the front.
pub fn show(app: &AppHandle) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    let shown = window.show().and_then(|()| window.unminimize()).and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window does not come to the front");
    }
}

/// The close button ends the program, or hides the window where the person wants that and a tray
/// can bring it back.
pub fn on_event(window: &Window, event: &WindowEvent) {
    if let WindowEvent::CloseRequested { api, .. } = event {
        let app = window.app_handle();
        let Some(desk) = app.try_state::<Desk>() else { return };
        match desk.settings().close {
            CloseButton::Quit => {}
            CloseButton::Background if !tray::is_there(app) => {}
            CloseButton::Background => {
                api.prevent_close();
                if let Err(error) = window.hide() {
                    tracing::warn!(%error, "the window does not hide");
                }
            }
        }
    }
}
