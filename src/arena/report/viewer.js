// The board on which a game is played through. It goes on where board.js ends.

// ---- the graph of the scores, all for Black, in units of the game

const scoreOf = (move) => {
  const word = /^(win|loss|draw|margin)\b\s*(-?\d+)?/.exec(move.value);
  const plain = move.value === "" ? NaN : Number(move.value);
  const score = !word ? plain : word[1] === "win" ? Infinity : word[1] === "loss" ? -Infinity : word[1] === "draw" ? 0 : Number(word[2]);
  return move.side === "b" ? score : -score;
};

const graphOf = (moves, jump) => {
  const scores = moves.map(scoreOf);
  const finite = scores.filter(Number.isFinite).map(Math.abs);
  if (scores.every(Number.isNaN)) return null;
  const most = Math.max(1, ...finite) * 1.08;
  const [width, height] = [Math.max(1, moves.length), 100];
  const y = (score) => 50 - 46 * (score === Infinity ? 1 : score === -Infinity ? -1 : score / most);
  const line = (side, name) => {
    const points = scores.flatMap((score, ply) =>
      moves[ply].side === side && !Number.isNaN(score) ? [`${ply + 1},${y(score).toFixed(1)}`] : []);
    return svg("polyline", { class: `line ${name}`, points: points.join(" ") });
  };
  const now = svg("line", { class: "now", y1: 0, y2: height, "vector-effect": "non-scaling-stroke" });
  const node = svg("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
    "aria-label": "What the engines thought, from Black’s side: solid what Black thought, dashed what White thought" },
    svg("line", { class: "zero", x1: 0, x2: width, y1: 50, y2: 50, "vector-effect": "non-scaling-stroke" }),
    line("b", "s1"), line("w", "s2"), now);
  const follow = (event) => {
    const { left, width: wide } = node.getBoundingClientRect();
    jump(Math.round(((event.clientX - left) / wide) * width));
  };
  node.addEventListener("pointerdown", follow);
  node.addEventListener("pointermove", (event) => { if (event.buttons) follow(event); });
  return { node, show: (ply) => { now.setAttribute("x1", ply); now.setAttribute("x2", ply); } };
};

// ---- the viewer

const viewer = document.getElementById("viewer");
viewer.className = "viewer";
let shown = null; // { index, ply, ... }

const resultClass = (game, side) => (game.s === 0 ? "½" : (game.s > 0) === (side === "b") ? "1" : "0");

const headOf = (game, index) => html("div", { class: "head" },
  html("h3", {}, `Game ${game.id}: ${game.r}`),
  html("p", {}, `${variants[game.v].name}, ${reasons[game.e]}${game.d ? ` (${game.d})` : ""}`),
  html("nav", { "aria-label": "Other games" },
    button("← previous", { class: "plain", disabled: index === 0 }, () => openGame(index - 1, 0)),
    button("next →", { class: "plain", disabled: index === games.length - 1 }, () => openGame(index + 1, 0))));

const seatOf = (game, side) => html("p", { class: "seat", "data-side": side },
  sample(variants[game.v], side),
  html("span", { title: engines[game[side]] }, engines[game[side]]),
  html("em", {}, `${sideName(side)} · ${resultClass(game, side)}`));

const moveRows = (game, moves) => moves.map((move, index) => {
  const jump = button(move.text, {}, () => showPly(index + 1));
  return html("tr", { class: move.isOpening ? "opening" : null },
    html("td", { class: "n faint" }, String(index + 1)),
    html("td", {}, sample(variants[game.v], move.side), jump),
    html("td", { class: "n" }, move.isOpening ? "opening" : move.value),
    html("td", { class: "n" }, move.depth),
    html("td", { class: "n" }, millis(move.ms)));
});

let timer = null;
const stop = () => { clearInterval(timer); timer = null; if (shown) shown.play.textContent = "▶"; };
const play = () => {
  if (timer) return stop();
  if (shown.ply === shown.moves.length) showPly(0);
  shown.play.textContent = "❚❚";
  timer = setInterval(() => (shown.ply < shown.moves.length ? showPly(shown.ply + 1) : stop()), 700);
};

const controlsOf = (moves) => {
  const step = (text, label, target) => button(text, { "aria-label": label }, () => { stop(); showPly(target()); });
  const slider = html("input", { type: "range", min: 0, max: moves.length, value: 0, "aria-label": "Move" });
  slider.addEventListener("input", () => { stop(); showPly(Number(slider.value)); });
  const playButton = button("▶", { "aria-label": "Play by itself" }, play);
  return { slider, play: playButton, node: html("div", { class: "controls" },
    step("|‹", "To the start", () => 0), step("‹", "Move back", () => shown.ply - 1), playButton,
    step("›", "Move on", () => shown.ply + 1), step("›|", "To the end", () => moves.length), slider) };
};

