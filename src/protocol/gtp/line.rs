//! The parts of a command line.

pub(super) use crate::protocol::stream::split_word;

/// A command line in its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Parts<'a> {
    /// The digits of the id, or nothing.
    pub(super) id: &'a str,
    /// The name of the command.
    pub(super) name: &'a str,
    /// What follows it, without blanks at the ends.
    pub(super) rest: &'a str,
}

/// The parts of a line; none if it is blank or only an id.
pub(super) fn split(text: &str) -> Option<Parts<'_>> {
    let (first, after) = split_word(text);
    let is_id = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    let (id, (name, rest)) = if is_id {
        (first, split_word(after))
    } else {
        ("", (first, after))
    };
    (!name.is_empty()).then_some(Parts { id, name, rest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_an_id_a_name_and_the_rest() {
        let parts = |text| split(text).map(|parts| (parts.id, parts.name, parts.rest));
        assert_eq!(parts("name"), Some(("", "name", "")));
        assert_eq!(parts("007 play b f5 "), Some(("007", "play", "b f5")));
        assert_eq!(parts("  set_game  x  y "), Some(("", "set_game", "x  y")));
        assert_eq!(parts("12"), None);
        assert_eq!(parts("   "), None);
        assert_eq!(parts("1 2 name"), Some(("1", "2", "name")));
        assert_eq!(parts("-1 name"), Some(("", "-1", "name")));
        assert_eq!(parts("12x"), Some(("", "12x", "")));
    }
}
