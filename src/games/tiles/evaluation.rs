//! What a position seems to be worth.
//!
//! The evaluation is a sum of table entries, each table given for five stages
//! of the game and interpolated between them. It was fitted to the results of
//! games the engine played against itself.

use arrayvec::ArrayVec;

use super::board::{Squares, bit, column, each, neighbours, row, spread};
use super::count::{Around, Empties, Movers};
use super::network::{self, Network};
use super::rules::Tiles;
use crate::weights::{Weights, WeightsError};

/// Stages for which the weights are given, and the turns between two of them.
const STAGES: usize = 5;
const STAGE_TURNS: usize = 6;

/// The tile value of the first position, and thus turns there could be.
const FULL_VALUE: usize = 50;

/// Turns of one disk that the weights tell apart; more count as the most.
const TURNS: usize = 41;

/// Turns of both disks that the weights tell apart.
const ALL_TURNS: usize = 81;

/// The number of tiles beside a disk, 0 to 8 of each colour.
const AROUND: usize = 9 * 9;

/// Squares that the symmetries of the board tell apart.
const CLASSES: usize = 6;

/// Weights have this many parts in a hundredth.
const SCALE: i32 = 16;

/// No evaluation is larger, in hundredths.
const LIMIT: i32 = 5_000;

/// The decoded weights.
#[derive(Clone, Debug)]
pub struct Tables(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Network(Network),
    Sums(Sums),
}

/// An evaluation that adds what single features are worth.
#[derive(Clone, Debug)]
struct Sums {
    /// One for each tile value.
    rows: Box<[Row]>,
    /// Whether it asks what disks can reach.
    sees_far: bool,
}

/// The weights at one tile value, in 16ths of a hundredth.
#[derive(Clone, Debug)]
struct Row {
    /// By the turns of the disk that has fewer, and of the one with more.
    turns: [[i32; TURNS]; 2],
    /// By a disk's face and the light and dark tiles beside it.
    around: [[i32; AROUND]; 2],
    /// By a disk's face and its square.
    squares: [[i32; CLASSES]; 2],
    /// By the dark disks of the side to move, three times, and the other's.
    /// Includes what it is worth to be to move.
    balance: [i32; 9],
    /// By the turns of both disks together.
    total: [i32; ALL_TURNS],
    steps: i32,
    territory: i32,
    reach: i32,
}

impl Tables {
    /// Takes a network, or the sections of a sum.
    pub(super) fn decode(weights: &Weights) -> Result<Self, WeightsError> {
        let kind = if weights.has_packed(network::VIEWS_SECTION) {
            Kind::Network(Network::decode(weights)?)
        } else {
            Kind::Sums(Sums::decode(weights)?)
        };
        Ok(Self(kind))
    }
}

impl Sums {
    /// Takes the sections `weak`, `strong`, `around`, `squares`, `balance` and
    /// `linear` of a weight file, and `total` if there is one.
    fn decode(weights: &Weights) -> Result<Self, WeightsError> {
        let nothing = [0; STAGES * ALL_TURNS];
        let total = if weights.has_section("total") {
            weights.section("total", STAGES * ALL_TURNS)?
        } else {
            &nothing
        };
        let section = |name, length| weights.section(name, STAGES * length);
        let weak = section("weak", TURNS)?;
        let strong = section("strong", TURNS)?;
        let around = section("around", 2 * AROUND)?;
        let squares = section("squares", 2 * CLASSES)?;
        let balance = section("balance", 9)?;
        let linear = section("linear", 3)?;
        let rows = (0..=FULL_VALUE).map(|value| {
            let [steps, territory, reach] = at(linear, value, 0);
            Row {
                turns: [at(weak, value, 0), at(strong, value, 0)],
                around: [0, AROUND].map(|offset| at(around, value, offset)),
                squares: [0, CLASSES].map(|offset| at(squares, value, offset)),
                balance: at(balance, value, 0),
                total: at(total, value, 0),
                steps,
                territory,
                reach,
            }
        });
        let rows: Box<[Row]> = rows.collect();
        Ok(Self {
            sees_far: rows.iter().any(|row| row.territory != 0 || row.reach != 0),
            rows,
        })
    }

