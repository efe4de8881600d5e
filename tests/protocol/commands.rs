//! Every command, succeeding and failing.

use super::client::{Client, script};

/// A command with arguments that succeed and, if it can fail, with some that
/// do not.
const CALLS: &[(&str, &str, Option<&str>)] = &[
    ("protocol_version", "", None),
    ("name", "", None),
    ("version", "", None),
    ("known_command", "play", Some("")),
    ("list_commands", "", None),
    ("help", "play", Some("nonsense")),
    ("quit", "", None),
    ("stop", "", None),
    ("cputime", "", None),
    ("boardsize", "8", Some("7")),
    ("clear_board", "", None),
    ("komi", "0", Some("")),
    ("list_games", "", None),
    ("set_game", "othello8", Some("chess")),
    ("get_game", "", None),
    (
        "set_position",
        "------/------/--OX--/--XO--/------/------ X",
        Some("x"),
    ),
    ("get_position", "", None),
    ("showboard", "", None),
    ("legal_moves", "", None),
    ("book", "", None),
    ("side_to_move", "", None),
    ("history", "", None),
    ("result", "", None),
    ("final_score", "", Some("")),
    ("play", "b c2", Some("b a1")),
    ("undo", "", Some("")),
    ("gg-undo", "1", Some("9")),
    ("genmove", "b", Some("w")),
    ("reg_genmove", "b", Some("w")),
    ("search", "depth 3", Some("depth")),
    ("last_search", "", Some("")),
    ("solve", "", Some("time x")),
    ("evaluate", "", None),
    ("perft", "3", Some("x")),
    ("analyze", "b", Some("w")),
    ("lz-analyze", "b 10", Some("interval x")),
    ("kata-analyze", "b 10", Some("w")),
    ("time_settings", "10 0 0", Some("10")),
    ("time_left", "b 10 0", Some("b")),
    ("kgs-time_settings", "none", Some("some")),
    ("kata-time_settings", "fischer 10 1", Some("fischer")),
    ("kata-list_time_settings", "", None),
    ("list_options", "", None),
    ("set_option", "threads 2", Some("threads none")),
    (
        "loadsgf",
        "tests/data/protocol/game.sgf",
        Some("nowhere.sgf"),
    ),
    ("printsgf", "", None),
    (
        "savesgf",
        concat!(env!("CARGO_TARGET_TMPDIR"), "/called.sgf"),
        Some(""),
    ),
    ("printggf", "", None),
    (
        "saveggf",
        concat!(env!("CARGO_TARGET_TMPDIR"), "/called.ggf"),
        Some(""),
    ),
    ("loadggf", "tests/data/protocol/game.ggf", Some("nowhere")),
    (
        "save",
        concat!(env!("CARGO_TARGET_TMPDIR"), "/called.txt"),
        Some(""),
    ),
    ("load", "tests/data/protocol/game.txt", Some("nowhere")),
    ("set_tag", "Black Ann", Some("Colour red")),
    ("gogui-rules_game_id", "", None),
    ("gogui-rules_board_size", "", None),
    ("gogui-rules_board", "", None),
    ("gogui-rules_legal_moves", "", None),
    ("gogui-rules_side_to_move", "", None),
    ("gogui-rules_final_result", "", None),
    ("gogui-rules_captured_count", "", None),
    ("gogui-rules_board_gfx", "", None),
    ("gogui-setup", "b c3 w c4", Some("b c3 w c3")),
    ("gogui-setup_player", "w", Some("")),
    ("gogui-play_sequence", "b c2 w d2", Some("b c2 w c2")),
    ("gogui-interrupt", "", None),
    ("gogui-title", "", None),
    ("gogui-analyze_commands", "", None),
    ("quadrille-gfx_moves", "", None),
    ("quadrille-gfx_colours", "", None),
    ("quadrille-gfx_pv", "", None),
    ("quadrille-gfx_book", "", None),
    ("quadrille-gfx_solve", "", None),
    ("quadrille-legal_points", "", None),
    ("quadrille-param", "depth 4", Some("depth x")),
];

