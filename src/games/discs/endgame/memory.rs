//! What one thread's solver remembers of the positions it has solved: both
//! sets of discs whole, so that no position is ever taken for another, and
//! bounds of the margin that hold for ever.

use bytemuck::Zeroable;

use super::Bits;
use crate::search::prefetch::prefetch;

/// Bounds of a position's margin for the side to move, in one cache line.
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(32))]
pub(super) struct Known {
    own: Bits,
    opponent: Bits,
    pub(super) lower: i8,
    pub(super) upper: i8,
    /// The square of the move that gave the lower bound, or [`NO_MOVE`].
    pub(super) best: u8,
    _rest: [u8; 5],
}

/// The square of no move.
pub(super) const NO_MOVE: u8 = 64;

/// Positions remembered, as a power of two: half a MiB of them, which leaves
/// room in a second-level cache. Twice as many save one position in a hundred,
/// and cost more than that where two threads share the third level.
const BITS: u32 = 14;

/// The memory; it takes no space until it is used.
#[derive(Default)]
pub struct Memory {
    slots: Option<Box<[Known]>>,
}

impl Memory {
    /// Makes room, at the first use.
    pub(super) fn prepare(&mut self) {
        self.slots
            .get_or_insert_with(|| bytemuck::zeroed_slice_box(1 << BITS));
    }

    /// Asks the processor for what is known of a position, so that
    /// [`Self::find`] need not wait for it later.
    #[inline(always)]
    pub(super) fn prefetch(&self, own: Bits, opponent: Bits) {
        let slots = self.slots.as_deref();
        if let Some(slot) = slots.and_then(|slots| slots.get(place(own, opponent))) {
            prefetch(slot);
        }
    }

    /// What is known of a position.
    #[inline(always)]
    pub(super) fn find(&self, own: Bits, opponent: Bits) -> Option<&Known> {
        let slot = self.slots.as_deref()?.get(place(own, opponent))?;
        // An empty slot is a board without discs, which nobody asks for.
        (slot.own == own && slot.opponent == opponent).then_some(slot)
    }

    /// Remembers that a search with a null window above `alpha` gave `value`.
    #[inline(always)]
    pub(super) fn keep(&mut self, own: Bits, opponent: Bits, value: i32, alpha: i32, best: u8) {
        let Some(slot) = self
            .slots
            .as_deref_mut()
            .and_then(|slots| slots.get_mut(place(own, opponent)))
        else {
            return;
        };
        let mut known = Known {
            own,
            opponent,
            lower: -64,
            upper: 64,
            best: NO_MOVE,
            _rest: [0; 5],
        };
        if slot.own == own && slot.opponent == opponent {
            known.lower = slot.lower;
            known.upper = slot.upper;
            known.best = slot.best;
        }
        if value > alpha {
            known.lower = known.lower.max(value as i8);
            known.best = best;
        } else {
            known.upper = known.upper.min(value as i8);
        }
        *slot = known;
    }
}

/// Where a position is kept.
#[inline(always)]
fn place(own: Bits, opponent: Bits) -> usize {
    let mixed = (own ^ opponent.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 32 ^ opponent).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed >> (64 - BITS)) as usize
}
