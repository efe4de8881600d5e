//! Which move is played: a known one, one of a level below the full strength,
//! or what a search finds.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::{GameSession, book_value, info_of};
use crate::book::Known;
use crate::depict::Depict;
use crate::game::MAX_MOVES;
use crate::search::Limits;
use crate::search::heuristics::{Heuristics, legal_moves};
use crate::search::level::Strength;
use crate::search::score::Value;
use crate::session::{Info, Session, Thought, Watcher};

/// By how much a searched move of the book may be worse than the best and still
/// be chosen for variety, in hundredths.
const BOOK_LEEWAY: i32 = 100;

impl<G: Heuristics + Depict> GameSession<G> {
    /// A move of the book if it is used and knows one, or what a search finds.
    pub(super) fn choose(&mut self, limits: &Limits, watcher: &dyn Watcher) -> Thought {
        if let Some(index) = self.engine.settings().level.index()
            && self.outcome().is_none()
        {
            return self.choose_below_full(self.info.levels[index], limits, watcher);
        }
        match self.book_choice() {
            Some((known, proved)) => {
                let best = self.position.print_move(known.mv);
                Thought {
                    info: Some(Info {
                        depth: 0,
                        rank: 1,
                        ranked: false,
                        value: book_value(known.value, proved),
                        exact: proved,
                        nodes: 0,
                        hits: 0,
                        time: limits.start.elapsed(),
                        hashfull: 0,
                        pv: vec![best.clone()],
                    }),
                    best,
                }
            }
            None => self.think(limits, watcher),
        }
    }

    /// A move of less than the full strength.
    fn choose_below_full(
        &mut self,
        strength: Strength,
        limits: &Limits,
        watcher: &dyn Watcher,
    ) -> Thought {
        let moves = if strength.noise > 0 { MAX_MOVES } else { 1 };
        let limits = Limits {
            nodes: Some(limits.nodes.unwrap_or(u64::MAX).min(strength.nodes)),
            candidates: moves.min(legal_moves(&self.position).len()).max(1),
            ..limits.clone()
        };
        let reports = self.search(&limits, watcher);
        let values: Vec<Value> = reports.iter().map(|report| report.value).collect();
        let seed = self.engine.settings().seed ^ self.position.key();
        let chosen = &reports[strength.choose(&values, seed)];
        Thought {
            best: chosen
                .pv
                .first()
                .map_or_else(|| "pass".to_string(), |&mv| self.position.print_move(mv)),
            info: Some(info_of(&self.position, chosen, false)),
        }
    }

    /// The best move the book knows here, or with a seed any that is hardly
    /// worse, the better the likelier, and whether it is proved.
    fn book_choice(&self) -> Option<(Known<G::Move>, bool)> {
        let settings = self.engine.settings();
        if !settings.book || self.outcome().is_some() {
            return None;
        }
        let book = self.start.book()?;
        let known = book.moves(&self.position);
        let best = *known.first()?;
        if settings.seed == 0 {
            return Some((best, book.is_proved()));
        }
        let leeway = if book.is_proved() { 0 } else { BOOK_LEEWAY };
        let good = known.partition_point(|known| known.value >= best.value - leeway);
        let mut rng = StdRng::seed_from_u64(settings.seed ^ self.position.key());
        let weight = |known: &Known<G::Move>| (leeway + 1 - (best.value - known.value)) as u32;
        let chosen = known[..good].choose_weighted(&mut rng, weight);
        Some((*chosen.unwrap_or(&best), book.is_proved()))
    }
}
