//! What a service's catalogue says, read once for as long as its text stays the same.
//!
//! A catalogue is by far the longest JSON of the store, and each click asks it for one title. What was
//! read is kept under the very text that it was read from, so a text that changed, by whichever
//! process, is read anew: there is no other way to a kept one than its own text.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use docket_wire::OperationList;

use super::{columns::from_json, error::StoreError, hold};

/// Texts that are kept: those that were asked for last.
const KEPT_MAX: usize = 8;

/// See the head of this file.
#[derive(Debug, Default)]
pub(super) struct Catalogues {
    kept: Mutex<VecDeque<(String, Arc<OperationList>)>>,
}

impl Catalogues {
    /// What this text says.
    pub(super) fn read(&self, text: &str) -> Result<Arc<OperationList>, StoreError> {
        let mut kept = hold(&self.kept);
        let known = kept.iter().find(|(known, _)| known == text);
        if let Some((_, known)) = known {
            return Ok(Arc::clone(known));
        }
        let read: Arc<OperationList> = Arc::new(from_json(text, "catalogue")?);
        kept.truncate(KEPT_MAX - 1);
        kept.push_front((text.to_owned(), Arc::clone(&read)));
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(operation: &str) -> String {
        format!(
            r#"{{"caller":{{"subject":"ada","name":"Ada"}},"operations":[{{"operation":"{operation}",
            "title":{{}},"parameters":{{}},"formats":[]}}]}}"#
        )
    }

    #[test]
    fn the_same_text_is_read_once_and_another_anew() {
        let catalogues = Catalogues::default();
        let first = catalogues.read(&text("a")).unwrap();
        assert!(Arc::ptr_eq(&first, &catalogues.read(&text("a")).unwrap()));
        // As long to the byte, and another: by its last letter alone.
        let other = catalogues.read(&text("b")).unwrap();
        assert_eq!((&*first.operations[0].operation, &*other.operations[0].operation), ("a", "b"));
        assert!(Arc::ptr_eq(&first, &catalogues.read(&text("a")).unwrap()));
        catalogues.read("{}").unwrap_err();
        catalogues.read("{}").unwrap_err();
    }

    #[test]
    fn only_so_many_are_kept() {
        let catalogues = Catalogues::default();
        for number in 0..3 * KEPT_MAX {
            catalogues.read(&text(&number.to_string())).unwrap();
        }
        assert_eq!(hold(&catalogues.kept).len(), KEPT_MAX);
        let last = text(&(3 * KEPT_MAX - 1).to_string());
        assert_eq!(hold(&catalogues.kept)[0].0, last);
    }
}
