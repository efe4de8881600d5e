//! Reports in words for people.

use crate::search::score::{Score, Value};
use crate::session::Info;

/// Moves of a variation that people care to read.
const MOVES: usize = 6;

/// A report: `+2.27, depth 12: f5 d6 c3`.
pub(super) fn told(info: &Info) -> String {
    if info.depth == 0 {
        return format!("{}, known beforehand", worth(info.value));
    }
    let line: Vec<&str> = info.pv.iter().take(MOVES).map(String::as_str).collect();
    let proved = if info.exact { ", proved" } else { "" };
    format!(
        "{}{proved}, depth {}: {}",
        worth(info.value),
        info.depth,
        line.join(" ")
    )
}

/// A value, for the side to move.
pub(super) fn worth(value: Value) -> String {
    match value {
        Value::Eval(hundredths) => {
            format!("{:+.2}", f64::from(hundredths) / f64::from(Score::UNIT))
        }
        Value::Margin(units) => format!("{units:+}"),
        Value::Win(plies) => format!("wins in {plies}"),
        Value::Loss(plies) => format!("loses in {plies}"),
        Value::Draw => "draw".to_string(),
    }
}
