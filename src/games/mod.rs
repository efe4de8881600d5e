//! The games: this is the one list of them.

use crate::search::Settings;
use crate::session::{Session, VariantInfo};

pub mod discs;
pub mod gobblet;
pub mod tiles;

/// A variant, and how a game of it is begun.
#[derive(Debug)]
pub struct Variant {
    /// What it is called.
    pub info: VariantInfo,
    open: fn(&'static VariantInfo, &Settings) -> Box<dyn Session>,
}

impl Variant {
    /// A new game at its start.
    pub fn open(&'static self, settings: &Settings) -> Box<dyn Session> {
        (self.open)(&self.info, settings)
    }
}

/// Every variant, the default one first.
pub static VARIANTS: [Variant; 0] = [];

/// The variant of that name or alias, upper or lower case.
pub fn find(name: &str) -> Option<&'static Variant> {
    let name = name.to_ascii_lowercase();
    VARIANTS
        .iter()
        .find(|variant| variant.info.name == name || variant.info.aliases.contains(&name.as_str()))
}

/// A new game of that name or alias.
pub fn open(name: &str, settings: &Settings) -> Option<Box<dyn Session>> {
    find(name).map(|variant| variant.open(settings))
}

/// The names of all variants, for messages.
pub fn names() -> Vec<&'static str> {
    VARIANTS.iter().map(|variant| variant.info.name).collect()
}
