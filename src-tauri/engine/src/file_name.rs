//! A file name that is safe on every system, made from what a service suggests.
//!
//! The suggestion is text from outside and never a path: whatever could lead out of the folder, hide
//! the file, fool the eye or be refused by Linux, macOS or Windows is taken out.

/// Longest name, in bytes of UTF-8. Room is left under the usual 255 for ` (2)` and `.part`.
pub const NAME_BYTES_MAX: usize = 200;
/// Longest ending that is kept whole when a name is cut.
const ENDING_BYTES_MAX: usize = 16;
/// What a file is called whose suggested name leaves nothing.
const NAMELESS: &str = "export";

/// The suggestion made safe. Never empty, never longer than [`NAME_BYTES_MAX`], and the same again
/// when it is made safe a second time.
pub fn safe_name(suggested: &str) -> String {
    let shown: String = suggested.chars().filter(|c| !is_unseen(*c)).map(plain).collect();
    let trimmed = shown.trim_matches(is_edge);
    let cut = cut(trimmed);
    let name = cut.trim_matches(is_edge);
    if name.is_empty() {
        return NAMELESS.to_owned();
    }
    if is_device(name) {
        return cut_to_fit(&format!("_{name}"));
    }
    name.to_owned()
}

/// The same name for the `n`-th file of that name in a folder: `orders (2).csv`.
pub(crate) fn numbered(name: &str, n: u32) -> String {
    let (stem, ending) = split(name);
    format!("{stem} ({n}){ending}")
}

/// Characters that print nothing, or turn the direction of what follows.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{AD}'
                | '\u{61C}'
                | '\u{180E}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

/// What separates paths or is refused by Windows becomes an underscore.
fn plain(c: char) -> char {
    if matches!(c, '/' | '\\' | ':' | '<' | '>' | '"' | '|' | '?' | '*') { '_' } else { c }
}

/// A dot at the start hides a file; Windows drops dots and spaces at the end.
fn is_edge(c: char) -> bool {
    c == '.' || c.is_whitespace()
}

/// Names that Windows gives to devices, with whatever ending.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    let upper = stem.to_uppercase();
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&upper.as_str()) {
        return true;
    }
    let port = upper.strip_prefix("COM").or_else(|| upper.strip_prefix("LPT"));
    let mut rest = port.unwrap_or_default().chars();
    let digit = |c: char| c.is_ascii_digit() || matches!(c, '¹' | '²' | '³');
    matches!((rest.next(), rest.next()), (Some(c), None) if digit(c))
}

fn cut(name: &str) -> String {
    if name.len() <= NAME_BYTES_MAX { name.to_owned() } else { cut_to_fit(name) }
}

fn cut_to_fit(name: &str) -> String {
    let (stem, ending) = split(name);
    let room = NAME_BYTES_MAX.saturating_sub(ending.len());
    let stem = &stem[..stem.floor_char_boundary(room.min(stem.len()))];
    format!("{}{ending}", stem.trim_end_matches(is_edge))
}

/// A name and its ending with the dot, where it has a short one.
fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(at) if at > 0 && name.len() - at <= ENDING_BYTES_MAX => name.split_at(at),
        Some(_) | None => (name, ""),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_service_suggests_is_never_a_path_nor_a_trick() {
        let long = "é".repeat(300);
        let cases = [
            ("orders.csv", "orders.csv"),
            ("Aufträge 2026 – März.csv", "Aufträge 2026 – März.csv"),
            ("订单.xlsx", "订单.xlsx"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("C:\\Windows\\win.ini", "C__Windows_win.ini"),
            ("/", "_"),
            ("..", "export"),
            ("", "export"),
            ("   ", "export"),
            (".bashrc", "bashrc"),
            ("orders.csv. . ", "orders.csv"),
            ("a\u{202E}vsc.exe", "avsc.exe"),
            ("a\u{0}b\n.csv", "ab.csv"),
            ("con", "_con"),
            ("NUL.csv", "_NUL.csv"),
            ("com1.tar.gz", "_com1.tar.gz"),
            ("LPT²", "_LPT²"),
            ("company.csv", "company.csv"),
            ("com10.csv", "com10.csv"),
            ("a<b>c|d?e*f\"g.csv", "a_b_c_d_e_f_g.csv"),
            ("\u{200B}", "export"),
        ];
        for (suggested, name) in cases {
            assert_eq!(safe_name(suggested), name, "{suggested:?}");
        }
        let cut = safe_name(&format!("{long}.csv"));
        assert!(cut.len() <= NAME_BYTES_MAX && cut.ends_with("é.csv"), "{cut}");
        assert!(safe_name(&format!("a.{long}")).len() <= NAME_BYTES_MAX);
    }

    #[test]
    fn a_second_file_of_a_name_gets_a_number_before_its_ending() {
        assert_eq!(numbered("orders.csv", 2), "orders (2).csv");
        assert_eq!(numbered("orders", 3), "orders (3)");
    }

    proptest! {
        #[test]
        fn a_safe_name_is_one_plain_component(suggested in "\\PC{0,300}|[./\\\\ ]{0,9}|(?i)(con|nul|com[0-9])(\\..{0,250})?") {
            let name = safe_name(&suggested);
            prop_assert!(!name.is_empty() && name.len() <= NAME_BYTES_MAX);
            prop_assert_eq!(std::path::Path::new(&name).components().count(), 1);
            prop_assert!(!name.contains(['/', '\\', ':', '\0']));
            prop_assert!(!is_device(&name) && !name.ends_with(['.', ' ']) && !name.starts_with('.'));
            prop_assert_eq!(safe_name(&name), name);
        }
    }
}
