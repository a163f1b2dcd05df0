// The list of a campaign's episodes: sorted, filtered by text and by columns.

const yesNo = (value) => (value === true ? "yes" : value === false ? "no" : null);
const SUCCESS_SIGN = { yes: "✓ yes", no: "✗ no" };
const CHOICES = 40;

const field = (id, title, width, more = {}) => ({ id, title, width, raw: (row) => row[id], ...more });
const number = (id, title, width = 6) => field(id, title, width, { num: true });
const quantityField = (id, title) =>
  field(id, title, 7, { num: true, raw: (row) => least(row[id]), text: (row) => quantity(row[id]) });

const EPISODE_FIELDS = [
  field("id", "episode", 20, { head: true }),
  field("problem", "problem", 14),
  field("group", "group", 10),
  number("number", "number", 7),
  field("setup", "setup", 12),
  field("model", "model", 12),
  number("seed", "seed"),
  number("epoch", "epoch"),
  field("success", "success", 8, {
    raw: (row) => yesNo(row.success),
    text: (row) => SUCCESS_SIGN[yesNo(row.success)] ?? ABSENT,
  }),
  field("reason", "end", 11),
  number("ticks", "ticks"),
  number("optimum", "optimum", 8),
  number("rate", "rate"),
  quantityField("regret", "regret"),
  quantityField("to_go", "to go"),
  field("class", "class", 10),
  number("dead_end", "dead end", 8),
  number("labels", "actions", 8),
  number("refused", "refused", 8),
  number("calls", "calls"),
  number("input", "tokens in", 9),
  number("output", "tokens out", 10),
  number("cost", "cost", 8),
  field("totals", "totals", 14, { raw: (row) => pairs(row.totals) || null }),
  field("levels", "levels", 10, {
    raw: (row) => (row.levels && typeof row.levels === "object" ? pairs(row.levels) : row.levels),
  }),
];

const fieldText = (column, row) => (column.text ? column.text(row) : amount(column.raw(row)));

// Returns a test for a column's filter: `=text` exactly, `>3`, `<=5`, `3..7`, else a part of the text; `=–` is absence.
function columnTest(column, wanted) {
  const exact = wanted.startsWith("=");
  const rest = exact ? wanted.slice(1) : wanted;
  if (rest === ABSENT) return (row) => (column.raw(row) ?? null) === null;
  if (column.num) {
    const range = /^\s*(-?[\d.]+|∞)?\s*\.\.\s*(-?[\d.]+|∞)?\s*$/.exec(wanted);
    const bound = /^\s*(<=|>=|<|>|=)?\s*(-?[\d.]+|∞|inf)\s*$/.exec(wanted);
    const read = (text, none) => (text === undefined ? none : text === "∞" || text === "inf" ? Infinity : Number(text));
    const has = (test) => (row) => {
      const value = column.raw(row);
      return typeof value === "number" && test(value);
    };
    if (range) return has((value) => value >= read(range[1], -Infinity) && value <= read(range[2], Infinity));
    if (bound) {
      const limit = read(bound[2]);
      const tests = {
        "<": (it) => it < limit,
        "<=": (it) => it <= limit,
        ">": (it) => it > limit,
        ">=": (it) => it >= limit,
      };
      return has(tests[bound[1]] ?? ((it) => it === limit));
    }
  }
  if (exact) return (row) => String(column.raw(row)) === rest;
  const part = rest.toLowerCase();
  return (row) => fieldText(column, row).toLowerCase().includes(part);
}

// Returns the columns that some episode has a value for, with the values to choose from where they are few.
function episodeColumns(rows) {
  return EPISODE_FIELDS.filter((column) => rows.some((row) => (column.raw(row) ?? null) !== null)).map((column) => {
    const values = new Set();
    if (!column.num && column.id !== "id")
      for (const row of rows) if (values.size <= CHOICES) values.add(column.raw(row) ?? ABSENT);
    const choices = values.size > 1 && values.size <= CHOICES ? [...values].map(String).sort(collator.compare) : null;
    return { ...column, value: column.raw, choices };
  });
}