/// What makes a command succeed that could not at the start.
fn preparation(name: &str) -> &'static str {
    match name {
        "final_score" => "set_position OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO X\n",
        "solve" | "quadrille-gfx_solve" => {
            "set_position OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOX- X\n"
        }
        "undo" | "gg-undo" => "play b c2\n",
        "last_search" => "search depth 1\n",
        "printggf" | "saveggf" => "set_game othello8\n",
        _ => "set_option depth 3\n",
    }
}

#[test]
fn the_table_names_every_command() {
    let listed = script("list_commands\n");
    let listed: Vec<&str> = listed[2..].split_whitespace().collect();
    let called: Vec<&str> = CALLS.iter().map(|&(name, ..)| name).collect();
    assert_eq!(called, listed);
}

#[test]
fn every_command_keeps_its_id_and_its_form_when_it_succeeds() {
    for &(name, arguments, _) in CALLS {
        let input = format!("{}41 {name} {arguments}\n", preparation(name));
        let output = script(&input);
        let answer = output.strip_prefix("= \n\n").unwrap_or_else(|| {
            // The preparation of one command has a body of its own.
            output.split_once("\n\n").unwrap().1
        });
        check_form(answer, "=41 ", &input);
    }
}

#[test]
fn every_command_keeps_its_id_and_its_form_when_it_fails() {
    for &(name, _, arguments) in CALLS {
        if let Some(arguments) = arguments {
            let input = format!("42 {name} {arguments}\n");
            check_form(&script(&input), "?42 ", &input);
        }
    }
}

/// One answer that begins so and has no empty line but the one at its end.
fn check_form(answer: &str, begins: &str, input: &str) {
    assert!(answer.starts_with(begins), "{input}{answer}");
    let body = answer
        .strip_suffix("\n\n")
        .expect("it ends in an empty line");
    assert!(!body.contains("\n\n"), "{input}{answer}");
    if begins.starts_with('?') {
        assert!(!body.contains('\n'), "an error is one line: {answer}");
    }
}

#[test]
fn the_games_of_the_list_can_all_be_set() {
    let mut client = Client::start();
    assert_eq!(client.ok("get_game"), "othello6");
    for game in client.ok("list_games").lines() {
        client.ok(&format!("set_game {}", game.to_uppercase()));
        assert_eq!(client.ok("get_game"), game);
        let start = client.ok("get_position");
        let moves = client.ok("legal_moves");
        let sorted: Vec<&str> = moves.split(' ').collect();
        assert!(sorted.is_sorted() && sorted.len() > 1, "{game}: {moves}");
        let side = client.ok("side_to_move");
        client.ok(&format!("play {side} {}", sorted[0].to_uppercase()));
        assert_eq!(client.ok("history"), format!("{side} {}", sorted[0]));
        assert_ne!(client.ok("get_position"), start);
        client.ok("undo");
        assert_eq!(client.ok("get_position"), start);
        assert_eq!(client.fails("undo"), "cannot undo");
        client.ok(&format!("set_position {start}"));
        assert_eq!(client.ok("result"), "unfinished");
        assert_eq!(client.fails("final_score"), "cannot score");
        assert_eq!(client.ok("perft 1"), sorted.len().to_string());
        client.ok("showboard");
    }
    client.ok("set_game Othello");
    assert_eq!(client.ok("get_game"), "othello8");
    let message = client.fails("set_game chess");
    assert!(
        message.contains("chess") && message.contains("othello6"),
        "{message}"
    );
    assert_eq!(client.ok("get_game"), "othello8");
}

