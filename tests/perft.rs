//! The known perft counts, by command as a user would check them.

use quadrille::games;
use quadrille::search::Settings;

/// Lines `GAME DEPTH COUNT [POSITION]`, from the start if there is none.
const COUNTS: &str = include_str!("data/perft.txt");

/// The part of the list below `# NAME`, so that the parts run side by side.
fn check(part: &str) {
    let lines: Vec<&str> = COUNTS
        .lines()
        .skip_while(|line| line.strip_prefix("# ") != Some(part))
        .skip(1)
        .take_while(|line| !line.starts_with('#'))
        .filter(|line| !line.is_empty())
        .collect();
    assert!(!lines.is_empty(), "no counts for {part}");
    for line in lines {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let mut session = games::find(words[0])
            .expect(line)
            .open(&Settings::default())
            .expect(line);
        if let Some(position) = words.get(3) {
            session.set_position(position).expect(line);
        }
        let depth = words[1].parse().expect(line);
        assert_eq!(session.perft(depth).to_string(), words[2], "{line}");
    }
}

#[test]
fn othello6() {
    check("othello6");
}

#[test]
fn othello8() {
    check("othello8");
}

#[test]
fn reversi8() {
    check("reversi8");
}

#[test]
fn gobblet() {
    check("gobblet");
}

#[test]
fn tiles() {
    check("tiles");
}

#[test]
fn small_tiles() {
    check("small tiles");
}
