//! The solver against the rules alone, and against the FFO test.

use super::*;
use crate::game::Game;
use crate::games::discs::Discs;
use crate::zobrist::splitmix64;

/// The value by the rules alone.
fn plain(own: Bits, opponent: Bits, board: Board, mut alpha: i32, beta: i32) -> i32 {
    let moves = kernels::moves_plain(own, opponent) & board.mask();
    if moves == 0 {
        if kernels::moves_plain(opponent, own) & board.mask() != 0 {
            return -plain(opponent, own, board, -beta, -alpha);
        }
        let (own, opponent) = (own.count_ones() as i32, opponent.count_ones() as i32);
        let empty = (board.size() * board.size()) as i32 - own - opponent;
        return own - opponent + (own - opponent).signum() * empty;
    }
    let mut best = NONE;
    for square in squares(moves) {
        let flipped = kernels::flips_plain(square, own, opponent);
        let child = opponent & !flipped;
        best = best.max(-plain(
            child,
            own | flipped | 1 << square,
            board,
            -beta,
            -alpha,
        ));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        let (state, value) = splitmix64(self.0);
        self.0 = state;
        value
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// Discs with `count` empty squares, strewn at random: wipe-outs and
    /// passes are frequent.
    fn strewn(&mut self, board: Board, count: u32) -> (Bits, Bits) {
        let mut taken = board.mask();
        while (board.mask() & !taken).count_ones() < count {
            taken &= !(1 << self.below(64));
        }
        let mut own = self.next();
        match self.below(4) {
            0 => own &= self.next() & self.next(),
            1 => own |= self.next() | self.next(),
            _ => {}
        }
        (taken & own, taken & !own)
    }

    /// Discs as random play leaves them.
    fn played(&mut self, board: Board, count: u32) -> (Bits, Bits) {
        'game: loop {
            let (mut own, mut opponent) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
            while (board.mask() & !(own | opponent)).count_ones() > count {
                let mut moves = kernels::moves(own, opponent) & board.mask();
                if moves == 0 {
                    (own, opponent) = (opponent, own);
                    moves = kernels::moves(own, opponent) & board.mask();
                    if moves == 0 {
                        continue 'game;
                    }
                }
                let chosen = self.below(u64::from(moves.count_ones())) as usize;
                let square = squares(moves).nth(chosen).unwrap_or_default();
                let flipped = kernels::flips(square, own, opponent);
                (own, opponent) = (opponent & !flipped, own | flipped | 1 << square);
            }
            return (own, opponent);
        }
    }
}

/// The value, from an empty memory, and the positions entered.
fn solve(board: Board, own: Bits, opponent: Bits, alpha: i32, beta: i32) -> (i32, u64) {
    let mut memory = Memory::default();
    let mut nodes = 0;
    let mut watch = |entered| {
        nodes += entered;
        false
    };
    let value = Solver::new(board, &mut memory, &mut watch).solve(own, opponent, alpha, beta);
    (value, nodes)
}

/// Checks the bounds that a fail-soft search owes for this window, with what
/// the windows before have left in `memory`.
fn check(memory: &mut Memory, board: Board, discs: (Bits, Bits), value: i32, window: (i32, i32)) {
    let (own, opponent) = discs;
    let (alpha, beta) = window;
    let mut nodes = 0;
    let mut watch = |entered| {
        nodes += entered;
        false
    };
    let mut solver = Solver::new(board, memory, &mut watch);
    let found = solver.solve(own, opponent, alpha, beta);
    let right = if found <= alpha {
        value <= found
    } else if found >= beta {
        value >= found
    } else {
        value == found
    };
    assert!(
        right,
        "{own:016x} {opponent:016x} {board:?} ({alpha}, {beta}): {found}, not {value}"
    );
    assert!(nodes > 0);
}

