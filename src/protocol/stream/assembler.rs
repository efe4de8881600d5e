//! From bytes to lines: what GTP calls preprocessing.

/// The longest line that is kept, in bytes.
pub(in crate::protocol) const LONGEST_LINE: usize = 8 << 20;

/// How much of a longer line is kept, so that its id can be answered.
const KEPT_OF_OVERLONG: usize = 64;

/// Memory a quiet assembler may hold on to.
const SPARE_CAPACITY: usize = 1 << 20;

/// A line without comment and control characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::protocol) struct RawLine {
    /// What is left of it.
    pub(in crate::protocol) text: String,
    /// Whether it was longer than [`LONGEST_LINE`]; `text` is its beginning.
    pub(in crate::protocol) overlong: bool,
    /// Whether it was the comment `# interrupt` and nothing else.
    pub(in crate::protocol) interrupt: bool,
}

impl RawLine {
    pub(in crate::protocol) fn is_blank(&self) -> bool {
        self.text.bytes().all(|byte| byte == b' ')
    }
}

/// Puts lines together from chunks of bytes, wherever these are cut.
pub(in crate::protocol) struct Assembler {
    comments: bool,
    text: Vec<u8>,
    /// The beginning of the comment, once `#` has come.
    comment: Option<Vec<u8>>,
    overlong: bool,
    past_first_line: bool,
}

impl Assembler {
    /// With `comments`, whatever follows `#` is none of the text.
    pub(in crate::protocol) fn new(comments: bool) -> Self {
        Self {
            comments,
            text: Vec::new(),
            comment: None,
            overlong: false,
            past_first_line: false,
        }
    }

    /// Takes the next bytes of the stream, and gives every line they complete
    /// to `sink`.
    pub(in crate::protocol) fn push(&mut self, chunk: &[u8], mut sink: impl FnMut(RawLine)) {
        for &byte in chunk {
            match byte {
                b'\n' => sink(self.take_line()),
                b'\t' => self.keep(b' '),
                0..=31 | 127 => {}
                _ => self.keep(byte),
            }
        }
    }

    /// The line that the end of the stream has cut short, if any.
    pub(in crate::protocol) fn finish(&mut self) -> Option<RawLine> {
        let line = self.take_line();
        (!line.is_blank()).then_some(line)
    }

    fn keep(&mut self, byte: u8) {
        const LONGEST_WORD_OF_COMMENT: usize = 32;
        match &mut self.comment {
            Some(comment) => {
                if comment.len() < LONGEST_WORD_OF_COMMENT {
                    comment.push(byte);
                }
            }
            None if byte == b'#' && self.comments => self.comment = Some(Vec::new()),
            // Blanks in front are worth no memory.
            None if self.overlong || (byte == b' ' && self.text.is_empty()) => {}
            None => {
                self.text.push(byte);
                if self.text.len() > LONGEST_LINE {
                    self.overlong = true;
                    self.text.truncate(KEPT_OF_OVERLONG);
                }
            }
        }
    }

    fn take_line(&mut self) -> RawLine {
        let mut kept = self.text.as_slice();
        if !self.past_first_line {
            self.past_first_line = true;
            kept = kept.strip_prefix(b"\xef\xbb\xbf").unwrap_or(kept);
        }
        let text = String::from_utf8_lossy(kept).into_owned();
        let comment = self.comment.take().unwrap_or_default();
        let mut line = RawLine {
            text,
            overlong: std::mem::take(&mut self.overlong),
            interrupt: false,
        };
        line.interrupt = line.is_blank() && comment.trim_ascii() == b"interrupt";
        self.text.clear();
        self.text.shrink_to(SPARE_CAPACITY);
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(chunks: &[&[u8]]) -> Vec<RawLine> {
        let mut assembler = Assembler::new(true);
        let mut lines = Vec::new();
        for chunk in chunks {
            assembler.push(chunk, |line| lines.push(line));
        }
        lines.extend(assembler.finish());
        lines
    }

    fn texts(input: &[u8]) -> Vec<String> {
        lines(&[input]).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn control_characters_go_comments_are_cut_tabs_become_blanks() {
        assert_eq!(texts(b"na\x01me\r\n"), ["name"]);
        assert_eq!(texts(b"play\tb f5 # good\n"), ["play b f5 "]);
        assert_eq!(texts(b"# all of it\n\x7f\n"), ["", ""]);
    }

    #[test]
    fn some_protocols_have_no_comments() {
        let mut assembler = Assembler::new(false);
        let mut lines = Vec::new();
        assembler.push(b"move F5 # good\n", |line| lines.push(line));
        assert_eq!(lines[0].text, "move F5 # good");
    }

    #[test]
    fn a_byte_order_mark_counts_only_at_the_start() {
        assert_eq!(texts(b"\xef\xbb\xbfname\n"), ["name"]);
        assert_eq!(texts(b"\n\xef\xbb\xbfname\n")[1], "\u{feff}name");
    }

    #[test]
    fn chunks_may_be_cut_anywhere() {
        let whole = b"\xef\xbb\xbf1 name\r\n# interrupt\n2 qu\x00it # x\n";
        let expected = lines(&[whole]);
        assert_eq!(expected.len(), 3);
        for cut in 0..whole.len() {
            assert_eq!(lines(&[&whole[..cut], &whole[cut..]]), expected, "{cut}");
        }
    }

    #[test]
    fn only_the_bare_comment_interrupts() {
        let interrupts = |input: &[u8]| lines(&[input])[0].interrupt;
        assert!(interrupts(b"# interrupt\n"));
        assert!(interrupts(b"  #interrupt \r\n"));
        assert!(!interrupts(b"name # interrupt\n"));
        assert!(!interrupts(b"# interrupt me\n"));
        assert!(!interrupts(b"interrupt\n"));
    }

    #[test]
    fn overlong_lines_keep_their_beginning_and_comments_cost_nothing() {
        let mut input = b"77 play_on ".to_vec();
        input.resize(LONGEST_LINE + 20, b'x');
        input.push(b'\n');
        let line = &lines(&[&input])[0];
        assert!(line.overlong);
        assert_eq!(line.text.len(), KEPT_OF_OVERLONG);
        assert!(line.text.starts_with("77 play_on xx"));

        let mut input = b"name #".to_vec();
        input.resize(LONGEST_LINE + 20, b'x');
        let line = &lines(&[&input])[0];
        assert!(!line.overlong);
        assert_eq!(line.text, "name ");
    }
}
