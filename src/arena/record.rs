//! What is kept of a game, and the file it is kept in.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::export::Exports;
use super::opening::Opening;

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The rules say so.
    Rules,
    /// It had as many plies as the tournament allows.
    MaxMoves,
    /// The loser resigned.
    Resigned,
    /// The engines' scores left no doubt.
    Adjudicated,
    /// The loser took too long for a move.
    Time,
    /// The loser played what the rules forbid.
    IllegalMove,
    /// The loser refused a command that every game needs.
    Refusal,
    /// The loser could not be started.
    Start,
    /// The loser's process ended.
    Crash,
    /// The loser gave no answer.
    Hang,
    /// The loser closed its input or output.
    Disconnect,
    /// The loser wrote without end.
    Flood,
    /// After the game the loser had to be killed, since it did not quit.
    NoQuit,
}

impl Reason {
    /// Whether an engine did what none should.
    pub fn is_fault(self) -> bool {
        !matches!(
            self,
            Self::Rules | Self::MaxMoves | Self::Resigned | Self::Adjudicated
        )
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Rules => "by the rules",
            Self::MaxMoves => "too many moves",
            Self::Resigned => "resigned",
            Self::Adjudicated => "adjudicated",
            Self::Time => "time",
            Self::IllegalMove => "illegal move",
            Self::Refusal => "a command refused",
            Self::Start => "no start",
            Self::Crash => "crash",
            Self::Hang => "no answer",
            Self::Disconnect => "closed pipe",
            Self::Flood => "flood of output",
            Self::NoQuit => "did not quit",
        })
    }
}

/// One move of a game, after the opening.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// `black` or `white`.
    pub side: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Milliseconds it took; none for a forced pass, which nobody is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Microseconds from the answer to the move before until this engine was
    /// asked: what the arena, and other commands to the engines, took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overhead_us: Option<u64>,
    /// Plies the engine says it has searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions it says it has searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The value it gives the position, for itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// One finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 0.
    pub id: u64,
    /// Its round, from 0.
    pub round: u64,
    /// The number it shares with the game with exchanged sides.
    pub pair: u64,
    /// The name of the game.
    pub game: String,
    /// Name of the engine with Black.
    pub black: String,
    /// Name of the engine with White.
    pub white: String,
    /// `black`, `white`, or none for a draw.
    pub winner: Option<String>,
    /// By how much, if the rules ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<u32>,
    /// Why it ended.
    pub reason: Reason,
    /// More about a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Where it began.
    pub opening: Opening,
    /// What the engines played.
    pub moves: Vec<MoveRecord>,
    /// The last position.
    pub position: String,
}

impl GameRecord {
    /// The result in a word: `black+4`, `white wins`, `draw`.
    pub fn result(&self) -> String {
        match (&self.winner, self.margin) {
            (Some(side), Some(margin)) => format!("{side}+{margin}"),
            (Some(side), None) => format!("{side} wins"),
            (None, _) => "draw".to_string(),
        }
    }
}

/// A file of records, one a line, and beside it the same games in the forms
/// that other programs read. Never half a line for long.
pub struct RecordFile {
    file: File,
    exports: Exports,
}

impl RecordFile {
    /// Begins a new file.
    ///
    /// # Errors
    /// If there is one already, or it cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(path)?;
        let exports = Exports::begin(folder(path), &[])?;
        Ok(Self { file, exports })
    }

    /// Continues a file, and gives what is in it. Half a line at its end,
    /// which a power cut may leave, is cut off. The files beside it are
    /// written anew.
    ///
    /// # Errors
    /// If it cannot be read and written, or is not what we wrote.
    pub fn resume(path: &Path) -> io::Result<(Self, Vec<GameRecord>)> {
        let mut file = OpenOptions::new().read(true).append(true).open(path)?;
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        let (whole, records) = parse(&bytes)?;
        file.set_len(whole as u64)?;
        let exports = Exports::begin(folder(path), &records)?;
        Ok((Self { file, exports }, records))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be written: the tournament is to end then.
    pub fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.exports.add(record)
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}

/// Reads the records of a file, and changes nothing: the tournament may still
/// go on.
///
/// # Errors
/// If it cannot be read, or is not what we wrote.
pub fn read(path: &Path) -> io::Result<Vec<GameRecord>> {
    Ok(parse(&std::fs::read(path)?)?.1)
}

/// The length of the whole lines, and what they hold.
fn parse(bytes: &[u8]) -> io::Result<(usize, Vec<GameRecord>)> {
    let whole = bytes
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |at| at + 1);
    let mut records: Vec<GameRecord> = Vec::new();
    let mut ids = HashSet::new();
    for (number, line) in bytes[..whole].split(|&b| b == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        let wrong = |what: String| {
            let what = format!("line {}: {what}", number + 1);
            io::Error::new(io::ErrorKind::InvalidData, what)
        };
        let record: GameRecord =
            serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))?;
        if !ids.insert(record.id) {
            return Err(wrong(format!("game {} is there twice", record.id)));
        }
        records.push(record);
    }
    Ok((whole, records))
}
