//! A controller: starts the program, sends lines, reads answers.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Within this a search ends.
pub(super) const LATENCY: Duration = Duration::from_millis(100);

/// Asserts that the fastest of a few tries stays below `limit`: the machine
/// may be busy.
pub(super) fn at_best(limit: Duration, mut attempt: impl FnMut() -> Duration) {
    let best = (0..5).map(|_| attempt()).min().unwrap();
    assert!(best < limit, "{best:?}");
}

/// Nothing the tests ask for takes nearly as long, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program without arguments, ready to be started.
pub(super) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env_remove("RUST_LOG");
    command
}

/// A running program.
pub(super) struct Client {
    pub(super) child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    pub(super) fn start() -> Self {
        Self::run(program())
    }

    /// On a game of that name.
    pub(super) fn playing(game: &str) -> Self {
        let mut client = Self::start();
        client.ok(&format!("set_game {game}"));
        client
    }

    pub(super) fn run(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.unwrap()).is_err() {
                    // The test is over, or has left without a word.
                    return;
                }
            }
        });
        Self {
            child,
            stdin,
            lines,
        }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    pub(super) fn send(&mut self, line: &str) {
        self.bytes(format!("{line}\n").as_bytes());
    }

    /// The next line that comes within the time, or none.
    pub(super) fn line_within(&mut self, time: Duration) -> Option<String> {
        match self.lines.recv_timeout(time) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the program has ended"),
        }
    }

    pub(super) fn line(&mut self) -> String {
        self.line_within(PATIENCE).expect("no answer in time")
    }

    /// The lines up to and with one that begins so.
    pub(super) fn until(&mut self, begin: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let last = line.starts_with(begin);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// The next whole answer, without the empty line that ends it.
    pub(super) fn answer(&mut self) -> String {
        let mut answer = self.line();
        assert!(answer.starts_with(['=', '?']), "no answer begins: {answer}");
        loop {
            let line = self.line();
            if line.is_empty() {
                return answer;
            }
            answer.push('\n');
            answer.push_str(&line);
        }
    }

    pub(super) fn ask(&mut self, command: &str) -> String {
        self.send(command);
        self.answer()
    }

    /// The body of an answer that must be a success.
    pub(super) fn ok(&mut self, command: &str) -> String {
        let answer = self.ask(command);
        let body = answer.strip_prefix("= ");
        body.unwrap_or_else(|| panic!("{command}: {answer}"))
            .to_string()
    }

    /// The message of an answer that must be a failure.
    pub(super) fn fails(&mut self, command: &str) -> String {
        let answer = self.ask(command);
        let message = answer.strip_prefix("? ");
        message
            .unwrap_or_else(|| panic!("{command}: {answer}"))
            .to_string()
    }

    pub(super) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// How the program ends within the time.
    pub(super) fn ends_within(&mut self, time: Duration) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < time, "still running after {time:?}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Either may fail if the program has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What comes out if all of `input` is piped in.
pub(super) fn script(input: impl AsRef<[u8]>) -> String {
    piped(program(), input.as_ref())
}

pub(super) fn piped(mut command: Command, input: &[u8]) -> String {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // It may quit before it has read everything.
        let _ = stdin.write_all(&input);
    });
    let mut stderr = child.stderr.take().unwrap();
    let complaints = std::thread::spawn(move || {
        let mut text = String::new();
        stderr.read_to_string(&mut text).unwrap();
        text
    });
    let mut text = String::new();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_to_string(&mut text).unwrap();
    writer.join().unwrap();
    let status = child.wait().unwrap();
    let complaints = complaints.join().unwrap();
    assert!(status.success(), "{status}: {complaints}");
    text
}

/// The answers in an output, without the empty lines that end them.
pub(super) fn answers(output: &str) -> Vec<&str> {
    if output.is_empty() {
        return Vec::new();
    }
    let whole = output.strip_suffix("\n\n").expect("the last answer ends");
    whole.split("\n\n").collect()
}
