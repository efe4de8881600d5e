//! Loading game records.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::client::Client;

/// A file that goes when the test ends.
struct Record(PathBuf);

impl Record {
    fn new(name: &str, text: &str) -> Self {
        // Tests run side by side.
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("quadrille-{}-{count}-{name}", std::process::id());
        let file = std::env::temp_dir().join(name);
        std::fs::write(&file, text).unwrap();
        Self(file)
    }

    fn load(&self) -> String {
        format!("loadsgf {}", self.0.display())
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        // If it cannot be removed the system will, one day.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn history_of(name: &str, game: &str, text: &str) -> String {
    let record = Record::new(name, text);
    let mut client = Client::playing(game);
    client.ok(&record.load());
    client.ok("history")
}

#[test]
fn the_main_line_is_played_up_to_a_move() {
    let mut client = Client::start();
    let load = "loadsgf tests/data/protocol/game.sgf";
    client.ok(load);
    let whole = "black c2\nwhite d2\nblack e2\nwhite b2\nblack b3";
    assert_eq!(client.ok("history"), whole);
    client.ok(&format!("{load} 3"));
    assert_eq!(client.ok("history"), "black c2\nwhite d2");
    client.ok(&format!("{load} 1"));
    assert_eq!(client.ok("history"), "");
    client.ok(&format!("{load} 999"));
    assert_eq!(client.ok("history"), whole);
}

#[test]
fn squares_are_understood_in_both_notations_and_both_ways_up() {
    let expected = "black d3\nwhite c5";
    for (name, text) in [
        ("othello", "(;GM[2]SZ[8];B[d3];W[C5])"),
        ("sgf", "(;SZ[8];B[dc];W[ce])"),
        ("gogui", "(;FF[4]AP[GoGui:1.6.0]SZ[8];B[df];W[cd])"),
        ("guess", "(;FF[4]SZ[8];B[df];W[cd])"),
        ("go", "(;GM[1]SZ[8];B[df];W[cd])"),
    ] {
        assert_eq!(history_of(name, "othello8", text), expected, "{name}");
    }
}

#[test]
fn the_size_chooses_the_board() {
    let record = Record::new("size", "(;SZ[8];B[d3])");
    let mut client = Client::start();
    client.ok(&record.load());
    assert_eq!(client.ok("get_game"), "othello8");
    let small = Record::new("small", "(;SZ[6];B[c2])");
    client.ok(&small.load());
    assert_eq!(client.ok("get_game"), "othello6");
    let unsaid = Record::new("unsaid", "(;B[c2])");
    client.ok(&unsaid.load());
    assert_eq!(client.ok("get_game"), "othello6");
    client.ok("set_game reversi8");
    assert!(client.fails(&small.load()).starts_with("cannot load file"));
    assert_eq!(client.ok("get_game"), "reversi8");
}

#[test]
fn white_may_begin() {
    assert_eq!(
        history_of("reversi", "reversi8", "(;SZ[8]PL[W];W[d3])"),
        "white d3"
    );
    let text = "(;SZ[8]PL[W];W[c5];B[c6])";
    assert_eq!(history_of("pl", "othello8", text), "white c5\nblack c6");
}

#[test]
fn a_set_up_position_may_precede_the_moves() {
    let text = "(;SZ[6]AB[c3][d4]AW[d3]\nAW[c4]PL[W];W[b3])";
    let record = Record::new("setup", text);
    let mut client = Client::start();
    client.ok(&record.load());
    assert_eq!(client.ok("history"), "white b3");
    client.ok("undo");
    assert_eq!(
        client.ok("get_position"),
        "------/------/--XO--/--OX--/------/------ O"
    );
}

#[test]
fn who_begins_is_known_also_without_the_first_move() {
    let setup = "(;SZ[6]AB[c3][d4]AW[d3][c4]";
    let record = Record::new("begins", &format!("{setup};W[b3];B[d2])"));
    let mut client = Client::start();
    client.ok(&format!("{} 1", record.load()));
    let position = "------/------/--XO--/--OX--/------/------ O";
    assert_eq!(client.ok("get_position"), position);
    // What is said after the first move changes nothing before it.
    let text = format!("{setup}PL[W];W[b3]PL[B])");
    assert_eq!(history_of("late", "othello6", &text), "white b3");
}

#[test]
fn squares_may_be_set_up_by_rectangles() {
    let text = "(;SZ[6]AB[c3:c4][e3]AW[d4:d3];B[e4])";
    let record = Record::new("rectangles", text);
    let mut client = Client::start();
    client.ok(&format!("{} 1", record.load()));
    let position = "------/------/--XOX-/--XO--/------/------ X";
    assert_eq!(client.ok("get_position"), position);
    for (name, setup) in [
        ("off", "[c3:g4]"),
        ("twice", "[a1:b2][b2]"),
        ("half", "[c3:]"),
    ] {
        let record = Record::new(name, &format!("(;SZ[6]AB{setup})"));
        client.fails(&record.load());
    }
}

#[test]
fn a_loaded_game_has_full_clocks() {
    let mut client = Client::start();
    client.ok("time_settings 1000 0 0");
    client.ok("time_left b 0.001 0");
    client.ok("loadsgf tests/data/protocol/game.sgf 1");
    client.ok("set_option nodes 300000");
    client.ok("set_option book false");
    client.ok("reg_genmove b");
    let info = client.ok("last_search");
    let (_, nodes) = info.split_once(" nodes ").unwrap();
    let nodes: u64 = nodes.split(' ').next().unwrap().parse().unwrap();
    assert!(nodes > 100_000, "{info}");
}

#[test]
fn passes_are_understood_forced_left_out_and_trailing() {
    let start = "(;SZ[6]PL[B]AB[e6]AW[a1][b1][c1][d1][e1][f1][a2][b2][c2][d2][e2][f2]\
        [a3][b3][c3][d3][e3][f3][a4][b4][c4][d4][e4][f4][a5][b5][c5][d5][e5][f5]\
        [a6][b6][c6][d6]";
    let whole = "black pass\nwhite f6";
    for (name, moves) in [
        ("said", ";B[];W[f6])"),
        ("tt", ";B[tt];W[f6])"),
        ("left", ";W[f6])"),
    ] {
        assert_eq!(
            history_of(name, "othello6", &format!("{start}{moves}")),
            whole
        );
    }
    let trailing = format!("{start};B[pass];W[f6];B[PA];W[])");
    assert_eq!(
        history_of("trailing", "othello6", &trailing),
        format!("{whole}\nblack pass\nwhite pass")
    );
}

/// Games that gogui-twogtp 1.6 had this program play against itself, with
/// itself as the referee. It draws row 1 at the bottom.
#[test]
fn records_of_gogui_twogtp_end_as_they_say() {
    for (game, count) in [("othello6", 2), ("othello8", 2), ("reversi8", 1)] {
        for number in 1..=count {
            let file = format!("tests/data/protocol/twogtp-{game}-{number}.sgf");
            let text = std::fs::read_to_string(&file).unwrap();
            let (_, result) = text.split_once("RE[").unwrap();
            let (result, _) = result.split_once(']').unwrap();
            let mut client = Client::playing(game);
            client.ok(&format!("loadsgf {file}"));
            assert_eq!(client.ok("final_score"), result, "{file}");
        }
    }
}

#[test]
fn what_cannot_be_loaded_changes_nothing() {
    let mut client = Client::start();
    client.ok("play b c2");
    client.ok("play w d2");
    let (history, position) = (client.ok("history"), client.ok("get_position"));
    for (name, text) in [
        ("empty", ""),
        ("noise", "\u{0}\u{ff}(;"),
        ("open", "(;SZ[6];B[c2]"),
        ("illegal", "(;SZ[6];B[c2];W[a1])"),
        ("turn", "(;SZ[6];B[c2];B[d2])"),
        ("chess", "(;GM[3]SZ[8];B[c2])"),
        ("size", "(;SZ[9];B[c2])"),
        ("late", "(;SZ[6];B[c2];AB[a1])"),
        ("twice", "(;SZ[6]AB[a1]AW[a1])"),
        ("off", "(;SZ[6];B[g2])"),
        ("larger", "(;SZ[8];B[a1])"),
    ] {
        let record = Record::new(name, text);
        let message = client.fails(&record.load());
        assert!(
            message.starts_with("cannot load file: "),
            "{name}: {message}"
        );
        assert_eq!(client.ok("history"), history, "{name}");
        assert_eq!(client.ok("get_position"), position, "{name}");
        assert_eq!(client.ok("get_game"), "othello6");
    }
    for file in ["nowhere.sgf", "/", "/dev/zero", "/dev/stdin", "\u{1}"] {
        let message = client.fails(&format!("loadsgf {file}"));
        let refused = message.starts_with("cannot load file") || file == "\u{1}";
        assert!(refused, "{message}");
    }
    assert_eq!(client.ok("history"), history);
}

#[test]
fn names_may_hold_blanks_and_letters_of_all_kinds() {
    let record = Record::new("ein Spiel, größer.sgf", "(;SZ[6];B[c2];W[d2])");
    let mut client = Client::start();
    client.ok(&format!("{} 2", record.load()));
    assert_eq!(client.ok("history"), "black c2");
    client.ok(&format!("loadsgf \"{}\"", record.0.display()));
    assert_eq!(client.ok("history"), "black c2\nwhite d2");
}

/// A game of each goes out and comes in again, with what was said about it.
#[test]
fn games_are_kept_with_what_is_said_about_them() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    for (game, save, load, moves) in [
        ("othello6", "savesgf", "loadsgf", "black e4 white e3"),
        ("reversi8", "savesgf", "loadsgf", "white f5 black d6"),
        ("othello8", "savesgf", "loadsgf", "black f5 white d6"),
        ("othello8", "saveggf", "loadggf", "black f5 white d6"),
        ("reversi8", "saveggf", "loadggf", "white f5 black d6"),
        ("othello6", "save", "load", "black e4 white e3"),
        ("gobblet", "save", "load", "white 4@b2 black 4@c3"),
        ("tiles", "save", "load", "black a1b2:a1 white a5b4:a5"),
    ] {
        let file = format!("{folder}/kept {game}.{save}");
        let mut client = Client::playing(game);
        let words: Vec<&str> = moves.split(' ').collect();
        for pair in words.chunks(2) {
            client.ok(&format!("play {} {}", pair[0], pair[1]));
        }
        client.ok("set_tag black Ann ]\\[ \"the best\"");
        client.ok("set_tag Event Cup");
        client.ok("set_tag Event");
        client.ok("set_tag Date 2026-11-30");
        let (history, position) = (client.ok("history"), client.ok("get_position"));
        client.ok(&format!("{save} {file}"));
        assert_eq!(client.ok("history"), history);
        let kept = std::fs::read_to_string(&file).unwrap();
        assert!(kept.contains("Ann") && !kept.contains("Cup"), "{kept}");

        let mut client = Client::playing(game);
        client.ok(&format!("{load} {file}"));
        assert_eq!(client.ok("history"), history, "{kept}");
        assert_eq!(client.ok("get_position"), position);
        client.ok(&format!("{save} {file}"));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), kept);
        // A set-up survives too.
        client.ok(&format!("set_position {position}"));
        client.ok(&format!("{save} {file}"));
        let mut other = Client::playing(game);
        other.ok(&format!("{load} {file}"));
        assert_eq!(other.ok("get_position"), position);
        assert_eq!(other.ok("history"), "");
    }
}

