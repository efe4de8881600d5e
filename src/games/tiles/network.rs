//! A small network that judges positions from what each disk sees around it.
//!
//! The rules know no borders: a square off the board is a tile that is gone.
//! So a disk's view is given by distances from it, and all disks share the
//! first layer. The views of a side's disks are added, and a second layer, of
//! which each phase has its own, weighs what both sides have.
//!
//! What the empty tiles of a row of the board add to a view is looked up at
//! once, in a table made when the network is decoded.
//!
//! Integers only, so that every machine gives the same values.

use wide::{i16x16, i32x8};

use super::board::{SIZE, STRIDE, Squares, column, each, row};
use super::rules::Tiles;
use crate::weights::{Weights, WeightsError, unpack};

/// Units of the first layer.
pub(super) const VIEW: usize = 32;

/// Units of the second layer.
pub(super) const SECOND: usize = 8;

/// Phases of the game, and the turns that one lasts.
pub(super) const PHASES: usize = 8;
const PHASE_TURNS: u32 = 5;

/// The tile value of the first position.
const FULL_VALUE: u32 = 50;

/// Ways from a square to another: up to four columns and rows each way.
const WAYS: usize = 81;

/// What a square can hold: a light or dark tile that is empty, or with a
/// friend's disk, or a foe's.
const CONTENTS: usize = 6;

/// Rows of the first layer: by the face of the disk that sees, the way to a
/// square and what is there; then one that always counts, by face.
pub(super) const ROWS: usize = 2 * WAYS * CONTENTS + 2;

/// Places for rows in memory: an index is masked, not checked.
const PLACES: usize = 1024;

/// Weights of the second layer, by unit one for each input and one that always
/// counts.
const SECOND_WEIGHTS: usize = 2 * VIEW + 1;

/// Weights of a phase: the second layer, then those of the value: one for each
/// unit of the second layer, one for each input, and one that always counts.
pub(super) const PHASE_WEIGHTS: usize = SECOND * SECOND_WEIGHTS + SECOND + 2 * VIEW + 1;

/// What 1 is in the first layer's weights and in what units put out.
pub(super) const ONE: i32 = 128;

/// What 1 is in all other weights.
pub(super) const WEIGHT_ONE: i32 = 64;

/// Units put out no more than this.
pub(super) const MOST: i32 = 2 * ONE;

/// No evaluation is larger, in hundredths.
const LIMIT: i64 = 5_000;

/// Numbers that are worked on at once.
const LANES: usize = 16;

/// The units of the first layer; those of a disk's view, or what something
/// seen adds to them. One cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(align(64))]
struct Units([i16x16; VIEW / LANES]);

impl Units {
    #[inline]
    fn add(&mut self, row: &Self) {
        for (unit, weight) in self.0.iter_mut().zip(row.0) {
            *unit += weight;
        }
    }
}

/// What both sides put into the second layer, the side to move first.
type Inputs = [i16x16; 2 * VIEW / LANES];

/// Ways from a line of the board to another.
const LINE_WAYS: usize = 9;

/// What a line of the board can hold: each square a light tile, a dark one, or
/// nothing.
const LINES: usize = 243;

/// The decoded network.
#[derive(Clone, Debug)]
pub(super) struct Network {
    rows: Box<[Units; PLACES]>,
    /// What the empty tiles of one line add: by the face of the disk that
    /// sees, the way to the line, the disk's column and what is there. The
    /// row that always counts is in the disk's own line.
    lines: Box<[Units]>,
    phases: Box<[Phase]>,
}

#[derive(Clone, Debug)]
struct Phase {
    second: [Inputs; SECOND],
    second_bias: [i32; SECOND],
    from_second: [i32; SECOND],
    from_views: Inputs,
    bias: i32,
}

/// The names of the sections of a weight file.
pub(super) const VIEWS_SECTION: &str = "views";
pub(super) const PHASES_SECTION: &str = "phases";

impl Network {
    /// Takes the packed sections `views` and `phases` of a weight file.
    pub(super) fn decode(weights: &Weights) -> Result<Self, WeightsError> {
        let views: Vec<i16> = unpack(weights.packed(VIEWS_SECTION, ROWS * VIEW)?).collect();
        let phases: Vec<i16> =
            unpack(weights.packed(PHASES_SECTION, PHASES * PHASE_WEIGHTS)?).collect();
        let mut rows = Box::new([Units::default(); PLACES]);
        for (row, weights) in rows.iter_mut().zip(views.as_chunks::<VIEW>().0) {
            *row = Units(lanes(weights));
        }
        Ok(Self {
            lines: lines(&rows),
            rows,
            phases: phases.chunks(PHASE_WEIGHTS).map(Phase::decode).collect(),
        })
    }

