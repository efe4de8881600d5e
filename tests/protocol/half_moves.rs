//! Turns played point by point, as GoGui plays the games in which pieces move.

use super::client::Client;

fn position(client: &mut Client) -> Vec<String> {
    [
        "gogui-rules_board",
        "gogui-rules_legal_moves",
        "gogui-rules_side_to_move",
        "get_position",
        "history",
    ]
    .map(|command| client.ok(command))
    .to_vec()
}

#[test]
fn a_turn_of_tiles_is_from_to_and_the_tile() {
    let mut client = Client::playing("tiles");
    assert_eq!(client.ok("gogui-rules_game_id"), "Tiles");
    assert_eq!(client.ok("gogui-rules_board_size"), "5");
    assert_eq!(client.ok("gogui-rules_legal_moves"), "A1 E5");
    client.ok("play b A1");
    assert_eq!(client.ok("gogui-rules_side_to_move"), "black");
    assert_eq!(client.ok("gogui-rules_legal_moves"), "A2 B1 B2");
    assert_eq!(client.ok("history"), "");
    client.ok("play b B2");
    assert_eq!(client.ok("gogui-rules_side_to_move"), "black");
    assert_eq!(
        client.ok("gogui-rules_legal_moves"),
        "A1 A2 A3 B1 B3 C1 C2 C3"
    );
    assert_eq!(
        client.ok("gogui-rules_board"),
        "O . . . X\n. . . . .\n. . . . .\n. X . . .\n. . . . O"
    );
    client.ok("play b a1");
    assert_eq!(client.ok("gogui-rules_side_to_move"), "white");
    assert_eq!(client.ok("history"), "black a1b2:a1");
}

#[test]
fn a_turn_of_gobblet_begins_on_the_board_or_beside_it() {
    let mut client = Client::playing("gobblet");
    assert_eq!(client.ok("gogui-rules_game_id"), "Gobblet");
    assert_eq!(client.ok("gogui-rules_board_size"), "6");
    assert_eq!(
        client.ok("gogui-rules_board"),
        "? ? ? ? ? X\n? ? ? ? ? X\n. . . . ? X\n. . . . ? O\n. . . . ? O\n. . . . ? O"
    );
    assert_eq!(client.ok("gogui-rules_legal_moves"), "F1 F2 F3");
    client.ok("play w f3");
    assert_eq!(client.ok("gogui-rules_side_to_move"), "white");
    client.ok("play w b2");
    client.ok("gogui-play_sequence b F6 b C3");
    assert_eq!(client.ok("history"), "white 4@b2\nblack 4@c3");
    assert_eq!(client.ok("gogui-rules_legal_moves"), "B2 F1 F2 F3");
    // A smaller gobblet may not cover a larger one.
    client.ok("play w F3");
    assert_eq!(client.fails("play w C3"), "illegal move");
    client.ok("undo");
    client.ok("gogui-play_sequence w B2 w A1");
    assert_eq!(client.ok("history").lines().last(), Some("white b2a1"));
    // The size that GoGui's board has is a size of the game.
    for size in [4, 6] {
        client.ok(&format!("boardsize {size}"));
        assert_eq!(client.ok("history"), "");
    }
    assert_eq!(client.fails("boardsize 5"), "unacceptable size");
}

#[test]
fn a_refused_half_move_changes_nothing() {
    for (game, moves, bad) in [
        ("tiles", "b A1 b B2 b A1 w E1 w D2 w C1", "C3"),
        ("gobblet", "w F3 w B2 b F4 b B3 w B2 w C3", "E5"),
    ] {
        let mut client = Client::playing(game);
        client.ok("gogui-rules_game_id");
        let words: Vec<&str> = moves.split(' ').collect();
        for half in words.chunks(2) {
            let mv = format!("play {} {}", half[0], half[1]);
            client.ok(&mv);
            let before = position(&mut client);
            // GoGui sends every move to its ruler twice.
            assert_eq!(client.fails(&mv), "illegal move", "{game}");
            for side in ["b", "w"] {
                let answer = client.ask(&format!("play {side} {bad}"));
                if answer.starts_with('=') {
                    client.ok("undo");
                } else {
                    assert_eq!(answer, "? illegal move");
                }
                assert!(client.ask(&format!("play {side} z9")).starts_with("? "));
                assert!(client.ask(&format!("play {side} pass")).starts_with("? "));
            }
            let sequence = format!("gogui-play_sequence {moves} {moves}");
            assert_eq!(client.fails(&sequence), "illegal move");
            assert_eq!(position(&mut client), before, "{game}: {mv}");
        }
    }
}

