//! What a position seems to be worth.

use super::board::{Squares, spread};
use super::count::{Around, Empties, Movers};
use super::rules::Tiles;
use crate::weights::{Weights, WeightsError};

/// Legal turns that the weights tell apart: more than any position has.
const TURNS: usize = 129;

/// Weights have this many parts in a hundredth.
const SCALE: i32 = 16;

/// No evaluation is larger, in hundredths.
const LIMIT: i32 = 5_000;

/// The decoded weights, in 16ths of a hundredth.
#[derive(Clone, Debug)]
pub struct Tables {
    /// What it is worth to have so many turns.
    turns: [i32; TURNS],
    /// For a step that a disk can make.
    steps: i32,
    /// For a half tile that is nearer to one's own disks than to others.
    territory: i32,
    /// For a half tile that one's disks can reach at all.
    reach: i32,
    /// For a disk that has turned dark.
    dark: i32,
    /// For a disk that cannot move.
    trapped: i32,
    /// For being to move.
    tempo: i32,
}

impl Tables {
    /// Takes the sections `turns` and `linear` of a weight file.
    pub(super) fn decode(weights: &Weights) -> Result<Self, WeightsError> {
        let turns = weights.section("turns", TURNS)?;
        let linear = weights.section("linear", 6)?;
        let linear: [i32; 6] = std::array::from_fn(|i| i32::from(linear[i]));
        let [steps, territory, reach, dark, trapped, tempo] = linear;
        Ok(Self {
            turns: std::array::from_fn(|i| i32::from(turns[i])),
            steps,
            territory,
            reach,
            dark,
            trapped,
            tempo,
        })
    }
}

/// What the evaluation sees of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideFeatures {
    /// Turns it has, or would have if it were to move.
    pub turns: u32,
    /// Steps of a disk to a tile with which such a turn begins.
    pub steps: u32,
    /// Value of the tiles that its disks reach sooner than the opponent's, by
    /// steps over tiles they may enter, other disks in the way.
    pub territory: u32,
    /// Value of the tiles that its disks reach at all.
    pub reach: u32,
    /// Disks that have turned dark.
    pub dark: u32,
    /// Disks that have no turn.
    pub trapped: u32,
}

impl Tiles {
    /// What the evaluation sees, of Black and of White.
    pub fn features(&self) -> [SideFeatures; 2] {
        let empties = self.empties();
        let around = Around::new(&empties);
        let mut features = self.disks.map(|disks| self.near_features(&around, disks));
        self.add_far_features(&empties, &mut features);
        features
    }

    /// The evaluation for the side to move, in hundredths.
    pub(super) fn value(&self, tables: &Tables) -> i32 {
        let features = self.features();
        let mover = self.side.index();
        let [own, other] = [features[mover], features[1 - mover]].map(|side| {
            tables.turns[side.turns.min(TURNS as u32 - 1) as usize]
                + tables.steps * side.steps as i32
                + tables.territory * side.territory as i32
                + tables.reach * side.reach as i32
                + tables.dark * side.dark as i32
                + tables.trapped * side.trapped as i32
        });
        ((own - other + tables.tempo) / SCALE).clamp(-LIMIT, LIMIT)
    }

    /// What the surroundings of the disks tell.
    #[inline]
    fn near_features(&self, around: &Around, disks: Squares) -> SideFeatures {
        let counts = Movers::new(disks, self.light).counts(around, disks);
        SideFeatures {
            turns: counts.turns,
            steps: counts.steps,
            trapped: counts.trapped,
            dark: (disks & self.dark).count_ones(),
            ..SideFeatures::default()
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
    use crate::search::heuristics::{Heuristics, Knowledge};

    fn parse(text: &str) -> Tiles {
        Tiles::start().parse_position(text).expect(text)
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
        let tables = &Knowledge::<Tiles>::embedded().tables;
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
        let tables = &Knowledge::<Tiles>::embedded().tables;
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
            assert_eq!(parse(&swapped).value(tables), position.value(tables));
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
                turns: 2 + 2 + 1,
                steps: 3,
                territory: 2 + 2 + 1 + 1,
                reach: 2 + 2 + 1 + 1,
                dark: 1,
                trapped: 1,
            }
        );
        assert_eq!(
            white,
            SideFeatures {
                trapped: 1,
                ..SideFeatures::default()
            }
        );
        assert_eq!(position.turns_of(Side::Black), 5);
    }

    #[test]
    fn turns_are_counted_alike_everywhere() {
        playouts::unfinished(200, |position| {
            let [black, white] = position.features();
            assert_eq!(black.turns, position.turns_of(Side::Black));
            assert_eq!(white.turns, position.turns_of(Side::White));
        });
    }

    #[test]
    fn the_embedded_weights_are_sound() {
        let knowledge = Knowledge::<Tiles>::embedded();
        assert!(knowledge.tables.turns.is_sorted(), "more turns are better");
        assert_eq!(
            Tiles::start().evaluate(&(), &knowledge.tables),
            knowledge.tables.tempo / SCALE
        );
    }
}
