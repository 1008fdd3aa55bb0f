//! The two languages in which the service speaks to people.

/// A language of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Chinese,
}

impl Language {
    /// The tag (BCP 47).
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }

    /// The language with this tag; English for any that is not spoken.
    pub(crate) fn of_tag(tag: &str) -> Self {
        let primary = tag.split('-').next().unwrap_or_default();
        if primary.eq_ignore_ascii_case("zh") { Self::Chinese } else { Self::English }
    }

    /// The first of the caller's languages, most wanted first, that is spoken (RFC 9110, 12.5.4).
    pub(crate) fn accepted(header: &str) -> Self {
        let mut wanted: Vec<(u32, &str)> = header
            .split(',')
            .filter_map(|part| {
                let (tag, weight) = part.split_once(';').unwrap_or((part, "q=1"));
                let weight: f64 = weight.trim().strip_prefix("q=")?.parse().ok()?;
                let primary = tag.trim().split('-').next()?;
                let spoken = ["en", "zh"].iter().any(|own| primary.eq_ignore_ascii_case(own));
                // Thousandths: the header has three decimals at most.
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "clamped"
                )]
                let thousandths = (weight.clamp(0.0, 1.0) * 1000.0) as u32;
                (spoken && thousandths > 0).then_some((thousandths, tag.trim()))
            })
            .collect();
        wanted.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        wanted.first().map_or(Self::English, |(_, tag)| Self::of_tag(tag))
    }

    /// One of two sentences.
    pub(crate) fn say<'a>(self, english: &'a str, chinese: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_wanted_language_that_is_spoken_wins() {
        for (header, language) in [
            ("", Language::English),
            ("zh-CN", Language::Chinese),
            ("fr, zh-Hans;q=0.8, en;q=0.5", Language::Chinese),
            ("en-GB,zh;q=0.9", Language::English),
            ("zh;q=0, en;q=0.1", Language::English),
            ("*", Language::English),
        ] {
            assert_eq!(Language::accepted(header), language, "{header}");
        }
    }
}
