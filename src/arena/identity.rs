//! What makes a tournament the same tournament: everything that the results
//! depend on. It is kept beside the records.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::adjudication::Adjudication;
use super::clock::Limit;
use super::engine::{Spec, Tongue};
use super::opening_draw::Balance;
use super::opening_file::Order;
use super::schedule::{Format, Schedule, Shard};
use super::sprt::Sprt;

/// The file it is kept in.
const FILE: &str = "tournament.json";

/// A tournament, without what changes no result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Identity {
    pub(super) version: String,
    pub(super) game: String,
    pub(super) format: Format,
    pub(super) rounds: u64,
    pub(super) games: u64,
    pub(super) seed: u64,
    pub(super) openings: OpeningsIdentity,
    pub(super) margin: Duration,
    pub(super) max_plies: Option<usize>,
    #[serde(default)]
    pub(super) adjudication: Adjudication,
    pub(super) sprt: Option<Sprt>,
    pub(super) engines: Vec<EngineIdentity>,
    /// The share that is played here, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) shard: Option<Shard>,
}

/// Where the openings come from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum OpeningsIdentity {
    /// Drawn at random.
    Random {
        plies: usize,
        balance: Option<Balance>,
    },
    /// Those of a file.
    File {
        crc32: String,
        order: Order,
        start: usize,
    },
}

/// An engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct EngineIdentity {
    pub(super) name: String,
    pub(super) cmd: String,
    pub(super) args: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) dir: Option<String>,
    #[serde(default)]
    pub(super) proto: Tongue,
    pub(super) options: Vec<(String, String)>,
    pub(super) limit: Limit,
}

impl From<&Spec> for EngineIdentity {
    fn from(spec: &Spec) -> Self {
        Self {
            name: spec.name.clone(),
            cmd: spec.program.file.to_string_lossy().into_owned(),
            args: spec.program.arguments.clone(),
            dir: (spec.program.dir.as_ref()).map(|dir| dir.to_string_lossy().into_owned()),
            proto: spec.tongue,
            options: spec.options.clone(),
            limit: spec.limit,
        }
    }
}

impl Identity {
    /// All of its games, those of other shares too.
    pub(super) fn schedule(&self) -> Result<Schedule, String> {
        Schedule::new(self.format, self.engines.len(), self.rounds, self.games)
    }

    /// Whether there is one in a directory.
    pub(super) fn is_in(dir: &Path) -> bool {
        dir.join(FILE).exists()
    }

    /// That of a directory.
    pub(super) fn read(dir: &Path) -> Result<Self, String> {
        let file = dir.join(FILE);
        let what = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
        let text = fs::read_to_string(&file).map_err(|error| what(&error))?;
        serde_json::from_str(&text).map_err(|error| what(&error))
    }

    pub(super) fn write(&self, dir: &Path) -> io::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        fs::write(dir.join(FILE), text)
    }
}
