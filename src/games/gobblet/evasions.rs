//! What to do about a threat to win.

use super::board::{Board, View};
use super::lines::{Squares, three_lines};
use super::moves::{Kind, Move};
use super::position::top_size;
use super::tactics::{Uncovering, winning_move};
use crate::game::MoveList;

/// See [`crate::search::heuristics::Heuristics::retain_evasions`].
///
/// Some move of a threatened position does not lose on the spot, so that a
/// loss takes two plies indeed. Otherwise every visible gobblet of the mover
/// would cover one of the opponent's, who then shows at most nine; the mover
/// would have no placement, hence all three of his largest on the board; and
/// the lift of each of these would have to uncover two lines, or one made of
/// three gobblets of size 4. No such board, of all, leaves nine gobblets
/// enough for a threat besides.
pub(super) fn retain(board: Board, moves: &mut MoveList<Move>) {
    let view = board.view();
    let Some(threat) = Threat::find(board, &view) else {
        return;
    };
    let uncovering = Uncovering::new(board, &view);
    moves.retain(|mv| !threat.remains(*mv) && !uncovering.loses(*mv));
}

/// See [`crate::search::heuristics::Heuristics::retain_harmless`]: only
/// uncovering a line of the opponent loses on the spot.
pub(super) fn retain_harmless(board: Board, moves: &mut MoveList<Move>) {
    let uncovering = Uncovering::new(board, &board.view());
    if uncovering.is_dangerous() && moves.iter().any(|&mv| !uncovering.loses(mv)) {
        moves.retain(|mv| !uncovering.loses(*mv));
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
    /// The opponent completes a line and uncovers none. What makes that
    /// impossible is a gobblet on the line or over the one that is to move.
    /// Other moves matter only where more is needed for the threat: three of
    /// the mover's gobblets in a line, of which one may be covered; or a lift
    /// that might uncover a line of the mover's.
    fn find(board: Board, view: &View) -> Option<Self> {
        let mv = winning_move(board.flip(), &view.flip())?;
        let lines = three_lines(view.other_tops());
        let parries = match mv.kind() {
            Kind::Placement { square, .. } if view.empty() >> square & 1 != 0 => lines,
            Kind::Placement { .. } => Squares::MAX,
            Kind::Shift { from, .. } => {
                let beneath = board.hidden(view).view().mover_tops();
                if beneath >> from & 1 != 0 {
                    Squares::MAX
                } else {
                    lines | 1 << from
                }
            }
        };
        Some(Self {
            board,
            view: *view,
            parries,
        })
    }

    /// Whether the opponent still wins at once after `mv`, if it does not
    /// lose.
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