const openGame = (index, ply) => {
  stop();
  const game = games[index];
  const moves = movesOf(game);
  const rows = moveRows(game, moves);
  const head = (text, name) => html("th", { scope: "col", class: name ?? null }, text);
  const list = html("div", { class: "moves", tabindex: 0, role: "region", "aria-label": "Moves" },
    html("table", {}, html("thead", {}, html("tr", {}, head("#", "n"), head("Move"), head("Score", "n"), head("Depth", "n"), head("Time", "n"))),
      html("tbody", {}, rows)));
  const controls = controlsOf(moves);
  const graph = graphOf(moves, (to) => { stop(); showPly(to); });
  const board = html("div", { class: "board" });
  const status = html("p", { class: "status", id: "status", "aria-live": "polite" });
  shown = { index, ply: 0, game, moves, rows, list, board, status, graph, boards: boardsOf(game), ...controls };
  const seats = ["w", "b"].map((side) => seatOf(game, side));
  const topSide = variants[game.v].row_one_on_top ? 0 : 1;
  viewer.replaceChildren(headOf(game, index),
    html("div", { class: "left" }, seats[topSide], board, seats[1 - topSide], controls.node, status),
    html("div", { class: "right" }, graph ? graph.node : [], list,
      html("p", { class: "keys" }, html("kbd", {}, "←"), " ", html("kbd", {}, "→"), " moves, ", html("kbd", {}, "Home"), " ", html("kbd", {}, "End"),
        " ends, ", html("kbd", {}, "space"), " plays, ", html("kbd", {}, "p"), " ", html("kbd", {}, "n"), " games")));
  viewer.hidden = false;
  shown.seats = viewer.querySelectorAll(".seat");
  showPly(ply);
  for (const row of document.querySelectorAll("#games-list tr[data-index]")) {
    row.classList.toggle("chosen", Number(row.dataset.index) === index);
  }
};

const showPly = (wanted) => {
  const { game, moves, boards, rows } = shown;
  const ply = Math.max(0, Math.min(moves.length, wanted));
  const variant = variants[game.v];
  const move = moves[ply - 1];
  const { board, notes } = boards[ply];
  const said = move && [move.value, move.depth && `depth ${move.depth}`, millis(move.ms)].filter(Boolean).join(", ");
  const parts = [
    move ? `${ply}. ${sideName(move.side)} ${move.text}${move.isOpening ? " (opening)" : said ? ` — ${said}` : ""}` : "The start",
    ...noteOf(variant, notes),
    ...(ply === moves.length ? [`End: ${game.r}, ${reasons[game.e]}`] : []),
  ];
  shown.status.textContent = parts.join(". ");
  shown.board.replaceChildren(draw(variant, board, move ? move.points : [], `Board. ${parts.join(". ")}`));
  rows[shown.ply - 1]?.removeAttribute("aria-current");
  rows[ply - 1]?.setAttribute("aria-current", "step");
  const row = rows[ply - 1];
  const { list } = shown;
  if (!row) list.scrollTop = 0;
  else if (row.offsetTop < list.scrollTop + 34 || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = row.offsetTop - list.clientHeight / 2;
  }
  shown.graph?.show(ply);
  shown.slider.value = ply;
  shown.ply = ply;
  const next = moves[ply]?.side;
  for (const seat of shown.seats) seat.classList.toggle("turn", seat.dataset.side === next);
  viewer.dataset.ply = ply;
  viewer.dataset.game = game.id;
};

document.addEventListener("keydown", (event) => {
  const target = event.target;
  if (!shown || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(INPUT|SELECT|TEXTAREA|SUMMARY)$/.test(target.tagName)) return;
  const inside = viewer.contains(target);
  // Elsewhere these keys move the page, or what is in it.
  if (!inside && target !== document.body) return;
  const onButton = target.tagName === "BUTTON";
  const actions = {
    ArrowLeft: () => showPly(shown.ply - 1),
    ArrowRight: () => showPly(shown.ply + 1),
    n: () => shown.index < games.length - 1 && openGame(shown.index + 1, 0),
    p: () => shown.index > 0 && openGame(shown.index - 1, 0),
    ...(inside ? { Home: () => showPly(0), End: () => showPly(shown.moves.length) } : {}),
    ...(inside && !onButton ? { " ": play } : {}),
  };
  const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
  if (!action) return;
  if (event.key !== " ") stop();
  event.preventDefault();
  action();
  if (!viewer.contains(document.activeElement)) {
    viewer.tabIndex = -1;
    viewer.focus({ preventScroll: true });
  }
});
