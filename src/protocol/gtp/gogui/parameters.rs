//! The options in the form of GoGui's parameter dialogue.

use crate::protocol::gtp::answer::{Answer, Failure, Reply};
use crate::protocol::gtp::frontend::{Call, Frontend};
use crate::protocol::gtp::line::split_word;
use crate::protocol::gtp::options::{self, SETTINGS};

/// Not an option: only GoGui draws while we think.
const LIVE: &str = "live_graphics";

/// What is offered to choose from; a value that was set otherwise is offered
/// too.
const CHOICES: [(&str, &[&str]); 7] = [
    ("threads", &["1", "2", "4", "8", "16", "32", "64"]),
    ("hash", &["16", "64", "128", "256", "512", "1024", "4096"]),
    (
        "depth",
        &["none", "1", "2", "4", "6", "8", "10", "12", "16", "20"],
    ),
    (
        "time",
        &["none", "0.1", "0.5", "1", "2", "5", "10", "30", "60"],
    ),
    ("resign", &["none", "500", "1000", "2000", "3000"]),
    ("overhead", &["0", "5", "20", "100", "500"]),
    (
        "level",
        &["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
    ),
];

pub(super) fn parameters(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let (name, value) = split_word(call.rest);
    match name {
        "" => Ok(list(frontend).into()),
        LIVE => {
            frontend.live_graphics = match value {
                "1" => true,
                "0" => false,
                _ => return Err(Failure::syntax("live_graphics is 1 or 0")),
            };
            Reply::empty()
        }
        _ => options::set(frontend, name, value),
    }
}

fn list(frontend: &Frontend) -> String {
    let mut lines: Vec<String> = SETTINGS
        .iter()
        .map(|setting| parameter(setting.name, &(setting.get)(frontend)))
        .collect();
    lines.push(parameter(LIVE, &frontend.live_graphics.to_string()));
    lines.join("\n")
}

/// A parameter with its type: on or off, one of several, or any text.
fn parameter(name: &str, value: &str) -> String {
    if let Some(digit) = match value {
        "true" => Some('1'),
        "false" => Some('0'),
        _ => None,
    } {
        return format!("[bool] {name} {digit}");
    }
    let Some((_, choices)) = CHOICES.iter().find(|(known, _)| *known == name) else {
        return format!("[string] {name} {value}");
    };
    let mut choices = choices.to_vec();
    if !choices.contains(&value) {
        let number = |text: &str| text.parse::<f64>().unwrap_or(-1.0);
        let after = choices.partition_point(|choice| number(choice) < number(value));
        choices.insert(after, value);
    }
    format!("[list/{}] {name} {value}", choices.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_its_type() {
        assert_eq!(parameter("book", "true"), "[bool] book 1");
        assert_eq!(parameter("seed", "7"), "[string] seed 7");
        assert_eq!(
            parameter("threads", "3"),
            "[list/1/2/3/4/8/16/32/64] threads 3"
        );
        assert_eq!(
            parameter("resign", "none"),
            "[list/none/500/1000/2000/3000] resign none"
        );
    }
}
