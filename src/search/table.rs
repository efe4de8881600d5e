//! The transposition table, shared by all threads without a lock.
//!
//! An entry is two words, the data and `key XOR data`: a torn or foreign
//! entry does not give back the key and reads as absent.
//!
//! CITE: R. Hyatt, T. Mann, A lock-less transposition-table implementation for
//! parallel search, ICGA Journal 25(1), 2002.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use bytemuck::Zeroable;

use crate::search::heuristics::Depth;
use crate::search::prefetch::prefetch;
use crate::search::probcut::Level;
use crate::search::score::Score;
use crate::sys::use_large_pages;

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is at most the score.
    Upper,
    /// It is at least the score.
    Lower,
    /// It is the score.
    Exact,
}

/// What the table tells about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The code of the move that did best, if any did.
    pub best: Option<u16>,
    /// The score, wins and losses counted from the position itself.
    pub score: Score,
    /// The depth it was searched to, from 0 to 255.
    pub depth: Depth,
    /// What the score means.
    pub bound: Bound,
    /// How sure the search was of what it left out.
    pub level: Level,
}

const WAYS: usize = 4;

/// One cache line. Its type does not say so: the standard allocator writes
/// zeros into memory that is to be aligned further than it does by itself,
/// and a table would no longer be taken as it fills.
type Bucket = [Slot; WAYS];

const CACHE_LINE: usize = 64;

#[derive(Zeroable)]
#[repr(C)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// A table of a fixed size. A size of nothing is a table that forgets
/// everything.
pub struct Table {
    memory: Arc<Memory>,
    /// Whether its memory is being taken ahead by another thread.
    coming: Arc<AtomicBool>,
    /// Slots before the first whole cache line.
    skipped: usize,
    /// Entries of another era read as absent: this is how a table of any size
    /// is cleared at once. Zeroed memory is of era 0, which is never current.
    era: u16,
    /// Counts searches, so that old entries give way first.
    age: u8,
    /// Whether large pages have been asked for.
    large_pages: bool,
}

struct Memory(Box<[Slot]>);

/// A table's memory as it is taken ahead of its use: [`Table::ahead`].
pub(super) struct Ahead {
    memory: Weak<Memory>,
    coming: Arc<AtomicBool>,
}

/// What is taken ahead at most. The rest of a larger table is taken as it
/// fills: there may not be as much memory as was asked for.
const MOST_AHEAD: usize = 1 << 30;

/// Memory is taken in pieces of this size or larger ones.
const PAGE: usize = 4096;

const AGES: u8 = 64;

const LAST_ERA: u16 = (1 << 13) - 1;

impl Table {
    /// A table of `mebibytes` MiB, whose memory is taken when first written.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn new(mebibytes: usize) -> Result<Self, String> {
        let buckets = mebibytes
            .checked_mul(1 << 20)
            .map(|bytes| bytes / size_of::<Bucket>())
            .ok_or_else(|| format!("a table of {mebibytes} MiB is too large"))?;
        Self::with_buckets(buckets)
            .ok_or_else(|| format!("no memory for a table of {mebibytes} MiB"))
    }

    /// A table of so many entries of 64 bytes, each with room for four
    /// positions.
    pub fn with_buckets(buckets: usize) -> Option<Self> {
        let spare = if buckets == 0 { 0 } else { WAYS - 1 };
        let slots = buckets.checked_mul(WAYS)?.checked_add(spare)?;
        let memory: Box<[Slot]> = bytemuck::try_zeroed_slice_box(slots).ok()?;
        let skipped = memory.as_ptr().align_offset(CACHE_LINE).min(spare);
        Some(Self {
            memory: Arc::new(Memory(memory)),
            coming: Arc::default(),
            skipped,
            era: 1,
            age: 0,
            large_pages: false,
        })
    }

    /// Prepares for a search that is not in a hurry: memory not taken yet will
    /// be taken in large pages, each of which may have to be waited for.
    pub fn use_large_pages(&mut self) {
        if !self.large_pages
            && let Some(Memory(slots)) = Arc::get_mut(&mut self.memory)
        {
            self.large_pages = true;
            use_large_pages(slots);
        }
    }

    /// Its memory, to be taken by another thread while nobody is in a hurry.
    pub(super) fn ahead(&mut self) -> Ahead {
        self.use_large_pages();
        self.coming.store(true, Ordering::Relaxed);
        Ahead {
            memory: Arc::downgrade(&self.memory),
            coming: Arc::clone(&self.coming),
        }
    }

    /// Whether a search might have to wait for memory that is being taken.
    pub(super) fn is_coming(&self) -> bool {
        self.coming.load(Ordering::Relaxed)
    }

    /// Forgets everything, at once whatever the size.
    pub fn clear(&mut self) {
        self.age = 0;
        if self.era == LAST_ERA {
            for slot in &self.memory.0 {
                slot.data.store(0, Ordering::Relaxed);
                slot.check.store(0, Ordering::Relaxed);
            }
            self.era = 0;
        }
        self.era += 1;
    }

    /// Tells entries of earlier searches from those of the next.
    pub fn begin_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// Says that [`Table::probe`] is soon to be asked for this key: memory is
    /// far away.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        if let Some(bucket) = self.bucket(key) {
            prefetch(bucket);
        }
    }

    /// What is known about the position with this key.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.bucket(key)?;
        bucket.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let check = slot.check.load(Ordering::Relaxed);
            let packed = Packed(data);
            (check ^ data == key && packed.era() == self.era).then(|| packed.entry())
        })
    }

    /// Remembers `entry` for the position with this key, if what it would
    /// push out is worth less.
    pub fn store(&self, key: u64, entry: Entry) {
        let Some(bucket) = self.bucket(key) else {
            return;
        };
        let mut victim = &bucket[0];
        let mut least = i32::MAX;
        for slot in bucket {
            let data = slot.data.load(Ordering::Relaxed);
            let packed = Packed(data);
            if packed.era() != self.era {
                if least > i32::MIN {
                    (victim, least) = (slot, i32::MIN);
                }
                continue;
            }
            if slot.check.load(Ordering::Relaxed) ^ data == key {
                if self.keeps(packed, entry) {
                    return;
                }
                victim = slot;
                break;
            }
            let worth = self.worth(packed);
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        let packed = Packed::new(entry, self.age, self.era);
        victim.check.store(key ^ packed.0, Ordering::Relaxed);
        victim.data.store(packed.0, Ordering::Relaxed);
    }

    /// Whether an old entry for a position is worth more than a new one.
    fn keeps(&self, old: Packed, new: Entry) -> bool {
        let better =
            old.depth() > new.depth + 3 || old.depth() >= new.depth && old.level() > new.level;
        new.bound != Bound::Exact && old.age() == self.age && better
    }

    fn worth(&self, packed: Packed) -> i32 {
        let searches_ago = (self.age + AGES - packed.age()) % AGES;
        packed.depth() - 8 * i32::from(searches_ago)
    }

    /// Entries of the current search per thousand, from a sample.
    pub fn hashfull(&self) -> u32 {
        let buckets = self.buckets();
        let sample = &buckets[..buckets.len().min(250)];
        if sample.is_empty() {
            return 0;
        }
        let used = sample
            .iter()
            .flatten()
            .map(|slot| Packed(slot.data.load(Ordering::Relaxed)))
            .filter(|packed| packed.era() == self.era && packed.age() == self.age)
            .count();
        (used * 1_000 / (sample.len() * WAYS)) as u32
    }

    fn buckets(&self) -> &[Bucket] {
        self.memory.0[self.skipped..].as_chunks().0
    }

    fn bucket(&self, key: u64) -> Option<&Bucket> {
        let buckets = self.buckets();
        let index = (u128::from(key) * buckets.len() as u128) >> 64;
        buckets.get(index as usize)
    }
}

