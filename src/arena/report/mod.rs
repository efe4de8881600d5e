//! `quadrille report`: what tournaments have left in their directories, as
//! text, as JSON, or as one page for a browser.
//!
//! * [`args`] is its command line;
//! * `evidence` reads the directories, `summary` makes numbers of them;
//! * `film` makes games of them that a page can show, `charts` lines and
//!   bars, and `page` the page, from the template, the styles and the script
//!   in this folder.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::ratings::Anchor;
use crate::command::{Failure, write_json};
use args::ReportArgs;
use evidence::Evidence;
use summary::Summary;

pub mod args;
mod charts;
mod evidence;
mod film;
mod page;
mod summary;

/// Writes the report.
///
/// # Errors
/// If a directory is no tournament's, or the report cannot be written.
pub fn run(args: &ReportArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let evidence = Evidence::read(&args.dirs)?;
    let standings = evidence.standings(&args.ratings.anchors)?;
    if args.text {
        write!(out, "{}", standings.full_report(evidence.sprt.as_ref()))?;
        return Ok(());
    }
    let summary = Summary::new(&evidence, &standings);
    if args.json {
        return write_json(out, &summary);
    }
    let page = page::render(&evidence, &summary)?;
    match args.out.as_deref() {
        Some(file) if file == Path::new("-") => out.write_all(page.as_bytes())?,
        chosen => {
            let usual = || args.dirs[0].join("report.html");
            let file = chosen.map_or_else(usual, Path::to_path_buf);
            write_whole(&file, page.as_bytes())?;
            let (games, s) = (summary.games, if summary.games == 1 { "" } else { "s" });
            writeln!(out, "{}: {games} game{s}", file.display())?;
        }
    }
    Ok(())
}

/// Keeps the numbers of the tournament in a directory in its `summary.json`.
///
/// # Errors
/// If the records cannot be read or the file cannot be written.
pub(super) fn keep_summary(dir: &Path, anchors: &[Anchor]) -> Result<(), Failure> {
    let evidence = Evidence::read(&[dir.to_path_buf()])?;
    let summary = Summary::new(&evidence, &evidence.standings(anchors)?);
    let mut text = Vec::new();
    write_json(&mut text, &summary)?;
    write_whole(&dir.join("summary.json"), &text)
}

/// Writes a file that nobody ever sees half of.
fn write_whole(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut draft = file.as_os_str().to_owned();
    draft.push(".new");
    let draft = PathBuf::from(draft);
    let written = fs::write(&draft, bytes).and_then(|()| fs::rename(&draft, file));
    written.map_err(|error| Failure::Refused(format!("{}: {error}", file.display())))
}