#[test]
fn half_moves_are_taken_back_one_by_one() {
    for (game, moves) in [
        ("tiles", "b A1 b B2 b A1 w E1 w D2 w C1 b B2 b A2"),
        ("gobblet", "w F3 w B2 b F4 b B3 w B2 w C3 b F4"),
    ] {
        let mut client = Client::playing(game);
        client.ok("gogui-rules_game_id");
        let mut before = vec![position(&mut client)];
        let words: Vec<&str> = moves.split(' ').collect();
        for half in words.chunks(2) {
            client.ok(&format!("play {} {}", half[0], half[1]));
            before.push(position(&mut client));
        }
        let last = before.pop().unwrap();
        for expected in before.iter().rev() {
            client.ok("undo");
            assert_eq!(position(&mut client), *expected, "{game}");
        }
        assert_eq!(client.fails("undo"), "cannot undo");
        client.ok(&format!("gogui-play_sequence {moves}"));
        assert_eq!(position(&mut client), last, "{game}");
        assert_eq!(
            client.fails(&format!("gg-undo {}", before.len() + 1)),
            "cannot undo"
        );
        client.ok(&format!("gg-undo {}", before.len() - 1));
        assert_eq!(position(&mut client), before[1], "{game}");
        client.ok("clear_board");
        assert_eq!(position(&mut client), before[0], "{game}");
    }
}

/// Plays a game against itself as GoGui makes the engine do it: the player
/// moves, and the ruler is told.
#[test]
fn the_engine_plays_its_turns_half_move_by_half_move() {
    for game in ["tiles", "gobblet"] {
        let mut player = Client::playing(game);
        let mut ruler = Client::playing(game);
        player.ok("gogui-rules_game_id");
        player.ok("set_option nodes 200");
        let size = ruler.ok("gogui-rules_board_size");
        player.ok(&format!("boardsize {size}"));
        player.ok("clear_board");
        ruler.ok("clear_board");
        for _ in 0..60 {
            if ruler.ok("gogui-rules_legal_moves").is_empty() {
                break;
            }
            let side = ruler.ok("gogui-rules_side_to_move");
            let point = player.ok(&format!("genmove {side}"));
            let legal = ruler.ok("gogui-rules_legal_moves");
            assert!(legal.split(' ').any(|name| name == point), "{point}");
            ruler.ok(&format!("play {side} {point}"));
            assert_eq!(ruler.fails(&format!("play {side} {point}")), "illegal move");
            assert_eq!(position(&mut player), position(&mut ruler), "{game}");
        }
        assert!(player.ok("history").lines().count() >= 10, "{game}");
    }
}

#[test]
fn genmove_goes_on_with_a_turn_that_somebody_began() {
    let mut client = Client::playing("tiles");
    client.ok("set_option nodes 500");
    client.ok("play b E5");
    let to = client.ok("genmove b");
    assert!(["D4", "D5", "E4"].contains(&to.as_str()), "{to}");
    client.ok("genmove b");
    assert!(client.ok("history").starts_with("black e5"));
    // Another turn than the planned one.
    let from = client.ok("genmove w");
    client.ok("undo");
    let other = if from == "A5" { "E1" } else { "A5" };
    client.ok(&format!("play w {other}"));
    client.ok("genmove w");
    client.ok("genmove w");
    let turn = client.ok("history").lines().last().unwrap().to_string();
    assert!(turn.starts_with(&format!("white {}", other.to_lowercase())));
    assert_eq!(client.fails("genmove w"), "illegal move");
}

