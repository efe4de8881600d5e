//! What a position seems to be worth: rows of numbers for every filled pattern
//! and for a few counts, added up. The last number of the sum is a value in
//! itself, the others are what hidden units see: clipped and squared they count
//! too, by weights of their own for each number of empty squares. Each phase of
//! the game has rows of its own.
//!
//! CITE: M. Buro, Logistello (patterns, added up by phase);
//! <https://github.com/natsutteatsuiyone/neural-reversi> (rows of hidden units
//! for patterns, one cache line or less each).

mod rows;

use std::borrow::Cow;
use std::sync::OnceLock;

use super::patterns::{LANES, Lanes, Layout, layout};
use super::{Bits, Board, Discs, Move, around, odd_quadrants, squares};
use crate::search::heuristics::Depth;
use crate::weights::{Weights, WeightsError, unpack};

/// Empty squares that a phase lasts.
pub(super) const PHASE_LENGTH: u32 = 8;

/// Phases of a game on this board: 32 squares are empty at the start on 6x6,
/// 60 on 8x8. Phase 0 is the last.
pub(super) const fn phases(board: Board) -> usize {
    match board {
        Board::Six => 4,
        Board::Eight => 8,
    }
}

/// The phase with so many empty squares.
pub(super) fn phase(board: Board, empties: u32) -> usize {
    (empties.saturating_sub(1) / PHASE_LENGTH).min(phases(board) as u32 - 1) as usize
}

/// The step of a phase to which so many empty squares belong or are nearest.
pub(super) fn step(phase: usize, empties: u32) -> usize {
    let first = PHASE_LENGTH * phase as u32 + 1;
    empties.saturating_sub(first).min(PHASE_LENGTH - 1) as usize
}

/// Counts, whose rows follow those of the patterns, with how many values each
/// can have:
///
/// 0. empty squares;
/// 1. moves of the side to move;
/// 2. moves of the opponent;
/// 3. empty squares beside discs of the opponent: moves to come;
/// 4. the same for the opponent;
/// 5. quadrants with an odd number of empty squares.
const COUNTS: [usize; 6] = [61, 32, 32, 40, 40, 5];

/// Numbers of a row.
pub(super) const WIDTH: usize = 16;

/// Hidden units: all numbers of a row but the last.
pub(super) const UNITS: usize = WIDTH - 1;

/// What a unit sees is 1 at this number. A row has no larger one than 1.2, and
/// no position has more than 52 rows, so that no sum leaves 16 bits.
pub(super) const UNIT_SCALE: i32 = 256;

/// A disc in the last number, which is at most 9 discs.
pub(super) const SUM_SCALE: i32 = 64;

/// A row, half a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub(super) struct Row(pub(super) [i16; WIDTH]);

/// The rows of one phase, those of the patterns first: as many as the board
/// needs that needs more.
const TABLE: usize = {
    let (six, eight) = (layout(Board::Six).weights, layout(Board::Eight).weights);
    let patterns = if six > eight { six } else { eight };
    patterns + 1 + COUNTS[0] + COUNTS[1] + COUNTS[2] + COUNTS[3] + COUNTS[4] + COUNTS[5]
};

/// One phase.
#[derive(Debug)]
struct Table {
    rows: Box<[Row; TABLE]>,
    /// By step, what the units count for in hundredths of a disc.
    outputs: [Row; PHASE_LENGTH as usize],
}

/// The weights of a phase in the file, and in use.
#[derive(Debug)]
struct Phase {
    packed: Cow<'static, [u8]>,
    outputs: Vec<i16>,
    table: OnceLock<Table>,
}

/// What one board has in the weight file.
#[derive(Debug)]
struct BoardTables {
    phases: Vec<Phase>,
    /// By stage and depth, from [`FIRST_DEPTH`] on: the error of a shallow
    /// search in hundredths of a disc.
    probcut: Vec<i16>,
}

/// The weights, unpacked as they are needed.
#[derive(Debug)]
pub struct Tables {
    six: BoardTables,
    eight: BoardTables,
}

/// The least depth whose value is foretold by a shallower search.
pub(super) const FIRST_DEPTH: Depth = 3;

/// Empty squares to which the same errors of shallow searches belong.
pub(super) const STAGE_LENGTH: u32 = 4;

/// Stages of a game on this board.
pub(super) const fn stages(board: Board) -> usize {
    match board {
        Board::Six => 8,
        Board::Eight => 15,
    }
}

/// The stage with so many empty squares.
fn stage(board: Board, empties: u32) -> usize {
    (empties.saturating_sub(1) / STAGE_LENGTH).min(stages(board) as u32 - 1) as usize
}

/// As many depths from there on have an error of their own.
pub(super) const DEPTHS: usize = 30;

