//! The one table of commands.

use std::sync::LazyLock;

use fxhash::FxHashMap;

use super::answer::Answer;
use super::frontend::{Call, Frontend};
use super::{analyze, board, general, gogui, keep, options, play, records, think, time};
use crate::session::VariantInfo;

/// A command.
pub(super) struct Command {
    pub(super) name: &'static str,
    /// Its arguments: capitals stand for values, brackets for what may be
    /// left out.
    pub(super) arguments: &'static str,
    /// What it does, in one line.
    pub(super) help: &'static str,
    /// Where it exists.
    pub(super) scope: Scope,
    pub(super) run: fn(&mut Frontend, &Call<'_>) -> Answer,
}

/// The games a command is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// All.
    Every,
    /// Those in which discs are placed and turned. In others the command is
    /// not listed and not known.
    Discs,
}

impl Command {
    pub(super) const fn new(
        name: &'static str,
        arguments: &'static str,
        help: &'static str,
        run: fn(&mut Frontend, &Call<'_>) -> Answer,
    ) -> Self {
        Self {
            name,
            arguments,
            help,
            scope: Scope::Every,
            run,
        }
    }

    /// The same for the disc games alone.
    pub(super) const fn for_discs(mut self) -> Self {
        self.scope = Scope::Discs;
        self
    }

    fn exists_in(&self, variant: &VariantInfo) -> bool {
        match self.scope {
            Scope::Every => true,
            Scope::Discs => variant.discs,
        }
    }
}

static TABLE: [&[Command]; 12] = [
    general::COMMANDS,
    board::COMMANDS,
    play::COMMANDS,
    think::COMMANDS,
    analyze::COMMANDS,
    time::COMMANDS,
    options::COMMANDS,
    records::COMMANDS,
    keep::COMMANDS,
    gogui::COMMANDS[0],
    gogui::COMMANDS[1],
    gogui::COMMANDS[2],
];

/// The commands of a variant, in the order of the manual.
pub(super) fn list(variant: &VariantInfo) -> impl Iterator<Item = &'static Command> {
    TABLE
        .into_iter()
        .flatten()
        .filter(|command| command.exists_in(variant))
}

/// The table by name: a GUI asks for thousands of commands a game.
static BY_NAME: LazyLock<FxHashMap<&str, &Command>> = LazyLock::new(|| {
    let commands = TABLE.into_iter().flatten();
    commands.map(|command| (command.name, command)).collect()
});

/// The command of exactly that name.
pub(super) fn find(name: &str, variant: &VariantInfo) -> Option<&'static Command> {
    let command = *BY_NAME.get(name)?;
    command.exists_in(variant).then_some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_single_words_and_different() {
        let mut names: Vec<&str> = TABLE.into_iter().flatten().map(|c| c.name).collect();
        assert!(
            names
                .iter()
                .all(|name| !name.is_empty() && !name.contains(' '))
        );
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
