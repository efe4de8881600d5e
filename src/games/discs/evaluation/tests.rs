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
fn rows_are_added_as_if_every_index_were_checked() {
    let mut table = Table::empty();
    let mut state = 7;
    let mut random = || {
        let (next, value) = splitmix64(state);
        state = next;
        value
    };
    for row in table.rows.iter_mut() {
        row.0 = std::array::from_fn(|_| random() as i16);
    }
    for _ in 0..10_000 {
        // Lanes and centres that lead beyond the table, too, on both sides.
        let lanes: Lanes = std::array::from_fn(|_| random() as i16);
        let centre = std::array::from_fn(|_| (random() % (TABLE as u64 + 60_000)) as i32 - 30_000);
        assert_eq!(
            rows::sum::<46>(&table.rows, &centre, &lanes),
            rows::sum_plain::<46>(&table.rows, &centre, &lanes)
        );
    }
}

#[test]
fn the_value_is_what_its_rows_make_it() {
    let knowledge = Knowledge::<Discs>::embedded();
    let tables = &knowledge.tables;
    for start in starts() {
        random_moves(start, |position, _, _| {
            let empties = position.empty().count_ones();
            let table = tables.table(position.board, empties);
            let mut sums = [0_i64; WIDTH];
            for index in position.weights() {
                for (sum, number) in sums.iter_mut().zip(table.rows[index as usize].0) {
                    *sum += i64::from(number);
                }
            }
            let step = step(phase(position.board, empties), empties);
            let (units, sum) = (&sums[..UNITS], sums[UNITS]);
            let hidden = units.iter().zip(table.outputs[step].0);
            let hidden: i64 = hidden
                .map(|(&seen, weight)| {
                    let clipped = seen.clamp(0, UNIT_SCALE.into());
                    clipped * clipped / i64::from(UNIT_SCALE) * i64::from(weight)
                })
                .sum();
            let value = hidden / i64::from(UNIT_SCALE) + sum * 100 / i64::from(SUM_SCALE);
            let most = i64::from(100 * position.board.mask().count_ones());
            assert_eq!(
                i64::from(position.evaluate(&position.refresh(tables), tables)),
                value.clamp(-most, most)
            );
        });
    }
}

#[test]
fn no_sum_of_rows_leaves_its_numbers() {
    let tables = Knowledge::<Discs>::embedded();
    for (board, instances) in [(Board::Six, 38), (Board::Eight, 46)] {
        let rows = instances + COUNTS.len() as i32;
        for empties in (1..=60).step_by(PHASE_LENGTH as usize) {
            let table = tables.tables.table(board, empties);
            for lane in 0..WIDTH {
                let numbers = table.rows.iter().map(|row| i32::from(row.0[lane]).abs());
                let most = numbers.max().unwrap_or(0);
                assert!(rows * most <= i16::MAX.into(), "{board:?} {empties} {lane}");
            }
        }
    }
}

#[test]
fn the_file_has_a_row_for_each_class_of_patterns() {
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
fn unpacking_gives_mirror_images_the_same_row() {
    let layout = layout(Board::Six);
    let rows = stored(layout);
    let numbers: Vec<i16> = (0..rows * WIDTH).map(|n| (n % 30_011) as i16).collect();
    let phase = Phase {
        packed: Cow::Owned(crate::weights::pack(&numbers)),
        outputs: (0..128).collect(),
        table: OnceLock::new(),
    };
    let table = Table::new(&phase, layout);
    let mut next = 0;
    for (index, first) in tied(layout).into_iter().enumerate() {
        if first as usize == index {
            let row = std::array::from_fn(|lane| numbers[lane * rows + next]);
            assert_eq!(table.rows[index], Row(row));
            next += 1;
        } else {
            assert_eq!(table.rows[index], table.rows[first as usize]);
        }
    }
    assert_eq!(next, rows);
    assert_eq!(table.outputs[7].0[15], 127);
}
