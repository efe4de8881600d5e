//! A disc game as a game tree of a Smart Game Format collection.
//!
//! Squares are SGF's own points, from the top left; the discs of the start
//! are set up and the side to move is told, since readers know one of the
//! starts at most.
//!
//! CITE: A. Hollosi, SGF File Format FF[4], <https://www.red-bean.com/sgf/>.

use std::fmt::Write as _;

use crate::arena::record::{GameRecord, Reason};
use crate::arena::replay::{Ply, Replay, value_for_people};
use crate::depict::{Picture, Point};
use crate::game::Side;
use crate::records::sgf::{self, Node, Tree, escaped};

/// The whole tree, with a line feed at its end.
pub(super) fn game(record: &GameRecord, replay: &Replay<'_>) -> String {
    let mut ending = record.reason.to_string();
    if let Some(detail) = &record.detail {
        // Writing to a string cannot fail.
        let _ = write!(ending, ": {detail}");
    }
    let properties = format!(
        "\nGN[{} {}]RO[{}]PB[{}]PW[{}]RE[{}]\nC[{}, {}]\n",
        escaped(&record.game),
        record.id,
        record.round + 1,
        escaped(&record.black),
        escaped(&record.white),
        result(record),
        record.result(),
        escaped(&ending)
    );
    sgf::tree(&Tree {
        size: replay.variant.size,
        properties,
        discs: [Side::Black, Side::White].map(|side| discs(&replay.start, side)),
        first: replay.first,
        nodes: replay.plies.iter().map(node).collect(),
    })
}

/// The result in SGF's words.
fn result(record: &GameRecord) -> String {
    let winner = match record.winner.as_deref() {
        None => return "0".to_string(),
        Some("black") => 'B',
        Some(_) => 'W',
    };
    match (record.reason, record.margin) {
        (Reason::Time, _) => format!("{winner}+T"),
        (Reason::Resigned, _) => format!("{winner}+R"),
        (reason, _) if reason.is_fault() => format!("{winner}+F"),
        (_, Some(margin)) => format!("{winner}+{margin}"),
        (_, None) => format!("{winner}+"),
    }
}

/// The points of a side's discs.
fn discs(start: &Picture, side: Side) -> Vec<String> {
    let owned = |at: &Point| {
        let disc = start.cell(*at).stack.last();
        disc.is_some_and(|disc| disc.side == side)
    };
    (0..start.height)
        .flat_map(|row| (0..start.width).map(move |column| Point { column, row }))
        .filter(owned)
        .map(point)
        .collect()
}

fn node(ply: &Ply<'_>) -> Node {
    Node {
        side: ply.side,
        point: ply.points.first().map_or(String::new(), |&at| point(at)),
        comment: comment(ply),
        properties: String::new(),
    }
}

/// What is known of a move: score for the mover, depth, positions, time.
pub(super) fn comment(ply: &Ply<'_>) -> String {
    let Some(record) = ply.record else {
        return "opening".to_string();
    };
    let mut parts = Vec::new();
    parts.extend(record.value.as_deref().map(value_for_people));
    parts.extend(record.depth.map(|depth| format!("depth {depth}")));
    parts.extend(record.nodes.map(|nodes| format!("{nodes} nodes")));
    parts.extend(record.ms.map(|ms| format!("{:.3} s", ms / 1e3)));
    parts.join(", ")
}

fn point(at: Point) -> String {
    sgf::point(at.column, at.row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_told_in_the_words_of_the_format() {
        let record: GameRecord = serde_json::from_str(
            "{\"id\":0,\"round\":0,\"pair\":0,\"game\":\"othello8\",\"black\":\"a\",\"white\":\"b\",\
             \"winner\":\"white\",\"reason\":\"time\",\"opening\":{},\"moves\":[],\"position\":\"\"}",
        )
        .expect("a record");
        let with = |reason, margin, winner: Option<&str>| {
            result(&GameRecord {
                reason,
                margin,
                winner: winner.map(str::to_string),
                ..record.clone()
            })
        };
        let white = Some("white");
        assert_eq!(with(Reason::Time, None, white), "W+T");
        assert_eq!(with(Reason::Resigned, None, white), "W+R");
        assert_eq!(with(Reason::Crash, None, white), "W+F");
        assert_eq!(with(Reason::Rules, Some(12), Some("black")), "B+12");
        assert_eq!(with(Reason::Rules, None, None), "0");
        assert_eq!(with(Reason::MaxMoves, None, None), "0");
    }

    #[test]
    fn points_are_counted_from_the_top_left() {
        let at = |column, row| point(Point { column, row });
        assert_eq!(at(5, 4), "fe");
        assert_eq!(at(0, 7), "ah");
    }
}
