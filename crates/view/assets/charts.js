// Charts in Vega-Lite, drawn when they come into sight, with their data as a table.

// Reports whether text is light on dark at present.
const isDark = () => parseInt(/\d+/.exec(getComputedStyle(document.body).color)?.[0] ?? "0", 10) > 128;

// Returns the colours of the page as a configuration for Vega-Lite.
function chartTheme() {
  const style = getComputedStyle(document.documentElement);
  const probe = document.createElement("span");
  document.body.append(probe);
  const colour = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const [ink, soft, line] = ["--ink", "--soft", "--line"].map(colour);
  const category = [1, 2, 3, 4, 5, 6, 7, 8].map((place) => colour(`--agent-${place - 1}`));
  const accent = colour("--accent");
  probe.remove();
  const font = style.fontFamily || "sans-serif";
  const text = {
    labelFont: font,
    titleFont: font,
    labelColor: ink,
    titleColor: ink,
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: "normal",
  };
  return {
    background: null,
    font,
    view: { stroke: null },
    axis: { ...text, gridColor: line, domainColor: soft, tickColor: soft, labelLimit: 160 },
    legend: text,
    header: text,
    title: { color: ink, font, fontSize: 12 },
    range: { category },
    mark: { color: accent },
    bar: { color: accent },
    point: { color: accent },
    rule: { color: ink },
    text: { color: ink },
    tick: { color: accent },
  };
}

// A loader that loads nothing: a page asks no one for anything.
const noLoader = {
  load: () => Promise.reject(new Error("pages load nothing")),
  sanitize: () => Promise.reject(new Error("pages load nothing")),
  http: () => Promise.reject(new Error("pages load nothing")),
  file: () => Promise.reject(new Error("pages load nothing")),
};

const FRAME = 90;

// Fits a chart to the width that there is. Facets below each other get it as a number, as Vega-Lite fits single views only.
function fitted(spec, room) {
  const composed = ["facet", "hconcat", "vconcat", "concat", "repeat"].some((key) => spec[key]);
  const { row, column, facet } = spec.encoding ?? {};
  if (composed || (spec.width ?? "container") !== "container") return spec;
  if (column || facet) return { ...spec, width: Math.max(120, Math.floor(room / 3) - FRAME / 3) };
  if (row) return { ...spec, width: Math.max(120, room - FRAME) };
  return { ...spec, width: "container", autosize: { type: "fit-x", contains: "padding" } };
}

const cellOf = (value) => html`<td class=${typeof value === "number" ? "right num" : null}>${amount(value)}</td>`;

// A row of a chart's data; its first cell leads to the episodes behind it.
function DataRow({ row, filters }) {
  const [first, ...rest] = row;
  if (!filters) return html`<tr>${row.map(cellOf)}</tr>`;
  return html`<tr><td><${BehindFilters} filters=${filters}>${amount(first)}<//></td>${rest.map(cellOf)}</tr>`;
}

// Returns the place of a drawn mark's datum among the rows of the data.
function rowOf(datum, { columns, rows }) {
  return rows.findIndex((row) => columns.every((column, place) => datum?.[column] === row[place]));
}

function Chart({ chart }) {
  const place = useRef(null);
  const view = useRef(null);
  const theme = useThemeChange();
  const [state, setState] = useState("waiting");
  const [asTable, setTable] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        setState((old) => (old === "waiting" ? "seen" : old));
        observer.disconnect();
      }
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const dark = isDark() ? "" : null;
  const seen = state !== "waiting";
  useEffect(() => {
    if (!seen) return undefined;
    try {
      const { vega, vegaLite } = globalThis;
      const fit = fitted(chart.spec, place.current.clientWidth);
      const { spec } = vegaLite.compile(fit, { config: chartTheme(), logger: vega.logger(vega.Error) });
      view.current = new vega.View(vega.parse(spec), {
        renderer: "svg",
        container: place.current,
        hover: true,
        loader: noLoader,
      });
      view.current.addEventListener("click", (_, item) => {
        const filters = chart.behind?.[rowOf(item?.datum, chart.table)];
        if (filters) toEpisodes(onlyFilters(filters));
      });
      view.current.runAsync().then(
        () => setState("drawn"),
        (error) => setState(String(error)),
      );
    } catch (error) {
      setState(String(error));
    }
    return () => view.current?.finalize();
  }, [seen, theme]);
  const save = async () => download(`${chart.id}.svg`, await view.current.toSVG(), "image/svg+xml");
  const failed = !["waiting", "seen", "drawn"].includes(state);
  const { columns = [], rows = [] } = chart.table ?? {};
  return html`<figure class="chart" data-chart=${chart.id}>
    <figcaption>
      <h3>${show(chart.title)}</h3>
      <span class="spring"></span>
      ${
        chart.table &&
        html`<button class="small" aria-pressed=${asTable ? "true" : "false"} onClick=${() => setTable(!asTable)}>
        data
      </button>`
      }
      <button class="small" disabled=${state !== "drawn"} onClick=${save}>SVG</button>
    </figcaption>
    <div class="scroll" hidden=${asTable}>
      <div class="plot" ref=${place} data-dark=${dark} role="img" aria-label=${show(chart.title)}></div>
    </div>
    ${failed && html`<p role="alert" class="bad-text">The chart cannot be drawn: ${show(state)}</p>`}
    ${
      asTable &&
      html`<div class="scroll tall" tabindex="0" role="region" aria-label="data of the chart">
      <table class="data">
        <thead>
          <tr>${columns.map((title) => html`<th scope="col">${show(title)}</th>`)}</tr>
        </thead>
        <tbody>
          ${rows.map((row, place) => html`<${DataRow} row=${row} filters=${chart.behind?.[place]} />`)}
        </tbody>
      </table>
    </div>`
    }
  </figure>`;
}

function Charts({ charts }) {
  if (!charts?.length) return null;
  if (!globalThis.vegaLite) return null;
  return html`<section class="panel" aria-labelledby="charts-title">
    <h2 id="charts-title">Charts</h2>
    <div class="charts">${charts.map((chart) => html`<${Chart} key=${chart.id} chart=${chart} />`)}</div>
  </section>`;
}
