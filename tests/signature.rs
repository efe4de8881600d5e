//! The search does what it did.

#[test]
fn the_bench_gives_the_kept_signature() {
    let kept: u32 = include_str!("data/bench.signature").trim().parse().unwrap();
    let found = quadrille::bench::signature();
    assert_eq!(
        found, kept,
        "the search behaves differently; if that is meant, write {found} into \
         tests/data/bench.signature"
    );
}

#[test]
fn the_bench_knows_every_game_at_all_stages() {
    for variant in &quadrille::games::VARIANTS {
        let name = variant.info.name;
        let count = quadrille::bench::exercises()
            .iter()
            .filter(|exercise| exercise.game == name)
            .count();
        assert!(count >= 8, "{name} has {count} positions");
    }
}
