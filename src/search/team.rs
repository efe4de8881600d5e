//! Splitting a node's moves among threads.
//!
//! Only a node whose first move has been searched without a cut-off is split
//! (young brothers wait). Its owner lays the remaining moves open in a slot;
//! idle threads join, take moves one by one, and merge what they find under
//! the slot's lock. An owner that has no move left to take helps the threads
//! that still work for it: it joins only splits below its own, so that its own
//! line stays a prefix of theirs.
//!
//! CITE: R. Feldmann, B. Monien, P. Mysliwietz, O. Vornberger, Distributed
//! Game-Tree Search, ICCA Journal 12(2), 1989 (young brothers wait; helpful
//! masters).

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use arrayvec::ArrayVec;
use crossbeam_utils::CachePadded;

use crate::search::MAX_PLY;
use crate::search::heuristics::{Depth, Heuristics};
use crate::search::ordering::Ordered;
use crate::search::worker::{Best, Node, Plan, Step};

/// Nested splits one thread may own.
const SLOTS_PER_WORKER: usize = 8;
/// Nested splits a line may run through.
const LONGEST_CHAIN: usize = 64;

/// The splits a thread is working under, outermost first.
pub(super) type Chain = ArrayVec<usize, LONGEST_CHAIN>;

/// A node whose moves are being shared.
pub(super) struct Split<H: Heuristics> {
    pub(super) node: Node<H>,
    pub(super) plan: Plan,
    pub(super) steps: ArrayVec<Step, { MAX_PLY + 1 }>,
    /// Ends with this split.
    pub(super) chain: Chain,
    pub(super) ordered: Ordered<H::Move>,
    pub(super) best: Best<H::Move>,
    pub(super) line: ArrayVec<H::Move, MAX_PLY>,
    /// How many threads are searching one of its moves.
    pub(super) busy: usize,
}

pub(super) struct Slot<H: Heuristics> {
    /// 1 + depth while moves are to be had, else 0.
    open: AtomicI32,
    cancelled: AtomicBool,
    split: Mutex<Option<Split<H>>>,
}

impl<H: Heuristics> Slot<H> {
    pub(super) fn lock(&self) -> MutexGuard<'_, Option<Split<H>>> {
        self.split.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn close(&self) {
        self.open.store(0, Ordering::Release);
    }

    pub(super) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        self.close();
    }
}

/// The threads of one search.
pub(super) struct Team<H: Heuristics> {
    slots: Box<[CachePadded<Slot<H>>]>,
    idle: CachePadded<AtomicUsize>,
    finished: AtomicBool,
}

impl<H: Heuristics> Team<H> {
    /// A team of `threads`; one thread alone never splits.
    pub(super) fn new(threads: usize) -> Self {
        let slots = if threads > 1 {
            threads * SLOTS_PER_WORKER
        } else {
            0
        };
        Self {
            slots: (0..slots)
                .map(|_| {
                    CachePadded::new(Slot {
                        open: AtomicI32::new(0),
                        cancelled: AtomicBool::new(false),
                        split: Mutex::new(None),
                    })
                })
                .collect(),
            idle: CachePadded::new(AtomicUsize::new(0)),
            finished: AtomicBool::new(false),
        }
    }

    pub(super) fn slot(&self, id: usize) -> &Slot<H> {
        &self.slots[id]
    }

    pub(super) fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Counts the caller as idle as long as the guard lives.
    pub(super) fn idle(&self) -> Idle<'_> {
        self.idle.fetch_add(1, Ordering::Relaxed);
        Idle(&self.idle)
    }

    pub(super) fn finish(&self) {
        self.finished.store(true, Ordering::Release);
    }

    pub(super) fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }

    /// Whether a split of the chain has been cut off.
    pub(super) fn is_cancelled(&self, chain: &[usize]) -> bool {
        chain
            .iter()
            .any(|&id| self.slots[id].cancelled.load(Ordering::Relaxed))
    }

    /// Lays a node open. None if `worker` owns too many splits already.
    pub(super) fn open(
        &self,
        worker: usize,
        chain: &Chain,
        make: impl FnOnce(Chain) -> Split<H>,
    ) -> Option<usize> {
        if chain.is_full() {
            return None;
        }
        let own = worker * SLOTS_PER_WORKER..(worker + 1) * SLOTS_PER_WORKER;
        let id = own.into_iter().find(|&id| !chain.contains(&id))?;
        let slot = &self.slots[id];
        let mut guard = slot.lock();
        if guard.is_some() {
            return None;
        }
        slot.cancelled.store(false, Ordering::Release);
        let mut chain = chain.clone();
        chain.push(id);
        let split = make(chain);
        let depth = split.plan.depth;
        *guard = Some(split);
        drop(guard);
        slot.open.store(1 + depth, Ordering::Release);
        Some(id)
    }

    /// The open split with the most depth left that `accept`s; the caller is
    /// then counted as working for it.
    pub(super) fn join<T>(
        &self,
        within: Option<usize>,
        copy: impl FnOnce(&Split<H>) -> T,
    ) -> Option<(usize, T)> {
        let (id, depth) = self
            .slots
            .iter()
            .map(|slot| slot.open.load(Ordering::Acquire))
            .enumerate()
            .max_by_key(|&(_, depth)| depth)?;
        if depth == 0 {
            return None;
        }
        let ids = std::iter::once(id).chain(0..self.slots.len());
        for id in ids {
            let slot = &self.slots[id];
            if slot.open.load(Ordering::Acquire) == 0 {
                continue;
            }
            let mut guard = slot.lock();
            if slot.open.load(Ordering::Acquire) == 0 {
                continue;
            }
            if let Some(split) = guard.as_mut()
                && within.is_none_or(|outer| split.chain.contains(&outer))
                && !self.is_cancelled(&split.chain)
            {
                split.busy += 1;
                return Some((id, copy(split)));
            }
        }
        None
    }
}

/// Counts a thread as idle while it lives.
pub(super) struct Idle<'a>(&'a AtomicUsize);

impl Drop for Idle<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Waits a little, longer the more often it was in vain.
pub(super) fn pause(tries: &mut u32) {
    *tries += 1;
    if *tries < 200 {
        std::hint::spin_loop();
    } else {
        std::thread::yield_now();
    }
}

/// The least number of moves worth sharing.
pub(super) const LEAST_MOVES: usize = 2;

/// Whether a node of this depth is worth sharing.
pub(super) fn is_worth_splitting<H: Heuristics>(depth: Depth, remaining: usize) -> bool {
    depth >= H::SPLIT_DEPTH && remaining >= LEAST_MOVES
}
