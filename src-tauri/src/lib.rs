//! The window: composes paths, engine, practice service, tray, commands and events.
//!
//! The only crate that knows Tauri. It decides nothing about exports: a command rings the engine's
//! bell and hands its answer on. Correctness never depends on a clean end; a kill does as well.

mod commands;
mod desk;
mod error;
mod events;
mod files;
mod practice;
mod start;
mod tray;
mod view;
mod weather;
mod window;

#[cfg(test)]
mod bindings;

use std::process::ExitCode;

use tauri::{RunEvent, generate_handler};

/// Opens the window and stays until it is closed.
pub fn run() -> ExitCode {
    if !has_display() {
        eprintln!(
            "Docket finds no display to open its window on. In a terminal the program `docket` does the same."
        );
        return ExitCode::FAILURE;
    }
    let builder = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::Builder::new().open_js_links_on_click(false).build())
        .plugin(window::remembered())
        .invoke_handler(generate_handler![
            commands::start_state,
            commands::dismiss_notice,
            commands::services,
            commands::add_service,
            commands::remove_service,
            commands::check_service,
            commands::sign_in,
            commands::operations,
            commands::request_export,
            commands::twin,
            commands::get_export,
            commands::list_exports,
            commands::counts,
            commands::check_now,
            commands::send_now,
            commands::resend,
            commands::cancel,
            commands::settle,
            commands::download,
            commands::pause,
            commands::resume,
            commands::open_file,
            commands::show_in_folder,
            commands::choose_folder,
            commands::free_space,
            commands::set_language,
            commands::set_theme,
            commands::weather,
            commands::set_weather,
            commands::new_click_id,
            commands::start_practice,
        ])
        .on_window_event(window::on_event)
        .setup(|app| start::setup(app.handle()));
    let app = match start::once(builder).build(tauri::generate_context!()) {
        Ok(app) => app,
        Err(error) => {
            eprintln!("Docket can't open its window: {error}");
            return ExitCode::FAILURE;
        }
    };
    app.run(|app, event| {
        if let RunEvent::Exit = event {
            start::end(app);
        }
    });
    ExitCode::SUCCESS
}

/// GTK panics where none is named.
fn has_display() -> bool {
    let named = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || named("DISPLAY") || named("WAYLAND_DISPLAY")
}
