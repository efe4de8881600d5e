//! Positions to learn from: every position in which an engine had a choice,
//! with what it played, what it thought and how the game ended.

use std::fmt::Write as _;

use crate::arena::record::GameRecord;
use crate::arena::replay::Replay;

/// The first line of the file.
pub(super) const HEADING: &str =
    "game\tid\tply\tside\tposition\tmove\tvalue\tdepth\tresult\tmargin\n";

/// Stands for what is not known.
const UNKNOWN: &str = "-";

/// A line for each position. A game that an engine lost by a fault says
/// nothing of its positions and has none.
pub(super) fn lines(record: &GameRecord, replay: &Replay<'_>) -> String {
    if record.reason.is_fault() {
        return String::new();
    }
    let mut text = String::new();
    for (number, ply) in replay.plies.iter().enumerate() {
        let Some(known) = ply.record.filter(|_| !ply.is_pass) else {
            continue;
        };
        let sign = match record.winner.as_deref() {
            None => 0,
            Some(winner) if winner == known.side => 1,
            Some(_) => -1,
        };
        let margin = match (sign, record.margin) {
            (0, _) => Some(0),
            (_, margin) => margin.map(|margin| sign * i64::from(margin)),
        };
        let or_unknown = |text: Option<String>| text.unwrap_or_else(|| UNKNOWN.to_string());
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}\t{}\t{number}\t{}\t{}\t{}\t{}\t{}\t{sign}\t{}",
            record.game,
            record.id,
            ply.side,
            ply.before,
            ply.mv,
            or_unknown(known.value.as_deref().map(plain)),
            or_unknown(known.depth.map(|depth| depth.to_string())),
            or_unknown(margin.map(|margin| margin.to_string())),
        );
    }
    text
}

/// A text without what would end its field or its line.
fn plain(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(plain).collect()
}
