//! What the prover knows, shared by its threads without a lock.
//!
//! Entries are written as in the search's table: the key is kept combined with
//! the data, so that a torn entry reads as absent.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

use crate::search::prefetch::prefetch;
use crate::sys::use_large_pages;

/// Both numbers of a state: how much is left to prove that the side to move
/// wins (`phi`), or that it loses (`delta`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    pub(super) phi: u32,
    pub(super) delta: u32,
}

/// Of what is disproved.
pub(super) const INFINITE: u32 = (1 << 28) - 1;

impl Numbers {
    pub(super) const WON: Self = Self {
        phi: 0,
        delta: INFINITE,
    };
    pub(super) const LOST: Self = Self {
        phi: INFINITE,
        delta: 0,
    };

    /// Whether the side to move wins, if that is known.
    pub(super) const fn winner(self) -> Option<bool> {
        match (self.phi, self.delta) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }

    pub(super) const fn decided(wins: bool) -> Self {
        if wins { Self::WON } else { Self::LOST }
    }
}

const WAYS: usize = 4;

const CACHE_LINE: usize = 64;

#[derive(Zeroable)]
#[repr(C)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// A table of a fixed size, whose memory is taken as it fills.
pub(super) struct Table {
    slots: Box<[Slot]>,
    /// Slots before the first whole cache line.
    skipped: usize,
}

impl Table {
    /// A table of at most so many MiB; none if there is no memory.
    pub(super) fn new(mebibytes: usize) -> Option<Self> {
        let mut table = Self::try_with_slots((mebibytes << 20) / size_of::<Slot>())?;
        if mebibytes >= 64 {
            use_large_pages(&mut table.slots);
        }
        Some(table)
    }

    /// A table of about so many places, at least some.
    fn try_with_slots(slots: usize) -> Option<Self> {
        let slots: Box<[Slot]> = bytemuck::try_zeroed_slice_box(slots.max(2 * WAYS)).ok()?;
        let skipped = slots.as_ptr().align_offset(CACHE_LINE).min(WAYS - 1);
        Some(Self { slots, skipped })
    }

    /// A table of so few places.
    #[cfg(test)]
    pub(super) fn with_slots(slots: usize) -> Self {
        Self::try_with_slots(slots).expect("so little memory")
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot; WAYS] {
        let buckets = self.slots[self.skipped..].as_chunks().0;
        let index = (u128::from(key) * buckets.len() as u128) >> 64;
        &buckets[index as usize]
    }

    /// Prepares for a look at this key.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Numbers> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let check = slot.check.load(Ordering::Relaxed);
            (check ^ data == key && data != 0).then(|| unpack(data))
        })
    }

    /// The logarithm, in fourths, of what was searched for an entry.
    pub(super) fn effort(&self, key: u64) -> u8 {
        let found = self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let check = slot.check.load(Ordering::Relaxed);
            (check ^ data == key && data != 0).then_some((data >> 56) as u8)
        });
        found.unwrap_or(0)
    }

    /// Remembers what so many positions searched have shown.
    pub(super) fn store(&self, key: u64, numbers: Numbers, searched: u64) {
        let bucket = self.bucket(key);
        let mut victim = &bucket[0];
        let mut least = u64::MAX;
        for slot in bucket {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key && data != 0 {
                if unpack(data).winner().is_some() {
                    return;
                }
                victim = slot;
                break;
            }
            // Of nothing, the empty slot first.
            let worth = data >> 56;
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        let data = pack(numbers, searched);
        victim.check.store(key ^ data, Ordering::Relaxed);
        victim.data.store(data, Ordering::Relaxed);
    }

    /// Used places in a thousand, from a sample.
    pub(super) fn full(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(1_000)];
        let used = sample
            .iter()
            .filter(|slot| slot.data.load(Ordering::Relaxed) != 0)
            .count();
        (used * 1_000 / sample.len()) as u32
    }
}

/// Bits 0-27 phi, 28-55 delta, 56-63 how much was searched: four times its
/// logarithm, and one.
fn pack(numbers: Numbers, searched: u64) -> u64 {
    let searched = searched.max(1);
    let logarithm = searched.ilog2();
    let fourths = (searched << 2 >> logarithm) & 3;
    let effort = 1 + 4 * u64::from(logarithm) + fourths;
    u64::from(numbers.phi) | u64::from(numbers.delta) << 28 | effort.min(255) << 56
}

fn unpack(data: u64) -> Numbers {
    Numbers {
        phi: data as u32 & INFINITE,
        delta: (data >> 28) as u32 & INFINITE,
    }
}