#[test]
fn what_cannot_be_kept_or_loaded_is_said_and_changes_nothing() {
    let mut client = Client::playing("othello6");
    client.ok("play black e4");
    for (command, expected) in [
        ("printggf", "GGF is for boards of 8x8 here"),
        ("save", "syntax error: save takes a file"),
        ("load", "syntax error: load takes a file"),
        ("loadggf", "syntax error: loadggf takes a file"),
        (
            "savesgf /nowhere/at/all",
            "cannot save file: /nowhere/at/all: ",
        ),
        ("load Cargo.lock", "cannot load file: "),
        (
            "loadggf Cargo.lock",
            "cannot load file: a game in GGF begins",
        ),
        (
            "set_tag Colour red",
            "syntax error: set_tag takes one of Event",
        ),
    ] {
        let message = client.fails(command);
        assert!(message.starts_with(expected), "{command}: {message}");
        assert_eq!(client.ok("history"), "black e4");
    }
    let mut client = Client::playing("tiles");
    assert_eq!(client.fails("printsgf"), "unknown command");
}

/// What somebody else has said about a game is there after we have kept it.
#[test]
fn what_others_have_said_survives() {
    let text = "(;FF[4]GM[2]SZ[6]AP[Other:1]GN[The final]US[Eve]KM[0]RE[W+R]C[A good\none]\
        ;B[c2]C[1.25, 3.00 s, bold]TR[cb];W[d2]BL[7])";
    let record = Record::new("others", text);
    let mut client = Client::start();
    client.ok(&record.load());
    let kept = client.ok("printsgf");
    for expected in [
        "GN[The final]",
        "US[Eve]",
        "KM[0]",
        "RE[W+R]",
        "C[A good\none]",
        ";B[cb]C[1.25, 3.00 s, bold]TR[cb] ;W[db]BL[7]",
    ] {
        assert!(kept.contains(expected), "{expected}: {kept}");
    }
    assert!(!kept.contains("Other"), "{kept}");
    // The result was that of a game which now goes on.
    client.ok("play b e2");
    assert!(!client.ok("printsgf").contains("RE["));
    // In our own form it comes back the same, but for what only SGF can say of
    // a move.
    client.ok("undo");
    let file = format!("{}/others.txt", env!("CARGO_TARGET_TMPDIR"));
    client.ok(&format!("save {file}"));
    let mut other = Client::start();
    other.ok(&format!("load {file}"));
    let kept = kept.replace("TR[cb]", "").replace("BL[7]", "");
    assert_eq!(other.ok("printsgf"), kept);
}

