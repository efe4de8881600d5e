use super::*;
use crate::game::{Game, Symmetry};
use crate::search::heuristics::{Heuristics, Knowledge, legal_moves};
use crate::zobrist::splitmix64;

/// Calls `check` with every position and move of random games, and what the
/// move leads to.
fn random_moves(start: Discs, mut check: impl FnMut(&Discs, Move, &Discs)) {
    let mut state = 3;
    for _ in 0..100 {
        let mut position = start;
        loop {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            let (next, value) = splitmix64(state);
            state = next;
            let mv = moves[(value % moves.len() as u64) as usize];
            let after = position.play(mv);
            check(&position, mv, &after);
            position = after;
        }
    }
}

fn starts() -> [Discs; 2] {
    [Discs::othello6(), Discs::othello8()]
}

#[test]
fn symmetric_positions_are_worth_the_same() {
    let knowledge = Knowledge::<Discs>::embedded();
    let tables = &knowledge.tables;
    let value = |position: &Discs| position.evaluate(&position.refresh(tables), tables);
    for start in starts() {
        random_moves(start, |position, _, _| {
            for symmetry in Symmetry::ALL {
                assert_eq!(value(position), value(&position.image(symmetry)));
            }
            // The same position with the colours exchanged.
            let exchanged = Discs::new(
                position.board,
                !position.side,
                position.own,
                position.opponent,
            );
            assert_eq!(value(position), value(&exchanged));
        });
    }
}

#[test]
fn advancing_gives_what_refreshing_gives() {
    for start in starts() {
        let mut passes = 0;
        random_moves(start, |before, mv, after| {
            let advanced = Indices::new(before).advance(before, mv, after);
            assert_eq!(advanced, Indices::new(after), "{mv:?}");
            passes += u32::from(mv == Move::PASS);
        });
        assert!(passes > 0);
    }
}

#[test]
fn the_value_is_the_sum_of_its_weights() {
    let knowledge = Knowledge::<Discs>::embedded();
    let tables = &knowledge.tables;
    for start in starts() {
        random_moves(start, |position, _, _| {
            let table = tables.table(position.board, position.empty().count_ones());
            let sum: i32 = position
                .weights()
                .map(|weight| i32::from(table[weight as usize]))
                .sum();
            let most = (100 * position.board.mask().count_ones()) as i32;
            assert_eq!(
                position.evaluate(&position.refresh(tables), tables),
                sum.clamp(-most, most)
            );
        });
    }
}

#[test]
fn the_file_has_a_number_for_each_class_of_weights() {
    for board in [Board::Six, Board::Eight] {
        let layout = layout(board);
        let tied = tied(layout);
        assert_eq!(tied.len(), parameters(layout));
        assert!(tied.len() <= TABLE);
        let classes = (0..).zip(&tied).filter(|&(index, &first)| index == first);
        assert_eq!(classes.count(), stored(layout));
    }
}

#[test]
fn unpacking_gives_mirror_images_the_same_weight() {
    let layout = layout(Board::Six);
    let numbers: Vec<i16> = (0..stored(layout)).map(|n| (n % 30_011) as i16).collect();
    let table = expand(&crate::weights::pack(&numbers), layout);
    let mut next = numbers.iter();
    for (index, first) in tied(layout).into_iter().enumerate() {
        if first as usize == index {
            assert_eq!(Some(&table[index]), next.next());
        } else {
            assert_eq!(table[index], table[first as usize]);
        }
    }
    assert_eq!(next.next(), None);
}