    fn value(&self, position: &Tiles) -> i32 {
        let features = if self.sees_far {
            position.features()
        } else {
            let empties = position.empties();
            let around = Around::new(&empties);
            position
                .disks
                .map(|disks| position.near_features(&empties, &around, disks))
        };
        let mover = position.side.index();
        let (own, other) = (&features[mover], &features[1 - mover]);
        let row = &self.rows[(position.tile_value() as usize).min(FULL_VALUE)];
        let balance = row.balance[3 * own.dark_disks() + other.dark_disks()];
        let sum = row.value(own) - row.value(other) + balance;
        (sum / SCALE).clamp(-LIMIT, LIMIT)
    }
}

/// A part of a section that is given for all stages, from `offset` within one
/// stage on, at a tile value.
fn at<const N: usize>(section: &[i16], value: usize, offset: usize) -> [i32; N] {
    let length = section.len() / STAGES;
    let turn = (FULL_VALUE - value).min((STAGES - 1) * STAGE_TURNS);
    let (stage, late) = (turn / STAGE_TURNS, turn % STAGE_TURNS);
    let next = (stage + 1).min(STAGES - 1);
    std::array::from_fn(|i| {
        let [before, after] =
            [stage, next].map(|stage| i32::from(section[stage * length + offset + i]));
        before + (after - before) * late as i32 / STAGE_TURNS as i32
    })
}

/// What the evaluation sees of one side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SideFeatures {
    /// The turns of each disk, the smaller number first; none for a disk that
    /// is not there. It does not matter whose turn it is.
    pub turns: [u32; 2],
    /// Steps of a disk to a tile with which these turns begin.
    pub steps: u32,
    /// Value of the tiles that its disks reach sooner than the opponent's, by
    /// steps over tiles they may enter, other disks in the way.
    pub territory: u32,
    /// Value of the tiles that its disks reach at all.
    pub reach: u32,
    /// Where its disks stand.
    pub disks: ArrayVec<DiskFeatures, 2>,
}

/// What the evaluation sees of one disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiskFeatures {
    /// Whether it has turned dark.
    pub dark: bool,
    /// 0 for a corner, 5 for the centre: squares are told apart by their
    /// distances from the nearest edges.
    pub class: u8,
    /// Empty light tiles beside it.
    pub light_tiles: u8,
    /// Empty dark tiles beside it.
    pub dark_tiles: u8,
}

impl SideFeatures {
    fn dark_disks(&self) -> usize {
        self.disks.iter().filter(|disk| disk.dark).count()
    }
}

impl Tiles {
    /// What the evaluation sees, of Black and of White.
    pub fn features(&self) -> [SideFeatures; 2] {
        let empties = self.empties();
        let around = Around::new(&empties);
        let mut features = self
            .disks
            .map(|disks| self.near_features(&empties, &around, disks));
        self.add_far_features(&empties, &mut features);
        features
    }

    /// The evaluation for the side to move, in hundredths.
    pub(super) fn value(&self, tables: &Tables) -> i32 {
        match &tables.0 {
            Kind::Network(network) => network.value(self),
            Kind::Sums(sums) => sums.value(self),
        }
    }

    /// What the surroundings of the disks tell.
    #[inline]
    fn near_features(&self, empties: &Empties, around: &Around, disks: Squares) -> SideFeatures {
        let movers = Movers::new(disks, self.light);
        let [first, second] = movers.turns_of_each(around);
        SideFeatures {
            turns: [first.min(second), first.max(second)],
            steps: movers.steps(around),
            territory: 0,
            reach: 0,
            disks: each(disks)
                .map(|disk| DiskFeatures {
                    dark: self.dark & bit(disk) != 0,
                    class: CLASS[usize::from(disk & 31)],
                    light_tiles: (neighbours(disk) & empties.light).count_ones() as u8,
                    dark_tiles: (neighbours(disk) & empties.dark).count_ones() as u8,
                })
                .collect(),
        }
    }

