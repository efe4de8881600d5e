// The games of the report, and how a board is drawn. Films are decoded when
// they are shown; src/arena/report/film.rs says how they are written. Every
// text goes in as text, never as HTML.

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
  const tip = { x: to.x - 36 * ux, y: to.y - 36 * uy };
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
    const code = variant.contents[board[field]];
    picture.append(svg("rect", {
      class: `square ${tile === "p" ? plain : `tile-${tile}`}`,
      "data-square": squareName(variant, field), "data-content": code,
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