/// What the engine thought of its moves is in every form of the record.
#[test]
fn what_the_engine_thought_is_kept() {
    let mut client = Client::playing("othello8");
    client.ok("set_option depth 4");
    client.ok("genmove b");
    let reply = client.ok("legal_moves");
    let reply = reply.split(' ').next().unwrap();
    client.ok(&format!("play w {reply}"));
    client.ok("undo");
    let sgf = client.ok("printsgf");
    let (_, comment) = sgf.split_once("]C[").unwrap();
    let (value, rest) = comment.split_once(", ").unwrap();
    value.parse::<f64>().unwrap();
    assert!(rest.ends_with(" s])"), "{sgf}");
    let ggf = client.ok("printggf");
    let (_, mv) = ggf.rsplit_once("B[").unwrap();
    assert_eq!(mv.split('/').nth(1), Some(value), "{ggf}");

    // Half-moves come together to one turn with its value.
    let mut client = Client::playing("tiles");
    client.ok("set_option depth 2");
    client.ok("gogui-rules_side_to_move");
    for _ in 0..3 {
        client.ok("genmove b");
    }
    let file = format!("{}/thought.txt", env!("CARGO_TARGET_TMPDIR"));
    client.ok(&format!("save {file}"));
    let kept = std::fs::read_to_string(&file).unwrap();
    let (_, comment) = kept.split_once(" {").unwrap();
    let (value, _) = comment.split_once(", ").unwrap();
    value.parse::<f64>().unwrap();
}

#[test]
fn a_record_leaves_the_game_as_it_was() {
    let mut client = Client::playing("othello6");
    client.ok("set_position XXXXXX/XXXXXX/XXXXXX/XXXXXX/XXXXXX/XOOOO- O");
    // White's pass is left out and understood; one undo takes both back.
    client.ok("play b f6");
    let kept = client.ok("printsgf");
    assert!(kept.contains(";W[] ;B[ff]"), "{kept}");
    client.ok("undo");
    assert_eq!(client.ok("history"), "");
}
