//! GoGui's own commands, as it sends them.

use std::io::Write as _;

use super::client::{Client, program};

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
    let told = "LABEL F6 pass\nTEXT Black 1, White 34. Black has to pass";
    assert_eq!(client.ok("gogui-rules_board_gfx"), told);
    assert_eq!(client.ok("gogui-rules_captured_count"), "34 1");
    client.ok("play b pass");
    client.ok("play w F6");
    assert_eq!(client.ok("gogui-rules_legal_moves"), "");
    assert!(!client.ok("gogui-rules_side_to_move").is_empty());
    assert_eq!(client.ok("gogui-rules_final_result"), "White wins by 36.");
    let told = "TEXT White wins by 36.";
    assert_eq!(client.ok("gogui-rules_board_gfx"), told);
}

#[test]
fn what_only_discs_can_do_is_listed_for_the_disc_games_alone() {
    let mut client = Client::start();
    for game in client.ok("list_games").lines() {
        client.ok(&format!("set_game {game}"));
        let discs = game.starts_with("othello") || game.starts_with("reversi");
        let listed = client.ok("list_commands");
        assert!(listed.lines().any(|line| line == "gogui-rules_legal_moves"));
        for name in [
            "gogui-setup",
            "gogui-setup_player",
            "gogui-rules_captured_count",
            "loadsgf",
        ] {
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
    assert!(moves.lines().nth(1).unwrap().contains(", depth 4: "));
    let variation = client.ok("quadrille-gfx_pv");
    assert!(variation.starts_with("VAR b "), "{variation}");
    assert_eq!(client.ok("quadrille-legal_points"), "B3 C2 D5 E4");
    client.ok("quadrille-param depth 5");
    assert!(
        client
            .ok("quadrille-param")
            .contains("/4/5/6/8/10/12/16/20] depth 5\n")
    );
    client.ok("set_position OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOX- X");
    assert_eq!(client.ok("quadrille-legal_points"), "");
    assert!(client.ok("quadrille-gfx_pv").starts_with("VAR b PASS w F6"));
    client.ok("play b pass");
    client.ok("play w f6");
    assert_eq!(client.ok("quadrille-gfx_moves"), "TEXT The game is over.");
}

#[test]
fn what_is_known_and_proved_is_drawn() {
    let mut client = Client::start();
    for mv in ["b c2", "w b4"] {
        let known = client.ok("book");
        let drawn = client.ok("quadrille-gfx_book");
        let what = if known.is_empty() { "TEXT " } else { "LABEL " };
        assert!(drawn.contains(what), "{drawn}");
        client.ok(&format!("play {mv}"));
    }
    client.ok("set_position OOOOOO/OXXXX-/OXOXXX/OOXXOX/OOOOX-/-OOO-- X");
    let solution = client.ok("quadrille-gfx_solve");
    assert!(
        solution.starts_with("COLOR #00d000 F5\nLABEL F5 -12\nTEXT White wins by 12: f5 "),
        "{solution}"
    );
    client.ok("set_option depth 8");
    let colours = client.ok("quadrille-gfx_colours");
    assert!(colours.starts_with("COLOR #00d000 F5\n"), "{colours}");
    let mut client = Client::playing("tiles");
    client.ok("set_position o-x/---/x-o x");
    let solution = client.ok("quadrille-gfx_solve");
    assert!(solution.starts_with("COLOR #00d000 A1"), "{solution}");
    assert!(solution.contains("\nTEXT Black wins: "), "{solution}");
}

#[test]
fn a_search_is_drawn_while_it_goes_on_if_that_is_wished() {
    for (game, side, drawn) in [
        ("reversi8", "w", "VAR w "),
        ("tiles", "b", "COLOR #fff4d8 "),
        ("gobblet", "w", "COLOR #fff4d8 "),
    ] {
        let mut stderr = Vec::new();
        for live in [0, 1] {
            let mut command = program();
            command.args(["--game", game, "--depth", "4", "--no-book"]);
            let mut child = command.spawn().unwrap();
            let input = format!("quadrille-param live_graphics {live}\ngenmove {side}\n");
            child
                .stdin
                .take()
                .unwrap()
                .write_all(input.as_bytes())
                .unwrap();
            let output = child.wait_with_output().unwrap();
            stderr.push(String::from_utf8(output.stderr).unwrap());
        }
        assert!(!stderr[0].contains("gogui-gfx"), "{}", stderr[0]);
        let drawings: Vec<&str> = stderr[1].split("gogui-gfx:\n").skip(1).collect();
        assert!(drawings.len() >= 4, "{}", stderr[1]);
        for drawing in drawings {
            assert!(drawing.starts_with(drawn), "{drawing}");
            assert!(drawing.contains(", depth "), "{drawing}");
            assert!(drawing.ends_with("\n\n"), "{drawing}");
        }
    }
}
