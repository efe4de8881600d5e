//! The `quadrille` program: reads its arguments, picks a command and ends with
//! its exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use quadrille::arena::{config, custody, merge, report, stats_command, tournament};
use quadrille::cli::{Cli, Command};
use quadrille::command::{self, Failure};
use quadrille::protocol::{gtp, nboard, terminal, ugi};
use quadrille::{bench, bookmaker, cpu, perft, solve, sys, train};

fn main() -> ExitCode {
    // Before anything else, since anything else may be the illegal
    // instruction that ends it; hence no formatting here.
    let mut able = true;
    cpu::for_each_missing_feature(&mut |feature| {
        let begin = if able { UNABLE } else { ", " };
        able = false;
        tell(begin);
        tell(feature);
    });
    if able {
        return start();
    }
    tell(REBUILD);
    ExitCode::FAILURE
}

const UNABLE: &str = "quadrille: this build needs what this processor lacks: ";
const REBUILD: &str = "; build it here with `cargo build --release`, or for any processor with \
    `RUSTFLAGS=-Ctarget-cpu=x86-64 cargo build --release`\n";

/// Writes to standard error; nobody is left to tell if that fails.
fn tell(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

#[inline(never)]
fn start() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let words = match config::expand(std::env::args_os().collect()) {
        Ok(words) => words,
        Err(what) => {
            complain(&what);
            return ExitCode::from(2);
        }
    };
    let cli = match Cli::read(words) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let code = failure.exit_code();
            if code != ExitCode::SUCCESS {
                complain(&failure.to_string());
            }
            code
        }
    }
}

fn run(cli: &Cli) -> Result<(), Failure> {
    let Some(command) = &cli.command else {
        return command::speak(cli.engine.game, &cli.engine.strength, gtp::run);
    };
    // Front ends write for themselves.
    match command {
        Command::Play(args) => {
            let play = |options| terminal::run(options, args.side, args.load.as_deref());
            return command::speak(args.game, &args.strength, play);
        }
        Command::NBoard(args) => return command::speak(args.game, &args.strength, nboard::run),
        Command::Ugi(args) => return command::speak(args.game, &args.strength, ugi::run),
        _ => {}
    }
    if answers_only(command) {
        sys::watch_output(|| std::process::exit(0));
    }
    let out = &mut io::stdout().lock();
    match command {
        Command::Play(_) | Command::NBoard(_) | Command::Ugi(_) => {}
        Command::Games(args) => command::games(args, out)?,
        Command::Perft(args) => perft::run(args, out)?,
        Command::Solve(args) => solve::run(args, out)?,
        Command::Bench(args) => bench::run(args, out)?,
        Command::Tournament(args) => tournament::run(args, out)?,
        Command::Merge(args) => merge::run(args, out)?,
        Command::Report(args) => report::run(args, out)?,
        Command::ArenaGuard => custody::guard(&mut io::stdin().lock())?,
        Command::Stats(args) => stats_command::run(args, out)?,
        Command::Book(args) => bookmaker::run(args, out)?,
        Command::Weights(args) => command::weights(args, out)?,
        Command::Train(args) => train::run(args, out)?,
    }
    out.flush()?;
    Ok(())
}

/// Whether a command is over when nobody reads its answer any more, however
/// long it would have taken: it leaves nothing else behind.
fn answers_only(command: &Command) -> bool {
    match command {
        Command::Perft(_) | Command::Bench(_) => true,
        Command::Solve(args) => args.prove.is_none(),
        _ => false,
    }
}

/// Help goes to standard output; wrong use gets one line and exit code 2.
fn refuse(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        complain(&command::usage_line(error));
        return ExitCode::from(2);
    }
    // A reader who closes the pipe has seen enough.
    let _ = error.print();
    ExitCode::SUCCESS
}

fn complain(message: &str) {
    tell(&format!("quadrille: {message}\n"));
}
