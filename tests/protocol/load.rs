//! How fast a ruler answers: GoGui sends its ruler about 70 commands for one
//! move of a person, most of them replays of the whole game.

use std::io::Write;
use std::time::{Duration, Instant};

use super::client::{Client, answers, piped, program};

/// What a GoGui game comes to.
const COMMANDS: usize = 5_000;

/// That must be done within a second. A busy machine and a build for tests
/// are both slower than what people use.
const BOUND: Duration = Duration::from_secs(3);

/// A whole game as `play` takes it, half-move by half-move where there are
/// any.
fn game(name: &str) -> Vec<String> {
    let mut client = Client::playing(name);
    client.ok("gogui-rules_game_id");
    client.ok("set_option nodes 20");
    let mut moves = Vec::new();
    while !client.ok("gogui-rules_legal_moves").is_empty() && moves.len() < 200 {
        let side = client.ok("gogui-rules_side_to_move");
        let mv = client.ok(&format!("genmove {side}"));
        moves.push(format!("{side} {mv}"));
    }
    moves
}

/// The commands of a ruler as the game goes on, from its start again when it
/// is over.
fn commands(moves: &[String], has_discs: bool) -> Vec<String> {
    let mut commands = Vec::new();
    for length in (1..=moves.len()).cycle() {
        let mut replay = vec!["clear_board".to_string()];
        replay.extend(moves[..length].iter().map(|mv| format!("play {mv}")));
        commands.extend(replay);
        // The same move again, which must be refused.
        commands.push(format!("play {}", moves[length - 1]));
        if has_discs {
            commands.push("gogui-rules_captured_count".to_string());
        }
        let asked = [
            "board",
            "board_size",
            "side_to_move",
            "legal_moves",
            "board_gfx",
        ];
        commands.extend(asked.map(|what| format!("gogui-rules_{what}")));
        if commands.len() >= COMMANDS {
            commands.truncate(COMMANDS);
            return commands;
        }
    }
    commands
}

#[test]
fn a_ruler_keeps_up_with_gogui() {
    for name in quadrille::games::names() {
        let moves = game(name);
        assert!(moves.len() >= 10, "{name}");
        let has_discs = name.starts_with("othello") || name.starts_with("reversi");
        let commands = commands(&moves, has_discs);
        let input = commands.join("\n") + "\n";
        let measure = || {
            let mut ruler = program();
            ruler.args(["--game", name]);
            let start = Instant::now();
            let output = piped(ruler, input.as_bytes());
            let time = start.elapsed();
            assert_eq!(answers(&output).len(), COMMANDS, "{name}");
            assert!(!output.contains("unknown"), "{name}");
            time
        };
        let best = (0..2).map(|_| measure()).min().unwrap();
        let _ = writeln!(std::io::stderr(), "{name}: {COMMANDS} commands in {best:?}");
        assert!(best < BOUND, "{name}: {best:?}");
    }
}
