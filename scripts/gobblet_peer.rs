//! A plain gobblet player to measure ourselves against: alpha-beta to a fixed
//! depth with a quick evaluation, as the public programs of the game are made.
//! It shares no code with the engine and is no part of it.
//!
//! `rustc -O scripts/gobblet_peer.rs` builds it, `gobblet_peer DEPTH` runs it;
//! it speaks as much of the protocol as a tournament asks for.

use std::io::{self, BufRead, Write};

/// Bits 0 to 2 are the size, from 1; bit 3 is set for Black.
type Piece = u16;

/// The pieces of a square, the visible one in the lowest four bits.
type Stack = u16;

const LINES: [[usize; 4]; 10] = [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [8, 9, 10, 11],
    [12, 13, 14, 15],
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [0, 5, 10, 15],
    [3, 6, 9, 12],
];

const WIN: i32 = 1_000_000;

const WHITE: usize = 0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    Place { size: u16, to: usize },
    Shift { from: usize, to: usize },
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    squares: [Stack; 16],
    /// By side, the heights of its stacks beside the board, sorted.
    beside: [[u16; 3]; 2],
    mover: usize,
}

fn size(piece: Piece) -> u16 {
    piece & 7
}

fn owner(piece: Piece) -> usize {
    usize::from(piece >> 3 & 1)
}

impl Position {
    pub fn start() -> Self {
        Self {
            squares: [0; 16],
            beside: [[4; 3]; 2],
            mover: WHITE,
        }
    }

    fn top(&self, square: usize) -> Piece {
        self.squares[square] & 15
    }

    fn count(&self, line: &[usize; 4], side: usize) -> usize {
        line.iter()
            .filter(|&&square| self.top(square) != 0 && owner(self.top(square)) == side)
            .count()
    }

    fn has_line(&self, side: usize) -> bool {
        LINES.iter().any(|line| self.count(line, side) == 4)
    }

    pub fn is_over(&self) -> bool {
        self.has_line(0) || self.has_line(1)
    }

    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        let (own, other) = (self.mover, 1 - self.mover);
        let mut exposed = [false; 16];
        for line in LINES {
            if self.count(&line, other) == 3 {
                for square in line {
                    exposed[square] |= owner(self.top(square)) == other && self.top(square) != 0;
                }
            }
        }
        for size in (1..=4).rev() {
            if self.beside[own].contains(&size) {
                let open = |&to: &usize| {
                    let top = self.top(to);
                    top == 0 || exposed[to] && self::size(top) < size
                };
                moves.extend((0..16).filter(open).map(|to| Move::Place { size, to }));
            }
        }
        for from in 0..16 {
            let piece = self.top(from);
            if piece != 0 && owner(piece) == own {
                let open = |&to: &usize| to != from && size(self.top(to)) < size(piece);
                moves.extend((0..16).filter(open).map(|to| Move::Shift { from, to }));
            }
        }
        moves
    }

    pub fn play(&self, mv: Move) -> Self {
        let mut after = self.clone();
        let own = self.mover;
        match mv {
            Move::Place { size, to } => {
                let piece = size | (own as u16) << 3;
                after.squares[to] = after.squares[to] << 4 | piece;
                let stack = after.beside[own].iter_mut().find(|height| **height == size);
                *stack.expect("a legal placement") -= 1;
                after.beside[own].sort_unstable();
            }
            Move::Shift { from, to } => {
                let piece = self.top(from);
                after.squares[from] >>= 4;
                after.squares[to] = after.squares[to] << 4 | piece;
            }
        }
        after.mover = 1 - own;
        after
    }

    /// For the side to move: lines, nesting, crossing twos.
    fn evaluate(&self) -> i32 {
        self.worth(self.mover) - self.worth(1 - self.mover)
    }

    fn worth(&self, side: usize) -> i32 {
        let other = 1 - side;
        let mut worth = 0;
        let mut twos = [0; 16];
        for line in LINES {
            let blocked = line.iter().any(|&square| {
                let top = self.top(square);
                size(top) == 4 && owner(top) == other
            });
            if blocked {
                continue;
            }
            let own = self.count(&line, side);
            worth += 10 * (own * own) as i32;
            if own == 2 {
                for square in line {
                    twos[square] += 1;
                }
            }
        }
        for (square, twos) in twos.into_iter().enumerate() {
            let top = self.top(square);
            if twos >= 2 && size(top) < 4 && (top == 0 || owner(top) == other) {
                worth += 15;
            }
            worth += nested(self.squares[square], side);
        }
        worth
    }
}

/// What a side's hidden pieces of a stack cost it: more under the opponent's
/// pieces than under its own, and more the deeper they lie.
fn nested(stack: Stack, side: usize) -> i32 {
    let mut worth = 0;
    let mut rest = stack >> 4;
    let mut depth = 1;
    while rest != 0 {
        let piece = rest & 15;
        if owner(piece) == side {
            let cost = if owner(stack & 15) == side { 2 } else { 4 };
            worth -= cost * depth * i32::from(size(piece));
        }
        rest >>= 4;
        depth += 1;
    }
    worth
}

/// Alpha-beta with killers and history.
struct Search {
    /// Positions of the game and of the line.
    line: Vec<Position>,
    killers: [[Option<Move>; 2]; 64],
    history: Vec<i32>,
    nodes: u64,
}

fn code(mv: Move) -> usize {
    match mv {
        Move::Place { size, to } => usize::from(size - 1) * 16 + to,
        Move::Shift { from, to } => 64 + from * 16 + to,
    }
}