    /// What both sides reach, step by step until nothing is added.
    #[inline]
    fn add_far_features(&self, empties: &Empties, features: &mut [SideFeatures; 2]) {
        let mut fronts = self.disks.map(|disks| Flood {
            light: disks & self.light,
            dark: disks & self.dark,
        });
        let tiles = empties.light | empties.dark;
        // Squares that somebody has reached.
        let mut taken = 0;
        loop {
            let before = fronts;
            let reached = fronts.each_mut().map(|front| front.grow(empties) & tiles);
            if fronts == before {
                break;
            }
            for (index, side) in features.iter_mut().enumerate() {
                side.territory += value(empties, reached[index] & !reached[1 - index] & !taken);
            }
            taken |= reached[0] | reached[1];
        }
        for (side, front) in features.iter_mut().zip(&fronts) {
            side.reach = value(empties, (front.light | front.dark) & tiles);
        }
    }
}

impl Row {
    /// The worth of what one side has.
    #[inline]
    fn value(&self, side: &SideFeatures) -> i32 {
        let turns = |i: usize| self.turns[i][(side.turns[i] as usize).min(TURNS - 1)];
        let disks = side.disks.iter().map(|disk| {
            let face = usize::from(disk.dark);
            self.around[face][usize::from(9 * disk.light_tiles + disk.dark_tiles)]
                + self.squares[face][usize::from(disk.class)]
        });
        let all = (side.turns[0] + side.turns[1]) as usize;
        turns(0)
            + turns(1)
            + self.total[all.min(ALL_TURNS - 1)]
            + disks.sum::<i32>()
            + self.steps * side.steps as i32
            + self.territory * side.territory as i32
            + self.reach * side.reach as i32
    }
}

/// The class of each square.
const CLASS: [u8; 32] = {
    const fn from_edge(line: u8) -> u8 {
        if line < 2 { line } else { 4 - line }
    }
    let mut table = [0; 32];
    let mut square = 0;
    while square < 29 {
        if column(square) < 5 {
            let (a, b) = (from_edge(column(square)), from_edge(row(square)));
            let (near, far) = if a < b { (a, b) } else { (b, a) };
            table[square as usize] = far * (far + 1) / 2 + near;
        }
        square += 1;
    }
    table
};

/// The value of empty tiles.
#[inline]
fn value(empties: &Empties, set: Squares) -> u32 {
    2 * (set & empties.light).count_ones() + (set & empties.dark).count_ones()
}

/// Where disks can be after some steps, while light and after turning dark.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Flood {
    light: Squares,
    dark: Squares,
}

impl Flood {
    /// One more step; gives all squares reached.
    #[inline]
    fn grow(&mut self, empties: &Empties) -> Squares {
        self.dark |= spread(self.light | self.dark) & empties.dark;
        self.light |= spread(self.light) & empties.light;
        self.light | self.dark
    }
}

#[cfg(test)]
mod tests {
    use super::super::playouts;
    use super::*;
    use crate::game::{Game, Side};
    use crate::search::heuristics::Knowledge;

    /// An evaluation that is a sum.
    fn sums() -> Tables {
        let file = include_bytes!("../../../scripts/rivals/prototype.weights");
        let weights = Weights::parse(file).expect("a weight file");
        Tables::decode(&weights).expect("all sections")
    }

    fn parse(text: &str) -> Tiles {
        Tiles::start().parse_position(text).expect(text)
    }

    fn disk(dark: bool, class: u8, light_tiles: u8, dark_tiles: u8) -> DiskFeatures {
        DiskFeatures {
            dark,
            class,
            light_tiles,
            dark_tiles,
        }
    }

