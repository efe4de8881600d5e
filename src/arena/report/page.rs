//! The page: template, styles and script in one file that needs no other.

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Value, context};
use serde::Serialize;

use super::charts::{self, LineChart, RatingChart};
use super::evidence::Evidence;
use super::film::Films;
use super::summary::Summary;
use crate::command::Failure;
use crate::games;

const TEMPLATE: &str = include_str!("report.html");
const STYLES: &str = include_str!("report.css");
const SCRIPT: &str = concat!(
    include_str!("board.js"),
    include_str!("viewer.js"),
    include_str!("lists.js")
);

/// What the template shows beside the numbers.
#[derive(Serialize)]
struct Extras {
    title: String,
    /// One sentence that says how it ended.
    verdict: String,
    titles: Vec<&'static str>,
    version: &'static str,
    ratings: RatingChart,
    test: Option<LineChart>,
    paces: Vec<LineChart>,
}

/// The whole page.
///
/// # Errors
/// If a record is no game of ours.
pub(super) fn render(evidence: &Evidence, summary: &Summary) -> Result<String, Failure> {
    let films = Films::new(evidence).map_err(Failure::Refused)?;
    let extras = Extras {
        title: title(summary),
        verdict: verdict(summary),
        titles: titles(summary),
        version: env!("CARGO_PKG_VERSION"),
        ratings: charts::ratings(summary),
        test: summary.sprt.as_ref().map(charts::test),
        paces: charts::paces(evidence, summary),
    };
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_filter("fixed", fixed);
    environment.add_filter("signed", |number: f64, digits: usize| {
        format!("{:+.digits$}", number + 0.0)
    });
    environment.add_filter("percent", |share: f64| format!("{:.1} %", 100.0 * share));
    environment.add_filter("short", short);
    let broken =
        |error: minijinja::Error| Failure::Refused(format!("the page's template: {error}"));
    let template = environment.template_from_str(TEMPLATE).map_err(broken)?;
    template
        .render(context! {
            summary => Value::from(Serde(summary)),
            extras => Value::from(Serde(&extras)),
            styles => Value::from_safe_string(STYLES.to_string()),
            script => Value::from_safe_string(SCRIPT.to_string()),
            films => Value::from_safe_string(json_in_html(&films)?),
        })
        .map_err(broken)
}

fn fixed(number: f64, digits: usize) -> String {
    // Adding zero makes -0 a plain 0.
    format!("{:.digits$}", number + 0.0)
}

/// At most `most` characters of a text.
fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
        None => text.to_string(),
    }
}

/// JSON that may stand within a script element: nothing in it can end the
/// element.
fn json_in_html(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value)?;
    // Outside of texts JSON has none of these, and within they may be written
    // so.
    Ok(text
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029"))
}

fn title(summary: &Summary) -> String {
    match &summary.engines[..] {
        [] => "No engines yet".to_string(),
        [one] => one.name.clone(),
        [one, other] => format!("{} against {}", one.name, other.name),
        many => format!("Tournament of {} engines", many.len()),
    }
}

/// One game is described, several are named.
fn titles(summary: &Summary) -> Vec<&'static str> {
    let games = summary.variants.iter().filter_map(|name| games::find(name));
    games
        .map(|variant| match summary.variants.len() {
            1 => variant.info.title,
            _ => variant.info.name,
        })
        .collect()
}

fn verdict(summary: &Summary) -> String {
    let Some(best) = summary.engines.first().filter(|_| summary.games > 0) else {
        return "No game is finished yet.".to_string();
    };
    if let Some(test) = &summary.sprt {
        let model = test.model;
        match test.accepted {
            Some("H1") => {
                return format!(
                    "H1 is accepted: nearer to {} Elo than to {} ({model}).",
                    test.elo1, test.elo0
                );
            }
            Some(_) => {
                return format!(
                    "H0 is accepted: nearer to {} Elo than to {} ({model}).",
                    test.elo0, test.elo1
                );
            }
            None => {}
        }
    }
    match &summary.engines[..] {
        [one, _] if one.elo - one.elo_error > 0.0 => format!(
            "{} is stronger by {:.0} ± {:.0} Elo.",
            one.name, one.elo, one.elo_error
        ),
        [one, _] => format!(
            "Neither is proved stronger: {:+.0} ± {:.0} Elo for {}.",
            one.elo, one.elo_error, one.name
        ),
        _ => format!(
            "{} leads, with a score of {:.1} %.",
            best.name,
            100.0 * best.score
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_json_ends_a_script_or_begins_a_comment() {
        let evil = "</script><!-- &amp; \u{2028}";
        let text = json_in_html(&evil).expect("written");
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        let back: String = serde_json::from_str(&text).expect("JSON");
        assert_eq!(back, evil);
    }

    #[test]
    fn our_own_script_and_styles_do_not_end_their_elements() {
        assert!(!SCRIPT.contains("</script") && !SCRIPT.contains("<!--"));
        assert!(!STYLES.contains("</style"));
    }
}