impl Search {
    fn best_move(&mut self, depth: i32) -> Option<Move> {
        let root = self.line.last()?.clone();
        let mut moves = root.moves();
        self.sort(&root, &mut moves, 0);
        for depth in 1..=depth {
            let mut alpha = -2 * WIN;
            let mut best = 0;
            for (index, &mv) in moves.iter().enumerate() {
                let score = -self.child(&root, mv, depth, -2 * WIN, -alpha, 1);
                if score > alpha {
                    alpha = score;
                    best = index;
                }
            }
            moves[..=best].rotate_right(1);
            if alpha.abs() > WIN / 2 {
                break;
            }
        }
        moves.first().copied()
    }

    fn child(
        &mut self,
        before: &Position,
        mv: Move,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        let position = before.play(mv);
        let repeats = self.line.contains(&position);
        self.line.push(position);
        let score = if repeats {
            0
        } else {
            self.alpha_beta(depth - 1, alpha, beta, ply)
        };
        self.line.pop();
        score
    }

    fn alpha_beta(&mut self, depth: i32, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        self.nodes += 1;
        let position = self.line[self.line.len() - 1].clone();
        if position.has_line(position.mover) {
            return WIN - ply as i32;
        }
        if position.has_line(1 - position.mover) {
            return ply as i32 - WIN;
        }
        if depth == 0 {
            return position.evaluate();
        }
        let mut moves = position.moves();
        self.sort(&position, &mut moves, ply);
        let mut best = -2 * WIN;
        for mv in moves {
            let score = -self.child(&position, mv, depth, -beta, -alpha, ply + 1);
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                self.history[code(mv)] += depth * depth;
                if self.killers[ply][0] != Some(mv) {
                    self.killers[ply] = [Some(mv), self.killers[ply][0]];
                }
                break;
            }
        }
        best
    }

    fn sort(&self, position: &Position, moves: &mut [Move], ply: usize) {
        moves.sort_by_cached_key(|&mv| {
            let killer = self.killers[ply]
                .iter()
                .position(|&killer| killer == Some(mv));
            let to = match mv {
                Move::Place { to, .. } | Move::Shift { to, .. } => to,
            };
            let covered = position.top(to);
            let gobbles = covered != 0 && owner(covered) != position.mover;
            let killer = killer.map_or(2, |number| number as i32);
            (killer, -self.history[code(mv)], !gobbles)
        });
    }
}

fn square(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (column, row) = (
        bytes.first()?.checked_sub(b'a')?,
        bytes.get(1)?.checked_sub(b'1')?,
    );
    (bytes.len() == 2 && column < 4 && row < 4).then(|| usize::from(4 * row + column))
}

fn parse_move(text: &str) -> Option<Move> {
    match text.split_once('@') {
        Some((size, to)) => Some(Move::Place {
            size: size.parse().ok()?,
            to: square(to)?,
        }),
        None => Some(Move::Shift {
            from: square(text.get(..2)?)?,
            to: square(text.get(2..)?)?,
        }),
    }
}

fn name(square: usize) -> String {
    format!(
        "{}{}",
        char::from(b'a' + (square % 4) as u8),
        1 + square / 4
    )
}

fn print_move(mv: Move) -> String {
    match mv {
        Move::Place { size, to } => format!("{size}@{}", name(to)),
        Move::Shift { from, to } => name(from) + &name(to),
    }
}

/// The answer to a command, or what is wrong with it.
pub fn answer(game: &mut Vec<Position>, words: &[&str], depth: i32) -> Result<String, String> {
    let last = game[game.len() - 1].clone();
    match words {
        ["name"] => Ok(format!("peer-{depth}")),
        ["version"] => Ok("1".into()),
        ["protocol_version"] => Ok("2".into()),
        ["list_commands"] => Ok(COMMANDS.join("\n")),
        ["set_game", "gobblet"] | ["clear_board"] => {
            *game = vec![Position::start()];
            Ok(String::new())
        }
        ["set_game", ..] => Err("unknown game".into()),
        ["play", _, text] => {
            let mv = parse_move(text).filter(|mv| last.moves().contains(mv));
            game.push(last.play(mv.ok_or("illegal move")?));
            Ok(String::new())
        }
        ["genmove", _] => {
            let mut search = Search {
                line: game.clone(),
                killers: [[None; 2]; 64],
                history: vec![0; 64 + 256],
                nodes: 0,
            };
            let mv = search.best_move(depth).ok_or("the game is over")?;
            eprintln!("nodes {}", search.nodes);
            game.push(last.play(mv));
            Ok(print_move(mv))
        }
        ["quit"] => Ok(String::new()),
        _ => Err("unknown command".into()),
    }
}

const COMMANDS: [&str; 9] = [
    "name",
    "version",
    "protocol_version",
    "list_commands",
    "set_game",
    "clear_board",
    "play",
    "genmove",
    "quit",
];

#[allow(dead_code, reason = "the tests need no more than the rules")]
fn main() -> io::Result<()> {
    let depth = std::env::args().nth(1).and_then(|word| word.parse().ok());
    let depth = depth.unwrap_or(4);
    let mut game = vec![Position::start()];
    for line in io::stdin().lock().lines() {
        let line = line?.to_ascii_lowercase();
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        let id = match words[0].parse::<u64>() {
            Ok(_) => words.remove(0),
            Err(_) => "",
        };
        let mut out = io::stdout().lock();
        match answer(&mut game, &words, depth) {
            Ok(body) => write!(out, "={id} {body}\n\n")?,
            Err(what) => write!(out, "?{id} {what}\n\n")?,
        }
        out.flush()?;
        if words == ["quit"] {
            break;
        }
    }
    Ok(())
}
