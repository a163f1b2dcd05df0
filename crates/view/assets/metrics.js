// The tables of a campaign: a metric with its interval in each cell, which leads to the episodes behind it.

// Returns how many decimals the numbers of a column need.
function decimals(values) {
  const sizes = values.filter(Number.isFinite).map(Math.abs);
  const greatest = Math.max(0, ...sizes);
  if (sizes.every(Number.isInteger)) return 0;
  if (greatest < 0.01) return 5;
  if (greatest < 0.1) return 4;
  if (greatest < 10) return 2;
  return greatest < 100 ? 1 : 0;
}

const fixed = (value, digits) => value.toFixed(digits).replace("-", "−");

// Writes a value with its interval, `0.15 [0.05, 0.36]`.
function intervalText(it, digits) {
  if (!it || it.value === null || it.value === undefined) return ABSENT;
  const text = fixed(it.value, digits);
  if (typeof it.low !== "number" || typeof it.high !== "number") return text;
  return `${text} [${fixed(it.low, digits)}, ${fixed(it.high, digits)}]`;
}

// A bar from 0 to 1 with the interval as a line.
function ShareBar({ it }) {
  const x = (value) => clamp(value, 0, 1) * 60;
  return html`<svg class="share" width="62" height="6" viewBox="-1 0 62 6" aria-hidden="true">
    <rect class="track" width="60" height="4" y="1" /><rect class="fill" width=${x(it.value)} height="4" y="1" />
    ${typeof it.low === "number" && html`<line x1=${x(it.low)} x2=${x(it.high)} y1="3" y2="3" />`}
  </svg>`;
}

