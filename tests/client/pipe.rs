//! The client's end of the pipe.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// An engine at the other end, and what was said so far.
pub(super) struct Pipe {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    transcript: String,
}

impl Pipe {
    pub(super) fn open(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self {
            child,
            stdin,
            stdout,
            transcript: String::new(),
        }
    }

    /// Sends a command that must succeed; the body of the answer.
    pub(super) fn ask(&mut self, command: &str) -> String {
        writeln!(self.stdin, "{command}").unwrap();
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.stdout.read_line(&mut line).unwrap(), 0, "{command}");
            if line == "\n" {
                break;
            }
            answer.push_str(&line);
        }
        self.transcript += &format!("> {command}\n{answer}\n");
        let body = answer.strip_prefix("= ");
        let body = body.unwrap_or_else(|| panic!("{command}: {answer}"));
        body.trim_end_matches('\n').to_string()
    }

    /// Ends the engine; what was said.
    pub(super) fn close(mut self) -> String {
        self.ask("quit");
        assert!(self.child.wait().unwrap().success());
        self.transcript
    }
}
