//! Commands about the clock.

use super::answer::{Answer, Failure, Reply};
use super::commands::Command;
use super::frontend::{Call, Frontend, duration, seconds, words};
use crate::protocol::clocks::Control;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "time_settings",
        "MAIN PERIOD MOVES",
        "main time, then MOVES moves a PERIOD, in seconds",
        time_settings,
    ),
    Command::new(
        "time_left",
        "COLOUR SECONDS MOVES",
        "what the referee's clock says",
        time_left,
    ),
    Command::new(
        "kgs-time_settings",
        "SYSTEM ...",
        "none, absolute, byoyomi or canadian",
        named_settings,
    ),
    Command::new(
        "kata-time_settings",
        "SYSTEM ...",
        "none, absolute, byoyomi, canadian or fischer",
        named_settings,
    ),
    Command::new(
        "kata-list_time_settings",
        "",
        "the systems kata-time_settings knows",
        |_, _| Ok("none absolute byoyomi canadian fischer".into()),
    ),
];

fn time_settings(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let what = "time_settings takes main time, period and moves, in seconds";
    let [main, period, moves] = numbers(call.rest, what)?;
    let control = match (period > 0.0, moves >= 1.0) {
        (true, false) => None,
        // No time at all is no game; who sends this means no limit.
        (false, _) if main == 0.0 => None,
        (false, _) => Some(Control::absolute(duration(main))),
        (true, true) => Some(Control::canadian(
            duration(main),
            duration(period),
            count(moves),
        )),
    };
    frontend.clocks.set(control);
    Reply::empty()
}

fn time_left(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let what = "time_left takes a colour, seconds and moves";
    let (side, rest) = call.colour()?;
    let mut words = words(rest).map(seconds);
    let (Some(Some(left)), Some(Some(moves))) = (words.next(), words.next()) else {
        return Err(Failure::syntax(what));
    };
    frontend.clocks.tell(side, duration(left), count(moves));
    Reply::empty()
}

fn named_settings(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let mut rest = words(call.rest);
    let system = rest.next().unwrap_or_default();
    let rest = rest.collect::<Vec<_>>().join(" ");
    let control = match system {
        "none" => None,
        "absolute" => {
            let [main] = numbers(&rest, "absolute takes the main time in seconds")?;
            Some(Control::absolute(duration(main)))
        }
        "fischer" => {
            let [main, increment] =
                numbers(&rest, "fischer takes main time and increment in seconds")?;
            Some(Control::fischer(duration(main), duration(increment)))
        }
        "byoyomi" => {
            let what = "byoyomi takes main time, period and number of periods";
            let [main, period, _] = numbers(&rest, what)?;
            Some(Control::byoyomi(duration(main), duration(period)))
        }
        "canadian" => {
            let what = "canadian takes main time, period and moves a period";
            let [main, period, moves] = numbers(&rest, what)?;
            let moves = count(moves).max(1);
            Some(Control::canadian(duration(main), duration(period), moves))
        }
        _ => {
            return Err(Failure::syntax(
                "the systems are none, absolute M, byoyomi M P N, canadian M P N, fischer M I",
            ));
        }
    };
    frontend.clocks.set(control);
    Reply::empty()
}

/// The first `N` words as numbers that are not negative.
fn numbers<const N: usize>(text: &str, what: &str) -> Result<[f64; N], Failure> {
    let mut words = words(text);
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = words
            .next()
            .and_then(seconds)
            .filter(|&value| value >= 0.0)
            .ok_or_else(|| Failure::syntax(what))?;
    }
    Ok(numbers)
}

/// A number of moves; what is beyond all bounds is cut to them.
fn count(moves: f64) -> u32 {
    moves.clamp(0.0, 1e6) as u32
}
