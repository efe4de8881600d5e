//! Wins by force: can the side to move go on threatening to win at once, until
//! a threat has no answer?
//!
//! Only moves that threaten are tried, and only answers that parry, so the
//! tree is narrow and reaches far beyond the depth of the search at hand. The
//! question is asked for a number of own moves, one more each time: a line
//! that comes back to where it was only wastes moves, so nothing that is
//! found depends on how a position was reached.
//!
//! CITE: L. V. Allis, H. J. van den Herik, M. P. H. Huntjens, Go-Moku solved
//! by new search techniques, Computational Intelligence 12, 1996 (threat-space
//! search).

use arrayvec::ArrayVec;

use crate::game::{MAX_MOVES, MoveList};
use crate::search::MAX_PLY;
use crate::search::heuristics::{Heuristics, Tactics, legal_moves};
use crate::search::worker::Worker;

/// Positions remembered: 256 KiB.
const SLOTS: usize = 1 << 14;

/// Most own moves of a win that is looked for.
const MOST_MOVES: u8 = (MAX_PLY / 2 - 8) as u8;

/// The part of a search's positions that go into this, as a divisor.
const SHARE: u64 = 8;

/// What is known of a position whose side to move attacks.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    /// Wins in so many moves, or 0.
    won: u8,
    /// Does not win by threats in so many moves.
    open: u8,
    /// The move that wins.
    best: u16,
}

/// A search for a forced win that can be interrupted and taken up again.
pub(super) struct Threats {
    slots: Vec<Slot>,
    /// The root does not win by threats in so many moves.
    refuted: u8,
    /// Positions entered, and how many may be.
    entered: u64,
    allowed: u64,
}

impl Threats {
    pub(super) fn new() -> Self {
        Self {
            slots: Vec::new(),
            refuted: 0,
            entered: 0,
            allowed: 0,
        }
    }

    /// Goes on looking for a win from `root`, within a share of the positions
    /// that the search has entered so far. In how many own moves it wins and
    /// how, if that is found.
    pub(super) fn prove<H: Heuristics>(
        &mut self,
        worker: &mut Worker<'_, H>,
        root: &H,
    ) -> Option<(u8, Vec<H::Move>)> {
        let shared = worker.shared;
        // What the game has seen twice is a draw, and parries every threat.
        if !H::THREATENS || shared.past_repeats || !shared.switches.tactics {
            return None;
        }
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, Slot::default());
        }
        self.allowed = shared.total_nodes() / SHARE;
        while self.refuted < MOST_MOVES && self.entered < self.allowed {
            let moves = self.refuted + 1;
            let mut attack = Attack {
                threats: self,
                worker,
                halted: false,
            };
            if attack.wins(root, moves) {
                return Some((moves, attack.line(root, moves)));
            }
            if attack.halted {
                break;
            }
            self.refuted = moves;
        }
        None
    }

    fn slot(&mut self, key: u64) -> &mut Slot {
        &mut self.slots[key as usize % SLOTS]
    }
}

/// A threat: a move, and how many answers there are.
type Threat<M> = (usize, M);

struct Attack<'a, 'w, H: Heuristics> {
    threats: &'a mut Threats,
    worker: &'a mut Worker<'w, H>,
    /// The time or the share is used up: what is returned means nothing.
    halted: bool,
}

impl<H: Heuristics> Attack<'_, '_, H> {
    fn enter(&mut self) {
        self.threats.entered += 1;
        self.worker.count_node();
        self.halted |= self.worker.halted || self.threats.entered > self.threats.allowed;
    }

