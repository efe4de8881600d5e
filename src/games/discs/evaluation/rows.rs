//! The kernel of the evaluation: rows of a table added up.
//!
//! A third of the time of a search far from the end is spent here, most of it
//! waiting for rows. The fewer instructions there are between two of them, the
//! more rows the processor has asked for before the first is there; so the
//! places of all are told first, many at a time, and then nothing is checked
//! any more.
#![allow(unsafe_code)]

use super::{LANES, Lanes, Row, TABLE, WIDTH};

const _: () = assert!(TABLE * size_of::<Row>() <= u32::MAX as usize);

/// The sum of the rows that the first `INSTANCES` lanes point to, each from
/// its centre; a lane that points beyond the table has its last row.
#[inline(always)]
pub(super) fn sum<const INSTANCES: usize>(
    rows: &[Row; TABLE],
    centre: &[i32; LANES],
    lanes: &Lanes,
) -> Row {
    let mut offsets = [0; LANES];
    for ((offset, centre), lane) in offsets.iter_mut().zip(centre).zip(lanes) {
        let index = (centre + i32::from(*lane)) as u32;
        *offset = index.min(TABLE as u32 - 1) * size_of::<Row>() as u32;
    }
    let mut sums = Row([0; WIDTH]);
    for offset in &offsets[..INSTANCES] {
        // SAFETY: the offset is that of an index below `TABLE`, as the line
        // above makes sure, and `rows` has `TABLE` rows.
        sums.add(unsafe { &*rows.as_ptr().byte_add(*offset as usize) });
    }
    sums
}

/// [`sum`] with every index checked.
#[cfg(test)]
pub(super) fn sum_plain<const INSTANCES: usize>(
    rows: &[Row; TABLE],
    centre: &[i32; LANES],
    lanes: &Lanes,
) -> Row {
    let mut sums = Row([0; WIDTH]);
    for (centre, lane) in centre.iter().zip(lanes).take(INSTANCES) {
        let index = (centre + i32::from(*lane)) as usize;
        sums.add(&rows[index.min(TABLE - 1)]);
    }
    sums
}