#[test]
fn without_half_moves_the_protocol_is_the_plain_one() {
    for (game, side, turn) in [("tiles", "b", "a1b2:a1"), ("gobblet", "w", "4@b2")] {
        let mut client = Client::playing(game);
        client.ok("set_option depth 1");
        let mv = client.ok(&format!("genmove {side}"));
        assert!(mv.len() > 2, "{mv}");
        client.ok("undo");
        assert_eq!(client.fails("undo"), "cannot undo");
        // Where no half-move is legal, a point is what it always was.
        assert!(
            client
                .fails(&format!("play {side} d3"))
                .starts_with("syntax error")
        );
        client.ok("gogui-rules_legal_moves");
        // A whole turn is understood as well, and answered in kind.
        client.ok(&format!("play {side} {turn}"));
        let other = if side == "b" { "w" } else { "b" };
        assert!(client.ok(&format!("genmove {other}")).len() > 2);
        client.ok("undo");
        client.ok("undo");
        assert_eq!(client.fails("undo"), "cannot undo");
    }
}

#[test]
fn the_graphics_show_sizes_stacks_tiles_and_the_turn_that_has_begun() {
    let mut client = Client::playing("gobblet");
    client.ok("set_position .,.,.,./.,.,.,./.,.,.,./.,b3w4,.,b4 443 442 w");
    let drawn = client.ok("gogui-rules_board_gfx");
    assert!(
        drawn.ends_with("\nLABEL F6 4 F5 4 F4 2 F3 3 F2 4 B1 4/b3 D1 4 F1 4\nTEXT White to move"),
        "{drawn}"
    );
    client.ok("play w B1");
    let drawn = client.ok("gogui-rules_board_gfx");
    assert!(drawn.contains("\nSQUARE B1\nCIRCLE A1 A2 "), "{drawn}");
    assert!(drawn.ends_with("\nTEXT White moves: where to?"), "{drawn}");
    let mut client = Client::playing("tiles");
    client.ok("set_position o---x/--+--/-+.--/-----/x---o x");
    client.ok("play b A1");
    client.ok("play b B2");
    let drawn = client.ok("gogui-rules_board_gfx");
    assert!(
        drawn.contains("\nCOLOR #603000 C4 B3\nCOLOR #404850 C3\n"),
        "{drawn}"
    );
    assert!(
        drawn.contains("\nSQUARE B2\nCIRCLE A1 A2 A3 B1 "),
        "{drawn}"
    );
    assert!(drawn.ends_with("which light tile turns dark?"), "{drawn}");
    client.ok("play b C2");
    client.ok("set_position o---x/--+--/-X.--/-----/----o x");
    assert_eq!(
        client.ok("gogui-rules_board").lines().nth(2),
        Some(". X ? . .")
    );
    client.ok("gogui-play_sequence b B3 b C4");
    let drawn = client.ok("gogui-rules_board_gfx");
    assert!(drawn.ends_with("which dark tile goes?"), "{drawn}");
}

#[test]
fn analysis_is_drawn_on_the_points_that_can_come_next() {
    for (game, side, first) in [("tiles", "b", "A1"), ("gobblet", "w", "F3")] {
        let mut client = Client::playing(game);
        client.ok("set_option depth 1");
        for touched in [false, true] {
            if touched {
                client.ok(&format!("play {side} {first}"));
            }
            let legal = client.ok("gogui-rules_legal_moves");
            let labels = client.ok("quadrille-gfx_moves");
            let labels = labels.lines().next().unwrap();
            let mut words = labels.split(' ');
            assert_eq!(words.next(), Some("LABEL"));
            let points: Vec<&str> = words.step_by(2).collect();
            assert!(!points.is_empty());
            assert!(points.iter().all(|point| legal.contains(point)), "{labels}");
            assert!(
                client
                    .ok("quadrille-gfx_colours")
                    .starts_with("COLOR #00d000 ")
            );
            assert!(client.ok("quadrille-gfx_pv").starts_with("SQUARE "));
        }
    }
}
