//! What front ends speak, over one [`Session`](crate::session::Session).

mod clocks;
pub mod drawing;
pub mod gtp;
pub mod nboard;
mod notes;
mod service;
mod setup;
mod stream;
pub mod terminal;
pub mod ugi;
mod words;

pub use service::Options;