function filterEpisodes(rows, columns, query) {
  const tests = columns
    .filter((column) => query[`f.${column.id}`])
    .map((column) => columnTest(column, query[`f.${column.id}`]));
  const words = (query.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const texts = columns.filter((column) => !column.num);
  return rows.filter((row) => {
    if (!tests.every((test) => test(row))) return false;
    if (!words.length) return true;
    const text = texts
      .map((column) => fieldText(column, row))
      .join("\n")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

// Returns the episodes as the list shows them for a query.
function listedEpisodes(campaign, query) {
  const columns = columnsOf(campaign);
  return sortRows(filterEpisodes(campaign.episodes, columns, query), columns, query.order);
}

const columnCache = new WeakMap();

function columnsOf(campaign) {
  if (!columnCache.has(campaign)) columnCache.set(campaign, episodeColumns(campaign.episodes));
  return columnCache.get(campaign);
}

function ColumnFilter({ column, query }) {
  const id = `f.${column.id}`;
  const set = (value) => setQuery({ [id]: value || null });
  const label = `filter by ${column.title}`;
  if (column.choices)
    return html`<select aria-label=${label} value=${query[id] ?? ""} onChange=${(event) => set(event.target.value)}>
      <option value="">all</option>
      ${column.choices.map((choice) => {
        const value = `=${choice}`;
        return html`<option value=${value} selected=${query[id] === value}>${show(choice)}</option>`;
      })}
    </select>`;
  const hint = column.num ? "a number, >3, <=5 or 3..7" : "a part of the text, or =text";
  const typed = (event) => set(event.target.value);
  return html`<input type="search" aria-label=${label} title=${hint} value=${query[id] ?? ""} onInput=${typed} />`;
}

// The part of the query that the list depends on.
const listQuery = (query) =>
  Object.fromEntries(Object.entries(query).filter(([key]) => key === "q" || key === "order" || key.startsWith("f.")));

function EpisodeCell({ column, row, query }) {
  const text = fieldText(column, row);
  if (column.id === "id") {
    const target = { list: routeText([], query).slice(3) || null };
    return html`<a href=${routeText(["e", row.id], target)} title=${show(row.id)}>${show(row.id)}</a>`;
  }
  if (column.id === "success")
    return html`<span class=${row.success === true ? "good-text" : row.success === false ? "bad-text" : null}>${text}</span>`;
  return column.num ? html`<span class="num">${text}</span>` : html`<span title=${text}>${text}</span>`;
}

function EpisodeList({ campaign, query }) {
  const columns = columnsOf(campaign);
  const listKey = JSON.stringify(listQuery(query));
  const rows = useMemo(() => listedEpisodes(campaign, query), [campaign, listKey]);
  const input = useRef(null);
  const walk = (by) => {
    const links = [...document.querySelectorAll("#episodes tbody a")];
    links[clamp(links.indexOf(document.activeElement) + by, 0, links.length - 1)]?.focus();
  };
  useKeys({ "/": () => input.current?.focus(), j: () => walk(1), k: () => walk(-1) });
  const shown = columns.map((column) => ({
    ...column,
    cell: (row) => html`<${EpisodeCell} ...${{ column, row, query }} />`,
    filter: html`<${ColumnFilter} ...${{ column, query }} />`,
  }));
  const filtered = Object.keys(listQuery(query)).some((key) => key !== "order" && query[key]);
  const clear = () =>
    setQuery(
      Object.fromEntries(
        Object.keys(query)
          .filter((key) => key === "q" || key.startsWith("f."))
          .map((key) => [key, null]),
      ),
    );
  return html`<section class="panel" id="episodes" aria-labelledby="episodes-title">
    <div class="row">
      <h2 id="episodes-title">
        Episodes <span class="soft" aria-live="polite">${rows.length} of ${campaign.episodes.length}</span>
      </h2>
      <input
        ref=${input}
        type="search"
        placeholder="filter by text  ( / )"
        aria-label="filter episodes by text"
        value=${query.q ?? ""}
        onInput=${(event) => setQuery({ q: event.target.value })}
      />
      ${filtered && html`<button onClick=${clear}>clear filters</button>`}
    </div>
    <${Table}
      label="table of episodes"
      many=${true}
      columns=${shown}
      rows=${rows}
      rowKey=${(row) => row.id}
      sort=${query.order}
      onSort=${(order) => setQuery({ order })}
    />
    ${!rows.length && html`<p class="soft">No episode fits.</p>`}
  </section>`;
}
