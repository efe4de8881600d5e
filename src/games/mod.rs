//! The games: this is the one list of them.

use crate::depict::Depict;
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
    (50, 1500),
    (80, 900),
    (120, 600),
    (200, 400),
    (300, 250),
    (500, 120),
    (600, 0),
    (3_000, 0),
    (15_000, 0),
]);

const OTHELLO8_LEVELS: Strengths = levels([
    (100, 1500),
    (150, 800),
    (250, 500),
    (350, 300),
    (500, 180),
    (800, 80),
    (700, 0),
    (3_000, 0),
    (12_000, 0),
]);

const GOBBLET_LEVELS: Strengths = levels([
    (100, 1500),
    (200, 900),
    (300, 600),
    (500, 400),
    (800, 250),
    (1_200, 120),
    (1_000, 0),
    (4_000, 0),
    (16_000, 0),
]);

const TILES_LEVELS: Strengths = levels([
    (100, 900),
    (150, 500),
    (250, 300),
    (350, 200),
    (500, 120),
    (800, 60),
    (700, 0),
    (3_000, 0),
    (12_000, 0),
]);

type Opener = fn(&'static VariantInfo, &Settings) -> Result<Box<dyn Session>, String>;

/// A variant, and how a game of it is begun.
#[derive(Debug)]
pub struct Variant {
    /// What it is called.
    pub info: VariantInfo,
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
