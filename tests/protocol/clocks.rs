//! Time limits, as a controller sets them.

use std::time::{Duration, Instant};

use super::client::Client;

fn time_of(client: &mut Client, command: &str) -> Duration {
    let start = Instant::now();
    client.ok(command);
    start.elapsed()
}

/// A client that has to search every move of a game far from solved.
fn searching() -> Client {
    let mut client = Client::playing("othello8");
    client.ok("set_option book false");
    client
}

/// Time for one move of Black from the start of a game that is far from
/// solved.
fn move_time(settings: &[&str]) -> Duration {
    let mut client = searching();
    for setting in settings {
        client.ok(setting);
    }
    time_of(&mut client, "genmove b")
}

/// The same, tried again if it was too long: the machine may be busy.
fn at_best(settings: &[&str], limit: Duration) -> Duration {
    let mut tries = (0..3).map(|_| move_time(settings));
    let good = tries.find(|time| *time < limit);
    good.unwrap_or(Duration::MAX)
}

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn a_move_without_a_limit_takes_a_second_at_most() {
    for settings in [
        &[][..],
        &["time_settings 0 1 0"],
        &["time_settings 0 0 0"],
        &["time_settings 60 0 0", "time_settings 0 1 0"],
        &["kgs-time_settings absolute 100", "kgs-time_settings none"],
    ] {
        let time = at_best(settings, millis(1_200));
        assert!(time > millis(500), "{settings:?}: {time:?}");
        assert!(time < millis(1_200), "{settings:?}: {time:?}");
    }
}

#[test]
fn the_first_limit_reached_ends_the_search() {
    for setting in ["depth 3", "nodes 1000", "time 0.05"] {
        let option = format!("set_option {setting}");
        let time = at_best(&[&option], millis(500));
        assert!(time < millis(500), "{setting}: {time:?}");
        let time = at_best(&["time_settings 1000 0 0", &option], millis(500));
        assert!(time < millis(500), "{setting} with a clock: {time:?}");
    }
    let time = move_time(&["set_option depth 60", "time_settings 1 0 0"]);
    assert!(time < millis(900), "{time:?}");
}

#[test]
fn every_kind_of_clock_is_kept() {
    for settings in [
        "time_settings 2 0 0",
        "time_settings 0 1 10",
        "kgs-time_settings absolute 2",
        "kgs-time_settings byoyomi 0 0.2 5",
        "kgs-time_settings canadian 0 2 10",
        "kata-time_settings absolute 2",
        "kata-time_settings fischer 1 0.1",
        "kata-time_settings byoyomi 0 0.2 5",
        "kata-time_settings canadian 0 2 10",
    ] {
        let time = move_time(&[settings]);
        assert!(time < millis(800), "{settings}: {time:?}");
    }
}

#[test]
fn negative_zero_and_fractional_time_left() {
    for left in ["0 0", "-3 0", "0.05 0", "-0.5 2", "0 3", "0.1 1"] {
        let setting = format!("time_left b {left}");
        let time = move_time(&["time_settings 300 0 0", &setting]);
        assert!(time < millis(300), "{left}: {time:?}");
    }
}

#[test]
fn clear_board_restarts_the_clocks() {
    let mut client = searching();
    client.ok("time_settings 300 0 0");
    client.ok("time_left b 0 0");
    let hurried = time_of(&mut client, "genmove b");
    client.ok("clear_board");
    client.ok("set_option time 0.5");
    let calm = time_of(&mut client, "genmove b");
    assert!(hurried < millis(200), "{hurried:?}");
    assert!(calm > millis(300), "{calm:?}");
}

#[test]
fn thinking_costs_time_of_the_own_clock() {
    let mut client = searching();
    client.ok("time_settings 1.5 0 0");
    let start = Instant::now();
    let mut moves = 0;
    while client.ok("result") == "unfinished" {
        let side = client.ok("side_to_move");
        client.ok(&format!("genmove {side}"));
        moves += 1;
    }
    assert!(moves > 8);
    let time = start.elapsed();
    assert!(time < millis(3_300), "{moves} moves took {time:?}");
}

/// The way to the referee takes time of every move, and who keeps the clock
/// without being told must not believe he has it.
#[test]
fn the_overhead_is_paid_for_every_move() {
    let mut client = searching();
    client.ok("time_settings 10 0 0");
    client.ok("set_option overhead 4000");
    client.ok("set_option depth 1");
    for side in ["b", "w", "b", "w"] {
        client.ok(&format!("genmove {side}"));
    }
    // Two seconds are left, less than are lost on the way.
    client.ok("set_option depth none");
    client.ok("set_option nodes 100000");
    client.ok("genmove b");
    let info = client.ok("last_search");
    let (_, nodes) = info.split_once(" nodes ").unwrap();
    let nodes: u64 = nodes.split(' ').next().unwrap().parse().unwrap();
    assert!(nodes < 50_000, "{info}");
}

#[test]
fn a_forced_move_is_played_at_once() {
    let mut client = searching();
    let rows = "--------/--------/--------/---OX---/--------/--------/--------/--------";
    client.ok(&format!("set_position {rows} X"));
    assert_eq!(client.ok("legal_moves"), "c4");
    assert!(time_of(&mut client, "genmove b") < millis(200));
}

#[test]
fn bad_times_are_syntax_errors_and_change_nothing() {
    let mut client = Client::start();
    for command in [
        "time_settings",
        "time_settings x 0 0",
        "time_settings -1 0 0",
        "time_settings 1 nan 0",
        "time_left",
        "time_left green 1 0",
        "time_left b x 0",
        "time_left b 1 x",
        "kgs-time_settings",
        "kgs-time_settings sometimes",
        "kgs-time_settings byoyomi 1",
        "kata-time_settings fischer 1",
        "kata-time_settings fischer 1 inf",
    ] {
        let message = client.fails(command);
        assert!(message.starts_with("syntax error"), "{command}: {message}");
    }
    client.ok("time_settings 99999999999999999999 1e300 3");
    client.ok("time_left w 1e300 99999999999");
    assert_eq!(
        client.ok("kata-list_time_settings"),
        "none absolute byoyomi canadian fischer"
    );
    let cpu: f64 = client.ok("cputime").parse().unwrap();
    assert!((0.0..60.0).contains(&cpu));
}
