//! The transposition table, in the cache and far outside it.

#![allow(missing_docs)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use quadrille::search::score::Score;
use quadrille::search::table::{Bound, Entry, Table};
use quadrille::zobrist::splitmix64;

/// Keys a round: more than any cache holds entries.
const KEYS: usize = 1 << 16;

fn table(criterion: &mut Criterion) {
    let mut state = 1;
    let keys: Vec<u64> = std::iter::repeat_with(|| {
        let (next, key) = splitmix64(state);
        state = next;
        key
    })
    .take(KEYS)
    .collect();
    let mut group = criterion.benchmark_group("table");
    group.throughput(Throughput::Elements(KEYS as u64));
    for mebibytes in [1, 128] {
        let table = Table::new(mebibytes).expect("there is that much memory");
        group.bench_with_input(
            BenchmarkId::new("store", mebibytes),
            &table,
            |bencher, table| {
                bencher.iter(|| {
                    for (index, &key) in keys.iter().enumerate() {
                        table.store(key, entry(index));
                    }
                });
            },
        );
        group.bench_with_input(
            BenchmarkId::new("probe", mebibytes),
            &table,
            |bencher, table| {
                bencher.iter(|| {
                    for &key in &keys {
                        black_box(table.probe(black_box(key)));
                    }
                });
            },
        );
    }
    group.bench_function("new and clear 128", |bencher| {
        bencher.iter(|| {
            let mut table = Table::new(128).expect("there is that much memory");
            table.clear();
            table
        });
    });
    group.finish();
}

fn entry(index: usize) -> Entry {
    Entry {
        best: Some((index % 1_000) as u16),
        score: Score((index % 20_000) as i32),
        depth: (index % 20) as i32,
        bound: Bound::Exact,
        level: quadrille::search::probcut::FULL,
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30);
    targets = table
}
criterion_main!(benches);
