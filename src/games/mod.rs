//! The games: this is the one list of them.

use crate::depict::Depict;
use crate::game::Game;
use crate::search::Settings;
use crate::search::heuristics::Heuristics;
use crate::search::level::{Strength, Strengths};
use crate::session::{GameSession, Session, VariantInfo};
use discs::Discs;
use gobblet::Gobblet;
use tiles::Tiles;

pub mod discs;
pub mod gobblet;
pub mod tiles;

/// Levels 1 to 9 of a game, as pairs of nodes and noise. `scripts/levels`
/// measures whether they are evenly spaced.
const fn levels(pairs: [(u64, i32); 9]) -> Strengths {
    let mut strengths = [Strength { nodes: 0, noise: 0 }; 9];
    let mut index = 0;
    while index < pairs.len() {
        let (nodes, noise) = pairs[index];
        strengths[index] = Strength { nodes, noise };
        index += 1;
    }
    strengths
}

const OTHELLO6_LEVELS: Strengths = levels([
    (50, 4_500),
    (80, 950),
    (120, 520),
    (200, 300),
    (300, 155),
    (700, 58),
    (500, 0),
    (2_500, 0),
    (12_000, 0),
]);

const OTHELLO8_LEVELS: Strengths = levels([
    (100, 1_450),
    (150, 760),
    (250, 430),
    (350, 265),
    (500, 150),
    (1_000, 42),
    (850, 0),
    (3_000, 0),
    (11_500, 0),
]);

const GOBBLET_LEVELS: Strengths = levels([
    (100, 1_300),
    (200, 900),
    (300, 600),
    (500, 360),
    (1_000, 165),
    (3_000, 65),
    (900, 0),
    (2_800, 0),
    (11_000, 0),
]);

const TILES_LEVELS: Strengths = levels([
    (100, 1_200),
    (150, 380),
    (250, 190),
    (350, 110),
    (700, 65),
    (2_500, 30),
    (600, 0),
    (2_500, 0),
    (10_000, 0),
]);

type Opener = fn(&'static VariantInfo, &Settings) -> Result<Box<dyn Session>, String>;

/// A variant, and how a game of it is begun.
#[derive(Debug)]
pub struct Variant {
    /// What it is called.
    pub info: VariantInfo,
    /// The start on a board of so many columns and rows, as text, where there
    /// are boards of several sizes; none for one that there is not.
    pub sized: Option<fn(u8, u8) -> Option<String>>,
    open: Opener,
}

impl Variant {
    /// A new game at its start.
    ///
    /// # Errors
    /// If the memory or the threads of the settings cannot be had.
    pub fn open(&'static self, settings: &Settings) -> Result<Box<dyn Session>, String> {
        (self.open)(&self.info, settings)
    }
}

/// Every variant, the default one first.
pub static VARIANTS: [Variant; 5] = [
    Variant {
        info: VariantInfo {
            name: "othello6",
            aliases: &[],
            title: "Othello on the 6x6 board, Black first",
            size: 6,
            discs: true,
            balanced: 300,
            levels: OTHELLO6_LEVELS,
        },
        sized: None,
        open: |info, settings| begin(info, Discs::othello6(), settings),
    },
    Variant {
        info: VariantInfo {
            name: "reversi8",
            aliases: &["reversi"],
            title: "Reversi on the 8x8 board, White first",
            size: 8,
            discs: true,
            balanced: 300,
            levels: OTHELLO8_LEVELS,
        },
        sized: None,
        open: |info, settings| begin(info, Discs::reversi8(), settings),
    },
    Variant {
        info: VariantInfo {
            name: "othello8",
            aliases: &["othello"],
            title: "Othello on the 8x8 board, Black first",
            size: 8,
            discs: true,
            balanced: 300,
            levels: OTHELLO8_LEVELS,
        },
        sized: None,
        open: |info, settings| begin(info, Discs::othello8(), settings),
    },
    Variant {
        info: VariantInfo {
            name: "gobblet",
            aliases: &[],
            title: "Gobblet on the 4x4 board, White first",
            size: 4,
            discs: false,
            balanced: 250,
            levels: GOBBLET_LEVELS,
        },
        sized: None,
        open: |info, settings| begin(info, Gobblet::start(), settings),
    },
    Variant {
        info: VariantInfo {
            name: "tiles",
            aliases: &[],
            title: "tiles that are flipped and taken away, 5x5, Black first",
            size: 5,
            discs: false,
            balanced: 100,
            levels: TILES_LEVELS,
        },
        sized: Some(|width, height| Some(Tiles::start_of(width, height)?.print_position())),
        open: |info, settings| begin(info, Tiles::start(), settings),
    },
];

fn begin<G: Heuristics + Depict>(
    info: &'static VariantInfo,
    start: G,
    settings: &Settings,
) -> Result<Box<dyn Session>, String> {
    Ok(Box::new(GameSession::new(info, start, settings)?))
}

/// The variant of that name or alias, upper or lower case.
pub fn find(name: &str) -> Option<&'static Variant> {
    let name = name.to_ascii_lowercase();
    VARIANTS
        .iter()
        .find(|variant| variant.info.name == name || variant.info.aliases.contains(&name.as_str()))
}

/// The names of all variants, for messages.
pub fn names() -> Vec<&'static str> {
    VARIANTS.iter().map(|variant| variant.info.name).collect()
}
