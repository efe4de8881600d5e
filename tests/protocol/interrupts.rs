//! What comes in while the engine thinks.

use std::time::{Duration, Instant};

use super::client::{Client, LATENCY, answers, at_best, program, script};

/// A client that has been thinking for a moment.
fn thinking(command: &str) -> Client {
    let mut client = Client::playing("othello8");
    client.send(command);
    std::thread::sleep(Duration::from_millis(100));
    client
}

#[test]
fn stop_ends_a_search_and_is_answered_after_it() {
    at_best(LATENCY, || {
        let mut client = thinking("1 search infinite");
        let start = Instant::now();
        client.send("2 stop");
        let answer = client.answer();
        let time = start.elapsed();
        assert!(answer.starts_with("=1 info depth 1 "), "{answer}");
        assert!(answer.contains("\nbestmove "), "{answer}");
        assert_eq!(client.answer(), "=2 ");
        time
    });
}

#[test]
fn stop_ends_every_search_sent_before_it_and_none_after() {
    let start = Instant::now();
    let output = script(
        "1 search infinite\n2 search time 60\n3 genmove b\n4 solve\n5 stop\n6 search time 0.2\n",
    );
    let time = start.elapsed();
    let answers = answers(&output);
    assert_eq!(answers.len(), 6);
    assert_eq!(answers[3], "?4 not solved within the limit");
    assert_eq!(answers[4], "=5 ");
    assert!(answers[5].contains("bestmove"));
    assert!(time > Duration::from_millis(180), "{time:?}");
    assert!(time < Duration::from_secs(10), "{time:?}");
}

#[test]
fn stop_without_a_search_is_answered() {
    assert_eq!(script("stop\n2 stop\n"), "= \n\n=2 \n\n");
}

#[test]
fn stop_ends_solve_and_perft() {
    for (command, answer) in [
        ("solve", "? not solved within the limit"),
        ("solve all time 100", "? not solved within the limit"),
        ("perft 20", "? stopped"),
    ] {
        at_best(LATENCY * 2, || {
            let mut client = thinking(command);
            let start = Instant::now();
            client.send("stop");
            assert_eq!(client.answer(), answer);
            let time = start.elapsed();
            assert_eq!(client.answer(), "= ");
            time
        });
    }
}

#[test]
fn the_interrupt_comment_ends_a_search_without_an_answer() {
    at_best(LATENCY, || {
        let mut client = Client::playing("othello8");
        client.ok("set_option book false");
        client.ok("time_settings 3000 0 0");
        client.send("1 genmove b");
        std::thread::sleep(Duration::from_millis(50));
        let start = Instant::now();
        client.send("# interrupt");
        let answer = client.answer();
        let time = start.elapsed();
        assert!(answer.starts_with("=1 ") && answer.len() == 5, "{answer}");
        assert_eq!(client.ask("2 protocol_version"), "=2 2");
        time
    });
}

#[test]
fn quit_while_thinking_answers_both_and_ends() {
    at_best(LATENCY * 2, || {
        let mut client = thinking("1 search infinite");
        let start = Instant::now();
        client.send("2 quit");
        assert!(client.answer().contains("bestmove"));
        assert_eq!(client.answer(), "=2 ");
        assert!(client.ends_within(Duration::from_secs(1)).success());
        start.elapsed()
    });
}

#[test]
fn commands_while_thinking_wait_their_turn() {
    let mut client = thinking("1 search time 0.3");
    client.bytes(b"2 name\n\n3 nonsense\n4 side_to_move\n");
    assert!(client.answer().starts_with("=1 info"));
    assert_eq!(client.answer(), "=2 Quadrille");
    assert_eq!(client.answer(), "?3 unknown command");
    assert_eq!(client.answer(), "=4 black");
}

#[test]
fn a_script_is_answered_in_full() {
    for end in ["", "quit\n", "3 quit\n# the end\n\n"] {
        let start = Instant::now();
        let output = script(format!("1 search time 0.4\n2 search time 0.1\n{end}"));
        assert!(start.elapsed() > Duration::from_millis(450));
        assert_eq!(output.matches("bestmove").count(), 2, "{output}");
    }
}

#[test]
fn nothing_after_quit_is_answered() {
    assert_eq!(
        script("1 name\n2 quit\n3 name\n"),
        "=1 Quadrille\n\n=2 \n\n"
    );
}

#[test]
fn the_end_of_input_ends_an_idle_process_at_once() {
    let mut client = Client::start();
    client.ok("name");
    client.close_input();
    assert!(client.ends_within(Duration::from_secs(1)).success());
}

