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
    open: fn(&'static VariantInfo, &Settings) -> Result<Box<dyn Session>, String>,
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
pub static VARIANTS: [Variant; 0] = [];

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
