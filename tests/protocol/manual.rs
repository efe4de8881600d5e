//! The examples of the manual, against the real program.
