//! The page of `quadrille report`, in a browser.

use std::fs;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::json;

use super::report::told;
use super::*;
use quadrille::depict::{Cell, Tile};
use quadrille::game::Side;
use quadrille::games;
use quadrille::search::Settings;

/// The browser that `QUADRILLE_BROWSER` names, or one that is installed.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("QUADRILLE_BROWSER") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    let names = [
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
    ];
    std::env::split_paths(&path)
        .flat_map(|dir| names.map(|name| dir.join(name)))
        .find(|file| file.is_file())
}

/// A browser with one page, spoken to over its debugging pipe.
struct Page {
    process: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: Option<Value>,
    calls: u64,
    /// What it has told without being asked.
    events: Vec<Value>,
}

impl Page {
    fn open(browser: &Path, profile: &Path) -> Self {
        // It wants its pipes as descriptors 3 and 4.
        let script = "exec \"$0\" --headless --no-sandbox --disable-gpu --no-first-run \
            --disable-dev-shm-usage --user-data-dir=\"$1\" --remote-debugging-pipe \
            3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let mut process = std::process::Command::new("sh")
            .args(["-c", script])
            .args([browser, profile])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, mut output) = (
            process.stdin.take().unwrap(),
            process.stdout.take().unwrap(),
        );
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let (mut bytes, mut chunk) = (Vec::new(), vec![0; 1 << 16]);
            while let Ok(count @ 1..) = output.read(&mut chunk) {
                bytes.extend_from_slice(&chunk[..count]);
                while let Some(end) = bytes.iter().position(|&b| b == 0) {
                    let message: Vec<u8> = bytes.drain(..=end).collect();
                    let message = serde_json::from_slice(&message[..end]).unwrap();
                    if sender.send(message).is_err() {
                        return;
                    }
                }
            }
        });
        let mut page = Self {
            process,
            input,
            messages,
            session: None,
            calls: 0,
            events: Vec::new(),
        };
        let target = page.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = page.call("Target.attachToTarget", attach)["sessionId"].clone();
        page.session = Some(session);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page
    }

    fn receive(&mut self) -> Value {
        let message = self.messages.recv_timeout(Duration::from_secs(60));
        message.expect("the browser answers")
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = session.clone();
        }
        self.input
            .write_all(format!("{message}\0").as_bytes())
            .unwrap();
        loop {
            let message = self.receive();
            if message["id"] == self.calls {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn load(&mut self, file: &Path) {
        self.call(
            "Page.navigate",
            json!({"url": format!("file://{}", file.display())}),
        );
        while !self
            .events
            .iter()
            .any(|event| event["method"] == "Page.loadEventFired")
        {
            let event = self.receive();
            self.events.push(event);
        }
    }

    /// The value of an expression.
    fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true});
        let answer = self.call("Runtime.evaluate", params);
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    fn key(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key}));
        }
    }

    /// The texts of the cells of a table's body.
    fn table(&mut self, id: &str) -> Vec<Vec<String>> {
        let rows = self.value(&format!(
            "[...document.querySelectorAll('#{id} tbody tr')].map(row => [...row.cells].map(cell => cell.innerText.trim()))"
        ));
        serde_json::from_value(rows).unwrap()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

const EVIL: &str = "</script><b>&amp;\"'";

/// A small match in `DIR/GAME` of an engine with a name that means harm.
fn play(dir: &Path, game: &str) {
    let (cmd, name) = (format!("cmd={QUADRILLE}"), format!("name={EVIL}"));
    let plain = ours("plain", "nodes=30");
    let args = [
        "--game",
        game,
        "--out",
        game,
        "--maxmoves",
        "90",
        "--nodes",
        "100",
    ];
    let evil = ["--engine", &cmd, &name, "args=--hash 1", "--engine", &plain];
    played(dir, &[&args[..], &evil].concat());
}

/// Adds a pair of games that ended with a fault, whose detail means harm.
fn add_failures(dir: &Path) {
    let mut more = String::new();
    for game in &mut records(dir) {
        game["id"] = (game["id"].as_u64().unwrap() + 2).into();
        game["pair"] = 1.into();
        game["reason"] = "crash".into();
        game["winner"] = "black".into();
        game["detail"] = "<img src=x onerror=\"document.title='harm'\">".into();
        let moves = game["moves"].as_array_mut().unwrap();
        moves.truncate(3);
        moves[1]["value"] = "</script><script>document.title='harm'</script>".into();
        more += &format!("{game}\n");
    }
    let file = dir.join("games.jsonl");
    let games = fs::read_to_string(&file).unwrap();
    fs::write(file, games + &more).unwrap();
}

#[test]
fn the_page_shows_every_game_and_does_no_harm() {
    let Some(browser) = browser() else {
        // Past the capture of a test that succeeds.
        let _ = writeln!(
            io::stderr(),
            "SKIPPED: the page in a browser; install chromium, or name one in QUADRILLE_BROWSER"
        );
        return;
    };
    let dir = room("browser");
    let names = games::names();
    for game in &names {
        play(&dir, game);
    }
    add_failures(&dir.join("othello6"));
    let all = [&names[..], &["--out", "page.html"]].concat();
    told(&dir, &all);
    let summary: Value =
        serde_json::from_str(&told(&dir, &[&names[..], &["--json"]].concat())).unwrap();

    let mut page = Page::open(&browser, &dir.join("profile"));
    page.load(&dir.join("page.html"));
    standings_are_those_of_the_summary(&mut page, &summary);
    failures_are_told(&mut page, &summary);
    let films = recorded(&dir, &names);
    for (id, record) in &films {
        game_is_played_to_its_end(&mut page, *id, record);
    }
    keys_move_from_game_to_game(&mut page);
    themes_change(&mut page);
    nothing_hangs_over_on_a_phone(&mut page);
    everything_has_a_name(&mut page);
    nothing_went_wrong(&mut page);
}

fn standings_are_those_of_the_summary(page: &mut Page, summary: &Value) {
    let fixed =
        |number: &Value, digits: usize| format!("{:.digits$}", number.as_f64().unwrap() + 0.0);
    let percent = |share: &Value| format!("{:.1} %", 100.0 * share.as_f64().unwrap());
    let engines = summary["engines"].as_array().unwrap().iter().enumerate();
    let expected: Vec<Vec<String>> = engines
        .map(|(index, engine)| {
            vec![
                (index + 1).to_string(),
                engine["name"].as_str().unwrap().to_string(),
                fixed(&engine["rating"], 1),
                fixed(&engine["rating_error"], 1),
                engine["games"].to_string(),
                engine["won"].to_string(),
                engine["drawn"].to_string(),
                engine["lost"].to_string(),
                percent(&engine["score"]),
                percent(&engine["draw_ratio"]),
                fixed(&engine["nelo"], 1),
                fixed(&engine["nelo_error"], 1),
                percent(&engine["los"]),
                engine["time_losses"].to_string(),
                engine["faults"].to_string(),
                fixed(&engine["ms_per_move"], 1),
                fixed(&engine["depth"], 1),
            ]
        })
        .collect();
    assert_eq!(page.table("standings-table"), expected);
    assert!(
        expected.iter().any(|row| row[1] == EVIL),
        "the name is shown as it is"
    );
    assert_eq!(
        page.value("document.getElementById('fact-games').innerText"),
        summary["games"].to_string()
    );
    let cross = page.table("crosstable-table");
    let met = &summary["crosstable"][0][1];
    let shown = cross[0][3].replace('\n', " ");
    let points = format!("{:?} / {}", met["points"].as_f64().unwrap(), met["games"]);
    assert!(shown.starts_with(&points), "{shown}");
    let drawn = page.value("document.querySelectorAll('#ratings .bar').length");
    assert_eq!(drawn, expected.len());
}

fn failures_are_told(page: &mut Page, summary: &Value) {
    let shown = page.table("failures-table");
    assert_eq!(shown.len(), 2);
    for (row, failure) in shown.iter().zip(summary["failures"].as_array().unwrap()) {
        let names = ["engine", "opponent", "reason", "detail"];
        let expected = names.map(|name| failure[name].as_str().unwrap().to_string());
        assert_eq!(row[1..], expected);
        assert_eq!(row[0], failure["game"].to_string());
    }
}

/// The first game of each tournament, with the number it has in the report.
fn recorded(dir: &Path, names: &[&str]) -> Vec<(u64, Value)> {
    let mut first = 0;
    let mut films = Vec::new();
    for name in names {
        let games = records(&dir.join(name));
        films.push((first, games[0].clone()));
        first += games.len() as u64;
    }
    films
}

/// A square as the page's code book writes it.
fn content(cell: &Cell) -> String {
    let tile = match cell.tile {
        Tile::Plain => 'p',
        Tile::Light => 'l',
        Tile::Dark => 'd',
        Tile::Gone => 'x',
    };
    let mut text = tile.to_string();
    for piece in &cell.stack {
        let letter = if piece.side == Side::Black { "b" } else { "w" };
        text += &if piece.dark {
            letter.to_uppercase()
        } else {
            letter.to_string()
        };
        text += &piece.size.to_string();
    }
    text
}

fn game_is_played_to_its_end(page: &mut Page, id: u64, record: &Value) {
    page.value(&format!("location.hash = '#game-{id}'"));
    let wanted = json!(id.to_string());
    while page.value("document.getElementById('viewer').dataset.game") != wanted {
        std::thread::sleep(Duration::from_millis(10));
    }
    let variant = games::find(record["game"].as_str().unwrap()).unwrap();
    let mut session = variant.open(&Settings::default()).unwrap();
    let opening = record["opening"]["moves"].as_array().unwrap().iter();
    let moves = record["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mv| &mv["move"]);
    let mut plies = 0;
    for mv in opening.chain(moves) {
        board_is_drawn(page, session.as_ref());
        session
            .play(session.side_to_move(), mv.as_str().unwrap())
            .unwrap();
        page.key("ArrowRight");
        plies += 1;
        let current =
            page.value("document.querySelector('.moves tr[aria-current] button').innerText");
        assert_eq!(current, *mv);
    }
    assert_eq!(session.position(), record["position"].as_str().unwrap());
    board_is_drawn(page, session.as_ref());
    let status = page.value("document.getElementById('status').innerText");
    assert!(status.as_str().unwrap().contains("End: "), "{status}");
    // It goes no further.
    page.key("ArrowRight");
    assert_eq!(
        page.value("document.getElementById('viewer').dataset.ply"),
        plies.to_string()
    );
    page.key("Home");
    assert_eq!(
        page.value("document.getElementById('viewer').dataset.ply"),
        "0"
    );
    page.key("End");
    board_is_drawn(page, session.as_ref());
}

fn board_is_drawn(page: &mut Page, session: &dyn quadrille::session::Session) {
    let picture = session.picture();
    let expected: Vec<String> = picture.cells.iter().map(content).collect();
    let shown = page.value("[...document.querySelectorAll('.board [data-content]')].map(square => square.dataset.content)");
    assert_eq!(shown, json!(expected), "{}", session.position());
    // As many top pieces are drawn as there are stacks, in reserve too.
    let squares = picture.cells.iter().map(|cell| &cell.stack);
    let stacks = squares.chain(picture.reserves.iter().flatten());
    let count = |side: Side| {
        let tops = stacks.clone().filter_map(|stack| stack.last());
        tops.filter(|piece| piece.side == side).count()
    };
    for (side, name) in [(Side::Black, "black"), (Side::White, "white")] {
        let drawn = page.value(&format!(
            "document.querySelectorAll('.board .on-{name}').length"
        ));
        assert_eq!(drawn, count(side), "{}", session.position());
    }
}

fn keys_move_from_game_to_game(page: &mut Page) {
    let before = page.value("document.getElementById('viewer').dataset.game");
    page.key("p");
    assert_ne!(
        page.value("document.getElementById('viewer').dataset.game"),
        before
    );
    page.key("n");
    assert_eq!(
        page.value("document.getElementById('viewer').dataset.game"),
        before
    );
    // The games of an opening, out of its row.
    page.value("document.querySelector('#openings-list td button').click()");
    let listed = page.value("document.querySelectorAll('#games-list tbody tr').length");
    assert!((1..=4).contains(&listed.as_u64().unwrap()), "{listed}");
    page.value("document.querySelector('#games-list td button').click()");
    assert_eq!(
        page.value("document.querySelectorAll('#games-list tr.chosen').length"),
        1
    );
}

fn themes_change(page: &mut Page) {
    let mut colours = Vec::new();
    for _ in 0..3 {
        page.value("document.getElementById('theme').click()");
        let theme = page.value("document.getElementById('theme').innerText");
        let colour = page.value("getComputedStyle(document.body).backgroundColor");
        colours.push((theme, colour));
    }
    assert_eq!(colours[0].0, "Theme: light");
    assert_eq!(colours[1].0, "Theme: dark");
    assert_eq!(colours[2].0, "Theme: auto");
    assert_ne!(colours[0].1, colours[1].1);
    for (scheme, (_, expected)) in ["light", "dark"].iter().zip(&colours) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        page.call("Emulation.setEmulatedMedia", json!({"features": features}));
        let colour = page.value("getComputedStyle(document.body).backgroundColor");
        assert_eq!(colour, *expected, "{scheme}");
    }
}

fn nothing_hangs_over_on_a_phone(page: &mut Page) {
    let phone = json!({"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": true});
    page.call("Emulation.setDeviceMetricsOverride", phone);
    assert_eq!(page.value("document.documentElement.scrollWidth"), 360);
}

fn everything_has_a_name(page: &mut Page) {
    let nameless = page.value(
        "[...document.querySelectorAll('button, select, input, a[href], [role=img], [role=region]')]\
         .filter(node => !(node.innerText?.trim() || node.getAttribute('aria-label') || node.getAttribute('aria-labelledby')))\
         .map(node => node.outerHTML.slice(0, 80))",
    );
    assert_eq!(nameless, json!([]));
    assert_eq!(
        page.value("document.querySelectorAll('table thead th:not([scope])').length"),
        0
    );
}

fn nothing_went_wrong(page: &mut Page) {
    assert_eq!(
        page.value("document.querySelectorAll('img, iframe, link:not([rel=icon])').length"),
        0
    );
    assert_eq!(page.value("document.scripts.length"), 2);
    assert!(
        !page
            .value("document.title")
            .as_str()
            .unwrap()
            .contains("harm")
    );
    for event in &page.events {
        let method = event["method"].as_str().unwrap_or_default();
        let complains = [
            "Runtime.exceptionThrown",
            "Runtime.consoleAPICalled",
            "Log.entryAdded",
        ];
        assert!(!complains.contains(&method), "{event}");
        if method == "Network.requestWillBeSent" {
            let url = event["params"]["request"]["url"].as_str().unwrap();
            assert!(
                url.starts_with("data:") || url.contains("/page.html"),
                "{event}"
            );
        }
    }
    let requests = page.events.iter();
    let requests = requests.filter(|event| event["method"] == "Network.requestWillBeSent");
    assert!(requests.count() >= 1, "they are watched");
}
