//! Commands about the engine and the protocol itself.

use super::answer::{Answer, Failure, Reply};
use super::commands::{self, Command};
use super::frontend::{Call, Frontend};

pub(super) const COMMANDS: &[Command] = &[
    Command::new("protocol_version", "", "answers 2", |_, _| Ok("2".into())),
    Command::new("name", "", "the name of the engine", |_, _| {
        Ok("Quadrille".into())
    }),
    Command::new("version", "", "program and weights", version),
    Command::new(
        "known_command",
        "NAME",
        "whether there is such a command",
        known_command,
    ),
    Command::new("list_commands", "", "every command's name", list_commands),
    Command::new("help", "[NAME]", "how a command is used", help),
    Command::new("quit", "", "ends the program", |_, _| Reply::empty()),
    Command::new("stop", "", "ends every search sent before it", |_, _| {
        Reply::empty()
    }),
    Command::new("cputime", "", "processor seconds used so far", cputime),
];

fn version(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    let weights = frontend.session.weights_identity();
    Ok(format!("{} weights {weights}", env!("CARGO_PKG_VERSION")).into())
}

fn known_command(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let name = call.first("known_command takes a command's name")?;
    let known = commands::find(name, frontend.session.variant()).is_some();
    Ok(known.to_string().into())
}

fn list_commands(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    let names: Vec<&str> = commands::list(frontend.session.variant())
        .map(|command| command.name)
        .collect();
    Ok(names.join("\n").into())
}

fn help(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let variant = frontend.session.variant();
    let usage = |command: &Command| {
        let form = format!("{} {}", command.name, command.arguments);
        format!("{}: {}", form.trim_end(), command.help)
    };
    match call.words().next() {
        Some(name) => commands::find(name, variant)
            .map(|command| usage(command).into())
            .ok_or_else(|| Failure::syntax(format!("no command `{name}`"))),
        None => {
            let lines: Vec<String> = commands::list(variant).map(usage).collect();
            Ok(lines.join("\n").into())
        }
    }
}

fn cputime(_: &mut Frontend, _: &Call<'_>) -> Answer {
    match crate::sys::cpu_time() {
        Some(time) => Ok(format!("{:.3}", time.as_secs_f64()).into()),
        None => Err(Failure::new("this system does not say")),
    }
}
