//! Zobrist keys, made while compiling.
//!
//! CITE: A. L. Zobrist, A New Hashing Method with Application for Game
//! Playing, University of Wisconsin technical report 88, 1970.

/// One step of SplitMix64: the next state and the value it gives.
///
/// CITE: G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number
/// Generators, OOPSLA 2014.
pub const fn splitmix64(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

/// `N` keys that depend on `seed` alone.
///
/// ```
/// const KEYS: [u64; 64] = quadrille::zobrist::keys(1);
/// assert_ne!(KEYS[0], KEYS[63]);
/// ```
pub const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut state = seed;
    let mut i = 0;
    while i < N {
        (state, keys[i]) = splitmix64(state);
        i += 1;
    }
    keys
}
