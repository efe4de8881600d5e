//! Where a person's lines come from: a line editor at a terminal, plain lines
//! from a pipe.

use std::cell::RefCell;
use std::io::{self, BufRead};
use std::rc::Rc;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

/// What may be typed now, for completion.
pub(super) type Words = Rc<RefCell<Vec<String>>>;

/// A line, or why there is none.
pub(super) enum Typed {
    /// A line without its end.
    Line(String),
    /// Ctrl-C: whatever was begun is given up.
    Interrupted,
    /// Nothing more will come.
    End,
}

/// A source of lines.
pub(super) enum Reader {
    /// With history and completion.
    Editor(Box<Editor<Completion, DefaultHistory>>),
    /// Line by line, without a prompt.
    Plain,
}

impl Reader {
    /// For the standard input.
    pub(super) fn new(is_terminal: bool, words: Words) -> Self {
        if !is_terminal {
            return Self::Plain;
        }
        let config = Config::builder().auto_add_history(true).build();
        match Editor::with_config(config) {
            Ok(mut editor) => {
                editor.set_helper(Some(Completion(words)));
                Self::Editor(Box::new(editor))
            }
            // Some terminals cannot be edited on.
            Err(_) => Self::Plain,
        }
    }

    pub(super) fn read(&mut self, prompt: &str) -> Typed {
        match self {
            Self::Editor(editor) => match editor.readline(prompt) {
                Ok(line) => Typed::Line(line),
                Err(ReadlineError::Interrupted) => Typed::Interrupted,
                Err(_) => Typed::End,
            },
            Self::Plain => {
                let mut line = Vec::new();
                match io::stdin().lock().read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => Typed::End,
                    Ok(_) => Typed::Line(String::from_utf8_lossy(&line).trim().to_string()),
                }
            }
        }
    }
}

/// Completes the word that is being typed.
pub(super) struct Completion(Words);

impl Completer for Completion {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = line.get(..position).unwrap_or(line);
        let begin = before.rfind(' ').map_or(0, |at| at + 1);
        let word = before[begin..].to_ascii_lowercase();
        let words = self.0.borrow();
        let fitting = words.iter().filter(|known| known.starts_with(&word));
        Ok((begin, fitting.cloned().collect()))
    }
}

impl Hinter for Completion {
    type Hint = String;
}

impl Highlighter for Completion {}
impl Validator for Completion {}
impl Helper for Completion {}
