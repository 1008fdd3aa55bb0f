//! What a person wrote stays; what can not be understood is never written over.

use super::*;

fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

fn text(home: &tempfile::TempDir) -> String {
    fs::read_to_string(home.path().join(FILE)).expect("the settings are there")
}

fn put(home: &tempfile::TempDir, text: &str) {
    fs::write(home.path().join(FILE), text).expect("the test writes its file");
}

#[test]
fn without_a_file_the_defaults_stand_and_nothing_is_written() {
    let home = home();
    assert_eq!(Settings::load(home.path()).expect("defaults"), Settings::default());
    assert!(!home.path().join(FILE).exists());
}

#[test]
fn a_change_comes_back() {
    let home = home();
    let folder = home.path().join("saved");
    Settings::change(home.path(), |settings| {
        settings.language = Some(Language::Chinese);
        settings.theme = Theme::Dark;
        settings.close = CloseButton::Background;
        settings.downloads_folder = Some(folder.clone());
    })
    .expect("it can be written");
    let settings = Settings::load(home.path()).expect("it can be read");
    assert_eq!(settings.language, Some(Language::Chinese));
    assert_eq!(settings.theme, Theme::Dark);
    assert_eq!(settings.close, CloseButton::Background);
    assert_eq!(settings.downloads_folder, Some(folder));
    assert!(text(&home).starts_with("# Docket's settings."), "the file explains itself");
    assert!(!home.path().join(PART).exists());
}

#[test]
fn comments_order_and_unknown_keys_survive() {
    let home = home();
    put(
        &home,
        "# mine\ntheme = \"light\" # at night: dark\nfuture = [1, 2]\n\n[downloads]\n# big disk\nretries = 7\n",
    );
    Settings::change(home.path(), |settings| settings.theme = Theme::Dark).expect("written");
    let text = text(&home);
    assert!(
        text.contains("# mine\ntheme = \"dark\" # at night: dark\nfuture = [1, 2]\n"),
        "{text}"
    );
    assert!(text.contains("[downloads]\n# big disk\nretries = 7\n"), "{text}");
    assert!(!text.contains("close"), "only what changed is written: {text}");
}

#[test]
fn a_language_can_be_left_to_the_system_again() {
    let home = home();
    put(&home, "language = \"zh-CN\"\n");
    Settings::change(home.path(), |settings| settings.language = None).expect("written");
    assert!(!text(&home).contains("language"));
}

#[test]
fn what_can_not_be_understood_is_named_and_kept() {
    for (bad, expected) in [
        ("theme = \"dark\"\nlanguage = = 1\n", "line 2"),
        ("theme = \"neon\"\n", "`theme` must be"),
        ("language = 7\n", "`language` must be"),
        ("close = true\n", "`close` must be"),
        ("downloads = \"here\"\n", "`downloads` must be"),
        ("[downloads]\nfolder = \"relative\"\n", "`downloads.folder` must be"),
    ] {
        let home = home();
        put(&home, bad);
        let load = Settings::load(home.path()).expect_err("it is wrong").to_string();
        assert!(load.contains(expected) && load.contains(FILE), "{load}");
        Settings::change(home.path(), |settings| settings.theme = Theme::Light)
            .expect_err("it is wrong");
        assert_eq!(text(&home), bad, "nothing is written over");
    }
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let home = home();
    fs::write(home.path().join(FILE), [0xff, 0xfe, 0x00]).expect("written");
    assert!(matches!(Settings::load(home.path()), Err(SettingsError::Unreadable { .. })));
}

#[cfg(unix)]
#[test]
fn the_file_is_the_persons_alone() {
    use std::os::unix::fs::PermissionsExt;
    let home = home();
    Settings::change(home.path(), |settings| settings.theme = Theme::Dark).expect("written");
    let mode = fs::metadata(home.path().join(FILE)).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
