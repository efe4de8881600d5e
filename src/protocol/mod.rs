//! What front ends speak, over one [`Session`](crate::session::Session).

pub mod drawing;
pub mod gtp;
mod stream;