    /// Whether the side to move wins by threats in at most `moves` of its own.
    fn wins(&mut self, position: &H, moves: u8) -> bool {
        self.enter();
        if self.halted || moves == 0 {
            return false;
        }
        let tactics = position.tactics();
        if matches!(tactics, Tactics::WinsNow(_)) {
            return true;
        }
        let key = position.key();
        let slot = *self.threats.slot(key);
        let known = slot.key == key;
        if known && slot.won != 0 && slot.won <= moves {
            return true;
        }
        if moves == 1 || known && slot.open >= moves {
            return false;
        }
        let found = self.winning_threat(position, tactics == Tactics::Threatened, moves);
        if self.halted {
            return false;
        }
        let slot = self.threats.slot(key);
        if slot.key != key {
            *slot = Slot {
                key,
                ..Slot::default()
            };
        }
        match found {
            Some(mv) => (slot.won, slot.best) = (moves, H::encode(mv)),
            None => slot.open = moves,
        }
        found.is_some()
    }

    /// A threat that wins in at most `moves` moves.
    fn winning_threat(&mut self, position: &H, threatened: bool, moves: u8) -> Option<H::Move> {
        let threats = self.threats(position, threatened);
        threats
            .into_iter()
            .find(|&(answers, mv)| {
                answers == 0 || moves > 2 && self.beats_all(&position.play(mv), moves - 1)
            })
            .map(|(_, mv)| mv)
    }

    /// Whether the side that has just threatened wins in at most `moves` more,
    /// whatever the answer.
    fn beats_all(&mut self, position: &H, moves: u8) -> bool {
        let answers = evasions(position);
        answers
            .iter()
            .all(|&answer| self.wins(&position.play(answer), moves))
    }

    /// The moves that threaten to win, those with the fewest answers first.
    fn threats(&mut self, position: &H, threatened: bool) -> ArrayVec<Threat<H::Move>, MAX_MOVES> {
        let moves = if threatened {
            evasions(position)
        } else {
            legal_moves(position)
        };
        let mut threats = ArrayVec::new();
        for mv in moves {
            let after = position.play(mv);
            if after.outcome().is_none() && after.tactics() == Tactics::Threatened {
                self.enter();
                threats.push((evasions(&after).len(), mv));
            }
        }
        threats.sort_unstable();
        threats
    }

    /// The line of a win that has just been found, against the longest
    /// resistance; cut short where the time is up.
    fn line(&mut self, root: &H, moves: u8) -> Vec<H::Move> {
        self.threats.allowed = u64::MAX;
        let mut line = Vec::new();
        let (mut position, mut left) = (*root, moves);
        while let Some(mv) = self.best(&position, left) {
            line.push(mv);
            position = position.play(mv);
            left -= 1;
            let Some(answer) = self.longest_answer(&position, &mut left) else {
                break;
            };
            line.push(answer);
            position = position.play(answer);
        }
        line
    }

    /// The move by which a position is won in at most `moves`.
    fn best(&mut self, position: &H, moves: u8) -> Option<H::Move> {
        let tactics = position.tactics();
        if let Tactics::WinsNow(mv) = tactics {
            return Some(mv);
        }
        let slot = *self.threats.slot(position.key());
        if slot.key == position.key() && slot.won != 0 && slot.won <= moves {
            return H::decode(slot.best);
        }
        self.winning_threat(position, tactics == Tactics::Threatened, moves)
    }

    /// The answer to a threat that takes the longest to beat; `left` becomes
    /// the moves it takes.
    fn longest_answer(&mut self, position: &H, left: &mut u8) -> Option<H::Move> {
        if position.outcome().is_some() {
            return None;
        }
        let mut answers = evasions(position);
        if answers.is_empty() {
            // Everything loses at once.
            answers = legal_moves(position);
            answers.retain(|mv| position.play(*mv).outcome().is_none());
        }
        let mut longest = None;
        for answer in answers {
            let after = position.play(answer);
            let needed = (1..=*left).find(|&moves| self.wins(&after, moves));
            if needed.is_some_and(|needed| longest.is_none_or(|(most, _)| needed > most)) {
                longest = needed.map(|needed| (needed, answer));
            }
        }
        let (needed, answer) = longest?;
        *left = needed;
        Some(answer)
    }
}

/// The moves that parry a threat.
fn evasions<H: Heuristics>(position: &H) -> MoveList<H::Move> {
    let mut moves = legal_moves(position);
    position.retain_evasions(&mut moves);
    moves
}
