//! Answers out of a stream of bytes, as real engines write them.

use super::engine::Tongue;

/// One answer, or what looks like one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    /// Whether it began with `=`.
    pub(super) success: bool,
    /// All lines, without the sign.
    text: String,
}

/// What an answer is to a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Match {
    /// It belongs to it; the body or message.
    Ours(String),
    /// It belongs to an earlier command.
    Stale,
}

impl Answer {
    /// Compares the id with that of the command that waits for an answer. An
    /// id after a blank is borne, and so is none at all.
    pub(super) fn matches(&self, id: u64) -> Match {
        let glued = self.text.starts_with(|c: char| c.is_ascii_digit());
        let text = self.text.trim_start();
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = text.split_at(digits);
        let whole_word = rest.is_empty() || rest.starts_with(char::is_whitespace);
        match number.parse::<u64>() {
            Ok(number) if number == id && whole_word => Match::Ours(rest.trim().to_string()),
            // Ids are larger than any number that is a body of its own.
            Ok(number) if glued || (whole_word && (FIRST_ID..id).contains(&number)) => Match::Stale,
            _ => Match::Ours(text.trim().to_string()),
        }
    }
}

/// The ids begin here, so that they are not mistaken for a body such as the
/// `2` that answers `protocol_version`.
pub(super) const FIRST_ID: u64 = 1_000_001;

/// Puts answers together, however they are split.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    tongue: Tongue,
    line: Vec<u8>,
    answer: Option<Answer>,
    /// What an engine that speaks NBoard's protocol has said of its search.
    said: String,
}

impl Assembler {
    pub(super) fn new(tongue: Tongue) -> Self {
        Self {
            tongue,
            ..Self::default()
        }
    }

    /// Takes in bytes; complete answers go to `found`.
    pub(super) fn take(&mut self, bytes: &[u8], found: &mut dyn FnMut(Answer)) {
        for &byte in bytes {
            match byte {
                b'\n' => self.end_line(found),
                // As GTP says of input: other control characters are noise.
                b'\t' => self.line.push(b' '),
                0..32 | 127 => {}
                _ => self.line.push(byte),
            }
        }
    }

    /// Bytes held until the answer is complete.
    pub(super) fn held(&self) -> usize {
        let answer = self.answer.as_ref().map_or(0, |answer| answer.text.len());
        self.line.len() + self.said.len() + answer
    }

    fn end_line(&mut self, found: &mut dyn FnMut(Answer)) {
        let line = String::from_utf8_lossy(&self.line).into_owned();
        self.line.clear();
        if self.tongue == Tongue::Nboard {
            return self.end_nboard_line(line.trim(), found);
        }
        match &mut self.answer {
            Some(_) if line.trim().is_empty() => found(self.answer.take().expect("just seen")),
            Some(answer) => {
                answer.text.push('\n');
                answer.text += &line;
            }
            // Anything else is chatter, which some engines cannot hold back.
            None => {
                let line = line.trim_start_matches('\u{feff}').trim_start();
                let success = line.starts_with('=');
                if success || line.starts_with('?') {
                    self.answer = Some(Answer {
                        success,
                        text: line[1..].to_string(),
                    });
                }
            }
        }
    }
}

impl Assembler {
    /// `pong ID` answers a command, `=== MOVE` is the move; what was said
    /// before goes with either.
    fn end_nboard_line(&mut self, line: &str, found: &mut dyn FnMut(Answer)) {
        let said = &mut self.said;
        if let Some(id) = line.strip_prefix("pong ") {
            said.clear();
            found(Answer {
                success: true,
                text: id.to_string(),
            });
        } else if line.starts_with("===") {
            *said += line;
            found(Answer {
                success: true,
                text: std::mem::take(said),
            });
        } else if line.starts_with("search ") || line.starts_with("nodestats ") {
            *said += line;
            said.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_pongs_are_answers_of_nboard() {
        let mut assembler = Assembler::new(Tongue::Nboard);
        let mut all = Vec::new();
        for chunk in [
            "Ntest as of\r\npong 1000",
            "001\nstatus x\nsearch F5 1 0 9\n=== F",
            "5\n",
        ] {
            assembler.take(chunk.as_bytes(), &mut |answer| all.push(answer));
        }
        assert_eq!(all[0].matches(1_000_001), Match::Ours(String::new()));
        assert_eq!(all[0].matches(1_000_002), Match::Stale);
        let text = "search F5 1 0 9\n=== F5".to_string();
        assert_eq!(all[1].matches(1_000_002), Match::Ours(text));
        assert_eq!(all.len(), 2);
    }

    fn answers(chunks: &[&str]) -> Vec<Answer> {
        let mut assembler = Assembler::default();
        let mut all = Vec::new();
        for chunk in chunks {
            assembler.take(chunk.as_bytes(), &mut |answer| all.push(answer));
        }
        all
    }

    #[test]
    fn answers_may_be_split_anywhere_and_have_chatter_around() {
        let found = answers(&["hello\n=10", "00001 a", "\r\nb\r\n\r", "\n\nnoise\n?x\n\n="]);
        assert_eq!(found.len(), 2);
        assert!(found[0].success && !found[1].success);
        assert_eq!(found[0].matches(1_000_001), Match::Ours("a\nb".to_string()));
    }

    #[test]
    fn ids_are_read_as_engines_write_them() {
        for (text, id, expected) in [
            ("=1000002 d3\n\n", 1_000_002, Some("d3")),
            ("= 1000002 d3\n\n", 1_000_002, Some("d3")),
            ("=1000002\n\n", 1_000_002, Some("")),
            ("= d3\n\n", 1_000_002, Some("d3")),
            ("= 2\n\n", 1_000_002, Some("2")),
            ("=1000001 d3\n\n", 1_000_002, None),
            ("= 1000001 d3\n\n", 1_000_002, None),
            ("= 2b2c3\n\n", 1_000_002, Some("2b2c3")),
            ("= 4@b2\n\n", 1_000_002, Some("4@b2")),
        ] {
            let found = answers(&[text]);
            let expected = expected.map_or(Match::Stale, |body| Match::Ours(body.to_string()));
            assert_eq!(found[0].matches(id), expected, "{text:?}");
        }
    }

    #[test]
    fn an_answer_without_its_end_is_none() {
        assert!(answers(&["=1 d3\n"]).is_empty());
    }
}
