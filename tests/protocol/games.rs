//! Whole games of every variant, refereed by a second process.

use super::client::Client;

/// Plays a game to its end; the moves with their colours and the result.
fn play_out(game: &str, nodes: u32) -> (String, String) {
    let mut player = Client::playing(game);
    let mut referee = Client::playing(game);
    player.ok(&format!("set_option nodes {nodes}"));
    for ply in 0.. {
        assert!(ply < 400, "{game} does not end");
        assert_eq!(player.ok("get_position"), referee.ok("get_position"));
        let legal = referee.ok("legal_moves");
        if referee.ok("result") != "unfinished" {
            assert_eq!(legal, "");
            break;
        }
        let side = referee.ok("side_to_move");
        let mv = player.ok(&format!("genmove {side}"));
        assert!(legal.split(' ').any(|l| l == mv), "{game}: {mv} of {legal}");
        referee.ok(&format!("play {side} {mv}"));
    }
    let result = referee.ok("result");
    assert_eq!(player.ok("result"), result);
    assert_eq!(player.ok("final_score"), referee.ok("final_score"));
    assert_eq!(player.ok("genmove b"), "pass");
    player.ok("undo");
    let history = player.ok("history");
    assert_eq!(history, referee.ok("history"));
    (history, result)
}

#[test]
fn a_game_of_every_variant_is_played_to_its_end_and_taken_back() {
    let games = Client::start().ok("list_games");
    for game in games.lines() {
        let (history, result) = play_out(game, 300);
        let mut client = Client::playing(game);
        let start = client.ok("get_position");
        for turn in history.lines() {
            client.ok(&format!("play {turn}"));
        }
        assert_eq!(client.ok("result"), result, "{game}");
        let count = history.lines().count();
        client.ok(&format!("gg-undo {count}"));
        assert_eq!(client.ok("get_position"), start);
    }
}

#[test]
fn node_limited_games_on_one_thread_are_the_same_each_time() {
    let games = Client::start().ok("list_games");
    for game in games.lines() {
        assert_eq!(play_out(game, 100), play_out(game, 100), "{game}");
    }
}

#[test]
fn two_commands_of_alternating_genmoves_end_as_gogui_twogtp_ends_them() {
    // It knows no rules: colours alternate, two passes in a row are the end.
    for game in ["othello6", "othello8"] {
        let mut players = [Client::playing(game), Client::playing(game)];
        for player in &mut players {
            player.ok("set_option nodes 200");
        }
        let mut passes = 0;
        for ply in 0.. {
            let (own, other) = (ply % 2, 1 - ply % 2);
            let colour = ["b", "w"][own];
            let mv = players[own].ok(&format!("genmove {colour}"));
            players[other].ok(&format!("play {colour} {mv}"));
            passes = if mv == "pass" { passes + 1 } else { 0 };
            if passes == 2 {
                break;
            }
        }
        let score = players[0].ok("final_score");
        assert_eq!(players[1].ok("final_score"), score);
        assert_ne!(players[0].ok("result"), "unfinished");
    }
}