impl Tables {
    pub(super) fn decode(weights: &Weights) -> Result<Self, WeightsError> {
        let read = |board| -> Result<BoardTables, WeightsError> {
            let count = stored(layout(board)) * WIDTH;
            let steps = PHASE_LENGTH as usize * WIDTH;
            let phase = |number| {
                Ok::<Phase, WeightsError>(Phase {
                    packed: weights.packed(&section(board, number), count)?.clone(),
                    outputs: weights
                        .section(&outputs_section(board, number), steps)?
                        .to_vec(),
                    table: OnceLock::new(),
                })
            };
            Ok(BoardTables {
                phases: (0..phases(board))
                    .map(phase)
                    .collect::<Result<_, WeightsError>>()?,
                probcut: weights
                    .section(&probcut_section(board), stages(board) * DEPTHS)?
                    .to_vec(),
            })
        };
        Ok(Self {
            six: read(Board::Six)?,
            eight: read(Board::Eight)?,
        })
    }

    #[inline]
    fn of(&self, board: Board) -> &BoardTables {
        match board {
            Board::Six => &self.six,
            Board::Eight => &self.eight,
        }
    }

    #[inline]
    fn table(&self, board: Board, empties: u32) -> &Table {
        let phase = &self.of(board).phases[phase(board, empties)];
        phase.table.get_or_init(|| Table::new(phase, layout(board)))
    }

    /// The standard deviation, in hundredths of a disc, of the difference
    /// between a search of `depth` and the shallow one that foretells it; none
    /// where that is not known.
    #[inline]
    pub(super) fn probcut_error(&self, board: Board, empties: u32, depth: Depth) -> Option<i32> {
        let column = usize::try_from(depth - FIRST_DEPTH).ok()?;
        let place = stage(board, empties) * DEPTHS + column.min(DEPTHS - 1);
        let error = self.of(board).probcut.get(place)?;
        (*error > 0).then_some((*error).into())
    }

    /// Unpacks what a search from this position will need at first.
    fn prepare(&self, position: &Discs) {
        let empties = position.empty().count_ones();
        for ahead in [0, 8] {
            self.table(position.board, empties.saturating_sub(ahead));
        }
    }

    /// Unpacks what all searches of a game from this position on will need,
    /// the end first: a search that begins meanwhile unpacks what it needs
    /// itself and waits for nobody.
    pub(super) fn prepare_game(&self, position: &Discs) {
        for empties in 0..=position.empty().count_ones() {
            self.table(position.board, empties);
        }
    }

    /// In hundredths of a disc, for the side to move.
    #[inline]
    pub(super) fn evaluate(&self, position: &Discs, indices: &Indices) -> i32 {
        let empties = position.empty().count_ones();
        let table = self.table(position.board, empties);
        let (mut sums, start) = match position.board {
            Board::Six => (
                rows::sum::<38>(&table.rows, &layout(Board::Six).centre, &indices.0),
                const { layout(Board::Six).weights },
            ),
            Board::Eight => (
                rows::sum::<46>(&table.rows, &layout(Board::Eight).centre, &indices.0),
                const { layout(Board::Eight).weights },
            ),
        };
        let mut first = start + 1;
        for (count, values) in position.counts().into_iter().zip(COUNTS) {
            sums.add(&table.rows[(first + count).min(TABLE - 1)]);
            first += values;
        }
        let step = empties.saturating_sub(1) % PHASE_LENGTH;
        let value = sums.value(&table.outputs[step as usize]);
        let most = 100 * (position.board.size() * position.board.size()) as i32;
        value.clamp(-most, most)
    }
}

impl Row {
    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for (sum, number) in self.0.iter_mut().zip(other.0) {
            *sum = sum.wrapping_add(number);
        }
    }

    /// What the sum of all rows is worth, in hundredths of a disc.
    #[inline(always)]
    fn value(&self, outputs: &Self) -> i32 {
        let mut hidden = 0;
        for (sum, weight) in self.0[..UNITS].iter().zip(&outputs.0[..UNITS]) {
            let clipped = i32::from(*sum).clamp(0, UNIT_SCALE);
            hidden += (clipped * clipped / UNIT_SCALE) * i32::from(*weight);
        }
        hidden / UNIT_SCALE + i32::from(self.0[UNITS]) * 100 / SUM_SCALE
    }
}

/// The name of a phase's section in the file.
pub(super) fn section(board: Board, phase: usize) -> String {
    let board = match board {
        Board::Six => "six",
        Board::Eight => "eight",
    };
    format!("{board}-{phase}")
}

/// The name of the section with what the units of a phase count for.
pub(super) fn outputs_section(board: Board, phase: usize) -> String {
    section(board, phase) + "-outputs"
}

/// The name of the section with the errors of shallow searches.
pub(super) fn probcut_section(board: Board) -> String {
    match board {
        Board::Six => "six-probcut".to_string(),
        Board::Eight => "eight-probcut".to_string(),
    }
}

/// Rows of a phase: the patterns', one that stays 0 for lanes that are not
/// used, and the counts'.
pub(super) fn parameters(layout: &Layout) -> usize {
    layout.weights + 1 + COUNTS.iter().sum::<usize>()
}

/// By row, the first of those that are the same.
pub(super) fn tied(layout: &Layout) -> Vec<u32> {
    let mut tied = layout.mirrored();
    for (index, other) in (0..).zip(&mut tied) {
        *other = index.min(*other);
    }
    tied.extend(layout.weights as u32..parameters(layout) as u32);
    tied
}