/// Every null window, from an empty memory or one that fills, and some wider
/// ones.
fn check_windows(random: &mut Random, board: Board, discs: (Bits, Bits)) {
    let size = (board.size() * board.size()) as i32;
    let value = plain(discs.0, discs.1, board, -size, size);
    let mut memory = Memory::default();
    let upwards = random.below(2) == 0;
    for step in 0..=2 * size + 1 {
        let alpha = if upwards {
            step - size - 1
        } else {
            size - step
        };
        check(&mut memory, board, discs, value, (alpha, alpha + 1));
    }
    for memory in [&mut memory, &mut Memory::default()] {
        for _ in 0..4 {
            let alpha = random.below(2 * size as u64) as i32 - size;
            let beta = alpha + 1 + random.below(20) as i32;
            check(memory, board, discs, value, (alpha, beta));
        }
        check(memory, board, discs, value, (-size - 1, size + 1));
    }
}

/// A position strewn or played, alternating.
fn some_discs(random: &mut Random, board: Board, count: u32, round: usize) -> (Bits, Bits) {
    if (round / 16).is_multiple_of(2) {
        random.strewn(board, count)
    } else {
        random.played(board, count)
    }
}

#[test]
fn the_solver_agrees_with_the_rules() {
    let mut random = Random(17);
    for round in 0..1_500 {
        let board = [Board::Six, Board::Eight][round % 2];
        let count = match round {
            0..1_200 => round as u32 / 2 % 9,
            1_200..1_480 => 9 + round as u32 / 2 % 2,
            _ => 11 + round as u32 / 2 % 2,
        };
        let discs = some_discs(&mut random, board, count, round);
        check_windows(&mut random, board, discs);
    }
}

/// `cargo test --release --lib ten_thousand -- --ignored`; half an hour on one
/// core, in parts that run side by side.
mod ten_thousand_positions {
    use super::*;

    fn part(part: usize) {
        let mut random = Random(1_000 + part as u64);
        for round in 0..2_500 {
            let board = [Board::Six, Board::Eight][round % 2];
            let count = 1 + round as u32 / 2 % 12;
            let discs = some_discs(&mut random, board, count, round);
            check_windows(&mut random, board, discs);
        }
    }

    #[test]
    #[ignore = "long"]
    fn first() {
        part(0);
    }

    #[test]
    #[ignore = "long"]
    fn second() {
        part(1);
    }

    #[test]
    #[ignore = "long"]
    fn third() {
        part(2);
    }

    #[test]
    #[ignore = "long"]
    fn fourth() {
        part(3);
    }
}

/// The first nineteen positions of the FFO test, 14 to 16 empty squares.
#[test]
fn ffo_positions() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/ffo/fforum-1-19.obf"
    );
    let file = std::fs::read_to_string(path).expect("the FFO positions are there");
    assert_eq!(file.lines().count(), 19);
    for line in file.lines() {
        let (position, moves) = line.split_once(';').expect("a position and its moves");
        let best = moves.split(';').next().and_then(|mv| mv.split_once(':'));
        let value = best.expect("the best move and its value").1.parse();
        let position = Discs::othello8()
            .parse_position(position)
            .expect("a position");
        let found = solve(Board::Eight, position.own, position.opponent, -64, 64).0;
        assert_eq!(Ok(found), value, "{line}");
    }
}

/// `cargo test --release endgame_speed -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
#[allow(clippy::print_stderr)]
fn endgame_speed() {
    for (board, count) in [(Board::Eight, 10), (Board::Eight, 14), (Board::Six, 10)] {
        let mut random = Random(5);
        let (mut nodes, mut most, mut time) = (0, 0, std::time::Duration::ZERO);
        let rounds = if count == 10 { 10_000 } else { 200 };
        for _ in 0..rounds {
            let (own, opponent) = random.played(board, count);
            let begin = std::time::Instant::now();
            let (_, entered) = solve(board, own, opponent, -64, 64);
            time += begin.elapsed();
            most = most.max(entered);
            nodes += entered;
        }
        let speed = nodes as f64 / time.as_secs_f64() / 1e6;
        let mean = nodes / rounds;
        eprintln!("{board:?} {count}: {speed:.1} M nodes/s, {mean} a call, {most} at most");
    }
}
