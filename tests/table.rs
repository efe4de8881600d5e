//! The transposition table alone.

use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;
use quadrille::search::score::Score;
use quadrille::search::table::{Bound, Entry, Table};
use quadrille::zobrist::splitmix64;

fn entry(best: Option<u16>, score: i32, depth: i32, bound: Bound) -> Entry {
    Entry {
        best,
        score: Score(score),
        depth,
        bound,
        level: quadrille::search::probcut::FULL,
    }
}

fn any_entry() -> impl Strategy<Value = Entry> {
    (
        prop::option::of(0..u16::MAX),
        -31_000..=31_000,
        0..=255,
        prop::sample::select(vec![Bound::Upper, Bound::Lower, Bound::Exact]),
    )
        .prop_map(|(best, score, depth, bound)| entry(best, score, depth, bound))
}

proptest! {
    #[test]
    fn what_is_stored_is_found(key: u64, stored in any_entry()) {
        let table = Table::with_buckets(8).unwrap();
        table.prefetch(key);
        prop_assert_eq!(table.probe(key), None);
        table.store(key, stored);
        table.prefetch(key);
        prop_assert_eq!(table.probe(key), Some(stored));
        // Only the whole key is the key.
        for bit in 0..64 {
            prop_assert_eq!(table.probe(key ^ (1 << bit)), None);
        }
    }

    #[test]
    fn a_cleared_table_is_empty_and_works(key: u64, stored in any_entry(), times in 1..5) {
        let mut table = Table::with_buckets(8).unwrap();
        for _ in 0..times {
            table.store(key, stored);
            table.clear();
            prop_assert_eq!(table.probe(key), None);
            prop_assert_eq!(table.hashfull(), 0);
        }
        table.store(key, stored);
        prop_assert_eq!(table.probe(key), Some(stored));
    }
}

#[test]
fn clearing_survives_the_last_era() {
    let mut table = Table::with_buckets(2).unwrap();
    let stored = entry(Some(3), 7, 4, Bound::Exact);
    for round in 0..200_000_u64 {
        if round % 16_381 == 0 {
            table.store(round, stored);
        }
        table.clear();
        assert_eq!(table.probe(round - round % 16_381), None, "round {round}");
    }
}

#[test]
fn a_table_of_nothing_forgets_everything() {
    let table = Table::new(0).unwrap();
    table.store(1, entry(None, 1, 1, Bound::Lower));
    assert_eq!(table.probe(1), None);
    assert_eq!(table.hashfull(), 0);
}

#[test]
fn absurd_sizes_are_refused() {
    assert!(Table::new(usize::MAX).is_err());
    assert!(Table::new(usize::MAX >> 21).is_err());
}

/// Old entries give way before those of the running search, and shallow ones
/// before deep ones.
#[test]
fn the_least_valuable_entry_is_replaced() {
    let mut table = Table::with_buckets(1).unwrap();
    table.store(1, entry(None, 0, 9, Bound::Lower));
    table.begin_search();
    table.begin_search();
    for key in 2..=4 {
        table.store(key, entry(None, 0, key as i32, Bound::Lower));
    }
    table.store(5, entry(None, 0, 1, Bound::Lower));
    assert_eq!(table.probe(1), None);
    table.store(6, entry(None, 0, 8, Bound::Lower));
    assert_eq!(table.probe(5), None);
    assert!((2..=4).all(|key| table.probe(key).is_some()));
}

/// Threads write as fast as they can into two buckets. Each entry is derived
/// from its key, so that any mixture of two entries would show.
#[test]
fn torn_entries_never_come_out() {
    let table = Table::with_buckets(2).unwrap();
    let of = |key: u64| {
        let noise = splitmix64(key).1;
        let bound = [Bound::Upper, Bound::Lower, Bound::Exact][(noise % 3) as usize];
        entry(
            Some((noise >> 8) as u16 & 0x7fff),
            ((noise >> 24) % 60_000) as i32 - 30_000,
            (noise >> 40) as i32 & 0xff,
            bound,
        )
    };
    let done = AtomicBool::new(false);
    let found = std::thread::scope(|scope| {
        for thread in 0..3_u64 {
            let (table, done) = (&table, &done);
            scope.spawn(move || {
                let mut state = thread;
                while !done.load(Ordering::Relaxed) {
                    let noise;
                    (state, noise) = splitmix64(state);
                    let key = splitmix64(noise % 64).1;
                    table.store(key, of(key));
                }
            });
        }
        let mut found = 0;
        for round in 0..3_000_000_u64 {
            let key = splitmix64(round % 64).1;
            if let Some(entry) = table.probe(key) {
                assert_eq!(entry, of(key));
                found += 1;
            }
        }
        done.store(true, Ordering::Relaxed);
        found
    });
    assert!(found > 10_000, "{found}");
}
