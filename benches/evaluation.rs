//! What the engine knows of every game, over the positions of `quadrille bench`.

#![allow(missing_docs)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quadrille::games::discs::Discs;
use quadrille::games::gobblet::Gobblet;
use quadrille::games::tiles::Tiles;
use quadrille::search::heuristics::{Heuristics, Knowledge, legal_moves};

mod common;

fn all(criterion: &mut Criterion) {
    evaluation(criterion, "othello6", Discs::othello6());
    evaluation(criterion, "othello8", Discs::othello8());
    evaluation(criterion, "gobblet", Gobblet::start());
    evaluation(criterion, "tiles", Tiles::start());
}

fn evaluation<G: Heuristics>(criterion: &mut Criterion, name: &str, start: G) {
    let positions = common::positions(name, start);
    let knowledge = Knowledge::<G>::embedded();
    let tables = &knowledge.tables;
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(positions.len() as u64));
    let accumulated: Vec<(G, G::Accumulator)> = positions
        .iter()
        .map(|position| (*position, position.refresh(tables)))
        .collect();
    group.bench_function("evaluate", |bencher| {
        bencher.iter(|| {
            accumulated
                .iter()
                .map(|(position, accumulator)| {
                    black_box(position).evaluate(black_box(accumulator), tables)
                })
                .sum::<i32>()
        });
    });
    group.bench_function("refresh and evaluate", |bencher| {
        bencher.iter(|| {
            positions
                .iter()
                .map(|position| {
                    let position = black_box(position);
                    position.evaluate(&position.refresh(tables), tables)
                })
                .sum::<i32>()
        });
    });
    group.bench_function("tactics", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                black_box(black_box(position).tactics());
            }
        });
    });
    group.bench_function("hints", |bencher| {
        let mut hints = [0; quadrille::game::MAX_MOVES];
        bencher.iter(|| {
            for position in &positions {
                let moves = legal_moves(position);
                position.hint(&moves, &mut hints[..moves.len()], 6);
                black_box(&hints);
            }
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
