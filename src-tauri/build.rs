//! Compiles `tauri.conf.json` and the capability files into the program, and refuses every command
//! that no capability names: a command that is added here must be allowed in `capabilities/`.

use tauri_build::{AppManifest, Attributes};

/// Every command of `src/commands.rs`.
const COMMANDS: &[&str] = &[
    "start_state",
    "dismiss_notice",
    "services",
    "add_service",
    "remove_service",
    "check_service",
    "sign_in",
    "operations",
    "request_export",
    "twin",
    "get_export",
    "list_exports",
    "counts",
    "check_now",
    "send_now",
    "resend",
    "cancel",
    "settle",
    "download",
    "pause",
    "resume",
    "open_file",
    "show_in_folder",
    "choose_folder",
    "free_space",
    "set_language",
    "set_theme",
    "weather",
    "set_weather",
    "new_click_id",
    "start_practice",
];

fn main() {
    let attributes = Attributes::new().app_manifest(AppManifest::new().commands(COMMANDS));
    tauri_build::try_build(attributes).expect("the configuration and the capabilities fit");
}