impl Ahead {
    /// Takes the memory, unless the table is given up meanwhile. What is in
    /// the table stays.
    pub(super) fn take(&self) {
        const STEP: usize = PAGE / size_of::<Slot>();
        for index in (0..MOST_AHEAD / size_of::<Slot>()).step_by(STEP) {
            let Some(memory) = self.memory.upgrade() else {
                return;
            };
            let Some(slot) = memory.0.get(index) else {
                return;
            };
            // Only a write takes memory: where there was none is a 0.
            let _ = slot
                .check
                .compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

/// Whether it has been taken or not, nobody need wait for it any more.
impl Drop for Ahead {
    fn drop(&mut self) {
        self.coming.store(false, Ordering::Relaxed);
    }
}

/// Bits 0-15 move code + 1, 16-31 score, 32-39 depth, 40-41 bound, 42-47 age,
/// 48-50 level, 51-63 era.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn new(entry: Entry, age: u8, era: u16) -> Self {
        let best = entry.best.map_or(0, |code| u64::from(code) + 1);
        let score = entry.score.0 as i16 as u16;
        let depth = entry.depth.clamp(0, 255) as u8;
        let bound = match entry.bound {
            Bound::Upper => 0,
            Bound::Lower => 1,
            Bound::Exact => 2,
        };
        Self(
            best | u64::from(score) << 16
                | u64::from(depth) << 32
                | bound << 40
                | u64::from(age) << 42
                | u64::from(entry.level) << 48
                | u64::from(era) << 51,
        )
    }

    fn entry(self) -> Entry {
        Entry {
            best: (self.0 as u16).checked_sub(1),
            score: Score(i32::from((self.0 >> 16) as i16)),
            depth: self.depth(),
            bound: match (self.0 >> 40) & 3 {
                0 => Bound::Upper,
                1 => Bound::Lower,
                _ => Bound::Exact,
            },
            level: self.level(),
        }
    }

    fn depth(self) -> Depth {
        Depth::from((self.0 >> 32) as u8)
    }

    fn level(self) -> Level {
        (self.0 >> 48) as u8 & 7
    }

    fn age(self) -> u8 {
        (self.0 >> 42) as u8 & (AGES - 1)
    }

    fn era(self) -> u16 {
        (self.0 >> 51) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_taken_ahead_leaves_what_is_known() {
        let mut table = Table::new(2).expect("memory");
        let entry = Entry {
            best: Some(7),
            score: Score(-300),
            depth: 9,
            bound: Bound::Exact,
            level: 0,
        };
        let keys = (1..=1_000_u64).map(|number| number << 54 | number);
        let ahead = table.ahead();
        assert!(table.is_coming());
        keys.clone().for_each(|key| table.store(key, entry));
        ahead.take();
        drop(ahead);
        assert!(!table.is_coming());
        assert!(keys.clone().all(|key| table.probe(key) == Some(entry)));
    }

    #[test]
    fn memory_given_up_is_not_taken() {
        let mut table = Table::new(1).expect("memory");
        let ahead = table.ahead();
        drop(table);
        ahead.take();
        assert!(ahead.memory.upgrade().is_none());
    }
}
