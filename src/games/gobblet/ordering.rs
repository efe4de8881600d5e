//! Which moves look good before they are searched.

use super::board::{Board, SQUARES, View};
use super::lines::{LINES, Squares, has_line, three_lines};
use super::moves::{Kind, Move};
use super::position::top_size;
use super::tactics::winning_move;

/// The hint for a move that loses on the spot.
const LOSES: i32 = -30_000;

/// The hint for a move that lets the opponent win on the spot, before what
/// else is to be said of it.
const LETS_WIN: i32 = -22_000;

/// Other hints are within this.
const LIMIT: i32 = 15_000;

/// What a gobblet is worth on a line where its side shows as many others and
/// the opponent none: the last is a win.
const ATTACK: [i32; 4] = [40, 150, 900, 9_000];

/// What it is worth on a line where only the opponent shows some others.
const BLOCK: [i32; 4] = [0, 60, 400, 1_500];

/// What it is worth for its own size.
const SIZE: [i32; 5] = [0, 0, 40, 120, 240];

/// What the gobblet that it covers was worth, by size.
const COVERED: [i32; 5] = [0, 40, 160, 320, 0];

/// What the moves promise. See [`crate::search::heuristics::Heuristics::hint`].
pub(super) fn hint(board: Board, moves: &[Move], hints: &mut [i32]) {
    let view = board.view();
    let guide = Guide::new(board, view);
    let threat = Threat::find(board, &view);
    for (&mv, hint) in moves.iter().zip(hints) {
        let promise = guide.promise(mv).clamp(-LIMIT, LIMIT);
        *hint = if guide.loses(mv) {
            LOSES
        } else if threat.as_ref().is_some_and(|threat| threat.remains(mv)) {
            LETS_WIN + promise / 4
        } else {
            promise
        };
    }
}

/// A move by which the opponent would win at once if it were his turn.
struct Threat {
    board: Board,
    view: View,
    /// Only a move that lands here can parry it.
    parries: Squares,
}

impl Threat {
    /// The opponent completes a line and loses none. What makes that
    /// impossible is a gobblet on the line or over the one that is to move.
    /// Other moves matter only where more is needed for the threat: three of
    /// the mover's gobblets in a line, of which one may be covered; or a lift
    /// that uncovers no line of the mover's.
    fn find(board: Board, view: &View) -> Option<Self> {
        let mv = winning_move(board.flip(), &view.flip())?;
        let lines = three_lines(view.other_tops());
        let parries = match mv.kind() {
            Kind::Placement { square, .. } if view.empty() >> square & 1 != 0 => lines,
            Kind::Shift { from, .. } => {
                let beneath = board.hidden(view).view();
                if beneath.mover_tops() >> from & 1 != 0 {
                    Squares::MAX
                } else {
                    lines | 1 << from
                }
            }
            Kind::Placement { .. } => Squares::MAX,
        };
        Some(Self {
            board,
            view: *view,
            parries,
        })
    }

    /// Whether the opponent still wins at once after `mv`.
    fn remains(&self, mv: Move) -> bool {
        if self.parries >> mv.to() & 1 == 0 {
            return true;
        }
        let after = match mv.kind() {
            Kind::Placement { size, square } => self.board.place(size, square),
            Kind::Shift { from, to } => self.board.shift(top_size(&self.view, from), from, to),
        };
        winning_move(after, &after.view()).is_some()
    }
}

/// What it costs to set free a gobblet of the opponent's.
const UNCOVERS: i32 = 100;

/// The squares of each line.
const MEMBERS: [[u8; 4]; 10] = {
    let mut members = [[0; 4]; 10];
    let mut line = 0;
    while line < 10 {
        let mut found = 0;
        let mut square = 0;
        while square < SQUARES {
            if LINES[line] >> square & 1 != 0 {
                members[line][found] = square;
                found += 1;
            }
            square += 1;
        }
        line += 1;
    }
    members
};

