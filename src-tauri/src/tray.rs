//! The tray: one sentence on how things stand, and the way back to the window.
//!
//! On Linux the menu is the contract: a click on the icon may never arrive. Where there is no tray,
//! or none can be made, everything else works all the same.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError},
};

use docket_engine::view::SectionCounts;
use tauri::{
    AppHandle, Emitter, Manager, Wry,
    menu::{Menu, MenuEvent, MenuItem, PredefinedMenuItem},
    tray::TrayIconBuilder,
};

use crate::{desk::Desk, window};

/// The event that asks the window for an empty form.
const NEW_EXPORT: &str = "docket://new-export";

const HEADLINE: &str = "headline";
const NEW: &str = "new-export";
const OPEN: &str = "open";
const QUIT: &str = "quit";

/// The tray's menu, kept so that its words can change.
struct Tray {
    headline: MenuItem<Wry>,
    new: MenuItem<Wry>,
    open: MenuItem<Wry>,
    quit: MenuItem<Wry>,
    counts: Mutex<SectionCounts>,
}

/// Shows the tray, where the system has one.
pub fn show(app: &AppHandle) {
    // The system's tray library is loaded here and panics where it is missing.
    match catch_unwind(AssertUnwindSafe(|| build(app))) {
        Ok(Ok(())) => relabel(app),
        Ok(Err(error)) => tracing::info!(%error, "there is no tray"),
        Err(_) => tracing::info!("there is no tray library"),
    }
}

/// Whether there is a tray to bring the window back with.
pub fn is_there(app: &AppHandle) -> bool {
    app.try_state::<Tray>().is_some()
}

/// Tells how things stand.
pub fn tell(app: &AppHandle, counts: SectionCounts) {
    if let Some(tray) = app.try_state::<Tray>() {
        *tray.counts.lock().unwrap_or_else(PoisonError::into_inner) = counts;
        relabel(app);
    }
}

/// Says everything anew, in the language of now.
pub fn relabel(app: &AppHandle) {
    let (Some(tray), Some(desk)) = (app.try_state::<Tray>(), app.try_state::<Desk>()) else {
        return;
    };
    let counts = *tray.counts.lock().unwrap_or_else(PoisonError::into_inner);
    let (id, fillings) = headline(counts);
    let fillings: Vec<_> = fillings.iter().map(|(name, count)| (*name, (*count).into())).collect();
    let said = tray
        .headline
        .set_text(desk.say(id, &fillings))
        .and_then(|()| tray.new.set_text(desk.say("tray-new-export", &[])))
        .and_then(|()| tray.open.set_text(desk.say("tray-open", &[])))
        .and_then(|()| tray.quit.set_text(desk.say("tray-quit", &[])));
    if let Err(error) = said {
        tracing::warn!(%error, "the tray keeps its words");
    }
}

/// The one sentence: first what needs the person, then what is under way.
fn headline(counts: SectionCounts) -> (&'static str, Vec<(&'static str, u32)>) {
    let SectionCounts { needs_attention, in_progress, confirming, finished: _ } = counts;
    if needs_attention > 0 {
        ("tray-headline-attention", vec![("count", needs_attention)])
    } else if confirming > 0 {
        ("tray-headline-confirming", vec![("count", in_progress), ("confirming", confirming)])
    } else if in_progress > 0 {
        ("tray-headline-open", vec![("count", in_progress)])
    } else {
        ("tray-headline-idle", Vec::new())
    }
}

fn build(app: &AppHandle) -> tauri::Result<()> {
    let item = |id: &str| MenuItem::with_id(app, id, "Docket", true, None::<&str>);
    let headline = MenuItem::with_id(app, HEADLINE, "Docket", false, None::<&str>)?;
    let (new, open, quit) = (item(NEW)?, item(OPEN)?, item(QUIT)?);
    let lines = [PredefinedMenuItem::separator(app)?, PredefinedMenuItem::separator(app)?];
    let menu = Menu::with_items(app, &[&headline, &lines[0], &new, &open, &lines[1], &quit])?;
    let mut builder = TrayIconBuilder::with_id("docket")
        .tooltip("Docket")
        .menu(&menu)
        .show_menu_on_left_click(true)
        .on_menu_event(on_menu);
    if let Some(icon) = app.default_window_icon() {
        builder = builder.icon(icon.clone());
    }
    builder.build(app)?;
    app.manage(Tray { headline, new, open, quit, counts: Mutex::default() });
    Ok(())
}

fn on_menu(app: &AppHandle, event: MenuEvent) {
    match event.id.as_ref() {
        NEW => {
            window::show(app);
            if let Err(error) = app.emit_to(window::MAIN, NEW_EXPORT, ()) {
                tracing::warn!(%error, "the window was not asked for a form");
            }
        }
        OPEN => window::show(app),
        QUIT => app.exit(0),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headline_says_first_what_needs_the_person() {
        let counts = |needs_attention, in_progress, confirming| SectionCounts {
            needs_attention,
            in_progress,
            confirming,
            finished: 9,
        };
        assert_eq!(headline(counts(0, 0, 0)).0, "tray-headline-idle");
        assert_eq!(headline(counts(0, 2, 0)).0, "tray-headline-open");
        assert_eq!(headline(counts(0, 2, 1)).0, "tray-headline-confirming");
        assert_eq!(headline(counts(1, 2, 1)).0, "tray-headline-attention");
    }
}