    /// The evaluation for the side to move, in hundredths.
    #[inline]
    pub(super) fn value(&self, position: &Tiles) -> i32 {
        let mover = position.side.index();
        let contents = line_contents(position);
        let mut inputs = Inputs::default();
        for (side, half) in [mover, 1 - mover].into_iter().zip([0, VIEW / LANES]) {
            for disk in each(position.disks[side]) {
                let view = self.view(position, disk, side, &contents);
                for (input, unit) in inputs[half..half + VIEW / LANES].iter_mut().zip(view.0) {
                    *input += unit.max(i16x16::ZERO).min(i16x16::splat(MOST as i16));
                }
            }
        }
        self.phases[phase(position.tile_value())].value(&inputs)
    }

    /// What a disk sees.
    #[inline]
    fn view(
        &self,
        position: &Tiles,
        disk: u8,
        side: usize,
        contents: &[usize; SIZE as usize],
    ) -> Units {
        let face = (position.dark >> disk & 1) as usize;
        let mut units = Units::default();
        let first = (face * LINE_WAYS + 4 - usize::from(row(disk))) * usize::from(SIZE);
        for (line, &what) in contents.iter().enumerate() {
            let way = first + line * usize::from(SIZE) + usize::from(column(disk));
            units.add(&self.lines[way * LINES + what]);
        }
        let base = (face * WAYS + 40 - place(disk)) * CONTENTS;
        let friends = position.disks[side] & !(1 << disk);
        for (holder, set) in [(2, friends), (4, position.disks[1 - side])] {
            for square in each(set) {
                let dark = (position.dark >> square & 1) as usize;
                let what = place(square) * CONTENTS + holder + dark;
                units.add(&self.rows[(base + what) % PLACES]);
            }
        }
        units
    }
}

/// What the lines of the board hold, where no disk stands: numbers to the base
/// of three.
#[inline]
fn line_contents(position: &Tiles) -> [usize; SIZE as usize] {
    /// A set of squares of one line as a number to the base of three.
    const DIGITS: [u8; 32] = {
        let mut table = [0; 32];
        let mut set = 1_u8;
        while set < 32 {
            let lowest = set.trailing_zeros();
            table[set as usize] = table[(set & (set - 1)) as usize] + 3_u8.pow(lowest);
            set += 1;
        }
        table
    };
    let free = !(position.disks[0] | position.disks[1]);
    let digits = |tiles: Squares, line: usize| {
        usize::from(DIGITS[(tiles >> (line * usize::from(STRIDE)) & 31) as usize])
    };
    std::array::from_fn(|line| {
        digits(position.light & free, line) + 2 * digits(position.dark & free, line)
    })
}

/// The table of lines, each made from one with a tile less.
fn lines(rows: &[Units; PLACES]) -> Box<[Units]> {
    let mut lines = Vec::with_capacity(2 * LINE_WAYS * usize::from(SIZE) * LINES);
    for (face, way, column) in (0..2)
        .flat_map(|face| (0..LINE_WAYS).map(move |way| (face, way)))
        .flat_map(|(face, way)| (0..usize::from(SIZE)).map(move |column| (face, way, column)))
    {
        let start = lines.len();
        let always = if way == LINE_WAYS / 2 {
            rows[2 * WAYS * CONTENTS + face]
        } else {
            Units::default()
        };
        lines.push(always);
        for what in 1..LINES {
            // The first tile, and the line without it.
            let (mut rest, mut place, mut value) = (what, 0, 1);
            while rest.is_multiple_of(3) {
                (rest, place, value) = (rest / 3, place + 1, value * 3);
            }
            let dark = rest % 3 - 1;
            let seen = face * WAYS + way * LINE_WAYS + 4 + place - column;
            let mut units = lines[start + what - (1 + dark) * value];
            units.add(&rows[seen * CONTENTS + dark]);
            lines.push(units);
        }
    }
    lines.into_boxed_slice()
}

/// Numbers in lanes.
fn lanes<const N: usize>(numbers: &[i16]) -> [i16x16; N] {
    let (chunks, _) = numbers.as_chunks::<LANES>();
    std::array::from_fn(|index| i16x16::new(chunks[index]))
}

impl Phase {
    fn decode(weights: &[i16]) -> Self {
        let (second, rest) = weights.split_at(SECOND * SECOND_WEIGHTS);
        let unit = |unit: usize| &second[unit * SECOND_WEIGHTS..(unit + 1) * SECOND_WEIGHTS];
        Self {
            second: std::array::from_fn(|u| lanes(unit(u))),
            second_bias: std::array::from_fn(|u| i32::from(unit(u)[2 * VIEW])),
            from_second: std::array::from_fn(|u| i32::from(rest[u])),
            from_views: lanes(&rest[SECOND..]),
            bias: i32::from(rest[SECOND + 2 * VIEW]),
        }
    }

