//! A text that is shown to nobody: a credential.
//!
//! It prints nothing, is not serialised anywhere, and its bytes are overwritten when the last copy
//! goes. Whoever needs it says so by [`Secret::expose`], which makes every use easy to find.

use std::{fmt, sync::Arc};

use zeroize::Zeroizing;

/// A credential as the service issued it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Arc<Zeroizing<String>>);

impl Secret {
    /// Takes the text over.
    pub fn new(text: impl Into<String>) -> Self {
        Self(Arc::new(Zeroizing::new(text.into())))
    }

    /// The text itself: for the header of a call and for the keychain alone.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(not shown)")
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn it_prints_nothing_of_itself() {
        let secret = Secret::new("hunter2");
        assert_eq!(format!("{secret:?}"), "Secret(not shown)");
        assert_eq!(secret.expose(), "hunter2");
    }
}