#[test]
fn boardsize_chooses_between_the_sizes_of_othello_and_nothing_else() {
    let mut client = Client::start();
    client.ok("boardsize 8");
    assert_eq!(client.ok("get_game"), "othello8");
    client.ok("play b d3");
    for size in ["7", "0", "-8", "10", "99999999999999999999", "6.5", "1e9"] {
        assert_eq!(
            client.fails(&format!("boardsize {size}")),
            "unacceptable size"
        );
    }
    for size in ["", "six", "nan", "inf", "8x8"] {
        let message = client.fails(&format!("boardsize {size}"));
        assert!(message.starts_with("syntax error"), "{size}: {message}");
    }
    assert_eq!(
        client.ok("history"),
        "black d3",
        "a refusal changes nothing"
    );
    client.ok("boardsize 6");
    assert_eq!(client.ok("get_game"), "othello6");
    client.ok("set_game reversi8");
    client.ok("boardsize 8");
    assert_eq!(client.ok("get_game"), "reversi8");
    assert_eq!(client.fails("boardsize 6"), "unacceptable size");
}

#[test]
fn search_reports_every_iteration_and_does_not_play() {
    let mut client = Client::start();
    assert!(client.fails("last_search").contains("nothing"));
    let answer = client.ok("search depth 5");
    let lines: Vec<&str> = answer.lines().collect();
    assert_eq!(lines.len(), 6, "{answer}");
    for (index, line) in lines[..5].iter().enumerate() {
        assert!(line.starts_with(&format!("info depth {} score eval ", index + 1)));
    }
    let best = lines[5].strip_prefix("bestmove ").unwrap();
    let legal = client.ok("legal_moves");
    assert!(legal.split(' ').any(|mv| mv == best));
    let pv = lines[4].split_once(" pv ").unwrap().1;
    assert!(pv.starts_with(best));
    assert_eq!(client.ok("last_search"), lines[4]);
    assert_eq!(client.ok("history"), "");
}

#[test]
fn genmove_plays_and_leaves_its_report() {
    let mut client = Client::start();
    client.ok("set_option depth 4");
    client.ok("set_option book false");
    let reg = client.ok("reg_genmove black");
    assert_eq!(client.ok("history"), "");
    client.ok("clear_board");
    let played = client.ok("genmove black");
    assert_eq!(played, reg);
    assert_eq!(client.ok("history"), format!("black {played}"));
    assert!(client.ok("last_search").starts_with("info depth 4 "));
}

#[test]
fn one_thread_finds_the_same_after_clear_board() {
    let mut client = Client::start();
    let fields = |report: &str| report.split(" nps ").next().unwrap().to_string();
    client.ok("search depth 7");
    client.ok("clear_board");
    client.ok("search depth 8");
    let first = fields(&client.ok("last_search"));
    client.ok("genmove b");
    client.ok("clear_board");
    client.ok("search depth 8");
    assert_eq!(fields(&client.ok("last_search")), first);
}

#[test]
fn genmove_resigns_only_if_an_option_says_so() {
    let position = "OOOOOO/OOOOOO/OOOOOO/OOOOOO/XOOOO-/OOOOX- X";
    let mut client = Client::start();
    client.ok(&format!("set_position {position}"));
    let before = client.ok("get_position");
    client.ok("set_option resign 500");
    assert_eq!(client.ok("genmove b"), "resign");
    assert_eq!(client.ok("get_position"), before);
    client.ok("set_option resign none");
    assert_ne!(client.ok("genmove b"), "resign");
    assert_ne!(client.ok("get_position"), before);
}

#[test]
fn solve_gives_the_value_the_moves_and_a_line_to_the_end() {
    let mut client = Client::start();
    let start = "OOOOOO/OXXXX-/OXOXXX/OOXXOX/OOOOX-/-OOO-- X";
    client.ok(&format!("set_position {start}"));
    let answer = client.ok("solve all");
    let lines: Vec<&str> = answer.lines().collect();
    assert_eq!(lines.len(), 3, "{answer}");
    let score: i32 = lines[0].strip_prefix("score ").unwrap().parse().unwrap();
    let moves: Vec<&str> = lines[1].split(' ').skip(1).collect();
    let line: Vec<&str> = lines[2].split(' ').skip(1).collect();
    assert!(moves.contains(&line[0]) && moves.is_sorted());
    let one = client.ok("solve");
    assert!(moves.contains(&one.lines().nth(1).unwrap().split(' ').nth(1).unwrap()));
    for mv in line {
        let side = client.ok("side_to_move");
        client.ok(&format!("play {side} {mv}"));
    }
    let expected = match score {
        0 => "draw".to_string(),
        1.. => format!("black+{score}"),
        _ => format!("white+{}", -score),
    };
    assert_eq!(client.ok("result"), expected);
}

