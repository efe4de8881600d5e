//! What a command comes to.

use crate::session::PlayError;

/// A command's answer.
pub(super) type Answer = Result<Reply, Failure>;

/// A success.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reply {
    /// To be sent with this body.
    Body(String),
    /// Sent already, line by line.
    Streamed,
}

impl Reply {
    /// A success without words.
    pub(super) fn empty() -> Answer {
        Ok(Self::Body(String::new()))
    }
}

impl From<String> for Reply {
    fn from(body: String) -> Self {
        Self::Body(body)
    }
}

impl From<&str> for Reply {
    fn from(body: &str) -> Self {
        Self::Body(body.to_string())
    }
}

/// The message of a failure, one line. Clients compare the fixed ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure(pub(super) String);

impl Failure {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// `syntax error: REASON`.
    pub(super) fn syntax(reason: impl AsRef<str>) -> Self {
        Self(format!("syntax error: {}", reason.as_ref()))
    }

    pub(super) fn unknown_command() -> Self {
        Self::new("unknown command")
    }

    pub(super) fn illegal_move() -> Self {
        Self::new("illegal move")
    }
}

impl From<PlayError> for Failure {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Syntax(reason) => Self::syntax(reason),
            PlayError::Illegal => Self::illegal_move(),
        }
    }
}