function Interval({ it, digits, share }) {
  if (!it || it.value === null || it.value === undefined) return ABSENT;
  const [value, rest] = intervalText(it, digits).split(" [");
  return html`<span class="interval" title=${`${it.value}${it.n ? `, n = ${it.n}` : ""}`}
    ><span><span class="num">${value}</span>${rest && html` <span class="num soft">[${rest}</span>`}</span>${share && html`<${ShareBar} it=${it} />`}</span
  >`;
}

// The query of these filters of the list of episodes, by column, which clears all others.
function onlyFilters(filters) {
  const query = { q: null };
  for (const key of Object.keys(route.current.query)) if (key.startsWith("f.")) query[key] = null;
  for (const [id, filter] of Object.entries(filters)) query[`f.${id}`] = filter;
  return query;
}

// The query of the episodes behind a row of a table by some keys.
const rowFilter = (row, by, more) => ({
  ...onlyFilters(Object.fromEntries(by.map((id) => [id, `=${row.key[id] ?? ABSENT}`]))),
  ...more,
});

function toEpisodes(query) {
  setQuery(query);
  document.getElementById("episodes")?.scrollIntoView({ block: "start" });
}

// A number that leads to the episodes behind it.
const Behind = ({ row, by, more, children }) =>
  html`<${BehindQuery} query=${() => rowFilter(row, by, more)}>${children}<//>`;

const BehindFilters = ({ filters, children }) =>
  html`<${BehindQuery} query=${() => onlyFilters(filters)}>${children}<//>`;

// The query is asked for again when it is followed: other filters may have been set since it was drawn.
function BehindQuery({ query, children }) {
  const follow = (event) => {
    event.preventDefault();
    toEpisodes(query());
  };
  const { path, query: present } = route.current;
  return html`<a class="behind" href=${routeText(path, { ...present, ...query() })} onClick=${follow}>${children}</a>`;
}

const valueOf = (row, id) => row.values?.[id] ?? null;

// The columns of a table: its keys, counts, the metrics that some row has, outcomes, failures, regret.
function metricColumns(campaign, table) {
  const { rows, by } = table;
  const keys = by.map((id) => ({
    id,
    title: id,
    head: true,
    width: 16,
    value: (row) => row.key[id],
    cell: (row) => html`${amount(row.key[id])}${id === by[0] && row.clairvoyant && html`<${Clairvoyant} />`}`,
  }));
  const counts = [
    {
      id: "episodes",
      title: "episodes",
      num: true,
      value: (row) => row.episodes,
      cell: (row) => html`<${Behind} ...${{ row, by }}>${row.episodes}<//>`,
    },
    {
      id: "successes",
      title: "successes",
      num: true,
      value: (row) => row.successes,
      cell: (row) => html`<${Behind} ...${{ row, by }} more=${{ "f.success": "=yes" }}>${amount(row.successes)}<//>`,
    },
  ];
  const metrics = Object.keys(campaign.labels)
    .filter((id) => rows.some((row) => typeof valueOf(row, id)?.value === "number"))
    .map((id) => {
      const all = rows.map((row) => valueOf(row, id)).filter(Boolean);
      const digits = decimals(all.flatMap((it) => [it.value, it.low, it.high]));
      const share =
        all.every((it) => it.value === null || (it.value >= 0 && it.value <= 1)) && digits > 0 && digits <= 2;
      return {
        id: `m.${id}`,
        title: campaign.labels[id],
        num: true,
        width: Math.max(18, campaign.labels[id].length),
        value: (row) => valueOf(row, id)?.value,
        cell: (row) =>
          html`<${Behind} ...${{ row, by }}><${Interval} it=${valueOf(row, id)} digits=${digits} share=${share} /><//>`,
      };
    });
  const failures = rows.some((row) => row.failures)
    ? FAILURE_CLASSES.map((id) => ({
        id: `failure.${id}`,
        title: `${id} failures`,
        hint: CLASS_WORDS[id],
        width: 17,
        num: true,
        value: (row) => row.failures?.[id],
        cell: (row) => amount(row.failures?.[id]),
      }))
    : [];
  const texts = [
    ["outcomes", "decisions"],
    ["regret", "regret by agent"],
  ]
    .filter(([id]) => rows.some((row) => Object.keys(row[id] ?? {}).length))
    .map(([id, title]) => ({ id, title, width: 28, cell: (row) => pairs(row[id]) }));
  return [...keys, ...counts, ...metrics, ...failures, ...texts];
}

function MetricTables({ campaign, query }) {
  const place = clamp(Number(query.table) || 0, 0, campaign.tables.length - 1);
  const table = campaign.tables[place];
  const columns = useMemo(() => table && metricColumns(campaign, table), [campaign, table]);
  if (!table) return null;
  return html`<section class="panel" aria-labelledby="metrics-title">
    <div class="row">
      <h2 id="metrics-title">Results</h2>
      <div class="tabs" role="group" aria-label="rows of the table">
        ${campaign.tables.map(
          (it, at) => html`<button
            aria-pressed=${at === place ? "true" : "false"}
            onClick=${() => setQuery({ table: at || null, sort: null })}
          >
            by ${it.by.join(", ")}
          </button>`,
        )}
      </div>
    </div>
    <${Table}
      label="table of results"
      many=${table.rows.length > ALL_DRAWN}
      columns=${columns}
      rows=${sortRows(table.rows, columns, query.sort)}
      sort=${query.sort}
      onSort=${(sort) => setQuery({ sort })}
    />
  </section>`;
}

// A figure for each pair of policies of two agents.
function Matrices({ matrices }) {
  return matrices.map((matrix) => {
    const values = matrix.values.flat().filter(Boolean);
    const digits = decimals(values.flatMap((it) => [it.value, it.low, it.high]));
    const share = values.every((it) => it.value === null || (it.value >= 0 && it.value <= 1));
    const columns = [
      {
        id: "policy",
        title: `${matrix.rows.agent} \\ ${matrix.columns.agent}`,
        head: true,
        cell: (row) => show(row.policy),
      },
      ...matrix.columns.policies.map((policy, at) => ({
        id: `policy.${at}`,
        title: policy,
        num: true,
        cell: (row) => html`<${Interval} it=${row.values[at]} digits=${digits} share=${share} />`,
      })),
    ];
    const rows = matrix.rows.policies.map((policy, at) => ({ policy, values: matrix.values[at] }));
    const title = `${matrix.metric} of ${matrix.setup}${matrix.model ? ` with ${matrix.model}` : ""}`;
    return html`<section class="panel" aria-label=${show(title)}>
      <h2>${show(title)}</h2>
      <p class="soft">${show(matrix.rows.agent)} in rows, ${show(matrix.columns.agent)} in columns</p>
      <${Table} label=${show(title)} columns=${columns} rows=${rows} />
    </section>`;
  });
}

const sideText = (side) =>
  Object.values(side)
    .filter((it) => it !== null)
    .map(show)
    .join(" · ");

function Differences({ campaign, query }) {
  const rows = campaign.differences ?? [];
  if (!rows.length) return null;
  const digits = decimals(rows.flatMap((it) => [it.value, it.low, it.high]));
  const isKnown = (row) => typeof row.low === "number";
  const apart = (row) => isKnown(row) && (row.low > 0 || row.high < 0);
  const columns = [
    { id: "a", title: "a", head: true, value: (row) => sideText(row.a), cell: (row) => sideText(row.a) },
    { id: "b", title: "b", head: true, value: (row) => sideText(row.b), cell: (row) => sideText(row.b) },
    {
      id: "metric",
      title: "metric",
      value: (row) => row.metric,
      cell: (row) => show(campaign.labels?.[row.metric] ?? row.metric),
    },
    {
      id: "value",
      title: "a − b",
      num: true,
      value: (row) => row.value,
      cell: (row) => html`<${Interval} it=${row} digits=${digits} />`,
    },
    {
      id: "apart",
      title: "interval",
      value: (row) => (apart(row) ? 0 : isKnown(row) ? 1 : 2),
      cell: (row) =>
        apart(row)
          ? html`<b>excludes 0</b>`
          : html`<span class="soft">${isKnown(row) ? "includes 0" : "unknown: all pairs differ alike"}</span>`,
    },
    { id: "n", title: "pairs", num: true, value: (row) => row.n, cell: (row) => amount(row.n) },
  ];
  return html`<details class="panel" open=${rows.length <= 12}>
    <summary><h2>Paired differences <span class="soft">${rows.length}</span></h2></summary>
    <${Table}
      label="table of paired differences"
      columns=${columns}
      rows=${sortRows(rows, columns, query.differences)}
      sort=${query.differences}
      onSort=${(differences) => setQuery({ differences })}
    />
  </details>`;
}
