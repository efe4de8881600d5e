//! The whole search on a few positions of every game, each time from an empty
//! table.

#![allow(missing_docs)]

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use quadrille::games::VARIANTS;
use quadrille::search::heuristics::Depth;
use quadrille::search::{Limits, Settings};
use quadrille::session::Unwatched;

/// Every position is searched so much less deep than in `quadrille bench`.
const LESS: Depth = 2;

fn search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    for variant in &VARIANTS {
        let exercises: Vec<_> = quadrille::bench::exercises()
            .into_iter()
            .filter(|exercise| exercise.game == variant.info.name)
            .collect();
        let settings = Settings {
            hash: 16,
            ..Settings::default()
        };
        let mut session = variant.open(&settings).expect("16 MiB");
        group.bench_function(variant.info.name, |bencher| {
            bencher.iter(|| {
                for exercise in &exercises {
                    session.reset();
                    session
                        .set_position(exercise.position)
                        .expect("a position of the bench");
                    let limits = Limits {
                        depth: Some((exercise.depth - LESS).max(1)),
                        start: Instant::now(),
                        ..Limits::default()
                    };
                    session.think(&limits, &Unwatched);
                }
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(5))
        .sample_size(10);
    targets = search
}
criterion_main!(benches);