    #[inline]
    fn value(&self, inputs: &Inputs) -> i32 {
        let mut sum = self.bias * ONE + product(inputs, &self.from_views);
        for unit in 0..SECOND {
            let put = self.second_bias[unit] * ONE + product(inputs, &self.second[unit]);
            sum += (put / WEIGHT_ONE).clamp(0, MOST) * self.from_second[unit];
        }
        let value = i64::from(sum) * 100 / i64::from(ONE * WEIGHT_ONE);
        value.clamp(-LIMIT, LIMIT) as i32
    }
}

#[inline]
fn product(inputs: &Inputs, weights: &Inputs) -> i32 {
    let products = inputs.iter().zip(weights).map(|(&a, &b)| a.dot(b));
    products
        .fold(i32x8::ZERO, |sum, product| sum + product)
        .reduce_add()
}

/// The phase of a tile value.
pub(super) fn phase(value: u32) -> usize {
    let turns = FULL_VALUE.saturating_sub(value);
    ((turns / PHASE_TURNS) as usize).min(PHASES - 1)
}

/// The row of what a disk sees on a square, and the one that always counts if
/// that is the disk's own; for training.
pub(super) fn rows_seen(position: &Tiles, disk: u8, side: usize, mut see: impl FnMut(usize)) {
    let face = usize::from(position.dark >> disk & 1 != 0);
    see(2 * WAYS * CONTENTS + face);
    let base = face * WAYS + 40 - place(disk);
    for square in each((position.light | position.dark) & !(1 << disk)) {
        let holder = match position.disks.map(|disks| disks >> square & 1 != 0) {
            [false, false] => 0,
            held if held[side] => 2,
            _ => 4,
        };
        let dark = usize::from(position.dark >> square & 1 != 0);
        see((base + place(square)) * CONTENTS + holder + dark);
    }
}

#[inline]
fn place(square: u8) -> usize {
    PLACE[usize::from(square & 31)]
}

/// Numbers of squares whose differences tell all ways apart.
const PLACE: [usize; 32] = {
    let mut table = [0; 32];
    let mut square = 0;
    while square < 29 {
        table[square as usize] = 9 * row(square) as usize + column(square) as usize;
        square += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::super::board::bit;
    use super::super::playouts;
    use super::*;
    use crate::search::heuristics::Heuristics;

    fn embedded() -> Network {
        let weights = Weights::parse(Tiles::embedded_weights()).expect("a weight file");
        Network::decode(&weights).expect("a network")
    }

    /// Training and the search must see the same.
    #[test]
    fn a_view_is_the_sum_of_the_rows_seen() {
        let network = embedded();
        playouts::unfinished(20, |position| {
            let contents = line_contents(position);
            for side in 0..2 {
                for disk in each(position.disks[side]) {
                    let mut expected = Units::default();
                    rows_seen(position, disk, side, |row| {
                        expected.add(&network.rows[row]);
                    });
                    assert_eq!(network.view(position, disk, side, &contents), expected);
                }
            }
        });
    }

    #[test]
    fn sums_stay_within_their_types() {
        let network = embedded();
        let most = |rows: &[Units]| {
            let of_row = |row: &Units| {
                row.0
                    .iter()
                    .flat_map(|u| u.to_array())
                    .map(|w| i32::from(w.abs()))
                    .max()
            };
            rows.iter().filter_map(of_row).max().unwrap_or(0)
        };
        // A disk sees 24 squares, and the row that always counts.
        assert!(25 * most(&network.rows[..]) < i32::from(i16::MAX));
        playouts::unfinished(100, |position| {
            assert!(network.value(position).abs() <= LIMIT as i32);
        });
    }

    #[test]
    fn a_disk_moved_with_all_it_sees_is_worth_the_same() {
        let network = embedded();
        let mut moved = 0;
        playouts::unfinished(200, |position| {
            let column = (0..5).fold(0, |set, row| set | bit(6 * row));
            if (position.disks[0] | position.disks[1]) & column == 0 {
                let position = Tiles::new(
                    position.light & !column,
                    position.dark & !column,
                    position.disks,
                    position.side,
                    (5, 5),
                );
                let left = |set: u32| set >> 1;
                let shifted = Tiles::new(
                    left(position.light),
                    left(position.dark),
                    position.disks.map(left),
                    position.side,
                    (5, 5),
                );
                assert_eq!(network.value(&shifted), network.value(&position));
                moved += 1;
            }
        });
        assert!(moved > 10, "{moved}");
    }
}
