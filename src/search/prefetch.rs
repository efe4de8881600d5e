//! Memory asked for ahead of its use.
//!
//! A table is much larger than the processor's own memory: nearly every look
//! into it has to wait, and the search has something to do meanwhile.
#![allow(unsafe_code)]

/// Brings what `place` is in nearer to the processor. Changes nothing, and
/// does nothing where there is no such instruction.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

        // SAFETY: every processor of this kind has the instruction, which
        // reads and writes nothing a program could see, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
