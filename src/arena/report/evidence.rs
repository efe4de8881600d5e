//! What tournaments have left in their directories.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::arena::clock::Limit;
use crate::arena::ratings::Anchor;
use crate::arena::record::{self, GameRecord};
use crate::arena::sprt::Sprt;
use crate::arena::standings::Standings;
use crate::command::Failure;

/// All of it, as one.
pub(super) struct Evidence {
    /// In the order in which they ended. Numbers of games and of pairs are
    /// different ones throughout.
    pub(super) records: Vec<GameRecord>,
    /// The names of the engines, in the user's order.
    pub(super) engines: Vec<String>,
    /// The sequential test, if there is exactly one.
    pub(super) sprt: Option<Sprt>,
    /// How the engines were told to play: name, and a few words.
    pub(super) settings: Vec<[String; 2]>,
}

impl Evidence {
    /// Reads directories.
    ///
    /// # Errors
    /// If one of them is no tournament's.
    pub(super) fn read(dirs: &[PathBuf]) -> Result<Self, Failure> {
        let mut all = Self {
            records: Vec::new(),
            engines: Vec::new(),
            sprt: None,
            settings: Vec::new(),
        };
        for dir in dirs {
            all.add(dir)?;
        }
        if dirs.len() != 1 || all.engines.len() != 2 {
            all.sprt = None;
        }
        Ok(all)
    }

    fn add(&mut self, dir: &Path) -> Result<(), Failure> {
        let file = dir.join("games.jsonl");
        let records = record::read(&file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Failure::Refused(format!(
                "{}: there is no games.jsonl; a directory is one that `quadrille tournament --out` \
                 has written",
                dir.display()
            )),
            _ => Failure::Refused(format!("{}: {error}", file.display())),
        })?;
        // Made by us or by a later version of us: what is not understood is
        // left out.
        let plan = std::fs::read(dir.join("tournament.json")).unwrap_or_default();
        self.add_plan(&serde_json::from_slice(&plan).unwrap_or_default());
        for record in &records {
            // Who moved first, first: it is the order of the list, if no
            // other is known.
            for name in [&record.black, &record.white] {
                self.add_engine(name);
            }
        }
        let next = |number: fn(&GameRecord) -> u64| {
            self.records
                .iter()
                .map(number)
                .max()
                .map_or(0, |most| most + 1)
        };
        let (id, pair) = (next(|record| record.id), next(|record| record.pair));
        self.records.extend(records.into_iter().map(|mut record| {
            record.id += id;
            record.pair += pair;
            record
        }));
        Ok(())
    }

    fn add_plan(&mut self, plan: &Value) {
        let sprt = plan.get("sprt").cloned().unwrap_or_default();
        self.sprt = serde_json::from_value(sprt).unwrap_or_default();
        for engine in plan["engines"].as_array().into_iter().flatten() {
            let Some(name) = engine["name"].as_str() else {
                continue;
            };
            self.add_engine(name);
            let setting = [name.to_string(), setting(engine)];
            if !setting[1].is_empty() && !self.settings.contains(&setting) {
                self.settings.push(setting);
            }
        }
    }

    fn add_engine(&mut self, name: &str) {
        if !self.engines.iter().any(|known| known == name) {
            self.engines.push(name.to_string());
        }
    }

    /// Where the tournament stands after all its games.
    ///
    /// # Errors
    /// If an anchor is no engine.
    pub(super) fn standings(&self, anchors: &[Anchor]) -> Result<Standings, Failure> {
        let mut standings = Standings::new(self.engines.iter().cloned());
        standings
            .anchor(anchors)
            .map_err(|what| Failure::Usage(format!("--anchor: {what}")))?;
        for record in &self.records {
            standings.add(record);
        }
        Ok(standings)
    }
}

/// The program without its directory, which is nobody's business, its
/// arguments and options, and its limits.
fn setting(engine: &Value) -> String {
    let program = engine["cmd"].as_str().unwrap_or_default();
    let program = Path::new(program).file_name().unwrap_or_default();
    let mut words = vec![program.to_string_lossy().into_owned()];
    for word in engine["args"].as_array().into_iter().flatten() {
        words.extend(word.as_str().map(str::to_string));
    }
    for option in engine["options"].as_array().into_iter().flatten() {
        if let [Value::String(name), Value::String(value)] =
            option.as_array().map_or(&[][..], |v| v)
        {
            words.push(format!("{name}={value}"));
        }
    }
    let limit: Limit = serde_json::from_value(engine["limit"].clone()).unwrap_or_default();
    if let Some(clock) = limit.clock {
        let (main, increment) = (clock.main.as_secs_f64(), clock.increment.as_secs_f64());
        words.push(format!("tc={main}+{increment}"));
    }
    words.extend(
        limit
            .per_move
            .map(|time| format!("st={}", time.as_secs_f64())),
    );
    words.extend(limit.nodes.map(|nodes| format!("nodes={nodes}")));
    words.extend(limit.depth.map(|depth| format!("depth={depth}")));
    words.retain(|word| !word.is_empty());
    words.join(" ")
}
