"use strict";
// The games of the report: lists of them, and a board to play them through.
// Films are decoded when they are shown; src/arena/report/film.rs says how
// they are written. Every text goes in as text, never as HTML.
(() => {
  const films = JSON.parse(document.getElementById("films").textContent);
  const { engines, reasons, openings, variants, games } = films;
  const SVG = "http://www.w3.org/2000/svg";

  // ---- elements

  const fill = (node, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === true) node.setAttribute(name, "");
      else if (value !== false && value !== null) node.setAttribute(name, value);
    }
    node.append(...children.flat());
    return node;
  };
  const html = (name, attributes = {}, ...children) =>
    fill(document.createElement(name), attributes, children);
  const svg = (name, attributes = {}, ...children) =>
    fill(document.createElementNS(SVG, name), attributes, children);
  const button = (text, attributes, action) => {
    const node = html("button", { type: "button", ...attributes }, text);
    node.addEventListener("click", action);
    return node;
  };

  // ---- theme

  const themes = ["auto", "light", "dark"];
  const themeButton = document.getElementById("theme");
  const setTheme = (theme) => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    themeButton.textContent = `Theme: ${theme}`;
  };
  // Some browsers keep nothing for pages opened from a file.
  const remembered = () => { try { return localStorage.getItem("quadrille-theme"); } catch { return null; } };
  const remember = (theme) => { try { localStorage.setItem("quadrille-theme", theme); } catch { /* so be it */ } };
  let theme = themes.includes(remembered()) ? remembered() : "auto";
  setTheme(theme);
  themeButton.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    setTheme(theme);
    remember(theme);
  });

  // ---- films

  const values = new Map([...films.letters].map((letter, value) => [letter, value]));
  const number = (text) => [...text].reduce((sum, letter) => sum * films.letters.length + values.get(letter), 0);

  const contentOf = (code, isReserve) => ({
    tile: isReserve ? "" : code[0],
    stack: (code.slice(isReserve ? 0 : 1).match(/[bwBW]\d+/g) ?? []).map((piece) => ({
      side: piece[0].toLowerCase(),
      dark: piece[0] !== piece[0].toLowerCase(),
      size: Number(piece.slice(1)),
    })),
  });

  const boardsOf = (game) => {
    const variant = variants[game.v];
    const { width } = variant;
    const board = [];
    const start = variant.starts[game.p];
    for (let at = 0; at < start.length; at += width) board.push(number(start.slice(at, at + width)));
    let notes = game.n;
    const boards = [{ board, notes }];
    for (const move of game.f === "" ? [] : game.f.split(",")) {
      const [changes, noted] = move.split(" ");
      const next = [...boards.at(-1).board];
      for (let at = 0; at < changes.length; at += 1 + width) {
        next[number(changes[at])] = number(changes.slice(at + 1, at + 1 + width));
      }
      notes = noted ?? notes;
      boards.push({ board: next, notes });
    }
    // A game may have no moves at all.
    return boards.slice(0, game.c.length + 1);
  };

  const movesOf = (game) => {
    if (game.c === "") return [];
    const [texts, points, infos] = [game.m.split(" "), game.t.split(","), game.i.split("\n")];
    return [...game.c].map((side, ply) => {
      const [value = "", depth = "", ms = ""] = infos[ply].split("|");
      return { side, text: texts[ply], points: [...points[ply]].map(number), value, depth, ms, isOpening: ply < game.k };
    });
  };

  const noteOf = (variant, numbers) => {
    const list = numbers.split(".");
    return variant.notes.map((note) => note.replaceAll("#", () => list.shift())).filter(Boolean);
  };

  const sideName = (side) => (side === "b" ? "black" : "white");
  const millis = (ms) => (ms === "" ? "" : Number(ms) >= 10000 ? `${(ms / 1000).toFixed(1)} s` : `${ms} ms`);

  // ---- drawing, from the neutral picture alone

  const CELL = 100;
  const MARGIN = 40;
  const hasTiles = (variant) => variant.contents.some((code) => /^[ldx]/.test(code));
  const hasSizes = (variant) => variant.contents.some((code) => /[bw][1-9]/i.test(code));
  const radius = (size) => (size === 0 ? 40 : 13 + 8 * size);

  const disc = (piece, x, y, onTile, scale = 1) => {
    const r = radius(piece.size) * scale;
    if (onTile) {
      const mark = piece.side === "b"
        ? svg("circle", { class: "dot", cx: x, cy: y, r: 15 * scale })
        : svg("circle", { class: "ring", cx: x, cy: y, r: 14 * scale });
      return [svg("circle", { class: piece.dark ? "face-dark" : "face-light", cx: x, cy: y, r: 34 * scale }), mark];
    }
    return [
      svg("circle", { class: sideName(piece.side), cx: x, cy: y, r }),
      ...(piece.side === "b" ? [svg("circle", { class: "edge", cx: x, cy: y, r: r - 3 * scale })] : []),
    ];
  };

  // The top piece, and the hidden ones as rings within it.
  const stackOf = (stack, x, y, onTile) => {
    if (stack.length === 0) return [];
    const top = stack.at(-1);
    const group = svg("g", { class: `on-${sideName(top.side)}` }, disc(top, x, y, onTile));
    for (const piece of stack.slice(0, -1)) {
      group.append(svg("circle", { class: `under ${piece.side}`, cx: x, cy: y, r: radius(piece.size) - 3 }));
    }
    if (top.size > 0) {
      group.append(svg("text", { class: "size", x, y }, String(top.size)));
      const names = stack.map((piece) => `${sideName(piece.side)} ${piece.size}`);
      group.append(svg("title", {}, names.join(" under ")));
    }
    return [group];
  };

  const placeOf = (variant, field) => {
    const [column, row] = [field % variant.columns, Math.floor(field / variant.columns)];
    const line = variant.row_one_on_top ? row : variant.rows - 1 - row;
    return { x: MARGIN + CELL * column, y: MARGIN + CELL * line, column, row };
  };
  const squareName = (variant, field) => {
    const { column, row } = placeOf(variant, field);
    return String.fromCharCode(97 + column) + (row + 1);
  };

  const marks = (variant, points) => {
    const middle = (field) => { const { x, y } = placeOf(variant, field); return { x: x + 50, y: y + 50 }; };
    const frame = (field, name) => {
      const { x, y } = placeOf(variant, field);
      return svg("rect", { class: name, x: x + 6, y: y + 6, width: 88, height: 88, rx: 10 });
    };
    if (points.length === 0) return [];
    if (points.length === 1) return [frame(points[0], "moved")];
    const [from, to] = [middle(points[0]), middle(points[1])];
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / length, dy / length];
    const tip = { x: to.x - 22 * ux, y: to.y - 22 * uy };
    const base = { x: tip.x - 20 * ux, y: tip.y - 20 * uy };
    const head = `${tip.x},${tip.y} ${base.x - 13 * uy},${base.y + 13 * ux} ${base.x + 13 * uy},${base.y - 13 * ux}`;
    return [
      frame(points[1], "moved"),
      ...points.slice(2).map((field) => frame(field, "changed")),
      svg("line", { class: "arrow", x1: from.x, y1: from.y, x2: base.x, y2: base.y }),
      svg("polygon", { class: "arrow-head", points: head }),
    ];
  };

  const draw = (variant, board, points, label) => {
    const { columns, rows } = variant;
    const fields = columns * rows;
    const contents = board.map((code, field) => contentOf(variant.contents[code], field >= fields));
    const [blackStacks, whiteStacks] = variant.reserves;
    const band = blackStacks + whiteStacks > 0 ? 112 : 0;
    const width = columns * CELL + 2 * MARGIN;
    const boardHeight = rows * CELL + 2 * MARGIN;
    const picture = svg("svg", { viewBox: `0 ${-band} ${width} ${boardHeight + 2 * band}`, role: "img", "aria-label": label });
    const plain = hasSizes(variant) ? "wood" : "felt";
    for (let field = 0; field < fields; field++) {
      const { x, y } = placeOf(variant, field);
      const { tile } = contents[field];
      const inset = tile === "p" ? 0 : 3;
      picture.append(svg("rect", {
        class: `square ${tile === "p" ? plain : `tile-${tile}`}`,
        x: x + inset, y: y + inset, width: CELL - 2 * inset, height: CELL - 2 * inset, rx: inset * 3,
      }));
    }
    for (let column = 0; column < columns; column++) {
      for (const y of [MARGIN - 14, boardHeight - MARGIN + 30]) {
        picture.append(svg("text", { class: "coordinate", x: MARGIN + CELL * column + 50, y }, String.fromCharCode(97 + column)));
      }
    }
    for (let row = 0; row < rows; row++) {
      const { y } = placeOf(variant, row * columns);
      for (const x of [MARGIN / 2, width - MARGIN / 2]) {
        picture.append(svg("text", { class: "coordinate", x, y: y + 58 }, String(row + 1)));
      }
    }
    for (let field = 0; field < fields; field++) {
      const { x, y } = placeOf(variant, field);
      const { stack, tile } = contents[field];
      picture.append(...stackOf(stack, x + 50, y + 50, tile !== "p"));
    }
    const reserve = (first, count, y) => {
      for (let index = 0; index < count; index++) {
        const x = width / 2 + (index - (count - 1) / 2) * 112;
        picture.append(svg("circle", { class: "tile-x", cx: x, cy: y, r: 47 }));
        picture.append(...stackOf(contents[first + index].stack, x, y, false));
      }
    };
    reserve(fields, blackStacks, -band / 2 + 4);
    reserve(fields + blackStacks, whiteStacks, boardHeight + band / 2 - 4);
    picture.append(...marks(variant, points));
    return picture;
  };

  const sample = (variant, side) => {
    const tiles = hasTiles(variant);
    const node = svg("svg", { viewBox: "0 0 90 90", "aria-hidden": "true" });
    node.append(...disc({ side, size: hasSizes(variant) ? 3 : 0, dark: false }, 45, 45, tiles));
    return node;
  };

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
      step("⏮", "To the start", () => 0), step("‹", "Move back", () => shown.ply - 1), playButton,
      step("›", "Move on", () => shown.ply + 1), step("⏭", "To the end", () => moves.length), slider) };
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

  // ---- lists

  // A table of which a page is built at a time.
  const paged = (node, caption, headings, size) => {
    let [items, page, row] = [[], 0, null];
    const body = html("tbody");
    const where = html("span", { "aria-live": "polite" });
    const [back, on] = [button("‹ back", {}, () => show(page - 1)), button("more ›", {}, () => show(page + 1))];
    const pager = html("div", { class: "pager" }, back, where, on);
    node.append(html("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: 0 },
      html("table", {}, html("thead", {}, html("tr", {}, headings.map(([text, name]) => html("th", { scope: "col", class: name ?? null }, text)))), body)),
      pager);
    const show = (wanted) => {
      const pages = Math.max(1, Math.ceil(items.length / size));
      page = Math.max(0, Math.min(pages - 1, wanted));
      const first = page * size;
      body.replaceChildren(...items.slice(first, first + size).map(row));
      where.textContent = items.length === 0 ? "none" : `${first + 1}–${Math.min(items.length, first + size)} of ${items.length}`;
      [back.disabled, on.disabled] = [page === 0, page === pages - 1];
      pager.hidden = pages === 1 && items.length > 0;
    };
    return (newItems, newRow) => { [items, row] = [newItems, newRow]; show(0); };
  };

  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const share = (won, drawn, lost) => html("span", { class: "share", "aria-hidden": "true" },
    ...[["won", won], ["drawn", drawn], ["lost", lost]].map(([name, count]) => {
      const part = html("i", { class: name });
      part.style.flex = count;
      return part;
    }));
  const option = (value, text) => html("option", { value }, text);

  const choose = (index, ply) => {
    openGame(index, ply);
    viewer.scrollIntoView({ block: "start" });
  };

  // Games by opening: who moved first there has won, drawn, lost.
  const openingStats = () => {
    const stats = new Map();
    games.forEach((game) => {
      const key = game.o * variants.length + game.v;
      const stat = stats.get(key) ?? { opening: game.o, variant: game.v, results: [0, 0, 0], hero: 0 };
      const first = game.c[game.k];
      stat.results[game.s === 0 ? 1 : (game.s > 0) === (first === "b") ? 0 : 2] += 1;
      stat.hero += (1 + (game.b === 0 ? game.s : -game.s)) / 2;
      stats.set(key, stat);
    });
    return [...stats.values()];
  };

  const buildOpenings = (filterGames) => {
    const stats = openingStats();
    const node = document.getElementById("openings-list");
    const isDuel = engines.length === 2;
    const count = (stat) => stat.results[0] + stat.results[1] + stat.results[2];
    const first = (stat) => (stat.results[0] + stat.results[1] / 2) / count(stat);
    const orders = {
      played: ["in the order played", () => 0],
      first: ["best for who moves first", (a, b) => first(b) - first(a)],
      second: ["best for who moves second", (a, b) => first(a) - first(b)],
      ...(isDuel ? { hero: [`best for ${engines[0]}`, (a, b) => b.hero / count(b) - a.hero / count(a)] } : {}),
    };
    const order = html("select", { "aria-label": "Order of openings" }, Object.entries(orders).map(([key, [text]]) => option(key, text)));
    node.append(html("div", { class: "filters" }, html("label", {}, "Sorted ", order),
      html("span", { class: "faint" }, `${stats.length} opening${stats.length === 1 ? "" : "s"}`)));
    const set = paged(node, "Openings", [["Opening"], ["Games", "n"], ["Who moves first"], ...(isDuel ? [[`Score of ${engines[0]}`, "n"]] : []), [""]], 10);
    const row = (stat) => html("tr", {},
      html("td", { class: "opening-moves", title: openings[stat.opening] }, variants.length > 1 ? html("span", { class: "faint" }, `${variants[stat.variant].name} `) : [], openings[stat.opening]),
      html("td", { class: "n" }, String(count(stat))),
      html("td", { class: "score" }, html("span", {}, `${percent(first(stat))}`), html("span", { class: "faint" }, ` +${stat.results[0]} =${stat.results[1]} −${stat.results[2]}`), share(...stat.results)),
      isDuel ? html("td", { class: "n" }, percent(stat.hero / count(stat))) : [],
      html("td", {}, button("games", { class: "link" }, () => filterGames(stat))));
    const refresh = () => set([...stats].sort(orders[order.value][1]), row);
    order.addEventListener("change", refresh);
    refresh();
  };

  const buildGames = () => {
    const node = document.getElementById("games-list");
    const engine = html("select", { "aria-label": "Engine" }, option("", "every engine"), engines.map((name, index) => option(index, name)));
    const result = html("select", { "aria-label": "Result" }, option("", "every result"), option("1", "black wins"), option("-1", "white wins"), option("0", "draws"));
    const reason = html("select", { "aria-label": "End" }, option("", "every end"), reasons.map((text, index) => option(index, text)));
    const clear = button("all games", { class: "plain", hidden: true }, () => { opening = null; refresh(); });
    let opening = null;
    node.append(html("div", { class: "filters" }, engine, result, reason, clear));
    const set = paged(node, "Games", [["Game", "n"], ["Black"], ["White"], ["Result"], ["End"], ["Moves", "n"], ["Opening"]], 20);
    const row = (index) => {
      const game = games[index];
      const node = html("tr", { "data-index": index },
        html("td", { class: "n" }, button(String(game.id), { class: "link", "aria-label": `Show game ${game.id}` }, () => choose(index, 0))),
        html("td", {}, engines[game.b]), html("td", {}, engines[game.w]),
        html("td", {}, game.r), html("td", {}, reasons[game.e]),
        html("td", { class: "n" }, String(game.c.length)),
        html("td", { class: "opening-moves faint", title: openings[game.o] }, variants.length > 1 ? `${variants[game.v].name} ` : "", openings[game.o]));
      node.classList.toggle("chosen", shown?.index === index);
      return node;
    };
    const refresh = () => {
      clear.hidden = !opening;
      const fits = (game) =>
        (engine.value === "" || game.b === Number(engine.value) || game.w === Number(engine.value)) &&
        (result.value === "" || game.s === Number(result.value)) &&
        (reason.value === "" || game.e === Number(reason.value)) &&
        (!opening || (game.o === opening.opening && game.v === opening.variant));
      set(games.map((_, index) => index).filter((index) => fits(games[index])), row);
    };
    for (const select of [engine, result, reason]) select.addEventListener("change", refresh);
    refresh();
    return (stat) => {
      opening = stat;
      for (const select of [engine, result, reason]) select.value = "";
      refresh();
      node.scrollIntoView({ block: "start" });
    };
  };

  // ---- from links: #game-12

  const follow = () => {
    const link = /^#game-(\d+)(?:-(\d+))?$/.exec(location.hash);
    const index = link ? games.findIndex((game) => game.id === Number(link[1])) : -1;
    if (index >= 0) choose(index, Number(link[2] ?? 0));
    return index >= 0;
  };

  if (games.length > 0) {
    buildOpenings(buildGames());
    openGame(0, 0);
    follow();
    window.addEventListener("hashchange", follow);
  }
})();