    /// The board with its rows rearranged.
    fn transform(position: &Tiles, change: impl Fn(Vec<Vec<char>>) -> Vec<Vec<char>>) -> Tiles {
        let text = position.print_position();
        let (board, side) = text.split_once(' ').expect("two words");
        let rows = change(board.split('/').map(|row| row.chars().collect()).collect());
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        parse(&format!("{} {side}", rows.join("/")))
    }

    #[test]
    fn symmetric_positions_are_worth_the_same() {
        let tables = &sums();
        playouts::unfinished(300, |position| {
            let value = position.value(tables);
            assert!(value.abs() <= LIMIT);
            let mirrored = transform(position, |rows| rows.into_iter().rev().collect());
            assert_eq!(mirrored.value(tables), value, "{position:?}");
            let transposed = transform(position, |rows| {
                (0..5)
                    .map(|i| rows.iter().map(|row| row[i]).collect())
                    .collect()
            });
            assert_eq!(transposed.value(tables), value, "{position:?}");
        });
    }

    #[test]
    fn colours_are_worth_the_same() {
        let (network, sums) = (Knowledge::<Tiles>::embedded(), sums());
        playouts::unfinished(300, |position| {
            let swapped: String = position
                .print_position()
                .chars()
                .map(|letter| match letter {
                    'x' => 'o',
                    'o' => 'x',
                    'X' => 'O',
                    'O' => 'X',
                    other => other,
                })
                .collect();
            for tables in [&network.tables, &sums] {
                assert_eq!(parse(&swapped).value(tables), position.value(tables));
            }
        });
    }

    #[test]
    fn features_of_a_position_counted_by_hand() {
        // a1 is trapped by its dark disk; c3 steps to b3, c2 (each beside the
        // tile left) or converts on d4 beside e5; e1 is White's.
        let position = parse("....+/...+./.-x../..-../X...o x");
        let [black, white] = position.features();
        assert_eq!(
            black,
            SideFeatures {
                turns: [0, 2 + 2 + 1],
                steps: 3,
                territory: 2 + 2 + 1 + 1,
                reach: 2 + 2 + 1 + 1,
                disks: [disk(true, 0, 0, 0), disk(false, 5, 2, 1)].into(),
            }
        );
        assert_eq!(
            white,
            SideFeatures {
                disks: ArrayVec::from_iter([disk(false, 0, 0, 0)]),
                ..SideFeatures::default()
            }
        );
        assert_eq!(position.turns_of(Side::Black), 5);
    }

    #[test]
    fn turns_are_counted_alike_everywhere() {
        playouts::unfinished(200, |position| {
            let [black, white] = position.features();
            assert_eq!(
                black.turns[0] + black.turns[1],
                position.turns_of(Side::Black)
            );
            assert_eq!(
                white.turns[0] + white.turns[1],
                position.turns_of(Side::White)
            );
        });
    }

    #[test]
    fn nothing_but_being_to_move_counts_at_the_start() {
        assert_eq!(Tiles::start().value(&sums()), 30);
    }

    #[test]
    fn a_sum_is_what_its_file_says() {
        // As counted by hand above: 5 turns against none, 3 steps, 6 tiles by
        // value both near and within reach, and White's disk has no way out;
        // Black's dark disk has none either.
        let position = parse("....+/...+./.-x../..-../X...o x");
        let all =
            0.027 * 5.0 - 0.115 * 3.0 + 0.034 * 6.0 - 0.467 + 2.960 * f64::ln(6.0) - 0.043 * 6.0;
        let value = position.value(&sums());
        assert!(
            (f64::from(value) - 100.0 * (all + 0.30)).abs() < 2.0,
            "{value}"
        );
    }

    #[test]
    fn weights_are_interpolated_between_stages() {
        let section: Vec<i16> = (0..STAGES as i16).flat_map(|s| [0, 60 * s]).collect();
        let second = |value| at::<1>(&section, value, 1)[0];
        assert_eq!(
            [50, 49, 44, 41, 26, 20].map(second),
            [0, 10, 60, 90, 240, 240]
        );
        assert_eq!(at::<2>(&section, 47, 0), [0, 30]);
    }
}