#[test]
fn the_end_of_input_in_the_middle_of_a_line() {
    let mut client = Client::start();
    client.bytes(b"search time 100");
    client.close_input();
    assert!(client.ends_within(Duration::from_secs(2)).success());
    assert_eq!(script("na"), "? unknown command\n\n");
    assert_eq!(script("1 search time 0.1\nname").matches('=').count(), 2);
}

#[test]
fn the_end_of_input_does_not_shorten_a_bounded_search() {
    let mut client = Client::start();
    let start = Instant::now();
    client.send("search time 0.4");
    client.close_input();
    assert!(client.answer().contains("bestmove"));
    assert!(start.elapsed() > Duration::from_millis(350));
    assert!(client.ends_within(Duration::from_secs(1)).success());
}

/// An output whose reader can vanish: what it is, our end, and how it goes.
#[cfg(unix)]
type Vanishing = (&'static str, std::process::Stdio, Box<dyn FnOnce()>);

#[cfg(unix)]
fn vanishing_outputs() -> Vec<Vanishing> {
    use std::os::fd::OwnedFd;

    let (pipe_reader, pipe_writer) = std::io::pipe().unwrap();
    let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    vec![
        ("pipe", pipe_writer.into(), Box::new(|| drop(pipe_reader))),
        (
            "socket",
            OwnedFd::from(theirs).into(),
            Box::new(|| drop(ours)),
        ),
    ]
}

#[cfg(unix)]
#[test]
fn a_vanished_reader_ends_everything_within_a_second() {
    for command in ["search infinite", "solve", "perft 20", "lz-analyze", "name"] {
        for (kind, output, vanish) in vanishing_outputs() {
            let mut command_line = program();
            command_line.stdout(output);
            let mut child = command_line.spawn().unwrap();
            drop(command_line);
            let mut stdin = child.stdin.take().unwrap();
            std::io::Write::write_all(&mut stdin, format!("{command}\n").as_bytes()).unwrap();
            std::thread::sleep(Duration::from_millis(100));
            assert!(
                child.try_wait().unwrap().is_none(),
                "{command}: ended early"
            );
            vanish();
            let start = Instant::now();
            let status = loop {
                if let Some(status) = child.try_wait().unwrap() {
                    break status;
                }
                let waited = start.elapsed();
                assert!(waited < Duration::from_secs(1), "{command} over a {kind}");
                std::thread::sleep(Duration::from_millis(2));
            };
            assert!(status.success(), "{command} over a {kind}: {status}");
            // The input is still open: it was the output that ended it.
            drop(stdin);
        }
    }
}

#[test]
fn a_finished_analysis_waits_for_input() {
    let mut client = Client::start();
    client.ok("set_position OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO X");
    client.send("lz-analyze 10");
    assert_eq!(client.line(), "= ");
    assert_eq!(client.line_within(Duration::from_millis(200)), None);
    client.send("name");
    assert_eq!(client.line(), "");
    assert_eq!(client.answer(), "= Quadrille");
}

#[test]
fn analysis_shows_several_moves_and_keeps_its_pace() {
    let mut client = Client::playing("othello8");
    client.send("analyze candidates 3");
    assert_eq!(client.line(), "= ");
    for rank in 1..=3 {
        let line = client.line();
        let begins = format!("info depth 1 multipv {rank} score ");
        assert!(line.starts_with(&begins), "{line}");
    }
    client.send("");
    while !client.line().is_empty() {}

    client.send("kata-analyze b 20 maxmoves 2");
    assert_eq!(client.line(), "= ");
    let first = client.line();
    assert_eq!(first.matches("info move ").count(), 2, "{first}");
    let start = Instant::now();
    client.line();
    assert!(start.elapsed() > Duration::from_millis(150));
    client.send("stop");
    while !client.line().is_empty() {}
    assert_eq!(client.answer(), "= ");
}

#[test]
fn ten_thousand_short_commands_in_a_second() {
    let commands = [
        "name",
        "play b c2",
        "undo",
        "side_to_move",
        "known_command x",
    ];
    let input: String = (0..10_000)
        .map(|number| format!("{number} {}\n", commands[number % commands.len()]))
        .collect();
    at_best(Duration::from_secs(1), || {
        let start = Instant::now();
        let output = script(&input);
        let time = start.elapsed();
        assert_eq!(answers(&output).len(), 10_000);
        time
    });
}

#[test]
fn commands_may_arrive_before_the_start_is_done() {
    let mut client = Client::run(program());
    client.bytes(b"1 name\n");
    assert_eq!(client.answer(), "=1 Quadrille");
}
