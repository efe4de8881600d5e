// The lists of openings and games. It goes on where viewer.js ends.

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
      ...[game.b, game.w].map((player) => html("td", { class: "engine", title: engines[player] }, engines[player])),
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
