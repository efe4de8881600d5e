//! What the README shows of the command line, tried in a shell. Its sessions
//! are tried with those of the manual.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use crate::protocol::manual::lines_match;

/// The fenced blocks marked `console`: commands after `$ `, then what they
/// print, where `…` stands for anything.
fn consoles() -> Vec<String> {
    let readme = std::fs::read_to_string("README.md").unwrap();
    readme
        .split("```console\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap().to_string())
        .collect()
}

/// The files it shows, by name: fenced blocks marked `toml NAME`.
fn files() -> Vec<(String, String)> {
    let readme = std::fs::read_to_string("README.md").unwrap();
    readme
        .split("```toml ")
        .skip(1)
        .map(|rest| {
            let (name, rest) = rest.split_once('\n').unwrap();
            let text = rest.split("```").next().unwrap();
            (name.to_string(), text.to_string())
        })
        .collect()
}

/// What a command prints, on either channel, in that directory and with our
/// program in the path.
fn shell(command: &str, dir: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_quadrille"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &format!("({command}) 2>&1")])
        .current_dir(dir)
        .env("PATH", path)
        .env_remove("RUST_LOG")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_commands_of_the_readme_print_what_it_shows() {
    let consoles = consoles();
    assert!(!consoles.is_empty());
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    for (file, text) in files() {
        std::fs::write(dir.join(file), text).unwrap();
    }
    for console in consoles {
        let calls: Vec<&str> = console.split("$ ").skip(1).collect();
        assert!(!calls.is_empty());
        for call in calls {
            let (command, expected) = call.split_once('\n').unwrap();
            let printed = shell(command, &dir);
            let expected: Vec<&str> = expected.lines().collect();
            let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
            assert!(lines_match(&expected, &lines), "{command}\n{printed}");
        }
    }
}
