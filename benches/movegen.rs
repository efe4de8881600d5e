//! The rules of every game, over the positions of `quadrille bench`.

#![allow(missing_docs)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quadrille::game::Game;
use quadrille::games::discs::Discs;
use quadrille::games::gobblet::Gobblet;
use quadrille::games::tiles::Tiles;
use quadrille::search::heuristics::legal_moves;

mod common;

fn all(criterion: &mut Criterion) {
    generation(criterion, "othello6", Discs::othello6());
    generation(criterion, "othello8", Discs::othello8());
    generation(criterion, "gobblet", Gobblet::start());
    generation(criterion, "tiles", Tiles::start());
}

fn generation<G: Game>(criterion: &mut Criterion, name: &str, start: G) {
    let positions = common::positions(name, start);
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("legal moves", |bencher| {
        bencher.iter(|| {
            positions
                .iter()
                .map(|position| legal_moves(black_box(position)).len())
                .sum::<usize>()
        });
    });
    let children: u64 = positions.iter().map(|position| position.perft(1)).sum();
    group.throughput(Throughput::Elements(children));
    group.bench_function("legal moves and play", |bencher| {
        bencher.iter(|| {
            let mut keys = 0;
            for position in &positions {
                for mv in legal_moves(black_box(position)) {
                    keys ^= position.play(mv).key();
                }
            }
            keys
        });
    });
    let leaves: u64 = positions.iter().map(|position| position.perft(3)).sum();
    group.throughput(Throughput::Elements(leaves));
    group.bench_function("perft 3", |bencher| {
        bencher.iter(|| {
            positions
                .iter()
                .map(|position| black_box(position).perft(3))
                .sum::<u64>()
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30);
    targets = all
}
criterion_main!(benches);
