//! Faults seen in public engines, one test each.

use std::time::{Duration, Instant};

use super::client::{Client, answers, program, script};

const SOON: Duration = Duration::from_secs(1);

#[test]
fn a_command_split_across_reads() {
    let mut client = Client::start();
    for byte in b"12 protocol_version\r\n" {
        client.bytes(&[*byte]);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(client.answer(), "=12 2");
}

#[test]
fn many_commands_in_one_write() {
    let mut client = Client::start();
    client.bytes(b"1 name\n2 nonsense\n\n3 protocol_version\n4 na");
    assert_eq!(client.answer(), "=1 Quadrille");
    assert_eq!(client.answer(), "?2 unknown command");
    assert_eq!(client.answer(), "=3 2");
    client.bytes(b"me\n");
    assert_eq!(client.answer(), "=4 Quadrille");
}

#[test]
fn an_id_is_echoed_as_it_was_sent() {
    let huge = "9".repeat(1_000);
    for id in ["0", "007", "4294967296", &huge] {
        let output = script(format!("{id} name\n{id} nonsense\n{id}\n"));
        assert_eq!(
            output,
            format!("={id} Quadrille\n\n?{id} unknown command\n\n")
        );
    }
}

#[test]
fn the_sign_the_id_and_a_blank_come_even_without_a_body() {
    assert_eq!(script("clear_board\n5 clear_board\n"), "= \n\n=5 \n\n");
}

#[test]
fn lines_without_a_command_get_no_answer() {
    assert_eq!(script("\n  \n\t\n# name\n17\n18 # name\n\r\n"), "");
}

#[test]
fn controls_and_comments_are_no_part_of_a_command() {
    assert_eq!(
        script("na\x01\x7fme # nonsense\r\nplay\tb\td3#\r\n"),
        "= Quadrille\n\n? illegal move\n\n"
    );
}

#[test]
fn pass_is_read_in_either_case() {
    // Black has only a pass, then White ends the game.
    let position = "OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOX- X";
    for pass in ["pass", "PASS", "Pass"] {
        let mut client = Client::start();
        client.ok(&format!("set_position {position}"));
        assert_eq!(client.ok("legal_moves"), "pass");
        client.ok(&format!("play b {pass}"));
        client.ok("play W F6");
        assert_eq!(client.ok("final_score"), "W+36");
    }
}

#[test]
fn colours_are_read_in_either_case_and_length() {
    for black in ["b", "B", "black", "Black", "BLACK"] {
        let mut client = Client::start();
        client.ok(&format!("play {black} C2"));
        assert_eq!(client.ok("history"), "black c2");
    }
}

#[test]
fn genmove_without_a_colour() {
    let mut client = Client::start();
    assert!(client.fails("genmove").starts_with("syntax error"));
    assert!(client.fails("genmove green").starts_with("syntax error"));
    assert!(client.fails("reg_genmove").starts_with("syntax error"));
    assert_eq!(client.ok("history"), "");
}

#[test]
fn a_colour_out_of_turn() {
    let mut client = Client::start();
    assert_eq!(client.fails("play w c2"), "illegal move");
    assert_eq!(client.fails("genmove w"), "illegal move");
    assert_eq!(client.fails("reg_genmove w"), "illegal move");
    assert_eq!(client.ok("history"), "");
    assert_eq!(client.ok("side_to_move"), "black");
}

#[test]
fn a_forced_pass_may_be_left_out() {
    let mut client = Client::start();
    client.ok("set_position OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOX- X");
    client.ok("play w f6");
    assert_eq!(client.ok("history"), "black pass\nwhite f6");
    client.ok("undo");
    assert_eq!(client.ok("history"), "");
    assert_eq!(client.ok("genmove w"), "f6");
    assert_eq!(client.ok("history"), "black pass\nwhite f6");
    assert_eq!(client.fails("gg-undo 2"), "cannot undo");
    let huge = "9".repeat(30);
    assert_eq!(client.fails(&format!("gg-undo {huge}")), "cannot undo");
    client.ok("undo");
    assert_eq!(client.ok("side_to_move"), "black");
}

#[test]
fn logs_stay_off_the_output() {
    let mut command = program();
    command.env("RUST_LOG", "trace");
    let output = super::client::piped(command, b"1 search depth 3\n2 genmove b\n3 foo\n");
    for (number, answer) in answers(&output).iter().enumerate() {
        let number = number + 1;
        let body = answer
            .strip_prefix(&format!("={number} "))
            .or_else(|| answer.strip_prefix(&format!("?{number} ")));
        assert!(body.is_some(), "{answer}");
        for line in answer.lines().skip(1) {
            let known = line.starts_with("info depth ") || line.starts_with("bestmove ");
            assert!(known, "{line}");
        }
    }
    assert_eq!(answers(&output).len(), 3);
}

#[test]
fn an_unknown_command_is_answered() {
    let mut client = Client::start();
    for command in [
        "nonsense",
        "-",
        "=",
        "NAME",
        "Name",
        "name\u{fffd}",
        "é",
        "-5 name",
    ] {
        assert_eq!(client.fails(command), "unknown command", "{command}");
    }
}

#[test]
fn parts_of_names_are_no_names() {
    let mut client = Client::start();
    for command in [
        "gen",
        "genmov",
        "genmovee b",
        "lay b c2",
        "clear",
        "board",
        "undo1",
    ] {
        assert_eq!(client.fails(command), "unknown command", "{command}");
        let word = command.split(' ').next().unwrap();
        assert_eq!(client.ok(&format!("known_command {word}")), "false");
    }
}

#[test]
fn an_answer_is_flushed_while_the_pipe_is_open() {
    let mut client = Client::start();
    client.send("name");
    assert!(client.line_within(SOON * 5).is_some());
}

#[test]
fn clear_board_before_boardsize() {
    let output = script("clear_board\ngenmove b\nboardsize 6\nclear_board\nshowboard\n");
    assert!(
        answers(&output)
            .iter()
            .all(|answer| answer.starts_with('='))
    );
}

#[test]
fn missing_arguments_are_syntax_errors_and_extra_ones_ignored() {
    let mut client = Client::start();
    for command in [
        "play",
        "play B",
        "boardsize",
        "komi",
        "known_command",
        "time_settings 1 2",
        "time_left b",
        "time_left b 3",
        "set_option",
        "perft",
        "loadsgf",
        "set_position",
        "kgs-time_settings absolute",
        "gogui-setup b",
        "gogui-play_sequence b",
    ] {
        let message = client.fails(command);
        assert!(message.starts_with("syntax error"), "{command}: {message}");
    }
    client.ok("play B c2 and more");
    client.ok("name of it");
    client.ok("boardsize 6 6");
}

#[test]
fn komi_is_accepted_whatever_it_says() {
    let mut client = Client::start();
    for komi in ["0", "6.5", "-3", "7,50", "much"] {
        client.ok(&format!("komi {komi}"));
    }
}

#[test]
fn the_end_of_input_ends_an_unbounded_search() {
    let start = Instant::now();
    let output = script("search infinite\n");
    assert!(start.elapsed() < SOON * 2);
    assert!(output.contains("bestmove "), "{output}");
}

#[test]
fn the_end_of_input_ends_an_analysis() {
    for command in ["analyze", "lz-analyze b 50", "kata-analyze 20"] {
        let start = Instant::now();
        let output = script(format!("9 {command}\n"));
        assert!(start.elapsed() < SOON * 2, "{command}");
        assert!(output.starts_with("=9 \ninfo "), "{output}");
        assert_eq!(answers(&output).len(), 1);
    }
}

#[test]
fn a_closed_output_is_no_panic() {
    let mut command = program();
    let (reader, writer) = std::io::pipe().unwrap();
    command.stdout(writer);
    let mut child = command.spawn().unwrap();
    drop(command);
    drop(reader);
    let mut stdin = child.stdin.take().unwrap();
    let commands = "name\nsearch infinite\n";
    // It may be gone before it has read them.
    let _ = std::io::Write::write_all(&mut stdin, commands.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_byte_order_mark() {
    assert_eq!(script(b"\xef\xbb\xbfname\n"), "= Quadrille\n\n");
}

#[test]
fn a_megabyte_of_moves_in_one_line() {
    // Passes after the end of a game change nothing, so there may be many.
    let mut line = String::from("gogui-play_sequence");
    while line.len() < 1_000_000 {
        line.push_str(" b pass w pass");
    }
    let mut client = Client::start();
    client.ok("set_position OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO X");
    client.ok(&line);
    assert_eq!(client.ok("result"), "white+36");
    line.push_str(" b a1");
    assert_eq!(client.fails(&line), "illegal move");
}

#[test]
fn a_line_too_long_to_keep_gets_one_error() {
    let mut input = b"5 play b ".to_vec();
    input.resize(20 << 20, b'x');
    input.extend_from_slice(b"\n6 name\n");
    let output = script(input);
    let answers = answers(&output);
    assert_eq!(answers.len(), 2);
    assert!(answers[0].starts_with("?5 syntax error"), "{}", answers[0]);
    assert_eq!(answers[1], "=6 Quadrille");
}

#[test]
fn genmove_after_the_end() {
    for game in ["othello6", "reversi8", "othello8"] {
        let mut client = Client::playing(game);
        let size: usize = client.ok("gogui-rules_board_size").parse().unwrap();
        let row = "O".repeat(size);
        let rows = vec![row; size].join("/");
        client.ok(&format!("set_position {rows} X"));
        let score = format!("W+{}", size * size);
        for _ in 0..2 {
            assert_eq!(client.ok("genmove b"), "pass");
            assert_eq!(client.ok("genmove w"), "pass");
            client.ok("play b pass");
            client.ok("play w PASS");
            assert_eq!(client.ok("reg_genmove b"), "pass");
            assert_eq!(client.ok("final_score"), score);
        }
        assert_eq!(client.fails("play b a1"), "illegal move");
        assert_eq!(client.ok("gogui-rules_legal_moves"), "");
        assert_eq!(client.ok("legal_moves"), "");
    }
}

#[test]
fn a_stray_newline_ends_an_analysis_and_nothing_else() {
    let mut client = Client::start();
    client.send("lz-analyze b 1");
    assert_eq!(client.line(), "= ");
    assert!(client.line().starts_with("info move "));
    client.send("");
    loop {
        let line = client.line();
        if line.is_empty() {
            break;
        }
        assert!(line.starts_with("info move "), "{line}");
    }
    assert_eq!(client.ok("name"), "Quadrille");
}

#[test]
fn an_analysis_ended_at_once_ends_cleanly() {
    for end in ["\n", "name\n", "stop\n", "# interrupt\n"] {
        let mut client = Client::start();
        client.bytes(format!("3 lz-analyze\n{end}4 protocol_version\n").as_bytes());
        assert!(client.answer().starts_with("=3 \ninfo move "));
        if !end.starts_with(['#', '\n']) {
            client.answer();
        }
        assert_eq!(client.answer(), "=4 2");
    }
}

/// KiB of memory that a process has taken.
#[cfg(target_os = "linux")]
fn resident(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kib = line.unwrap().split_whitespace().nth(1);
    kib.unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_taken_when_a_game_begins() {
    for begin in [
        "clear_board",
        "set_game othello6",
        "play b b3",
        "set_position ------/------/--XO--/--OX--/------/------ O",
    ] {
        let mut command = program();
        command.args(["--game", "othello6", "--hash", "96"]);
        let mut client = Client::run(command);
        client.ok("name");
        assert!(
            resident(client.child.id()) < 48 << 10,
            "an engine at rest is small"
        );
        client.send(begin);
        let ready = || resident(client.child.id()) > 96 << 10;
        let begun = Instant::now();
        while !ready() && begun.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(ready(), "{begin}: {} KiB", resident(client.child.id()));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_controller_that_floods_without_reading() {
    use std::io::{Read, Write};

    let mut child = program().spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // Once it answers, it has all it needs.
    stdin.write_all(b"name\n").unwrap();
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut [0; 4])
        .unwrap();
    let before = resident(child.id());
    // Its answers fill the pipe, and then its queue fills with our commands.
    let flood = std::thread::spawn(move || {
        let chunk = "list_commands\n".repeat(4_096);
        let mut sent = 0_usize;
        while sent < 200 << 20 && stdin.write_all(chunk.as_bytes()).is_ok() {
            sent += chunk.len();
        }
    });
    let mut most = 0;
    for _ in 0..20 {
        std::thread::sleep(Duration::from_millis(50));
        most = most.max(resident(child.id()));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    flood.join().unwrap();
    let grown = most.saturating_sub(before);
    assert!(grown < 40 << 10, "{grown} KiB more");
}