/// How many rows the file has for a phase: of those that are the same only one.
fn stored(layout: &Layout) -> usize {
    (0..layout.shapes)
        .map(|shape| {
            let moved = (0..layout.squares[shape])
                .filter(|&place| layout.mirror[shape][place] != place)
                .count();
            let all = 3_usize.pow(layout.squares[shape] as u32);
            // A pattern is its own mirror image if each pair of places holds
            // the same.
            let symmetric = 3_usize.pow((layout.squares[shape] - moved / 2) as u32);
            all.midpoint(symmetric)
        })
        .sum::<usize>()
        + parameters(layout)
        - layout.weights
}

impl Table {
    /// Gives each row of the file to all patterns it is for. The file has the
    /// first numbers of all rows, then the second ones, and so on.
    fn new(phase: &Phase, layout: &Layout) -> Self {
        let tied = tied(layout);
        let mut table = Self::empty();
        let mut numbers = unpack(&phase.packed);
        for lane in 0..WIDTH {
            for (index, &first) in tied.iter().enumerate() {
                table.rows[index].0[lane] = if first as usize == index {
                    numbers.next().unwrap_or_default()
                } else {
                    table.rows[first as usize].0[lane]
                };
            }
        }
        for (row, numbers) in table.outputs.iter_mut().zip(phase.outputs.chunks(WIDTH)) {
            row.0.copy_from_slice(numbers);
        }
        table
    }

    fn empty() -> Self {
        Self {
            rows: vec![Row([0; WIDTH]); TABLE]
                .into_boxed_slice()
                .try_into()
                .expect("as many as there should be"),
            outputs: [Row([0; WIDTH]); PHASE_LENGTH as usize],
        }
    }
}

/// What the patterns of a position hold, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Indices(Lanes);

impl Indices {
    /// From nothing.
    pub(super) fn new(position: &Discs) -> Self {
        let powers = &layout(position.board).powers;
        let mut lanes = [0; LANES];
        for square in squares(position.own) {
            add(&mut lanes, &powers[usize::from(square)]);
        }
        for lane in &mut lanes {
            *lane = -*lane;
        }
        for square in squares(position.opponent) {
            add(&mut lanes, &powers[usize::from(square)]);
        }
        for lane in &mut lanes {
            *lane = -*lane;
        }
        Self(lanes)
    }

    /// The indices after `mv`, which made `after` out of `before`.
    #[inline]
    pub(super) fn advance(&self, before: &Discs, mv: Move, after: &Discs) -> Self {
        let mut lanes = self.0;
        if mv != Move::PASS {
            let powers = &layout(after.board).powers;
            add(&mut lanes, &powers[usize::from(mv.0 & 63)]);
            // A disc that is flipped goes from -1 to 1.
            let mut flipped = [0; LANES];
            for square in squares(before.opponent & !after.own) {
                add(&mut flipped, &powers[usize::from(square)]);
            }
            for (lane, change) in lanes.iter_mut().zip(flipped) {
                // The double of a change may need a bit more than there is for
                // a moment.
                *lane = lane.wrapping_add(change.wrapping_mul(2));
            }
        }
        for lane in &mut lanes {
            *lane = -*lane;
        }
        Self(lanes)
    }

    /// The rows that count, by index.
    pub(super) fn weights(self, board: Board) -> impl Iterator<Item = u32> {
        let layout = layout(board);
        let used = self.0.into_iter().zip(layout.centre).take(layout.instances);
        used.map(|(index, centre)| (centre + i32::from(index)) as u32)
    }
}

#[inline(always)]
fn add(lanes: &mut Lanes, powers: &Lanes) {
    for (lane, power) in lanes.iter_mut().zip(powers) {
        *lane += power;
    }
}

impl Discs {
    /// In the order of [`COUNTS`].
    #[inline]
    fn counts(&self) -> [usize; 6] {
        let empty = self.empty();
        let most = |set: Bits, place: usize| (set.count_ones() as usize).min(COUNTS[place] - 1);
        [
            most(empty, 0),
            most(self.moves(), 1),
            most(self.opponent_moves(), 2),
            most(around(self.opponent) & empty, 3),
            most(around(self.own) & empty, 4),
            most(odd_quadrants(empty) & CENTRES, 5),
        ]
    }

    /// The rows of the phase that this position's value is made of.
    pub(super) fn weights(&self) -> impl Iterator<Item = u32> {
        let mut first = layout(self.board).weights + 1;
        let counts = self.counts().into_iter().zip(COUNTS);
        let counts = counts.map(move |(count, values)| {
            let weight = first + count;
            first += values;
            weight as u32
        });
        Indices::new(self).weights(self.board).chain(counts)
    }
}

/// One square of each quadrant.
const CENTRES: Bits = 1 << 27 | 1 << 28 | 1 << 35 | 1 << 36;

/// The indices of a position, with the tables made ready for a search.
pub(super) fn refresh(position: &Discs, tables: &Tables) -> Indices {
    tables.prepare(position);
    Indices::new(position)
}

#[cfg(test)]
mod tests;
