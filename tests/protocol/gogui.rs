//! GoGui's own commands, as it sends them.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::client::{Client, answers, script};

#[test]
fn the_rules_come_in_the_form_gogui_reads() {
    let mut client = Client::start();
    assert_eq!(client.ok("gogui-rules_game_id"), "Othello6");
    assert_eq!(client.ok("gogui-rules_board_size"), "6");
    assert_eq!(client.ok("gogui-rules_legal_moves"), "B3 C2 D5 E4");
    assert_eq!(client.ok("gogui-rules_side_to_move"), "black");
    client.ok("play b C2");
    // GoGui's top row is row 6.
    assert_eq!(
        client.ok("gogui-rules_board"),
        ". . . . . .\n. . . . . .\n. . X O . .\n. . X X . .\n. . X . . .\n. . . . . ."
    );
    assert_eq!(client.fails("play b C2"), "illegal move");
    client.ok("set_position OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOX- X");
    assert_eq!(client.ok("gogui-rules_legal_moves"), "pass");
    client.ok("play b pass");
    client.ok("play w F6");
    assert_eq!(client.ok("gogui-rules_legal_moves"), "");
    assert!(!client.ok("gogui-rules_side_to_move").is_empty());
    assert_eq!(client.ok("gogui-rules_final_result"), "White wins by 36.");
}

#[test]
fn the_rules_are_listed_for_the_disc_games_alone() {
    let mut client = Client::start();
    for game in client.ok("list_games").lines() {
        client.ok(&format!("set_game {game}"));
        let discs = game.starts_with("othello") || game.starts_with("reversi");
        let listed = client.ok("list_commands");
        for name in ["gogui-rules_game_id", "gogui-rules_legal_moves", "loadsgf"] {
            assert_eq!(listed.lines().any(|line| line == name), discs, "{game}");
            assert_eq!(
                client.ok(&format!("known_command {name}")),
                discs.to_string()
            );
            if !discs {
                assert_eq!(client.fails(name), "unknown command");
            }
        }
    }
}

#[test]
fn a_sequence_is_played_whole_or_not_at_all() {
    let mut client = Client::start();
    client.ok("play b c2");
    let before = client.ok("get_position");
    for (sequence, error) in [
        ("w d2 b e2 w e2", "illegal move"),
        ("w d2 w e2", "illegal move"),
        ("w d2 b", "syntax error"),
        ("w d2 green e2", "syntax error"),
        ("w d2 b z9", "syntax error"),
    ] {
        let message = client.fails(&format!("gogui-play_sequence {sequence}"));
        assert!(message.starts_with(error), "{sequence}: {message}");
        assert_eq!(client.ok("get_position"), before, "{sequence}");
        assert_eq!(client.ok("history"), "black c2");
    }
    client.ok("gogui-play_sequence W D2 B E2");
    assert_eq!(client.ok("history"), "black c2\nwhite d2\nblack e2");
    client.ok("gogui-play_sequence");
    client.ok("gg-undo 3");
    assert_eq!(client.ok("history"), "");
}

#[test]
fn a_position_is_set_up_disc_by_disc() {
    let mut client = Client::start();
    client.ok("gogui-setup b C3 b D4 w D3 w C4");
    client.ok("gogui-setup_player w");
    assert_eq!(
        client.ok("get_position"),
        "------/------/--XO--/--OX--/------/------ O"
    );
    let before = client.ok("get_position");
    for bad in ["b", "b C9", "b C3 w C3", "green C3", "b pass"] {
        client.fails(&format!("gogui-setup {bad}"));
        assert_eq!(client.ok("get_position"), before, "{bad}");
    }
    let mv = client.ok("legal_moves");
    client.ok(&format!("play w {}", mv.split(' ').next().unwrap()));
    client.fails("gogui-setup b C3");
    client.fails("gogui-setup_player b");
    client.ok("clear_board");
    client.ok("gogui-setup_player W");
    assert_eq!(client.ok("side_to_move"), "white");
}

#[test]
fn the_analysis_menu_offers_commands_that_exist() {
    let mut client = Client::start();
    client.ok("set_option depth 4");
    for line in client.ok("gogui-analyze_commands").lines() {
        let parts: Vec<&str> = line.split('/').collect();
        assert_eq!(parts.len(), 3, "{line}");
        let name = parts[2].split(' ').next().unwrap();
        assert_eq!(client.ok(&format!("known_command {name}")), "true");
    }
    let moves = client.ok("quadrille-gfx_moves");
    let labels: Vec<&str> = moves.lines().next().unwrap().split(' ').collect();
    assert_eq!(labels[0], "LABEL");
    assert_eq!(labels.len(), 1 + 2 * 4, "{moves}");
    assert!(
        moves
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("TEXT info depth 4 ")
    );
    let variation = client.ok("quadrille-gfx_pv");
    assert!(variation.starts_with("VAR b "), "{variation}");
    assert_eq!(client.ok("quadrille-legal_points"), "B3 C2 D5 E4");
    client.ok("quadrille-param depth 5");
    assert!(client.ok("quadrille-param").contains("[string] depth 5\n"));
    client.ok("set_position OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOX- X");
    assert_eq!(client.ok("quadrille-legal_points"), "");
    assert!(client.ok("quadrille-gfx_pv").starts_with("VAR b PASS w F6"));
    client.ok("play b pass");
    client.ok("play w f6");
    assert_eq!(client.ok("quadrille-gfx_moves"), "TEXT The game is over.");
}

/// A ruler replays the game from its start for every move, and asks for the
/// legal moves, the side to move and the board in between.
#[test]
fn a_ruler_is_answered_at_once() {
    let mut client = Client::start();
    client.ok("set_option nodes 100");
    while client.ok("result") == "unfinished" {
        let side = client.ok("side_to_move");
        client.ok(&format!("genmove {side}"));
    }
    let history = client.ok("history");
    let moves: Vec<&str> = history.lines().collect();
    let mut input = String::new();
    let mut count = 0;
    for length in 0..moves.len() {
        for _ in 0..2 {
            input.push_str("clear_board\n");
            for mv in &moves[..=length] {
                let _ = writeln!(input, "play {mv}");
            }
            input.push_str("gogui-rules_board\ngogui-rules_legal_moves\n");
            input.push_str("gogui-rules_side_to_move\ngogui-rules_board_size\n");
            count += length + 6;
        }
    }
    assert!(count > 1_000);
    let best = (0..3)
        .map(|_| {
            let start = Instant::now();
            let output = script(&input);
            let time = start.elapsed();
            assert_eq!(answers(&output).len(), count);
            assert!(!output.contains('?'));
            time
        })
        .min()
        .unwrap();
    let each = best / count as u32;
    assert!(each < Duration::from_micros(500), "{each:?} a command");
}