#[test]
fn solve_says_so_if_it_is_too_much() {
    let mut client = Client::start();
    assert_eq!(
        client.fails("solve time 0.1"),
        "not solved within the limit"
    );
    assert_eq!(client.fails("solve time 0"), "not solved within the limit");
}

#[test]
fn perft_counts_in_pieces_what_it_counts_at_once() {
    let mut client = Client::start();
    for (depth, count) in [(0, "1"), (1, "4"), (6, "7604"), (9, "2114912")] {
        assert_eq!(client.ok(&format!("perft {depth}")), count);
    }
    client.ok("play b c2");
    let history = client.ok("history");
    client.ok("perft 8");
    assert_eq!(client.ok("history"), history);
    assert!(client.fails("perft 1000").starts_with("syntax error"));
    assert!(client.fails("perft -1").starts_with("syntax error"));
}

#[test]
fn options_are_listed_with_the_values_they_were_given() {
    let mut client = Client::start();
    let settings = [
        ("threads", "2"),
        ("hash", "16"),
        ("seed", "7"),
        ("depth", "9"),
        ("nodes", "5000"),
        ("time", "0.25"),
        ("overhead", "20"),
        ("resign", "900"),
    ];
    for (name, value) in settings {
        client.ok(&format!("set_option {name} {value}"));
    }
    let listed = client.ok("list_options");
    for (name, value) in settings {
        let line = format!("{name} {value} (");
        assert!(listed.lines().any(|l| l.starts_with(&line)), "{listed}");
    }
    for bad in [
        "threads 0",
        "threads 257",
        "hash -1",
        "time -1",
        "depth 0",
        "resign 0",
    ] {
        let message = client.fails(&format!("set_option {bad}"));
        assert!(message.starts_with("syntax error"), "{bad}: {message}");
    }
    assert_eq!(client.ok("list_options"), listed);
    assert!(client.fails("set_option colour red").contains("threads"));
    client.ok("set_game reversi8");
    assert_eq!(
        client.ok("list_options"),
        listed,
        "options outlive the game"
    );
}

#[test]
fn weights_come_from_a_file_or_are_embedded() {
    let mut client = Client::start();
    let embedded = client.ok("version");
    assert!(embedded.contains(env!("CARGO_PKG_VERSION")), "{embedded}");
    for file in ["nowhere", "Cargo.toml", "/", "/dev/zero"] {
        let message = client.fails(&format!("set_option weights {file}"));
        assert!(message.starts_with("cannot load weights: "), "{message}");
    }
    assert_eq!(client.ok("version"), embedded);
    let bytes = std::fs::read("src/games/discs/discs.weights").unwrap();
    let version = bytes
        .windows(8)
        .position(|word| word == b"version ")
        .unwrap()
        + 8;
    let changed = [&bytes[..version], b"my-", &bytes[version..]].concat();
    let changed = quadrille::weights::seal(&changed);
    let file = std::env::temp_dir().join(format!("quadrille {}.weights", std::process::id()));
    std::fs::write(&file, changed).unwrap();
    client.ok(&format!("set_option weights {}", file.display()));
    std::fs::remove_file(&file).unwrap();
    let own = client.ok("version");
    assert!(own.contains("weights my-"), "{own}");
    client.ok("set_game othello8");
    assert_eq!(client.ok("version"), own, "they outlive the game");
    client.ok("set_option weights embedded");
    assert_eq!(client.ok("version"), embedded);
}