/// What is common to the moves of one position.
struct Guide {
    view: View,
    /// What standing on a square is worth to the side to move.
    worth: [i32; 16],
    /// Opponent's gobblets directly beneath visible ones.
    other_beneath: Squares,
    /// Squares that complete a line of the opponent's.
    other_completing: Squares,
}

impl Guide {
    fn new(board: Board, view: View) -> Self {
        let (own, other) = (view.mover_tops(), view.other_tops());
        Self {
            worth: worth(own, other),
            other_beneath: board.hidden(&view).view().other_tops(),
            other_completing: three_lines(other) & !other,
            view,
        }
    }

    /// Whether lifting the gobblet gives the opponent a line that putting it
    /// down does not break.
    fn loses(&self, mv: Move) -> bool {
        mv.from().is_some_and(|from| {
            let uncovered = self.other_beneath & self.other_completing & (1 << from);
            uncovered != 0 && has_line((self.view.other_tops() | uncovered) & !(1 << mv.to()))
        })
    }

    fn promise(&self, mv: Move) -> i32 {
        let to = mv.to();
        let lands = self.worth[usize::from(to)] + self.gobbles(to);
        match mv.kind() {
            Kind::Placement { size, .. } => lands + SIZE[usize::from(size)],
            Kind::Shift { from, .. } => lands - self.lifts(from),
        }
    }

    fn gobbles(&self, to: u8) -> i32 {
        let size = usize::from(top_size(&self.view, to));
        if self.view.other_tops() >> to & 1 != 0 {
            COVERED[size]
        } else {
            -COVERED[size] / 2
        }
    }

    /// What lifting a gobblet costs.
    fn lifts(&self, from: u8) -> i32 {
        let uncovers = self.other_beneath >> from & 1 != 0;
        self.worth[usize::from(from)] + if uncovers { UNCOVERS } else { 0 }
    }
}

/// For each square what standing there is worth, its present gobblet aside.
fn worth(own: Squares, other: Squares) -> [i32; 16] {
    let mut worth = [0; 16];
    for (line, members) in LINES.into_iter().zip(MEMBERS) {
        let friends = (own & line).count_ones();
        let foes = (other & line).count_ones();
        for square in members {
            let friends = friends - u32::from(own >> square & 1);
            let foes = foes - u32::from(other >> square & 1);
            worth[usize::from(square)] += match (friends, foes) {
                (_, 0) => ATTACK[friends as usize],
                (0, _) => BLOCK[foes as usize],
                _ => 0,
            };
        }
    }
    worth
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game as _;
    use crate::games::gobblet::Gobblet;
    use crate::search::heuristics::{Heuristics as _, Tactics, legal_moves};
    use crate::zobrist::splitmix64;

    /// Random games that go on as long as they can.
    #[test]
    fn threats_are_parried_exactly_by_the_moves_that_parry_them() {
        let (mut dice, mut parried, mut let_win) = (5, 0, 0);
        for _game in 0..300 {
            let mut position = Gobblet::start();
            for _ply in 0..100 {
                let mut moves = legal_moves(&position);
                if position.tactics() == Tactics::Threatened {
                    let (board, view) = (position.board(), position.board().view());
                    let threat = Threat::find(board, &view).expect("a threat");
                    for &mv in &moves {
                        let after = position.play(mv);
                        if after.outcome().is_none() {
                            let remains = matches!(after.tactics(), Tactics::WinsNow(_));
                            assert_eq!(threat.remains(mv), remains, "{position:?} {mv}");
                            let_win += u32::from(remains);
                            parried += u32::from(!remains);
                        }
                    }
                }
                moves.retain(|mv| position.play(*mv).outcome().is_none());
                if moves.is_empty() {
                    break;
                }
                let (next, value) = splitmix64(dice);
                dice = next;
                position = position.play(moves[(value % moves.len() as u64) as usize]);
            }
        }
        assert!(parried > 1_000 && let_win > 1_000, "{parried} {let_win}");
    }
}
