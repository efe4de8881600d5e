//! The protocol, spoken with the real program over pipes.

mod client;
mod clocks;
mod commands;
mod faults;
mod games;
mod gogui;
mod half_moves;
mod interrupts;
mod levels;
mod load;
pub(crate) mod manual;
mod nboard;
mod random;
mod records;
mod regress;
mod terminal;
mod ugi;
