//! Opening what Docket has saved, and nothing else.
//!
//! The window names an export, never a path. What is opened is the file that the engine saved for
//! it, and only where its kind holds data: nothing that a system would run.

use std::path::{Path, PathBuf};

use docket_engine::{
    engine::Engine,
    export::ExportId,
    view::{ErrorCode, ExportView},
};
use tauri::{AppHandle, async_runtime};
use tauri_plugin_dialog::DialogExt;
use tauri_plugin_opener::OpenerExt;

use crate::{error::CommandError, view::FreeSpace};

/// What is opened, by the end of its name.
const DATA: &[&str] = &["csv", "xlsx", "ndjson", "json", "pdf", "txt", "zip", "parquet"];

/// Opens the file of an export in the program that the system has for it.
///
/// # Errors
/// There is none, it is of another kind, or the system has no program for it.
pub async fn open(app: &AppHandle, engine: &Engine, id: &str) -> Result<(), CommandError> {
    let path = saved(engine, id).await?;
    if !holds_data(&path) {
        return Err(CommandError::new(
            ErrorCode::NotNow,
            "Docket opens data files only; open the folder and decide there.",
        ));
    }
    app.opener().open_path(path.display().to_string(), None::<&str>).map_err(refused)
}

/// Shows the file of an export in its folder.
///
/// # Errors
/// There is none, or the system has no way to show it.
pub async fn show(app: &AppHandle, engine: &Engine, id: &str) -> Result<(), CommandError> {
    let path = saved(engine, id).await?;
    let Err(error) = app.opener().reveal_item_in_dir(&path) else { return Ok(()) };
    tracing::info!(%error, "the file can not be pointed at; its folder is opened");
    let folder = path.parent().unwrap_or(&path).display().to_string();
    app.opener().open_path(folder, None::<&str>).map_err(refused)
}

/// Lets the person choose a folder.
///
/// # Errors
/// The dialog can not be shown.
pub async fn choose_folder(app: &AppHandle) -> Result<Option<String>, CommandError> {
    let (sender, chosen) = tokio::sync::oneshot::channel();
    app.dialog().file().pick_folder(move |folder| {
        // Where the window is gone nobody waits for the answer.
        drop(sender.send(folder));
    });
    let folder = chosen.await.unwrap_or_default();
    Ok(folder.and_then(|folder| folder.into_path().ok()).map(|path| path.display().to_string()))
}

/// How much room there is in a folder, or where it will be made.
///
/// # Errors
/// The system does not say.
pub async fn free_space(folder: PathBuf) -> Result<FreeSpace, CommandError> {
    let asked = folder.clone();
    let free = async_runtime::spawn_blocking(move || fs4::available_space(existing(&asked)));
    match free.await {
        Ok(Ok(free)) => Ok(FreeSpace { folder: folder.display().to_string(), free }),
        Ok(Err(error)) => Err(unknown_space(&folder, &error)),
        Err(error) => Err(unknown_space(&folder, &error)),
    }
}

fn unknown_space(folder: &Path, error: &dyn std::error::Error) -> CommandError {
    let message = format!("The free space of {} is not known: {error}.", folder.display());
    CommandError::new(ErrorCode::CannotWrite, message)
}

/// The nearest folder above that is there already.
fn existing(folder: &Path) -> &Path {
    folder.ancestors().find(|above| above.is_dir()).unwrap_or(folder)
}

async fn saved(engine: &Engine, id: &str) -> Result<PathBuf, CommandError> {
    let export = engine.get(&ExportId::from_text(id)).await?;
    let path = path_of(&export).ok_or_else(|| {
        CommandError::new(ErrorCode::NotNow, "This export has no file on this computer yet.")
    })?;
    if path.is_file() {
        return Ok(path);
    }
    Err(CommandError::new(
        ErrorCode::NotNow,
        "The file was moved or deleted; download it again while the service keeps it.",
    ))
}

fn path_of(export: &ExportView) -> Option<PathBuf> {
    export.file.as_ref().map(|file| PathBuf::from(&file.path))
}

fn holds_data(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| DATA.iter().any(|data| data.eq_ignore_ascii_case(extension)))
}

fn refused(error: tauri_plugin_opener::Error) -> CommandError {
    CommandError::new(ErrorCode::Internal, format!("The system did not open it: {error}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_data_is_opened() {
        for name in ["a.csv", "a.XLSX", "b.tar.zip"] {
            assert!(holds_data(Path::new(name)), "{name}");
        }
        for name in ["a.exe", "a.csv.desktop", "csv", ".csv", "a.sh", "a.html", "a.lnk", "a.csv "] {
            assert!(!holds_data(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn the_room_of_a_folder_that_is_not_there_yet_is_that_of_the_one_above() {
        let folder = std::env::temp_dir();
        assert_eq!(existing(&folder.join("a").join("b")), folder);
    }
}
